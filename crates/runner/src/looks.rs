//! Check schedule: times at which the resting side is checked while the other side thinks.

use std::time::Duration;

use pitmaster_core::At;

/// The resting side is stopped once the other has thought for this long. Fast games need no check,
/// and unchecked CPU time is bounded by it.
pub(super) const PATIENCE: Duration = Duration::from_micros(200);

/// Time from the first check, which stops the side, to the second.
const FIRST_GAP: Duration = Duration::from_millis(5);

/// Longest gap between checks, which become rarer. A check costs about 2 µs of the mover's core.
const LONGEST_GAP: Duration = Duration::from_millis(80);

/// Checks during one turn: after 0.2 ms, then after further 5, 10, 20, 40 and repeatedly 80 ms.
#[derive(Debug)]
pub(super) struct Looks {
    next: Option<At>,
    gap: Duration,
}

impl Looks {
    /// No checks.
    pub(super) const NONE: Self = Self { next: None, gap: Duration::ZERO };

    /// Checks during a turn that begins now.
    pub(super) fn from(now: At) -> Self {
        Self { next: Some(now + PATIENCE), gap: FIRST_GAP }
    }

    /// How late the first check of the turn is by now, which stops the resting side. Zero once it was
    /// done.
    pub(super) fn lateness(&self, now: At) -> Duration {
        match self.next {
            Some(due) if !self.have_begun() => now.since(due),
            _ => Duration::ZERO,
        }
    }

    /// Time of the next check, or the end of the turn's time if that is earlier.
    pub(super) fn next_before(&self, until: Option<At>) -> Option<At> {
        [self.next, until].into_iter().flatten().min()
    }

    /// Returns whether there are checks and the turn has passed the first.
    pub(super) fn have_begun(&self) -> bool {
        self.next.is_some() && self.gap > FIRST_GAP
    }

    /// Records that a check was done.
    pub(super) fn taken(&mut self, now: At) {
        if let Some(next) = &mut self.next {
            *next = now + self.gap;
            self.gap = (self.gap * 2).min(LONGEST_GAP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_become_rarer_and_never_stop() {
        let mut looks = Looks::from(At::START);
        let mut now = At::START;
        let gaps: Vec<_> = (0..8)
            .map(|_| {
                let next = looks.next_before(None).expect("there are looks");
                looks.taken(next);
                let gap = next.since(std::mem::replace(&mut now, next));
                gap.as_micros()
            })
            .collect();
        assert_eq!(gaps, [200, 5_000, 10_000, 20_000, 40_000, 80_000, 80_000, 80_000]);
    }

    #[test]
    fn the_end_of_the_time_may_come_before_a_look() {
        let end = At::START + Duration::from_millis(1);
        let mut looks = Looks::from(At::START);
        assert_eq!(looks.next_before(Some(end)), Some(At::START + PATIENCE));
        assert!(!looks.have_begun());
        let late = |looks: &Looks| looks.lateness(At::START + 3 * PATIENCE);
        assert_eq!((looks.lateness(At::START), late(&looks)), (Duration::ZERO, 2 * PATIENCE));
        looks.taken(At::START + PATIENCE);
        assert_eq!(late(&looks), Duration::ZERO);
        assert_eq!(looks.next_before(Some(end)), Some(end));
        assert!(looks.have_begun());
    }

    #[test]
    fn without_looks_only_the_time_ends() {
        let mut looks = Looks::NONE;
        looks.taken(At::START);
        assert_eq!(looks.next_before(None), None);
        assert!(!looks.have_begun());
    }
}
