//! Observer of a move, seed by seed. Observing with `()` has no cost.

use pitmaster_core::Side;

/// Something that watches the steps of a move.
pub trait Observer {
    /// Whether it wants to hear anything; a constant, so that the other branch vanishes.
    const ACTIVE: bool;

    /// Hears a step.
    fn step(&mut self, step: Step);
}

/// A place that seeds come from or go to within a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spot {
    /// A hole, counted from 0 in the game's order.
    Hole(u8),
    /// The store of a side: what it has captured or sown there.
    Store(Side),
    /// Out of play, for nobody, and in no store either.
    Away,
}

/// What happens to the board within a move. `kind` is the game's number for the kind of seed
/// (0 where there is one kind). The steps of a move add up: they make the board and the stores
/// after it of those before. A layout, a swap and a step of chance are no steps: whoever
/// follows the board takes it anew after one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Seeds are lifted out of a hole, or out of a store that is sown from.
    Lift {
        /// From where.
        from: Spot,
        /// How many.
        seeds: u16,
    },
    /// One seed is sown: into a hole or a store, or out of play where a limit of laps ends the
    /// game with seeds in hand.
    Sow {
        /// Where.
        to: Spot,
        /// Of what kind.
        kind: u8,
    },
    /// A new lap begins with what lies there; if that is anything, it is lifted next.
    Lap {
        /// Where.
        from: Spot,
    },
    /// Seeds are captured.
    Capture {
        /// From where.
        from: Spot,
        /// How many.
        seeds: u16,
        /// Where they are put: a store, or a hole that collects captures.
        to: Spot,
    },
    /// Seeds move and are no capture: what is left in a hole at the end or after starving, what
    /// a hole that closes had, what came into a store that a child stands for.
    Sweep {
        /// From where.
        from: Spot,
        /// How many.
        seeds: u16,
        /// Where they are put, if anywhere.
        to: Spot,
    },
}

impl Observer for () {
    const ACTIVE: bool = false;

    fn step(&mut self, _: Step) {}
}

/// Collects every step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps(pub Vec<Step>);

impl Observer for Steps {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}
