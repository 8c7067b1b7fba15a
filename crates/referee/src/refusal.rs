//! Reasons why a losing move was illegal, found by replaying the record.

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Fault, Record, Side};
use pitmaster_games::{DynGame, GameState, Turn};

use super::replay::rules_of;

/// Rule that forbids the move by which a side forfeited a game. `None` if it did not forfeit by an
/// illegal move, or if this program does not have the rules of the game.
pub fn why_illegal(record: &Record, side: Side) -> Option<Message> {
    if record.ending.fault_of(side) != Some(&Fault::IllegalMove) {
        return None;
    }
    let line = record.evidence[side].as_ref()?.line.as_ref()?;
    let game = rules_of(record).ok()?;
    let mut table = board_after(&*game, record, record.plies.len())?;
    refused_in(&mut *table, line.as_bytes())
}

/// Description of the fault by which a side lost, if any, with the reason why its move was illegal.
pub fn describe_fault(record: &Record, side: Side) -> Option<Message> {
    let fault = record.ending.fault_of(side)?.describe();
    Some(match why_illegal(record, side) {
        Some(why) => said!("{}: {}", fault, why),
        None => fault,
    })
}

/// Reason why the move of a line is not legal on a board. In every dialect, the move is the first
/// word of the line that is a move.
pub fn refused_in(table: &mut dyn GameState, line: &[u8]) -> Option<Message> {
    let line = str::from_utf8(line).ok()?;
    line.split_ascii_whitespace().find_map(|word| table.why_illegal(word))
}

/// Board of a game after this many plies; `None` if the rules cannot follow them.
pub fn board_after(
    game: &dyn DynGame,
    record: &Record,
    plies: usize,
) -> Option<Box<dyn GameState>> {
    let mut table = game.begin();
    let mut chance = record.seed.stream("chance");
    let opening = record.key.opening_plies();
    for (place, ply) in record.plies.iter().take(plies).enumerate() {
        match table.turn() {
            Turn::Chance if place >= opening => drop(table.draw(&mut chance)),
            Turn::Chance | Turn::Player(_) => table.follow(&ply.text, &mut String::new()).ok()?,
            Turn::Over(_) => return None,
        }
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Ending, Evidence, Untrusted};

    use super::*;
    use crate::fixtures::random_game;

    fn forfeited(line: &str) -> Record {
        let mut record = random_game(0);
        let score = record.ending.score();
        record.ending = Ending::Forfeit { by: Side::One, fault: Fault::IllegalMove, score };
        let line = Some(Untrusted::new(line));
        record.evidence[Side::One] = Some(Evidence { line, ..Evidence::default() });
        record
    }

    #[test]
    fn the_reason_is_found_in_every_dialect() {
        for line in ["2R", "move 2R", "RESULT 2R 49 0", "move 2R # 3B"] {
            let why = why_illegal(&forfeited(line), Side::One).map(|why| why.to_string());
            assert_eq!(why.as_deref(), Some("hole 2 is player 2's"), "{line}");
        }
    }

    #[test]
    fn a_fault_is_described_with_the_reason() {
        let described = |line| describe_fault(&forfeited(line), Side::One).unwrap().to_string();
        assert_eq!(described("2R"), "illegal move: hole 2 is player 2's");
        assert_eq!(described("?"), "illegal move");
    }

    #[test]
    fn where_nothing_is_known_nothing_is_said() {
        let other_rules = |mut record: Record| {
            record.key.rules = "coloured-awale@0".into();
            record
        };
        for record in [forfeited("1R"), forfeited("\u{1b}[2J"), other_rules(forfeited("2R"))] {
            assert_eq!(why_illegal(&record, Side::One), None);
        }
        assert_eq!(why_illegal(&forfeited("2R"), Side::Two), None);
    }
}
