//! Duration notation: `250ms`, `1.5s`, `3m30s`.

use std::fmt::Write as _;
use std::time::Duration;

/// Units, longest first, in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Error for a text that is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no duration; write a number and its unit, such as 250ms, 1.5s or 3m30s")]
pub struct DurationError(pub String);

/// Parses numbers with their units (`h m s ms us ns`), each unit at most once and the longer before
/// the shorter, to the nanosecond. The maximum is about 584 years.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    nanos(text).map(Duration::from_nanos).ok_or_else(|| DurationError(text.to_owned()))
}

fn nanos(text: &str) -> Option<u64> {
    let mut units = UNITS.iter();
    let mut rest = text;
    let mut total: u64 = 0;
    while !rest.is_empty() || total == 0 && rest.len() == text.len() {
        let (number, after) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, after) = split(after, |c| c.is_ascii_alphabetic());
        let (_, size) = units.find(|(name, _)| *name == unit)?;
        total = total.checked_add(scaled(number, *size)?)?;
        rest = after;
    }
    Some(total)
}

fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

/// The number times the unit, if that is an integer. Computed without floating point, so that the
/// result is exact.
fn scaled(number: &str, unit: u64) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || part.is_empty() || part.len() > 15 {
        return None;
    }
    let ten_to = 10_u128.pow(part.len() as u32);
    let part = part.parse::<u128>().ok()? * u128::from(unit);
    if !part.is_multiple_of(ten_to) {
        return None;
    }
    let whole = u128::from(whole.parse::<u64>().ok()?) * u128::from(unit);
    u64::try_from(whole + part / ten_to).ok()
}

/// Formats a duration so that [`parse_duration`] reads the same one: `3m30s`, `1.5s`, `0s`.
pub fn show_duration(duration: Duration) -> String {
    let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    if nanos < UNITS[2].1 {
        return show_short(nanos);
    }
    let (minutes, seconds) = (nanos / UNITS[1].1, nanos % UNITS[1].1);
    let mut text = String::new();
    for (count, unit) in [(minutes / 60, "h"), (minutes % 60, "m")] {
        if count > 0 {
            let _ = write!(text, "{count}{unit}");
        }
    }
    if seconds > 0 {
        let _ = write!(text, "{}s", decimal(seconds));
    }
    text
}

/// Formats less than a second in the longest unit that divides it.
fn show_short(nanos: u64) -> String {
    let fits = UNITS[2..].iter().find(|(_, size)| nanos.is_multiple_of(*size));
    let (unit, size) = fits.expect("one nanosecond divides everything");
    format!("{}{unit}", nanos / size)
}

/// Nanoseconds as seconds, without trailing zeros.
fn decimal(nanos: u64) -> String {
    let text = format!("{}.{:09}", nanos / UNITS[2].1, nanos % UNITS[2].1);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_read_as_written() {
        for (text, nanos) in [
            ("250ms", 250_000_000),
            ("1s", 1_000_000_000),
            ("3m30s", 210_000_000_000),
            ("1.5s", 1_500_000_000),
            ("1h0.5m", 3_630_000_000_000),
            ("0s", 0),
            ("0.000000001s", 1),
            ("1us5ns", 1005),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "",
            "1",
            "s",
            "1 s",
            "-1s",
            "1s1s",
            "30s3m",
            ".5s",
            "1.s",
            "1.2.3s",
            "1S",
            "0.5ns",
            "1s ",
            "99999999999999h",
            "1d",
            "é",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_written_as_people_would() {
        for text in ["0s", "250ms", "1s", "1.5s", "3m30s", "1h", "2h1m0.25s", "10us", "7ns"] {
            assert_eq!(show_duration(parse_duration(text).expect(text)), text);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(nanos: u64) {
            let duration = Duration::from_nanos(nanos);
            prop_assert_eq!(parse_duration(&show_duration(duration)), Ok(duration));
        }

        #[test]
        fn no_text_is_too_much(text in "[0-9.hmsun ]{0,20}") {
            let _ = parse_duration(&text);
        }
    }
}
