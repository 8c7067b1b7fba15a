//! Bounded line framer. The result does not depend on how reads split the bytes.

use std::ops::Range;

use super::{GAME_LIMIT, LINE_LIMIT, TURN_LIMIT};

/// Splits the output of a bot into lines.
///
/// Stores at most one line and the bytes of one read, and allocates nothing after its start.
#[derive(Debug)]
pub struct Framer {
    buffer: Box<[u8]>,
    /// Start of the bytes not yet taken.
    start: usize,
    /// End of the bytes read.
    end: usize,
    /// Offset up to which a line end was searched.
    searched: usize,
    /// Line taken last.
    line: Range<usize>,
    /// Bytes of the lines taken in this turn and game. Pending bytes are counted when they are
    /// examined, so that the result does not depend on the size of reads.
    turn: usize,
    game: usize,
    /// Maximum bytes in a turn.
    turn_limit: usize,
}

/// Next item of a framer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framed {
    /// Complete line: [`Framer::line`].
    Line,
    /// No complete line yet.
    Partial,
    /// Line longer than [`LINE_LIMIT`] bytes; its beginning is [`Framer::line`].
    TooLong,
    /// More bytes in the turn or game than allowed, with the limit.
    TooMuch(usize),
}

impl Default for Framer {
    fn default() -> Self {
        Self::with_turn_limit(TURN_LIMIT)
    }
}

impl Framer {
    /// Makes a framer for a bot that may write this many bytes in a turn.
    pub fn with_turn_limit(turn_limit: usize) -> Self {
        let buffer = vec![0; 4 * LINE_LIMIT].into_boxed_slice();
        Self { buffer, start: 0, end: 0, searched: 0, line: 0..0, turn: 0, game: 0, turn_limit }
    }

    /// Resets the framer for the next game.
    pub fn new_game(&mut self) {
        (self.start, self.end, self.searched, self.turn, self.game) = (0, 0, 0, 0, 0);
    }

    /// Begins a turn and resets its byte count.
    pub fn new_turn(&mut self) {
        self.turn = 0;
    }

    /// Buffer for the next read; never empty after [`Framer::next`] has returned `Partial`.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.searched -= self.start;
            self.start = 0;
        }
        &mut self.buffer[self.end..]
    }

    /// Whether [`Framer::space`] is not empty.
    pub fn has_room(&self) -> bool {
        self.end - self.start < self.buffer.len()
    }

    /// Reports how many bytes were read into [`Framer::space`].
    pub fn filled(&mut self, bytes: usize) {
        self.end += bytes;
    }

    /// Whether no bytes are pending, neither a complete line nor a part.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Line taken last, without its LF and without one CR before it. It is invalidated by the next
    /// [`Framer::space`].
    pub fn line(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// Whether that line had a CR before its LF.
    pub fn line_had_cr(&self) -> bool {
        self.buffer.get(self.line.end) == Some(&b'\r')
    }

    /// Pending bytes without a line end.
    pub fn partial_line(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Takes the next line. An oversized line or output is reported again at every call.
    #[expect(clippy::should_implement_trait, reason = "lends from itself, so no Iterator")]
    pub fn next(&mut self) -> Framed {
        let line_end = self.search();
        let raw = line_end.unwrap_or(self.end) - self.start;
        if let Some(limit) = self.exceeded_by(raw) {
            return Framed::TooMuch(limit);
        }
        match line_end {
            // One more than the limit may wait: a CR whose LF is still to come.
            None if raw > LINE_LIMIT + 1 => self.too_long(),
            None => Framed::Partial,
            Some(end) => self.take(end),
        }
    }

    /// Offset after the LF of the first line.
    fn search(&mut self) -> Option<usize> {
        let unsearched = &self.buffer[self.searched..self.end];
        match unsearched.iter().position(|&byte| byte == b'\n') {
            Some(length) => Some(self.searched + length + 1),
            None => {
                self.searched = self.end;
                None
            }
        }
    }

    fn take(&mut self, end: usize) -> Framed {
        let lf = end - 1;
        let has_cr = lf > self.start && self.buffer[lf - 1] == b'\r';
        let line = self.start..lf - usize::from(has_cr);
        if line.len() > LINE_LIMIT {
            return self.too_long();
        }
        self.line = line;
        self.turn += end - self.start;
        self.game += end - self.start;
        (self.start, self.searched) = (end, end);
        Framed::Line
    }

    fn too_long(&mut self) -> Framed {
        self.line = self.start..self.start + LINE_LIMIT;
        Framed::TooLong
    }

    /// Limit that a line of this many bytes, including its end, would exceed. An oversized line
    /// counts only up to the bytes that prove it.
    fn exceeded_by(&self, raw: usize) -> Option<usize> {
        let raw = raw.min(LINE_LIMIT + 2);
        match () {
            () if self.turn + raw > self.turn_limit => Some(self.turn_limit),
            () if self.game + raw > GAME_LIMIT => Some(GAME_LIMIT),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds the chunks and collects the lines, with a long line as `!` and too much output as
    /// `!!`.
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
                        Framed::TooLong => return [lines, vec!["!".into()]].concat(),
                        Framed::TooMuch(_) => return [lines, vec!["!!".into()]].concat(),
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
        let lines = frame(&[&flood]);
        assert_eq!(lines.last().map(String::as_str), Some("!!"));
        assert_eq!(lines.len(), TURN_LIMIT / 3 + 1);
    }

    #[test]
    fn a_turn_has_the_limit_that_it_was_given() {
        let frame = |limit| {
            let mut framer = Framer::with_turn_limit(limit);
            framer.space()[..6].copy_from_slice(b"ok\nok\n");
            framer.filled(6);
            [framer.next(), framer.next()]
        };
        assert_eq!(frame(6), [Framed::Line, Framed::Line]);
        assert_eq!(frame(5), [Framed::Line, Framed::TooMuch(5)]);
        assert_eq!(TURN_LIMIT as u64, pitmaster_core::Resources::default().output);
    }

    #[test]
    fn what_stands_behind_the_last_allowed_line_does_not_spoil_it() {
        let mut bytes = b"x".repeat(TURN_LIMIT);
        bytes.iter_mut().step_by(1024).skip(1).for_each(|byte| *byte = b'\n');
        bytes[TURN_LIMIT - 1] = b'\n';
        let lines = frame(&[&bytes]);
        assert_eq!(lines.len(), 64);
        assert!(lines.iter().all(|line| line.len() >= 1022));
        bytes.push(b'x');
        assert_eq!(frame(&[&bytes]), [lines, vec!["!!".into()]].concat());
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
        fn nor_do_they_at_the_bounds(
            lines in prop::collection::vec(3900usize..4110, 10..20),
            crlf: bool,
            cut in 1usize..5000,
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let text: String = lines.iter().map(|&length| "x".repeat(length) + end).collect();
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(cut).collect();
            prop_assert_eq!(frame(&chunks), frame(&[text.as_bytes()]));
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
