//! Terminal output with colors if supported, and in ASCII if requested.
//!
//! Colors only repeat what a letter next to them states.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal as _};

/// Style of terminal output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ink {
    colours: bool,
    ascii: bool,
}

/// Prefixes of board rows with their colors.
const ROWS: [(&str, &str); 3] =
    [("R red ", "\x1b[31m"), ("B blue ", "\x1b[34m"), ("T transparent ", "\x1b[36m")];

/// Resets the color.
const RESET: &str = "\x1b[0m";

/// ASCII replacements for other characters.
const PLAIN: [(char, &str); 9] = [
    ('·', "."),
    ('–', "-"),
    ('…', "..."),
    ('±', "+-"),
    ('×', "x"),
    ('µ', "u"),
    ('→', "->"),
    ('←', "<-"),
    ('’', "'"),
];

impl Ink {
    /// Style for standard output: colors on a terminal, unless `NO_COLOR` is set or `TERM=dumb`.
    pub(super) fn of_stdout(ascii: bool) -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { colours: io::stdout().is_terminal() && !unwanted && !dumb, ascii }
    }

    /// Applies the style to a text.
    pub(super) fn show(self, text: &str) -> Cow<'_, str> {
        let painted = if self.colours { Cow::Owned(painted(text)) } else { Cow::Borrowed(text) };
        if self.ascii && !painted.is_ascii() { Cow::Owned(in_ascii(&painted)) } else { painted }
    }
}

fn painted(text: &str) -> String {
    text.split_inclusive('\n').fold(
        String::with_capacity(text.len() + 64),
        |shown, line| match ROWS.iter().find(|(row, _)| line.starts_with(row)) {
            Some((_, colour)) => shown + colour + line.trim_end_matches('\n') + RESET + "\n",
            None => shown + line,
        },
    )
}

fn in_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match PLAIN.iter().find(|(sign, _)| *sign == c) {
            Some((_, instead)) => plain.push_str(instead),
            None if c.is_ascii() => plain.push(c),
            None => plain.push('?'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "hole             1\nR red            ·\nB blue           2\n";

    #[test]
    fn rows_have_the_colours_of_their_seeds() {
        let ink = Ink { colours: true, ascii: false };
        insta::assert_debug_snapshot!(ink.show(BOARD), @r#""hole             1\n\u{1b}[31mR red            ·\u{1b}[0m\n\u{1b}[34mB blue           2\u{1b}[0m\n""#);
        assert_eq!(Ink::default().show(BOARD), BOARD);
    }

    #[test]
    fn ascii_is_all_there_is_where_it_is_asked_for() {
        let ink = Ink { colours: false, ascii: true };
        assert_eq!(ink.show("· 3.5µs ±2 – é\n"), ". 3.5us +-2 - ?\n");
    }
}
