//! What the coordinator hears: workers that come, live and go, results, questions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt as _;

use super::book::{Early, Message};
use super::desk::{Desk, Received};
use crate::cluster::post::Receipt;
use crate::cluster::status::{Status, WorkerStatus};
use crate::cluster::wire::{
    Answer, HELLO, Hello, Outcome, PROGRAM, PULSE, Pulse, READY, Ready, STATUS, Tried, VERSION,
    WORD, What, WireGame, Word, decode, encode,
};
use crate::record::RefereeFault;

/// How soon a result is looked at again whose worker nobody knows yet.
const SOON: Duration = Duration::from_secs(1);

/// So often, before it is kept as that of a worker of which nothing is known.
const LOOKS: i64 = 15;

/// How long is waited for a store that is behind.
const A_MOMENT: Duration = Duration::from_millis(2);

/// How often everybody is asked for their names at most.
const WHO: Duration = Duration::from_secs(2);

impl Desk {
    /// Answers workers and those who ask how it goes, until the end.
    pub(super) async fn attend(self: Arc<Self>) -> Result<(), async_nats::SubscribeError> {
        let client = self.post.client.clone();
        let mut hello = client.subscribe(HELLO).await?;
        let mut ready = client.subscribe(READY).await?;
        let mut pulse = client.subscribe(PULSE).await?;
        let mut status = client.subscribe(STATUS).await?;
        let mut asked = Instant::now();
        self.post.say(WORD, encode(&Word::Who)).await;
        loop {
            tokio::select! {
                Some(message) = hello.next() => {
                    let answer = decode(&message.payload).map(|hello| self.greet(&hello));
                    self.reply(message, &answer.unwrap_or_else(unreadable)).await;
                }
                Some(message) = ready.next() => {
                    let answer = decode(&message.payload).map(|ready| self.admit(ready));
                    self.reply(message, &answer.unwrap_or_else(unreadable)).await;
                }
                Some(message) = pulse.next() => {
                    let stranger = decode(&message.payload).is_ok_and(|pulse| self.pulse(pulse));
                    if stranger && asked.elapsed() > WHO {
                        asked = Instant::now();
                        self.post.say(WORD, encode(&Word::Who)).await;
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
        // Who comes when all is over waits for the next coordinator.
        if let Some(subject) = to.reply.filter(|_| !self.over.load(Ordering::SeqCst)) {
            // Who asked asks again.
            let _ = self.post.client.publish(subject, encode(answer).into()).await;
        }
    }

    fn greet(&self, hello: &Hello) -> Answer {
        if (hello.version, hello.program.as_str()) == (VERSION, PROGRAM) {
            return Answer::Welcome { contest: self.contest.clone() };
        }
        let why = format!(
            "the worker {} is pitmaster {} and the tournament is played with {PROGRAM}: rules and \
             players may differ; install the same version everywhere",
            shown(&hello.worker.name),
            shown(&hello.program),
        );
        self.note(format!("refused: {why}"));
        Answer::Refused { why }
    }

    fn admit(&self, ready: Ready) -> Answer {
        if ready.contest != self.contest {
            return Answer::Welcome { contest: self.contest.clone() };
        }
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
                // What contains bots there it has described in its own words.
                let why = crate::record::Untrusted::new(why).shown_lines(4000);
                self.note(format!("the worker {} is refused: {why}", shown(&ready.worker.name)));
                Answer::Refused { why }
            }
        }
    }

    /// Hears that a worker lives; whether nobody knows it.
    fn pulse(&self, pulse: Pulse) -> bool {
        if pulse.gone {
            if let Some(name) = self.roster.dismiss(&pulse.instance) {
                self.note(format!("the worker {} has left", shown(&name)));
            }
            return false;
        }
        {
            let mut book = self.book();
            pulse.held.iter().for_each(|job| book.hear(job));
        }
        // Whatever it plays for: who has missed the end of a contest learns of it that way.
        let known = self.roster.hear(pulse);
        self.moved.notify_all();
        !known
    }

    /// Takes results, until the end.
    pub(super) async fn collect(self: Arc<Self>) {
        loop {
            if let Ok(results) = self.post.results(&self.contest).await
                && let Ok(mut messages) = results.messages().await
            {
                while let Some(Ok(message)) = messages.next().await {
                    self.take(message).await;
                }
            }
            // The server went away, or has forgotten who takes the results.
            tokio::time::sleep(SOON).await;
        }
    }

    async fn take(self: &Arc<Self>, message: jetstream::Message) {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let (outcome, object) = match self.read(&message.payload).await {
            Ok(read) => read,
            Err(None) if deliveries < LOOKS => {
                let _ = message.ack_with(AckKind::Nak(Some(SOON))).await;
                return;
            }
            Err(why) => {
                let why = why.unwrap_or_else(|| "it is gone from the server".into());
                self.note(format!("a result is refused: {}", shown(&why)));
                let _ = message.ack_with(AckKind::Term).await;
                return;
            }
        };
        let Outcome { job, instance, what } = outcome;
        self.book().hear(&job);
        if let What::Pairs(pairs) = what {
            if self.machine(&instance).is_none() {
                return self.of_a_stranger(&message, deliveries).await;
            }
            while self.queue().is_some_and(|queue| queue.is_behind()) {
                tokio::time::sleep(A_MOMENT).await;
            }
            let (_, receipt) = Receipt::split(message);
            let left = AtomicUsize::new(pairs.len());
            let message = Arc::new(Message { receipt, object, left });
            for games in pairs {
                let (instance, message) = (instance.clone(), Arc::clone(&message));
                self.pair(Early { games, instance, message }).await;
            }
            return;
        }
        self.other(&job, &instance, what).await;
        let _ = message.ack().await;
    }

    /// A result of a worker that was not let in, or not yet; games that nobody vouches for are
    /// played again.
    async fn of_a_stranger(&self, message: &jetstream::Message, deliveries: i64) {
        if deliveries < LOOKS {
            let _ = message.ack_with(AckKind::Nak(Some(SOON))).await;
            return;
        }
        self.note("a result is refused: it is of a worker that was never let in");
        let _ = message.ack_with(AckKind::Term).await;
    }

    /// An outcome, and the object that it lay in. `Err(None)`: the server is away.
    async fn read(&self, bytes: &[u8]) -> Result<(Outcome, Option<String>), Option<String>> {
        let outcome: Outcome = decode(bytes)?;
        let (outcome, object) = match outcome.what {
            What::Object(name) => {
                let bytes = self.post.get(&name, MOST_RESULT).await.map_err(|_| None)?;
                (decode(&bytes)?, Some(name))
            }
            _ => (outcome, None),
        };
        let is_wrong = |games: &Vec<WireGame>| {
            games.is_empty() || games.iter().any(|game| !self.is_genuine(&game.record))
        };
        if let What::Pairs(pairs) = &outcome.what
            && (pairs.is_empty() || pairs.iter().any(is_wrong))
        {
            return Err(Some("it is of another tournament".into()));
        }
        Ok((outcome, object))
    }

    /// Hands a pair over to the owner of the run, who acknowledges it when it is safe.
    pub(super) async fn pair(self: &Arc<Self>, pair: Early) {
        match self.receive(pair) {
            Received::Played(played, message) => {
                let (runtime, desk) = (self.runtime.clone(), Arc::clone(self));
                let told = move || drop(runtime.spawn(async move { desk.is_safe(&message).await }));
                if let Some(queue) = self.queue() {
                    queue.finish_together(played, Box::new(told));
                }
            }
            // Played twice: a machine was thought dead.
            Received::Known(pair) => self.is_safe(&pair.message).await,
            Received::Early => {}
        }
    }

    /// Answers for a message when all of its pairs are safe.
    async fn is_safe(&self, message: &Message) {
        if message.is_safe() {
            message.receipt.answer(AckKind::Ack).await;
            if let Some(object) = &message.object {
                self.post.remove(object).await;
            }
        }
    }

    /// Does what follows from everything else that is said of a job.
    async fn other(self: &Arc<Self>, job: &str, instance: &str, what: What) {
        match what {
            What::Tried(tried) => {
                let struck = self.book().strike(job);
                if let Some(bot) = struck.and_then(|posted| posted.job.bots.first().copied()) {
                    self.set_tried(bot, tried);
                }
            }
            What::Back => {
                let struck = self.book().strike(job);
                if let Some(posted) = struck {
                    self.post_again(posted).await;
                }
            }
            What::Unable { why } => {
                let name = self.machine(instance).map_or_else(String::new, |machine| machine.name);
                self.note(format!("the worker {} gives a job back: {}", shown(&name), shown(&why)));
            }
            What::GivenUp { deliveries } => self.give_up(job, deliveries).await,
            What::Pairs(_) | What::Object(_) => {}
        }
    }

    /// A job that was delivered too often: what was being played when workers died is void, the
    /// rest is posted anew.
    pub(super) async fn give_up(self: &Arc<Self>, job: &str, deliveries: u32) {
        let struck = self.book().strike(job);
        let Some(mut posted) = struck else { return };
        let why = format!(
            "{} workers died with it, fell silent or gave it back",
            deliveries.saturating_sub(1)
        );
        if posted.job.games.is_empty() {
            let bot = posted.job.bots[0];
            let fault = RefereeFault::System { error: why };
            return self.set_tried(bot, Tried::Untried { fault });
        }
        let Some(first) = posted.left.values().next().cloned() else { return };
        let (pair, rest) = std::mem::take(&mut posted.left)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, task)| task.is_paired_with(&first));
        posted.left = rest;
        let given_up = self.given_up(pair.into_values().collect(), &why);
        if let Some(queue) = self.queue() {
            queue.finish_together(given_up, Box::new(|| {}));
        }
        if !posted.left.is_empty() {
            self.post_again(posted).await;
        }
        self.moved.notify_all();
    }

    /// How it goes.
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

/// A pair of the longest games there are, compressed.
const MOST_RESULT: u64 = 64 << 20;

#[expect(clippy::needless_pass_by_value, reason = "it is what errors are turned by")]
fn unreadable(why: String) -> Answer {
    Answer::Refused { why: format!("what this worker says is unreadable here: {why}") }
}

/// What a worker says of itself, for people.
fn shown(text: &str) -> String {
    crate::record::Untrusted::new(text).shown(200)
}
