//! Points for a result, exact: whole thousandths, so that sums are the same in any order.

use std::fmt;

use crate::record::Mark;

/// A number of points in whole thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thousandths(pub u32);

impl Thousandths {
    /// The nearest number of points, if `points` is within a millionth of one and not
    /// negative.
    pub fn from_points(points: f64) -> Option<Self> {
        let scaled = points * 1000.0;
        let whole = scaled.round();
        let fits = (scaled - whole).abs() < 0.001 && (0.0..=f64::from(u32::MAX)).contains(&whole);
        fits.then_some(Self(whole as u32))
    }

    /// As a plain number, for formulas.
    pub fn as_points(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// Without needless zeros: `1`, `0.5`.
impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// What each result is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Points {
    /// For a win.
    pub win: Thousandths,
    /// For a draw.
    pub draw: Thousandths,
    /// For a loss.
    pub loss: Thousandths,
}

impl Points {
    /// What a mark is worth.
    pub fn of(&self, mark: Mark) -> Thousandths {
        match mark {
            Mark::Win => self.win,
            Mark::Draw => self.draw,
            Mark::Loss => self.loss,
        }
    }
}

impl Default for Points {
    fn default() -> Self {
        Self { win: Thousandths(1000), draw: Thousandths(500), loss: Thousandths(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_exact_or_refused() {
        for (points, text) in [(0.0, "0"), (0.5, "0.5"), (1.0, "1"), (0.333, "0.333"), (10.0, "10")]
        {
            assert_eq!(Thousandths::from_points(points).expect(text).to_string(), text);
        }
        for points in [-1.0, 0.0005, 1.0 / 3.0, f64::NAN, f64::INFINITY, 1e12] {
            assert_eq!(Thousandths::from_points(points), None, "{points}");
        }
    }
}
