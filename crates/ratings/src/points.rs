//! Points, exact to the hundredth, so that ranks and files never depend on rounding.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};

use pitmaster_core::Mark;
use serde::{Deserialize, Serialize};

use super::Tally;

/// Points, stored in hundredths.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(try_from = "f64", into = "f64")]
pub struct Points(i64);

/// Error for a number that cannot be points.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("points are between -1000 and 1000 in steps of 0.01, not {0}")]
pub struct PointsError(pub f64);

/// Points for each result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointsFor {
    /// Points for a win.
    pub win: Points,
    /// Points for a draw.
    pub draw: Points,
    /// Points for a loss.
    pub loss: Points,
}

impl Points {
    /// Makes points from hundredths of a point.
    pub const fn hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Returns the points in hundredths.
    pub const fn in_hundredths(self) -> i64 {
        self.0
    }
}

impl TryFrom<f64> for Points {
    type Error = PointsError;

    fn try_from(points: f64) -> Result<Self, PointsError> {
        let hundredths = (points * 100.0).round();
        let fits = points.abs() <= 1000.0 && (points * 100.0 - hundredths).abs() < 1e-6;
        if fits { Ok(Self(hundredths as i64)) } else { Err(PointsError(points)) }
    }
}

impl From<Points> for f64 {
    fn from(points: Points) -> Self {
        points.0 as Self / 100.0
    }
}

/// Formatted with two decimals.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        f.pad(&format!("{sign}{}.{:02}", size / 100, size % 100))
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<u32> for Points {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

impl PointsFor {
    /// Points for a result.
    pub fn mark(&self, mark: Mark) -> Points {
        match mark {
            Mark::Win => self.win,
            Mark::Draw => self.draw,
            Mark::Loss => self.loss,
        }
    }

    /// Points for a tally.
    pub fn tally(&self, tally: &Tally) -> Points {
        let lost = tally.losses + tally.both_lost;
        self.win * tally.wins + self.draw * tally.draws + self.loss * lost
    }
}

impl Default for PointsFor {
    /// 1 for a win, ½ for a draw, 0 for a loss.
    fn default() -> Self {
        Self { win: Points(100), draw: Points(50), loss: Points(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_shown_with_two_decimals() {
        let shown = |points: f64| Points::try_from(points).map(|p| p.to_string());
        assert_eq!(shown(2.5), Ok("2.50".into()));
        assert_eq!(shown(-0.07), Ok("-0.07".into()));
        assert_eq!(shown(0.333), Err(PointsError(0.333)));
        assert!(shown(f64::NAN).is_err() && shown(1e9).is_err());
    }

    #[test]
    fn tenths_add_up_exactly() {
        let tenth = Points::try_from(0.1).unwrap();
        assert_eq!((0..10).map(|_| tenth).sum::<Points>(), Points(100));
        assert_eq!(tenth * 30, Points(300));
    }
}
