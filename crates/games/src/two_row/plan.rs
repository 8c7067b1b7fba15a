//! Game plan: the compiled form of the parameters, used by the moves.
//!
//! It consists of numbers, sets and tables only, without texts and maps.

use pitmaster_core::Side;

use super::criteria::Criteria;
use super::params::{
    AllowRule, CaptSide, CaptType, ChildType, Class, CrossCapt, Goal, GrandSlam, Mlaps, Params,
    PickExtra, PlayLocs, Prescribed, Presowcapt, SowDirect, SowRule, SowStores, SwapRule,
};
use super::position::{HoleSet, MAX_BOARD};
use super::ring::{Rings, rings};
use super::rounds::limits;
use super::{Way, direction, sides, start};

/// Compiled parameters of a game.
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
#[derive(Debug)]
pub(super) struct Plan {
    /// Parameters, for uses that need them uncompiled.
    pub(super) params: Params,
    /// Number of holes on a side.
    pub(super) h: usize,
    /// Number of holes on the board.
    pub(super) n: usize,
    /// All holes.
    pub(super) board: HoleSet,
    /// Holes on each player's side of the board.
    pub(super) sides: [HoleSet; 2],
    /// Order of the cells.
    pub(super) rings: Rings,
    /// Holes whose direction the mover chooses.
    pub(super) udir: HoleSet,
    /// Direction of each hole if neither the mover nor its seeds decide it.
    pub(super) ways: [Way; MAX_BOARD],
    /// Seed counts that a basic capture requires.
    pub(super) criteria: Criteria,
    /// Whether `Position::owned` decides who may move a hole.
    pub(super) territory: bool,
    /// Whether a player moves the holes of the own side of the board, and no others.
    pub(super) moves_own_side: bool,
    /// Family of the goal.
    pub(super) family: Family,
    /// Whether there are children other than rams.
    pub(super) real_children: bool,
    /// Whether the pie rule applies.
    pub(super) may_swap_at_all: bool,
    /// Whether every move is a single lap of one seed per cell.
    pub(super) sows_plainly: bool,
    /// Whether every hole has one fixed direction: that of `ways`.
    pub(super) fixed_ways: bool,
    /// Holes that each player may capture from, if neither the end of the sowing nor the owners
    /// decide.
    pub(super) capture_sides: [HoleSet; 2],
    /// Whether the capture stage does nothing if the last hole is not captured.
    pub(super) captures_end_hole_only: bool,
    /// Holes whose seeds cannot be captured if they are children: all, or none in games whose only
    /// children are those of `FIXED_ONE_RIGHT` and that have no `child_type`.
    pub(super) kept_children: HoleSet,
    /// Whether settled seeds are kept in children.
    pub(super) into_children: bool,
    /// Whether captures are kept in children.
    pub(super) captures_into_children: bool,
    /// Stores that give another turn to a mover whose last seed falls into them.
    pub(super) store_turns: StoreTurns,
    /// Whether captures treat stores like holes.
    pub(super) store_captures: bool,
    /// Whether a sowing may end in a store.
    pub(super) ends_in_store: bool,
    /// Whether something is counted in rounds.
    pub(super) tallies: bool,
    /// Whether every hole with enough seeds may be moved, apart from sharing.
    pub(super) unfiltered: bool,
    /// Seed counts that end a game.
    pub(super) numbers: Numbers,
}

/// Family of a goal: how a game or a round with it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Most seeds.
    Seeds,
    /// Emptying one's own side.
    Clear,
    /// Emptying the opponent's side.
    Deprive,
    /// Leaving the opponent no move.
    Immobilize,
}

/// Stores that give another turn to a player who ends in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoreTurns {
    /// Never.
    Never,
    /// Every store that is sown into.
    Any,
    /// The mover's own.
    Own,
    /// The opponent's.
    Opponent,
}

/// Seed counts that decide when a game ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    /// Number of seeds that must be exceeded to win.
    pub(super) win: u32,
    /// Number of seeds on the board below which nothing can change; 0: not checked.
    pub(super) needed: u32,
}

impl Plan {
    pub(super) fn new(params: Params) -> Self {
        let h = params.holes as usize;
        let n = 2 * h;
        let real_children = !matches!(params.child_type, ChildType::None | ChildType::Ram);
        let criteria = Criteria::new(&params);
        Self {
            h,
            n,
            board: sides::board(&params),
            sides: Side::BOTH.map(|side| sides::own_side(&params, side)),
            rings: rings(&params),
            udir: direction::chosen(&params),
            ways: direction::ways(&params),
            territory: params.goal == Goal::Territory,
            moves_own_side: moves_own_side(&params),
            family: family(params.goal),
            real_children,
            may_swap_at_all: match params.swap {
                SwapRule::Pattern => start::is_random(&params),
                SwapRule::Never => false,
                SwapRule::Always => true,
            },
            sows_plainly: sows_plainly(&params),
            fixed_ways: direction::fixed(&params),
            capture_sides: capture_sides(&params),
            captures_end_hole_only: captures_end_hole_only(&params, &criteria),
            kept_children: if params.child_type == ChildType::None { 0 } else { HoleSet::MAX },
            into_children: real_children && !params.stores,
            captures_into_children: real_children && !params.stores && captures(&params, &criteria),
            store_turns: store_turns(params.sow_stores),
            store_captures: store_captures(&params, &criteria),
            ends_in_store: params.sow_stores != SowStores::Neither
                || params.play_locs != PlayLocs::BoardOnly,
            tallies: sides::tallied(&params),
            unfiltered: is_unfiltered(&params),
            numbers: Numbers {
                win: limits::win_threshold(&params),
                needed: limits::min_needed(&params).unwrap_or(0),
            },
            criteria,
            params,
        }
    }

    /// The hole across the board.
    pub(super) const fn across(&self, hole: usize) -> usize {
        self.n - 1 - hole
    }

    /// The holes on a player's side.
    pub(super) const fn side(&self, side: Side) -> HoleSet {
        self.sides[side.index()]
    }

    /// Whether a hole is on a player's side.
    pub(super) const fn on_side(&self, side: Side, cell: u8) -> bool {
        self.sides[side.index()] >> cell & 1 != 0
    }
}

/// Whether a player's holes are those of the own side.
fn moves_own_side(params: &Params) -> bool {
    match params.game_class {
        Class::EastWestCycle | Class::EwGratuitous => true,
        Class::NsGratuitous => false,
        _ => !params.no_sides && params.goal != Goal::Territory,
    }
}

/// Whether every hole with enough seeds may be moved.
fn is_unfiltered(params: &Params) -> bool {
    let by_class = matches!(
        params.game_class,
        Class::ShareOne | Class::ZigZag | Class::NsGratuitous | Class::EwGratuitous
    );
    params.allow_rule == AllowRule::None
        && params.grandslam != GrandSlam::NotLegal
        && params.sow_direct != SowDirect::Split
        && !by_class
}

/// Whether sowing always means one seed per cell.
fn sows_plainly(params: &Params) -> bool {
    let by_class = matches!(params.game_class, Class::ShareOne | Class::BearOff | Class::Diffusion)
        || params.game_class == Class::DiffusionV2;
    params.prescribed == Prescribed::None
        && params.mlaps == Mlaps::Off
        && params.presowcapt == Presowcapt::None
        && params.sow_rule == SowRule::None
        && !by_class
}

/// Sides of `capt_side`. All holes if it does not concern sides.
fn capture_sides(params: &Params) -> [HoleSet; 2] {
    let own = Side::BOTH.map(|side| sides::own_side(params, side));
    match params.capt_side {
        CaptSide::OppSide => [own[1], own[0]],
        CaptSide::OwnSide => own,
        _ => [HoleSet::MAX; 2],
    }
}

/// Whether the basic test of the last hole decides the whole capture stage.
fn captures_end_hole_only(params: &Params, criteria: &Criteria) -> bool {
    let picks_last =
        matches!(params.pickextra, PickExtra::PickLastSeeds | PickExtra::Pick2xLastSeeds);
    criteria.any
        && params.crosscapt == CrossCapt::None
        && params.capt_type == CaptType::None
        && params.child_type == ChildType::None
        && !picks_last
}

/// Whether there is a capture stage, apart from picks.
fn captures(params: &Params, criteria: &Criteria) -> bool {
    criteria.any
        || params.crosscapt != CrossCapt::None
        || params.capt_type != CaptType::None
        || params.child_type == ChildType::Weg
}

fn family(goal: Goal) -> Family {
    match goal {
        Goal::Clear | Goal::RoundWinsClear => Family::Clear,
        Goal::Deprive | Goal::RoundWinsDeprive => Family::Deprive,
        Goal::Immobilize | Goal::RoundWinsImmobilize => Family::Immobilize,
        _ => Family::Seeds,
    }
}

fn store_turns(stores: SowStores) -> StoreTurns {
    match stores {
        SowStores::Neither | SowStores::OwnNr | SowStores::BothNr => StoreTurns::Never,
        SowStores::Own | SowStores::Both => StoreTurns::Any,
        SowStores::BothNrOpp => StoreTurns::Own,
        SowStores::BothNrOwn => StoreTurns::Opponent,
    }
}

fn store_captures(params: &Params, criteria: &Criteria) -> bool {
    let sown = params.sow_stores != SowStores::Neither;
    let moved = params.play_locs != PlayLocs::BoardOnly;
    let basic = criteria.any && params.crosscapt == CrossCapt::None;
    sown && moved
        && match params.capt_type {
            CaptType::TwoOut | CaptType::Next => true,
            _ => basic,
        }
}
