//! Column mapping of an imported game list, under any of their usual names.

use csv::ByteRecord;
use pitmaster_core::Untrusted;

use super::line::{RESULT_WORDS, SHOWN};

/// Meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Key {
    Bot1,
    Bot2,
    Result,
    Winner,
    Score1,
    Score2,
    Pair,
    Stage,
    Round,
    Opening,
    Ending,
    ForfeitedBy,
    Plies,
    Hash1,
    Hash2,
    Id,
    Moves,
}

/// Accepted names of columns; the first is that of Pitmaster.
pub(super) const CALLED: &[(Key, &[&str])] = &[
    (Key::Bot1, &["bot1", "player1", "white", "bot_1", "player_1", "first", "home"]),
    (Key::Bot2, &["bot2", "player2", "black", "bot_2", "player_2", "second", "away"]),
    (Key::Result, &["result"]),
    (Key::Winner, &["winner"]),
    (Key::Score1, &["score1", "score_1"]),
    (Key::Score2, &["score2", "score_2"]),
    (Key::Pair, &["pair"]),
    (Key::Stage, &["stage"]),
    (Key::Round, &["round"]),
    (Key::Opening, &["opening"]),
    (Key::Ending, &["ending"]),
    (Key::ForfeitedBy, &["forfeited_by"]),
    (Key::Plies, &["plies"]),
    (Key::Hash1, &["hash1"]),
    (Key::Hash2, &["hash2"]),
    (Key::Id, &["id"]),
    (Key::Moves, &["fingerprint", "moves"]),
];

/// Positions of the columns, and the number of cells in a line.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) places: [Option<u16>; CALLED.len()],
    pub(super) count: usize,
}

impl Columns {
    pub(super) fn of(header: &ByteRecord) -> Result<Self, Vec<String>> {
        let names: Vec<_> =
            header.iter().map(|cell| plain(&String::from_utf8_lossy(cell))).collect();
        let mut columns = Self { places: [None; CALLED.len()], count: names.len() };
        let mut faults = Vec::new();
        for (key, called) in CALLED {
            let mut places = (0..names.len()).filter(|&n| called.contains(&&*names[n]));
            columns.places[*key as usize] = places.next().map(|place| place as u16);
            if let Some(second) = places.next() {
                let name = Untrusted::new(&*names[second]).shown(SHOWN);
                faults.push(format!("there are two columns for {}; rename {name}", called[0]));
            }
        }
        for key in [Key::Bot1, Key::Bot2] {
            if columns.places[key as usize].is_none() {
                let called = CALLED[key as usize].1;
                let [first, second, third, ..] = called else { continue };
                faults.push(format!(
                    "no column is called {first} (nor {second} or {third}); rename the one with \
                     the names of player {}",
                    if key == Key::Bot1 { 1 } else { 2 }
                ));
            }
        }
        let has = |key: Key| columns.places[key as usize].is_some();
        if !(has(Key::Result) || has(Key::Winner) || has(Key::Score1) && has(Key::Score2)) {
            faults.push(format!(
                "there is no column of results; call one result, with {RESULT_WORDS}, or winner, \
                 with a name or nothing for a draw"
            ));
        }
        if faults.is_empty() { Ok(columns) } else { Err(faults) }
    }
}

/// Column name normalized to lowercase words.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}
