//! Settings of a class: `class.toml`, read and validated.

use pitmaster_core::config::{Field, Section, read_toml};
use pitmaster_core::diagnostics::{Diagnostic, Diagnostics};
use pitmaster_core::i18n::{Lang, Message, said};

use crate::time::submission_time;
use jiff::civil::{Date, DateTime};

/// Settings of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSettings {
    /// Language of texts for the class.
    pub language: Option<Lang>,
    /// Time after which a submission is late, in the platform's time zone.
    pub deadline: Option<DateTime>,
    /// Day after which personal data must be removed.
    pub remove_after: Option<Date>,
}

/// Keys of the file.
fn known_keys(section: &str) -> Option<Vec<&'static str>> {
    section.is_empty().then(|| vec!["language", "deadline", "remove_after"])
}

impl ClassSettings {
    /// Name of the file in the folder of a class.
    pub const FILE: &'static str = "class.toml";

    /// Reads settings.
    ///
    /// # Errors
    /// All errors of the file, with line and column.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Diagnostics::on(text);
        let root = read_toml(text, &mut notes);
        let top = Section::top(&root, known_keys, &mut notes);
        let settings = Self {
            language: language(top, &mut notes),
            deadline: time(top, "deadline", &mut notes),
            remove_after: day(top, "remove_after", &mut notes),
        };
        notes.finish().map(|_| settings)
    }

    /// The file with these settings.
    pub fn to_toml(&self) -> String {
        let language = self.language.map(|language| ("language", language.code().to_owned()));
        let deadline = self.deadline.map(|time| ("deadline", time.strftime("%F %T").to_string()));
        let remove_after = self.remove_after.map(|day| ("remove_after", day.to_string()));
        let lines = [language, deadline, remove_after].into_iter().flatten();
        lines.map(|(key, value)| format!("{key} = \"{value}\"\n")).collect()
    }

    /// Adds settings of `other` that are missing here.
    ///
    /// # Errors
    /// The name of a key with different values.
    pub fn or(self, other: &Self) -> Result<Self, &'static str> {
        Ok(Self {
            language: one("language", self.language, other.language)?,
            deadline: one("deadline", self.deadline, other.deadline)?,
            remove_after: one("remove_after", self.remove_after, other.remove_after)?,
        })
    }

    /// Reminder to remove personal data, if that day has passed.
    pub fn reminder(&self, today: Date) -> Option<Message> {
        let day = self.remove_after.filter(|day| today > *day)?.to_string();
        Some(said!(
            "reminder: the personal data of this class was to be removed after {} (class.toml); \
             `pitmaster forget` removes a person, and you can delete the folder",
            day
        ))
    }
}

fn one<T: PartialEq>(
    key: &'static str,
    one: Option<T>,
    other: Option<T>,
) -> Result<Option<T>, &'static str> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => Err(key),
        (one, other) => Ok(one.or(other)),
    }
}

fn language(top: Section<'_>, notes: &mut Diagnostics<'_>) -> Option<Lang> {
    let words = Lang::ALL.map(|lang| (lang.code(), lang));
    top.field("language", notes)?.word(&words, notes)
}

fn time(top: Section<'_>, key: &str, notes: &mut Diagnostics<'_>) -> Option<DateTime> {
    let field: Field<'_> = top.field(key, notes)?;
    let text = field.some_text(notes)?;
    let time = submission_time(&text.value);
    if time.is_none() {
        field.wrong("a time such as \"2026-11-20 23:59\"", notes);
    }
    time
}

fn day(top: Section<'_>, key: &str, notes: &mut Diagnostics<'_>) -> Option<Date> {
    let field: Field<'_> = top.field(key, notes)?;
    let text = field.some_text(notes)?;
    let day = text.value.parse().ok();
    if day.is_none() {
        field.wrong("a day such as \"2027-03-01\"", notes);
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reminder_comes_after_the_day() {
        let settings = ClassSettings::parse("remove_after = \"2027-03-01\"").unwrap();
        assert_eq!(settings.to_toml(), "remove_after = \"2027-03-01\"\n");
        let told = |today: &str| {
            let reminder = settings.reminder(today.parse().unwrap())?;
            Some(reminder.to(Lang::English))
        };
        assert_eq!(told("2027-03-01"), None);
        assert!(told("2027-03-02").unwrap().contains("after 2027-03-01"));
        assert_eq!(ClassSettings::default().reminder("2099-01-01".parse().unwrap()), None);
    }

    #[test]
    fn settings_are_read_and_written() {
        let text = "language = \"fr\"\ndeadline = \"2026-11-20 23:59:00\"\n";
        let settings = ClassSettings::parse(text).unwrap();
        assert_eq!(settings.language, Some(Lang::French));
        assert_eq!(settings.to_toml(), text);
        assert_eq!(ClassSettings::parse("").unwrap(), ClassSettings::default());
    }

    #[test]
    fn all_errors_are_reported_with_their_place() {
        let faults = ClassSettings::parse(
            "language = \"latin\"\ndeadline = \"soon\"\nlate = 1\nremove_after = \"1 March\"\n",
        );
        let faults: Vec<_> = faults.unwrap_err().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(faults.join("\n"), @r#"
        1:12: language: "latin" cannot stand here; write "en" or "fr"
        2:12: deadline: "soon" cannot stand here; write a time such as "2026-11-20 23:59"
        3:1: late: there is no such key; the file has language, deadline, remove_after
        4:16: remove_after: "1 March" cannot stand here; write a day such as "2027-03-01"
        "#);
    }

    #[test]
    fn settings_of_a_flag_and_of_the_file_must_agree() {
        let file = ClassSettings::parse("deadline = \"2026-11-20 23:59\"").unwrap();
        let flags = ClassSettings { language: Some(Lang::French), ..ClassSettings::default() };
        let both = flags.clone().or(&file).unwrap();
        assert_eq!((both.language, both.deadline), (flags.language, file.deadline));
        let other = ClassSettings::parse("deadline = \"2026-11-21\"").unwrap();
        assert_eq!(other.or(&file), Err("deadline"));
    }
}
