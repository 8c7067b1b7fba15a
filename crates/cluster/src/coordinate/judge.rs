//! Result validation before results count: who signed them, and whether their games were handed
//! out, follow the rules, and have plausible sizes.

use std::time::Duration;

use pitmaster_core::{Claim, Evidence, Record, Remark, Side};
use pitmaster_games::DynGame;
use pitmaster_referee as referee;

use super::state::Desk;
use crate::seal;
use crate::wire::{Outcome, RunManifest, What, WireGame, decode, results_of};

/// Upper bound on any duration: 104 days, longer than any game, move or process.
const MOST_TIME: Duration = Duration::from_nanos(1 << 53);

/// Maximum size of the evidence of a forfeit, in bytes.
const MOST_EVIDENCE: usize = 256 << 10;

/// Maximum size of a remark, a claim, or the text of an ending, in bytes.
const MOST_WORDS: usize = 1 << 10;
const MOST_ENDING: usize = 16 << 10;

/// Maximum number of wrong claims in a record.
const MOST_CLAIMS: usize = 64;

/// Assessment of a message.
#[derive(Debug)]
pub(super) enum Verdict {
    /// A plausible result of an admitted worker.
    Plausible { signer: String, outcome: Outcome },
    /// Signed by a worker that is not admitted, or not yet.
    Stranger { signer: String },
    /// Message that is not a result.
    Unreadable(String),
    /// An admitted worker has signed something that cannot be true.
    Lie { signer: String, why: String },
}

impl Desk {
    /// Validates a message of the result stream. This takes time, because its games are replayed.
    pub(super) fn judge(&self, sealed: &[u8]) -> Verdict {
        let (signer, message) = match seal::open(&results_of(&self.contest), sealed) {
            Ok(opened) => opened,
            Err(why) => return Verdict::Unreadable(why),
        };
        if self.machine(&signer).is_none() {
            return Verdict::Stranger { signer };
        }
        self.judge_message(signer, message)
    }

    /// Validates a message whose signer is known.
    pub(super) fn judge_message(&self, signer: String, message: &[u8]) -> Verdict {
        let outcome: Outcome = match decode(message) {
            Ok(outcome) => outcome,
            Err(why) => return Verdict::Unreadable(why),
        };
        match self.check(&outcome.what) {
            Ok(()) => Verdict::Plausible { signer, outcome },
            Err(why) => Verdict::Lie { signer, why },
        }
    }

    fn check(&self, what: &What) -> Result<(), String> {
        let What::Pairs(pairs) = what else { return Ok(()) };
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
            return Err("games that are no pair".into());
        }
        games.iter().try_for_each(|game| {
            let id = game.record.id();
            self.check_game(game).map_err(|why| format!("game {id}: {why}"))
        })
    }

    fn check_game(&self, game: &WireGame) -> Result<(), String> {
        check_origin(&game.record, &self.card)?;
        if !self.tickets.is_of(&game.ticket, &game.record.id()) {
            return Err("it was never handed out".into());
        }
        check_content(game, &*self.game)
    }
}

/// Checks that a game is one of a contest with this manifest, and follows the rules. It may still be
/// one that nobody asked for.
pub(super) fn check_record(
    game: &WireGame,
    card: &RunManifest,
    rules: &dyn DynGame,
) -> Result<(), String> {
    check_origin(&game.record, card)?;
    check_content(game, rules)
}

fn check_origin(record: &Record, card: &RunManifest) -> Result<(), String> {
    let is_ours = record.seed == record.key.seed(card.seed)
        && record.key.rules == card.rules
        && record.key.limits == card.limits;
    if is_ours { Ok(()) } else { Err("it is of another tournament".into()) }
}

fn check_content(game: &WireGame, rules: &dyn DynGame) -> Result<(), String> {
    if !is_bounded(game) {
        return Err("it is larger than any game".into());
    }
    referee::verify(&game.record, rules)
}

fn are_of_one_pair(one: &Record, other: &Record) -> bool {
    let (one, other) = (&one.key, &other.key);
    (one.stage, one.round, one.pair) == (other.stage, other.round, other.pair)
        && one.opening == other.opening
        && one.bots == other.bots.clone().swapped()
}

/// Returns whether the times and texts of a game can be stored, summed and shown.
fn is_bounded(game: &WireGame) -> bool {
    let record = &game.record;
    let longest = MOST_TIME.as_nanos() as u64;
    let plies = record.plies.len();
    let spoken = record.remarks.iter().map(spoken_remark);
    let claimed = record.wrong_claims.iter().map(spoken_claim);
    let ending = serde_json::to_vec(&record.ending).map_or(usize::MAX, |text| text.len());
    game.took_ns <= longest
        && record.duration <= MOST_TIME
        && record.stolen.iter().all(|&time| time <= MOST_TIME)
        && record.plies.iter().all(|ply| ply.wall.max(ply.cpu).max(ply.waiting) <= MOST_TIME)
        && Side::BOTH.iter().all(|&side| record.evidence[side].as_ref().is_none_or(is_evidence))
        && record.remarks.len() <= 2 * (plies + 1)
        && record.wrong_claims.len() <= MOST_CLAIMS
        && spoken
            .chain(claimed)
            .all(|(ply, bytes)| ply as usize <= plies + 1 && bytes <= MOST_WORDS)
        && ending <= MOST_ENDING
}

fn spoken_remark(remark: &Remark) -> (u32, usize) {
    (remark.ply, remark.text.as_bytes().len())
}

fn spoken_claim(claim: &Claim) -> (u32, usize) {
    (claim.ply, claim.text.as_bytes().len())
}

fn is_evidence(evidence: &Evidence) -> bool {
    let line = evidence.line.as_ref().map_or(0, |line| line.as_bytes().len());
    line.saturating_add(evidence.stderr.as_bytes().len()) <= MOST_EVIDENCE
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
    fn a_game_has_times_and_words_of_a_game() {
        let bounded = |change: &dyn Fn(&mut WireGame)| {
            let mut game = game();
            change(&mut game);
            is_bounded(&game)
        };
        let words = |bytes: usize| Untrusted::new(vec![b'x'; bytes]);
        let by = Side::One;
        assert!(bounded(&|_| {}));
        assert!(bounded(&|game| {
            game.record.remarks = vec![Remark { ply: 21, by, text: words(200) }; 40];
        }));
        assert!(!bounded(&|game| game.took_ns = u64::MAX));
        assert!(!bounded(&|game| game.record.duration = Duration::from_nanos(u64::MAX)));
        assert!(!bounded(&|game| game.record.stolen.two = MOST_TIME * 2));
        assert!(!bounded(&|game| game.record.plies[3].cpu = MOST_TIME * 2));
        assert!(!bounded(&|game| {
            game.record.remarks = vec![Remark { ply: 1, by, text: words(1) }; 1000];
        }));
        assert!(!bounded(&|game| {
            game.record.wrong_claims = vec![Claim { ply: u32::MAX, by, text: words(1) }];
        }));
        assert!(!bounded(&|game| {
            let stderr = words(MOST_EVIDENCE + 1);
            game.record.evidence.one = Some(Evidence { stderr, ..Evidence::default() });
        }));
    }

    #[test]
    fn a_pair_is_one_meeting_with_sides_swapped() {
        let one = random_game(20);
        let mut other = one.clone();
        assert!(!are_of_one_pair(&one, &other), "the same game twice");
        other.key.bots = other.key.bots.swapped();
        assert!(are_of_one_pair(&one, &other));
        other.key.pair += 1;
        assert!(!are_of_one_pair(&one, &other));
    }
}
