//! Facts derived from parameters: kinds of goals, captures and children, and counts.

use crate::two_row::params::{
    AllowRule, CaptRturn, ChildType, Class, CrossCapt, Goal, GrandSlam, Params, RoundFill, Rounds,
    SowDirect, SowRule, SowStores, StartPattern,
};

/// Whether the goal is counted over rounds.
pub(in crate::two_row) fn tally(p: &Params) -> bool {
    !matches!(
        p.goal,
        Goal::MaxSeeds | Goal::Deprive | Goal::Territory | Goal::Clear | Goal::Immobilize
    )
}

/// Whether the goal is an empty row or a blocked player.
pub(in crate::two_row) fn elimination(p: &Params) -> bool {
    clears(p) || deprives(p) || immobilizes(p)
}

/// Whether one wins by emptying one's own row.
pub(in crate::two_row) fn clears(p: &Params) -> bool {
    matches!(p.goal, Goal::Clear | Goal::RoundWinsClear)
}

/// Whether one wins by emptying the opponent's row.
pub(in crate::two_row) fn deprives(p: &Params) -> bool {
    matches!(p.goal, Goal::Deprive | Goal::RoundWinsDeprive)
}

/// Whether one wins by leaving the opponent no move.
pub(in crate::two_row) fn immobilizes(p: &Params) -> bool {
    matches!(p.goal, Goal::Immobilize | Goal::RoundWinsImmobilize)
}

/// Whether the goal is territory.
pub(in crate::two_row) fn territory(p: &Params) -> bool {
    p.goal == Goal::Territory
}

/// Whether there are rounds.
pub(in crate::two_row) fn in_rounds(p: &Params) -> bool {
    p.rounds != Rounds::None
}

/// Whether sowing closes holes.
pub(in crate::two_row) fn closing(p: &Params) -> bool {
    matches!(p.sow_rule, SowRule::SowBlkdDiv | SowRule::SowBlkdDivNr)
}

/// Whether holes are claimed permanently, unlike rams.
pub(in crate::two_row) fn claims(p: &Params) -> bool {
    !matches!(p.child_type, ChildType::None | ChildType::Ram)
}

/// Whether captures require certain numbers of seeds.
pub(in crate::two_row) fn basic(p: &Params) -> bool {
    p.evens || p.capt_min != 0 || p.capt_max != 0 || !p.capt_on.is_empty()
}

/// Whether there is a capture across.
pub(in crate::two_row) fn across(p: &Params) -> bool {
    p.crosscapt != CrossCapt::None
}

/// Whether seeds are taken while sowing passes.
pub(in crate::two_row) fn en_passant(p: &Params) -> bool {
    matches!(
        p.sow_rule,
        SowRule::EnpasAllOwnerSow
            | SowRule::EnpasAllOwnerOwn
            | SowRule::EnpasAllSower
            | SowRule::EnpasSowSower
            | SowRule::EnpasOppSower
    )
}

/// Whether stores are sown into.
pub(in crate::two_row) fn sows_stores(p: &Params) -> bool {
    p.sow_stores != SowStores::Neither
}

/// Whether a last seed in a store can give another turn.
pub(in crate::two_row) fn store_repeats(p: &Params) -> bool {
    !matches!(p.sow_stores, SowStores::Neither | SowStores::OwnNr | SowStores::BothNr)
}

/// Whether anything but a capture can give another turn.
pub(in crate::two_row) fn other_repeats(p: &Params) -> bool {
    store_repeats(p) || p.xc_sown || p.grandslam == GrandSlam::LegalShare
}

/// Whether anything can give another turn.
pub(in crate::two_row) fn repeats(p: &Params) -> bool {
    p.capt_rturn != CaptRturn::NoRepeat || other_repeats(p)
}

/// Whether the mover chooses a direction, at some holes at least.
pub(in crate::two_row) fn chooses_way(p: &Params) -> bool {
    !p.udir_holes.is_empty() || p.sow_direct == SowDirect::PlayAltDir
}

/// Whether each half or row of the board is a ring of its own.
pub(in crate::two_row) fn own_rings(p: &Params) -> bool {
    matches!(
        p.game_class,
        Class::NorthSouthCycle | Class::EastWestCycle | Class::NsGratuitous | Class::EwGratuitous
    )
}

/// Whether captured seeds are given to the opponent.
pub(in crate::two_row) fn gives_away(p: &Params) -> bool {
    matches!(p.game_class, Class::NsGratuitous | Class::EwGratuitous)
}

/// Whether the players sit at the ends of the board.
pub(in crate::two_row) fn east_west(p: &Params) -> bool {
    matches!(p.game_class, Class::EastWestCycle | Class::EwGratuitous | Class::Diffusion)
}

/// Whether the parameters allow both rows to be played, regardless of the class.
pub(in crate::two_row) fn names_row(p: &Params) -> bool {
    p.no_sides || territory(p)
}

/// Whether a hole is enough to name a move, by the parameters.
pub(in crate::two_row) fn names_hole_only(p: &Params) -> bool {
    !names_row(p) && !chooses_way(p)
}

/// Whether the halves of a row sow in different directions.
pub(in crate::two_row) fn halves(p: &Params) -> bool {
    matches!(p.sow_direct, SowDirect::Split | SowDirect::ToCenter)
}

/// Whether a hole may be rejected for the end of its sowing.
pub(in crate::two_row) fn looks_ahead(p: &Params) -> bool {
    matches!(p.allow_rule, AllowRule::OppOrEmpty | AllowRule::Occupied | AllowRule::RightHalf1stOpe)
}

/// Whether the direction of sowing is the same all over the board.
pub(in crate::two_row) fn one_way(p: &Params) -> bool {
    matches!(p.sow_direct, SowDirect::Cw | SowDirect::Ccw)
}

/// Whether the territory of a round leaves out the seeds that fill no hole.
pub(in crate::two_row) fn loose_territory(p: &Params) -> bool {
    matches!(p.round_fill, RoundFill::TerrExLoser | RoundFill::TerrExEmpty)
}

/// Holes of a side, clamped to the maximum so that unchecked values are safe to compute with.
pub(in crate::two_row) fn holes(p: &Params) -> i32 {
    p.holes.clamp(0, 21)
}

/// Seeds that win a game for territory: with rounds at the end of one, without at any time.
pub(in crate::two_row) fn territory_seeds(p: &Params) -> i64 {
    let a_hole = total_seeds(p) / (2 * i64::from(holes(p).max(1)));
    let goal = i64::from(p.goal_param);
    let (limit, slack) = if loose_territory(p) {
        (goal * a_hole, 1)
    } else {
        ((goal - 1) * a_hole + a_hole / 2 + 1, a_hole / 2)
    };
    if in_rounds(p) { limit - slack + 1 } else { limit + 1 }
}

/// Seeds in play at the start of a game.
pub(in crate::two_row) fn total_seeds(p: &Params) -> i64 {
    let (holes, each) = (i64::from(holes(p)), i64::from(p.nbr_start));
    match p.start_pattern {
        StartPattern::AllEqual
        | StartPattern::MoveRightmost
        | StartPattern::MoveRandom
        | StartPattern::NoRepeatSowOwn => 2 * holes * each,
        StartPattern::Gamacha => (holes - 1) * each,
        StartPattern::Alternates | StartPattern::AltsSplit => holes * each,
        StartPattern::AltsWith1 => (holes - 2 + holes % 2) * each + 1,
        StartPattern::ClippedTriples => holes / 3 * each * 4,
        StartPattern::TwoEmpty => 2 * (holes - 2) * each,
        StartPattern::RightmostPlusOne => 2 * holes * each + 2,
        StartPattern::Random | StartPattern::RandomZeros => each,
        StartPattern::Azigo => 2 * ((holes / 2 - 3) * each + 1) + 4 * each,
    }
}
