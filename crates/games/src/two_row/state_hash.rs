//! State that determines the rest of a game: a position without the history that its rules never
//! use. The module does not depend on its callers.

use std::hash::{Hash, Hasher};

use super::params::{CaptRturn, Class, RoundStarter, SowDirect};
use super::plan::Plan;
use super::position::Position;

impl Plan {
    /// Position without the history that the rules no longer need.
    pub(super) fn without_past(&self, pos: &Position) -> Position {
        let params = &self.params;
        let asks_for_last = params.sow_direct == SowDirect::Split
            || params.game_class == Class::ZigZag
            || params.round_starter == RoundStarter::LastMover;
        let counted = 2.max(params.nocaptmoves.cast_unsigned());
        let once = params.capt_rturn == CaptRturn::Once;
        Position {
            // Rules of the first moves only distinguish the first and the second.
            moves: pos.moves.min(2),
            turns: pos.turns.min(counted),
            repeats: if once { pos.repeats.min(1) } else { 0 },
            round: pos.round.min(2),
            last: if asks_for_last { pos.last } else { None },
            ..pos.clone()
        }
    }

    /// Hashes a position without its history; small numbers are combined, which is faster.
    pub(super) fn hash_future<H: Hasher>(&self, pos: &Position, state: &mut H) {
        let pos = self.without_past(pos);
        pos.seeds[..self.n].hash(state);
        let stores = u64::from(pos.stores.one) | u64::from(pos.stores.two) << 16;
        let sides = (pos.side.index() | pos.starter.index() << 1) as u64;
        let counts = u64::from(pos.moves | pos.repeats << 2 | pos.round << 3);
        state.write_u64(stores | sides << 32 | counts << 34 | u64::from(pos.turns) << 40);
        (pos.phase, pos.last).hash(state);
        (pos.children, pos.rams, pos.blocked, pos.unlocked, pos.owned).hash(state);
        if self.tallies {
            pos.tally.hash(state);
        }
        (pos.inhibited, pos.bearing_off, pos.placing, pos.directions).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Seed, below};

    use crate::two_row::catalogue::ENTRIES;
    use crate::two_row::{Position, TwoRow};
    use crate::{MoveList, Rules, Turn};

    fn listed(
        game: &TwoRow,
        pos: &Position,
    ) -> MoveList<super::super::Move, super::super::Template> {
        let mut list = MoveList::default();
        game.moves(pos, &mut list);
        list
    }

    /// Plays a random game in parallel with one that drops its history before every step.
    fn forgets_nothing_that_matters(name: &str, game: &TwoRow, seed: u64) {
        let mut rng = Seed(seed).stream("future");
        let (mut pos, mut forgetful) = (game.start(), game.start());
        for _ in 0..150 {
            forgetful = game.plan.without_past(&forgetful);
            assert_eq!(game.plan.without_past(&pos), forgetful, "{name}");
            assert_eq!(game.turn(&pos), game.turn(&forgetful), "{name}");
            let list = listed(game, &pos);
            assert_eq!(listed(game, &forgetful), list, "{name} {}", game.position_text(&pos));
            let mv = match game.turn(&pos) {
                Turn::Over(_) => return,
                Turn::Chance => game.draw(&pos, &mut rng),
                Turn::Player(_) if list.moves.is_empty() => {
                    game.complete(&pos, &list.templates[0], &mut rng)
                }
                Turn::Player(_) => {
                    list.moves[below(&mut rng, list.moves.len() as u64) as usize].clone()
                }
            };
            game.play(&mut pos, &mv, &mut ());
            game.play(&mut forgetful, &mv, &mut ());
        }
    }

    #[test]
    fn every_game_goes_on_alike_without_its_past() {
        for entry in ENTRIES {
            let file = entry.file();
            let all = file.variants.iter().map(|variant| &variant.params).chain([&file.params]);
            for (seed, params) in all.enumerate() {
                forgets_nothing_that_matters(entry.slug, &TwoRow::new(params.clone()), seed as u64);
            }
        }
    }
}
