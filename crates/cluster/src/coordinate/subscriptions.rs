//! Coordinator subscriptions: announcements, capabilities and heartbeats of workers, and status
//! requests.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, UNIX_EPOCH};

use futures_util::StreamExt as _;
use pitmaster_build_info::Build;

use super::state::CoordinatorState;
use crate::seal;
use crate::status::{Status, WorkerStatus};
use crate::wire::{
    BROADCAST, Broadcast, HEARTBEAT, HELLO, Heartbeat, Hello, MAX_HELD, READY, Ready, Reply,
    STATUS, VERSION, decode_short, encode,
};

/// Minimum interval between requests that all workers announce themselves.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(2);

impl CoordinatorState {
    /// Handles the messages of workers and status requests.
    pub(super) async fn serve_subscriptions(
        self: Arc<Self>,
    ) -> Result<(), async_nats::SubscribeError> {
        let client = self.broker.client.clone();
        let mut hello = client.subscribe(HELLO).await?;
        let mut ready = client.subscribe(READY).await?;
        let mut heartbeat = client.subscribe(HEARTBEAT).await?;
        let mut status = client.subscribe(STATUS).await?;
        let mut last_announce = Instant::now();
        self.broker.notify(BROADCAST, encode(&Broadcast::Announce)).await;
        loop {
            tokio::select! {
                Some(message) = hello.next() => {
                    let reply = decode_short(&message.payload).map(|hello| self.handle_hello(&hello));
                    self.reply(message, &reply.unwrap_or_else(malformed)).await;
                }
                Some(message) = ready.next() => {
                    let reply = self.handle_ready(&message.payload);
                    self.reply(message, &reply.unwrap_or_else(malformed)).await;
                }
                Some(message) = heartbeat.next() => {
                    let is_unknown = self.handle_heartbeat(&message.payload).unwrap_or(false);
                    if is_unknown && last_announce.elapsed() > ANNOUNCE_INTERVAL {
                        last_announce = Instant::now();
                        self.broker.notify(BROADCAST, encode(&Broadcast::Announce)).await;
                    }
                }
                Some(message) = status.next() => {
                    let status = self.status();
                    self.reply(message, &status).await;
                }
                else => return Ok(()),
            }
        }
    }

    async fn reply(&self, request: async_nats::Message, reply: &impl serde::Serialize) {
        // Workers that connect after shutdown wait for the next coordinator.
        if let Some(subject) = request.reply.filter(|_| !self.ended.load(Ordering::SeqCst)) {
            // The requester retries.
            let _ = self.broker.client.publish(subject, encode(reply).into()).await;
        }
    }

    fn handle_hello(&self, hello: &Hello) -> Reply {
        let own = Build::own();
        if hello.version == VERSION && own.differs_from(&hello.build).is_none() {
            return self.welcome();
        }
        let reason = format!(
            "the worker {} runs pitmaster {} and the coordinator {own}: rules and players may differ; \
             install the same program everywhere (see pitmaster --version --verbose)",
            shown(&hello.worker.name),
            shown(&hello.build.to_string()),
        );
        self.note(format!("refused: {reason}"));
        Reply::Refused { reason }
    }

    fn welcome(&self) -> Reply {
        let (contest, coordinator) = (self.contest.clone(), self.instance.clone());
        Reply::Welcome { contest, coordinator }
    }

    /// Handles the capabilities of a worker: admits the worker or refuses it.
    fn handle_ready(&self, sealed: &[u8]) -> Result<Reply, String> {
        let (signer, message) = seal::open(READY, sealed)?;
        let ready: Ready = decode_short(message)?;
        if signer != ready.worker.instance {
            return Err("it is signed by another worker".into());
        }
        ready.validate().map_err(|what| format!("no worker has {what}"))?;
        let is_addressed_here =
            (&ready.contest, &ready.coordinator) == (&self.contest, &self.instance);
        if !is_addressed_here || !self.registry.accept_sequence(&signer, ready.sequence) {
            return Ok(self.welcome());
        }
        if let Some(reason) = self.registry.ban_reason(&signer) {
            let reason = format!("this worker was dismissed: {}", shown(&reason));
            return Ok(Reply::Refused { reason });
        }
        if self.registry.is_full() {
            return Ok(Reply::Refused {
                reason: "the maximum number of workers is reached".into(),
            });
        }
        Ok(self.admit(ready))
    }

    fn admit(&self, ready: Ready) -> Reply {
        match (self.hooks.admit)(&ready.worker, &ready.isolation) {
            Ok(machine) => {
                let info = ready.worker.clone();
                let missing = match ready.missing.as_slice() {
                    [] => String::new(),
                    missing => format!(", without {}", shown(&missing.join(", "))),
                };
                if self.registry.insert(ready, machine) {
                    let lanes = if info.lanes == 1 { "lane" } else { "lanes" };
                    self.note(format!(
                        "the worker {} joined with {} {lanes}{missing}",
                        shown(&info.name),
                        info.lanes
                    ));
                }
                self.changed.notify_all();
                Reply::Admitted
            }
            Err(reason) => {
                // The reason quotes the worker's description of its isolation, which is untrusted.
                let reason = pitmaster_core::Untrusted::new(reason).shown_lines(4000);
                self.note(format!("the worker {} is refused: {reason}", shown(&ready.worker.name)));
                Reply::Refused { reason }
            }
        }
    }

    /// Handles a heartbeat. Returns whether its worker should announce itself.
    fn handle_heartbeat(&self, sealed: &[u8]) -> Result<bool, String> {
        let (signer, message) = seal::open(HEARTBEAT, sealed)?;
        let heartbeat: Heartbeat = decode_short(message)?;
        if !self.registry.contains(&signer) {
            return Ok(!heartbeat.gone);
        }
        if !self.registry.accept_sequence(&signer, heartbeat.sequence)
            || heartbeat.claims.len() > MAX_HELD
        {
            return Ok(false);
        }
        if heartbeat.gone {
            if let Some(name) = self.registry.remove(&signer) {
                self.note(format!("the worker {} has left", shown(&name)));
            }
            return Ok(false);
        }
        for claim in &heartbeat.claims {
            self.claim(claim, &signer);
        }
        // The contest is not checked, because workers of an earlier contest are not registered: they are
        // asked to announce themselves and so learn that it has ended.
        let is_known = self.registry.record_heartbeat(&signer, heartbeat);
        self.changed.notify_all();
        Ok(!is_known)
    }

    /// Current status of the run.
    fn status(&self) -> Status {
        let workers = self.registry.all();
        let (jobs, held) = {
            let in_flight = self.in_flight();
            let held = in_flight.jobs.keys().filter(|job| self.registry.is_held(job)).count();
            (in_flight.jobs.len(), held)
        };
        let (done, games) = self.queue().map(|queue| queue.progress()).unwrap_or_default();
        let running = self.started_at.elapsed().unwrap_or_default();
        Status {
            instance: self.instance.clone(),
            contest: self.contest.clone(),
            since_ms: self.started_at.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
                as u64,
            running_s: running.as_secs_f64(),
            done,
            games,
            played: self.games.load(Ordering::Relaxed),
            jobs: jobs as u64,
            held: held as u64,
            workers: workers.iter().map(WorkerStatus::of).collect(),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used with unwrap_or_else")]
fn malformed(reason: String) -> Reply {
    Reply::Refused { reason: format!("the message of this worker is invalid: {reason}") }
}

/// Escapes and shortens text from a worker.
pub(super) fn shown(text: &str) -> String {
    pitmaster_core::Untrusted::new(text).shown(200)
}
