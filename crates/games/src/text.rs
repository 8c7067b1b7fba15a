//! Parsing and formatting helpers for positions and moves as text, independent of any game.

/// The text cut at every separator, if that gives exactly `N` parts.
pub(super) fn parts<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    text.split(separator).collect::<Vec<_>>().try_into().ok()
}

/// A number as it is written: no sign, no blanks, no leading zero.
pub(super) fn number(text: &str) -> Option<u8> {
    let plain = text == "0" || text.starts_with(|c| matches!(c, '1'..='9'));
    text.parse().ok().filter(|_| plain)
}
