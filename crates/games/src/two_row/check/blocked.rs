//! Rules about sowing that closes holes.

use super::facts::{across, closing, deprives, immobilizes};
use super::rule::{Rule, error, missing};
use crate::two_row::params::{
    AllowRule, CaptDir, CaptRturn, CaptSide, CaptType, Mlaps, PickExtra, XcPickOwn,
};

pub(super) const RULES: &[Rule] = &[
    missing(
        "next_ml_no_bdiv",
        &["mlaps", "sow_rule"],
        |p| closing(p) && p.mlaps == Mlaps::LapperNext,
        "there are no rules for {sow_rule} with laps from the next hole: set mlaps to LAPPER or \
         OFF",
    ),
    error(
        "bdiv_need_gparam",
        &["sow_param", "sow_rule"],
        |p| closing(p) && p.sow_param == 0,
        "{sow_rule} needs the number of seeds that closes a hole: set sow_param",
    ),
    error(
        "bdiv_need_blocks",
        &["blocks", "sow_rule"],
        |p| closing(p) && !p.blocks,
        "{sow_rule} closes holes: set blocks to true",
    ),
    error(
        "bdiv_req_goal",
        &["goal", "sow_rule"],
        |p| closing(p) && !(deprives(p) || immobilizes(p)),
        "{sow_rule} takes seeds out of play for nobody: set the goal to DEPRIVE, IMMOBILIZE, or \
         their forms that count rounds won",
    ),
    error(
        "bdiv_nocapt_capt_dir",
        &["capt_dir", "sow_rule"],
        |p| closing(p) && p.capt_dir != CaptDir::OppSow,
        "{sow_rule} has no captures: set capt_dir to OPP_SOW",
    ),
    error(
        "bdiv_nocapt_capt_max",
        &["capt_max", "sow_rule"],
        |p| closing(p) && p.capt_max != 0,
        "{sow_rule} has no captures: set capt_max to 0",
    ),
    error(
        "bdiv_nocapt_capt_min",
        &["capt_min", "sow_rule"],
        |p| closing(p) && p.capt_min != 0,
        "{sow_rule} has no captures: set capt_min to 0",
    ),
    error(
        "bdiv_nocapt_capt_type",
        &["capt_type", "sow_rule"],
        |p| closing(p) && p.capt_type != CaptType::None,
        "{sow_rule} has no captures: set capt_type to NONE",
    ),
    error(
        "bdiv_no_capt_on",
        &["capt_on", "sow_rule"],
        |p| closing(p) && !p.capt_on.is_empty(),
        "{sow_rule} has no captures: leave capt_on empty",
    ),
    error(
        "bdiv_nocapt_capt_rturn",
        &["capt_rturn", "sow_rule"],
        |p| closing(p) && p.capt_rturn != CaptRturn::NoRepeat,
        "{sow_rule} has no captures: set capt_rturn to NO_REPEAT",
    ),
    error(
        "bdiv_nocapt_crosscapt",
        &["crosscapt", "sow_rule"],
        |p| closing(p) && across(p),
        "{sow_rule} has no captures: set crosscapt to NONE",
    ),
    error(
        "bdiv_nocapt_evens",
        &["evens", "sow_rule"],
        |p| closing(p) && p.evens,
        "{sow_rule} has no captures: set evens to false",
    ),
    error(
        "bdiv_nocapt_multicapt",
        &["multicapt", "sow_rule"],
        |p| closing(p) && p.multicapt != 0,
        "{sow_rule} has no captures: set multicapt to 0",
    ),
    error(
        "bdiv_nocapt_nosinglecapt",
        &["nosinglecapt", "sow_rule"],
        |p| closing(p) && p.nosinglecapt,
        "{sow_rule} has no captures: set nosinglecapt to false",
    ),
    error(
        "bdiv_nocapt_capt_side",
        &["capt_side", "sow_rule"],
        |p| closing(p) && p.capt_side != CaptSide::Both,
        "{sow_rule} has no captures: set capt_side to BOTH",
    ),
    error(
        "bdiv_nocapt_pickextra",
        &["pickextra", "sow_rule"],
        |p| closing(p) && p.pickextra != PickExtra::None,
        "{sow_rule} has no captures: set pickextra to NONE",
    ),
    error(
        "bdiv_nocapt_xcpickown",
        &["xcpickown", "sow_rule"],
        |p| closing(p) && p.xcpickown != XcPickOwn::Leave,
        "{sow_rule} has no captures: set xcpickown to LEAVE",
    ),
    error(
        "bdiv_bad_allow_rule",
        &["allow_rule", "sow_rule"],
        |p| closing(p) && p.allow_rule != AllowRule::None,
        "{sow_rule} goes with no restriction of moves: set allow_rule to NONE",
    ),
    error(
        "bdiv_bad_sow_start",
        &["sow_start", "sow_rule"],
        |p| closing(p) && p.sow_start,
        "{sow_rule} sows from the next hole on: set sow_start to false",
    ),
    missing(
        "bdiv_not_skip_start",
        &["skip_start", "sow_rule"],
        |p| closing(p) && p.skip_start,
        "there are no rules for {sow_rule} with skip_start: set skip_start to false",
    ),
];
