//! Numbers with a fixed number of decimals.

use std::time::Duration;

/// Number with a fixed count of decimals; never `-0.0`.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.replacen('-', "", 1) } else { text }
}

/// Milliseconds with three decimals, truncated.
pub fn millis(time: Duration) -> String {
    let micros = time.as_micros();
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_negative_zero() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-0.06, 1), "-0.1");
        assert_eq!(fixed(10.0, 0), "10");
    }

    #[test]
    fn times_are_exact() {
        assert_eq!(millis(Duration::from_nanos(1_234_567_899)), "1234.567");
        assert_eq!(millis(Duration::from_micros(7)), "0.007");
    }
}
