//! The formats: who meets whom, in which order.
//!
//! Those that look at no results are arithmetic and take no memory: [`RoundRobin`],
//! [`Gauntlet`]. Those that pair by results decide in batches ([`Rounds`]), by a [`PairingRule`] each.
//! [`Stages`] chains them.

mod gauntlet;
mod groups;
mod knockout;
mod ladder;
mod matching;
mod round_robin;
mod rounds;
mod shard;
mod sprt;
mod stages;
mod swiss;

#[cfg(test)]
mod fixtures;

pub use round_robin::RoundRobin;
pub(super) use shard::Share;
pub use sprt::{SequentialTest, TestEnd};
pub(super) use stages::{Start, start};

use gauntlet::Gauntlet;
use groups::Groups;
use knockout::Knockout;
use ladder::Ladder;
use rounds::{PairingRule, Rounds};
use swiss::Swiss;

/// How many rounds a Swiss tournament of so many bots has where nobody says.
pub(super) fn usual_rounds(bots: usize) -> u32 {
    Swiss::usual_rounds(bots)
}

/// The number of the next pairing of a plan that is arithmetic on it, if there is one; `next` counts.
fn numbered(next: &mut u64, count: u64) -> Option<u64> {
    let number = *next;
    *next += u64::from(number < count);
    (number < count).then_some(number)
}
