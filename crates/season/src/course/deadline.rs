//! Deadlines: selection of the version of a group for a final.

use std::time::Duration;

use super::{Utc, VersionState};
use crate::time::late_by;

/// A deadline of a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// The announced instant.
    pub at: Utc,
    /// Time after it in which an upload may still begin.
    pub grace: Duration,
    /// Selection policy.
    pub policy: FreezePolicy,
}

/// Selection of a version among those in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreezePolicy {
    /// The newest that passed its validation games.
    NewestPassing,
    /// The version chosen by the group, if any; otherwise the newest that passed.
    Chosen,
}

impl FreezePolicy {
    /// Both policies.
    pub const ALL: [Self; 2] = [Self::NewestPassing, Self::Chosen];

    /// Name in databases and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewestPassing => "newest-passing",
            Self::Chosen => "chosen",
        }
    }
}

/// A version of a group, as input of a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the version; a higher one was submitted later.
    pub number: u32,
    /// Arrival time of the first byte of its upload.
    pub began: Utc,
    /// Its state.
    pub state: VersionState,
    /// Whether the group chose it permanently.
    pub is_chosen: bool,
}

/// Decision of a deadline for a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frozen {
    /// It has not passed yet.
    TooEarly,
    /// A version that was in time is still being processed: decide again when its state changes.
    WaitsFor(u32),
    /// This version is frozen.
    Version(u32),
    /// No version was in time and passed.
    Nothing,
}

impl Deadline {
    /// First instant at which an upload is late.
    pub fn end(&self) -> Utc {
        self.at.plus(self.grace)
    }

    /// Lateness of an upload by its start, such as `5 min`. `None` if it was in time. An upload in
    /// the grace period counts but is late.
    pub fn lateness(&self, began: Utc) -> Option<String> {
        // The first millisecond after it is late.
        late_by((began.0 - self.at.0 + 999).div_euclid(1000))
    }

    /// Decides which of the versions of a group, in any order, is frozen.
    ///
    /// An upload is in time if its first byte was, so that a slow network does not matter. A
    /// version that is still being built or validated at the deadline counts if it passes later.
    pub fn freeze(&self, versions: &[Candidate], now: Utc) -> Frozen {
        if now < self.end() {
            return Frozen::TooEarly;
        }
        let in_time = || versions.iter().filter(|version| version.began < self.end());
        let chosen = in_time().filter(|version| version.is_chosen).max_by_key(|it| it.number);
        if self.policy == FreezePolicy::Chosen
            && let Some(version) = chosen.filter(|version| version.counts())
        {
            return version.decided();
        }
        let newest = in_time().filter(|version| version.counts()).max_by_key(|it| it.number);
        newest.map_or(Frozen::Nothing, Candidate::decided)
    }
}

impl Candidate {
    /// Whether it passed or may still pass.
    fn counts(&self) -> bool {
        self.state.has_passed() || self.state.is_in_work()
    }

    fn decided(&self) -> Frozen {
        if self.state.has_passed() {
            Frozen::Version(self.number)
        } else {
            Frozen::WaitsFor(self.number)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AT: Utc = Utc(1_000_000);
    const DEADLINE: Deadline =
        Deadline { at: AT, grace: Duration::from_mins(1), policy: FreezePolicy::NewestPassing };
    const AFTER: Utc = Utc(1_060_000);

    fn version(number: u32, began: i64, state: VersionState) -> Candidate {
        Candidate { number, began: Utc(AT.0 + began), state, is_chosen: false }
    }

    #[test]
    fn the_newest_that_passed_and_was_in_time_is_frozen() {
        use VersionState::{Active, FailedBuild, Replaced};
        let versions = [
            version(1, -500_000, Replaced),
            version(2, 59_999, Active),
            version(3, -10, FailedBuild),
            version(4, 60_000, Active),
        ];
        assert_eq!(DEADLINE.freeze(&versions, Utc(AFTER.0 - 1)), Frozen::TooEarly);
        assert_eq!(DEADLINE.freeze(&versions, AFTER), Frozen::Version(2));
        assert_eq!(DEADLINE.freeze(&versions[2..], AFTER), Frozen::Nothing);
        assert_eq!(DEADLINE.freeze(&[], AFTER), Frozen::Nothing);
    }

    #[test]
    fn what_begins_in_the_time_of_grace_is_late() {
        let grace = Duration::from_hours(48);
        let deadline = Deadline { at: Utc(1_000), grace, policy: FreezePolicy::NewestPassing };
        let late = |began: i64| deadline.lateness(Utc(began));
        assert_eq!([late(0), late(1_000)], [None, None]);
        assert_eq!(late(1_001).as_deref(), Some("1 s"));
        assert_eq!(late(1_000 + 90_000_000).as_deref(), Some("1 d 1 h"));
    }

    #[test]
    fn a_version_in_work_is_waited_for() {
        let mut versions =
            [version(1, -500, VersionState::Active), version(2, -1, VersionState::Built)];
        assert_eq!(DEADLINE.freeze(&versions, AFTER), Frozen::WaitsFor(2));
        versions[1].state = VersionState::FailedValidation;
        assert_eq!(DEADLINE.freeze(&versions, AFTER), Frozen::Version(1));
        versions[1].state = VersionState::Active;
        assert_eq!(DEADLINE.freeze(&versions, AFTER), Frozen::Version(2));
    }

    #[test]
    fn a_group_can_choose_where_the_policy_lets_it() {
        let mut versions =
            [version(1, -500, VersionState::Passed), version(2, -1, VersionState::Active)];
        versions[0].is_chosen = true;
        assert_eq!(DEADLINE.freeze(&versions, AFTER), Frozen::Version(2));
        let deadline = Deadline { policy: FreezePolicy::Chosen, ..DEADLINE };
        assert_eq!(deadline.freeze(&versions, AFTER), Frozen::Version(1));
        // A withdrawn or late choice does not count.
        versions[0].state = VersionState::Withdrawn;
        assert_eq!(deadline.freeze(&versions, AFTER), Frozen::Version(2));
    }

    fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
        let one = (-120_000_i64..120_000, prop::sample::select(VersionState::ALL.to_vec()));
        prop::collection::vec(one, 0..8).prop_map(|mut all| {
            all.sort_by_key(|(began, _)| *began);
            all.into_iter()
                .zip(1..)
                .map(|((began, state), number)| version(number, began, state))
                .collect()
        })
    }

    proptest! {
        /// Uploads around the deadline are classified by the rule, in any order.
        #[test]
        fn the_side_of_the_deadline_decides(mut versions in candidates(), late in 0_i64..500_000) {
            let frozen = DEADLINE.freeze(&versions, Utc(AFTER.0 + late));
            let wanted = versions.iter().filter(|it| it.began < AFTER)
                .rfind(|it| it.state.has_passed() || it.state.is_in_work());
            match frozen {
                Frozen::Version(number) => {
                    prop_assert_eq!(Some(number), wanted.map(|it| it.number));
                    prop_assert!(wanted.is_some_and(|it| it.state.has_passed()));
                }
                Frozen::WaitsFor(number) => {
                    prop_assert_eq!(Some(number), wanted.map(|it| it.number));
                    prop_assert!(wanted.is_some_and(|it| it.state.is_in_work()));
                }
                Frozen::Nothing => prop_assert_eq!(wanted, None),
                Frozen::TooEarly => prop_assert!(false),
            }
            versions.reverse();
            prop_assert_eq!(DEADLINE.freeze(&versions, Utc(AFTER.0 + late)), frozen);
        }
    }
}
