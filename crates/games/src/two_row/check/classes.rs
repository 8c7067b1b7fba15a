//! Rules of the game classes, except diffusion games.

use super::facts::{
    across, clears, east_west, gives_away, other_repeats, own_rings, sows_stores, territory,
};
use super::rule::{Rule, error, missing};
use crate::two_row::params::{
    CaptRturn, CaptSide, ChildRule, ChildType, Class, MlapCont, PickExtra, PlayLocs, SowDirect,
    SowRule,
};

pub(super) const RULES: &[Rule] = &[
    missing(
        "bo_no_sides",
        &["no_sides", "game_class"],
        |p| p.game_class == Class::BearOff && p.no_sides,
        "there are no rules for bearing off without sides: set no_sides to false",
    ),
    error(
        "bo_min_move_g1",
        &["min_move", "game_class"],
        |p| p.game_class == Class::BearOff && p.min_move != 1,
        "single seeds are what is borne off: set min_move to 1",
    ),
    error(
        "board_only",
        &["play_locs", "game_class"],
        |p| p.game_class == Class::BearOff && p.play_locs != PlayLocs::BoardOnly,
        "what was borne off stays off: set play_locs to BOARD_ONLY",
    ),
    error(
        "s1_no_sides",
        &["no_sides", "game_class"],
        |p| p.game_class == Class::ShareOne && p.no_sides,
        "sharing needs sides: set no_sides to false",
    ),
    error(
        "s1_noterr",
        &["goal", "game_class"],
        |p| p.game_class == Class::ShareOne && territory(p),
        "sharing goes by sides and not by owners: set another goal than TERRITORY",
    ),
    error(
        "s1_no_blocks",
        &["blocks", "game_class"],
        |p| p.game_class == Class::ShareOne && p.blocks,
        "the hole that is shared with must be open: set blocks to false",
    ),
    error(
        "s1_no_ms",
        &["mustshare", "game_class"],
        |p| p.game_class == Class::ShareOne && p.mustshare,
        "the class ShareOne shares in its own way: set mustshare to false",
    ),
    error(
        "zz_tocenter",
        &["sow_direct", "game_class"],
        |p| p.game_class == Class::ZigZag && p.sow_direct != SowDirect::ToCenter,
        "the class ZigZag sows to the middle: set sow_direct to TOCENTER",
    ),
    error(
        "zz_board_only",
        &["play_locs", "game_class"],
        |p| p.game_class == Class::ZigZag && p.play_locs != PlayLocs::BoardOnly,
        "no zigzag leads out of a store: set play_locs to BOARD_ONLY",
    ),
    error(
        "zz_no_sown",
        &["sow_stores", "game_class"],
        |p| p.game_class == Class::ZigZag && sows_stores(p),
        "no zigzag leads into a store: set sow_stores to NEITHER",
    ),
    error(
        "grat_goal_clear",
        &["goal", "game_class"],
        |p| gives_away(p) && !clears(p),
        "who gives captured seeds away wants to have none: set the goal to CLEAR or \
         RND_WIN_COUNT_CLR",
    ),
    error(
        "grat_side_own",
        &["capt_side", "game_class"],
        |p| gives_away(p) && p.capt_side != CaptSide::OwnSide,
        "sowing stays on the mover's side and so do captures: set capt_side to OWN_SIDE",
    ),
    error(
        "grat_board_only",
        &["play_locs", "game_class"],
        |p| gives_away(p) && p.play_locs != PlayLocs::BoardOnly,
        "the seeds of the store are given away at once: set play_locs to BOARD_ONLY",
    ),
    missing(
        "grat_no_sow_own",
        &["sow_stores", "game_class"],
        |p| gives_away(p) && sows_stores(p),
        "there are no rules for sowing into the store that holds seeds to give away: set \
         sow_stores to NEITHER",
    ),
    error(
        "grat_no_sowrule",
        &["sow_rule", "game_class"],
        |p| gives_away(p) && p.sow_rule != SowRule::None,
        "{game_class} has no special sowing: set sow_rule to NONE",
    ),
    error(
        "grat_no_mlap_cont",
        &["mlap_cont", "game_class"],
        |p| gives_away(p) && p.mlap_cont != MlapCont::None,
        "{game_class} has no conditions for laps: set mlap_cont to NONE",
    ),
    error(
        "grat_no_xcapt",
        &["crosscapt", "game_class"],
        |p| gives_away(p) && across(p),
        "seeds across are the opponent's and are not captured here: set crosscapt to NONE",
    ),
    error(
        "grat_no_moveunlock",
        &["moveunlock", "game_class"],
        |p| gives_away(p) && p.moveunlock,
        "{game_class} has no locks: set moveunlock to false",
    ),
    error(
        "grat_no_capt_rturn",
        &["capt_rturn", "game_class"],
        |p| gives_away(p) && p.capt_rturn != CaptRturn::NoRepeat,
        "after a capture the seeds are given away and the turn ends: set capt_rturn to NO_REPEAT",
    ),
    error(
        "grat_no_rturn",
        &["xc_sown", "grandslam", "game_class"],
        |p| gives_away(p) && other_repeats(p),
        "{game_class} has no repeat turns: set xc_sown to false and grandslam to LEGAL",
    ),
    error(
        "grat_no_pick",
        &["pickextra", "game_class"],
        |p| gives_away(p) && p.pickextra != PickExtra::None,
        "{game_class} takes nothing beside captures: set pickextra to NONE",
    ),
    error(
        "ns2_not_territory",
        &["goal", "game_class"],
        |p| own_rings(p) && territory(p),
        "with a ring for each player holes do not change owners: set another goal than TERRITORY",
    ),
    error(
        "ns2_no_mshare",
        &["mustshare", "game_class"],
        |p| own_rings(p) && p.mustshare,
        "with a ring for each player nobody can feed the other: set mustshare to false",
    ),
    error(
        "ns2_no_mlap_side",
        &["mlap_cont", "game_class"],
        |p| {
            own_rings(p)
                && matches!(p.mlap_cont, MlapCont::OwnSide | MlapCont::OppSide | MlapCont::VisitOpp)
        },
        "with a ring for each player a sowing stays on its side and {mlap_cont} says nothing: set \
         mlap_cont to NONE",
    ),
    error(
        "ns2_no_sowrule",
        &["sow_rule", "game_class"],
        |p| {
            own_rings(p)
                && matches!(
                    p.sow_rule,
                    SowRule::SowBlkdDiv
                        | SowRule::SowBlkdDivNr
                        | SowRule::NoSowOppNs
                        | SowRule::NoOppChild
                        | SowRule::LapCaptOppGets
                        | SowRule::OppChildOnly1
                )
        },
        "with a ring for each player no seed reaches the opponent and {sow_rule} says nothing: \
         set another sow_rule",
    ),
    error(
        "ns2_noside_wegs",
        &["no_sides", "child_type", "game_class"],
        |p| own_rings(p) && p.child_type == ChildType::Weg && !p.no_sides,
        "with a ring for each player nobody reaches the opponent's wegs: set no_sides to true or \
         another child_type",
    ),
    error(
        "ns2_child_rules",
        &["child_rule", "game_class"],
        |p| {
            own_rings(p)
                && matches!(
                    p.child_rule,
                    ChildRule::OppSideOnly
                        | ChildRule::OppsOnlyNot1st
                        | ChildRule::Not1stOpp
                        | ChildRule::OwnOwnerOnly
                )
        },
        "with a ring for each player a sowing stays on its side and {child_rule} says nothing: \
         set child_rule to NONE",
    ),
    error(
        "ew2_even_holes",
        &["holes", "game_class"],
        |p| own_rings(p) && east_west(p) && p.holes % 2 != 0,
        "each player has half of both rows, and {holes} holes cannot be halved: set an even \
         number of holes",
    ),
];
