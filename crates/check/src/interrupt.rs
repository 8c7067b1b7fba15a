//! Interruption of an examination: a request to end it now, with the findings so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Interruption flag of an examination, shared by all clones.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

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
