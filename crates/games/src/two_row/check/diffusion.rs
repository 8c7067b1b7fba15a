//! Rules of the diffusion classes, which fix nearly every parameter.

use super::facts::{across, basic};
use super::rule::{Rule, error, warning};
use crate::two_row::params::{
    AllowRule, CaptDir, CaptRturn, CaptSide, CaptType, ChildLocs, ChildRule, ChildType, Goal,
    GrandSlam, MlapCont, Mlaps, Params, PickExtra, PlayLocs, Prescribed, RoundFill, RoundStarter,
    Rounds, SowDirect, SowRule, SowStores, StartPattern, XcPickOwn,
};

pub(super) const RULES: &[Rule] = &[
    error(
        "even_holes",
        &["holes", "game_class"],
        |p| p.holes % 2 != 0,
        "a diffusion game needs halves and {holes} holes have none: set an even number of holes",
    ),
    error(
        "no_sides",
        &["no_sides", "game_class"],
        |p| !p.no_sides,
        "in a diffusion game both players move every hole: set no_sides to true",
    ),
    error(
        "goal_clear",
        &["goal", "game_class"],
        |p| p.goal != Goal::Clear,
        "who has no seeds left on his side wins a diffusion game: set the goal to CLEAR",
    ),
    error(
        "board_only",
        &["play_locs", "game_class"],
        |p| p.play_locs != PlayLocs::BoardOnly,
        "seeds that leave the board of a diffusion game stay out: set play_locs to BOARD_ONLY",
    ),
    error(
        "gs_legal",
        &["grandslam", "game_class"],
        |p| p.grandslam != GrandSlam::Legal,
        "nothing is captured in a diffusion game: set grandslam to LEGAL",
    ),
    error(
        "no_allow_rule",
        &["allow_rule", "game_class"],
        |p| p.allow_rule != AllowRule::None,
        "every hole may be moved in a diffusion game: set allow_rule to NONE",
    ),
    error(
        "min_move_1",
        &["min_move", "game_class"],
        |p| p.min_move != 1,
        "single seeds move in a diffusion game: set min_move to 1",
    ),
    error(
        "no_rounds",
        &["rounds", "blocks", "round_fill", "round_starter", "game_class"],
        |p| {
            p.blocks
                || p.rounds != Rounds::None
                || p.round_fill != RoundFill::NotApplicable
                || p.round_starter != RoundStarter::Alternate
        },
        "a diffusion game is one round: set rounds to NO_ROUNDS, blocks to false, round_fill to \
         NOT_APPLICABLE and round_starter to ALTERNATE",
    ),
    error(
        "sow_ccw",
        &["sow_direct", "game_class"],
        |p| p.sow_direct != SowDirect::Ccw,
        "seeds spread around a hole in a diffusion game, in no direction: set sow_direct to CCW",
    ),
    error(
        "no_sow_changes",
        &[
            "start_pattern",
            "sow_rule",
            "mlaps",
            "prescribed",
            "mustshare",
            "mustpass",
            "game_class",
        ],
        sows_in_other_ways,
        "a diffusion game has its own sowing, and every hole may be moved: leave out \
         start_pattern, prescribed, udir_holes, sow_start, move_one, skip_start, mlaps, mlap_cont, \
         sow_rule, mustshare, mustpass, moveunlock and xc_sown",
    ),
    error(
        "no_sow_own",
        &["sow_stores", "game_class"],
        |p| p.sow_stores != SowStores::Neither,
        "no store is sown into in a diffusion game: set sow_stores to NEITHER",
    ),
    error(
        "no_children",
        &["child_type", "child_cvt", "child_rule", "child_locs", "game_class"],
        |p| {
            p.child_type != ChildType::None
                || p.child_cvt != 0
                || p.child_rule != ChildRule::None
                || p.child_locs != ChildLocs::Anywhere
        },
        "a diffusion game has no children: leave out child_type, child_cvt, child_rule and \
         child_locs",
    ),
    error(
        "no_capt_mech",
        &["capt_on", "evens", "capt_type", "crosscapt", "game_class"],
        captures_anything,
        "nothing is captured in a diffusion game: leave out all parameters of captures",
    ),
    warning(
        "store_for_turn",
        &["stores", "game_class"],
        |p| !p.stores,
        "without stores a board of a diffusion game does not show who is to move: set stores to \
         true",
    ),
    warning(
        "goal_param",
        &["goal_param", "game_class"],
        |p| p.goal_param != 0,
        "goal_param {goal_param} is not used in a diffusion game: set it to 0",
    ),
];

/// `presowcapt` is none of these: it has no effect, and games that set it exist.
fn sows_in_other_ways(p: &Params) -> bool {
    p.start_pattern != StartPattern::AllEqual
        || p.prescribed != Prescribed::None
        || !p.udir_holes.is_empty()
        || p.sow_start
        || p.move_one
        || p.skip_start
        || p.mlaps != Mlaps::Off
        || p.mlap_cont != MlapCont::None
        || p.sow_rule != SowRule::None
        || p.mustshare
        || p.mustpass
        || p.moveunlock
        || p.xc_sown
}

fn captures_anything(p: &Params) -> bool {
    basic(p)
        || across(p)
        || p.capt_type != CaptType::None
        || p.capt_dir != CaptDir::OppSow
        || p.capt_side != CaptSide::Both
        || p.xcpickown != XcPickOwn::Leave
        || p.nosinglecapt
        || p.nocaptmoves != 0
        || p.multicapt != 0
        || p.capt_rturn != CaptRturn::NoRepeat
        || p.pickextra != PickExtra::None
}
