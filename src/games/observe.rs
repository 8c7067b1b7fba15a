//! Watching a move being played, seed by seed. Watching with `()` costs nothing.

/// Something that watches the steps of a move.
pub trait Observer {
    /// Whether it wants to hear anything; a constant, so that the other branch vanishes.
    const ACTIVE: bool;

    /// Hears a step.
    fn step(&mut self, step: Step);
}

/// What happens to the board within a move. Holes are counted from 0 in the game's order,
/// `kind` is the game's number for the kind of seed (0 where there is one kind).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Seeds are lifted out of a hole.
    Lift {
        /// From where.
        hole: u8,
        /// How many.
        seeds: u8,
    },
    /// One seed is sown.
    Sow {
        /// Where.
        hole: u8,
        /// Of what kind.
        kind: u8,
    },
    /// A new lap begins with what lies in the hole.
    Lap {
        /// Where.
        hole: u8,
    },
    /// A hole is captured.
    Capture {
        /// Which.
        hole: u8,
        /// How many seeds.
        seeds: u8,
    },
    /// A side takes what is left in a hole at the end or after starving.
    Sweep {
        /// From where.
        hole: u8,
        /// How many.
        seeds: u8,
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
