//! Jobs of a worker: taken from the server, built and tried or given to a lane, and acknowledged.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, mpsc};
use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use pitmaster_runner::{self as runner, Batch, Entrant, Played, move_to};

use super::context::{Cannot, Stand};
use super::lane::FromLane;
use super::lease::Held;
use super::result_sender::{Answers, tried_of, wire_game};
use super::session::{Broken, Session, shown};
use crate::broker::{DELIVERIES, Receipt};
use crate::wire::{Claim, Job, PracticeTask, Tried, What, decode, id_of};

/// Time for which a job that cannot be played here now is left to others.
const LATER: Duration = Duration::from_secs(5);

impl Session<'_> {
    /// Gives a lane that waits the next job; whether there was one.
    pub(super) async fn take_one(&mut self, stand: &Arc<Stand>) -> bool {
        let fetched = stand.fetch(&stand.classes, &self.answers.post).await;
        let Some(message) = fetched else { return false };
        let Some((lane, reply)) = self.waiting.pop_front() else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return false;
        };
        let Some(held) = self.open(message, stand).await else {
            self.waiting.push_front((lane, reply));
            return true;
        };
        match self.stand_for(&held.job, stand) {
            Ok(stand) => self.begin(held, lane, reply, stand),
            Err(cannot) => {
                self.waiting.push_front((lane, reply));
                hand_back(&self.answers, held, cannot, &self.broken);
            }
        }
        true
    }

    /// Begins a job that was taken for a lane that waits.
    fn begin(
        &mut self,
        held: Arc<Held>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        stand: Arc<Stand>,
    ) {
        if self.lacks(&held, &stand) {
            return self.waiting.push_front((lane, reply));
        }
        match Self::task_of(&held.job) {
            Some(PracticeTask::Check) => self.check(held, lane, reply, stand),
            Some(PracticeTask::Build) => {
                self.waiting.push_front((lane, reply));
                self.build(held, stand);
            }
            None if held.job.games.is_empty() => {
                let core = self.layout.lanes.get(lane).copied().unwrap_or(0);
                self.waiting.push_back((lane, reply));
                self.try_bot(held, core, stand);
            }
            Some(PracticeTask::Play) | None => self.play(held, lane, reply, stand),
        }
    }

    /// Looks at a job; one that nobody can play is answered for at once.
    pub(super) async fn open(&self, message: Message, stand: &Stand) -> Option<Arc<Held>> {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let (message, receipt) = Receipt::split(message);
        let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
        let id = id.map(|id| id.as_str().to_owned()).unwrap_or_default();
        let job = decode::<Job>(&message.payload).and_then(|job| {
            stand.card.judge(&job)?;
            if id_of(&job) == id { Ok(job) } else { Err("it is not what its id says".to_owned()) }
        });
        let job = match job {
            Ok(job) => job,
            Err(why) => {
                (self.worker.say)(&format!("a job is refused: {}", shown(&why)));
                receipt.answer(AckKind::Term).await;
                return None;
            }
        };
        let delivery = u32::try_from(deliveries).unwrap_or(u32::MAX);
        let held = self.answers.shared.holding.take(Claim { job: id, delivery }, job, receipt);
        if deliveries >= DELIVERIES {
            self.answers.conclude(held, Some(What::GivenUp), AckKind::Ack);
            return None;
        }
        // Before anything comes of it: results count only of those who are known to hold the job.
        self.answers.pulse(&stand.contest, false).await;
        Some(held)
    }

    /// Tries a bot on the core of a lane that waits.
    fn try_bot(&self, held: Arc<Held>, core: usize, stand: Arc<Stand>) {
        let (answers, broken) = (self.answers.clone(), Arc::clone(&self.broken));
        tokio::spawn(async move {
            match stand.bot(held.job.bots[0], &answers.post).await {
                Ok(entrant) => {
                    let what = trial_of(entrant, core, &stand).await.map(What::Tried);
                    let failed = what.is_none();
                    let kind = if failed { AckKind::Nak(Some(LATER)) } else { AckKind::Ack };
                    answers.conclude(held, what, kind);
                }
                Err(Cannot::Unfit(unfit)) => {
                    let (fault, why) = (unfit.fault.as_forfeit(), unfit.fault.to_string());
                    let what = What::Tried(Tried::Unfit { fault, why });
                    answers.conclude(held, Some(what), AckKind::Ack);
                }
                Err(cannot) => hand_back(&answers, held, cannot, &broken),
            }
        });
    }

    /// Lets a lane play a job as soon as its bots are built.
    fn play(
        &self,
        held: Arc<Held>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        stand: Arc<Stand>,
    ) {
        let (answers, broken) = (self.answers.clone(), Arc::clone(&self.broken));
        tokio::spawn(async move {
            match stand.batch(held.number, &held.job, &answers.post).await {
                // A lane ends only with the worker; what it held goes to others.
                Ok(batch) => drop(reply.send(Some(batch))),
                Err(cannot) => {
                    // Somebody has built and tried it: it is this machine that cannot.
                    let cannot = match cannot {
                        Cannot::Unfit(unfit) => {
                            Cannot::Broken(format!("{unfit}, and elsewhere it can"))
                        }
                        cannot => cannot,
                    };
                    hand_back(&answers, held, cannot, &broken);
                    let _ = answers.wake.send(FromLane::Claim { lane, reply });
                }
            }
        });
    }

    /// Hears a lane.
    pub(super) fn hear(&mut self, heard: FromLane) {
        match heard {
            FromLane::Free => {}
            FromLane::Claim { lane, reply } => self.waiting.push_back((lane, reply)),
            FromLane::Pairs { held, pairs, permit } => {
                let wire = |games: Vec<Played>| {
                    games.into_iter().map(|game| wire_game(&held.job, game)).collect()
                };
                let what = What::Pairs(pairs.into_iter().map(wire).collect());
                let sent = self.answers.send(&held, what);
                held.sends(tokio::spawn(async move {
                    let _ = sent.await;
                    drop(permit);
                }));
            }
            FromLane::Left { held, whole } => {
                let back = (!whole && !held.is_lost()).then_some(What::Back);
                self.answers.conclude(held, back, AckKind::Ack);
            }
        }
    }
}

async fn trial_of(entrant: Entrant, core: usize, stand: &Stand) -> Option<Tried> {
    let card = &stand.card;
    let (game, limits, seed) = (Arc::clone(&stand.game), card.limits.clone(), card.seed);
    // A thread of its own, on that core, that outlives the bot it starts.
    let on_core = move || {
        let trial = std::thread::spawn(move || {
            move_to(&[core]);
            runner::trial(&entrant, &game, &limits, seed)
        });
        trial.join().ok()
    };
    tokio::task::spawn_blocking(on_core).await.ok()?.map(tried_of)
}

/// Gives a job to others that cannot be played here: in a while, if that may pass; at once, if
/// this machine is of no use any more.
pub(super) fn hand_back(answers: &Answers, held: Arc<Held>, cannot: Cannot, broken: &Broken) {
    let (why, is_broken) = match cannot {
        Cannot::Unfit(unfit) => (unfit.to_string(), false),
        Cannot::Away(why) => (why, false),
        Cannot::Broken(why) => {
            broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why.clone());
            answers.shared.draining.store(true, Ordering::SeqCst);
            (why, true)
        }
    };
    if is_broken {
        return answers.conclude(held, Some(What::Unable { why }), AckKind::Nak(None));
    }
    // No worker has died with this job: it is returned as a whole, and not delivered to this
    // worker again at once.
    held.sends(answers.send(&held, What::Unable { why }));
    let answers = answers.clone();
    tokio::spawn(async move {
        tokio::time::sleep(LATER).await;
        answers.conclude(held, Some(What::Back), AckKind::Ack);
    });
}
