//! Forfeits by bot: how often, why, and the evidence.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_core::{BotId, Evidence, Fault, Record, Side, Untrusted};
use pitmaster_referee::describe_fault;

use super::table::fit_width;

/// Maximum length of a displayed line, in characters.
const LINE: usize = 200;
/// Number of last standard error lines shown.
const STDERR_LINES: usize = 3;

/// Collects forfeits: for each bot and kind the number and the first game.
#[derive(Debug, Default)]
pub struct Forfeits {
    /// Forfeits by bot and kind, with the kinds in the order of [`Fault::NAMES`].
    kinds: BTreeMap<(BotId, usize), Kind>,
}

/// One kind of forfeit of one bot.
#[derive(Debug)]
struct Kind {
    count: u32,
    first: First,
}

/// The first game of its kind.
#[derive(Debug)]
struct First {
    place: Message,
    fault: Option<Message>,
    evidence: Vec<Message>,
}

impl Forfeits {
    /// An empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a game, if it was forfeited.
    pub fn add(&mut self, record: &Record) {
        for side in Side::BOTH {
            if let Some(fault) = record.ending.fault_of(side) {
                let place = Fault::NAMES.iter().position(|name| *name == fault.name());
                let key = (record.key.bots[side].clone(), place.unwrap_or(Fault::NAMES.len()));
                let first = || Kind { count: 0, first: First::of(record, side) };
                self.kinds.entry(key).or_insert_with(first).count += 1;
            }
        }
    }

    /// Returns whether there are no forfeits.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The section for a terminal of that many columns. Empty without forfeits.
    pub fn render(&self, width: usize, lang: Lang) -> String {
        let mut text = String::new();
        let mut last = None;
        for ((bot, place), kind) in &self.kinds {
            if last != Some(bot) {
                let _ = writeln!(text, "{} ({})", bot.name, bot.hash.short());
                last = Some(bot);
            }
            let name = Fault::NAMES.get(*place).unwrap_or(&"other");
            let _ = writeln!(text, "  {}", kind.sentence(name).to(lang));
            for line in kind.first.lines(lang) {
                let _ = writeln!(text, "    {}", fit_width(&line, width.saturating_sub(4)));
            }
        }
        text
    }
}

impl Kind {
    fn sentence(&self, name: &str) -> Message {
        match self.count {
            1 => said!("{}: 1 game", name),
            count => said!("{}: {} games", name, count),
        }
    }
}

impl First {
    fn of(record: &Record, side: Side) -> Self {
        let opponent = record.key.bots[side.other()].name.to_string();
        let (id, ply) = (record.id().to_string(), record.plies.len() + 1);
        let place = said!("game {} against {}, ply {}", id, opponent, ply);
        let evidence = record.evidence[side].iter().flat_map(show).collect();
        Self { place, fault: describe_fault(record, side), evidence }
    }

    /// Escaped lines of text, because a fault may contain untrusted text.
    fn lines(&self, lang: Lang) -> impl Iterator<Item = String> {
        let what = self.fault.iter().map(move |fault| Untrusted::new(fault.to(lang)).shown(LINE));
        let evidence = self.evidence.iter().map(move |line| line.to(lang));
        [self.place.to(lang)].into_iter().chain(what).chain(evidence)
    }
}

fn show(evidence: &Evidence) -> Vec<Message> {
    let mut lines = Vec::new();
    if let Some(line) = &evidence.line {
        lines.push(said!("line: {}", line.shown(LINE)));
    }
    if let Some(exit) = &evidence.exit {
        lines.push(said!("process: {}", exit.describe()));
    }
    lines.extend(last_lines(evidence.stderr.as_bytes()).map(|line| said!("stderr: {}", line)));
    lines
}

/// The last lines that are not empty.
fn last_lines(bytes: &[u8]) -> impl Iterator<Item = String> {
    let lines = bytes.split(|&byte| byte == b'\n' || byte == b'\r');
    let full: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let from = full.len().saturating_sub(STDERR_LINES);
    let last: Vec<_> = full[from..].iter().map(|line| Untrusted::new(*line).shown(LINE)).collect();
    last.into_iter()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    fn example() -> Forfeits {
        let mut forfeits = Forfeits::new();
        fixtures::tournament().0.iter().for_each(|record| forfeits.add(record));
        forfeits
    }

    #[test]
    fn the_section() {
        insta::assert_snapshot!(example().render(90, Lang::English), @r#"
        beta (c607f0e6)
          not-utf8: 1 game
            game 48c0a9ac5d6a1a8a against evil, ply 1
            a line that is not UTF-8
        evil (cc1e0305)
          move-late: 1 game
            game e6578fa60d5e8bf6 against beta, ply 2
            late move: 1.020s, limit 1.000s
          illegal-move: 1 game
            game 611d152d5873431b against alpha, ply 3
            illegal move
            line: =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u{d…
            process: was ended by signal 11 (SIGSEGV)
            stderr: =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},
            stderr: +1
            stderr: last
          would-not-start: 1 game
            game 5f7ec0457f294b81 against beta, ply 3
            it would not start: its loader =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]…
            line: =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u{d…
            process: was ended by signal 11 (SIGSEGV)
            stderr: =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},
            stderr: +1
            stderr: last
          did-not-build: 1 game
            game 48c0a9ac5d6a1a8a against beta, ply 1
            it did not build
        "#);
    }

    #[test]
    fn the_section_in_french() {
        insta::assert_snapshot!(example().render(90, Lang::French), @r#"
        beta (c607f0e6)
          not-utf8 : 1 partie
            partie 48c0a9ac5d6a1a8a contre evil, demi-coup 1
            une ligne qui n'est pas en UTF-8
        evil (cc1e0305)
          move-late : 1 partie
            partie e6578fa60d5e8bf6 contre beta, demi-coup 2
            coup trop tardif : 1,020s au lieu de 1,000s au plus
          illegal-move : 1 partie
            partie 611d152d5873431b contre alpha, demi-coup 3
            coup illégal
            ligne : =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u…
            processus : a été arrêté par le signal 11 (SIGSEGV)
            stderr : =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},
            stderr : +1
            stderr : last
          would-not-start : 1 partie
            partie 5f7ec0457f294b81 contre beta, demi-coup 3
            il n'a pas pu démarrer : son chargeur =HYPERLINK("http://evil","x")</script>\u{1b}[2J…
            ligne : =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},\u…
            processus : a été arrêté par le signal 11 (SIGSEGV)
            stderr : =HYPERLINK("http://evil","x")</script>\u{1b}[2J\u{1b}]0;t\u{7}\xff\u{202e},
            stderr : +1
            stderr : last
          did-not-build : 1 partie
            partie 48c0a9ac5d6a1a8a contre beta, demi-coup 1
            sa compilation a échoué
        "#);
    }

    #[test]
    fn nothing_reaches_the_terminal_that_acts_on_it() {
        let text = example().render(usize::MAX, Lang::English);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        assert!(!text.contains('\u{202e}'));
    }

    #[test]
    fn a_narrow_terminal_cuts_lines() {
        let text = example().render(30, Lang::English);
        assert!(text.lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 30));
    }
}
