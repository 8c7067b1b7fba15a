//! Tickets: proof that a game was handed out, by this coordinator or an earlier one of its contest.
//!
//! After a coordinator dies, nobody remembers what it handed out. Its results are still recognized
//! by their tickets, which only holders of the contest's key can create.

use pitmaster_core::GameId;

/// Key of a contest's tickets. It is stored with the results and never sent.
pub(super) struct Tickets {
    key: [u8; 32],
    contest: String,
}

/// Hides the key, which is secret.
impl std::fmt::Debug for Tickets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tickets")
    }
}

impl Tickets {
    pub(super) fn new(key: [u8; 32], contest: String) -> Self {
        Self { key, contest }
    }

    /// The ticket of a game.
    pub(super) fn of(&self, game: &GameId) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(self.contest.as_bytes()).update(&[0]).update(game.as_str().as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Returns whether a text is the ticket of a game.
    pub(super) fn is_of(&self, ticket: &str, game: &GameId) -> bool {
        // Hashes compare in constant time, texts do not.
        blake3::hash(ticket.as_bytes()) == blake3::hash(self.of(game).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_of_one_game_of_one_contest() {
        let id = |digit: &str| digit.repeat(16).parse::<GameId>().unwrap();
        let tickets = Tickets::new([1; 32], "cup".into());
        let ticket = tickets.of(&id("a"));
        assert!(tickets.is_of(&ticket, &id("a")) && !tickets.is_of(&ticket, &id("b")));
        assert!(!tickets.is_of("", &id("a")) && !tickets.is_of(&ticket[..31], &id("a")));
        for other in [Tickets::new([2; 32], "cup".into()), Tickets::new([1; 32], "cup2".into())] {
            assert!(!other.is_of(&ticket, &id("a")));
        }
        assert!(!format!("{tickets:?}").contains('1'));
    }
}
