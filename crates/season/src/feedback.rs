//! Feedback: a short page for each person, its name in the feedback archive, and a text to mail.

mod mail;
mod page;
#[cfg(test)]
mod tests;

use pitmaster_core::i18n::{Lang, said};

use crate::platform::Platform;
use crate::worksheet::number;
use crate::{Class, Member};

pub use mail::{Mail, mails_csv};
pub use page::page;
pub(crate) use page::{escaped, escaped_lines};

/// Way to return pages to a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayBack {
    /// Moodle's archive of feedback files.
    Moodle,
    /// Canvas's or ILIAS's archive, which has the names of the export.
    ByOrigin(Platform),
    /// None: pages are mailed.
    Mail,
}

impl WayBack {
    /// Way to return pages to the platform of a class. Without a known platform, the ids are
    /// assumed to be Moodle's.
    pub fn of(class: &Class) -> Self {
        let origins = class.members.iter().map(|member| member.origin.clone());
        let origins: Vec<_> = origins.filter(|origin| !origin.is_empty()).collect();
        if origins.is_empty() {
            return Self::Moodle;
        }
        match Platform::recognize(&origins) {
            Platform::Moodle => Self::Moodle,
            platform @ (Platform::Canvas | Platform::Ilias) => Self::ByOrigin(platform),
            _ => Self::Mail,
        }
    }

    /// Name of a person's page in the archive; `None` if the platform accepts none for this person.
    pub fn page_name(self, member: &Member) -> Option<String> {
        match self {
            Self::Moodle => moodle_name(member),
            Self::ByOrigin(platform) => platform.page_name(&member.origin),
            Self::Mail => None,
        }
    }
}

/// Name of a person's page in Moodle's feedback archive (`mod/assign/feedback/file/importziplib.php`).
/// Moodle splits the folder at underscores into a name, the participant's number and a plugin; with
/// an underscore at the end, every version reads it. `None` if the person's id has no number.
fn moodle_name(member: &Member) -> Option<String> {
    let number = number(&member.id)?;
    let allowed = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let name: String = member.name.chars().map(allowed).take(60).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if name.is_empty() { "Participant" } else { &name };
    Some(format!("{name}_{number}_assignfeedback_file_/feedback.html"))
}

/// Title of pages and mails without a title of their own.
pub fn default_title(lang: Lang) -> String {
    said!("Feedback").to(lang)
}

/// Groups pages into archives of at most `most` bytes by the sizes that they have there, in their
/// order.
pub fn split(sizes: &[u64], most: u64) -> Vec<std::ops::Range<usize>> {
    let (mut groups, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, size) in sizes.iter().enumerate() {
        if at > start && sum + size > most {
            groups.push(start..at);
            (start, sum) = (at, 0);
        }
        sum += size;
    }
    groups.push(start..sizes.len());
    groups
}
