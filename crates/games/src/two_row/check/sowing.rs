//! Rules about laps, sowing into stores, and special kinds of sowing.

use super::facts::{one_way, sows_stores};
use super::rule::{Rule, error, missing, warning};
use crate::two_row::params::{MlapCont, Mlaps, Prescribed, SowRule};

pub(super) const RULES: &[Rule] = &[
    error(
        "srule_lapper",
        &["mlaps", "sow_rule"],
        |p| {
            matches!(
                p.sow_rule,
                SowRule::ChangeDirLap
                    | SowRule::LapCapt
                    | SowRule::LapCaptOppGets
                    | SowRule::LapCaptSeeds
            ) && p.mlaps == Mlaps::Off
        },
        "{sow_rule} is about laps and there are none: set mlaps to LAPPER",
    ),
    error(
        "mlap_cont",
        &["mlaps", "mlap_cont"],
        |p| p.mlap_cont != MlapCont::None && p.mlaps == Mlaps::Off,
        "{mlap_cont} is about laps and there are none: set mlaps, or mlap_cont to NONE",
    ),
    error(
        "mlap_param",
        &["mlap_param", "mlap_cont"],
        |p| matches!(p.mlap_cont, MlapCont::OnParam | MlapCont::GreqParam) && p.mlap_param == 0,
        "{mlap_cont} needs a number of seeds: set mlap_param",
    ),
    error(
        "mlap_sown",
        &["sow_stores", "mlap_cont"],
        |p| matches!(p.mlap_cont, MlapCont::StopStore | MlapCont::NotFromStore) && !sows_stores(p),
        "{mlap_cont} is about seeds that fall into stores and none do: set sow_stores, or \
         mlap_cont to NONE",
    ),
    missing(
        "sow_own_not_rules",
        &["sow_rule", "sow_stores"],
        |p| {
            sows_stores(p)
                && !matches!(
                    p.sow_rule,
                    SowRule::None
                        | SowRule::NoSowOppNs
                        | SowRule::ChangeDirLap
                        | SowRule::MaxSow
                        | SowRule::LapCapt
                        | SowRule::NoOppChild
                        | SowRule::LapCaptSeeds
                        | SowRule::NoChildren
                )
        },
        "there are no rules for {sow_rule} where stores are sown into: set sow_stores to NEITHER \
         or another sow_rule",
    ),
    warning(
        "sow_own_prescribed",
        &["prescribed", "sow_stores"],
        |p| {
            sows_stores(p)
                && matches!(
                    p.prescribed,
                    Prescribed::BasicSower
                        | Prescribed::MlapsSower
                        | Prescribed::Sow1Opp
                        | Prescribed::Plus1Minus1
                )
        },
        "the opening {prescribed} does not sow into stores as {sow_stores} does: set prescribed \
         to NONE",
    ),
    warning(
        "nu1st_cw_ccw",
        &["sow_direct", "prescribed"],
        |p| p.prescribed == Prescribed::NoUdirFirsts && !one_way(p),
        "NO_UDIR_FIRSTS sows the first moves by sow_direct, and {sow_direct} is no direction: \
         set sow_direct to CW or CCW",
    ),
];
