//! Times of submissions, as learning platforms write them: in several orders and languages, without
//! a time zone. A deadline is written in the platform's time zone too, so the zone does not matter.

use jiff::civil::{Date, DateTime, Time};

/// Names of months, by their first letters in English, French and German.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz"],
    &["apr", "avr"],
    &["may", "mai"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aoû", "aou"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "déc", "dez"],
];

/// Reads a time such as `2026-11-20 23:59`, `2026-11-20-23-59-00`, `Nov 20, 2026 1158 PM`,
/// `vendredi 20 novembre 2026, 23:59` or `Freitag, 20. November 2026, 23:59`. An offset from UTC is
/// ignored. A date without a time is the end of that day.
pub fn submission_time(text: &str) -> Option<DateTime> {
    let text = text.trim().to_lowercase();
    numeric(&text).or_else(|| in_words(&text))
}

/// Year, month, day and clock time, in this order.
fn numeric(text: &str) -> Option<DateTime> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(str::parse::<i16>);
    let (year, month, day) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
    let date = Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    let mut part = || numbers.next().and_then(Result::ok).and_then(|number| number.try_into().ok());
    let time = match (part(), part()) {
        (Some(hour), Some(minute)) => Time::new(hour, minute, part().unwrap_or(0), 0).ok()?,
        _ => Time::new(23, 59, 59, 0).ok()?,
    };
    (year >= 1000).then(|| date.to_datetime(time))
}

/// A day, the name of a month and a year, in any order, with a clock time after them.
fn in_words(text: &str) -> Option<DateTime> {
    let words = text.split([' ', ',', '\u{a0}', '\u{202f}']).map(|word| word.trim_matches('.'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let month_of = |word: &str| {
        MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))
    };
    // Names of days can begin like months: "mardi" like "mars".
    let is_day = |word: &str| word == "mardi" || word.ends_with("tag") || word.ends_with("day");
    let month = words.iter().find_map(|word| month_of(word).filter(|_| !is_day(word)))?;
    let mut numbers = words.iter().filter_map(|word| word.parse::<i16>().ok());
    let (one, other) = (numbers.next()?, numbers.next()?);
    let (day, year) = if one > 31 { (other, one) } else { (one, other) };
    let date = Date::new(year, month as i8 + 1, day.try_into().ok()?).ok()?;
    let clock = words.iter().find(|word| word.contains(':')).copied().or_else(|| {
        words.iter().rev().find(|word| word.parse::<u16>().is_ok_and(|_| word.len() >= 3)).copied()
    });
    let afternoon = words.iter().find_map(|word| match *word {
        "am" => Some(false),
        "pm" => Some(true),
        _ => None,
    });
    let time =
        clock.filter(|word| *word != year.to_string()).and_then(|word| time(word, afternoon));
    Some(date.to_datetime(time.unwrap_or(Time::constant(23, 59, 59, 0))))
}

/// Clock time: `23:59`, `11:59` or `1159` with a half of the day.
fn time(word: &str, afternoon: Option<bool>) -> Option<Time> {
    let (hour, rest) = match word.split_once(':') {
        Some((hour, rest)) => (hour, rest),
        None => word.split_at_checked(word.len().saturating_sub(2))?,
    };
    let (minute, second) = rest.split_once(':').unwrap_or((rest, "0"));
    let hour: i8 = hour.parse().ok()?;
    let hour = match afternoon {
        Some(is_pm) => hour % 12 + if is_pm { 12 } else { 0 },
        None => hour,
    };
    Time::new(hour, minute.parse().ok()?, second.parse().ok()?, 0).ok()
}

/// Lateness after a deadline, such as `2 d 3 h` or `5 min`. `None` if in time.
pub fn lateness(time: DateTime, deadline: DateTime) -> Option<String> {
    late_by(time.duration_since(deadline).as_secs())
}

/// A number of seconds after a deadline in words; `None` if there are none.
pub(crate) fn late_by(seconds: i64) -> Option<String> {
    if seconds <= 0 {
        return None;
    }
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60);
    Some(match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    })
}

/// Number of started days of a lateness. Any text without days counts as one.
pub(crate) fn days_late(lateness: &str) -> u32 {
    let days = lateness.split_once(" d ").and_then(|(days, _)| days.parse::<u32>().ok());
    days.map_or(1, |days| days.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_from_its_beginning() {
        let days = |seconds| days_late(&late_by(seconds).unwrap());
        assert_eq!([1, 86_399, 86_401, 3 * 86_400 - 1].map(days), [1, 1, 2, 3]);
        // A platform's mark without a time.
        assert_eq!(days_late("late"), 1);
        assert_eq!(late_by(0), None);
    }

    #[test]
    fn times_of_all_platforms() {
        let shown = |text: &str| submission_time(text).map(|time| time.to_string());
        let eleven = Some("2026-11-20T23:58:00".to_owned());
        for text in [
            "2026-11-20 23:58",
            "2026-11-20T23:58:00Z",
            "2026-11-20 23:58:00.000000000 -08:00",
            "2026-11-20-23-58-00",
            "Nov 20, 2026 1158 PM",
            "Nov 20, 2026 11:58 PM",
            "Friday, 20 November 2026, 11:58 PM",
            "vendredi 20 novembre 2026, 23:58",
            "Freitag, 20. November 2026, 23:58",
        ] {
            assert_eq!(shown(text), eleven, "{text}");
        }
        assert_eq!(shown("mardi 3 mars 2026, 08:05"), Some("2026-03-03T08:05:00".into()));
        assert_eq!(shown("Dienstag, 1. Dezember 2026, 00:01"), Some("2026-12-01T00:01:00".into()));
        assert_eq!(shown("Sep 1, 2026 1205 AM"), Some("2026-09-01T00:05:00".into()));
        assert_eq!(shown("2026-11-20"), Some("2026-11-20T23:59:59".into()));
        assert_eq!(shown("20 juin 2026"), Some("2026-06-20T23:59:59".into()));
        for text in ["", "-", "Participant 42", "2026-13-01", "12.5", "marks 3", "20 brumaire 4"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn lateness_is_as_rough_as_it_is_long() {
        let deadline = submission_time("2026-11-20 23:59").unwrap();
        let late = |text: &str| lateness(submission_time(text).unwrap(), deadline);
        assert_eq!(late("2026-11-20 23:59"), None);
        assert_eq!(late("2026-11-20 23:59:40").as_deref(), Some("40 s"));
        assert_eq!(late("2026-11-21 00:04").as_deref(), Some("5 min"));
        assert_eq!(late("2026-11-21 02:04").as_deref(), Some("2 h 5 min"));
        assert_eq!(late("2026-11-23 03:04").as_deref(), Some("2 d 3 h"));
    }
}
