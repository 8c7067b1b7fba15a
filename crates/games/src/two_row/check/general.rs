//! Remaining rules: single seeds, choice of direction, the end and the division of the remaining
//! seeds.

use super::facts::{
    chooses_way, elimination, halves, in_rounds, names_hole_only, tally, territory, total_seeds,
};
use super::moves::wants_one_direction;
use super::rule::{Rule, error, hint, missing, warning};
use crate::two_row::params::{
    ChildType, EndCond, GrandSlam, Params, Prescribed, Presowcapt, Unclaimed,
};

pub(super) const RULES: &[Rule] = &[
    error(
        "move_one_start",
        &["move_one", "sow_start"],
        |p| p.move_one && !p.sow_start,
        "move_one is an exception to sow_start: set sow_start to true or move_one to false",
    ),
    warning(
        "xc_draw1_sowstart",
        &["presowcapt", "sow_start"],
        |p| p.presowcapt == Presowcapt::Draw1Xcapt && p.sow_start,
        "DRAW_1_XCAPT counts the seeds in hand, without the one that sow_start leaves: set \
         sow_start to false",
    ),
    missing(
        "presowcap_stores",
        &["stores", "presowcapt", "child_type"],
        |p| p.presowcapt != Presowcapt::None && p.child_type != ChildType::None && !p.stores,
        "there are no rules for {presowcapt} where seeds are kept in children: set stores to true \
         or presowcapt to NONE",
    ),
    error(
        "presowcapt_locks",
        &["moveunlock", "presowcapt"],
        |p| p.presowcapt != Presowcapt::None && p.moveunlock,
        "{presowcapt} does not look at locks: set moveunlock to false or presowcapt to NONE",
    ),
    error(
        "needs_moves",
        &["min_move", "sow_start"],
        |p| p.sow_start && p.min_move == 1 && !p.move_one,
        "with sow_start a single seed would stay where it is: set min_move to 2, or move_one to \
         true",
    ),
    hint(
        "mmg1_mustshare",
        &["mustshare", "min_move"],
        |p| p.mustshare && p.min_move > 1,
        "mustshare is content with seeds that the opponent cannot move, since a move needs \
         {min_move}",
    ),
    error(
        "rnd_score_setup",
        &["unclaimed", "quitter", "rounds"],
        |p| {
            in_rounds(p)
                && !tally(p)
                && (p.unclaimed == Unclaimed::DontScore || p.quitter == Unclaimed::DontScore)
        },
        "the next round is filled with all seeds and DONT_SCORE would lose some: set another \
         unclaimed and quitter, or a goal that counts rounds",
    ),
    error(
        "unfed_mustshare",
        &["mustshare", "unclaimed"],
        |p| p.unclaimed == Unclaimed::UnfedPlayer && !p.mustshare,
        "UNFED_PLAYER is the one who was not fed, and nobody has to feed: set mustshare to true \
         or another unclaimed",
    ),
    warning(
        "unfed_quitter",
        &["quitter"],
        |p| p.quitter == Unclaimed::UnfedPlayer,
        "a game that a limit ends has no unfed player: set another quitter",
    ),
    error(
        "p1m1_conflict",
        &["prescribed", "sow_start", "move_one"],
        |p| p.prescribed == Prescribed::Plus1Minus1 && (p.sow_start || p.move_one),
        "PLUS1MINUS1 leaves the start hole as it is: set sow_start and move_one to false",
    ),
    error(
        "too_many_udir",
        &["udir_holes", "holes"],
        |p| chosen(p) > p.holes,
        "udir_holes lists more holes than the {holes} of a side: list each once",
    ),
    error(
        "udir_oo_range",
        &["udir_holes", "holes"],
        |p| p.udir_holes.iter().any(|hole| !(0..p.holes).contains(hole)),
        "udir_holes are counted from 0 at each player's left to {holes} - 1, and {udir_holes} has \
         others: leave them out",
    ),
    missing(
        "udir_gs_not",
        &["grandslam", "udir_holes", "sow_direct"],
        |p| chooses_way(p) && p.grandslam == GrandSlam::NotLegal,
        "there are no rules for NOT_LEGAL where the mover chooses the direction: set another \
         grandslam",
    ),
    missing(
        "udir_bad_allowrule",
        &["allow_rule", "udir_holes", "sow_direct"],
        wants_one_direction,
        "there are no rules for {allow_rule} where the mover chooses the direction: set another \
         allow_rule",
    ),
    error(
        "odd_split_udir",
        &["udir_holes", "sow_direct", "holes"],
        |p| halves(p) && p.holes % 2 != 0 && !p.udir_holes.contains(&(p.holes / 2)),
        "with {holes} holes the middle one is in neither half: put it into udir_holes",
    ),
    warning(
        "sdir_split",
        &["udir_holes", "sow_direct"],
        |p| !p.udir_holes.is_empty() && chosen(p) < p.holes && !halves(p),
        "the direction is chosen at some holes only ({udir_holes}): list all, or set sow_direct to \
         SPLIT or TOCENTER",
    ),
    error(
        "gs_not_legal_no_tuple",
        &["grandslam", "no_sides", "goal"],
        |p| !names_hole_only(p) && p.grandslam == GrandSlam::NotLegal,
        "NOT_LEGAL needs players with a row each and one sowing a hole: set another grandslam",
    ),
    error(
        "need_end_param",
        &["end_param", "end_cond"],
        |p| matches!(p.end_cond, EndCond::SeedsLimit | EndCond::HoleSeedLimit) && p.end_param == 0,
        "{end_cond} needs a number of seeds: set end_param",
    ),
    error(
        "clear_no_pass",
        &["mustpass", "end_cond"],
        |p| matches!(p.end_cond, EndCond::ClearedOwn | EndCond::ClearedOpp) && p.mustpass,
        "{end_cond} ends the game before anybody has to pass: set mustpass to false",
    ),
    error(
        "terr_seeds",
        &["nbr_start", "holes", "start_pattern", "goal"],
        |p| territory(p) && total_seeds(p) % i64::from(p.holes.max(1)) != 0,
        "holes are won with equal numbers of seeds, and those of {start_pattern} with nbr_start \
         {nbr_start} are no multiple of {holes}: set another nbr_start or start_pattern",
    ),
    missing(
        "quitter_last_mover",
        &["quitter", "unclaimed"],
        |p| {
            !elimination(p)
                && p.quitter == Unclaimed::LastMover
                && !matches!(p.unclaimed, Unclaimed::LastMover | Unclaimed::UnfedPlayer)
        },
        "quitter LAST_MOVER goes with unclaimed LAST_MOVER or UNFED_PLAYER only: set another \
         quitter, as DIVVIED",
    ),
    missing(
        "quitter_unfed",
        &["quitter"],
        |p| !elimination(p) && p.quitter == Unclaimed::UnfedPlayer,
        "a game that a limit ends has no unfed player: set another quitter, as DIVVIED",
    ),
];

/// Number of holes that leave the direction to the mover.
fn chosen(p: &Params) -> i32 {
    i32::try_from(p.udir_holes.len()).unwrap_or(i32::MAX)
}
