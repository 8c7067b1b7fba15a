//! Coordinator subscriptions: joining, heartbeats and leaving of workers, and queries.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, UNIX_EPOCH};

use futures_util::StreamExt as _;
use pitmaster_build_info::Build;

use super::state::Desk;
use crate::seal;
use crate::status::{Status, WorkerStatus};
use crate::wire::{
    Answer, Broadcast, HELLO, Hello, MOST_HELD, PULSE, Pulse, READY, Ready, STATUS, VERSION, WORD,
    decode_short, encode,
};

/// Least interval between requests for everybody's names.
const WHO: Duration = Duration::from_secs(2);

impl Desk {
    /// Answers workers and status requests, until the end.
    pub(super) async fn attend(self: Arc<Self>) -> Result<(), async_nats::SubscribeError> {
        let client = self.post.client.clone();
        let mut hello = client.subscribe(HELLO).await?;
        let mut ready = client.subscribe(READY).await?;
        let mut pulse = client.subscribe(PULSE).await?;
        let mut status = client.subscribe(STATUS).await?;
        let mut asked = Instant::now();
        self.post.say(WORD, encode(&Broadcast::Who)).await;
        loop {
            tokio::select! {
                Some(message) = hello.next() => {
                    let answer = decode_short(&message.payload).map(|hello| self.greet(&hello));
                    self.reply(message, &answer.unwrap_or_else(unreadable)).await;
                }
                Some(message) = ready.next() => {
                    let answer = self.introduced(&message.payload);
                    self.reply(message, &answer.unwrap_or_else(unreadable)).await;
                }
                Some(message) = pulse.next() => {
                    let stranger = self.pulse(&message.payload).unwrap_or(false);
                    if stranger && asked.elapsed() > WHO {
                        asked = Instant::now();
                        self.post.say(WORD, encode(&Broadcast::Who)).await;
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

    async fn reply(&self, to: async_nats::Message, answer: &impl serde::Serialize) {
        // Workers that connect after shutdown wait for the next coordinator.
        if let Some(subject) = to.reply.filter(|_| !self.over.load(Ordering::SeqCst)) {
            // The requester retries.
            let _ = self.post.client.publish(subject, encode(answer).into()).await;
        }
    }

    fn greet(&self, hello: &Hello) -> Answer {
        let own = Build::own();
        if hello.version == VERSION && own.differs_from(&hello.build).is_none() {
            return self.welcome();
        }
        let why = format!(
            "the worker {} is pitmaster {} and the tournament is played with {own}: rules and \
             players may differ; install the same program everywhere (pitmaster --version \
             --verbose)",
            shown(&hello.worker.name),
            shown(&hello.build.to_string()),
        );
        self.note(format!("refused: {why}"));
        Answer::Refused { why }
    }

    fn welcome(&self) -> Answer {
        let (contest, coordinator) = (self.contest.clone(), self.instance.clone());
        Answer::Welcome { contest, coordinator }
    }

    /// Admits a worker that reports its abilities; it has to be the one that it claims to be.
    fn introduced(&self, sealed: &[u8]) -> Result<Answer, String> {
        let (signer, message) = seal::open(READY, sealed)?;
        let ready: Ready = decode_short(message)?;
        if signer != ready.worker.instance {
            return Err("it is signed by another worker".into());
        }
        ready.check().map_err(|what| format!("no worker has {what}"))?;
        let is_to_us = (&ready.contest, &ready.coordinator) == (&self.contest, &self.instance);
        if !is_to_us || !self.roster.is_fresh(&signer, ready.sequence) {
            return Ok(self.welcome());
        }
        if let Some(why) = self.roster.dismissed(&signer) {
            let why = format!("this worker was dismissed: {}", shown(&why));
            return Ok(Answer::Refused { why });
        }
        if self.roster.is_full() {
            return Ok(Answer::Refused { why: "there are too many workers already".into() });
        }
        Ok(self.admit(ready))
    }

    fn admit(&self, ready: Ready) -> Answer {
        match (self.gate.admit)(&ready.worker, &ready.isolation) {
            Ok(machine) => {
                let about = ready.worker.clone();
                let lacks = match ready.missing.as_slice() {
                    [] => String::new(),
                    missing => format!(", without {}", shown(&missing.join(", "))),
                };
                if self.roster.admit(ready, machine) {
                    let lanes = if about.lanes == 1 { "lane" } else { "lanes" };
                    self.note(format!(
                        "the worker {} plays on {} {lanes}{lacks}",
                        shown(&about.name),
                        about.lanes
                    ));
                }
                self.moved.notify_all();
                Answer::Go
            }
            Err(why) => {
                // The worker describes its isolation in its own words.
                let why = pitmaster_core::Untrusted::new(why).shown_lines(4000);
                self.note(format!("the worker {} is refused: {why}", shown(&ready.worker.name)));
                Answer::Refused { why }
            }
        }
    }

    /// Hears that a worker lives; whether nobody knows it.
    fn pulse(&self, sealed: &[u8]) -> Result<bool, String> {
        let (signer, message) = seal::open(PULSE, sealed)?;
        let pulse: Pulse = decode_short(message)?;
        if !self.roster.knows(&signer) {
            return Ok(!pulse.gone);
        }
        if !self.roster.is_fresh(&signer, pulse.sequence) || pulse.held.len() > MOST_HELD {
            return Ok(false);
        }
        if pulse.gone {
            if let Some(name) = self.roster.dismiss(&signer) {
                self.note(format!("the worker {} has left", shown(&name)));
            }
            return Ok(false);
        }
        for claim in &pulse.held {
            self.hold(claim, &signer);
        }
        // Whatever it plays for: who has missed the end of a contest learns of it that way.
        let is_known = self.roster.hear(&signer, pulse);
        self.moved.notify_all();
        Ok(!is_known)
    }

    /// Current status.
    fn status(&self) -> Status {
        let workers = self.roster.all();
        let (jobs, held) = {
            let book = self.book();
            let held = book.jobs.keys().filter(|job| self.roster.holds(job)).count();
            (book.jobs.len(), held)
        };
        let (done, games) = self.queue().map(|queue| queue.progress()).unwrap_or_default();
        let running = self.began.elapsed().unwrap_or_default();
        Status {
            instance: self.instance.clone(),
            contest: self.contest.clone(),
            since_ms: self.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
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

#[expect(clippy::needless_pass_by_value, reason = "it is what errors are turned by")]
fn unreadable(why: String) -> Answer {
    Answer::Refused { why: format!("what this worker says is unreadable here: {why}") }
}

/// Self-description of a worker, for people.
pub(super) fn shown(text: &str) -> String {
    pitmaster_core::Untrusted::new(text).shown(200)
}
