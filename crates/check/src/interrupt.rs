//! Interruption of an examination: a request to end it now, with the findings so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Interruption flag of an examination, shared by all clones.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl From<Arc<AtomicBool>> for Interrupt {
    /// An interruption by a flag that others set.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

impl Interrupt {
    /// Interrupts the examination.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether it was interrupted.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
