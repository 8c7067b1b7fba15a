//! Settings of a class: `class.toml`, written by the teacher.

use pitmaster_core::config::{Section, read_toml};
use pitmaster_core::diagnostics::{Diagnostic, Diagnostics};

/// Settings of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSettings {
    /// Day after which personal data is to be removed, as `2027-03-01`.
    pub remove_after: Option<String>,
}

impl ClassSettings {
    /// Name of the file in the folder of a class.
    pub const FILE: &'static str = "class.toml";

    /// Reads the settings.
    ///
    /// # Errors
    /// Returns all errors, in file order.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Diagnostics::on(text);
        let root = read_toml(text, &mut notes);
        let top = Section::top(&root, |_| Some(vec!["remove_after"]), &mut notes);
        let remove_after = top.field("remove_after", &notes).and_then(|field| {
            let day = field.text(&mut notes)?.value;
            if !is_day(&day) {
                field.wrong("a day in quotes, such as \"2027-03-01\"", &mut notes);
                return None;
            }
            Some(day)
        });
        notes.finish()?;
        Ok(Self { remove_after })
    }

    /// Reminder that personal data is to be removed, if that day has passed. `today` is written
    /// like the day in the file.
    pub fn reminder(&self, today: &str) -> Option<String> {
        let day = self.remove_after.as_deref().filter(|day| today > *day)?;
        Some(format!(
            "the personal data of this class was to be removed after {day} (class.toml): `pitmaster \
             forget` removes a person; if nothing is needed any more, delete the folder"
        ))
    }
}

/// Whether a text is a day such as `2027-03-01`.
fn is_day(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |text: &str, digits: usize| {
        let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_number)
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reminder_comes_after_the_day() {
        let settings = ClassSettings::parse("remove_after = \"2027-03-01\"").unwrap();
        assert_eq!(settings.reminder("2027-03-01"), None);
        assert_eq!(settings.reminder("2026-12-31"), None);
        assert!(settings.reminder("2027-03-02").unwrap().contains("after 2027-03-01"));
        assert_eq!(ClassSettings::parse("").unwrap().reminder("2099-01-01"), None);
    }

    #[test]
    fn errors_have_their_places() {
        let wrong = |text: &str| {
            let errors = ClassSettings::parse(text).unwrap_err();
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(wrong("remove_after = \"1 March\"\nremove = 1"), @"");
        for day in ["2027-3-1", "2027-13-01", "2027-01-00", "2027-01", "+027-01-01"] {
            assert!(!is_day(day), "{day}");
        }
    }
}
