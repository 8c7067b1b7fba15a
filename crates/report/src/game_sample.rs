//! Game samples: the games of a table, with the attributes that they can be broken down by.

use std::collections::HashMap;

use pitmaster_core::Record;
use pitmaster_ratings::{Game, Roster};

/// Games in the plan's order. Each has its opening, its ending and its length in addition to what
/// ratings need. Fifty-two bytes per game, regardless of its length.
#[derive(Debug, Clone, Default)]
pub struct GameSample {
    games: Vec<Game>,
    circumstances: Vec<Circumstances>,
    openings: Words,
    endings: Words,
}

/// Circumstances of a game, besides its result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// Number among all openings.
    pub(super) opening: u32,
    /// Number among all endings.
    pub(super) ending: u32,
    /// [`UNKNOWN`] if not counted.
    plies: u32,
}

const UNKNOWN: u32 = u32::MAX;

/// Interned words, numbered in the order of their first use.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl GameSample {
    /// Adds a game with its opening as moves separated by spaces, the name of its ending (both
    /// empty if unknown), and its length in plies.
    pub fn add(&mut self, game: Game, opening: &str, ending: &str, plies: Option<u32>) {
        self.games.push(game);
        self.circumstances.push(Circumstances {
            opening: self.openings.number(opening),
            ending: self.endings.number(ending),
            plies: plies.unwrap_or(UNKNOWN),
        });
    }

    /// Adds a game from its record, unless it does not count.
    pub fn add_record(&mut self, record: &Record, roster: &Roster) {
        if let Some(game) = Game::of(record, roster) {
            let (opening, ending) = (&record.key.opening, record.ending.name());
            self.add(game, opening, &ending, Some(record.plies.len() as u32));
        }
    }

    /// Replaces the number of every bot by the number at its index.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        for game in &mut self.games {
            game.bots = game.bots.map(|bot| numbers[bot as usize]);
        }
    }

    /// The games.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Games with their circumstances.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Game, &Circumstances)> {
        self.games.iter().zip(&self.circumstances)
    }

    /// Openings, in the order in which they were first played.
    pub(super) fn openings(&self) -> &Words {
        &self.openings
    }

    /// Endings.
    pub(super) fn endings(&self) -> &Words {
        &self.endings
    }
}

impl Circumstances {
    /// Number of plies, if known.
    pub(super) fn plies(&self) -> Option<u32> {
        (self.plies != UNKNOWN).then_some(self.plies)
    }
}

impl Words {
    /// Number of a word. Adds the word if it is new.
    pub(super) fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// Number of games.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Word with a number.
    pub(super) fn word(&self, number: u32) -> &str {
        &self.list[number as usize]
    }
}
