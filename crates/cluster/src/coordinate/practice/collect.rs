//! Result processing for practice jobs.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream;
use futures_util::StreamExt as _;

use super::super::state::CoordinatorState;
use super::super::subscriptions::shown;
use super::pending_jobs::{Acceptance, PendingJobs};
use crate::wire::{Content, Outcome, decode, results_of};
use crate::{result_name, seal};

/// Delay before the result stream is reopened.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Maximum size of a result in the object store, in bytes.
const MAX_RESULT: u64 = 64 << 20;

impl PendingJobs {
    /// Processes the result stream.
    pub(super) async fn process_results(self: Arc<Self>, state: Arc<CoordinatorState>) {
        loop {
            if let Ok(results) = state.broker.result_consumer(&state.contest).await
                && let Ok(mut messages) = results.messages().await
            {
                while let Some(Ok(message)) = messages.next().await {
                    self.handle_message(&state, &message).await;
                    // Acknowledged in any case, because a redelivery would have the same outcome.
                    let _ = message.ack().await;
                }
            }
            // The server is unreachable, or has lost the consumer.
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn handle_message(
        self: &Arc<Self>,
        state: &Arc<CoordinatorState>,
        message: &jetstream::Message,
    ) {
        let subject = results_of(&state.contest);
        let (signer, bytes) = match seal::open(&subject, &message.payload) {
            Ok(opened) => opened,
            Err(reason) => return refuse(state, &reason),
        };
        let outcome = match decode::<Outcome>(bytes) {
            Ok(outcome) => outcome,
            Err(reason) => return refuse(state, &reason),
        };
        let job = outcome.claim.job.clone();
        if !self.is_assigned_to(&job, &signer) {
            return;
        }
        let content = match outcome.content {
            Content::Object(name) => match self.fetch_object(state, &name, &job).await {
                Ok(content) => content,
                Err(reason) => return refuse(state, &reason),
            },
            Content::MissingTools(tools) => {
                state.registry.add_missing_tools(&signer, &tools);
                Content::MissingTools(tools)
            }
            content => content,
        };
        let Some(machine) = state.machine(&signer) else { return };
        let (pending, worker) = (Arc::clone(self), signer.clone());
        let acceptance = tokio::task::spawn_blocking(move || {
            pending.handle_result(&job, &worker, content, &machine)
        });
        if let Ok(Acceptance::Invalid(reason)) = acceptance.await {
            state.ban(&signer, &reason);
        }
    }

    /// Fetches the content of a result from the object store, and verifies the signed hash.
    async fn fetch_object(
        &self,
        state: &CoordinatorState,
        name: &str,
        job: &str,
    ) -> Result<Content, String> {
        let fetched = state.broker.get_object(name, MAX_RESULT).await;
        let bytes = fetched.map_err(|error| error.to_string())?;
        state.broker.delete_object(name).await;
        if result_name(&bytes) != name {
            return Err("the object is not the one that its worker has signed".into());
        }
        let outcome: Outcome = decode(&bytes)?;
        if outcome.claim.job != job || matches!(outcome.content, Content::Object(_)) {
            return Err("a result within another one".into());
        }
        Ok(outcome.content)
    }
}

fn refuse(state: &CoordinatorState, reason: &str) {
    state.note_refusal(&format!("a result is refused: {}", shown(reason)));
}
