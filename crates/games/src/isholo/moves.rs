//! Moves and their notation: `a3`, `a3@b5@a1`, `a3=a1:2,b4:1`. The module does not know positions.

use std::fmt;

use pitmaster_core::below;
use rand::Rng;

use super::hole::{COLUMNS, Hole};
use super::sowing::SEEDS;
use crate::TextError;
use crate::holes::HOLES;
use crate::text::number;

/// Move of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Sows a hole: `a3`. In games 2a and 2b, with the holes chosen where several have the most
    /// seeds: `a3@b5@a1`.
    Sow {
        /// Hole of the mover.
        hole: Hole,
        /// One hole for each choice.
        choices: Choices,
    },
    /// Sows a hole and lays out the captured seeds: `a3=a1:2,b4:1`. Game 3.
    Lay {
        /// Hole of the mover.
        hole: Hole,
        /// Layout in the opponent's holes.
        layout: Layout,
    },
}

/// Move that needs a layout: `a3=*4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Template {
    /// Hole of the mover that is sown.
    pub hole: Hole,
    /// Number of captured seeds.
    pub seeds: u8,
}

/// Chosen holes, in the order of the choices. At most eight: each follows a capture, which empties
/// one of eight columns that nothing refills within the move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choices {
    /// Entries beyond `len` are identical, so that equal values are equal bit by bit.
    holes: [Hole; COLUMNS],
    len: u8,
}

/// Number of seeds for each hole of the opponent, by the hole's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout([u8; HOLES]);

impl Choices {
    /// No choices.
    pub const NONE: Self = Self { holes: [Hole::ALL[0]; COLUMNS], len: 0 };

    /// Adds a choice; returns `None` if there are eight already.
    #[must_use]
    pub fn and(mut self, hole: Hole) -> Option<Self> {
        *self.holes.get_mut(usize::from(self.len))? = hole;
        self.len += 1;
        Some(self)
    }
}

impl std::ops::Deref for Choices {
    type Target = [Hole];

    fn deref(&self) -> &[Hole] {
        &self.holes[..usize::from(self.len)]
    }
}

impl Layout {
    /// Makes a layout from seeds by hole number.
    pub fn new(seeds: [u8; HOLES]) -> Self {
        Self(seeds)
    }

    /// Draws a uniformly distributed layout of this many seeds. Seeds, and a bar between each two
    /// holes, form a row of places; the places of the bars are drawn one by one.
    pub(super) fn drawn(seeds: u8, rng: &mut dyn Rng) -> Self {
        let mut layout = Self([0; HOLES]);
        let (mut left, mut hole) = (seeds, 0);
        while left > 0 {
            let bars = HOLES - 1 - hole;
            if below(rng, (usize::from(left) + bars) as u64) < bars as u64 {
                hole += 1;
            } else {
                layout.0[hole] += 1;
                left -= 1;
            }
        }
        layout
    }

    /// Holes that get seeds, with their number, in the game's order.
    pub fn filled(&self) -> impl Iterator<Item = (Hole, u8)> {
        Hole::ALL.into_iter().zip(self.0).filter(|(_, seeds)| *seeds > 0)
    }

    /// Total number of seeds.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&seeds| u32::from(seeds)).sum()
    }
}

impl Move {
    /// Makes a move that sows a hole, without choices or a layout.
    pub const fn plain(hole: Hole) -> Self {
        Self::Sow { hole, choices: Choices::NONE }
    }

    /// Hole that is sown.
    pub fn hole(&self) -> Hole {
        let (Self::Sow { hole, .. } | Self::Lay { hole, .. }) = self;
        *hole
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|hole| write!(f, "@{hole}"))
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (hole, seeds)) in self.filled().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{hole}:{seeds}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sow { hole, choices } => write!(f, "{hole}{choices}"),
            Self::Lay { hole, layout } => write!(f, "{hole}={layout}"),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=*{}", self.hole, self.seeds)
    }
}

/// Parses a move in either case, with a layout in any order.
pub(super) fn read(text: &str, example: &str) -> Result<Move, TextError> {
    parse(&text.to_ascii_lowercase()).ok_or_else(|| {
        TextError(format!("a move is a hole from a1 to a8 or b1 to b8 of your own, like {example}"))
    })
}

fn parse(text: &str) -> Option<Move> {
    if let Some((hole, layout)) = text.split_once('=') {
        return Some(Move::Lay { hole: Hole::read(hole)?, layout: parse_layout(layout)? });
    }
    let mut holes = text.split('@').map(Hole::read);
    let hole = holes.next()??;
    let choices = holes.try_fold(Choices::NONE, |choices, hole| choices.and(hole?))?;
    Some(Move::Sow { hole, choices })
}

fn parse_layout(text: &str) -> Option<Layout> {
    let mut layout = Layout([0; HOLES]);
    for part in text.split(',') {
        let (hole, seeds) = part.split_once(':')?;
        let place = &mut layout.0[Hole::read(hole)?.number()];
        let seeds = number(seeds).filter(|seeds| (1..=SEEDS).contains(&usize::from(*seeds)))?;
        if std::mem::replace(place, seeds) != 0 {
            return None;
        }
    }
    Some(layout)
}
