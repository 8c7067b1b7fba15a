//! Collector: takes the results of practice jobs from the server and puts them on the board.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream;
use futures_util::StreamExt as _;

use super::super::state::Desk;
use super::super::subscriptions::shown;
use super::board::{Board, Heard};
use crate::wire::{Outcome, What, decode, results_of};
use crate::{result_name, seal};

/// Pause before the server is asked again.
const SOON: Duration = Duration::from_secs(1);

/// Maximum size of a result in the object store, in bytes.
const MOST_RESULT: u64 = 64 << 20;

impl Board {
    /// Takes results, until the end.
    pub(super) async fn collect(self: Arc<Self>, desk: Arc<Desk>) {
        loop {
            if let Ok(results) = desk.post.results(&desk.contest).await
                && let Ok(mut messages) = results.messages().await
            {
                while let Some(Ok(message)) = messages.next().await {
                    self.take(&desk, &message).await;
                    // Whatever came of it: whoever waits has it, or nobody does.
                    let _ = message.ack().await;
                }
            }
            // The server went away, or has forgotten who takes the results.
            tokio::time::sleep(SOON).await;
        }
    }

    async fn take(self: &Arc<Self>, desk: &Arc<Desk>, message: &jetstream::Message) {
        let subject = results_of(&desk.contest);
        let (signer, bytes) = match seal::open(&subject, &message.payload) {
            Ok(opened) => opened,
            Err(why) => return refuse(desk, &why),
        };
        let outcome = match decode::<Outcome>(bytes) {
            Ok(outcome) => outcome,
            Err(why) => return refuse(desk, &why),
        };
        let job = outcome.claim.job.clone();
        if !self.is_with(&job, &signer) {
            return;
        }
        let what = match outcome.what {
            What::Object(name) => match self.unpack(desk, &name, &job).await {
                Ok(what) => what,
                Err(why) => return refuse(desk, &why),
            },
            What::Lacks(tools) => {
                desk.roster.lack(&signer, &tools);
                What::Lacks(tools)
            }
            what => what,
        };
        let Some(machine) = desk.machine(&signer) else { return };
        let (board, worker) = (Arc::clone(self), signer.clone());
        let heard = tokio::task::spawn_blocking(move || board.hear(&job, &worker, what, &machine));
        if let Ok(Heard::Lie(why)) = heard.await {
            desk.ban(&signer, &why);
        }
    }

    /// A result that was too long for a message: what has the signed hash.
    async fn unpack(&self, desk: &Desk, name: &str, job: &str) -> Result<What, String> {
        let fetched = desk.post.get(name, MOST_RESULT).await;
        let bytes = fetched.map_err(|trouble| trouble.to_string())?;
        desk.post.remove(name).await;
        if result_name(&bytes) != name {
            return Err("what it names is not what its worker has signed".into());
        }
        let outcome: Outcome = decode(&bytes)?;
        if outcome.claim.job != job || matches!(outcome.what, What::Object(_)) {
            return Err("a result within another one".into());
        }
        Ok(outcome.what)
    }
}

fn refuse(desk: &Desk, why: &str) {
    desk.note_refusal(&format!("a result is refused: {}", shown(why)));
}
