//! Reader of message catalogs in gettext's `.po` format.
//!
//! It supports the subset used by the embedded catalogs: a header, `msgid` and `msgstr` with
//! continuation lines and escapes, and comments. Contexts, plural forms, and entries that are fuzzy
//! or not translated are errors, so that no translation is lost silently.

use std::iter::Peekable;

use thiserror::Error;

/// Message and its translation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Text in the source language.
    pub(super) id: String,
    /// Translated text.
    pub(super) text: String,
}

/// Error in a catalog.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {problem}")]
pub(super) struct PoError {
    line: usize,
    problem: Problem,
}

/// Kind of error in a catalog.
#[derive(Debug, Error, PartialEq, Eq)]
enum Problem {
    #[error("a catalog begins with its header, an entry with an empty msgid")]
    NoHeader,
    #[error("expected {0}")]
    Expected(&'static str),
    #[error("this msgid has no translation")]
    Untranslated,
    #[error("this entry is marked fuzzy; check its translation and remove the mark")]
    Fuzzy,
    #[error("expected one text in quotation marks")]
    Quotes,
    #[error("unknown escape \\{0}; known are \\n, \\t, \\\" and \\\\")]
    Escape(char),
}

/// Parses a catalog into its entries, without the header.
pub(super) fn parse(catalog: &str) -> Result<Vec<Entry>, PoError> {
    let is_content = |line: &str| !line.is_empty() && !line.starts_with('#');
    let numbered = || (1..).zip(catalog.lines());
    if let Some((line, _)) = numbered().find(|(_, line)| is_fuzzy(line)) {
        return Err(PoError { line, problem: Problem::Fuzzy });
    }
    let mut lines = numbered().filter(|(_, line)| is_content(line)).peekable();
    let mut entries = Vec::new();
    while let Some(&(line, _)) = lines.peek() {
        let id = field("msgid", line, &mut lines)?;
        let text = field("msgstr", line, &mut lines)?;
        if id.is_empty() != entries.is_empty() {
            return Err(PoError { line, problem: Problem::NoHeader });
        }
        if text.is_empty() {
            return Err(PoError { line, problem: Problem::Untranslated });
        }
        entries.push(Entry { id, text });
    }
    if entries.is_empty() {
        return Err(PoError { line: 1, problem: Problem::NoHeader });
    }
    Ok(entries.split_off(1))
}

fn is_fuzzy(line: &str) -> bool {
    line.strip_prefix("#,").is_some_and(|flags| flags.split(',').any(|flag| flag.trim() == "fuzzy"))
}

/// Reads a field and its continuation lines. `entry` is the line where its entry begins, which is
/// reported if the catalog ends before the field.
fn field<'a>(
    keyword: &'static str,
    entry: usize,
    lines: &mut Peekable<impl Iterator<Item = (usize, &'a str)>>,
) -> Result<String, PoError> {
    let expected = Problem::Expected(keyword);
    let Some((line, content)) = lines.next() else {
        return Err(PoError { line: entry, problem: expected });
    };
    let Some(quoted) = content.strip_prefix(keyword).and_then(|rest| rest.strip_prefix(' ')) else {
        return Err(PoError { line, problem: expected });
    };
    let mut text = String::new();
    unquote(quoted, &mut text).map_err(|problem| PoError { line, problem })?;
    while let Some((line, quoted)) = lines.next_if(|(_, next)| next.starts_with('"')) {
        unquote(quoted, &mut text).map_err(|problem| PoError { line, problem })?;
    }
    Ok(text)
}

/// Appends the content of a quoted string to a text.
fn unquote(quoted: &str, text: &mut String) -> Result<(), Problem> {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut rest = inner.ok_or(Problem::Quotes)?;
    while let Some((plain, special)) = rest.split_once(['"', '\\']) {
        let is_escape = rest.as_bytes()[plain.len()] == b'\\';
        let escaped = special.chars().next().filter(|_| is_escape).ok_or(Problem::Quotes)?;
        text.push_str(plain);
        text.push(match escaped {
            'n' => '\n',
            't' => '\t',
            '"' | '\\' => escaped,
            _ => return Err(Problem::Escape(escaped)),
        });
        rest = &special[escaped.len_utf8()..];
    }
    text.push_str(rest);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "msgid \"\"\nmsgstr \"Language: fr\\n\"\n\n";

    /// Error message for a catalog with this text after its header.
    fn error(catalog: &str) -> String {
        parse(&format!("{HEADER}{catalog}")).unwrap_err().to_string()
    }

    #[test]
    fn entries_are_read_with_comments_continuations_and_escapes() {
        let catalog = "# Translator's comment\n#. Section\n#: file.rs:1\n#, no-wrap\n\
                       msgid \"one {}\"\nmsgstr \"un {}\"\n\n\
                       msgid \"\"\n\"a\\n\"\n\"\\tb \\\"c\\\" \\\\n\"\nmsgstr \"é\"\n\"à\"\n\
                       #~ msgid \"obsolete\"\n";
        let entry = |id: &str, text: &str| Entry { id: id.to_owned(), text: text.to_owned() };
        let expected = vec![entry("one {}", "un {}"), entry("a\n\tb \"c\" \\n", "éà")];
        assert_eq!(parse(&format!("{HEADER}{catalog}")), Ok(expected));
    }

    #[test]
    fn a_catalog_has_one_header() {
        let no_header = "a catalog begins with its header, an entry with an empty msgid";
        for catalog in ["", "# comment\n"] {
            assert_eq!(parse(catalog).unwrap_err().to_string(), format!("line 1: {no_header}"));
        }
        let headless = parse("\nmsgid \"a\"\nmsgstr \"b\"\n").unwrap_err();
        assert_eq!(headless.to_string(), format!("line 2: {no_header}"));
        assert_eq!(error(HEADER), format!("line 4: {no_header}"));
    }

    #[test]
    fn what_is_not_an_entry_is_an_error() {
        assert_eq!(error("msgid \"a\"\n"), "line 4: expected msgstr");
        assert_eq!(error("msgid \"a\"\nmsgid \"b\"\n"), "line 5: expected msgstr");
        assert_eq!(error("msgstr \"a\"\n"), "line 4: expected msgid");
        assert_eq!(error("msgctxt \"a\"\nmsgid \"b\"\n"), "line 4: expected msgid");
        assert_eq!(error("msgid \"a\"\nmsgid_plural \"b\"\n"), "line 5: expected msgstr");
        assert_eq!(error("msgid \"a\"\nmsgstr[0] \"b\"\n"), "line 5: expected msgstr");
        assert_eq!(error("msgid \"a\"\nmsgstr\"b\"\n"), "line 5: expected msgstr");
    }

    #[test]
    fn an_unfinished_translation_is_an_error() {
        assert_eq!(error("msgid \"a\"\nmsgstr \"\"\n"), "line 4: this msgid has no translation");
        let fuzzy = "line 4: this entry is marked fuzzy; check its translation and remove the mark";
        assert_eq!(error("#, no-wrap, fuzzy\nmsgid \"a\"\nmsgstr \"b\"\n"), fuzzy);
    }

    #[test]
    fn quotation_marks_and_escapes_are_checked() {
        for text in ["a", "\"", "\"a", "\"a\\\"", "\"a\" ", "\"a\"b\"", "\"a\" \"b\""] {
            let problem = error(&format!("msgid {text}\n"));
            assert_eq!(problem, "line 4: expected one text in quotation marks", "{text}");
        }
        let escape = "line 6: unknown escape \\x; known are \\n, \\t, \\\" and \\\\";
        assert_eq!(error("msgid \"a\"\nmsgstr \"\"\n\"\\x41\"\n"), escape);
    }
}
