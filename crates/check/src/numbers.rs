//! Statistics of a series of games: results, times, memory.

use std::time::Duration;

use pitmaster_core::{Dialect, Mark};
use serde::{Deserialize, Serialize};

use super::harness::Met;

/// Statistics of a series of games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost, by play or by forfeit.
    pub losses: u32,
    /// Times of all moves, sorted. A first move that includes the program's start is left out.
    times: Vec<Duration>,
    /// The slowest of these moves, without the time that it waited for a core.
    worst_own: Option<Duration>,
    /// Peak memory, in bytes.
    pub memory: Option<u64>,
}

impl Numbers {
    /// Adds a game.
    pub(super) fn add(&mut self, met: &Met, dialect: Dialect) {
        match met.record.ending.mark(met.side) {
            Some(Mark::Win) => self.wins += 1,
            Some(Mark::Draw) => self.draws += 1,
            Some(Mark::Loss) | None => self.losses += 1,
        }
        let own = met.record.plies.iter().filter(|ply| ply.by == Some(met.side));
        let cold = usize::from(!dialect.has_handshake());
        let timed: Vec<_> = own.skip(cold).collect();
        self.times.extend(timed.iter().map(|ply| ply.wall));
        let own_times = timed.iter().map(|ply| ply.wall.saturating_sub(ply.waiting));
        self.worst_own = self.worst_own.max(own_times.max());
        self.times.sort_unstable();
        self.memory = self.memory.max(met.log.memory);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Number of timed moves.
    pub fn moves(&self) -> usize {
        self.times.len()
    }

    /// The time that this percentage of moves does not exceed.
    pub fn percentile(&self, percent: usize) -> Option<Duration> {
        let rank = (self.times.len() * percent).div_ceil(100).max(1);
        self.times.get(rank - 1).copied()
    }

    /// Median time of a move.
    pub fn median(&self) -> Option<Duration> {
        self.percentile(50)
    }

    /// Slowest move, without the time that it waited for a core.
    pub fn worst_own(&self) -> Option<Duration> {
        self.worst_own
    }

    /// Slowest move.
    pub fn worst(&self) -> Option<Duration> {
        self.times.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_moves_that_were_played() {
        let times: Vec<_> = (1..=200).map(Duration::from_millis).collect();
        let numbers = Numbers { times, ..Numbers::default() };
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        assert_eq!(millis(numbers.median()), Some(100));
        assert_eq!(millis(numbers.percentile(99)), Some(198));
        assert_eq!(millis(numbers.worst()), Some(200));
        assert_eq!(Numbers::default().median(), None);
    }
}
