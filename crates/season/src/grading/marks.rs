//! Points of a grade.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use pitmaster_core::i18n::Fill;
use serde::{Deserialize, Serialize};

/// Points of a grade in thousandths, so that sums are exact.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Points(i64);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// Nearest thousandth.
    pub fn from_number(number: f64) -> Self {
        Self((number * 1000.0).round() as i64)
    }

    /// Reads a number with a decimal point or comma.
    pub fn parse(text: &str) -> Option<Self> {
        let number: f64 = text.trim().replace(',', ".").parse().ok()?;
        (number.is_finite() && number.abs() < 1e9).then(|| Self::from_number(number))
    }

    /// Rounds to a multiple of `step`, halves up.
    #[must_use]
    pub fn rounded(self, step: Self) -> Self {
        if step.0 <= 0 {
            return self;
        }
        Self((2 * self.0 + step.0).div_euclid(2 * step.0) * step.0)
    }

    /// `part / whole` of the points.
    #[must_use]
    pub fn share(self, part: u32, whole: u32) -> Self {
        Self(self.0 * i64::from(part) / i64::from(whole.max(1)))
    }

    /// Multiplies the points.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self(self.0 * i64::from(count))
    }
}

impl Points {
    /// The points as a number, for programs.
    pub fn number(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// The points as an argument of a message.
    pub fn fill(self) -> Fill {
        Fill::number(self.to_string())
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

/// With a point and without trailing zeros: `17.5`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / 1000, self.0.abs() % 1000);
        let rest = format!("{rest:03}");
        match rest.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            rest => write!(f, "{sign}{whole}.{rest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_as_short_as_possible() {
        let shown = |number| Points::from_number(number).to_string();
        assert_eq!([shown(17.5), shown(20.0), shown(-0.25)], ["17.5", "20", "-0.25"]);
        assert_eq!(Points::parse(" 1,5 "), Some(Points::from_number(1.5)));
        assert_eq!(Points::parse("x"), None);
    }

    #[test]
    fn halves_are_rounded_up() {
        let rounded =
            |number: f64| Points::from_number(number).rounded(Points::from_number(0.5)).to_string();
        assert_eq!([rounded(1.25), rounded(1.249), rounded(0.0)], ["1.5", "1", "0"]);
    }
}
