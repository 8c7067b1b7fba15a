//! Rules about goals that empty a row or block a player; these goals count no seeds.

use super::facts::{clears, elimination, immobilizes, in_rounds, repeats, tally};
use super::rule::{Rule, error};
use crate::two_row::params::{AllowRule, ChildRule, ChildType, EndCond, GrandSlam, Rounds};

pub(super) const RULES: &[Rule] = &[
    error(
        "elseed_gs_legal",
        &["grandslam", "goal"],
        |p| elimination(p) && p.grandslam != GrandSlam::Legal,
        "taking all of the opponent's seeds is no special case for the goal {goal}: set grandslam \
         to LEGAL",
    ),
    error(
        "elseed_bad_child_type",
        &["child_type", "goal"],
        |p| elimination(p) && p.child_type != ChildType::None,
        "the goal {goal} has no children: set child_type to NOCHILD",
    ),
    error(
        "elseed_bad_child_cvt",
        &["child_cvt", "goal"],
        |p| elimination(p) && p.child_cvt != 0,
        "the goal {goal} has no children: set child_cvt to 0",
    ),
    error(
        "elseed_bad_child_rule",
        &["child_rule", "goal"],
        |p| elimination(p) && p.child_rule != ChildRule::None,
        "the goal {goal} has no children: set child_rule to NONE",
    ),
    error(
        "elseed_bad_moveunlock",
        &["moveunlock", "goal"],
        |p| elimination(p) && p.moveunlock,
        "holes cannot be locked with the goal {goal}: set moveunlock to false",
    ),
    error(
        "elseed_bad_mustshare",
        &["mustshare", "goal"],
        |p| elimination(p) && p.mustshare,
        "nobody has to feed the opponent with the goal {goal}: set mustshare to false",
    ),
    error(
        "elseed_bad_mustpass",
        &["mustpass", "goal"],
        |p| elimination(p) && p.mustpass,
        "nobody passes with the goal {goal}, which ends when a player has no move or no seeds: \
         set mustpass to false",
    ),
    error(
        "elseed_no_rounds",
        &["rounds", "goal"],
        |p| elimination(p) && !tally(p) && in_rounds(p),
        "the goal {goal} is one round: set rounds to NO_ROUNDS, or the goal to its form that \
         counts rounds won",
    ),
    error(
        "elseed_no_moves",
        &["rounds", "goal"],
        |p| elimination(p) && tally(p) && p.rounds != Rounds::NoMoves,
        "rounds of the goal {goal} end by the goal: set rounds to NO_MOVES",
    ),
    error(
        "elseed_ec_no_clear",
        &["end_cond", "goal"],
        |p| elimination(p) && matches!(p.end_cond, EndCond::ClearedOwn | EndCond::ClearedOpp),
        "{end_cond} says what the goal {goal} says already: set end_cond to NO_ADDTL",
    ),
    error(
        "immob_no_rturn",
        &["goal", "capt_rturn", "sow_stores", "xc_sown", "grandslam"],
        |p| immobilizes(p) && repeats(p),
        "the goal {goal} has no repeat turns: set capt_rturn to NO_REPEAT, xc_sown to false, \
         grandslam to LEGAL and sow_stores to a kind without them (NEITHER, OWN_NR, BOTH_NR)",
    ),
    error(
        "clear_no_min_move",
        &["min_move", "goal"],
        |p| clears(p) && p.min_move != 1,
        "with the goal {goal} every seed must be able to leave: set min_move to 1",
    ),
    error(
        "clear_no_prevent",
        &["allow_rule", "goal"],
        |p| {
            clears(p)
                && matches!(
                    p.allow_rule,
                    AllowRule::SingleToZero
                        | AllowRule::SingleAllToZero
                        | AllowRule::NotXfrom1s
                        | AllowRule::Occupied
                )
        },
        "{allow_rule} could forbid the last move of a player whose goal is {goal}: set another \
         allow_rule",
    ),
];
