//! Tail of a stream: the last bytes, in bounded memory.

use std::collections::VecDeque;

use pitmaster_core::Untrusted;

/// Number of bytes kept of standard error.
const KEPT: usize = 64 * 1024;

/// Keeps the last 64 KiB and counts all bytes.
#[derive(Debug)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    total: usize,
    limit: usize,
}

impl Tail {
    /// Makes the tail for a bot that may write this many bytes in a game.
    pub(super) fn with_limit(limit: usize) -> Self {
        Self { kept: VecDeque::new(), total: 0, limit }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let excess = (self.kept.len() + bytes.len()).saturating_sub(KEPT);
        self.kept.drain(..excess);
        self.kept.extend(bytes);
    }

    pub(super) fn is_too_much(&self) -> bool {
        self.total > self.limit
    }

    pub(super) fn text(&self) -> Untrusted {
        let (front, back) = self.kept.as_slices();
        Untrusted::new([front, back].concat())
    }

    pub(super) fn new_game(&mut self) {
        *self = Self::with_limit(self.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::with_limit(300_000);
        tail.push(&vec![b'a'; 50_000]);
        tail.push(&vec![b'b'; 50_000]);
        let text = tail.text();
        assert_eq!(text.as_bytes().len(), KEPT);
        assert!(text.as_bytes().ends_with(&vec![b'b'; 50_000]));
        tail.push(&vec![b'c'; 200_000]);
        assert!(tail.text().as_bytes().iter().all(|&byte| byte == b'c'));
        assert!(!tail.is_too_much());
        tail.push(b"d");
        assert!(tail.is_too_much());
        tail.new_game();
        assert!(!tail.is_too_much() && tail.text().is_empty());
        assert_eq!(tail.limit(), 300_000);
    }
}
