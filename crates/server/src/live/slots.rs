//! Slots for readers: limits per session, for all guests, and in total.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Maximum number of readers of a session or a token.
pub(crate) const MAX_PER_SESSION: usize = 4;

/// Maximum number of readers of all guests together, so that members find slots.
pub(crate) const MAX_GUESTS: usize = 500;

/// Maximum number of readers in total. Beyond it, the oldest reader is disconnected.
pub(crate) const MAX_TOTAL: usize = 1500;

/// Owner of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FeedKey {
    /// Session, by its id.
    Session(String),
    /// Token, by its id.
    Token(String),
    /// Guest.
    Guest,
}

/// An owner has the maximum number of readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

/// Slots in use.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots(Arc<Mutex<TakenSlots>>);

#[derive(Debug, Default)]
struct TakenSlots {
    next: u64,
    /// Oldest first.
    all: VecDeque<(u64, FeedKey, Arc<Notify>)>,
}

/// Slot of a reader. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    number: u64,
    lost: Arc<Notify>,
    slots: Slots,
}

impl Slots {
    fn taken(&self) -> MutexGuard<'_, TakenSlots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self, key: FeedKey) -> Result<Slot, TooMany> {
        let mut taken = self.taken();
        let most = if key == FeedKey::Guest { MAX_GUESTS } else { MAX_PER_SESSION };
        if taken.all.iter().filter(|(_, other, _)| *other == key).count() >= most {
            return Err(TooMany);
        }
        if taken.all.len() >= MAX_TOTAL
            && let Some((_, _, lost)) = taken.all.pop_front()
        {
            lost.notify_one();
        }
        let (number, lost) = (taken.next, Arc::new(Notify::new()));
        taken.next += 1;
        taken.all.push_back((number, key, Arc::clone(&lost)));
        Ok(Slot { number, lost, slots: self.clone() })
    }

    pub(super) fn len(&self) -> usize {
        self.taken().all.len()
    }
}

impl Slot {
    /// Waits until the slot is taken by somebody else.
    pub(crate) async fn lost(&self) {
        self.lost.notified().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.taken().all.retain(|(number, ..)| *number != self.number);
    }
}
