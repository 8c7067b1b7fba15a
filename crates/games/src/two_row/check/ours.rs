//! Pitmaster's own rules: limits of position storage, and combinations that would create or lose
//! seeds, never end, or have no meaning. Combinations that the engine handles without a loss are
//! allowed. The parameter's text or the code of the stage documents how.

use super::facts::{east_west, gives_away, holes, looks_ahead, names_row, own_rings, sows_stores};
use super::rule::{Rule, error, missing, warning};
use crate::two_row::params::{
    AllowRule, CaptRturn, CaptType, ChildLocs, ChildType, Class, CrossCapt, Params, Prescribed,
    SowRule, StartPattern, XcPickOwn,
};

/// Maximum number of seeds in play.
pub(in crate::two_row) const MAX_SEEDS: i64 = 30_000;
/// Maximum of other numbers.
const MAX_NUMBER: i32 = 30_000;
/// Maximum length of a list of numbers to capture.
const MAX_LIST: usize = 64;

/// Limits, of every class.
pub(super) const LIMITS: &[Rule] = &[
    error(
        "too_many_seeds",
        &["nbr_start", "holes"],
        |p| i64::from(p.nbr_start) * 2 * i64::from(holes(p).max(2)) > MAX_SEEDS,
        "a game has 30000 seeds at most, and nbr_start {nbr_start} could make more on {holes} \
         holes a side: set a smaller nbr_start",
    ),
    error(
        "negative_number",
        &["goal_param", "end_param", "mlap_param", "sow_param", "child_cvt", "nocaptmoves"],
        |p| counts(p).iter().any(|number| *number < 0),
        "a number of seeds or moves cannot be negative: goal_param is {goal_param}, end_param \
         {end_param}, mlap_param {mlap_param}, sow_param {sow_param}, child_cvt {child_cvt}, \
         nocaptmoves {nocaptmoves}",
    ),
    error(
        "number_too_large",
        &["goal_param", "end_param", "mlap_param", "sow_param", "child_cvt", "nocaptmoves"],
        |p| counts(p).iter().any(|number| *number > MAX_NUMBER),
        "numbers are 30000 at most: goal_param is {goal_param}, end_param {end_param}, \
         mlap_param {mlap_param}, sow_param {sow_param}, child_cvt {child_cvt}, nocaptmoves \
         {nocaptmoves}",
    ),
    error(
        "capture_numbers",
        &["capt_min", "capt_max", "capt_on"],
        |p| {
            let possible = 0..=MAX_NUMBER;
            !possible.contains(&p.capt_min)
                || !possible.contains(&p.capt_max)
                || p.capt_on.len() > MAX_LIST
                || p.capt_on.iter().any(|seeds| !(1..=MAX_NUMBER).contains(seeds))
        },
        "numbers of seeds to capture are from 1 to 30000, 64 of them at most, and 0 switches \
         capt_min and capt_max off: capt_min is {capt_min}, capt_max {capt_max}, capt_on {capt_on}",
    ),
    error(
        "multicapt_range",
        &["multicapt"],
        |p| !(-1..=MAX_NUMBER).contains(&p.multicapt),
        "multicapt is a number of captures, 0 for no chains, -1 for no limit, and not {multicapt}",
    ),
    error(
        "udir_repeated",
        &["udir_holes"],
        |p| {
            let repeated = |(at, hole)| p.udir_holes[..at].contains(hole);
            p.udir_holes.len() <= 21 && p.udir_holes.iter().enumerate().any(repeated)
        },
        "udir_holes {udir_holes} lists a hole twice: list each once",
    ),
];

/// Combinations.
pub(super) const RULES: &[Rule] = &[
    error(
        "xpick_any",
        &["xcpickown", "crosscapt"],
        |p| p.crosscapt == CrossCapt::Any && p.xcpickown == XcPickOwn::PickOnCapt,
        "PICK_ON_CAPT takes a single seed and with crosscapt ANY there may be more, which would \
         be lost: set xcpickown to LEAVE or ALWAYS_PICK, or crosscapt to ONE_ANY",
    ),
    missing(
        "lcapt_cross_rturn",
        &["capt_rturn", "xc_sown", "crosscapt", "sow_rule"],
        |p| {
            // With ONE_ANY, laps capture as if there were no cross capture, and no lap uses xc_sown
            // if capt_type replaces the cross capture.
            let repeats =
                p.capt_rturn != CaptRturn::NoRepeat || p.xc_sown && p.capt_type == CaptType::None;
            matches!(p.sow_rule, SowRule::LapCapt | SowRule::LapCaptOppGets)
                && p.crosscapt == CrossCapt::OneZeros
                && repeats
        },
        "there are no rules for repeat turns by captures across between laps ({sow_rule} with \
         ONE_ZEROS): set capt_rturn to NO_REPEAT and xc_sown to false, or crosscapt to ONE_ANY",
    ),
    missing(
        "ram_fixed_right",
        &["child_locs", "child_type"],
        |p| p.child_type == ChildType::Ram && p.child_locs == ChildLocs::FixedOneRight,
        "there are no rules for rams beside the children of FIXED_ONE_RIGHT: set child_locs to \
         ANYWHERE or another child_type",
    ),
    missing(
        "ring_across_ones",
        &["allow_rule", "game_class"],
        |p| p.game_class == Class::EastWestCycle && p.allow_rule == AllowRule::NotXfrom1s,
        "there are no rules for NOT_XFROM_1S in the class EastWestCycle, where the hole across \
         is the mover's own: set another allow_rule",
    ),
    missing(
        "occupied_both_rows",
        &["allow_rule", "goal", "no_sides"],
        |p| p.allow_rule == AllowRule::Occupied && names_row(p),
        "OCCUPIED tries the moves of one row and moves here are of both: set another allow_rule",
    ),
    missing(
        "ring_tries_moves",
        &["allow_rule", "game_class"],
        |p| looks_ahead(p) && (east_west(p) || gives_away(p)),
        "there are no rules for {allow_rule}, which tries moves, in the class {game_class}: set \
         another allow_rule",
    ),
    warning(
        "p1m1_pattern",
        &["prescribed", "start_pattern"],
        |p| p.prescribed == Prescribed::Plus1Minus1 && leaves_empty(p.start_pattern),
        "PLUS1MINUS1 takes a seed from every other hole, and those that {start_pattern} leaves \
         empty have none to give: set start_pattern to ALL_EQUAL or another prescribed",
    ),
    missing(
        "s1_sow_start",
        &["sow_start", "game_class"],
        |p| p.game_class == Class::ShareOne && p.sow_start,
        "a seed that is shared leaves its hole, and sow_start would leave it there: set sow_start \
         to false",
    ),
    missing(
        "bo_sow_stores",
        &["sow_stores", "game_class"],
        |p| p.game_class == Class::BearOff && sows_stores(p),
        "there are no rules for bearing off where stores are sown into: set sow_stores to NEITHER",
    ),
    missing(
        "zz_all_udir",
        &["udir_holes", "game_class"],
        |p| p.game_class == Class::ZigZag && (0..p.holes).all(|hole| p.udir_holes.contains(&hole)),
        "the class ZigZag has a direction for every hole but the middle one: leave other holes \
         out of udir_holes",
    ),
    missing(
        "grat_drawn_move",
        &["start_pattern", "game_class"],
        |p| {
            gives_away(p)
                && matches!(p.start_pattern, StartPattern::MoveRandom | StartPattern::MoveRightmost)
        },
        "a first move of {start_pattern} could capture, and nobody would give the seeds away: set another \
         start_pattern",
    ),
    error(
        "ring_sow1opp",
        &["prescribed", "game_class"],
        |p| own_rings(p) && p.prescribed == Prescribed::Sow1Opp,
        "with a ring for each player no seed reaches the opponent as SOW1OPP wants: set another \
         prescribed",
    ),
    missing(
        "ring_no_sides_stores",
        &["sow_stores", "no_sides", "game_class"],
        // If the rings are halves, no player moves the other half.
        |p| own_rings(p) && !east_west(p) && p.no_sides && sows_stores(p),
        "with a ring for each player the other's holes are not on the way to the mover's store: \
         set sow_stores to NEITHER or no_sides to false",
    ),
];

/// Numbers that cannot be negative.
fn counts(p: &Params) -> [i32; 6] {
    [p.goal_param, p.end_param, p.mlap_param, p.sow_param, p.child_cvt, p.nocaptmoves]
}

/// Whether a deal leaves holes without seeds.
fn leaves_empty(pattern: StartPattern) -> bool {
    !matches!(
        pattern,
        StartPattern::AllEqual
            | StartPattern::RightmostPlusOne
            | StartPattern::NoRepeatSowOwn
            | StartPattern::MoveRightmost
            | StartPattern::MoveRandom
    )
}
