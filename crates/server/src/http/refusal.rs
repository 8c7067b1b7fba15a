//! Messages about refusals of the database.

use pitmaster_core::i18n::{Message, said};

use crate::database::Refusal;

/// Message with the reason and what to do.
pub(super) fn message(refusal: &Refusal) -> Message {
    match refusal {
        Refusal::Exists(what) => {
            said!("This {} is taken; choose another.", Message::new(what, Vec::new()))
        }
        Refusal::UnknownInvite => {
            said!("No invitation has this code; check it, or ask for another.")
        }
        Refusal::UsedInvite => {
            said!("This invitation was used already; log in, or ask for another.")
        }
        Refusal::ExpiredInvite => said!("This invitation has expired; ask for another."),
        Refusal::TooMany { limit, what } => {
            said!("There can be at most {} {}.", *limit, Message::new(what, Vec::new()))
        }
        Refusal::Quota { wait } => {
            // Rounded up: an earlier attempt would be refused again.
            let minutes = wait.as_secs() / 60 + 1;
            said!("Your group has done this too often; try again in {} min.", minutes)
        }
        Refusal::Absent(_)
        | Refusal::Invalid { .. }
        | Refusal::Passphrase(_)
        | Refusal::State(_)
        | Refusal::LeaseLost
        | Refusal::Conflict(_) => said!("It was refused: {}.", refusal.to_string()),
    }
}
