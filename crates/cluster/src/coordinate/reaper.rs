//! Reaper: detects workers that fell silent, jobs that nobody holds, and a server that has lost its
//! data.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::state::Desk;
use crate::broker::Tried as Sent;
use crate::{bundle_name, card_name};

/// Interval between sweeps.
const SWEEP: Duration = Duration::from_secs(2);

/// Number of jobs examined at once.
const MOST: usize = 64;

impl Desk {
    /// Publishes on the server what workers need.
    pub(super) async fn lay_out(&self) -> Sent<()> {
        self.post.open().await?;
        self.post.results(&self.contest).await?;
        for class in self.classes.keys() {
            self.post.takers(&self.contest, class, self.patience).await?;
        }
        for (hash, path) in &self.bundles {
            let bytes = std::fs::read(path);
            let bytes = bytes.map_err(crate::broker::while_("read a bundle"))?;
            self.post.put(&bundle_name(hash), &bytes).await?;
        }
        let card = crate::wire::encode(&self.card);
        self.post.put(&card_name(&self.contest), &card).await
    }

    /// Sweeps until the end.
    pub(super) async fn sweep_always(self: Arc<Self>) {
        let mut often = tokio::time::interval(SWEEP);
        often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            often.tick().await;
            self.sweep().await;
        }
    }

    async fn sweep(self: &Arc<Self>) {
        let silence = (self.patience / 2).max(Duration::from_secs(5));
        for name in self.roster.expire(silence) {
            self.note(format!("the worker {name} has fallen silent; its work goes to others"));
        }
        self.tell_of_the_stuck();
        match self.post.is_there().await {
            Ok(true) => self.look_for_lost_jobs().await,
            Ok(false) => self.begin_anew().await,
            // The server is away: it comes back, or somebody ends this.
            Err(_) => {}
        }
        self.moved.notify_all();
    }

    /// Says, once, of which games nobody has all tools.
    fn tell_of_the_stuck(&self) {
        let stuck: BTreeSet<String> = {
            let book = self.book();
            let tools = book.jobs.values().map(|posted| self.card.tools_of(&posted.job.bots));
            let stuck = tools.filter(|tools| !self.roster.can_serve(tools));
            stuck.map(|tools| tools.into_iter().collect::<Vec<_>>().join(", ")).collect()
        };
        for tools in stuck {
            if self.is_news(&tools) {
                self.note(format!("games that need {tools} wait: no worker has all of these"));
            }
        }
    }

    /// The server has lost everything: the book says what is out.
    async fn begin_anew(self: &Arc<Self>) {
        if self.over.load(Ordering::SeqCst) || self.lay_out().await.is_err() {
            return;
        }
        self.note("the server has lost what was on it: all that is out is published anew");
        let all: Vec<_> = {
            let mut book = self.book();
            book.forget_adopted();
            let ids: Vec<String> = book.jobs.keys().cloned().collect();
            ids.iter().filter_map(|id| book.strike(id)).collect()
        };
        for posted in all {
            self.post_again(posted).await;
        }
    }

    /// Finds jobs without news for long, that nobody holds and that wait in no queue.
    async fn look_for_lost_jobs(self: &Arc<Self>) {
        let silent: Vec<(String, u64, String)> = {
            let book = self.book();
            let is_silent = |heard: std::time::Instant| heard.elapsed() > self.patience * 3;
            let silent = book.jobs.iter().filter(|(id, posted)| {
                posted.place > 0 && is_silent(posted.heard) && !self.roster.holds(id)
            });
            let class = |posted: &super::in_flight::Posted| self.card.class(&posted.job.bots);
            silent.take(MOST).map(|(id, job)| (id.clone(), job.place, class(job))).collect()
        };
        for (id, place, class) in silent {
            if self.is_lost(place, &class).await.unwrap_or(false) {
                self.note("a job was with nobody: it is published anew");
                self.post.take_back(place).await;
                let struck = self.book().strike(&id);
                if let Some(posted) = struck {
                    self.post_again(posted).await;
                }
            }
        }
    }

    /// Whether nobody will get a job any more: it is gone from the stream though not all of it
    /// has come back, or it is there and its class has nothing to hand out.
    async fn is_lost(&self, place: u64, class: &str) -> Sent<bool> {
        // Played twice, if results are on their way after all, does no harm.
        if !self.post.has_job(place).await? {
            return Ok(true);
        }
        let mut taker = self.post.takers(&self.contest, class, self.patience).await?;
        let info = taker.info().await.map_err(crate::broker::while_("look at a queue"))?;
        Ok(info.num_pending == 0 && info.num_ack_pending == 0)
    }

    /// Whether no result is on its way.
    async fn is_quiet(&self) -> Sent<bool> {
        let mut results = self.post.results(&self.contest).await?;
        let info = results.info().await.map_err(crate::broker::while_("look at results"))?;
        // Pairs that arrived too early stay with the server.
        Ok(info.num_pending == 0 && info.num_ack_pending <= self.book().early())
    }

    /// The same, for a thread; what cannot be found out is not waited for.
    pub(super) fn is_still(&self) -> bool {
        self.runtime.block_on(self.is_quiet()).unwrap_or(true)
    }
}
