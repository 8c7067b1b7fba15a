//! Rules about start patterns and about the minimum seeds of a move, which are checked together.

use super::facts::names_hole_only;
use super::rule::{Rule, error};
use crate::two_row::params::StartPattern;

pub(super) const RULES: &[Rule] = &[
    error(
        "high_min_moves",
        &["min_move", "holes"],
        |p| !(1..=p.holes.min(5)).contains(&p.min_move),
        "min_move {min_move} is out of range: set it from 1 to 5, and to \
         no more than the {holes} holes of a side",
    ),
    error(
        "pattern_1_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::Gamacha && p.holes < 3,
        "GAMACHA needs 3 holes on a side and there are {holes}: set more holes or another \
         start_pattern",
    ),
    error(
        "pattern_3_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::AltsWith1 && p.holes < 3,
        "ALTS_WITH_1 needs 3 holes on a side and there are {holes}: set more holes or another \
         start_pattern",
    ),
    error(
        "pattern_4_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::ClippedTriples && p.holes < 3,
        "CLIPPEDTRIPLES needs 3 holes on a side and there are {holes}: set more holes or another \
         start_pattern",
    ),
    error(
        "pattern_11_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::NoRepeatSowOwn && p.holes < 3,
        "NO_REPEAT_SOW_OWN needs 3 holes on a side and there are {holes}: set more holes or \
         another start_pattern",
    ),
    error(
        "pattern_5_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::TwoEmpty && p.holes < 4,
        "TWOEMPTY needs 4 holes on a side and there are {holes}: set more holes or another \
         start_pattern",
    ),
    error(
        "pattern_7_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::AltsSplit && p.holes % 2 != 0,
        "ALTS_SPLIT needs an even number of holes on a side and there are {holes}: set one more, \
         or another start_pattern",
    ),
    error(
        "pattern_13_req_size",
        &["start_pattern", "holes"],
        |p| p.start_pattern == StartPattern::Azigo && !(8..=20).contains(&p.holes),
        "AZIGO needs 8 to 20 holes on a side and there are {holes}: set holes or another \
         start_pattern",
    ),
    error(
        "move_rmost_mlength",
        &["start_pattern", "udir_holes", "no_sides", "goal", "sow_direct"],
        |p| p.start_pattern == StartPattern::MoveRightmost && !names_hole_only(p),
        "MOVE_RIGHTMOST needs moves that are told by their hole alone: leave out udir_holes, \
         PLAYALTDIR and no_sides, choose another goal than TERRITORY, or set another \
         start_pattern",
    ),
];
