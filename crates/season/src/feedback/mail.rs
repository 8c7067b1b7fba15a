//! Mails to people: a row of `mail.csv` and a message file for each. They are never sent.

use std::fmt::Write as _;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};

use crate::grading::Grade;
use crate::worksheet::neutral;

/// Mail to a person, or to the people of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Key of the person.
    pub key: String,
    /// Addresses without display names.
    pub to: Vec<String>,
    /// Subject, in one line.
    pub subject: String,
    /// Text.
    pub body: String,
}

/// Longest line of a message file, in bytes (RFC 2045, section 6.7).
const LINE: usize = 76;
/// Maximum length of a reason, in characters.
const REASON: usize = 400;
/// Maximum length of a build log, in characters. The end is shown.
const LOG: usize = 3000;

impl Mail {
    /// The mail with a person's grade and its reasons; `None` without an address.
    pub fn new(grade: &Grade, title: &str, lang: Lang) -> Option<Self> {
        let to: Vec<_> = grade.member.email.split(',').map(str::trim).filter(is_address).collect();
        if to.is_empty() {
            return None;
        }
        let name = Untrusted::new(grade.member.name.as_str()).shown(REASON);
        let title = Untrusted::new(title).shown(REASON);
        let mut body = format!("{name}\n\n{}: {}\n\n", title, grade.total(lang));
        for reason in &grade.reasons {
            let _ = writeln!(body, "- {}", Untrusted::new(reason.line(lang)).shown(REASON));
        }
        if let Some(log) = &grade.cannot_play {
            let log = log.to(lang);
            let from = log.chars().count().saturating_sub(LOG);
            let log: String = log.chars().skip(from).collect();
            let head = said!("Why the bot did not play").to(lang);
            let _ = write!(body, "\n{head}:\n\n{}\n", Untrusted::new(log).shown_lines(LOG + 1));
        }
        Some(Self {
            key: grade.member.key.to_string(),
            to: to.into_iter().map(str::to_owned).collect(),
            subject: title,
            body,
        })
    }

    /// A message file (RFC 5322), which mail programs open as a draft. It has no sender and no
    /// date, so the same grade gives the same bytes.
    pub fn to_eml(&self) -> String {
        format!(
            "To: {}\r\nSubject: {}\r\nX-Unsent: 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; \
             charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{}",
            self.to.join(",\r\n "),
            encoded_words(&self.subject),
            quoted_printable(&self.body),
        )
    }
}

/// Whether a text is one address that cannot become another header.
fn is_address(text: &&str) -> bool {
    let is_plain =
        |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '(' | ')' | ';');
    text.chars().all(is_plain)
        && text.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
}

/// Writes `mail.csv`: key, address, subject and text of every mail, for a mail merge.
///
/// # Errors
/// None for a list in memory; the error type is that of the writer.
pub fn mails_csv(mails: &[Mail]) -> Result<Vec<u8>, csv::Error> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["key", "email", "subject", "body"])?;
    for mail in mails {
        let to = mail.to.join(", ");
        let cells = [&mail.key, &to, &mail.subject, &mail.body].map(|cell| neutral(cell));
        rows.write_record(cells)?;
    }
    rows.into_inner().map_err(|error| error.into_error().into())
}

/// A header's text as encoded words (RFC 2047), each of at most 75 bytes.
fn encoded_words(text: &str) -> String {
    if text.is_ascii() && text.len() <= 60 {
        return text.to_owned();
    }
    let mut words = vec![String::new()];
    for c in text.chars() {
        let mut bytes = [0; 4];
        let encoded: String = match c {
            ' ' => "_".into(),
            _ if c.is_ascii_alphanumeric() => c.into(),
            _ => c.encode_utf8(&mut bytes).bytes().map(|byte| format!("={byte:02X}")).collect(),
        };
        match words.last_mut() {
            Some(word) if word.len() + encoded.len() <= 60 => word.push_str(&encoded),
            _ => words.push(encoded),
        }
    }
    let words: Vec<_> = words.iter().map(|word| format!("=?utf-8?Q?{word}?=")).collect();
    words.join("\r\n ")
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut column = 0;
        let last = line.len().saturating_sub(1);
        for (at, byte) in line.bytes().enumerate() {
            let is_plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~')
                || (matches!(byte, b' ' | b'\t') && at < last);
            let encoded =
                if is_plain { char::from(byte).to_string() } else { format!("={byte:02X}") };
            if column + encoded.len() > LINE - 1 {
                out.push_str("=\r\n");
                column = 0;
            }
            column += encoded.len();
            out.push_str(&encoded);
        }
        out.push_str("\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_lose_nothing() {
        let text = format!("é{} = \u{1f3b2} \nend \n", "x".repeat(200));
        let encoded = quoted_printable(&text);
        assert!(encoded.lines().all(|line| line.len() <= LINE), "{encoded}");
        let joined = encoded.replace("=\r\n", "");
        let (x, rest) = ("x".repeat(200), "=3D =F0=9F=8E=B2=20\r\nend=20\r\n");
        assert_eq!(joined, format!("=C3=A9{x} {rest}"));
    }

    #[test]
    fn subjects_are_words_of_ascii() {
        assert_eq!(encoded_words("Awale cup"), "Awale cup");
        let long = encoded_words(&"Awalé des étudiants ".repeat(9));
        assert!(long.is_ascii() && long.lines().all(|line| line.trim().len() <= 75), "{long}");
    }

    #[test]
    fn addresses_cannot_become_headers() {
        let wrong = ["a@b\r\nBcc: x@y", "a b@c", "nobody", "", "<a@b>", "@b"];
        assert!(wrong.iter().all(|text| !is_address(text)));
        assert!(is_address(&"etu001@univ.example"));
    }
}
