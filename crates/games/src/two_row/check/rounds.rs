//! Rules about games in rounds.

use super::facts::{closing, in_rounds, tally};
use super::rule::{Rule, error, warning};
use crate::two_row::params::{
    ChildType, EndCond, Goal, PickExtra, RoundFill, RoundStarter, Rounds, Unclaimed,
};

/// Rules about filling the holes for a round.
pub(super) const FILLS: &[Rule] = &[
    warning(
        "short_no_blocks",
        &["blocks", "round_fill"],
        |p| matches!(p.round_fill, RoundFill::Shorten | RoundFill::ShortenAll) && !p.blocks,
        "{round_fill} shortens the board only if holes can be closed: set blocks to true",
    ),
    error(
        "rfl_bad_child_type",
        &["child_type", "round_fill"],
        |p| p.round_fill == RoundFill::LoserOnly && p.child_type != ChildType::None,
        "LOSER_ONLY leaves the winner's row as it is, and children would stay in it: set \
         child_type to NOCHILD or another round_fill",
    ),
    error(
        "rfl_bad_no_sides",
        &["no_sides", "round_fill"],
        |p| p.round_fill == RoundFill::LoserOnly && p.no_sides,
        "LOSER_ONLY fills the loser's row: set no_sides to false or another round_fill",
    ),
    error(
        "rfl_bad_moveunlock",
        &["moveunlock", "round_fill"],
        |p| p.round_fill == RoundFill::LoserOnly && p.moveunlock,
        "LOSER_ONLY leaves the winner's row as it is, and locks would stay in it: set moveunlock \
         to false or another round_fill",
    ),
    error(
        "rfl_owner",
        &["unclaimed", "quitter", "round_fill"],
        |p| {
            p.round_fill == RoundFill::LoserOnly
                && (p.unclaimed != Unclaimed::HoleOwner || p.quitter != Unclaimed::HoleOwner)
        },
        "LOSER_ONLY leaves seeds with the owners of their holes: set unclaimed and quitter to \
         HOLE_OWNER",
    ),
    error(
        "pick_rend_agree",
        &["pickextra", "rounds"],
        |p| {
            matches!(
                (p.rounds, p.pickextra),
                (Rounds::EndSSeeds, PickExtra::Pick2xLastSeeds)
                    | (Rounds::End2SSeeds, PickExtra::PickLastSeeds)
            )
        },
        "rounds {rounds} and pickextra {pickextra} act at different numbers of seeds: put \
         PICKLASTSEEDS with END_S_SEEDS and PICK2XLASTSEEDS with END_2S_SEEDS",
    ),
];

/// The rounds themselves.
pub(super) const RULES: &[Rule] = &[
    warning(
        "blocks_wo_rounds",
        &["blocks", "rounds", "sow_rule"],
        |p| p.blocks && !in_rounds(p) && !closing(p),
        "only rounds or SOW_BLKD_DIV close holes: set blocks to false, or rounds",
    ),
    error(
        "rstarter_wo_rounds",
        &["round_starter", "rounds"],
        |p| p.round_starter != RoundStarter::Alternate && !in_rounds(p),
        "round_starter {round_starter} needs a second round: set rounds, or round_starter to \
         ALTERNATE",
    ),
    error(
        "dupl_seeds_limits",
        &["end_cond", "rounds"],
        |p| {
            matches!(p.rounds, Rounds::EndSSeeds | Rounds::End2SSeeds)
                && p.end_cond == EndCond::SeedsLimit
        },
        "{rounds} and SEEDS_LIMIT both end a round at a number of seeds: set end_cond to \
         NO_ADDTL or rounds to NO_MOVES",
    ),
    error(
        "mx_round_limit",
        &["goal_param", "rounds", "goal", "holes"],
        |p| in_rounds(p) && p.goal == Goal::MaxSeeds && p.goal_param > p.holes,
        "goal_param is the number of holes that a player must be able to fill and is \
         {goal_param}: set it to no more than the {holes} holes of a side",
    ),
    error(
        "rnd_goals_rounds",
        &["rounds", "goal"],
        |p| tally(p) && !in_rounds(p),
        "the goal {goal} counts rounds and there are none: set rounds",
    ),
    error(
        "rnd_goals_gp1",
        &["goal_param", "goal"],
        |p| tally(p) && p.goal_param <= 0,
        "the goal {goal} needs the number that wins the game: set goal_param",
    ),
    error(
        "rnd_goals_no_fill",
        &["round_fill", "goal"],
        |p| tally(p) && p.round_fill != RoundFill::NotApplicable,
        "every round of the goal {goal} is dealt afresh: set round_fill to NOT_APPLICABLE",
    ),
];
