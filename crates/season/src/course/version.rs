//! State machine of a version submitted by a group.

use std::fmt;
use std::str::FromStr;

use pitmaster_core::i18n::{Message, said};

/// State of a version of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VersionState {
    /// The bytes arrived and are stored.
    Received,
    /// The archive was unpacked.
    Staged,
    /// It was built.
    Built,
    /// It played its validation games without a forfeit.
    Valid,
    /// It plays on the ladder.
    Active,
    /// It is valid, but its group chose another version.
    Passed,
    /// A newer version took its place.
    Replaced,
    /// A newer version was submitted before its turn.
    Superseded,
    /// The archive was refused.
    Refused,
    /// The build failed.
    FailedBuild,
    /// It forfeited a validation game.
    FailedValidation,
    /// It forfeited consecutive games on the ladder, or the staff stopped it.
    Suspended,
    /// Its group or the staff withdrew it.
    Withdrawn,
}

/// Event in the life of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VersionEvent {
    /// The archive was unpacked.
    Unpacked,
    /// The archive was refused.
    Refused,
    /// The build succeeded.
    Built,
    /// The build failed.
    BuildFailed,
    /// All validation games were played without a forfeit.
    Validated,
    /// A validation game was forfeited.
    ValidationFailed,
    /// The version is activated on the ladder, automatically after its validation or by choice.
    Chosen,
    /// It is valid, and its group has chosen another version for good.
    SetAside,
    /// A newer version took its place.
    Replaced,
    /// It was stopped.
    Suspended,
    /// It was withdrawn.
    Withdrawn,
}

/// An event that cannot happen in this state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a version that is {state} cannot be {event}")]
pub struct WrongEvent {
    /// The state.
    pub state: VersionState,
    /// The event.
    pub event: VersionEvent,
}

impl VersionState {
    /// All states.
    pub const ALL: [Self; 13] = [
        Self::Received,
        Self::Staged,
        Self::Built,
        Self::Valid,
        Self::Active,
        Self::Passed,
        Self::Replaced,
        Self::Superseded,
        Self::Refused,
        Self::FailedBuild,
        Self::FailedValidation,
        Self::Suspended,
        Self::Withdrawn,
    ];

    /// Name in databases and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Staged => "staged",
            Self::Built => "built",
            Self::Valid => "valid",
            Self::Active => "active",
            Self::Passed => "passed",
            Self::Replaced => "replaced",
            Self::Superseded => "superseded",
            Self::Refused => "refused",
            Self::FailedBuild => "failed-build",
            Self::FailedValidation => "failed-validation",
            Self::Suspended => "suspended",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// State after an event.
    ///
    /// # Errors
    /// The event cannot happen in this state.
    pub const fn after(self, event: VersionEvent) -> Result<Self, WrongEvent> {
        use VersionEvent as Event;
        let next = match (self, event) {
            (Self::Received, Event::Unpacked) => Self::Staged,
            (Self::Received, Event::Refused) => Self::Refused,
            (Self::Staged, Event::Built) => Self::Built,
            (Self::Staged, Event::BuildFailed) => Self::FailedBuild,
            (Self::Built, Event::Validated) => Self::Valid,
            (Self::Built, Event::ValidationFailed) => Self::FailedValidation,
            // A group may return to a version that passed before.
            (Self::Valid | Self::Passed | Self::Replaced | Self::Suspended, Event::Chosen) => {
                Self::Active
            }
            (Self::Valid | Self::Active, Event::SetAside) => Self::Passed,
            (Self::Active, Event::Replaced) => Self::Replaced,
            // A group has one version in work, and the newest of those that wait.
            (Self::Received, Event::Replaced) => Self::Superseded,
            (Self::Active, Event::Suspended) => Self::Suspended,
            (state, Event::Withdrawn) if state.can_be_withdrawn() => Self::Withdrawn,
            (state, event) => return Err(WrongEvent { state, event }),
        };
        Ok(next)
    }

    const fn can_be_withdrawn(self) -> bool {
        !matches!(
            self,
            Self::Superseded
                | Self::Refused
                | Self::FailedBuild
                | Self::FailedValidation
                | Self::Withdrawn
        )
    }

    /// Whether the server still processes it, so that it is unknown whether it can play.
    pub const fn is_in_work(self) -> bool {
        matches!(self, Self::Received | Self::Staged | Self::Built | Self::Valid)
    }

    /// Whether it played its validation games without a forfeit, and may be frozen for a final. One
    /// that was stopped on the ladder may not, until its group chooses it again.
    pub const fn has_passed(self) -> bool {
        matches!(self, Self::Valid | Self::Active | Self::Passed | Self::Replaced)
    }

    /// Explanation for its authors, with their options.
    pub fn sentence(self) -> Message {
        match self {
            Self::Received => said!("It is stored and waits to be unpacked and built."),
            Self::Staged => said!("It is unpacked and waits to be built."),
            Self::Built => said!("It is built and waits for its validation games."),
            Self::Valid => said!("It passed its validation games."),
            Self::Active => said!("It plays on the ladder."),
            Self::Passed => {
                said!("It passed, but another version plays; you can choose this one instead.")
            }
            Self::Replaced => {
                said!("A newer version took its place; you can choose this one again.")
            }
            Self::Superseded => said!("You handed in a newer version before its turn came."),
            Self::Refused => {
                said!("The archive was refused; correct what is named and hand in again.")
            }
            Self::FailedBuild => {
                said!("The build failed; read the build log, correct the source and hand in again.")
            }
            Self::FailedValidation => said!(
                "It forfeited a validation game; read the findings, correct the bot and hand in again."
            ),
            Self::Suspended => said!(
                "It was stopped because it forfeited one game after the other; hand in a better \
                 version, or choose this one again."
            ),
            Self::Withdrawn => said!("It was taken back and plays no more."),
        }
    }
}

impl fmt::Display for VersionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for VersionState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| format!("unknown state of a version {text:?}"))
    }
}

impl VersionEvent {
    /// All events.
    pub const ALL: [Self; 11] = [
        Self::Unpacked,
        Self::Refused,
        Self::Built,
        Self::BuildFailed,
        Self::Validated,
        Self::ValidationFailed,
        Self::Chosen,
        Self::SetAside,
        Self::Replaced,
        Self::Suspended,
        Self::Withdrawn,
    ];
}

impl fmt::Display for VersionEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unpacked => "unpacked",
            Self::Refused => "refused",
            Self::Built => "built",
            Self::BuildFailed => "failed by its build",
            Self::Validated => "validated",
            Self::ValidationFailed => "failed by its validation games",
            Self::Chosen => "chosen",
            Self::SetAside => "set aside",
            Self::Replaced => "replaced",
            Self::Suspended => "suspended",
            Self::Withdrawn => "withdrawn",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All states with their transitions.
    #[test]
    fn states_and_what_can_come_next() {
        let line = |state: VersionState| {
            let next = VersionEvent::ALL.iter().filter_map(|&event| {
                state.after(event).ok().map(|next| format!("{event} → {next}"))
            });
            let next: Vec<_> = next.collect();
            format!("{state}: {}", if next.is_empty() { "the end".into() } else { next.join(", ") })
        };
        insta::assert_snapshot!(VersionState::ALL.map(line).join("\n"), @"
        received: unpacked → staged, refused → refused, replaced → superseded, withdrawn → withdrawn
        staged: built → built, failed by its build → failed-build, withdrawn → withdrawn
        built: validated → valid, failed by its validation games → failed-validation, withdrawn → withdrawn
        valid: chosen → active, set aside → passed, withdrawn → withdrawn
        active: set aside → passed, replaced → replaced, suspended → suspended, withdrawn → withdrawn
        passed: chosen → active, withdrawn → withdrawn
        replaced: chosen → active, withdrawn → withdrawn
        superseded: the end
        refused: the end
        failed-build: the end
        failed-validation: the end
        suspended: chosen → active, withdrawn → withdrawn
        withdrawn: the end
        ");
    }

    #[test]
    fn only_a_valid_version_ever_plays() {
        for state in VersionState::ALL {
            if state.after(VersionEvent::Chosen).is_ok() {
                assert!(state.has_passed() || state == VersionState::Suspended, "{state}");
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for state in VersionState::ALL {
            assert_eq!(state.name().parse(), Ok(state));
        }
        assert!("gone".parse::<VersionState>().is_err());
        let wrong = VersionState::Refused.after(VersionEvent::Chosen).unwrap_err();
        assert_eq!(wrong.to_string(), "a version that is refused cannot be chosen");
    }
}
