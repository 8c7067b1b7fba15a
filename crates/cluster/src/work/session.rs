//! Worker session: communication with the coordinator, the server and the worker's own lanes.

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
use super::context::{MOST_CARD, Stand};
use super::lane::FromLane;
use super::practice::Practice;
use super::result_sender::Answers;
use crate::wire::{
    About, Answer, BELL, Broadcast, HELLO, Hello, READY, Ready, RunManifest, WORD, decode,
    decode_short, encode,
};
use crate::{ClusterError, card_name};

/// Interval at which the server is asked for jobs without a notification: jobs of a dead worker
/// come back without one.
const LOOK: Duration = Duration::from_secs(1);

/// Interval of heartbeats.
const PULSES: Duration = Duration::from_secs(2);

/// Time limit for an answer.
const ANSWER: Duration = Duration::from_secs(3);

/// Pause after a tournament could not be read.
const AGAIN: Duration = Duration::from_secs(1);

/// Time that a worker, once asked to stop, waits for an unreachable server.
const AWAY: Duration = Duration::from_secs(20);

pub(super) const NOT_BARE: &str = "this tournament would run handed-in bots here without a sandbox, with your \
     rights: `pitmaster doctor` says what a sandbox needs; start the worker with --bare only if you \
     trust every bot and everybody who can log in to the server";

/// State of a worker's session.
pub(super) struct Session<'a> {
    pub(super) worker: &'a Worker<'a>,
    pub(super) answers: Answers,
    pub(super) about: About,
    pub(super) layout: Layout,
    pub(super) lanes: UnboundedReceiver<FromLane>,
    pub(super) waiting: VecDeque<(usize, mpsc::Sender<Option<Batch>>)>,
    pub(super) broken: Broken,
    /// The coordinator that answered last.
    pub(super) coordinator: String,
    /// Whether the coordinator has admitted this worker.
    pub(super) is_let_in: bool,
    /// Jobs of a practice server.
    pub(super) practice: Practice,
}

/// Reason why this machine is broken, if it is.
pub(super) type Broken = Arc<Mutex<Option<String>>>;

/// End of the games of a contest for a worker.
enum End {
    /// The contest is over, or another one has begun.
    Over,
    /// The worker is to end.
    Drained,
}

/// Subscriptions besides lanes.
struct Ears {
    words: Subscriber,
    bell: Subscriber,
    told_to_end: tokio::sync::watch::Receiver<bool>,
}

impl Session<'_> {
    /// Works until it is asked to stop.
    pub(super) async fn run(mut self) -> Result<(), ClusterError> {
        let done = self.work().await;
        // Lanes that still play stop after the current pair, and nobody waits for the server.
        self.answers.shared.draining.store(true, Ordering::SeqCst);
        self.answers.shared.close();
        // Lanes that wait end with it.
        self.lanes.close();
        self.waiting.clear();
        while self.lanes.recv().await.is_some() {}
        let _ = tokio::time::timeout(ANSWER, self.answers.pulse("", true)).await;
        let _ = tokio::time::timeout(ANSWER, self.answers.post.client.flush()).await;
        done
    }

    async fn work(&mut self) -> Result<(), ClusterError> {
        let mut ears = self.read_line().await?;
        loop {
            let Some(contest) = self.greet(&mut ears).await? else { return Ok(()) };
            let stand = tokio::select! {
                stand = self.stand(contest) => stand,
                _ = ears.told_to_end.changed() => return Ok(()),
            };
            let stand = match stand {
                // The contest was over when its manifest was requested, or the server is
                // unreachable.
                Err(ClusterError::Server(why)) => {
                    (self.worker.say)(&format!("{why}; it is tried again"));
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
                stand => Arc::new(stand?),
            };
            self.introduce(&stand).await?;
            let end = self.serve(&stand, &mut ears).await?;
            if let Some(why) = self.broken_by() {
                return Err(ClusterError::Broken(why));
            }
            match end {
                End::Drained => return Ok(()),
                End::Over if self.worker.once => return Ok(()),
                End::Over => (self.worker.say)("the tournament is over; waiting for another one"),
            }
        }
    }

    fn broken_by(&self) -> Option<String> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn read_line(&self) -> Result<Ears, ClusterError> {
        let subscribe = |subject: &'static str| self.answers.post.client.subscribe(subject);
        let server = |error: async_nats::SubscribeError| ClusterError::Server(error.to_string());
        let words = subscribe(WORD).await.map_err(server)?;
        let bell = subscribe(BELL).await.map_err(server)?;
        Ok(Ears { words, bell, told_to_end: told_to_end(self.worker.tied) })
    }

    /// Says hello until a coordinator answers; its contest. `None`: told to end.
    async fn greet(&mut self, ears: &mut Ears) -> Result<Option<String>, ClusterError> {
        let hello = Hello::new(self.about.clone());
        let mut said = false;
        loop {
            if *ears.told_to_end.borrow() {
                return Ok(None);
            }
            match self.ask(HELLO, encode(&hello)).await {
                Some(Answer::Welcome { contest, coordinator }) => {
                    self.coordinator = coordinator;
                    return Ok(Some(contest));
                }
                Some(Answer::Refused { why }) => return Err(refused(&why)),
                Some(Answer::Go) | None => {}
            }
            if !std::mem::replace(&mut said, true) {
                (self.worker.say)("waiting for a tournament");
            }
            tokio::select! {
                _ = ears.told_to_end.changed() => {}
                _ = ears.words.next() => {}
                () = tokio::time::sleep(ANSWER) => {}
            }
        }
    }

    async fn ask(&self, subject: &'static str, question: Vec<u8>) -> Option<Answer> {
        let asked = self.answers.post.client.request(subject, question.into());
        let answer = tokio::time::timeout(ANSWER, asked).await.ok()?.ok()?;
        decode_short(&answer.payload).ok()
    }

    /// Reads the card of a contest and gets ready for it.
    async fn stand(&self, contest: String) -> Result<Stand, ClusterError> {
        let bytes = self.answers.post.get(&card_name(&contest), MOST_CARD).await;
        let bytes = bytes.map_err(|trouble| ClusterError::Server(trouble.to_string()))?;
        let unreadable =
            |why: String| refused(&format!("the tournament's card is unreadable: {why}"));
        let card: RunManifest = decode(&bytes).map_err(unreadable)?;
        if card.contest() != contest {
            return Err(unreadable("it is not what its name says".into()));
        }
        let game = Stand::game_of(&card).map_err(unreadable)?;
        let require = Stand::requirements_of(&card).map_err(unreadable)?;
        let sandbox = (self.worker.sandbox)(card.tier, &require, &card.limits.resources)?;
        let is_bare = sandbox.isolation().tier == Tier::Bare;
        if is_bare && !self.worker.bare && (card.practice || Stand::has_handed_in(&card)) {
            return Err(ClusterError::Missing(NOT_BARE.into()));
        }
        Ok(Stand::new(contest, card, game, &sandbox, self.worker, &self.about.instance))
    }

    /// Reports what this worker can do for a contest.
    async fn introduce(&mut self, stand: &Stand) -> Result<(), ClusterError> {
        let ready = Ready {
            contest: stand.contest.clone(),
            coordinator: self.coordinator.clone(),
            sequence: self.answers.next_number(),
            worker: self.about.clone(),
            missing: stand.missing.clone(),
            isolation: stand.options.sandbox.isolation().clone(),
        };
        let sealed = self.answers.identity.seal(READY, &encode(&ready));
        match self.ask(READY, sealed).await {
            Some(Answer::Refused { why }) => return Err(refused(&why)),
            Some(Answer::Go) => self.is_let_in = true,
            // A coordinator that is away just now will ask who is there.
            Some(Answer::Welcome { .. }) | None => {
                self.is_let_in = false;
                return Ok(());
            }
        }
        let lacks = match stand.missing.as_slice() {
            [] => String::new(),
            missing => {
                format!(
                    "; without {}: bots that need it play elsewhere",
                    shown(&missing.join(", "))
                )
            }
        };
        let bots = stand.card.bots.len();
        let what = if stand.card.practice {
            "a practice server".to_owned()
        } else {
            format!("a tournament of {bots} bots")
        };
        (self.worker.say)(&format!("playing for {what}{lacks}"));
        Ok(())
    }

    /// Plays for a contest until it is over.
    async fn serve(&mut self, stand: &Arc<Stand>, ears: &mut Ears) -> Result<End, ClusterError> {
        self.answers.shared.halt(None);
        let beats = self.keep_alive(stand);
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut over = false;
        let mut away = None;
        let end = loop {
            if *ears.told_to_end.borrow() && self.is_cut_off(&mut away) {
                (self.worker.say)("the server is away: what it has not got is played by others");
                break End::Drained;
            }
            if self.is_at_rest() {
                if *ears.told_to_end.borrow() || self.broken_by().is_some() {
                    break End::Drained;
                }
                if over {
                    break End::Over;
                }
            }
            tokio::select! {
                heard = self.lanes.recv() => match heard {
                    Some(heard) => self.hear(heard),
                    None => break End::Drained,
                },
                word = ears.words.next() => {
                    if let Some(Ok(word)) = word.map(|word| decode_short::<Broadcast>(&word.payload))
                        && self.heed(word, stand).await?
                    {
                        over = true;
                        // Nobody waits for what is still held, and the server may be gone.
                        self.answers.shared.holding.lose_all();
                    }
                }
                _ = ears.told_to_end.changed() => self.drain(),
                _ = ears.bell.next() => {}
                _ = look.tick() => {}
            }
            while self.takes_more(over, stand) && self.take_one(stand).await {}
            if self.takes_builds(over, stand) {
                self.take_build(stand).await;
            }
        };
        beats.abort();
        Ok(end)
    }

    /// Whether results cannot be sent: for long, none that was sent has arrived.
    fn is_cut_off(&self, away: &mut Option<Instant>) -> bool {
        let is_stuck = self.answers.shared.take_is_stuck();
        *away = away.filter(|_| is_stuck).or_else(|| is_stuck.then(Instant::now));
        away.is_some_and(|since| since.elapsed() > AWAY)
    }

    /// Whether every lane waits and nothing is on its way.
    fn is_at_rest(&self) -> bool {
        self.answers.shared.holding.is_empty()
    }

    fn takes_more(&self, over: bool, stand: &Stand) -> bool {
        self.takes_any(over, stand) && !self.waiting.is_empty()
    }

    fn takes_builds(&self, over: bool, stand: &Stand) -> bool {
        !stand.builds.is_empty() && !self.practice.is_building() && self.takes_any(over, stand)
    }

    /// Whether further jobs are taken at all.
    fn takes_any(&self, over: bool, stand: &Stand) -> bool {
        let shared = &self.answers.shared;
        let stops = shared.draining.load(Ordering::SeqCst) || shared.is_halted(&stand.contest);
        self.is_let_in && !over && !stops && self.broken_by().is_none()
    }

    fn drain(&self) {
        // A check takes minutes, and another worker can do it.
        self.practice.stop_all();
        if !self.answers.shared.draining.swap(true, Ordering::SeqCst) {
            (self.worker.say)(
                "told to end: the running pairs are played out, again to stop at once",
            );
        }
    }

    /// Handles a broadcast of the coordinator; returns whether the contest is over.
    async fn heed(&mut self, word: Broadcast, stand: &Stand) -> Result<bool, ClusterError> {
        match word {
            Broadcast::Who => self.meet_again(stand).await,
            Broadcast::Halt(contest) => {
                self.answers.shared.halt(Some(contest));
                Ok(false)
            }
            Broadcast::Over(contest) => {
                let is_over = contest == stand.contest;
                if is_over {
                    self.practice.stop_all();
                }
                Ok(is_over)
            }
            Broadcast::Forget(job) => {
                self.practice.stop(&job);
                Ok(false)
            }
        }
    }

    /// A coordinator that has begun anew: with the same contest the work goes on.
    async fn meet_again(&mut self, stand: &Stand) -> Result<bool, ClusterError> {
        let hello = Hello::new(self.about.clone());
        match self.ask(HELLO, encode(&hello)).await {
            Some(Answer::Welcome { contest, coordinator }) if contest == stand.contest => {
                self.coordinator = coordinator;
                self.answers.shared.halt(None);
                self.introduce(stand).await.map(|()| false)
            }
            Some(Answer::Welcome { .. }) => Ok(true),
            Some(Answer::Refused { why }) => Err(refused(&why)),
            Some(Answer::Go) | None => Ok(false),
        }
    }

    /// Extends the leases of held jobs and reports that this worker is alive, in a task of its own.
    fn keep_alive(&self, stand: &Arc<Stand>) -> JoinHandle<()> {
        let answers = self.answers.clone();
        let patience = Duration::from_secs(stand.card.patience_s);
        let contest = stand.contest.clone();
        let card = stand.card.clone();
        tokio::spawn(async move {
            let mut last = Instant::now();
            let mut pulses = tokio::time::interval(PULSES.min(patience / 4));
            pulses.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                pulses.tick().await;
                let shared = &answers.shared;
                if shared.alive.stopped_since(last).is_some_and(|gap| gap >= patience) {
                    shared.holding.lose_all();
                }
                last = Instant::now();
                shared.holding.beat(|job| longest(job.card(&card), patience)).await;
                answers.pulse(&contest, false).await;
            }
        })
    }
}

/// Time without a sign of a lane after which its game is no game any more: longer than any takes.
fn longest(card: &RunManifest, patience: Duration) -> Duration {
    worst_duration(1, &card.limits, 1).saturating_add(patience.saturating_mul(4))
}

/// Error for a refusal; the text is the coordinator's.
fn refused(why: &str) -> ClusterError {
    ClusterError::Refused(shown(why))
}

pub(super) fn shown(text: &str) -> String {
    Untrusted::new(text).shown(400)
}

/// Becomes true when the worker is to end: by a signal, or by the end of standard input where it
/// is tied to that. A second signal ends it at once.
fn told_to_end(tied: bool) -> watch::Receiver<bool> {
    let (tell, told) = watch::channel(false);
    let by_signal = tell.clone();
    tokio::spawn(async move {
        runner::interrupted().await;
        let _ = by_signal.send(true);
        runner::interrupted().await;
        std::process::exit(runner::INTERRUPTED);
    });
    if tied {
        let read = || std::io::stdin().lock().read_to_end(&mut Vec::new());
        // Not a thread of the runtime, which would wait for it in the end.
        std::thread::spawn(move || {
            let _ = read();
            let _ = tell.send(true);
        });
    }
    told
}
