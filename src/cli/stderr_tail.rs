//! New standard error output of a bot, as it arrives.

use pitmaster_core::Untrusted;

/// Amount of a bot's standard error that was already shown.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    bytes: usize,
}

impl StderrTail {
    /// New output in the retained end of standard error.
    pub(super) fn take_new(&mut self, stderr: &Untrusted) -> Option<Untrusted> {
        let bytes = stderr.as_bytes();
        // Output already shown may be gone, because only the end is retained.
        let new = bytes.get(self.bytes..).unwrap_or(bytes);
        self.bytes = bytes.len();
        (!new.is_empty()).then(|| Untrusted::new(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_twice() {
        let mut tail = StderrTail::default();
        let mut take_new =
            |text: &str| tail.take_new(&Untrusted::new(text)).map(|new| new.shown(99));
        assert_eq!(take_new(""), None);
        assert_eq!(take_new("one"), Some("one".into()));
        assert_eq!(take_new("one"), None);
        assert_eq!(take_new("one two"), Some(" two".into()));
        assert_eq!(take_new("two"), Some("two".into()));
    }
}
