//! Scales: map values to coordinates of a picture.

use crate::number::fixed;

/// Interval of values and its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    values: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    /// Scale with the lowest and the highest value, and the positions of the two.
    pub(super) fn new([low, high]: [f64; 2], places: [f64; 2]) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { values: [low, high], places }
    }

    /// Position of a value, clamped to the range.
    pub(super) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let share = (value.clamp(low, high) - low) / (high - low);
        self.places[0] + share * (self.places[1] - self.places[0])
    }

    /// Whether a value lies inside.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.values[0]..=self.values[1]).contains(&value)
    }

    /// Round values inside the range, at most this many.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        let [low, high] = self.values;
        let step = round_step((high - low) / most.max(1) as f64);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    /// Round integer values for counts.
    pub(super) fn whole_ticks(&self, most: usize) -> Vec<f64> {
        let is_whole = |value: &f64| (value - value.round()).abs() < 1e-9;
        self.ticks(most).into_iter().filter(is_whole).collect()
    }
}

/// The least of 1, 2, 5, 10, 20, 50… (and of their tenths, and so on) that is not below `least`.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(power * 10.0)
}

/// Axis label of a value, without trailing zeros.
pub(super) fn tick_label(value: f64) -> String {
    let text = fixed(value, 6);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_places() {
        let scale = Scale::new([0.0, 10.0], [100.0, 200.0]);
        let places = [-5.0, 0.0, 2.5, 99.0].map(|value| tick_label(scale.at(value)));
        assert_eq!(places, ["100", "100", "125", "200"]);
        assert!(scale.holds(10.0) && !scale.holds(10.1));
        assert!(Scale::new([3.0, 3.0], [0.0, 1.0]).at(3.0).is_finite());
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |low, high, most| Scale::new([low, high], [0.0, 1.0]).ticks(most);
        assert_eq!(ticks(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(1234.0, 1710.0, 4), [1400.0, 1600.0]);
        assert_eq!(ticks(-0.3, 0.3, 4), [-0.2, 0.0, 0.2]);
        assert_eq!(Scale::new([0.0, 2.0], [0.0, 1.0]).whole_ticks(5), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn labels_say_what_is_needed() {
        assert_eq!([0.0, 1400.0, 0.3, -0.005].map(tick_label), ["0", "1400", "0.3", "-0.005"]);
    }
}
