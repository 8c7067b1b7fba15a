//! PGN export for other rating programs, which read the headers and the result.
//!
//! The moves are in a comment, because they are not chess moves.

use std::io::{self, Write};

use pitmaster_core::{Ending, Record, Side, is_hidden};

use super::GameFile;

/// Maximum length of lines in a comment, in characters, unless a move is longer.
const WIDTH: usize = 79;

/// Writes games one after the other. Player 1 is White, although it need not move first.
#[derive(Debug)]
pub struct Pgn<W: Write> {
    out: W,
    event: String,
}

impl<W: Write> Pgn<W> {
    /// Creates a writer for games of an event with that name.
    pub fn new(out: W, event: &str) -> Self {
        Self { out, event: event.to_owned() }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameFile) -> io::Result<()> {
        let record = &game.record;
        let key = &record.key;
        let event = self.event.clone();
        self.tag("Event", &event)?;
        self.tag("Site", "?")?;
        self.tag("Date", &date(game.started_at))?;
        self.tag("Round", &round(record))?;
        self.tag("White", key.bots.one.name.as_str())?;
        self.tag("Black", key.bots.two.name.as_str())?;
        self.tag("Result", result(&record.ending))?;
        self.tag("GameId", record.id().as_str())?;
        if !key.opening.is_empty() {
            self.tag("Opening", &key.opening)?;
        }
        self.tag("Termination", &record.ending.name())?;
        self.tag("PlyCount", &record.plies.len().to_string())?;
        self.out.write_all(b"\n")?;
        self.comment(record)?;
        writeln!(self.out, "{}\n", result(&record.ending))
    }

    /// Finishes the file.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes a tag. Quotes and backslashes are escaped, and values have no line ends.
    fn tag(&mut self, name: &str, value: &str) -> io::Result<()> {
        let value: String = value.chars().filter(|c| !is_hidden(*c)).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(self.out, "[{name} \"{value}\"]")
    }

    /// Writes the moves in braces, which no move contains.
    fn comment(&mut self, record: &Record) -> io::Result<()> {
        let mut width = 0;
        for (at, text) in record.moves().enumerate() {
            let text: String = text.chars().filter(|c| !is_hidden(*c)).collect();
            let text = if at == 0 { format!("{{{text}") } else { text };
            if at > 0 {
                let breaks = width + 1 + text.len() > WIDTH;
                self.out.write_all(if breaks { b"\n" } else { b" " })?;
                width = if breaks { 0 } else { width + 1 };
            }
            width += text.len();
            self.out.write_all(text.as_bytes())?;
        }
        if width > 0 { self.out.write_all(b"}\n") } else { Ok(()) }
    }
}

/// Number of the pair, after that of the round if there are rounds.
fn round(record: &Record) -> String {
    let key = &record.key;
    if key.round == 0 { key.pair.to_string() } else { format!("{}.{}", key.round, key.pair) }
}

/// PGN result. A game that both lost has no standard result.
fn result(ending: &Ending) -> &'static str {
    match (ending, ending.winner()) {
        (Ending::RefereeError { .. } | Ending::BothForfeited { .. }, _) => "*",
        (_, Some(Side::One)) => "1-0",
        (_, Some(Side::Two)) => "0-1",
        (_, None) => "1/2-1/2",
    }
}

/// The day in UTC.
fn date(started_at: u64) -> String {
    let timestamp = i64::try_from(started_at).ok();
    let timestamp = timestamp.and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok());
    timestamp.map_or("????.??.??".into(), |time| time.strftime("%Y.%m.%d").to_string())
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Dialect};

    use super::super::fixtures::{self, csv};
    use super::*;

    fn pgn(event: &str, mut change: impl FnMut(usize, &mut Record)) -> String {
        let (records, _) = fixtures::tournament();
        csv(|out| {
            let mut pgn = Pgn::new(out, event);
            for (at, mut record) in records.into_iter().enumerate() {
                change(at, &mut record);
                let dialects = BySide::from_fn(|_| Dialect::Arena);
                pgn.add(&GameFile::new(record, dialects, 1_793_000_000_000))?;
            }
            pgn.finish()
        })
    }

    #[test]
    fn a_game_has_the_seven_tags_and_some_more() {
        let text = pgn("A \"cup\" \\ of\ntea", |at, record| {
            if at == 0 {
                record.key.opening = "1B".into();
                record.key.round = 3;
                record.plies = [&record.plies[..]; 15].concat();
            }
        });
        let first: Vec<_> = text.split_inclusive("\n\n").take(2).collect();
        insta::assert_snapshot!(first.concat(), @r#"
        [Event "A \"cup\" \\ oftea"]
        [Site "?"]
        [Date "2026.10.26"]
        [Round "3.1"]
        [White "alpha"]
        [Black "beta"]
        [Result "1-0"]
        [GameId "d27dbbfccd48bdc7"]
        [Opening "1B"]
        [Termination "rules:49+"]
        [PlyCount "45"]

        {1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R
        3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR 1B 2R 3TR}
        1-0
        "#);
    }

    #[test]
    fn every_ending_has_a_result() {
        let text = pgn("Cup", |_, _| ());
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        let tags = |name: &str| {
            let start = format!("[{name} \"");
            let tags =
                lines.iter().filter_map(|line| line.strip_prefix(&*start)?.strip_suffix("\"]"));
            tags.collect::<Vec<_>>()
        };
        insta::assert_snapshot!(tags("Result").join(" "), @"1-0 1-0 1-0 1-0 1/2-1/2 0-1 0-1 0-1 *");
        insta::assert_snapshot!(tags("Termination").join(" "), @"rules:49+ rules:49+ rules:49+ rules:49+ rules:49+ illegal-move would-not-start move-late both-forfeited");
        // Headers, comments and results, but no text of a bot.
        let shapes = ["[", "{", "1-0", "0-1", "1/2-1/2", "*"];
        for line in lines {
            assert!(shapes.iter().any(|start| line.starts_with(start)), "{line}");
        }
    }
}
