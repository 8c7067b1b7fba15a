//! Validation of texts that people enter.

use pitmaster_core::is_hidden;

use super::Refusal;

/// Validates a text of one line: not empty, not too long, and without invisible characters or line
/// breaks. Returns the trimmed text.
pub(super) fn line(what: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(invalid(what, "is empty"));
    }
    optional_line(what, text, max)
}

/// Like [`line`], but accepts an empty text.
pub(super) fn optional_line(what: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    let text = text.trim();
    if text.chars().count() > max {
        return Err(invalid(what, &format!("has more than {max} characters")));
    }
    if text.chars().any(|c| c.is_control() || is_hidden(c)) {
        return Err(invalid(what, "has characters that cannot be shown"));
    }
    Ok(text.to_owned())
}

/// Validates a slug: 1 to 40 of `a-z 0-9 -`, beginning with a letter or digit.
pub(super) fn slug(what: &'static str, text: &str) -> Result<String, Refusal> {
    let fits = (1..=40).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.starts_with('-');
    if fits {
        return Ok(text.to_owned());
    }
    Err(invalid(what, "has 1 to 40 of the characters a-z 0-9 - and begins with a letter or digit"))
}

/// Normalizes a login, as it is stored and looked up: trimmed and in lower case.
pub(super) fn login(text: &str) -> Result<String, Refusal> {
    line("login", &text.to_lowercase(), 100)
}

fn invalid(what: &'static str, why: &str) -> Refusal {
    Refusal::Invalid { what, why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_trimmed_and_refused_with_a_reason() {
        assert_eq!(line("name", "  Éva Lu Ator ", 20).as_deref(), Ok("Éva Lu Ator"));
        let error_of = |text: &str| line("name", text, 5).expect_err("refused").to_string();
        assert_eq!(error_of("  "), "the name is empty");
        assert_eq!(error_of("123456"), "the name has more than 5 characters");
        for hidden in ["a\nb", "a\u{202e}b", "a\0b", "a\u{200b}b"] {
            assert_eq!(
                error_of(hidden),
                "the name has characters that cannot be shown",
                "{hidden:?}"
            );
        }
        assert_eq!(optional_line("note", " ", 5).as_deref(), Ok(""));
    }

    #[test]
    fn names_in_addresses_are_plain() {
        assert_eq!(slug("group", "g-1").as_deref(), Ok("g-1"));
        for text in ["", "-a", "A", "a/b", "..", "é", &"a".repeat(41)] {
            assert!(slug("group", text).is_err(), "{text:?}");
        }
    }
}
