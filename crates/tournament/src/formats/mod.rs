//! Tournament formats: pairings and their order.
//!
//! Formats that do not depend on results are pure arithmetic and take no memory: [`RoundRobin`],
//! [`Gauntlet`]. Formats that pair by results decide in batches ([`Rounds`]), each with a
//! [`PairingRule`]. [`Stages`] chains formats.

mod gauntlet;
mod groups;
mod knockout;
mod ladder;
mod matching;
mod milestones;
mod practice;
mod round_robin;
mod rounds;
mod sanity;
mod shard;
mod sprt;
mod stages;
mod swiss;

#[cfg(test)]
mod fixtures;

pub use gauntlet::GauntletPlan;
pub use knockout::KnockoutPlan;
pub use ladder::LadderPlan;
pub use milestones::MilestonesPlan;
pub use practice::PracticePlan;
pub use round_robin::{RoundRobin, RoundRobinPlan};
pub use sanity::SanityPlan;
pub(super) use shard::Share;
pub use sprt::{SequentialTest, SprtPlan, TestEnd};
pub(super) use stages::{Start, start};
pub use swiss::SwissPlan;

use gauntlet::Gauntlet;
use groups::Groups;
use rounds::{PairingRule, Rounds, pairings as numbered_pairings};

/// Maximum number of rounds if the file specifies none.
const UNSTATED_ROUNDS: u32 = 24;

/// Number of the next pairing of an arithmetic plan, if there is one. Increments `next`.
fn numbered(next: &mut u64, count: u64) -> Option<u64> {
    let number = *next;
    *next += u64::from(number < count);
    (number < count).then_some(number)
}
