//! Reaper: detects silent workers, lost jobs, and a server that has lost its data.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::state::CoordinatorState;
use crate::broker::BrokerResult;
use crate::{bundle_name, manifest_name};

/// Interval between sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(2);

/// Maximum number of jobs examined per sweep.
const MAX_EXAMINED: usize = 64;

impl CoordinatorState {
    /// Creates the streams and consumers, and uploads the bundles and the manifest.
    pub(super) async fn set_up_server(&self) -> BrokerResult<()> {
        self.broker.create_streams().await?;
        self.broker.result_consumer(&self.contest).await?;
        for class in self.classes.keys() {
            self.broker.job_consumer(&self.contest, class, self.patience).await?;
        }
        for (hash, path) in &self.bundles {
            let bytes = std::fs::read(path);
            let bytes = bytes.map_err(crate::broker::cannot("read a bundle"))?;
            self.broker.put_object(&bundle_name(hash), &bytes).await?;
        }
        let manifest = crate::wire::encode(&self.manifest);
        self.broker.put_object(&manifest_name(&self.contest), &manifest).await
    }

    /// Sweeps periodically.
    pub(super) async fn run_reaper(self: Arc<Self>) {
        let mut interval = tokio::time::interval(SWEEP_INTERVAL);
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            interval.tick().await;
            self.sweep().await;
        }
    }

    async fn sweep(self: &Arc<Self>) {
        let silence = (self.patience / 2).max(Duration::from_secs(5));
        for name in self.registry.expire(silence) {
            self.note(format!("no heartbeat from the worker {name}; its jobs go to others"));
        }
        self.report_missing_tools();
        match self.broker.streams_exist().await {
            Ok(true) => self.republish_lost_jobs().await,
            Ok(false) => self.restore_server().await,
            // The server is unreachable: the next sweep retries.
            Err(_) => {}
        }
        self.changed.notify_all();
    }

    /// Reports, once each, the tool sets that no worker has.
    fn report_missing_tools(&self) {
        let unserved: BTreeSet<String> = {
            let in_flight = self.in_flight();
            let tools = in_flight.jobs.values().map(|job| self.manifest.tools_of(&job.job.bots));
            let unserved = tools.filter(|tools| !self.registry.any_has_tools(tools));
            unserved.map(|tools| tools.into_iter().collect::<Vec<_>>().join(", ")).collect()
        };
        for tools in unserved {
            if self.is_first_report(&tools) {
                self.note(format!(
                    "no worker has all of {tools}; games that need them stay pending"
                ));
            }
        }
    }

    /// Publishes everything again after the server has lost its data.
    async fn restore_server(self: &Arc<Self>) {
        if self.ended.load(Ordering::SeqCst) || self.set_up_server().await.is_err() {
            return;
        }
        self.note("the server has lost its data; publishing all pending jobs again");
        let all: Vec<_> = {
            let mut in_flight = self.in_flight();
            in_flight.clear_adopted();
            let ids: Vec<String> = in_flight.jobs.keys().cloned().collect();
            ids.iter().filter_map(|id| in_flight.remove(id)).collect()
        };
        for job in all {
            self.republish(job).await;
        }
    }

    /// Publishes jobs again that no worker holds, that are in no queue and had no recent messages.
    async fn republish_lost_jobs(self: &Arc<Self>) {
        let silent: Vec<(String, u64, String)> = {
            let in_flight = self.in_flight();
            let is_silent =
                |last_update: std::time::Instant| last_update.elapsed() > self.patience * 3;
            let silent = in_flight.jobs.iter().filter(|(id, job)| {
                job.sequence > 0 && is_silent(job.last_update) && !self.registry.is_held(id)
            });
            let class = |job: &super::in_flight::InFlightJob| self.manifest.class(&job.job.bots);
            silent
                .take(MAX_EXAMINED)
                .map(|(id, job)| (id.clone(), job.sequence, class(job)))
                .collect()
        };
        for (id, sequence, class) in silent {
            if self.is_lost(sequence, &class).await.unwrap_or(false) {
                self.note("a job was lost; publishing it again");
                self.broker.delete_job(sequence).await;
                let removed = self.in_flight().remove(&id);
                if let Some(job) = removed {
                    self.republish(job).await;
                }
            }
        }
    }

    /// Returns whether a job will not be delivered again: it is not in the stream, or the consumer of
    /// its class has nothing to deliver.
    async fn is_lost(&self, sequence: u64, class: &str) -> BrokerResult<bool> {
        // If its results are still in transit, its games are played twice, which is harmless.
        if !self.broker.has_job(sequence).await? {
            return Ok(true);
        }
        let mut consumer = self.broker.job_consumer(&self.contest, class, self.patience).await?;
        let info = consumer.info().await.map_err(crate::broker::cannot("inspect a queue"))?;
        Ok(info.num_pending == 0 && info.num_ack_pending == 0)
    }

    /// Returns whether no result is in transit.
    async fn query_results_drained(&self) -> BrokerResult<bool> {
        let mut results = self.broker.result_consumer(&self.contest).await?;
        let info = results.info().await.map_err(crate::broker::cannot("inspect the results"))?;
        // Early pairs stay unacknowledged.
        Ok(info.num_pending == 0 && info.num_ack_pending <= self.in_flight().early_count())
    }

    /// Blocking variant of [`Self::query_results_drained`]; true if the server is unreachable.
    pub(super) fn results_are_drained(&self) -> bool {
        self.runtime.block_on(self.query_results_drained()).unwrap_or(true)
    }
}
