//! `--until 07:30`: next occurrence of a time of day.

use std::time::SystemTime;

use jiff::Zoned;
use jiff::civil::Time;

/// Parses a time of day as its next occurrence in this machine's time zone.
pub(super) fn parse(text: &str) -> Result<SystemTime, String> {
    let time = time_of(text)
        .ok_or_else(|| format!("expected a time of day such as 07:30 or 23:15, not {text:?}"))?;
    let next = next(&Zoned::now(), time)
        .map_err(|error| format!("cannot compute the next {text}: {error}"))?;
    Ok(next.timestamp().into())
}

fn time_of(text: &str) -> Option<Time> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str| {
        let digits = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i8>().ok().filter(|_| digits)
    };
    Time::new(number(hours)?, number(minutes)?, 0, 0).ok()
}

/// Today at that time, or tomorrow if it has passed. Adding hours instead would be wrong when
/// clocks change, which happens at night during tournaments.
fn next(now: &Zoned, time: Time) -> Result<Zoned, jiff::Error> {
    let today = now.with().time(time).build()?;
    if today >= *now { Ok(today) } else { now.tomorrow()?.with().time(time).build() }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn only_times_of_day_are_read() {
        let read = |text| time_of(text).map(|time| time.strftime("%H:%M").to_string());
        assert_eq!(read("07:30").as_deref(), Some("07:30"));
        assert_eq!(read("0:00").as_deref(), Some("00:00"));
        assert_eq!(read("23:59").as_deref(), Some("23:59"));
        for text in ["24:00", "7", "7:60", "+7:30", "7:+3", "07:30:00", "", ":", "aa:bb"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// Next occurrence in a central European time zone, from a time in October 2026.
    fn next_from(day: i8, hour: i8, minute: i8, wanted: &str) -> String {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone");
        let now = date(2026, 10, day).at(hour, minute, 30, 0).to_zoned(zone).expect("a time");
        let next = next(&now, time_of(wanted).expect("a time of day")).expect("it comes");
        format!("{} in {}", next.strftime("%d %H:%M"), next.duration_since(&now).as_mins())
    }

    #[test]
    fn what_is_over_comes_tomorrow() {
        assert_eq!(next_from(10, 7, 29, "07:30"), "10 07:30 in 0");
        assert_eq!(next_from(10, 7, 30, "07:30"), "11 07:30 in 1439");
        assert_eq!(next_from(10, 7, 31, "07:30"), "11 07:30 in 1438");
        assert_eq!(next_from(10, 23, 15, "07:30"), "11 07:30 in 494");
        assert_eq!(next_from(31, 12, 0, "00:00"), "01 00:00 in 719");
    }

    #[test]
    fn the_night_in_which_clocks_are_changed_is_an_hour_longer() {
        assert_eq!(next_from(24, 23, 15, "07:30"), "25 07:30 in 554");
    }
}
