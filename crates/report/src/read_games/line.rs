//! Line parser of an imported game list: the players and the result.

use csv::StringRecord;
use pitmaster_core::{BySide, Fault, Mark, Side, Untrusted};
use pitmaster_ratings::PairId;

use super::LONGEST_NAME;
use super::columns::{CALLED, Columns, Key};

/// Upper bound on the characters of a cell shown in an error.
pub(super) const SHOWN: usize = 60;

/// Notations of each result.
const RESULTS: &[(&[&str], [Mark; 2])] = &[
    (&["player-1", "1-0", "1", "1.0", "1,0"], [Mark::Win, Mark::Loss]),
    (&["player-2", "0-1", "0", "0.0", "0,0"], [Mark::Loss, Mark::Win]),
    (
        &["draw", "1/2-1/2", "0.5", "0,5", "1/2", "½-½", "½", "0.5-0.5", "="],
        [Mark::Draw, Mark::Draw],
    ),
    (&["both-lost", "0-0"], [Mark::Loss, Mark::Loss]),
];

pub(super) const RESULT_WORDS: &str =
    "player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too)";

/// A line.
pub(super) struct Line<'a> {
    pub(super) columns: &'a Columns,
    pub(super) cells: &'a StringRecord,
}

impl<'a> Line<'a> {
    /// A cell without blanks around it. `None` if the column is missing or the cell empty.
    pub(super) fn cell(&self, key: Key) -> Option<&'a str> {
        let cell = self.cells.get(self.columns.places[key as usize]?.into())?.trim();
        (!cell.is_empty()).then_some(cell)
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.columns.places[key as usize].is_some()
    }

    pub(super) fn number(&self, key: Key) -> Result<Option<u32>, String> {
        let Some(cell) = self.cell(key) else { return Ok(None) };
        let name = CALLED[key as usize].1[0];
        cell.parse()
            .map(Some)
            .map_err(|_| format!("{name} is {}; write a whole number, or nothing", quoted(cell)))
    }

    pub(super) fn bots(&self) -> Result<BySide<&'a str>, String> {
        let name = |key: Key| {
            let column = CALLED[key as usize].1[0];
            let name = self.cell(key).ok_or(format!("{column} is empty; write who played"))?;
            if name.chars().count() > LONGEST_NAME {
                return Err(format!("{column} has over {LONGEST_NAME} characters; shorten it"));
            }
            Ok(name)
        };
        let bots = BySide::new(name(Key::Bot1)?, name(Key::Bot2)?);
        if bots.one == bots.two {
            let name = quoted(bots.one);
            return Err(format!("{name} meets itself, which says nothing; leave the line out"));
        }
        Ok(bots)
    }

    /// Sides that forfeited.
    pub(super) fn forfeits(&self, bots: BySide<&str>) -> Result<BySide<bool>, String> {
        let Some(cell) = self.cell(Key::ForfeitedBy) else { return Ok(BySide::default()) };
        let BySide { one, two } = bots;
        if cell == format!("{one} {two}") || cell == format!("{two} {one}") {
            return Ok(BySide::new(true, true));
        }
        let by = BySide::new(cell == one || cell == "player-1", cell == two || cell == "player-2");
        if by.one || by.two {
            return Ok(by);
        }
        let [cell, one, two] = [cell, one, two].map(quoted);
        Err(format!("forfeited_by is {cell}; write {one}, {two}, both with a blank, or nothing"))
    }

    pub(super) fn marks(
        &self,
        bots: BySide<&str>,
        forfeits: BySide<bool>,
    ) -> Result<BySide<Mark>, String> {
        let result = self.cell(Key::Result).map(result).transpose()?;
        let winner = match self.cell(Key::Winner) {
            Some(winner) => Some(won_by(winner, bots)?),
            None if forfeits.one && forfeits.two => Some([Mark::Loss, Mark::Loss]),
            None if self.has(Key::Winner) => Some([Mark::Draw, Mark::Draw]),
            None => None,
        };
        // An empty cell means a draw, but also that both have lost.
        let is_open = winner == Some([Mark::Draw, Mark::Draw]) && result.is_some_and(no_winner);
        let marks = match (result, winner) {
            (Some(result), Some(winner)) if result != winner && !is_open => {
                return Err("result and winner differ; correct one of them".into());
            }
            (Some(result), _) => result,
            (None, Some(winner)) => winner,
            (None, None) if self.has(Key::Result) => {
                return Err(format!("result is empty; write {RESULT_WORDS}"));
            }
            (None, None) => self.by_score()?,
        };
        Ok(BySide::new(marks[0], marks[1]))
    }

    pub(super) fn by_score(&self) -> Result<[Mark; 2], String> {
        let score = |key: Key| -> Result<f64, String> {
            let name = CALLED[key as usize].1[0];
            let cell = self.cell(key).unwrap_or_default();
            let score: Option<f64> = cell.replace(',', ".").parse().ok();
            let score = score.filter(|score| score.is_finite());
            score.ok_or_else(|| format!("{name} is {}; write a number", quoted(cell)))
        };
        let (one, two) = (score(Key::Score1)?, score(Key::Score2)?);
        Ok(match one.total_cmp(&two) {
            std::cmp::Ordering::Greater => [Mark::Win, Mark::Loss],
            std::cmp::Ordering::Equal => [Mark::Draw, Mark::Draw],
            std::cmp::Ordering::Less => [Mark::Loss, Mark::Win],
        })
    }

    /// Forfeit of each side: the ending, if that is a kind of forfeit.
    pub(super) fn faults(
        &self,
        by: BySide<bool>,
        marks: BySide<Mark>,
    ) -> Result<BySide<Option<u8>>, String> {
        let ending = self.cell(Key::Ending).unwrap_or_default();
        let known = Fault::NAMES.iter().position(|name| *name == ending);
        let by = match (self.has(Key::ForfeitedBy), known) {
            (false, Some(_)) => marks.map(|mark| mark == Mark::Loss),
            (false, None) if ending == "both-forfeited" => BySide::new(true, true),
            _ => by,
        };
        if Side::BOTH.into_iter().any(|side| by[side] && marks[side] != Mark::Loss) {
            return Err("who forfeits has lost, and here has not; correct result or ending".into());
        }
        let kind = known.unwrap_or(Fault::NAMES.len()) as u8;
        Ok(by.map(|forfeited| forfeited.then_some(kind)))
    }
}

pub(super) fn result(cell: &str) -> Result<[Mark; 2], String> {
    let word = cell.to_lowercase();
    let found = RESULTS.iter().find(|(words, _)| words.contains(&&*word));
    found.map(|(_, marks)| *marks).ok_or_else(|| match &*word {
        "void" | "*" => "the game has no result and does not count; leave the line out".into(),
        _ => format!("result is {}; write {RESULT_WORDS}", quoted(cell)),
    })
}

pub(super) fn won_by(winner: &str, bots: BySide<&str>) -> Result<[Mark; 2], String> {
    match winner {
        name if name == bots.one => Ok([Mark::Win, Mark::Loss]),
        name if name == bots.two => Ok([Mark::Loss, Mark::Win]),
        "player-1" => Ok([Mark::Win, Mark::Loss]),
        "player-2" => Ok([Mark::Loss, Mark::Win]),
        "draw" => Ok([Mark::Draw, Mark::Draw]),
        other => {
            let [other, one, two] = [other, bots.one, bots.two].map(quoted);
            Err(format!("winner is {other}; write {one}, {two}, or nothing for a draw"))
        }
    }
}

pub(super) fn no_winner(marks: [Mark; 2]) -> bool {
    marks.iter().all(|mark| *mark != Mark::Win)
}

pub(super) fn quoted(cell: &str) -> String {
    format!("\"{}\"", Untrusted::new(cell).shown(SHOWN))
}

/// Pair of a game. A game without a known pair is its own pair.
pub(super) fn pair_of(line: &Line<'_>, games: usize) -> Result<PairId, String> {
    Ok(PairId {
        stage: line.number(Key::Stage)?.unwrap_or(1),
        round: line.number(Key::Round)?.unwrap_or(0),
        number: line.number(Key::Pair)?.unwrap_or(u32::MAX - games as u32),
    })
}

/// Fingerprint of a game, equal for the same moves. Unique if the moves are unknown.
pub(super) fn fingerprint_of(moves: Option<&str>, games: usize) -> u64 {
    let hash = match moves {
        Some(moves) => blake3::hash(moves.as_bytes()),
        None => blake3::hash(&games.to_le_bytes()),
    };
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}
