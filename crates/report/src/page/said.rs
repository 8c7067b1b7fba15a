//! Evaluation that a bot reported for its position, where it is a number.

use pitmaster_core::Untrusted;

/// Number after `value` or `score` in a remark: `info depth 4 nodes 60124 value -1.50`.
pub(super) fn value_of(text: &Untrusted) -> Option<f64> {
    let text = std::str::from_utf8(text.as_bytes()).ok()?;
    let mut words = text.split_ascii_whitespace();
    words.find(|word| matches!(*word, "value" | "score"))?;
    let value: f64 = words.next()?.parse().ok()?;
    (value.is_finite() && value.abs() < 1e9).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_finite_number_behind_its_word() {
        let value = |text: &str| value_of(&Untrusted::new(text));
        assert_eq!(value("depth 4 nodes 60124 value -1.50"), Some(-1.5));
        assert_eq!(value("score 3"), Some(3.0));
        for text in ["", "value", "value x", "value nan", "value inf", "score 1e300", "values 3"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
