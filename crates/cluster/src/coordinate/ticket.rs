//! Tickets: proof that a game was dispatched, by this coordinator or an earlier one of its contest.
//!
//! A coordinator does not know which games an earlier one has dispatched. It recognizes their results
//! by their tickets, which only holders of the contest's key can create.

use pitmaster_core::GameId;

/// Key of a contest's tickets. It is stored with the results and never sent.
pub(super) struct Tickets {
    key: [u8; 32],
    contest: String,
}

/// Omits the key, which is secret.
impl std::fmt::Debug for Tickets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tickets")
    }
}

impl Tickets {
    pub(super) fn new(key: [u8; 32], contest: String) -> Self {
        Self { key, contest }
    }

    /// Ticket of a game.
    pub(super) fn ticket(&self, game: &GameId) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(self.contest.as_bytes()).update(&[0]).update(game.as_str().as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Verifies the ticket of a game.
    pub(super) fn verify(&self, ticket: &str, game: &GameId) -> bool {
        // Hashes are compared, because that takes constant time.
        blake3::hash(ticket.as_bytes()) == blake3::hash(self.ticket(game).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_valid_for_one_game_of_one_contest() {
        let id = |digit: &str| digit.repeat(16).parse::<GameId>().unwrap();
        let tickets = Tickets::new([1; 32], "cup".into());
        let ticket = tickets.ticket(&id("a"));
        assert!(tickets.verify(&ticket, &id("a")) && !tickets.verify(&ticket, &id("b")));
        assert!(!tickets.verify("", &id("a")) && !tickets.verify(&ticket[..31], &id("a")));
        for other in [Tickets::new([2; 32], "cup".into()), Tickets::new([1; 32], "cup2".into())] {
            assert!(!other.verify(&ticket, &id("a")));
        }
        assert!(!format!("{tickets:?}").contains('1'));
    }
}
