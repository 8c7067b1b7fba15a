//! Result sender: sends results, and acknowledges jobs after their results.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use async_nats::connection::State;
use async_nats::jetstream::AckKind;
use pitmaster_runner::{Played, Trial};
use tokio::sync::mpsc::UnboundedSender;

use super::lane::{LaneEvent, SharedState};
use super::lease::Lease;
use crate::broker::{Broker, BrokerError, BrokerResult};
use crate::result_name;
use crate::seal::Identity;
use crate::wire::{
    Content, HEARTBEAT, Heartbeat, Job, Outcome, TrialOutcome, WireGame, encode, hash_of,
    results_of,
};

/// Delay before a result is sent again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Size reserved for headers in a message, in bytes.
const HEADERS: usize = 4 << 10;

/// Sender of results and heartbeats.
#[derive(Debug, Clone)]
pub(super) struct ResultSender {
    pub(super) broker: Broker,
    pub(super) shared: Arc<SharedState>,
    /// Key pair for signing messages.
    pub(super) identity: Arc<Identity>,
    /// Sequence number of the last ordered message.
    pub(super) sequence: Arc<AtomicU64>,
    /// Events for the session.
    pub(super) events: UnboundedSender<LaneEvent>,
}

impl ResultSender {
    /// Starts sending a result. Retries until the server has stored it or the lease is lost.
    pub(super) fn send(&self, lease: &Arc<Lease>, content: Content) -> tokio::task::JoinHandle<()> {
        let outcome = Outcome { claim: lease.claim.clone(), content };
        let (broker, identity) = (self.broker.clone(), Arc::clone(&self.identity));
        let subject = results_of(&lease.job.contest);
        let (shared, lease) = (Arc::clone(&self.shared), Arc::clone(lease));
        shared.sending.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let is_sent = loop {
                if deliver(&broker, &identity, &subject, &outcome).await.is_ok() {
                    break true;
                }
                if lease.is_lost() {
                    break false;
                }
                tokio::time::sleep(RETRY_DELAY).await;
            };
            shared.sending.fetch_sub(1, Ordering::SeqCst);
            shared.sent.fetch_add(u64::from(is_sent), Ordering::SeqCst);
        })
    }

    /// Acknowledges and releases a job after all its results have been sent, including a last one.
    pub(super) fn conclude(&self, lease: Arc<Lease>, last: Option<Content>, kind: AckKind) {
        let this = self.clone();
        tokio::spawn(async move {
            lease.wait_for_sends().await;
            if let Some(content) = last {
                // The task is aborted only with the runtime.
                let _ = this.send(&lease, content).await;
            }
            lease.acknowledge(kind).await;
            this.shared.leases.remove(lease.number);
            let _ = this.events.send(LaneEvent::Released);
        });
    }

    /// Sends a heartbeat.
    pub(super) async fn send_heartbeat(&self, contest: &str, gone: bool) {
        let heartbeat = Heartbeat {
            sequence: self.next_sequence(),
            contest: contest.to_owned(),
            claims: self.shared.leases.all().iter().map(|lease| lease.claim.clone()).collect(),
            games: self.shared.games.load(Ordering::Relaxed),
            draining: self.shared.draining.load(Ordering::SeqCst),
            gone,
        };
        self.broker.notify(HEARTBEAT, self.identity.seal(HEARTBEAT, &encode(&heartbeat))).await;
    }

    /// Returns the sequence number for an ordered message.
    pub(super) fn next_sequence(&self) -> u64 {
        self.sequence.fetch_add(1, Ordering::SeqCst).saturating_add(1)
    }
}

async fn deliver(
    broker: &Broker,
    identity: &Identity,
    subject: &str,
    outcome: &Outcome,
) -> BrokerResult<()> {
    // While disconnected, the client would only buffer messages.
    if broker.client.connection_state() != State::Connected {
        return Err(BrokerError("the server is unreachable".into()));
    }
    let mut bytes = encode(outcome);
    let max_bytes = broker.client.server_info().max_payload.saturating_sub(HEADERS);
    if bytes.len() > max_bytes {
        let name = result_name(&bytes);
        broker.put_object(&name, &bytes).await?;
        bytes = encode(&Outcome { claim: outcome.claim.clone(), content: Content::Object(name) });
    }
    let sealed = identity.seal(subject, &bytes);
    // The id is unpredictable, so that no other client can use it first and have this message dropped.
    let id = hash_of(&sealed);
    broker.publish(subject.to_owned(), &id, sealed).await.map(drop)
}

/// Converts a played game of a job.
pub(super) fn to_wire_game(job: &Job, played: Played) -> WireGame {
    let since_1970 = played.started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let game = job.games.get(played.task.number as usize);
    WireGame {
        ticket: game.map_or_else(String::new, |game| game.ticket.clone()),
        record: played.record,
        lane: played.place.lane as u32,
        started_at_ms: since_1970.as_millis() as u64,
        took_ns: played.took.as_nanos() as u64,
    }
}

/// Converts the outcome of a trial.
pub(super) fn trial_outcome(trial: Trial) -> TrialOutcome {
    match trial {
        Trial::Passed(took) => TrialOutcome::Passed { took_ns: took.as_nanos() as u64 },
        Trial::Failed(fault, evidence) => TrialOutcome::Failed { fault, line: evidence.line },
        Trial::Untried(fault) => TrialOutcome::Untried { fault },
    }
}
