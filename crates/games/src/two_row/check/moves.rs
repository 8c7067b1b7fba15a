//! Rules about which holes may be moved and where sowing starts.

use super::facts::{chooses_way, names_hole_only, names_row, one_way, sows_stores};
use super::rule::{Rule, error, missing};
use crate::two_row::params::{AllowRule, Mlaps, Params, PlayLocs, Prescribed, SowRule};

pub(super) const RULES: &[Rule] = &[
    error(
        "allowrule_mlen3",
        &["allow_rule", "no_sides", "goal"],
        |p| names_row(p) && wants_right_side(p),
        "{allow_rule} goes by one row and moves here are of both: set another allow_rule, or \
         no_sides to false and another goal",
    ),
    error(
        "opp_empty_no_tuples",
        &["allow_rule", "udir_holes", "no_sides", "goal"],
        |p| {
            matches!(p.allow_rule, AllowRule::OppOrEmpty | AllowRule::RightHalf1stOpe)
                && !names_hole_only(p)
        },
        "{allow_rule} needs one sowing a hole and players with a row each: leave out udir_holes, \
         PLAYALTDIR and no_sides, or set another allow_rule",
    ),
    error(
        "no_pres_opp_empty",
        &["allow_rule", "prescribed"],
        |p| p.prescribed != Prescribed::None && p.allow_rule == AllowRule::OppOrEmpty,
        "OPP_OR_EMPTY looks at a common sowing and {prescribed} begins with another: set \
         prescribed to NONE or another allow_rule",
    ),
    error(
        "sow_own_needs_stores",
        &["stores", "sow_stores"],
        |p| sows_stores(p) && !p.stores,
        "{sow_stores} sows into stores and there are none: set stores to true",
    ),
    error(
        "plocs_stores",
        &["stores", "play_locs"],
        |p| p.play_locs != PlayLocs::BoardOnly && !p.stores,
        "{play_locs} moves the store and there is none: set stores to true",
    ),
    error(
        "plocs_direct",
        &["sow_direct", "play_locs"],
        |p| p.play_locs != PlayLocs::BoardOnly && !one_way(p),
        "a store is sown in one direction and {sow_direct} is none: set sow_direct to CW or CCW",
    ),
    error(
        "sow_own_nocapt",
        &["nocaptmoves", "sow_stores"],
        |p| sows_stores(p) && p.nocaptmoves != 0,
        "seeds are won by sowing from the first move on: set nocaptmoves to 0 or sow_stores to \
         NEITHER",
    ),
    error(
        "no_opp_n_sparam",
        &["sow_param", "sow_rule"],
        |p| p.sow_rule == SowRule::NoSowOppNs && p.sow_param == 0,
        "NO_SOW_OPP_NS needs the number of seeds of the holes to pass over: set sow_param",
    ),
    error(
        "max_sow_param",
        &["sow_param", "sow_rule"],
        |p| p.sow_rule == SowRule::MaxSow && p.sow_param == 0,
        "MAX_SOW needs the number of seeds that fills a hole: set sow_param",
    ),
    missing(
        "lcapt_no_lnext",
        &["mlaps", "sow_rule"],
        |p| {
            matches!(p.sow_rule, SowRule::LapCapt | SowRule::LapCaptOppGets | SowRule::LapCaptSeeds)
                && p.mlaps == Mlaps::LapperNext
        },
        "there are no rules for {sow_rule} with laps from the next hole: set mlaps to LAPPER",
    ),
    error(
        "sow_start_skip_incomp",
        &["skip_start", "sow_start"],
        |p| p.sow_start && p.skip_start,
        "the start hole gets the first seed or is passed over, not both: set sow_start or \
         skip_start to false",
    ),
];

/// Whether the rule needs the right end of a row or the hole across.
fn wants_right_side(p: &Params) -> bool {
    matches!(
        p.allow_rule,
        AllowRule::TwoOnlyAllRight
            | AllowRule::FirstTurnOnlyRightTwo
            | AllowRule::Right2FirstThenAllTwo
            | AllowRule::NotXfrom1s
            | AllowRule::RightHalfFirsts
            | AllowRule::RightHalf1stOpe
    )
}

/// Whether directions are chosen and the rule would need to know which.
pub(super) fn wants_one_direction(p: &Params) -> bool {
    chooses_way(p)
        && !matches!(
            p.allow_rule,
            AllowRule::None
                | AllowRule::SingleOnlyAll
                | AllowRule::TwoOnlyAll
                | AllowRule::TwoOnlyAllRight
                | AllowRule::FirstTurnOnlyRightTwo
                | AllowRule::Right2FirstThenAllTwo
                | AllowRule::MoveAllHolesFirst
                | AllowRule::NotXfrom1s
                | AllowRule::RightHalfFirsts
        )
}
