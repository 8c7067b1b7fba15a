//! Worker session: communication with the coordinator, the broker and the lanes.

use std::collections::VecDeque;
use std::io::Read as _;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt as _;
use pitmaster_core::{Tier, Untrusted};
use pitmaster_runner::{self as runner, Batch, Layout};
use pitmaster_tournament::worst_duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::Worker;
use super::context::{ContestContext, MAX_MANIFEST};
use super::lane::LaneEvent;
use super::practice::PracticeJobs;
use super::result_sender::ResultSender;
use crate::wire::{
    BROADCAST, Broadcast, HELLO, Hello, NEW_JOBS, READY, Ready, Reply, RunManifest, WorkerInfo,
    decode, decode_short, encode,
};
use crate::{ClusterError, manifest_name};

/// Polling interval for jobs. Jobs of a dead worker are redelivered without a notification.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Interval of heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// Time limit for a reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(3);

/// Delay before a manifest is fetched again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Time for which a draining worker waits for an unreachable server.
const UNREACHABLE_TIMEOUT: Duration = Duration::from_secs(20);

/// Message of a worker that requires a sandbox.
pub(super) const BARE_REFUSED: &str = "this tournament would run submissions without a sandbox and \
     with your permissions; `pitmaster doctor` lists what a sandbox needs; start the worker with \
     --bare only if you trust every bot and everybody who can log in to the server";

/// A worker's session.
pub(super) struct WorkerSession<'a> {
    pub(super) worker: &'a Worker<'a>,
    pub(super) sender: ResultSender,
    pub(super) info: WorkerInfo,
    pub(super) layout: Layout,
    /// Events from lanes and tasks.
    pub(super) events: UnboundedReceiver<LaneEvent>,
    /// Lanes that wait for a job, with the senders of their batches.
    pub(super) idle_lanes: VecDeque<(usize, mpsc::Sender<Option<Batch>>)>,
    pub(super) broken: BrokenReason,
    /// Instance of the coordinator that replied last.
    pub(super) coordinator: String,
    /// Whether the coordinator has admitted this worker.
    pub(super) is_admitted: bool,
    /// State of practice jobs.
    pub(super) practice: PracticeJobs,
}

/// Reason why this machine is broken, shared with tasks.
pub(super) type BrokenReason = Arc<Mutex<Option<String>>>;

/// Reason why a worker stops playing for a contest.
enum ContestEnd {
    /// The contest has ended, or another one has started.
    Over,
    /// The worker exits.
    Drained,
}

/// Subscriptions of a session.
struct Subscriptions {
    broadcasts: Subscriber,
    new_jobs: Subscriber,
    /// Whether the worker is asked to stop.
    stop: watch::Receiver<bool>,
}

impl WorkerSession<'_> {
    /// Runs until the worker is asked to stop.
    pub(super) async fn run(mut self) -> Result<(), ClusterError> {
        let result = self.play_contests().await;
        // Busy lanes stop after the current pair and do not wait for the server.
        self.sender.shared.draining.store(true, Ordering::SeqCst);
        self.sender.shared.close();
        // Idle lanes stop when their senders are dropped.
        self.events.close();
        self.idle_lanes.clear();
        while self.events.recv().await.is_some() {}
        let _ = tokio::time::timeout(REPLY_TIMEOUT, self.sender.send_heartbeat("", true)).await;
        let _ = tokio::time::timeout(REPLY_TIMEOUT, self.sender.broker.client.flush()).await;
        result
    }

    async fn play_contests(&mut self) -> Result<(), ClusterError> {
        let mut subscriptions = self.subscribe().await?;
        loop {
            let Some(contest) = self.find_contest(&mut subscriptions).await? else { return Ok(()) };
            let context = tokio::select! {
                context = self.open_contest(contest) => context,
                _ = subscriptions.stop.changed() => return Ok(()),
            };
            let context = match context {
                // The manifest is missing because the contest has ended, or the server is unreachable.
                Err(ClusterError::Server(reason)) => {
                    (self.worker.report)(&format!("{reason}; retrying"));
                    tokio::time::sleep(RETRY_DELAY).await;
                    continue;
                }
                context => Arc::new(context?),
            };
            self.report_ready(&context).await?;
            let end = self.play_contest(&context, &mut subscriptions).await?;
            if let Some(reason) = self.broken_reason() {
                return Err(ClusterError::Broken(reason));
            }
            match end {
                ContestEnd::Drained => return Ok(()),
                ContestEnd::Over if self.worker.once => return Ok(()),
                ContestEnd::Over => {
                    (self.worker.report)("the tournament is over; waiting for another one");
                }
            }
        }
    }

    fn broken_reason(&self) -> Option<String> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn subscribe(&self) -> Result<Subscriptions, ClusterError> {
        let subscribe = |subject: &'static str| self.sender.broker.client.subscribe(subject);
        let server = |error: async_nats::SubscribeError| ClusterError::Server(error.to_string());
        let broadcasts = subscribe(BROADCAST).await.map_err(server)?;
        let new_jobs = subscribe(NEW_JOBS).await.map_err(server)?;
        Ok(Subscriptions { broadcasts, new_jobs, stop: watch_for_stop(self.worker.tied) })
    }

    /// Announces this worker until a coordinator replies. Returns the coordinator's contest, or `None` if
    /// the worker is asked to stop.
    async fn find_contest(
        &mut self,
        subscriptions: &mut Subscriptions,
    ) -> Result<Option<String>, ClusterError> {
        let hello = Hello::new(self.info.clone());
        let mut has_reported = false;
        loop {
            if *subscriptions.stop.borrow() {
                return Ok(None);
            }
            match self.request(HELLO, encode(&hello)).await {
                Some(Reply::Welcome { contest, coordinator }) => {
                    self.coordinator = coordinator;
                    return Ok(Some(contest));
                }
                Some(Reply::Refused { reason }) => return Err(refused(&reason)),
                Some(Reply::Admitted) | None => {}
            }
            if !std::mem::replace(&mut has_reported, true) {
                (self.worker.report)("waiting for a tournament");
            }
            tokio::select! {
                _ = subscriptions.stop.changed() => {}
                _ = subscriptions.broadcasts.next() => {}
                () = tokio::time::sleep(REPLY_TIMEOUT) => {}
            }
        }
    }

    async fn request(&self, subject: &'static str, message: Vec<u8>) -> Option<Reply> {
        let request = self.sender.broker.client.request(subject, message.into());
        let reply = tokio::time::timeout(REPLY_TIMEOUT, request).await.ok()?.ok()?;
        decode_short(&reply.payload).ok()
    }

    /// Fetches and validates the manifest of a contest, and chooses a sandbox.
    async fn open_contest(&self, contest: String) -> Result<ContestContext, ClusterError> {
        let bytes = self.sender.broker.get_object(&manifest_name(&contest), MAX_MANIFEST).await;
        let bytes = bytes.map_err(|error| ClusterError::Server(error.to_string()))?;
        let invalid =
            |reason: String| refused(&format!("the tournament's manifest is invalid: {reason}"));
        let manifest: RunManifest = decode(&bytes).map_err(invalid)?;
        if manifest.contest() != contest {
            return Err(invalid("it does not match its name".into()));
        }
        let game = ContestContext::game_of(&manifest).map_err(invalid)?;
        let require = ContestContext::requirements_of(&manifest).map_err(invalid)?;
        let sandbox = (self.worker.sandbox)(manifest.tier, &require, &manifest.limits.resources)?;
        let is_bare = sandbox.isolation().tier == Tier::Bare;
        if is_bare
            && !self.worker.bare
            && (manifest.practice || ContestContext::has_submissions(&manifest))
        {
            return Err(ClusterError::Missing(BARE_REFUSED.into()));
        }
        Ok(ContestContext::new(contest, manifest, game, &sandbox, self.worker, &self.info.instance))
    }

    /// Reports the capabilities of this worker for a contest.
    async fn report_ready(&mut self, context: &ContestContext) -> Result<(), ClusterError> {
        let ready = Ready {
            contest: context.contest.clone(),
            coordinator: self.coordinator.clone(),
            sequence: self.sender.next_sequence(),
            worker: self.info.clone(),
            missing: context.missing.clone(),
            isolation: context.options.sandbox.isolation().clone(),
        };
        let sealed = self.sender.identity.seal(READY, &encode(&ready));
        match self.request(READY, sealed).await {
            Some(Reply::Refused { reason }) => return Err(refused(&reason)),
            Some(Reply::Admitted) => self.is_admitted = true,
            // An absent coordinator will ask workers to announce themselves.
            Some(Reply::Welcome { .. }) | None => {
                self.is_admitted = false;
                return Ok(());
            }
        }
        let missing = match context.missing.as_slice() {
            [] => String::new(),
            missing => {
                format!(
                    "; missing {}: bots that need it play elsewhere",
                    shown(&missing.join(", "))
                )
            }
        };
        let bots = context.manifest.bots.len();
        let what = if context.manifest.practice {
            "a practice server".to_owned()
        } else {
            format!("a tournament of {bots} bots")
        };
        (self.worker.report)(&format!("playing for {what}{missing}"));
        Ok(())
    }

    /// Plays for a contest until it ends or the worker is asked to stop.
    async fn play_contest(
        &mut self,
        context: &Arc<ContestContext>,
        subscriptions: &mut Subscriptions,
    ) -> Result<ContestEnd, ClusterError> {
        self.sender.shared.halt(None);
        let heartbeats = self.start_heartbeats(context);
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        poll.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut has_ended = false;
        let mut stalled_since = None;
        let end = loop {
            if *subscriptions.stop.borrow() && self.is_server_unreachable(&mut stalled_since) {
                (self.worker.report)("server unreachable; unsent games will be replayed elsewhere");
                break ContestEnd::Drained;
            }
            if self.is_idle() {
                if *subscriptions.stop.borrow() || self.broken_reason().is_some() {
                    break ContestEnd::Drained;
                }
                if has_ended {
                    break ContestEnd::Over;
                }
            }
            tokio::select! {
                event = self.events.recv() => match event {
                    Some(event) => self.handle_event(event),
                    None => break ContestEnd::Drained,
                },
                message = subscriptions.broadcasts.next() => {
                    let broadcast = message.map(|message| decode_short::<Broadcast>(&message.payload));
                    if let Some(Ok(broadcast)) = broadcast
                        && self.handle_broadcast(broadcast, context).await?
                    {
                        has_ended = true;
                        // The results of held jobs are not needed, and the server may be gone.
                        self.sender.shared.leases.revoke_all();
                    }
                }
                _ = subscriptions.stop.changed() => self.drain(),
                _ = subscriptions.new_jobs.next() => {}
                _ = poll.tick() => {}
            }
            while self.can_take_games(has_ended, context) && self.take_job(context).await {}
            if self.can_take_build(has_ended, context) {
                self.take_build(context).await;
            }
        };
        heartbeats.abort();
        Ok(end)
    }

    /// Returns whether no result could be sent for long. Updates the start of that period.
    fn is_server_unreachable(&self, stalled_since: &mut Option<Instant>) -> bool {
        let is_stalled = self.sender.shared.take_is_stalled();
        *stalled_since =
            stalled_since.filter(|_| is_stalled).or_else(|| is_stalled.then(Instant::now));
        stalled_since.is_some_and(|since| since.elapsed() > UNREACHABLE_TIMEOUT)
    }

    /// Returns whether no job is held, so that no result is pending.
    fn is_idle(&self) -> bool {
        self.sender.shared.leases.is_empty()
    }

    fn can_take_games(&self, has_ended: bool, context: &ContestContext) -> bool {
        self.can_take_jobs(has_ended, context) && !self.idle_lanes.is_empty()
    }

    fn can_take_build(&self, has_ended: bool, context: &ContestContext) -> bool {
        !context.builds.is_empty()
            && !self.practice.is_building()
            && self.can_take_jobs(has_ended, context)
    }

    /// Returns whether further jobs are taken.
    fn can_take_jobs(&self, has_ended: bool, context: &ContestContext) -> bool {
        let shared = &self.sender.shared;
        let stops = shared.draining.load(Ordering::SeqCst) || shared.is_halted(&context.contest);
        self.is_admitted && !has_ended && !stops && self.broken_reason().is_none()
    }

    fn drain(&self) {
        // Checks take minutes and can run on another worker.
        self.practice.stop_all();
        if !self.sender.shared.draining.swap(true, Ordering::SeqCst) {
            (self.worker.report)(
                "told to end: finishing the running pairs; signal again to stop now",
            );
        }
    }

    /// Handles a broadcast of the coordinator. Returns whether the contest has ended.
    async fn handle_broadcast(
        &mut self,
        broadcast: Broadcast,
        context: &ContestContext,
    ) -> Result<bool, ClusterError> {
        match broadcast {
            Broadcast::Announce => self.rejoin(context).await,
            Broadcast::Halt(contest) => {
                self.sender.shared.halt(Some(contest));
                Ok(false)
            }
            Broadcast::ContestEnded(contest) => {
                let is_this = contest == context.contest;
                if is_this {
                    self.practice.stop_all();
                }
                Ok(is_this)
            }
            Broadcast::CancelJob(job) => {
                self.practice.stop(&job);
                Ok(false)
            }
        }
    }

    /// Joins a restarted coordinator, if its contest is the same. Returns whether the contest has ended.
    async fn rejoin(&mut self, context: &ContestContext) -> Result<bool, ClusterError> {
        let hello = Hello::new(self.info.clone());
        match self.request(HELLO, encode(&hello)).await {
            Some(Reply::Welcome { contest, coordinator }) if contest == context.contest => {
                self.coordinator = coordinator;
                self.sender.shared.halt(None);
                self.report_ready(context).await.map(|()| false)
            }
            Some(Reply::Welcome { .. }) => Ok(true),
            Some(Reply::Refused { reason }) => Err(refused(&reason)),
            Some(Reply::Admitted) | None => Ok(false),
        }
    }

    /// Starts a task that extends the leases and sends heartbeats.
    fn start_heartbeats(&self, context: &Arc<ContestContext>) -> JoinHandle<()> {
        let sender = self.sender.clone();
        let patience = Duration::from_secs(context.manifest.patience_s);
        let contest = context.contest.clone();
        let manifest = context.manifest.clone();
        tokio::spawn(async move {
            let mut last = Instant::now();
            let mut heartbeats = tokio::time::interval(HEARTBEAT_INTERVAL.min(patience / 4));
            heartbeats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                heartbeats.tick().await;
                let shared = &sender.shared;
                if shared.suspend_detector.suspended_since(last).is_some_and(|gap| gap >= patience)
                {
                    shared.leases.revoke_all();
                }
                last = Instant::now();
                shared
                    .leases
                    .extend_all(|job| progress_timeout(job.manifest(&manifest), patience))
                    .await;
                sender.send_heartbeat(&contest, false).await;
            }
        })
    }
}

/// Time without progress of a lane after which its job is given up, longer than any game.
fn progress_timeout(manifest: &RunManifest, patience: Duration) -> Duration {
    worst_duration(1, &manifest.limits, 1).saturating_add(patience.saturating_mul(4))
}

/// Error for a refusal. The reason is the coordinator's and untrusted.
fn refused(reason: &str) -> ClusterError {
    ClusterError::Refused(shown(reason))
}

/// Escapes and shortens text from the server.
pub(super) fn shown(text: &str) -> String {
    Untrusted::new(text).shown(400)
}

/// Watches for a request to stop: a signal, or the end of standard input if the worker is tied to it.
/// A second signal exits the process.
fn watch_for_stop(tied: bool) -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    let on_signal = sender.clone();
    tokio::spawn(async move {
        runner::interrupted().await;
        let _ = on_signal.send(true);
        runner::interrupted().await;
        std::process::exit(runner::INTERRUPTED);
    });
    if tied {
        let read = || std::io::stdin().lock().read_to_end(&mut Vec::new());
        // Not a blocking task, because the runtime would wait for it on shutdown.
        std::thread::spawn(move || {
            let _ = read();
            let _ = sender.send(true);
        });
    }
    receiver
}
