//! Seed counts that decide games and rounds: thresholds for winning and for ending. The module uses
//! only the parameters.

use super::super::params::{
    CaptType, ChildType, CrossCapt, EndCond, Goal, Mlaps, Params, PickExtra, RoundFill, Rounds,
    SowStores, StartPattern,
};
use super::super::sides::{self, Aim, aim};
use super::super::start::total_seeds;

/// Value of a hole in seeds when territory is counted.
pub(in super::super) fn seeds_a_hole(params: &Params) -> u32 {
    total_seeds(params) / (2 * params.holes as u32)
}

/// Number of seeds above which a player wins at once. Both players with exactly this many tie.
pub(in super::super) fn win_threshold(params: &Params) -> u32 {
    let total = total_seeds(params);
    match (params.rounds, aim(params)) {
        (Rounds::NoMoves, _) if keeps_a_hole(params) => total.saturating_sub(holes_worth(params)),
        (Rounds::NoMoves, _) => total.saturating_sub(1),
        (_, Aim::Territory) => territory_threshold(params),
        (Rounds::EndSSeeds | Rounds::End2SSeeds, _) => total.saturating_sub(1),
        _ => total.div_ceil(2),
    }
}

/// Whether the rounds continue until a player cannot fill the holes that it needs.
fn keeps_a_hole(params: &Params) -> bool {
    params.goal == Goal::MaxSeeds
        && params.start_pattern == StartPattern::AllEqual
        && params.round_fill != RoundFill::UMove
}

/// Seeds of the number of holes required by the goal, at least one.
fn holes_worth(params: &Params) -> u32 {
    (params.nbr_start * params.goal_param.max(1)) as u32
}

/// Whether a remainder of seeds never owns a hole.
const fn drops_remainders(params: &Params) -> bool {
    matches!(params.round_fill, RoundFill::TerrExLoser | RoundFill::TerrExEmpty)
}

/// Number of seeds that own the winning territory.
fn territory_threshold(params: &Params) -> u32 {
    let (each, goal) = (seeds_a_hole(params), params.goal_param as u32);
    if drops_remainders(params) {
        goal * each
    } else {
        goal.saturating_sub(1) * each + each / 2 + 1
    }
}

/// Number of seeds below which a player has lost the game after a round, because the next round
/// cannot be filled. Games that tally their rounds use the tally instead.
pub(in super::super) fn round_limit(params: &Params) -> u32 {
    if aim(params) == Aim::Territory {
        let more = if drops_remainders(params) { 1 } else { seeds_a_hole(params) / 2 };
        return (total_seeds(params) + more).saturating_sub(territory_threshold(params));
    }
    match params.round_fill {
        RoundFill::UMove => (params.holes + params.min_move - 1) as u32,
        RoundFill::EvenFill => params.min_move as u32,
        _ => holes_worth(params),
    }
}

/// Number of seeds on the board below which nothing can change, so that the game ends. `None` if it
/// cannot be determined.
pub(in super::super) fn min_needed(params: &Params) -> Option<u32> {
    let total = total_seeds(params).cast_signed();
    let needed = fewest_that_capture(params, total);
    (can_be_told(params) && params.min_move < needed && needed < total).then_some(needed as u32)
}

/// Whether children are a lasting property of the game: rams are temporary.
pub(in super::super) fn has_children(params: &Params) -> bool {
    !matches!(params.child_type, ChildType::None | ChildType::Ram)
}

/// Whether captures depend on the number of seeds.
pub(in super::super) fn has_basic_capture(params: &Params) -> bool {
    params.evens || !params.capt_on.is_empty() || params.capt_max != 0 || params.capt_min != 0
}

/// Minimum number of seeds for a capture or a child.
fn fewest_that_capture(params: &Params, total: i32) -> i32 {
    let mut needed = if has_children(params) { params.child_cvt } else { total };
    let crosses = params.crosscapt != CrossCapt::None;
    if params.evens || params.capt_type == CaptType::Next || crosses {
        needed = needed.min(2);
    }
    if params.capt_type == CaptType::TwoOut {
        needed = needed.min(if params.mlaps == Mlaps::Off { 3 } else { 2 });
    }
    if let Some(&smallest) = params.capt_on.iter().min() {
        needed = if params.evens { smallest } else { needed.min(smallest) };
    }
    if params.capt_min != 0 {
        needed = if needed == total { params.capt_min } else { needed.max(params.capt_min) };
    }
    needed
}

/// Whether only captures of seeds on the board can change the result of a game.
fn can_be_told(params: &Params) -> bool {
    let feeds = params.mustshare && !params.mustpass;
    let picks_last =
        matches!(params.pickextra, PickExtra::PickLastSeeds | PickExtra::Pick2xLastSeeds);
    let ends_early = matches!(params.rounds, Rounds::EndSSeeds | Rounds::End2SSeeds);
    let children_keep = has_children(params) && !params.stores;
    let captures = has_basic_capture(params)
        || params.capt_type != CaptType::None
        || params.crosscapt != CrossCapt::None;
    params.sow_stores == SowStores::Neither
        && !feeds
        && params.end_cond == EndCond::None
        && !picks_last
        && !ends_early
        && !children_keep
        && (params.child_type != ChildType::Weg || captures)
        && aim(params) != sides::Aim::Elimination
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kalah() -> Params {
        Params { holes: 6, nbr_start: 4, ..Params::default() }
    }

    #[test]
    fn more_than_half_wins_without_rounds() {
        assert_eq!(win_threshold(&kalah()), 24);
        let odd = Params { start_pattern: StartPattern::AltsWith1, ..kalah() };
        assert_eq!((total_seeds(&odd), win_threshold(&odd)), (17, 9));
    }

    #[test]
    fn rounds_go_on_while_the_loser_can_fill_its_holes() {
        let rounds = Params { rounds: Rounds::NoMoves, goal_param: 3, ..kalah() };
        assert_eq!((win_threshold(&rounds), round_limit(&rounds)), (36, 12));
        let spread = Params { round_fill: RoundFill::UMove, min_move: 2, ..rounds.clone() };
        assert_eq!((win_threshold(&spread), round_limit(&spread)), (47, 7));
        let half = Params { rounds: Rounds::HalfSeeds, ..rounds.clone() };
        assert_eq!(win_threshold(&half), 24);
        let ends = Params { rounds: Rounds::End2SSeeds, ..rounds };
        assert_eq!(win_threshold(&ends), 47);
    }

    #[test]
    fn territory_is_counted_in_holes() {
        let terr = Params { goal: Goal::Territory, goal_param: 10, ..kalah() };
        assert_eq!((win_threshold(&terr), round_limit(&terr)), (39, 11));
        let whole = Params { round_fill: RoundFill::TerrExLoser, ..terr.clone() };
        assert_eq!((win_threshold(&whole), round_limit(&whole)), (40, 9));
        assert_eq!(win_threshold(&Params { rounds: Rounds::NoMoves, ..terr }), 47);
    }

    #[test]
    fn too_few_seeds_to_capture_end_a_game() {
        let needed = |params: Params| min_needed(&params);
        assert_eq!(needed(kalah()), None, "nothing captures");
        assert_eq!(needed(Params { evens: true, ..kalah() }), Some(2));
        assert_eq!(needed(Params { capt_on: vec![4, 3], ..kalah() }), Some(3));
        assert_eq!(needed(Params { capt_on: vec![4, 6], evens: true, ..kalah() }), Some(4));
        assert_eq!(needed(Params { capt_min: 5, ..kalah() }), Some(5));
        assert_eq!(needed(Params { capt_min: 5, evens: true, ..kalah() }), Some(5));
        assert_eq!(needed(Params { capt_type: CaptType::TwoOut, ..kalah() }), Some(3));
        let laps = Params { mlaps: Mlaps::Lapper, ..kalah() };
        assert_eq!(needed(Params { capt_type: CaptType::TwoOut, ..laps }), Some(2));
        assert_eq!(needed(Params { evens: true, min_move: 2, ..kalah() }), None);
        assert_eq!(needed(Params { evens: true, mustshare: true, ..kalah() }), None);
        let stores = SowStores::Own;
        assert_eq!(needed(Params { evens: true, sow_stores: stores, ..kalah() }), None);
    }
}
