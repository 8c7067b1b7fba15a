//! Protocol candidates of a bot without a manifest: its dialect, and the argument with its player
//! number. Trials decide; the sources suggest the order.
//!
//! Must not depend on how bots are tried.

use std::fmt;

use pitmaster_core::Dialect;

use super::super::argv::Word;

/// Protocol candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The dialect.
    pub dialect: Dialect,
    /// The argument after all others.
    argument: Argument,
}

/// Argument with the bot's player number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    Number,
    JoueurA,
    Joueur1,
    None,
}

impl Argument {
    fn text(self) -> Option<&'static str> {
        match self {
            Self::Number => Some("{n}"),
            Self::JoueurA => Some("Joueur{J}"),
            Self::Joueur1 => Some("Joueur{n}"),
            Self::None => None,
        }
    }

    /// The argument of player 1.
    fn shown(self) -> Option<&'static str> {
        match self {
            Self::Number => Some("1"),
            Self::JoueurA => Some("JoueurA"),
            Self::Joueur1 => Some("Joueur1"),
            Self::None => None,
        }
    }
}

impl Way {
    /// Last word of the command.
    pub(in super::super) fn word(&self) -> Option<Word> {
        self.argument.text().map(|text| Word::parse(text).expect("a known placeholder"))
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.argument.shown() {
            Some(argument) => write!(f, "{} with the argument {argument}", self.dialect),
            None => write!(f, "{} without arguments", self.dialect),
        }
    }
}

/// What sources mention of dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mention of its own")]
pub(super) struct Mentions {
    handshake: bool,
    result: bool,
    end: bool,
    letters: bool,
    numbers: bool,
    joueur: bool,
}

impl Mentions {
    /// Adds what a text mentions.
    pub(super) fn add(&mut self, text: &str) {
        self.handshake |= text.contains("newgame");
        self.result |= text.contains("RESULT");
        self.end |= ["\"END\"", "'END'", "\"END\\"].iter().any(|word| text.contains(word));
        self.letters |= text.contains("JoueurA") || text.contains("JoueurB");
        self.numbers |= text.contains("Joueur1") || text.contains("Joueur2");
        self.joueur |= text.contains("\"Joueur\"") || text.contains("'Joueur'");
    }

    /// All candidates, the most likely one first. Announcing results suggests the dialect of the
    /// course, and waiting for `END` that of the contest.
    pub(super) fn ways(self) -> Vec<Way> {
        let arguments = match self {
            Self { numbers: true, letters: false, .. } => {
                [Argument::Joueur1, Argument::JoueurA, Argument::Number]
            }
            Self { letters: true, .. } | Self { joueur: true, .. } => {
                [Argument::JoueurA, Argument::Joueur1, Argument::Number]
            }
            _ => [Argument::Number, Argument::JoueurA, Argument::Joueur1],
        };
        let is_course = |argument| self.result || (argument == Argument::JoueurA && !self.end);
        let dialect = |argument| if is_course(argument) { Dialect::Course } else { Dialect::Arena };
        let contests = arguments.map(|argument| Way { dialect: dialect(argument), argument });
        let own = Way { dialect: Dialect::Pitmaster, argument: Argument::None };
        let mut ways = contests.to_vec();
        ways.insert(if self.handshake { 0 } else { ways.len() }, own);
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mentioned_is_tried_first() {
        for (text, first) in [
            ("", "arena with the argument 1"),
            ("if argv[1] == \"JoueurA\":", "course with the argument JoueurA"),
            ("\"JoueurA\" \"END\"", "arena with the argument JoueurA"),
            ("\"JoueurA\" \"END\" \"RESULT\"", "course with the argument JoueurA"),
            ("strcmp(argv[1], \"Joueur1\")", "arena with the argument Joueur1"),
            ("puts(\"RESULT LIMIT\")", "course with the argument 1"),
            ("elif word == 'newgame'", "pitmaster without arguments"),
        ] {
            let mut mentions = Mentions::default();
            mentions.add(text);
            let ways = mentions.ways();
            assert_eq!((ways[0].to_string(), ways.len()), (first.to_owned(), 4), "{text}");
        }
    }
}
