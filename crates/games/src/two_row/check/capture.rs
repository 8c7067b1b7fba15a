//! Rules about captures: criteria, kinds, chains, extra seeds.

use super::facts::{across, basic, claims, closing, en_passant, own_rings, sows_stores, territory};
use super::rule::{Rule, error, missing, warning};
use crate::two_row::params::{
    AllowRule, CaptDir, CaptSide, CaptType, ChildType, CrossCapt, Goal, GrandSlam, Mlaps, Params,
    PickExtra, Presowcapt, SowRule, SowStores, XcPickOwn,
};

pub(super) const RULES: &[Rule] = &[
    warning(
        "warn_no_capt",
        &["capt_on", "evens", "capt_min", "capt_max", "capt_type", "crosscapt"],
        |p| {
            !(closing(p)
                || p.child_type != ChildType::None
                || sows_stores(p)
                || p.presowcapt != Presowcapt::None
                || captures(p))
        },
        "nothing is ever captured: set capt_on, evens, capt_min, capt_max, capt_type or crosscapt",
    ),
    warning(
        "capt_no_place",
        &["stores", "child_type"],
        |p| {
            matches!(p.goal, Goal::MaxSeeds | Goal::Territory)
                && !p.stores
                && !claims(p)
                && (captures(p) || p.presowcapt != Presowcapt::None)
        },
        "there is no place for captured seeds: set stores to true or a child_type",
    ),
    warning(
        "capt_conflict",
        &["capt_on", "evens", "capt_min", "capt_max"],
        contradict,
        "no number of seeds meets capt_on {capt_on}, evens {evens}, capt_min {capt_min} and \
         capt_max {capt_max} together: leave one out",
    ),
    error(
        "xcapt_multi_same",
        &["capt_dir", "crosscapt", "multicapt"],
        |p| {
            p.crosscapt == CrossCapt::OneZeros
                && p.multicapt != 0
                && p.capt_dir != CaptDir::Sow
                && !own_rings(p)
        },
        "a chain of captures across goes on into empty holes, which lie ahead: set capt_dir to \
         SOW or multicapt to 0",
    ),
    error(
        "xcapt_any_uncond",
        &["crosscapt", "multicapt"],
        |p| p.crosscapt == CrossCapt::Any && p.multicapt != 0 && !basic(p),
        "a chain across from any hole would take the whole row: set evens, capt_on, capt_min or \
         capt_max, or multicapt to 0",
    ),
    error(
        "capt2out_needs_samedir",
        &["capt_dir", "capt_type"],
        |p| p.capt_type == CaptType::TwoOut && p.capt_dir != CaptDir::Sow,
        "TWO_OUT takes from ahead of the last seed: set capt_dir to SOW",
    ),
    error(
        "capt2out_cside",
        &["capt_side", "capt_type"],
        |p| p.capt_type == CaptType::TwoOut && p.capt_side != CaptSide::Both,
        "TWO_OUT takes from both sides: set capt_side to BOTH",
    ),
    error(
        "cdir_both_multicapt",
        &["multicapt", "capt_dir"],
        |p| p.capt_dir == CaptDir::Both && p.multicapt == 0,
        "BOTH is about chains of captures: set multicapt, or another capt_dir",
    ),
    error(
        "cdir_both_ctypes",
        &["capt_dir", "capt_type", "crosscapt"],
        |p| p.capt_dir == CaptDir::Both && !chains_both_ways(p),
        "only NEXT, MATCH_OPP and captures by number, without crosscapt, make chains both ways: \
         set another capt_dir",
    ),
    error(
        "both_mlaps_next",
        &["capt_dir", "capt_type", "mlaps"],
        |p| p.capt_dir == CaptDir::Both && p.capt_type == CaptType::Next && p.mlaps != Mlaps::Off,
        "with laps NEXT captures ahead only: set capt_dir to SOW or mlaps to OFF",
    ),
    missing(
        "lcapt_no_ctype",
        &["capt_type", "sow_rule"],
        |p| p.sow_rule == SowRule::LapCapt && !captures_in_laps(p),
        "there are no rules for captures of {capt_type} between laps: set capt_type to NONE, NEXT \
         or TWO_OUT",
    ),
    missing(
        "ogol_no_ctype",
        &["capt_type", "sow_rule"],
        |p| p.sow_rule == SowRule::LapCaptOppGets && !captures_in_laps(p),
        "there are no rules for captures of {capt_type} between laps: set capt_type to NONE, NEXT \
         or TWO_OUT",
    ),
    missing(
        "opp1ccw_noterr",
        &["capt_type", "goal"],
        |p| p.capt_type == CaptType::CaptOpp1Ccw && territory(p),
        "there are no rules for CAPT_OPP_1CCW where owners of holes change: set another \
         capt_type or goal",
    ),
    warning(
        "opp1ccw_noblcks",
        &["blocks", "capt_type"],
        |p| p.capt_type == CaptType::CaptOpp1Ccw && p.blocks,
        "the hole that allows CAPT_OPP_1CCW can be closed: set blocks to false",
    ),
    missing(
        "lcs_presow_capt",
        &["presowcapt", "sow_rule"],
        |p| p.sow_rule == SowRule::LapCaptSeeds && p.presowcapt != Presowcapt::None,
        "LAP_CAPT_SEEDS sows on all that was captured, {presowcapt} included: set presowcapt to \
         NONE",
    ),
    missing(
        "lcs_stores",
        &["stores", "sow_rule"],
        |p| p.sow_rule == SowRule::LapCaptSeeds && p.stores,
        "LAP_CAPT_SEEDS sows on all that was captured and keeps nothing: set stores to false",
    ),
    error(
        "lcs_collect",
        &["capt_type", "crosscapt", "sow_rule"],
        |p| p.sow_rule == SowRule::LapCaptSeeds && p.capt_type == CaptType::None && !across(p),
        "LAP_CAPT_SEEDS would sow on from the hole it captured, as laps do anyway: set capt_type \
         or crosscapt",
    ),
    warning(
        "lcs_ctype_warn",
        &["capt_type", "sow_rule"],
        |p| {
            p.sow_rule == SowRule::LapCaptSeeds
                && matches!(p.capt_type, CaptType::Next | CaptType::Singletons)
        },
        "LAP_CAPT_SEEDS with {capt_type} makes long sowings: set another capt_type if they are \
         not wanted",
    ),
    error(
        "bcapt_enpas_only",
        &["capt_on", "evens", "capt_min", "capt_max", "capt_type"],
        |p| {
            basic(p)
                && !en_passant(p)
                && matches!(
                    p.capt_type,
                    CaptType::MatchOpp | CaptType::PassStoreCapt | CaptType::SandwichCapt
                )
        },
        "{capt_type} asks for no number of seeds: leave out capt_on, evens, capt_min and \
         capt_max, or set a sow_rule that captures while sowing",
    ),
    error(
        "enpas_no_capttype",
        &["capt_type", "sow_rule"],
        |p| {
            en_passant(p)
                && matches!(
                    p.capt_type,
                    CaptType::Singletons
                        | CaptType::CaptOpp1Ccw
                        | CaptType::PullAcross
                        | CaptType::EndOppStoreCapt
                )
        },
        "{capt_type} does not go with captures while sowing ({sow_rule}): set another capt_type",
    ),
    error(
        "enpas_gs_not",
        &["grandslam", "sow_rule"],
        |p| en_passant(p) && p.grandslam != GrandSlam::Legal,
        "{grandslam} does not look at captures while sowing ({sow_rule}): set grandslam to LEGAL",
    ),
    error(
        "enpas_basic_capt",
        &["capt_on", "evens", "capt_min", "capt_max", "sow_rule"],
        |p| en_passant(p) && !basic(p),
        "{sow_rule} needs the number of seeds that is captured: set capt_on, evens, capt_min or \
         capt_max",
    ),
    error(
        "xpick_requires_cross",
        &["xcpickown", "crosscapt"],
        |p| p.xcpickown != XcPickOwn::Leave && !across(p),
        "{xcpickown} is about captures across and there are none: set crosscapt, or xcpickown to \
         LEAVE",
    ),
    error(
        "xc_const_pickextra",
        &["pickextra", "crosscapt"],
        |p| across(p) && p.pickextra == PickExtra::PickCross && basic(p),
        "crosscapt takes by number from where PICKCROSS takes everything: set pickextra to NONE, \
         or crosscapt to NONE",
    ),
    warning(
        "xpick_pickcross",
        &["pickextra", "crosscapt"],
        |p| across(p) && p.pickextra == PickExtra::PickCross && !basic(p),
        "crosscapt takes what PICKCROSS takes: set pickextra to NONE",
    ),
    missing(
        "xcross_all_nlaps",
        &["crosscapt", "mlaps"],
        |p| p.crosscapt == CrossCapt::Any && p.mlaps != Mlaps::Off,
        "there are no rules for captures across from any hole with laps: set mlaps to OFF, or \
         crosscapt to ONE_ZEROS or ONE_ANY",
    ),
    error(
        "moveall_no_locks",
        &["moveunlock", "allow_rule"],
        |p| moves_all_first(p) && p.moveunlock,
        "MOVE_ALL_HOLES_FIRST uses the locks itself: set moveunlock to false",
    ),
    error(
        "moveall_no_capttype",
        &["capt_type", "allow_rule"],
        |p| moves_all_first(p) && p.capt_type == CaptType::TwoOut,
        "MOVE_ALL_HOLES_FIRST does not go with TWO_OUT: set another capt_type",
    ),
    error(
        "moveall_no_picker",
        &["xcpickown", "pickextra", "allow_rule"],
        |p| {
            moves_all_first(p)
                && (p.xcpickown != XcPickOwn::Leave || p.pickextra != PickExtra::None)
        },
        "MOVE_ALL_HOLES_FIRST does not go with picking seeds from other holes: set xcpickown to \
         LEAVE and pickextra to NONE",
    ),
    error(
        "pcm_multi",
        &["multicapt", "pickextra"],
        |p| p.pickextra == PickExtra::PickCrossMult && p.multicapt == 0,
        "PICKCROSSMULT is about chains of captures: set multicapt, or pickextra to PICKCROSS",
    ),
    error(
        "scont_mcapt",
        &["multicapt", "capt_side"],
        |p| matches!(p.capt_side, CaptSide::OppCont | CaptSide::OwnCont) && p.multicapt == 0,
        "{capt_side} is about chains of captures: set multicapt, or capt_side to OPP_SIDE or \
         OWN_SIDE",
    ),
    error(
        "ctype_no_multi",
        &["multicapt", "capt_type"],
        |p| {
            p.multicapt != 0
                && matches!(
                    p.capt_type,
                    CaptType::Singletons | CaptType::CaptOpp1Ccw | CaptType::SandwichCapt
                )
        },
        "{capt_type} makes no chains: set multicapt to 0",
    ),
    error(
        "str_capt_stores",
        &["stores", "capt_type"],
        |p| captures_store(p) && !p.stores,
        "{capt_type} takes a store and there are none: set stores to true",
    ),
    error(
        "str_capt_single",
        &["multicapt", "capt_type"],
        |p| captures_store(p) && p.multicapt != 0,
        "{capt_type} makes no chains: set multicapt to 0",
    ),
    error(
        "pacross_same_dir",
        &["capt_dir", "capt_type", "multicapt"],
        |p| p.capt_type == CaptType::PullAcross && p.multicapt != 0 && p.capt_dir != CaptDir::Sow,
        "a chain of PULL_ACROSS goes on into empty holes, which lie ahead: set capt_dir to SOW or \
         multicapt to 0",
    ),
    error(
        "end_opp_both",
        &["sow_stores", "capt_type"],
        |p| {
            p.capt_type == CaptType::EndOppStoreCapt
                && !matches!(p.sow_stores, SowStores::BothNr | SowStores::BothNrOpp)
        },
        "END_OPP_STORE_CAPT needs sowings that end in the opponent's store without a repeat turn: \
         set sow_stores to BOTH_NR or BOTH_NR_OPP",
    ),
];

/// Whether the capture stage can capture at all.
fn captures(p: &Params) -> bool {
    p.capt_type != CaptType::None || basic(p) || across(p)
}

/// Whether the required numbers contradict each other.
fn contradict(p: &Params) -> bool {
    let (least, most) = (p.capt_on.iter().min(), p.capt_on.iter().max());
    (p.capt_max != 0 && p.capt_min > p.capt_max)
        || (p.evens && least.is_some() && p.capt_on.iter().all(|seeds| seeds % 2 != 0))
        || most.is_some_and(|most| *most < p.capt_min)
        || (p.capt_max != 0 && least.is_some_and(|least| *least > p.capt_max))
}

fn chains_both_ways(p: &Params) -> bool {
    match p.capt_type {
        CaptType::Next | CaptType::MatchOpp => true,
        CaptType::None => basic(p) && !across(p),
        _ => false,
    }
}

fn captures_in_laps(p: &Params) -> bool {
    matches!(p.capt_type, CaptType::None | CaptType::Next | CaptType::TwoOut)
}

fn captures_store(p: &Params) -> bool {
    matches!(p.capt_type, CaptType::PassStoreCapt | CaptType::EndOppStoreCapt)
}

fn moves_all_first(p: &Params) -> bool {
    p.allow_rule == AllowRule::MoveAllHolesFirst
}
