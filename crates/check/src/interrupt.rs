//! Interruption of an examination: a request to end it now, with the findings so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an examination was interrupted; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Interrupts the examination.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was interrupted.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
