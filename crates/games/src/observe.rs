//! Observer of a move, seed by seed. Observing with `()` has no cost.

use pitmaster_core::Side;

/// Observer of the steps of a move.
pub trait Observer {
    /// Whether the observer wants steps; a constant, so that unused code is compiled away.
    const ACTIVE: bool;

    /// Receives a step.
    fn step(&mut self, step: Step);
}

/// Source or destination of seeds within a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spot {
    /// Hole, counted from 0 in the game's order.
    Hole(u8),
    /// Store of a side, with the seeds it has captured or sown there.
    Store(Side),
    /// Out of play: owned by nobody and in no store.
    Away,
}

/// Change of the board within a move. `kind` is the game's number for the kind of seed (0 if there
/// is only one). The steps of a move are complete: applied to the board and the stores before it,
/// they give those after it. A layout, a swap and a chance step produce no steps, so observers must
/// read the board again after one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Seeds are lifted out of a hole, or out of a store that is sown from.
    Lift {
        /// Source.
        from: Spot,
        /// Number of seeds.
        seeds: u16,
    },
    /// One seed is sown: into a hole or a store, or out of play if a limit of laps ends the game
    /// with seeds in hand.
    Sow {
        /// Destination.
        to: Spot,
        /// Kind of the seed.
        kind: u8,
    },
    /// A new lap begins with the seeds at this spot; if there are any, they are lifted next.
    Lap {
        /// Start of the lap.
        from: Spot,
    },
    /// Seeds are captured.
    Capture {
        /// Source.
        from: Spot,
        /// Number of seeds.
        seeds: u16,
        /// Destination: a store, or a hole that collects captures.
        to: Spot,
    },
    /// Seeds move without a capture: the rest of a hole at the end or after starving, the seeds of
    /// a hole that closes, or seeds that reached a store in place of a child.
    Sweep {
        /// Source.
        from: Spot,
        /// Number of seeds.
        seeds: u16,
        /// Destination, if any.
        to: Spot,
    },
}

impl Observer for () {
    const ACTIVE: bool = false;

    fn step(&mut self, _: Step) {}
}

/// Observer that collects every step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps(pub Vec<Step>);

impl Observer for Steps {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}
