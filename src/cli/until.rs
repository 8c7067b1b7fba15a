//! `--until 07:30`: the next time that the clock on the wall shows it.

use std::time::{Duration, SystemTime};

const DAY: i64 = 24 * 60 * 60;

/// Reads a time of day: the next one that comes, in the time zone of this machine.
pub(super) fn parse(text: &str) -> Result<SystemTime, String> {
    let wanted = seconds_of(text)
        .ok_or_else(|| format!("a time of day is written 07:30 or 23:15, not {text:?}"))?;
    let now = SystemTime::now();
    let since_1970 = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let local = since_1970.as_secs().cast_signed() + local_offset();
    let left = (wanted - local.rem_euclid(DAY)).rem_euclid(DAY);
    Ok(now + Duration::from_secs(left.cast_unsigned()))
}

/// Seconds since midnight.
fn seconds_of(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let is_number = |text: &str| text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| is_number(text));
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours < 24 && minutes < 60).then(|| i64::from(hours) * 3600 + i64::from(minutes) * 60)
}

/// How far the clock on the wall is ahead of UTC, in seconds.
fn local_offset() -> i64 {
    jiff::Zoned::now().offset().seconds().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_of_day_are_read() {
        assert_eq!(seconds_of("07:30"), Some(27_000));
        assert_eq!(seconds_of("0:00"), Some(0));
        for text in ["24:00", "7", "7:60", "+7:30", "07:30:00", "", "aa:bb"] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }

    #[test]
    fn the_time_is_within_a_day() {
        let until = parse("12:00").expect("a time");
        let left = until.duration_since(SystemTime::now()).unwrap_or_default();
        assert!(left <= Duration::from_secs(24 * 60 * 60));
    }
}
