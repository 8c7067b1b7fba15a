//! New standard error output of a bot, as it arrives.

use pitmaster_core::Untrusted;

/// Amount of a bot's standard error that was already shown.
#[derive(Debug, Default)]
pub(super) struct ErrorsTold {
    bytes: usize,
}

impl ErrorsTold {
    /// New output in the retained end of standard error.
    pub(super) fn news(&mut self, stderr: &Untrusted) -> Option<Untrusted> {
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
        let mut told = ErrorsTold::default();
        let mut news = |text: &str| told.news(&Untrusted::new(text)).map(|new| new.shown(99));
        assert_eq!(news(""), None);
        assert_eq!(news("one"), Some("one".into()));
        assert_eq!(news("one"), None);
        assert_eq!(news("one two"), Some(" two".into()));
        assert_eq!(news("two"), Some("two".into()));
    }
}
