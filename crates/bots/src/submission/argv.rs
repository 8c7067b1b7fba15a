//! Command line of a bot: program and arguments, with placeholders.
//!
//! Must not depend on files: whether the program exists is checked later.

use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_core::{Limits, Seed, Side};

use super::fault::shown;

/// The program that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// A command that is looked up on PATH: `python3`.
    Command(String),
    /// A file in the bot's folder, by its relative path: `build/bot`.
    File(String),
    /// The only program that the build produces in this subfolder of the build folder.
    OnlyOneIn(&'static str),
}

impl Program {
    /// Parses the first word of a command. Without a slash it is a command on PATH, with one a file
    /// in the bot's folder.
    pub fn parse(word: &str) -> Result<Self, String> {
        if word.is_empty() {
            return Err("the first word is the program and cannot be empty".into());
        }
        if word.starts_with('/') {
            let name = shown(word.rsplit('/').next().unwrap_or_default());
            return Err(format!(
                "{} leads outside the bot's folder; write \"{name}\" for a command of this machine, \
                 \"./{name}\" for a file of the folder",
                shown(word)
            ));
        }
        check_inside(word)?;
        let command = !word.contains('/');
        Ok(if command { Self::Command(word.into()) } else { Self::File(word.into()) })
    }
}

/// Refuses a path that leaves the bot's folder by `..`.
pub(super) fn check_inside(word: &str) -> Result<(), String> {
    let mut depth = 0;
    for part in word.split('/') {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        if depth < 0 && !word.starts_with('/') {
            return Err(format!(
                "{} leads outside the bot's folder; copy what the bot needs into the folder",
                shown(word)
            ));
        }
    }
    Ok(())
}

/// Facts that a bot gets in its arguments and its environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    side: Side,
    seed: Seed,
    move_ms: u128,
    game_ms: u128,
}

impl Facts {
    /// Missing limits are passed as 0.
    pub(super) fn new(side: Side, seed: Seed, limits: &Limits) -> Self {
        let ms = |limit: Option<std::time::Duration>| limit.map_or(0, |limit| limit.as_millis());
        Self { side, seed, move_ms: ms(limits.per_move), game_ms: ms(limits.per_game) }
    }
}

/// A fact that an argument can contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// `{n}`: 1 or 2.
    Number,
    /// `{J}`: A or B.
    Letter,
    /// `{seed}`: the seed of the game.
    Seed,
    /// `{move_ms}`: milliseconds per move, 0 without such a limit.
    MoveMs,
    /// `{game_ms}`: milliseconds per game, 0 without such a limit.
    GameMs,
}

impl Placeholder {
    const ALL: [(&'static str, Self); 5] = [
        ("n", Self::Number),
        ("J", Self::Letter),
        ("seed", Self::Seed),
        ("move_ms", Self::MoveMs),
        ("game_ms", Self::GameMs),
    ];

    /// The fact as text.
    pub(super) fn text(self, facts: &Facts) -> String {
        match self {
            Self::Number => facts.side.number().to_string(),
            Self::Letter => if facts.side == Side::One { "A" } else { "B" }.to_string(),
            Self::Seed => facts.seed.0.to_string(),
            Self::MoveMs => facts.move_ms.to_string(),
            Self::GameMs => facts.game_ms.to_string(),
        }
    }

    fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, placeholder)| *placeholder).ok_or_else(|| {
            let names = Self::ALL.map(|(known, _)| known);
            let near = did_you_mean(name, names);
            let near = near.map_or(String::new(), |near| format!(", perhaps {{{near}}}"));
            format!(
                "there is no placeholder {{{}}}; there are {{n}} {{J}} {{seed}} {{move_ms}} {{game_ms}}{near}",
                shown(name)
            )
        })
    }
}

/// One argument, possibly with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Fact(Placeholder),
}

impl Word {
    /// An argument with exactly this text, braces included.
    pub fn literal(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// Parses an argument with placeholders, which are letters in braces. Any other brace is
    /// literal.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, after) = rest.split_at(open);
            plain.push_str(before);
            match name_in_braces(after) {
                Some(name) => {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(Piece::Fact(Placeholder::named(name)?));
                    rest = &after[name.len() + 2..];
                }
                None => {
                    plain.push('{');
                    rest = &after[1..];
                }
            }
        }
        plain.push_str(rest);
        pieces.push(Piece::Text(plain));
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        Ok(Self(pieces))
    }

    /// The argument as it appears in a manifest.
    pub(super) fn text(&self) -> String {
        let of_fact = |fact: Placeholder| {
            let known = Placeholder::ALL.iter().find(|(_, known)| *known == fact);
            format!("{{{}}}", known.map_or("", |(name, _)| name))
        };
        let of_piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Fact(fact) => of_fact(*fact),
        };
        self.0.iter().map(of_piece).collect()
    }

    /// The argument with its placeholders filled in.
    pub(super) fn filled(&self, facts: &Facts) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Fact(placeholder) => placeholder.text(facts),
            })
            .collect()
    }
}

fn name_in_braces(text: &str) -> Option<&str> {
    let name = text.strip_prefix('{')?.split_once('}')?.0;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts() -> Facts {
        Facts::new(Side::Two, Seed(7), &Limits::default())
    }

    #[test]
    fn placeholders_are_filled_and_other_braces_stand() {
        for (word, filled) in [
            ("{n}", "2"),
            ("Joueur{J}", "JoueurB"),
            ("--seed={seed},{move_ms}/{game_ms}", "--seed=7,1000/210000"),
            ("{\"a\":1}", "{\"a\":1}"),
            ("{{n}}", "{2}"),
            ("{", "{"),
            ("", ""),
        ] {
            assert_eq!(Word::parse(word).expect(word).filled(&facts()), filled);
        }
    }

    #[test]
    fn a_limit_that_there_is_not_is_zero() {
        let limits = Limits { per_move: None, per_game: None, ..Limits::default() };
        let word = Word::parse("{move_ms} {game_ms}").expect("placeholders");
        assert_eq!(word.filled(&Facts::new(Side::One, Seed(1), &limits)), "0 0");
    }

    #[test]
    fn an_unknown_placeholder_is_told_what_there_is() {
        let fault = Word::parse("{sed}").expect_err("no such placeholder");
        assert_eq!(
            fault,
            "there is no placeholder {sed}; there are {n} {J} {seed} {move_ms} {game_ms}, perhaps {seed}"
        );
    }

    #[test]
    fn a_program_is_a_command_or_a_file_of_the_folder() {
        for (word, program) in [
            ("python3", Program::Command("python3".into())),
            ("./bot", Program::File("./bot".into())),
            ("a/../b", Program::File("a/../b".into())),
        ] {
            assert_eq!(Program::parse(word), Ok(program));
        }
        for word in ["", "/bin/sh", "../bot", "a/../../bot", "./../x"] {
            assert!(Program::parse(word).is_err(), "{word}");
        }
    }

    proptest! {
        #[test]
        fn text_without_braces_stands(text in "[^{}]*") {
            prop_assert_eq!(Word::parse(&text).expect("no placeholder").filled(&facts()), text);
        }

        #[test]
        fn a_literal_stands_whatever_it_is(text in ".*") {
            prop_assert_eq!(Word::literal(text.clone()).filled(&facts()), text);
        }
    }
}
