//! Bytes to lines, with bounds. Where the reads happened to end changes nothing.

use std::ops::Range;

use super::{GAME_LIMIT, LINE_LIMIT, TURN_LIMIT};

/// Collects what a bot writes and hands it out line by line.
///
/// Holds at most one line and what one read brings; asks for no memory after its start.
#[derive(Debug)]
pub struct Framer {
    buffer: Box<[u8]>,
    /// What is taken.
    start: usize,
    /// What is filled.
    end: usize,
    /// How far was searched for a line's end.
    searched: usize,
    /// The line that was taken last.
    line: Range<usize>,
    turn: usize,
    game: usize,
}

/// What stands at the front of a framer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framed {
    /// A whole line: [`Framer::line`].
    Line,
    /// No whole line yet.
    Partial,
    /// A line of over [`LINE_LIMIT`] bytes; its beginning is [`Framer::line`].
    TooLong,
    /// More bytes in the turn or game than are read: the limit.
    TooMuch(usize),
}

impl Default for Framer {
    fn default() -> Self {
        let buffer = vec![0; 4 * LINE_LIMIT].into_boxed_slice();
        Self { buffer, start: 0, end: 0, searched: 0, line: 0..0, turn: 0, game: 0 }
    }
}

impl Framer {
    /// Forgets everything, for the next game.
    pub fn new_game(&mut self) {
        (self.start, self.end, self.searched, self.turn, self.game) = (0, 0, 0, 0, 0);
    }

    /// Begins a turn: what its bytes are counted from.
    pub fn new_turn(&mut self) {
        self.turn = 0;
    }

    /// Where the next read goes; never empty after [`Framer::next`] has said `Partial`.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        &mut self.buffer[self.end..]
    }

    /// Says that so many bytes were read into [`Framer::space`].
    pub fn filled(&mut self, bytes: usize) {
        self.end += bytes;
        self.turn += bytes;
        self.game += bytes;
    }

    /// Whether anything waits, whole line or not.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The line that was taken last, without its LF and without one CR before it; gone with
    /// the next [`Framer::space`].
    pub fn line(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// What waits without its end.
    pub fn part(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Takes the next line. An oversized line or output is said again at every call.
    #[expect(clippy::should_implement_trait, reason = "lends from itself, so no Iterator")]
    pub fn next(&mut self) -> Framed {
        if let Some(limit) = self.exceeded() {
            return Framed::TooMuch(limit);
        }
        let unsearched = &self.buffer[self.searched..self.end];
        let Some(length) = unsearched.iter().position(|&byte| byte == b'\n') else {
            self.searched = self.end;
            // One more than the limit may wait: a CR whose LF is still to come.
            return if self.end - self.start > LINE_LIMIT + 1 {
                self.too_long()
            } else {
                Framed::Partial
            };
        };
        let end = self.searched + length;
        let has_cr = end > self.start && self.buffer[end - 1] == b'\r';
        let line = self.start..end - usize::from(has_cr);
        if line.len() > LINE_LIMIT {
            return self.too_long();
        }
        self.line = line;
        (self.start, self.searched) = (end + 1, end + 1);
        Framed::Line
    }

    fn too_long(&mut self) -> Framed {
        self.line = self.start..self.start + LINE_LIMIT;
        Framed::TooLong
    }

    fn exceeded(&self) -> Option<usize> {
        match () {
            () if self.turn > TURN_LIMIT => Some(TURN_LIMIT),
            () if self.game > GAME_LIMIT => Some(GAME_LIMIT),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds the chunks and collects what comes out, oversize as `!`.
    fn frame(chunks: &[&[u8]]) -> Vec<String> {
        let mut framer = Framer::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            let mut rest = *chunk;
            while !rest.is_empty() {
                let space = framer.space();
                let taken = rest.len().min(space.len());
                space[..taken].copy_from_slice(&rest[..taken]);
                framer.filled(taken);
                rest = &rest[taken..];
                loop {
                    match framer.next() {
                        Framed::Line => {
                            lines.push(String::from_utf8_lossy(framer.line()).into_owned());
                        }
                        Framed::Partial => break,
                        Framed::TooLong | Framed::TooMuch(_) => {
                            lines.push("!".into());
                            return lines;
                        }
                    }
                }
            }
        }
        lines
    }

    #[test]
    fn one_cr_before_lf_is_dropped() {
        assert_eq!(frame(&[b"4TR\r\n\r\r\nx"]), ["4TR", "\r"]);
    }

    #[test]
    fn a_line_of_the_limit_passes_and_a_longer_one_does_not() {
        for (length, ok) in [(LINE_LIMIT, true), (LINE_LIMIT + 1, false)] {
            for end in ["\n", "\r\n"] {
                let line = "x".repeat(length) + end;
                let first = &frame(&[line.as_bytes()])[0];
                assert_eq!(first.len() == length, ok, "{length} {end:?}");
            }
        }
    }

    #[test]
    fn a_flood_is_too_much_even_in_short_lines() {
        let flood = b"ok\n".repeat(TURN_LIMIT / 3 + 1);
        assert_eq!(frame(&[&flood]).last().map(String::as_str), Some("!"));
    }

    #[test]
    fn the_game_has_a_limit_of_its_own() {
        let mut framer = Framer::default();
        let mut turns = 0;
        loop {
            framer.new_turn();
            let space = framer.space();
            space[..4000].fill(b'x');
            space[3999] = b'\n';
            framer.filled(4000);
            match framer.next() {
                Framed::Line => turns += 1,
                other => {
                    assert_eq!(other, Framed::TooMuch(GAME_LIMIT));
                    break;
                }
            }
        }
        assert_eq!(turns, GAME_LIMIT / 4000);
    }

    proptest! {
        #[test]
        fn read_boundaries_change_nothing(
            text in "([a-z\r]{0,9}\n){0,20}[a-z]{0,5}",
            cuts in prop::collection::vec(0usize..200, 0..12),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|&cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(frame(&chunks), frame(&[bytes]));
        }

        #[test]
        fn any_bytes_are_framed_without_panic(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..5000), 0..8),
        ) {
            let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
            let lines = frame(&chunks);
            prop_assert!(lines.len() <= chunks.iter().map(|c| c.len()).sum::<usize>() + 1);
        }
    }
}
