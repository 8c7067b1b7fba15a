//! Result processing: results are read and validated ahead on other threads, then counted one after
//! the other.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt as _;
use pitmaster_core::{RefereeFault, Untrusted};

use super::in_flight::{Early, Hold, Message};
use super::judge::Verdict;
use super::state::{Desk, Received};
use super::subscriptions::shown;
use crate::broker::{DELIVERIES, Receipt};
use crate::result_name;
use crate::wire::{Claim, Outcome, Tried, What, WireGame};

/// Delay before a result of an unknown worker is examined again.
const SOON: Duration = Duration::from_secs(1);

/// Attempts before a result is refused as one of a worker that was never admitted.
const LOOKS: i64 = 15;

/// Wait for a store that is behind.
const A_MOMENT: Duration = Duration::from_millis(2);

/// Number of messages judged at the same time.
const AHEAD: usize = 4;

/// A pair of the longest games there are, compressed.
const MOST_RESULT: u64 = 64 << 20;

/// A message of the stream of results, as it was read.
enum Read {
    Judged {
        verdict: Verdict,
        object: Option<String>,
    },
    /// The server does not return an object that should be there.
    Away,
}

impl Desk {
    /// Takes results, until the end.
    pub(super) async fn collect(self: Arc<Self>) {
        loop {
            if let Ok(results) = self.post.results(&self.contest).await
                && let Ok(messages) = results.messages().await
            {
                let read = async |message: Result<jetstream::Message, _>| {
                    let message = message.ok()?;
                    let read = Arc::clone(&self).read(&message).await;
                    Some((message, read))
                };
                let mut read = pin!(messages.map(read).buffered(AHEAD));
                while let Some(Some((message, read))) = read.next().await {
                    self.take(message, read).await;
                }
            }
            // The server went away, or has forgotten who takes the results.
            tokio::time::sleep(SOON).await;
        }
    }

    /// Reads a message and judges it on a thread that nobody else waits for.
    async fn read(self: Arc<Self>, message: &jetstream::Message) -> Read {
        let (desk, payload) = (Arc::clone(&self), message.payload.clone());
        let verdict = blocking(move || desk.judge(&payload)).await;
        let Verdict::Plausible { signer, outcome: Outcome { claim, what: What::Object(name) } } =
            verdict
        else {
            return Read::Judged { verdict, object: None };
        };
        let Ok(bytes) = self.post.get(&name, MOST_RESULT).await else { return Read::Away };
        let (desk, of_name) = (Arc::clone(&self), name.clone());
        let verdict = blocking(move || desk.judge_object(signer, &claim, &of_name, &bytes)).await;
        Read::Judged { verdict, object: Some(name) }
    }

    /// Judges an object from the object store: anybody can put something else there, but not with
    /// the hash that was signed.
    fn judge_object(&self, signer: String, claim: &Claim, name: &str, bytes: &[u8]) -> Verdict {
        if result_name(bytes) != name {
            return Verdict::Unreadable("what it names is not what its worker has signed".into());
        }
        match self.judge_message(signer, bytes) {
            Verdict::Plausible { signer, outcome }
                if outcome.claim != *claim || matches!(outcome.what, What::Object(_)) =>
            {
                Verdict::Lie { signer, why: "a result within another one".into() }
            }
            verdict => verdict,
        }
    }

    async fn take(self: &Arc<Self>, message: jetstream::Message, read: Read) {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let Read::Judged { verdict, object } = read else {
            return self.look_again(&message, deliveries, "it is gone from the server").await;
        };
        match verdict {
            Verdict::Unreadable(why) => self.refuse(&message, &why).await,
            Verdict::Lie { signer, why } => {
                self.refuse(&message, &why).await;
                self.dismiss(&signer, &why).await;
            }
            Verdict::Stranger { signer } if self.roster.dismissed(&signer).is_none() => {
                let why = "it is of a worker that was never let in";
                self.look_again(&message, deliveries, why).await;
            }
            Verdict::Plausible { signer, outcome } if self.machine(&signer).is_some() => {
                self.take_of(&signer, outcome, message, object, deliveries).await;
            }
            // Dismissed, perhaps since it was judged.
            Verdict::Stranger { .. } | Verdict::Plausible { .. } => {
                self.refuse(&message, "it is of a worker that was dismissed").await;
            }
        }
    }

    /// Accepts the messages of an admitted worker about jobs that it holds.
    async fn take_of(
        self: &Arc<Self>,
        signer: &str,
        outcome: Outcome,
        message: jetstream::Message,
        object: Option<String>,
        deliveries: i64,
    ) {
        let Outcome { claim, what } = outcome;
        let foreign = "another worker holds its job";
        let What::Pairs(pairs) = what else {
            return match self.hold(&claim, signer) {
                Hold::Foreign => self.look_again(&message, deliveries, foreign).await,
                hold => {
                    self.other(&claim, signer, what, hold).await;
                    let _ = message.ack().await;
                }
            };
        };
        if pairs.iter().any(|games| self.is_foreign(games, &claim, signer)) {
            return self.look_again(&message, deliveries, foreign).await;
        }
        while self.queue().is_some_and(|queue| queue.is_behind()) {
            tokio::time::sleep(A_MOMENT).await;
        }
        let (_, receipt) = Receipt::split(message);
        let left = AtomicUsize::new(pairs.len());
        let message = Arc::new(Message { receipt, object, left });
        for games in pairs {
            let (instance, message) = (signer.to_owned(), Arc::clone(&message));
            self.pair(Early { games, instance, message }).await;
        }
    }

    /// Looks at a message again in a while; in the end it is refused.
    async fn look_again(&self, message: &jetstream::Message, deliveries: i64, why: &str) {
        if deliveries < LOOKS {
            let _ = message.ack_with(AckKind::Nak(Some(SOON))).await;
        } else {
            self.refuse(message, why).await;
        }
    }

    async fn refuse(&self, message: &jetstream::Message, why: &str) {
        self.note_refusal(&format!("a result is refused: {}", shown(why)));
        let _ = message.ack_with(AckKind::Term).await;
    }

    /// Instruction to a worker about a job that it claims.
    pub(super) fn hold(&self, claim: &Claim, instance: &str) -> Hold {
        if !(1..=DELIVERIES).contains(&i64::from(claim.delivery)) {
            return Hold::Gone;
        }
        let elsewhere = self.roster.held_elsewhere(&claim.job, instance);
        self.book().claim(claim, instance, elsewhere)
    }

    /// Whether the games of a pair are in a job that another worker holds. They may be in another
    /// job by now than when they were begun.
    fn is_foreign(&self, games: &[WireGame], claim: &Claim, instance: &str) -> bool {
        let job = games.first().and_then(|game| self.book().job_of(&game.record.id()));
        let Some(job) = job else { return false };
        let delivery = if job == claim.job { claim.delivery } else { 1 };
        self.hold(&Claim { job, delivery }, instance) == Hold::Foreign
    }

    /// Bans a worker that sent false results, and has others play its jobs.
    async fn dismiss(self: &Arc<Self>, instance: &str, why: &str) {
        if !self.ban(instance, why) {
            return;
        }
        let struck = self.book().strike_all_of(instance);
        for posted in struck {
            self.post.take_back(posted.place).await;
            self.post_again(posted).await;
        }
        self.moved.notify_all();
    }

    /// Hands a pair over to the dispatcher of the run, which acknowledges it when it is safe.
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

    /// Handles all other messages about a job. A former holder can still report its result, but not
    /// its state now.
    async fn other(self: &Arc<Self>, claim: &Claim, instance: &str, what: What, hold: Hold) {
        match (what, hold) {
            (What::Tried(tried), Hold::Current | Hold::Former) => self.note_trial(claim, tried),
            (What::Back, Hold::Current) => {
                let struck = self.book().strike(&claim.job);
                if let Some(posted) = struck {
                    self.post_again(posted).await;
                }
            }
            (What::Unable { why }, Hold::Current) => {
                let name = self.machine(instance).map_or_else(String::new, |machine| machine.name);
                self.note(format!("the worker {} gives a job back: {}", shown(&name), shown(&why)));
            }
            (What::GivenUp, Hold::Current) if i64::from(claim.delivery) == DELIVERIES => {
                self.give_up(&claim.job, claim.delivery).await;
            }
            _ => {}
        }
    }

    fn note_trial(&self, claim: &Claim, tried: Tried) {
        let struck = {
            let mut book = self.book();
            let is_trial = book.jobs.get(&claim.job).is_some_and(|job| job.job.games.is_empty());
            if is_trial { book.strike(&claim.job) } else { None }
        };
        if let Some(bot) = struck.and_then(|posted| posted.job.bots.first().copied()) {
            self.set_tried(bot, bounded(tried));
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
}

/// The longest that is shown of why a bot is unfit, in bytes.
const MOST_WHY: usize = 64 << 10;

/// A trial with no more words than a build can leave.
fn bounded(tried: Tried) -> Tried {
    match tried {
        Tried::Unfit { fault, why } => {
            let why = Untrusted::capped(why.as_bytes(), MOST_WHY).shown_lines(MOST_WHY);
            Tried::Unfit { fault, why }
        }
        Tried::Failed { fault, line } => {
            let line = line.map(|line| Untrusted::capped(line.as_bytes(), MOST_WHY));
            Tried::Failed { fault, line }
        }
        tried => tried,
    }
}

/// Does something that takes time on a thread for that.
async fn blocking(doing: impl FnOnce() -> Verdict + Send + 'static) -> Verdict {
    let done = tokio::task::spawn_blocking(doing).await;
    done.unwrap_or_else(|panic| Verdict::Unreadable(panic.to_string()))
}
