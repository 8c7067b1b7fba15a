//! What a bot writes to standard error, told as it comes.

use pitmaster_core::Untrusted;

/// How much of a bot's standard error was told already.
#[derive(Debug, Default)]
pub(super) struct ErrorsTold {
    bytes: usize,
}

impl ErrorsTold {
    /// What is new in the end of its standard error that is kept.
    pub(super) fn news(&mut self, stderr: &Untrusted) -> Option<Untrusted> {
        let bytes = stderr.as_bytes();
        // What was told once may be forgotten by now, as only the end is kept.
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
        let mut told = ErrorsTold::default();
        let mut news = |text: &str| told.news(&Untrusted::new(text)).map(|new| new.shown(99));
        assert_eq!(news(""), None);
        assert_eq!(news("one"), Some("one".into()));
        assert_eq!(news("one"), None);
        assert_eq!(news("one two"), Some(" two".into()));
        assert_eq!(news("two"), Some("two".into()));
    }
}
