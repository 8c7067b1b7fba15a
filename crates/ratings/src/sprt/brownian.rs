//! Brownian motion from 0 until it reaches one of two bounds.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::erfc;

/// Brownian motion, per unit of time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brownian {
    /// Mean of a step.
    pub(super) drift: f64,
    /// Variance of a step.
    pub(super) variance: f64,
}

/// Weight below which images are ignored.
const NEGLIGIBLE: f64 = 1e-18;

impl Brownian {
    /// Probability of reaching the lower bound first: with γ = 2 drift/variance, (1 - e^(-γ
    /// high))/(e^(-γ low) - e^(-γ high)).
    pub(super) fn meets_low(&self, (low, high): (f64, f64)) -> f64 {
        let gamma = 2.0 * self.drift / self.variance;
        let width = high - low;
        if (gamma * width).abs() < 1e-9 {
            return high / width;
        }
        // Written to avoid overflow.
        if gamma > 0.0 {
            (gamma * low).exp() * (-gamma * high).exp_m1() / (-gamma * width).exp_m1()
        } else {
            (gamma * high).exp_m1() / (gamma * width).exp_m1()
        }
    }

    /// Mean time until it reaches a bound (Wald's identity).
    pub(super) fn length(&self, (low, high): (f64, f64)) -> f64 {
        if (self.drift / self.variance * (high - low)).abs() < 1e-6 {
            return -low * high / self.variance;
        }
        let at_low = self.meets_low((low, high));
        (at_low * low + (1.0 - at_low) * high) / self.drift
    }

    /// Probability that it has reached the lower bound by `time`, or is then between the bounds and
    /// not above `place`.
    ///
    /// Uses the method of images: the start is mirrored at both bounds, and the images again and
    /// again. The image at `c` has the weight e^(c · drift/variance), with a sign that changes with
    /// each mirror, and its mass is counted as it comes from outside. Up to rounding the sum is
    /// exact.
    pub(super) fn below(&self, (low, high): (f64, f64), time: f64, place: f64) -> f64 {
        let width = high - low;
        let deviation = (self.variance * time).sqrt();
        // After such a long walk, all but one in 10^21 have reached a bound.
        if deviation > 3.2 * width {
            return self.meets_low((low, high));
        }
        let image = |at: f64| self.image(at, time, deviation, place);
        let mut sum = image(0.0);
        for mirrors in 0.. {
            let far = 2.0 * width * f64::from(mirrors);
            let near = [image(2.0 * high + far), image(2.0 * low - far)];
            let next = [image(2.0 * width + far), image(-2.0 * width - far)];
            sum += near[1] - near[0] + next[0] - next[1];
            if near.iter().chain(&next).all(|part| *part < NEGLIGIBLE) {
                break;
            }
        }
        sum.clamp(0.0, 1.0)
    }

    /// Mass of the image at `at` that has passed `place` on its way from there; for the start
    /// itself, the mass that has not passed it upward.
    fn image(&self, at: f64, time: f64, deviation: f64, place: f64) -> f64 {
        let passed = (place - at - self.drift * time) / deviation;
        let passed = if at < 0.0 { -passed } else { passed };
        (self.drift / self.variance * at + log_normal(passed)).exp()
    }
}

/// Logarithm of the standard normal distribution function. Where the function itself would
/// underflow to 0, its asymptotic series is used (Abramowitz and Stegun 26.2.12).
fn log_normal(x: f64) -> f64 {
    if x > -20.0 {
        return (0.5 * erfc(-x / SQRT_2)).ln();
    }
    let by = 1.0 / (x * x);
    let series = 1.0 - by * (1.0 - 3.0 * by * (1.0 - 5.0 * by * (1.0 - 7.0 * by)));
    -0.5 * x * x - (-x * (2.0 * PI).sqrt()).ln() + series.ln()
}
