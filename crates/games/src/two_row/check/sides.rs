//! Rules about boards on which both players move every hole.

use super::facts::{elimination, in_rounds, tally};
use super::rule::{Rule, error, hint};
use crate::two_row::params::{CaptSide, ChildType, GrandSlam, RoundFill};

pub(super) const RULES: &[Rule] = &[
    error(
        "no_sides_need_place",
        &["stores", "child_type", "no_sides"],
        |p| p.no_sides && !elimination(p) && !p.stores && p.child_type == ChildType::None,
        "without sides there must be a place for captured seeds: set stores to true or a \
         child_type",
    ),
    error(
        "no_sides_bad_grandslam",
        &["grandslam", "no_sides"],
        |p| p.no_sides && p.grandslam != GrandSlam::Legal,
        "without sides nobody can be left without seeds: set grandslam to LEGAL",
    ),
    error(
        "no_sides_bad_mustpass",
        &["mustpass", "no_sides"],
        |p| p.no_sides && p.mustpass,
        "without sides both have the same moves and nobody passes: set mustpass to false",
    ),
    error(
        "no_sides_bad_mustshare",
        &["mustshare", "no_sides"],
        |p| p.no_sides && p.mustshare,
        "without sides nobody has to be fed: set mustshare to false",
    ),
    error(
        "no_sides_bad_blocks",
        &["blocks", "no_sides"],
        |p| p.no_sides && p.blocks,
        "without sides no hole can be closed for a player: set blocks to false",
    ),
    error(
        "no_sides_bad_round_fill",
        &["round_fill", "no_sides"],
        |p| p.no_sides && p.round_fill != RoundFill::NotApplicable,
        "without sides no row is filled from a player's seeds: set round_fill to NOT_APPLICABLE",
    ),
    error(
        "no_sides_rtally_only",
        &["goal", "rounds", "no_sides"],
        |p| p.no_sides && in_rounds(p) && !tally(p),
        "without sides every round starts afresh: set a goal that counts rounds (RND_…), or \
         rounds to NO_ROUNDS",
    ),
    hint(
        "no_sides_no_stores_warn",
        &["stores", "no_sides"],
        |p| p.no_sides && !p.stores,
        "without sides and stores a board does not show who is to move",
    ),
    hint(
        "no_sides_side_warn",
        &["capt_side", "no_sides"],
        |p| p.no_sides && p.capt_side != CaptSide::Both,
        "capt_side {capt_side} goes by the sides of the board, whoever moved the hole",
    ),
];
