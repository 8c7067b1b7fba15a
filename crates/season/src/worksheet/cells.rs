//! CSV cells with their positions in the file, so that single cells can be replaced.

use std::borrow::Cow;
use std::ops::Range;

/// Cell as written, with its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// Bytes of the file.
    pub(super) range: Range<usize>,
}

/// Rows of a file. The end of a line within quotes belongs to its cell.
pub(super) fn rows(text: &str, delimiter: u8) -> Vec<Vec<Cell>> {
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'\n' => {
                let end = at - usize::from(at > start && text.as_bytes()[at - 1] == b'\r');
                row.push(Cell { range: start..end });
                rows.push(std::mem::take(&mut row));
                start = at + 1;
            }
            _ if byte == delimiter => {
                row.push(Cell { range: start..at });
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < text.len() || !row.is_empty() {
        row.push(Cell { range: start..text.len() });
        rows.push(row);
    }
    rows
}

impl Cell {
    /// Value without quotes.
    pub(super) fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let raw = &text[self.range.clone()];
        let inner = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
        match inner {
            Some(inner) if inner.contains('"') => inner.replace("\"\"", "\"").into(),
            Some(inner) => inner.into(),
            None => raw.into(),
        }
    }

    /// Writes another value, quoted if the cell was or the value needs it.
    pub(super) fn written(&self, text: &str, value: &str, delimiter: u8) -> String {
        let special = [char::from(delimiter), '"', '\n', '\r'];
        if text[self.range.clone()].starts_with('"') || value.contains(special) {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value.to_owned()
        }
    }
}
