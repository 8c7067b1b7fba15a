//! Rules about games for territory.

use super::facts::{holes, loose_territory, territory};
use super::rule::{Rule, error, missing, warning};
use crate::two_row::params::{
    CaptSide, ChildLocs, GrandSlam, Params, RoundFill, Rounds, StartPattern, Unclaimed,
};

pub(super) const RULES: &[Rule] = &[
    error(
        "terr_only_rfill",
        &["round_fill", "goal"],
        |p| !territory(p) && (loose_territory(p) || p.round_fill == RoundFill::TerrExRandom),
        "{round_fill} deals out holes to own: set the goal to TERRITORY or another round_fill",
    ),
    error(
        "terr_goal_param",
        &["goal_param", "goal", "holes"],
        |p| territory(p) && !(holes(p) + 1..=2 * holes(p)).contains(&p.goal_param),
        "goal_param is the number of holes to own and is {goal_param}: set it to more than the \
         {holes} holes of a side and no more than all holes of the board",
    ),
    error(
        "terr_need_stores",
        &["stores", "goal"],
        |p| territory(p) && !p.stores,
        "holes are won with the seeds of the stores: set stores to true",
    ),
    error(
        "terr_no_sides_incomp",
        &["no_sides", "goal"],
        |p| territory(p) && p.no_sides,
        "holes that anybody moves cannot be owned: set no_sides to false",
    ),
    error(
        "terr_blocks",
        &["blocks", "goal"],
        |p| territory(p) && p.blocks,
        "in a game for territory every hole has an owner and none is closed: set blocks to false",
    ),
    error(
        "terr_alleq",
        &["start_pattern", "round_fill", "goal"],
        |p| {
            territory(p)
                && p.round_fill == RoundFill::TerrExEmpty
                && p.start_pattern != StartPattern::AllEqual
        },
        "TERR_EX_EMPTY needs the same seeds in every hole: set start_pattern to ALL_EQUAL",
    ),
    warning(
        "terr_capt_side",
        &["capt_side", "goal"],
        |p| {
            territory(p)
                && matches!(
                    p.capt_side,
                    CaptSide::OppSide | CaptSide::OwnSide | CaptSide::OppCont | CaptSide::OwnCont
                )
        },
        "capt_side {capt_side} means sides of the board, not owners: OPP_TERR and OWN_TERR mean \
         owners",
    ),
    error(
        "capt_terr",
        &["capt_side", "goal"],
        |p| !territory(p) && matches!(p.capt_side, CaptSide::OppTerr | CaptSide::OwnTerr),
        "{capt_side} asks for the owner of a hole: set capt_side to OPP_SIDE or OWN_SIDE, or the \
         goal to TERRITORY",
    ),
    warning(
        "terr_no_rfill",
        &["round_fill", "goal"],
        |p| {
            territory(p)
                && !loose_territory(p)
                && !matches!(
                    p.round_fill,
                    RoundFill::NotApplicable | RoundFill::UChown | RoundFill::TerrExRandom
                )
        },
        "{round_fill} is not used in games for territory: set round_fill to NOT_APPLICABLE, \
         UCHOWN or one of the TERR_ kinds",
    ),
    warning(
        "terr_no_end",
        &["goal_param", "round_fill", "holes", "goal"],
        |p| territory(p) && loose_territory(p) && p.goal_param == 2 * holes(p),
        "nobody may ever fill all {goal_param} holes with {round_fill}: set a smaller goal_param",
    ),
    error(
        "uchown_terr_only",
        &["round_fill", "goal"],
        |p| p.round_fill == RoundFill::UChown && !territory(p),
        "UCHOWN chooses holes to own: set the goal to TERRITORY or another round_fill",
    ),
    missing(
        "terr_gs_not",
        &["grandslam", "goal"],
        |p| territory(p) && p.grandslam == GrandSlam::NotLegal,
        "there are no rules for NOT_LEGAL where owners of holes change: set another grandslam",
    ),
    missing(
        "terr_no_fchild",
        &["child_locs", "goal"],
        |p| territory(p) && p.child_locs == ChildLocs::FixedOneRight,
        "there are no rules for FIXED_ONE_RIGHT where owners of holes change: set another \
         child_locs",
    ),
    error(
        "terr_half_rounds",
        &["rounds", "goal"],
        |p| territory(p) && p.rounds == Rounds::HalfSeeds,
        "a round for territory does not end at half of the seeds: set rounds to NO_MOVES, \
         END_S_SEEDS or END_2S_SEEDS",
    ),
    error(
        "terr_gparam_high",
        &["goal_param", "rounds", "unclaimed", "holes", "goal"],
        |p| territory(p) && p.unclaimed == Unclaimed::DontScore && p.goal_param > reachable(p),
        "with {unclaimed} the seeds left by {rounds} are lost, and {goal_param} holes cannot be \
         filled without them: set a smaller goal_param",
    ),
];

/// Maximum number of holes that a player can fill if the remaining seeds are lost at the end.
fn reachable(p: &Params) -> i32 {
    match p.rounds {
        Rounds::EndSSeeds => 2 * holes(p) - 1,
        Rounds::End2SSeeds => 2 * holes(p) - 2,
        _ => i32::MAX,
    }
}
