//! Parsing and formatting helpers for positions and moves as text, independent of any game.

/// Splits the text at every separator, if that gives exactly `N` parts.
pub(super) fn parts<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    text.split(separator).collect::<Vec<_>>().try_into().ok()
}

/// Parses a number without sign, blanks or leading zero.
pub(super) fn number(text: &str) -> Option<u8> {
    let plain = text == "0" || text.starts_with(|c| matches!(c, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}
