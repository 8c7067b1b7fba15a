//! Result sender: sends a worker's results first, then the acknowledgment of its jobs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use async_nats::connection::State;
use async_nats::jetstream::AckKind;
use pitmaster_runner::{Played, Trial};
use tokio::sync::mpsc::UnboundedSender;

use super::lane::{FromLane, Shared};
use super::lease::Held;
use crate::broker::{Broker, Tried as Sent, Trouble};
use crate::result_name;
use crate::seal::Identity;
use crate::wire::{Job, Outcome, PULSE, Pulse, Tried, What, WireGame, encode, hash_of, results_of};

/// Delay before a result is sent again.
const AGAIN: Duration = Duration::from_secs(1);

/// Size reserved for headers in a message, in bytes.
const HEADERS: usize = 4 << 10;

/// Sends the results of jobs.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) post: Broker,
    pub(super) shared: Arc<Shared>,
    /// Key that signs messages.
    pub(super) identity: Arc<Identity>,
    /// Number of the last ordered message.
    pub(super) sequence: Arc<AtomicU64>,
    /// Wakes the session.
    pub(super) wake: UnboundedSender<FromLane>,
}

impl Answers {
    /// Sends a result on its way; it arrives however often the server goes away meanwhile, unless the
    /// job is lost.
    pub(super) fn send(&self, held: &Arc<Held>, what: What) -> tokio::task::JoinHandle<()> {
        let outcome = Outcome { claim: held.claim.clone(), what };
        let (post, identity) = (self.post.clone(), Arc::clone(&self.identity));
        let subject = results_of(&held.job.contest);
        let (shared, held) = (Arc::clone(&self.shared), Arc::clone(held));
        shared.sending.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let has_arrived = loop {
                if deliver(&post, &identity, &subject, &outcome).await.is_ok() {
                    break true;
                }
                if held.is_lost() {
                    break false;
                }
                tokio::time::sleep(AGAIN).await;
            };
            shared.sending.fetch_sub(1, Ordering::SeqCst);
            shared.arrived.fetch_add(u64::from(has_arrived), Ordering::SeqCst);
        })
    }

    /// Concludes a job when all its results have arrived, and releases it.
    pub(super) fn conclude(&self, held: Arc<Held>, last: Option<What>, kind: AckKind) {
        let this = self.clone();
        tokio::spawn(async move {
            held.arrive().await;
            if let Some(what) = last {
                // Aborted only when everything is.
                let _ = this.send(&held, what).await;
            }
            held.answer(kind).await;
            this.shared.holding.let_go(held.number);
            let _ = this.wake.send(FromLane::Free);
        });
    }

    /// Reports that this worker is alive, and which jobs it holds.
    pub(super) async fn pulse(&self, contest: &str, gone: bool) {
        let pulse = Pulse {
            sequence: self.next_number(),
            contest: contest.to_owned(),
            held: self.shared.holding.all().iter().map(|held| held.claim.clone()).collect(),
            games: self.shared.games.load(Ordering::Relaxed),
            draining: self.shared.draining.load(Ordering::SeqCst),
            gone,
        };
        self.post.say(PULSE, self.identity.seal(PULSE, &encode(&pulse))).await;
    }

    /// The number of the next message that only counts in its order.
    pub(super) fn next_number(&self) -> u64 {
        self.sequence.fetch_add(1, Ordering::SeqCst).saturating_add(1)
    }
}

async fn deliver(post: &Broker, identity: &Identity, subject: &str, outcome: &Outcome) -> Sent<()> {
    // Messages sent while nobody listens would only pile up.
    if post.client.connection_state() != State::Connected {
        return Err(Trouble("the server is away".into()));
    }
    let mut bytes = encode(outcome);
    let most = post.client.server_info().max_payload.saturating_sub(HEADERS);
    if bytes.len() > most {
        let name = result_name(&bytes);
        post.put(&name, &bytes).await?;
        bytes = encode(&Outcome { claim: outcome.claim.clone(), what: What::Object(name) });
    }
    let sealed = identity.seal(subject, &bytes);
    // An id that nobody can foresee: under one that the server has seen it would be dropped.
    let id = hash_of(&sealed);
    post.publish(subject.to_owned(), &id, sealed).await.map(drop)
}

/// A game, as it travels.
pub(super) fn wire_game(job: &Job, played: Played) -> WireGame {
    let since_1970 = played.started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let handed_out = job.games.get(played.task.number as usize);
    WireGame {
        ticket: handed_out.map_or_else(String::new, |game| game.ticket.clone()),
        record: played.record,
        lane: played.place.lane as u32,
        started_at_ms: since_1970.as_millis() as u64,
        took_ns: played.took.as_nanos() as u64,
    }
}

/// A trial, as it travels.
pub(super) fn tried_of(trial: Trial) -> Tried {
    match trial {
        Trial::Passed(took) => Tried::Passed { took_ns: took.as_nanos() as u64 },
        Trial::Failed(fault, evidence) => Tried::Failed { fault, line: evidence.line },
        Trial::Untried(fault) => Tried::Untried { fault },
    }
}
