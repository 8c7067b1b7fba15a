//! Line and column locations in a text.

use std::fmt;

/// Line and column in a text, both from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Location {
    /// Start of every text.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl Default for Location {
    fn default() -> Self {
        Self::START
    }
}

/// Formatted as in compiler output, so that editors and terminals can jump to it: `3:14`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Parsed value with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// Parsed value.
    pub value: T,
    /// Location of its start.
    pub place: Location,
}

/// Maps byte offsets in a text to locations.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Indexes the line starts of a text. A byte order mark is not part of the first line.
    pub fn of(text: &'t str) -> Self {
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let after_each = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(mark).chain(after_each).collect() }
    }

    /// Location of the character at a byte offset. An offset inside a character maps to that
    /// character, and an offset past the end maps to the end.
    pub fn place(&self, offset: usize) -> Location {
        let inside = |offset: &usize| !self.text.is_char_boundary(*offset);
        let offset = offset.min(self.text.len());
        let offset = offset - (0..4).take_while(|back| inside(&(offset - back))).count();
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let before = self.text.get(self.starts[line - 1]..offset).unwrap_or("");
        Location { line: count(line), column: count(before.chars().count() + 1) }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let lines = Lines::of(text);
        (0..=text.len() + 1).map(|offset| lines.place(offset).to_string()).collect()
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(places("é\na"), ["1:1", "1:1", "1:2", "2:1", "2:2", "2:2"]);
        assert_eq!(places(""), ["1:1", "1:1"]);
    }

    #[test]
    fn a_byte_order_mark_has_no_width() {
        assert_eq!(Lines::of("\u{feff}ab").place(4).to_string(), "1:2");
        assert_eq!(Lines::of("\u{feff}ab").place(0).to_string(), "1:1");
    }
}
