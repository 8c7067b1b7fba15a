//! Line wrapping.

use unicode_width::UnicodeWidthStr as _;

/// Wraps a text into lines of at most `width` terminal columns. A longer word gets its own line,
/// and a no-break space does not break a line. Returns at least one line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_ascii_whitespace() {
        let line = lines.last_mut().expect("there is always one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_full_as_can_be() {
        assert_eq!(wrap("a bb ccc dddd", 4), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrap("abcdef g", 3), ["abcdef", "g"]);
        assert_eq!(wrap(" ", 3), [""]);
        assert_eq!(wrap("a b\u{a0}: c", 4), ["a", "b\u{a0}:", "c"]);
    }
}
