//! Result validation: the signature, and whether the games were dispatched, follow the rules and have
//! plausible sizes.

use std::time::Duration;

use pitmaster_core::{Claim, Evidence, Record, Remark, Side};
use pitmaster_games::DynGame;
use pitmaster_referee as referee;

use super::state::CoordinatorState;
use crate::seal;
use crate::wire::{Content, Outcome, RunManifest, WireGame, decode, results_of};

/// Maximum duration of a game, a move or a process: 104 days.
const MAX_DURATION: Duration = Duration::from_nanos(1 << 53);

/// Maximum size of the evidence of a forfeit, in bytes.
const MAX_EVIDENCE: usize = 256 << 10;

/// Maximum size of a remark or a claim, in bytes.
const MAX_TEXT: usize = 1 << 10;

/// Maximum size of an ending, in bytes.
const MAX_ENDING: usize = 16 << 10;

/// Maximum number of wrong claims in a record.
const MAX_CLAIMS: usize = 64;

/// Outcome of validating a message.
#[derive(Debug)]
pub(super) enum Validation {
    /// A valid result of an admitted worker.
    Valid { signer: String, outcome: Outcome },
    /// The signer is not admitted, or not yet.
    UnknownSigner { signer: String },
    /// The message is not a signed result. The field is the reason.
    Malformed(String),
    /// An admitted worker has signed an invalid result.
    Invalid { signer: String, reason: String },
}

impl CoordinatorState {
    /// Validates a message of the result stream. This is slow, because the games are replayed.
    pub(super) fn validate(&self, sealed: &[u8]) -> Validation {
        let (signer, message) = match seal::open(&results_of(&self.contest), sealed) {
            Ok(opened) => opened,
            Err(reason) => return Validation::Malformed(reason),
        };
        if self.machine(&signer).is_none() {
            return Validation::UnknownSigner { signer };
        }
        self.validate_message(signer, message)
    }

    /// Validates a message whose signer is known.
    pub(super) fn validate_message(&self, signer: String, message: &[u8]) -> Validation {
        let outcome: Outcome = match decode(message) {
            Ok(outcome) => outcome,
            Err(reason) => return Validation::Malformed(reason),
        };
        match self.check(&outcome.content) {
            Ok(()) => Validation::Valid { signer, outcome },
            Err(reason) => Validation::Invalid { signer, reason },
        }
    }

    fn check(&self, content: &Content) -> Result<(), String> {
        let Content::Pairs(pairs) = content else { return Ok(()) };
        if pairs.is_empty() {
            return Err("a result without games".into());
        }
        pairs.iter().try_for_each(|games| self.check_pair(games))
    }

    fn check_pair(&self, games: &[WireGame]) -> Result<(), String> {
        let is_pair = match games {
            [_] => true,
            [one, other] => are_of_one_pair(&one.record, &other.record),
            _ => false,
        };
        if !is_pair {
            return Err("games that are not a pair".into());
        }
        games.iter().try_for_each(|game| {
            let id = game.record.id();
            self.check_game(game).map_err(|reason| format!("game {id}: {reason}"))
        })
    }

    fn check_game(&self, game: &WireGame) -> Result<(), String> {
        check_origin(&game.record, &self.manifest)?;
        if !self.tickets.verify(&game.ticket, &game.record.id()) {
            return Err("it was never dispatched".into());
        }
        check_content(game, &*self.game)
    }
}

/// Validates a game against a manifest and the rules. Does not validate that it was dispatched.
pub(super) fn check_record(
    game: &WireGame,
    manifest: &RunManifest,
    rules: &dyn DynGame,
) -> Result<(), String> {
    check_origin(&game.record, manifest)?;
    check_content(game, rules)
}

fn check_origin(record: &Record, manifest: &RunManifest) -> Result<(), String> {
    let is_ours = record.seed == record.key.seed(manifest.seed)
        && record.key.rules == manifest.rules
        && record.key.limits == manifest.limits;
    if is_ours { Ok(()) } else { Err("it belongs to another tournament".into()) }
}

fn check_content(game: &WireGame, rules: &dyn DynGame) -> Result<(), String> {
    if !is_bounded(game) {
        return Err("it is larger than any valid game".into());
    }
    referee::verify(&game.record, rules)
}

fn are_of_one_pair(one: &Record, other: &Record) -> bool {
    let (one, other) = (&one.key, &other.key);
    (one.stage, one.round, one.pair) == (other.stage, other.round, other.pair)
        && one.opening == other.opening
        && one.bots == other.bots.clone().swapped()
}

/// Returns whether the durations and texts of a game are small enough to be stored and summed.
fn is_bounded(game: &WireGame) -> bool {
    let record = &game.record;
    let longest = MAX_DURATION.as_nanos() as u64;
    let plies = record.plies.len();
    let remarks = record.remarks.iter().map(remark_size);
    let claims = record.wrong_claims.iter().map(claim_size);
    let ending = serde_json::to_vec(&record.ending).map_or(usize::MAX, |text| text.len());
    game.took_ns <= longest
        && record.duration <= MAX_DURATION
        && record.stolen.iter().all(|&time| time <= MAX_DURATION)
        && record.plies.iter().all(|ply| ply.wall.max(ply.cpu).max(ply.waiting) <= MAX_DURATION)
        && Side::BOTH
            .iter()
            .all(|&side| record.evidence[side].as_ref().is_none_or(is_bounded_evidence))
        && record.remarks.len() <= 2 * (plies + 1)
        && record.wrong_claims.len() <= MAX_CLAIMS
        && remarks.chain(claims).all(|(ply, bytes)| ply as usize <= plies + 1 && bytes <= MAX_TEXT)
        && ending <= MAX_ENDING
}

fn remark_size(remark: &Remark) -> (u32, usize) {
    (remark.ply, remark.text.as_bytes().len())
}

fn claim_size(claim: &Claim) -> (u32, usize) {
    (claim.ply, claim.text.as_bytes().len())
}

fn is_bounded_evidence(evidence: &Evidence) -> bool {
    let line = evidence.line.as_ref().map_or(0, |line| line.as_bytes().len());
    line.saturating_add(evidence.stderr.as_bytes().len()) <= MAX_EVIDENCE
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Untrusted;
    use pitmaster_referee::fixtures::random_game;

    use super::*;

    fn game() -> WireGame {
        let (record, ticket) = (random_game(20), "t".into());
        WireGame { record, lane: 0, started_at_ms: 1, took_ns: 1, ticket }
    }

    #[test]
    fn durations_and_texts_are_bounded() {
        let bounded = |change: &dyn Fn(&mut WireGame)| {
            let mut game = game();
            change(&mut game);
            is_bounded(&game)
        };
        let text = |bytes: usize| Untrusted::new(vec![b'x'; bytes]);
        let by = Side::One;
        assert!(bounded(&|_| {}));
        assert!(bounded(&|game| {
            game.record.remarks = vec![Remark { ply: 21, by, text: text(200) }; 40];
        }));
        assert!(!bounded(&|game| game.took_ns = u64::MAX));
        assert!(!bounded(&|game| game.record.duration = Duration::from_nanos(u64::MAX)));
        assert!(!bounded(&|game| game.record.stolen.two = MAX_DURATION * 2));
        assert!(!bounded(&|game| game.record.plies[3].cpu = MAX_DURATION * 2));
        assert!(!bounded(&|game| {
            game.record.remarks = vec![Remark { ply: 1, by, text: text(1) }; 1000];
        }));
        assert!(!bounded(&|game| {
            game.record.wrong_claims = vec![Claim { ply: u32::MAX, by, text: text(1) }];
        }));
        assert!(!bounded(&|game| {
            let stderr = text(MAX_EVIDENCE + 1);
            game.record.evidence.one = Some(Evidence { stderr, ..Evidence::default() });
        }));
    }

    #[test]
    fn a_pair_has_the_same_opening_with_sides_swapped() {
        let one = random_game(20);
        let mut other = one.clone();
        assert!(!are_of_one_pair(&one, &other), "the same game twice");
        other.key.bots = other.key.bots.swapped();
        assert!(are_of_one_pair(&one, &other));
        other.key.pair += 1;
        assert!(!are_of_one_pair(&one, &other));
    }
}
