//! The end of a stream: bounded memory for an unbounded writer.

use std::collections::VecDeque;

use crate::record::Untrusted;

/// How much of standard error is kept, in bytes.
const KEPT: usize = 64 * 1024;

/// The most that is read of standard error in the life of a process, in bytes.
pub(super) const STDERR_LIMIT: usize = 16 * 1024 * 1024;

/// Keeps the last 64 KiB of what is pushed, and counts all of it.
#[derive(Debug, Default)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    total: usize,
}

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len();
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let excess = (self.kept.len() + bytes.len()).saturating_sub(KEPT);
        self.kept.drain(..excess);
        self.kept.extend(bytes);
    }

    pub(super) fn is_too_much(&self) -> bool {
        self.total > STDERR_LIMIT
    }

    pub(super) fn text(&self) -> Untrusted {
        let (front, back) = self.kept.as_slices();
        Untrusted::new([front, back].concat())
    }

    pub(super) fn new_game(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::default();
        tail.push(&vec![b'a'; 50_000]);
        tail.push(&vec![b'b'; 50_000]);
        let text = tail.text();
        assert_eq!(text.as_bytes().len(), KEPT);
        assert!(text.as_bytes().ends_with(&vec![b'b'; 50_000]));
        tail.push(&vec![b'c'; 200_000]);
        assert!(tail.text().as_bytes().iter().all(|&byte| byte == b'c'));
        assert!(!tail.is_too_much());
    }
}
