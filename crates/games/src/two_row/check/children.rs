//! Rules about children and rams.

use super::facts::{claims, one_way, territory};
use super::rule::{Rule, error, missing, warning};
use crate::two_row::params::{ChildLocs, ChildRule, ChildType, GrandSlam, SowRule};

pub(super) const RULES: &[Rule] = &[
    error(
        "child_need_cvt",
        &["child_cvt", "child_type"],
        |p| claims(p) && p.child_locs != ChildLocs::FixedOneRight && p.child_cvt == 0,
        "{child_type} needs the number of seeds that makes a child: set child_cvt",
    ),
    warning(
        "dont_need_cvt",
        &["child_cvt", "child_locs", "child_type"],
        |p| {
            p.child_type != ChildType::None
                && p.child_locs == ChildLocs::FixedOneRight
                && p.child_cvt != 0
        },
        "the children of FIXED_ONE_RIGHT are there from the start and child_cvt {child_cvt} is \
         not used: set child_cvt to 0",
    ),
    error(
        "child_cvt_need_type",
        &["child_type", "child_cvt"],
        |p| p.child_cvt != 0 && p.child_type == ChildType::None,
        "child_cvt {child_cvt} makes children of no kind: set child_type, or child_cvt to 0",
    ),
    missing(
        "child_no_gs",
        &["grandslam", "child_type"],
        |p| {
            p.child_type != ChildType::None
                && !matches!(p.grandslam, GrandSlam::Legal | GrandSlam::NotLegal)
        },
        "there are no rules for {grandslam} where there are children: set grandslam to LEGAL or \
         NOT_LEGAL",
    ),
    error(
        "ch_rule_own_incom",
        &["child_rule", "goal"],
        |p| {
            matches!(p.child_rule, ChildRule::OppOwnerOnly | ChildRule::OwnOwnerOnly)
                && !territory(p)
        },
        "{child_rule} asks for the owner of a hole: set child_rule to OPP_SIDE_ONLY or \
         OWN_SIDE_ONLY, or the goal to TERRITORY",
    ),
    error(
        "no_sow_child_req",
        &["child_type", "sow_rule"],
        |p| {
            matches!(p.sow_rule, SowRule::NoOppChild | SowRule::NoChildren)
                && p.child_type == ChildType::None
        },
        "{sow_rule} passes over children and there are none: set child_type or another sow_rule",
    ),
    missing(
        "not1st_static",
        &["child_rule", "goal"],
        // The reference also rejects closed holes. A file of 2024-11 has them, so here the first
        // hole is the first open one.
        |p| p.child_rule == ChildRule::Not1stOpp && territory(p),
        "there are no rules for the opponent's first hole where holes change owners: set \
         another child_rule or another goal",
    ),
    missing(
        "ram_no_blocks",
        &["blocks", "child_type"],
        |p| p.child_type == ChildType::Ram && p.blocks,
        "there are no rules for rams on a board with closed holes: set blocks to false",
    ),
    missing(
        "ram_basic_sow",
        &["sow_direct", "child_type"],
        |p| p.child_type == ChildType::Ram && !one_way(p),
        "there are no rules for rams with {sow_direct}: set sow_direct to CW or CCW",
    ),
    error(
        "ram_stores",
        &["stores", "child_type"],
        |p| p.child_type == ChildType::Ram && !p.stores,
        "rams hold nothing for their owner: set stores to true",
    ),
];
