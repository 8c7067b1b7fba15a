//! Handling of jobs: fetching, trials, assignment to lanes, and returning.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, mpsc};
use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use pitmaster_runner::{self as runner, Batch, Entrant, Played, move_to};

use super::context::{ContestContext, PlayError};
use super::lane::LaneEvent;
use super::lease::Lease;
use super::result_sender::{ResultSender, to_wire_game, trial_outcome};
use super::session::{BrokenReason, WorkerSession, shown};
use crate::broker::{AckHandle, MAX_DELIVERIES};
use crate::wire::{Claim, Content, Job, PracticeTask, TrialOutcome, decode, id_of};

/// Delay before a job that cannot be played here is returned.
const REDELIVERY_DELAY: Duration = Duration::from_secs(5);

impl WorkerSession<'_> {
    /// Fetches a job for an idle lane. Returns whether there was one.
    pub(super) async fn take_job(&mut self, context: &Arc<ContestContext>) -> bool {
        let fetched = context.fetch(&context.classes, &self.sender.broker).await;
        let Some(message) = fetched else { return false };
        let Some((lane, reply)) = self.idle_lanes.pop_front() else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return false;
        };
        let Some(lease) = self.accept(message, context).await else {
            self.idle_lanes.push_front((lane, reply));
            return true;
        };
        match self.context_for(&lease.job, context) {
            Ok(context) => self.start(lease, lane, reply, context),
            Err(error) => {
                self.idle_lanes.push_front((lane, reply));
                return_job(&self.sender, lease, error, &self.broken);
            }
        }
        true
    }

    /// Starts a job, which occupies the lane unless it is a build.
    fn start(
        &mut self,
        lease: Arc<Lease>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        context: Arc<ContestContext>,
    ) {
        if self.return_if_tools_missing(&lease, &context) {
            return self.idle_lanes.push_front((lane, reply));
        }
        match Self::practice_task(&lease.job) {
            Some(PracticeTask::Check) => self.check(lease, lane, reply, context),
            Some(PracticeTask::Build) => {
                self.idle_lanes.push_front((lane, reply));
                self.build(lease, context);
            }
            None if lease.job.games.is_empty() => {
                let core = self.layout.lanes.get(lane).copied().unwrap_or(0);
                self.idle_lanes.push_back((lane, reply));
                self.try_bot(lease, core, context);
            }
            Some(PracticeTask::Play) | None => self.play(lease, lane, reply, context),
        }
    }

    /// Validates a fetched job and takes its lease. Invalid and exhausted jobs are concluded here.
    pub(super) async fn accept(
        &self,
        message: Message,
        context: &ContestContext,
    ) -> Option<Arc<Lease>> {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let (message, ack) = AckHandle::split(message);
        let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
        let id = id.map(|id| id.as_str().to_owned()).unwrap_or_default();
        let job = decode::<Job>(&message.payload).and_then(|job| {
            context.manifest.validate_job(&job)?;
            if id_of(&job) == id { Ok(job) } else { Err("it does not match its id".to_owned()) }
        });
        let job = match job {
            Ok(job) => job,
            Err(reason) => {
                (self.worker.report)(&format!("a job is refused: {}", shown(&reason)));
                ack.acknowledge(AckKind::Term).await;
                return None;
            }
        };
        let delivery = u32::try_from(deliveries).unwrap_or(u32::MAX);
        let lease = self.sender.shared.leases.add(Claim { job: id, delivery }, job, ack);
        if deliveries >= MAX_DELIVERIES {
            self.sender.conclude(lease, Some(Content::DeliveriesExhausted), AckKind::Ack);
            return None;
        }
        // The coordinator accepts results only of workers that have reported the lease.
        self.sender.send_heartbeat(&context.contest, false).await;
        Some(lease)
    }

    /// Runs the trial of a bot on the core of an idle lane.
    fn try_bot(&self, lease: Arc<Lease>, core: usize, context: Arc<ContestContext>) {
        let (sender, broken) = (self.sender.clone(), Arc::clone(&self.broken));
        tokio::spawn(async move {
            match context.bot(lease.job.bots[0], &sender.broker).await {
                Ok(entrant) => {
                    let content = run_trial(entrant, core, &context).await.map(Content::Trial);
                    let kind = if content.is_none() {
                        AckKind::Nak(Some(REDELIVERY_DELAY))
                    } else {
                        AckKind::Ack
                    };
                    sender.conclude(lease, content, kind);
                }
                Err(PlayError::Unfit(unfit)) => {
                    let (fault, reason) = (unfit.fault.as_forfeit(), unfit.fault.to_string());
                    let content = Content::Trial(TrialOutcome::Unfit { fault, reason });
                    sender.conclude(lease, Some(content), AckKind::Ack);
                }
                Err(error) => return_job(&sender, lease, error, &broken),
            }
        });
    }

    /// Builds the bots of a job and passes its games to a lane.
    fn play(
        &self,
        lease: Arc<Lease>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        context: Arc<ContestContext>,
    ) {
        let (sender, broken) = (self.sender.clone(), Arc::clone(&self.broken));
        tokio::spawn(async move {
            match context.batch(lease.number, &lease.job, &sender.broker).await {
                // Sending fails only if the worker is exiting, and then the job is redelivered.
                Ok(batch) => drop(reply.send(Some(batch))),
                Err(error) => {
                    // The trial passed on another worker, so this machine is the cause.
                    let error = match error {
                        PlayError::Unfit(unfit) => {
                            PlayError::Broken(format!("{unfit}; on another worker it can"))
                        }
                        error => error,
                    };
                    return_job(&sender, lease, error, &broken);
                    let _ = sender.events.send(LaneEvent::Claim { lane, reply });
                }
            }
        });
    }

    /// Handles an event of a lane or a task.
    pub(super) fn handle_event(&mut self, event: LaneEvent) {
        match event {
            LaneEvent::Released => {}
            LaneEvent::Claim { lane, reply } => self.idle_lanes.push_back((lane, reply)),
            LaneEvent::Pairs { lease, pairs, permit } => {
                let to_wire = |games: Vec<Played>| {
                    games.into_iter().map(|game| to_wire_game(&lease.job, game)).collect()
                };
                let content = Content::Pairs(pairs.into_iter().map(to_wire).collect());
                let sending = self.sender.send(&lease, content);
                lease.track_send(tokio::spawn(async move {
                    let _ = sending.await;
                    drop(permit);
                }));
            }
            LaneEvent::Finished { lease, complete } => {
                let last = (!complete && !lease.is_lost()).then_some(Content::Returned);
                self.sender.conclude(lease, last, AckKind::Ack);
            }
        }
    }
}

async fn run_trial(
    entrant: Entrant,
    core: usize,
    context: &ContestContext,
) -> Option<TrialOutcome> {
    let manifest = &context.manifest;
    let (game, limits, seed) = (Arc::clone(&context.game), manifest.limits.clone(), manifest.seed);
    // A new thread, because it is pinned to the core and must outlive the bot that it starts.
    let on_core = move || {
        let trial = std::thread::spawn(move || {
            move_to(&[core]);
            runner::trial(&entrant, &game, &limits, seed)
        });
        trial.join().ok()
    };
    tokio::task::spawn_blocking(on_core).await.ok()?.map(trial_outcome)
}

/// Returns a job that cannot be played here: at once if this machine is broken, otherwise after a
/// delay.
pub(super) fn return_job(
    sender: &ResultSender,
    lease: Arc<Lease>,
    error: PlayError,
    broken: &BrokenReason,
) {
    let (reason, is_broken) = match error {
        PlayError::Unfit(unfit) => (unfit.to_string(), false),
        PlayError::Unavailable(reason) => (reason, false),
        PlayError::Broken(reason) => {
            broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason.clone());
            sender.shared.draining.store(true, Ordering::SeqCst);
            (reason, true)
        }
    };
    if is_broken {
        return sender.conclude(lease, Some(Content::Failed { reason }), AckKind::Nak(None));
    }
    // Returned instead of redelivered, because a redelivery would count as a dead worker. The delay
    // keeps this worker from fetching the job again at once.
    lease.track_send(sender.send(&lease, Content::Failed { reason }));
    let sender = sender.clone();
    tokio::spawn(async move {
        tokio::time::sleep(REDELIVERY_DELAY).await;
        sender.conclude(lease, Some(Content::Returned), AckKind::Ack);
    });
}
