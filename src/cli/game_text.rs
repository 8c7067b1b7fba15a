//! Text about a game for people: players, plies, ending and evidence.
//!
//! Bot output is escaped and truncated, so that it cannot control a terminal.

use std::fmt::Write as _;
use std::time::Duration;

use pitmaster_core::{Ending, Evidence, GameKey, Ply, Record, Remark, Score, Side, Untrusted};
use pitmaster_referee::describe_fault;

/// Maximum length of a shown line, in characters.
const LINE: usize = 400;
/// Number of lines shown from the end of standard error.
const STDERR_LINES: usize = 20;

/// Name of a side in sentences. It includes the player number, because a bot can play both sides.
pub(super) fn seat(key: &GameKey, side: Side) -> String {
    format!("{} (player {side})", key.bots[side].name)
}

/// Ending of the game in one sentence.
pub(super) fn ending(record: &Record) -> String {
    let key = &record.key;
    let text = match &record.ending {
        Ending::Rules { clause, winner, score } => {
            format!("{} by the rules ({clause})", result(key, *winner, *score))
        }
        Ending::PlyLimit { winner, score } | Ending::GameTime { winner, score } => {
            format!("{}: {}", result(key, *winner, *score), record.ending)
        }
        Ending::Forfeit { by, .. } => {
            let (winner, loser) = (seat(key, by.other()), seat(key, *by));
            format!("{winner} won: {loser} forfeited: {}", fault(record, *by))
        }
        Ending::BothForfeited { .. } => {
            let one = |side| format!("{}: {}", seat(key, side), fault(record, side));
            format!("both forfeited: {}; {}", one(Side::One), one(Side::Two))
        }
        Ending::RefereeError { .. } => record.ending.to_string(),
    };
    // Parts of it, such as a loader's name, are untrusted.
    Untrusted::new(text).shown(LINE)
}

/// Violation by which a side lost.
pub(super) fn fault(record: &Record, side: Side) -> String {
    describe_fault(record, side).map_or(String::new(), |fault| fault.to_string())
}

fn result(key: &GameKey, winner: Option<Side>, score: Score) -> String {
    match winner {
        Some(side) => {
            format!("{} won {} to {}", seat(key, side), score[side], score[side.other()])
        }
        None => format!("a draw at {} to {}", score.one, score.two),
    }
}

/// One line for a ply.
pub(super) fn ply(key: &GameKey, number: usize, ply: &Ply) -> String {
    let width = key.bots.iter().map(|bot| bot.name.as_str().len()).max().unwrap_or(0);
    let text = Untrusted::new(ply.text.as_bytes()).shown(LINE);
    match ply.by {
        Some(side) => {
            let (name, wall) = (&key.bots[side].name, ply.wall);
            format!("{number:>3}  player {side}  {name:<width$}  {text:<4}  {wall:.1?}\n")
        }
        None => format!("{number:>3}  chance    {:<width$}  {text}\n", ""),
    }
}

/// Remarks of the bots on a ply.
pub(super) fn remarks(key: &GameKey, remarks: &[Remark], number: usize) -> String {
    let mut text = String::new();
    for remark in remarks.iter().filter(|remark| remark.ply as usize == number) {
        let said = remark.text.shown(LINE);
        let _ = writeln!(text, "     {} said \"{said}\"", seat(key, remark.by));
    }
    text
}

/// Time used by each side, one line per side.
pub(super) fn times(record: &Record) -> String {
    Side::BOTH.map(|side| times_of(record, side)).concat()
}

fn times_of(record: &Record, side: Side) -> String {
    let own = || record.plies.iter().filter(|ply| ply.by == Some(side));
    let wall: Duration = own().map(|ply| ply.wall).sum();
    let cpu: Duration = own().map(|ply| ply.cpu).sum();
    let longest = own().map(|ply| ply.wall).max().unwrap_or_default();
    let bot = &record.key.bots[side];
    let mut text = format!(
        "player {side}  {} ({}): {} in {wall:.1?}, longest {longest:.1?}, CPU {cpu:.1?}",
        bot.name,
        bot.hash.short(),
        counted(own().count(), "move"),
    );
    let stolen = record.stolen[side];
    if stolen > Duration::from_millis(1) {
        let _ = write!(text, ", {stolen:.1?} CPU on the opponent's turns");
    }
    if record.skipped_lines[side] > 0 {
        let skipped = counted(record.skipped_lines[side] as usize, "line");
        let _ = write!(text, ", {skipped} skipped");
    }
    text.push('\n');
    text
}

pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn plies(count: usize) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

/// Evidence and wrong claims in paragraphs; empty if there are none.
pub(super) fn evidence(record: &Record) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        if let Some(evidence) = &record.evidence[side] {
            let _ = writeln!(text, "\nevidence against {}", seat(&record.key, side));
            push_evidence(&mut text, evidence);
        }
    }
    if !record.wrong_claims.is_empty() {
        text.push_str("\nwrong claims about the ending\n");
    }
    for claim in &record.wrong_claims {
        let (seat, line) = (seat(&record.key, claim.by), claim.text.shown(LINE));
        let _ = writeln!(text, "  after ply {}, {seat}: \"{line}\"", claim.ply);
    }
    text
}

fn push_evidence(text: &mut String, evidence: &Evidence) {
    let _ =
        writeln!(text, "  judged   {:.1?} after the start", Duration::from_nanos(evidence.at.0));
    if let Some(line) = &evidence.line {
        let _ = writeln!(text, "  line     \"{}\"", line.shown(LINE));
    }
    if let Some(exit) = &evidence.exit {
        let _ = writeln!(text, "  process  {exit}");
    }
    let bytes = evidence.stderr.as_bytes().trim_ascii_end();
    let lines: Vec<_> = bytes.split(|&byte| byte == b'\n').collect();
    let (before, last) = lines.split_at(lines.len().saturating_sub(STDERR_LINES));
    if !bytes.is_empty() {
        let cut = if before.is_empty() { "" } else { ", last lines" };
        let _ = writeln!(text, "  stderr{cut}");
        for line in last {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let _ = writeln!(text, "    | {}", Untrusted::new(line).shown(LINE));
        }
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{At, BySide, Claim, Exit, Fault, RefereeFault, StartFault};
    use pitmaster_referee::fixtures::random_game;

    use super::*;

    /// Bytes that no output may contain unescaped.
    const HOSTILE: &[u8] = b"</script>\x1b[2J\x07\xff\xe2\x80\xae\r\"";

    fn hostile_forfeit() -> Record {
        let mut record = random_game(3);
        let text = Untrusted::new(HOSTILE);
        let why = StartFault::MissingLoader { loader: "\x1b[31m/ld.so".into() };
        let fault = Fault::WouldNotStart { why };
        record.ending = Ending::Forfeit { by: Side::Two, fault, score: Score::default() };
        let lines: Vec<u8> = (0..30).flat_map(|n| format!("line {n}\r\n").into_bytes()).collect();
        let evidence = Evidence {
            line: Some(text.clone()),
            at: At::millis(12),
            stderr: Untrusted::new([&lines, HOSTILE].concat()),
            exit: Some(Exit::Signal(11)),
        };
        record.evidence = BySide::new(None, Some(evidence));
        record.wrong_claims = vec![Claim { ply: 2, by: Side::Two, text: text.clone() }];
        record.remarks = vec![Remark { ply: 2, by: Side::Two, text }];
        record.skipped_lines.two = 7;
        record.stolen.one = Duration::from_millis(30);
        record
    }

    #[test]
    fn every_ending_is_a_sentence_with_names() {
        let mut record = random_game(2);
        let mut sentence = |ending| {
            record.ending = ending;
            super::ending(&record)
        };
        let score = Score::new(50, 30);
        let draw = Score::new(48, 48);
        let (one, two) = (Some(Side::One), Some(Side::Two));
        let faults = BySide::new(Fault::DidNotBuild, Fault::Suspended);
        let fault = RefereeFault::Resources { error: "no memory".into() };
        let sentences = [
            sentence(Ending::Rules { clause: "49+".into(), winner: one, score }),
            sentence(Ending::Rules { clause: "40-40".into(), winner: None, score: draw }),
            sentence(Ending::PlyLimit { winner: two, score: score.swapped() }),
            sentence(Ending::GameTime { winner: None, score: draw }),
            sentence(Ending::Forfeit { by: Side::One, fault: Fault::IllegalMove, score }),
            sentence(Ending::BothForfeited { faults }),
            sentence(Ending::RefereeError { fault }),
        ];
        insta::assert_snapshot!(sentences.join("\n"), @"
        alpha (player 1) won 50 to 30 by the rules (49+)
        a draw at 48 to 48 by the rules (40-40)
        be (player 2) won 50 to 30: ply limit reached; decided by score
        a draw at 48 to 48: game time over; decided by score
        be (player 2) won: alpha (player 1) forfeited: illegal move
        both forfeited: alpha (player 1): it did not build; be (player 2): suspended after failing too often, not played
        void because of a referee error: the machine is out of resources: no memory
        ");
    }

    #[test]
    fn a_forfeit_is_told_with_its_evidence() {
        let record = hostile_forfeit();
        let parts = [
            ply(&record.key, 2, &record.plies[1]),
            remarks(&record.key, &record.remarks, 2),
            ending(&record) + "\n",
            times(&record),
            evidence(&record),
        ];
        let text = parts.concat();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        insta::assert_snapshot!(text, @r#"
          2  player 2  be     6R    2.2ms
             be (player 2) said "</script>\u{1b}[2J\u{7}\xff\u{202e}\u{d}""
        alpha (player 1) won: be (player 2) forfeited: it would not start: its loader \u{1b}[31m/ld.so is not on this machine; link it statically or build it here
        player 1  alpha (644a9bc5): 2 moves in 4.4ms, longest 2.9ms, CPU 2.2ms, 30.0ms CPU on the opponent's turns
        player 2  be (c28c8b8f): 1 move in 2.2ms, longest 2.2ms, CPU 1.1ms, 7 lines skipped

        evidence against be (player 2)
          judged   12.0ms after the start
          line     "</script>\u{1b}[2J\u{7}\xff\u{202e}\u{d}""
          process  was ended by signal 11 (SIGSEGV)
          stderr, last lines
            | line 11
            | line 12
            | line 13
            | line 14
            | line 15
            | line 16
            | line 17
            | line 18
            | line 19
            | line 20
            | line 21
            | line 22
            | line 23
            | line 24
            | line 25
            | line 26
            | line 27
            | line 28
            | line 29
            | </script>\u{1b}[2J\u{7}\xff\u{202e}\u{d}"

        wrong claims about the ending
          after ply 2, be (player 2): "</script>\u{1b}[2J\u{7}\xff\u{202e}\u{d}""
        "#);
    }
}
