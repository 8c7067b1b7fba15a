//! Result processing. Messages are validated concurrently and handled in order.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt as _;
use pitmaster_core::{RefereeFault, Untrusted};

use super::in_flight::{LeaseStatus, ReceivedPair, ResultMessage};
use super::state::{CoordinatorState, PairStatus};
use super::subscriptions::shown;
use super::validate::Validation;
use crate::broker::{AckHandle, MAX_DELIVERIES};
use crate::result_name;
use crate::wire::{Claim, Content, Outcome, TrialOutcome, WireGame};

/// Delay before a message is redelivered or the stream is reopened.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Maximum number of deliveries of a message before it is refused.
const MAX_ATTEMPTS: i64 = 15;

/// Polling interval while the store is behind.
const BACKPRESSURE_DELAY: Duration = Duration::from_millis(2);

/// Number of messages validated at the same time.
const CONCURRENT_MESSAGES: usize = 4;

/// Maximum size of a result in the object store, in bytes.
const MAX_RESULT: u64 = 64 << 20;

/// A message of the result stream after fetching its content.
enum FetchedResult {
    Validated {
        validation: Validation,
        object: Option<String>,
    },
    /// The object with the content is missing.
    ObjectMissing,
}

impl CoordinatorState {
    /// Processes the result stream.
    pub(super) async fn process_results(self: Arc<Self>) {
        loop {
            if let Ok(results) = self.broker.result_consumer(&self.contest).await
                && let Ok(messages) = results.messages().await
            {
                let fetch = async |message: Result<jetstream::Message, _>| {
                    let message = message.ok()?;
                    let fetched = Arc::clone(&self).fetch(&message).await;
                    Some((message, fetched))
                };
                let mut fetched = pin!(messages.map(fetch).buffered(CONCURRENT_MESSAGES));
                while let Some(Some((message, result))) = fetched.next().await {
                    self.handle_message(message, result).await;
                }
            }
            // The server is unreachable, or has lost the consumer.
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    /// Validates a message on a blocking thread, and fetches its object if it has one.
    async fn fetch(self: Arc<Self>, message: &jetstream::Message) -> FetchedResult {
        let (state, payload) = (Arc::clone(&self), message.payload.clone());
        let validation = blocking(move || state.validate(&payload)).await;
        let Validation::Valid {
            signer,
            outcome: Outcome { claim, content: Content::Object(name) },
        } = validation
        else {
            return FetchedResult::Validated { validation, object: None };
        };
        let Ok(bytes) = self.broker.get_object(&name, MAX_RESULT).await else {
            return FetchedResult::ObjectMissing;
        };
        let (state, object) = (Arc::clone(&self), name.clone());
        let validation =
            blocking(move || state.validate_object(signer, &claim, &object, &bytes)).await;
        FetchedResult::Validated { validation, object: Some(name) }
    }

    /// Validates an object from the object store. Its hash must be the signed one, because every
    /// client can replace objects.
    fn validate_object(
        &self,
        signer: String,
        claim: &Claim,
        name: &str,
        bytes: &[u8],
    ) -> Validation {
        if result_name(bytes) != name {
            return Validation::Malformed(
                "the object is not the one that its worker has signed".into(),
            );
        }
        match self.validate_message(signer, bytes) {
            Validation::Valid { signer, outcome }
                if outcome.claim != *claim || matches!(outcome.content, Content::Object(_)) =>
            {
                Validation::Invalid { signer, reason: "a result within another one".into() }
            }
            validation => validation,
        }
    }

    async fn handle_message(self: &Arc<Self>, message: jetstream::Message, result: FetchedResult) {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let FetchedResult::Validated { validation, object } = result else {
            return self
                .retry_later(&message, deliveries, "its content is missing on the server")
                .await;
        };
        match validation {
            Validation::Malformed(reason) => self.reject(&message, &reason).await,
            Validation::Invalid { signer, reason } => {
                self.reject(&message, &reason).await;
                self.ban_and_republish(&signer, &reason).await;
            }
            Validation::UnknownSigner { signer } if self.registry.ban_reason(&signer).is_none() => {
                let reason = "its worker was never admitted";
                self.retry_later(&message, deliveries, reason).await;
            }
            Validation::Valid { signer, outcome } if self.machine(&signer).is_some() => {
                self.handle_outcome(&signer, outcome, message, object, deliveries).await;
            }
            // The worker is banned, perhaps since the validation.
            Validation::UnknownSigner { .. } | Validation::Valid { .. } => {
                self.reject(&message, "its worker was dismissed").await;
            }
        }
    }

    /// Handles a result of an admitted worker, if the worker holds the job.
    async fn handle_outcome(
        self: &Arc<Self>,
        signer: &str,
        outcome: Outcome,
        message: jetstream::Message,
        object: Option<String>,
        deliveries: i64,
    ) {
        let Outcome { claim, content } = outcome;
        let held_elsewhere = "another worker holds its job";
        let Content::Pairs(pairs) = content else {
            return match self.claim(&claim, signer) {
                LeaseStatus::HeldElsewhere => {
                    self.retry_later(&message, deliveries, held_elsewhere).await;
                }
                status => {
                    self.handle_report(&claim, signer, content, status).await;
                    let _ = message.ack().await;
                }
            };
        };
        if pairs.iter().any(|games| self.is_held_elsewhere(games, &claim, signer)) {
            return self.retry_later(&message, deliveries, held_elsewhere).await;
        }
        while self.queue().is_some_and(|queue| queue.is_behind()) {
            tokio::time::sleep(BACKPRESSURE_DELAY).await;
        }
        let (_, ack) = AckHandle::split(message);
        let unstored = AtomicUsize::new(pairs.len());
        let message = Arc::new(ResultMessage { ack, object, unstored });
        for games in pairs {
            let (instance, message) = (signer.to_owned(), Arc::clone(&message));
            self.deliver_pair(ReceivedPair { games, instance, message }).await;
        }
    }

    /// Has a message redelivered after a delay. Refuses it after the last attempt.
    async fn retry_later(&self, message: &jetstream::Message, deliveries: i64, reason: &str) {
        if deliveries < MAX_ATTEMPTS {
            let _ = message.ack_with(AckKind::Nak(Some(RETRY_DELAY))).await;
        } else {
            self.reject(message, reason).await;
        }
    }

    async fn reject(&self, message: &jetstream::Message, reason: &str) {
        self.note_refusal(&format!("a result is refused: {}", shown(reason)));
        let _ = message.ack_with(AckKind::Term).await;
    }

    /// Records a worker's claim to a job. Returns its lease.
    pub(super) fn claim(&self, claim: &Claim, instance: &str) -> LeaseStatus {
        if !(1..=MAX_DELIVERIES).contains(&i64::from(claim.delivery)) {
            return LeaseStatus::NotInFlight;
        }
        let elsewhere = self.registry.delivery_elsewhere(&claim.job, instance);
        self.in_flight().claim(claim, instance, elsewhere)
    }

    /// Returns whether another worker holds the job of a pair. Since the pair was started, its games may
    /// have been republished in another job.
    fn is_held_elsewhere(&self, games: &[WireGame], claim: &Claim, instance: &str) -> bool {
        let job = games.first().and_then(|game| self.in_flight().job_of(&game.record.id()));
        let Some(job) = job else { return false };
        let delivery = if job == claim.job { claim.delivery } else { 1 };
        self.claim(&Claim { job, delivery }, instance) == LeaseStatus::HeldElsewhere
    }

    /// Bans a worker that sent invalid results, and publishes its jobs again.
    async fn ban_and_republish(self: &Arc<Self>, instance: &str, reason: &str) {
        if !self.ban(instance, reason) {
            return;
        }
        let removed = self.in_flight().remove_leased_to(instance);
        for job in removed {
            self.broker.delete_job(job.sequence).await;
            self.republish(job).await;
        }
        self.changed.notify_all();
    }

    /// Passes a pair to the run's dispatcher, and acknowledges its message when it is stored.
    pub(super) async fn deliver_pair(self: &Arc<Self>, pair: ReceivedPair) {
        match self.receive(pair) {
            PairStatus::Played(played, message) => {
                let (runtime, state) = (self.runtime.clone(), Arc::clone(self));
                let on_stored =
                    move || drop(runtime.spawn(async move { state.mark_stored(&message).await }));
                if let Some(queue) = self.queue() {
                    queue.finish_together(played, Box::new(on_stored));
                }
            }
            // Played twice, because a worker was considered dead.
            PairStatus::Duplicate(pair) => self.mark_stored(&pair.message).await,
            PairStatus::Early => {}
        }
    }

    /// Marks a pair of a message as stored, and acknowledges the message after the last one.
    async fn mark_stored(&self, message: &ResultMessage) {
        if message.mark_stored() {
            message.ack.acknowledge(AckKind::Ack).await;
            if let Some(object) = &message.object {
                self.broker.delete_object(object).await;
            }
        }
    }

    /// Handles a message without games. A former holder can still report a trial, but not return the
    /// job.
    async fn handle_report(
        self: &Arc<Self>,
        claim: &Claim,
        instance: &str,
        content: Content,
        status: LeaseStatus,
    ) {
        match (content, status) {
            (Content::Trial(outcome), LeaseStatus::Current | LeaseStatus::Former) => {
                self.record_trial(claim, outcome);
            }
            (Content::Returned, LeaseStatus::Current) => {
                let removed = self.in_flight().remove(&claim.job);
                if let Some(job) = removed {
                    self.republish(job).await;
                }
            }
            (Content::Failed { reason }, LeaseStatus::Current) => {
                let name = self.machine(instance).map_or_else(String::new, |machine| machine.name);
                self.note(format!(
                    "the worker {} returned a job: {}",
                    shown(&name),
                    shown(&reason)
                ));
            }
            (Content::DeliveriesExhausted, LeaseStatus::Current)
                if i64::from(claim.delivery) == MAX_DELIVERIES =>
            {
                self.abandon_job(&claim.job, claim.delivery).await;
            }
            _ => {}
        }
    }

    fn record_trial(&self, claim: &Claim, outcome: TrialOutcome) {
        let removed = {
            let mut in_flight = self.in_flight();
            let is_trial =
                in_flight.jobs.get(&claim.job).is_some_and(|job| job.job.games.is_empty());
            if is_trial { in_flight.remove(&claim.job) } else { None }
        };
        if let Some(bot) = removed.and_then(|job| job.job.bots.first().copied()) {
            self.set_trial(bot, truncate(outcome));
        }
    }

    /// Voids the first pending pair of a job whose deliveries are exhausted, and publishes the rest
    /// again.
    pub(super) async fn abandon_job(self: &Arc<Self>, job: &str, deliveries: u32) {
        let removed = self.in_flight().remove(job);
        let Some(mut job) = removed else { return };
        let reason = format!(
            "{} workers died with it, became silent or returned it",
            deliveries.saturating_sub(1)
        );
        if job.job.games.is_empty() {
            let bot = job.job.bots[0];
            let fault = RefereeFault::System { error: reason };
            return self.set_trial(bot, TrialOutcome::Untried { fault });
        }
        let Some(first) = job.pending.values().next().cloned() else { return };
        let (pair, rest) = std::mem::take(&mut job.pending)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, task)| task.is_paired_with(&first));
        job.pending = rest;
        let void_games = self.void_games(pair.into_values().collect(), &reason);
        if let Some(queue) = self.queue() {
            queue.finish_together(void_games, Box::new(|| {}));
        }
        if !job.pending.is_empty() {
            self.republish(job).await;
        }
        self.changed.notify_all();
    }
}

/// Maximum size of a reason or a line in a trial's outcome, in bytes.
const MAX_REASON: usize = 64 << 10;

/// Truncates the texts of a trial's outcome.
fn truncate(outcome: TrialOutcome) -> TrialOutcome {
    match outcome {
        TrialOutcome::Unfit { fault, reason } => {
            let reason = Untrusted::capped(reason.as_bytes(), MAX_REASON).shown_lines(MAX_REASON);
            TrialOutcome::Unfit { fault, reason }
        }
        TrialOutcome::Failed { fault, line } => {
            let line = line.map(|line| Untrusted::capped(line.as_bytes(), MAX_REASON));
            TrialOutcome::Failed { fault, line }
        }
        outcome => outcome,
    }
}

/// Runs a validation on a blocking thread.
async fn blocking(validate: impl FnOnce() -> Validation + Send + 'static) -> Validation {
    let done = tokio::task::spawn_blocking(validate).await;
    done.unwrap_or_else(|panic| Validation::Malformed(panic.to_string()))
}
