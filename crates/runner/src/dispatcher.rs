//! Dispatcher: the only holder of a run's state. It hands games to lanes and receives their
//! results.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use pitmaster_core::{BySide, Ending, Fault, GameId, Record, RefereeFault, Score, Side};
use pitmaster_store::{Attempt, AttemptState, StoreError, host_name};
use pitmaster_tournament::KeptDecision;

use super::entrant::Entrant;
use super::events::{Event, Finish};
use super::lane::Executor;
use super::mailbox::{GATHER, Mailbox, Message, Sender, mailbox};
use super::queue::{
    Batch, Claimant, LocalQueue, Machine, Place, Played, RunProgress, ScheduledGame, Table, Told,
};
use super::run::Run;
use super::schedule::{Claim, Known, SUSPEND_AFTER, Schedule, Settled, Size, Verdict};
use super::signals::{listen_for_interrupts, wait_until};

/// Number of consecutive void games that stop the run. If one bot took part in all of them, only
/// its games stop.
const VOIDS: u32 = 3;

/// Maximum number of pairs in a lane's batch.
const BATCH: u64 = 16;

/// Maximum number of pairs in a batch for another machine.
const FAR_BATCH: u64 = 256;

/// Target duration of a batch: long enough to be worth its transfer, short enough to be replayed.
const BATCH_DURATION: Duration = Duration::from_secs(20);

/// Void reason of a game in which a bot was late because no core was free.
pub const STARVED: &str = "starved: a bot was late because the machine was busy";

impl Run<'_> {
    /// Plays the pending games. Returns when all claimants have stopped.
    ///
    /// # Errors
    /// An error of the store. Every game that an event has reported is stored.
    pub fn play(mut self, watch: &mut dyn FnMut(&Event<'_>)) -> Result<Finish, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Folder {
            folder: self.store.folder().to_owned(),
            error: format!("the runtime cannot be started: {error}"),
        })?;
        let known = self.known()?;
        let (sender, mailbox_rx) = mailbox();
        let isolation = self.store.put_isolation(self.isolation)?;
        let crew = std::mem::replace(&mut self.crew, Box::new(NoExecutor));
        let mut owner = Dispatcher::new(self, known, isolation);
        let threads = owner.engage(crew, &sender);
        let finish = runtime.block_on(owner.serve(mailbox_rx, &sender, watch));
        for thread in threads {
            // A panicked thread has dropped its queue, and its games stay pending.
            let _ = thread.join();
        }
        finish
    }
}

/// Placeholder for the executor of a run that has begun.
#[derive(Debug)]
struct NoExecutor;

impl Executor for NoExecutor {
    fn lanes(&self) -> usize {
        0
    }

    fn begin(self: Box<Self>, _: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>> {
        Vec::new()
    }
}

/// State of a run.
struct Dispatcher<'a> {
    run: Run<'a>,
    ledger: Schedule,
    /// This machine.
    here: Machine,
    /// Progress of the run.
    course: Arc<RunProgress>,
    claims: Claims,
    /// Number of games played at once, as known at the start.
    lanes: usize,
    /// Mean duration of recent games.
    pace: Option<Duration>,
    /// Number of games submitted to the store and not acknowledged.
    storing: usize,
    /// Number of stored decisions of the format.
    decisions: usize,
    /// Number of pairs in the last report of a sequential test.
    told: u64,
    voids: Voids,
    invalidate: Vec<bool>,
    /// Reason why no more games begin.
    stop: Option<Finish>,
    failed: Option<StoreError>,
}

/// Claimants and their batches.
struct Claims {
    table: Arc<Table>,
    /// All claimants, with their numbers of lanes.
    claimants: HashMap<usize, usize>,
    /// Claimants that wait for a batch.
    idle: Vec<(Claimant, mpsc::Sender<Option<Batch>>)>,
    /// Number of batches handed out.
    batches: u64,
}

/// Consecutive void games.
struct Voids {
    in_a_row: u32,
    by_bot: Vec<u32>,
}

impl Claims {
    fn pack(&mut self, tasks: Vec<ScheduledGame>) -> Batch {
        self.batches += 1;
        Batch { number: self.batches, table: Arc::clone(&self.table), tasks }
    }
}

impl<'a> Dispatcher<'a> {
    fn new(run: Run<'a>, known: Box<dyn Known>, isolation: u32) -> Self {
        let tournament = run.tournament;
        let bots: Vec<_> = run.entrants.iter().map(Entrant::planned).collect();
        let absent = run.entrants.iter().map(|entrant| entrant.absent.is_some()).collect();
        let format = tournament.start_format(&bots, &run.kept);
        let mut ledger = Schedule::new(format, tournament.game_keys(bots), known, absent);
        let table = Arc::new(Table {
            game: tournament.game.clone(),
            seed: tournament.seed,
            entrants: run.entrants.clone(),
            stopping: run.stopping,
        });
        let count = run.entrants.len();
        let mut invalidate = vec![false; count];
        for &bot in &run.left_open {
            ledger.invalidate(bot);
            invalidate[bot] = true;
        }
        Self {
            ledger,
            here: Machine { name: host_name(), isolation: Some(isolation) },
            course: Arc::default(),
            claims: Claims { table, claimants: HashMap::new(), idle: Vec::new(), batches: 0 },
            lanes: 0,
            pace: None,
            storing: 0,
            decisions: run.kept.len(),
            told: 0,
            voids: Voids { in_a_row: 0, by_bot: vec![0; count] },
            invalidate,
            stop: None,
            failed: None,
            run,
        }
    }

    /// Starts an executor, with one queue per thread.
    fn engage(&mut self, crew: Box<dyn Executor + '_>, sender: &Sender) -> Vec<JoinHandle<()>> {
        self.lanes = crew.lanes();
        let far = crew.is_far();
        crew.begin(&mut || {
            let id = self.claims.claimants.len();
            self.claims.claimants.insert(id, 1);
            LocalQueue::new(id, far, sender.clone(), Arc::clone(&self.course))
        })
    }

    async fn serve(
        &mut self,
        mut mailbox_rx: Mailbox,
        sender: &Sender,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Finish, StoreError> {
        let signals = tokio::spawn(listen_for_interrupts(sender.saying(|| Message::Interrupt)));
        let stopper = self.run.stopper.clone();
        let stopper = tokio::spawn(stopper.wait(sender.saying(|| Message::Interrupt)));
        let timer = tokio::spawn(wait_until(self.run.until, sender.saying(|| Message::TimeOver)));
        let games = self.games();
        let (known, lanes, isolation) = (self.ledger.known(), self.lanes, self.run.isolation);
        watch(&Event::Started { games, known, lanes, isolation });
        self.course.games.store(games, Ordering::Relaxed);
        self.course.done.store(known, Ordering::Relaxed);
        while self.is_busy() {
            let messages = mailbox_rx.take(self.gather()).await;
            if messages.is_empty() {
                break;
            }
            for message in messages {
                self.handle(message, sender, watch);
            }
            self.settle(watch);
            self.dispatch();
            // Withheld games settle at once, which can withhold more games, and settled games can
            // decide the next pairings.
            while self.settle(watch) {
                self.dispatch();
            }
            self.report_test(watch);
        }
        signals.abort();
        stopper.abort();
        timer.abort();
        self.finish()
    }

    /// Time for which games may be gathered. Zero if a claimant waits for their consequences.
    fn gather(&self) -> Duration {
        let is_waited_for = !self.claims.idle.is_empty() || self.claims.claimants.is_empty();
        if is_waited_for { Duration::ZERO } else { GATHER }
    }

    fn is_busy(&self) -> bool {
        self.storing > 0 || !self.claims.claimants.is_empty()
    }

    fn finish(&mut self) -> Result<Finish, StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let left_open: Vec<_> = (0..self.run.entrants.len())
            .filter(|&bot| self.invalidate[bot])
            .map(|bot| self.run.entrants[bot].id.name.clone())
            .collect();
        let complete = self.ledger.is_complete();
        Ok(match self.stop.take() {
            Some(finish @ (Finish::RefereeFailed(_) | Finish::Interrupted)) => finish,
            Some(finish) if !complete => finish,
            _ if left_open.is_empty() => Finish::Complete,
            _ => Finish::Incomplete(left_open),
        })
    }

    fn handle(&mut self, message: Message, sender: &Sender, watch: &mut dyn FnMut(&Event<'_>)) {
        match message {
            Message::Claim(claimant, reply) => {
                self.claims.claimants.insert(claimant.id, claimant.lanes);
                self.claims.idle.push((claimant, reply));
            }
            Message::Left(id) => drop(self.claims.claimants.remove(&id)),
            Message::Played(played, told) => self.submit(played, told, sender),
            Message::Note(text) => watch(&Event::Note { text: &text }),
            Message::Stored(played, done) => {
                self.storing -= 1;
                self.course.note_stored(played.len());
                match done {
                    Ok(()) => played.into_iter().for_each(|played| self.stored(played, watch)),
                    Err(error) => {
                        watch(&Event::Stopping { why: "the store cannot take more" });
                        self.fail(error);
                    }
                }
            }
            Message::Interrupt => {
                watch(&Event::Stopping {
                    why: "interrupted: the running games are played out, again to stop at once",
                });
                self.halt(Finish::Interrupted);
            }
            Message::TimeOver => {
                let why = if self.ledger.close_after_cycle() {
                    "the time given is over: the cycle of pairs is played out"
                } else {
                    "the time given is over: what has begun is played out"
                };
                watch(&Event::Stopping { why });
                self.stop.get_or_insert(Finish::TimeOver);
            }
        }
    }

    fn halt(&mut self, finish: Finish) {
        self.course.halt.store(true, Ordering::Relaxed);
        self.stop = Some(finish);
    }

    fn fail(&mut self, error: StoreError) {
        self.course.halt.store(true, Ordering::Relaxed);
        self.failed.get_or_insert(error);
    }

    /// Submits games to the store. They are reported once they are stored.
    fn submit(&mut self, mut played: Vec<Played>, told: Told, sender: &Sender) {
        self.void_starved(&mut played);
        let attempts = played.iter().map(|played| self.attempt(played)).collect();
        self.storing += 1;
        let sender = sender.clone();
        self.run.store.submit_together(attempts, move |result| {
            if result.is_ok() {
                told();
            }
            // Sending fails only once the run has ended.
            sender.send(Message::Stored(played, result));
        });
    }

    /// Voids games in which a bot was late because no core was free, unless they have reached the
    /// maximum number of replays. Two games in one call are a pair from another machine and are
    /// voided together.
    fn void_starved(&self, played: &mut [Played]) {
        if !played.iter().any(|played| self.is_to_be_replayed(&played.record)) {
            return;
        }
        for played in played {
            played.void.get_or_insert_with(|| STARVED.to_owned());
        }
    }

    fn is_to_be_replayed(&self, record: &Record) -> bool {
        let most = self.run.tournament.starved_replays;
        record.ending.is_starved() && self.starved_before(&record.id()) < most
    }

    /// Number of times that a game was void because a bot was starved, including earlier runs.
    fn starved_before(&self, game: &GameId) -> u32 {
        let counted = self.run.store.reader().and_then(|reader| reader.starved(game));
        // An unreadable store returns an error at the next write.
        counted.unwrap_or(u32::MAX)
    }

    fn attempt(&self, played: &Played) -> Attempt {
        let Played { task, record, place, started_at, void, .. } = played;
        let since_1970 = started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let machine = place.machine.as_ref().unwrap_or(&self.here);
        let void = void.clone().map(|reason| AttemptState::Void { reason });
        Attempt {
            record: record.clone(),
            state: void.unwrap_or_else(|| AttemptState::of(record)),
            dialects: task.bots.map(|bot| self.run.entrants[bot].dialect),
            host: machine.name.clone(),
            lane: place.lane as u32,
            started_at: since_1970.as_millis() as u64,
            isolation: machine.isolation,
        }
    }

    fn stored(&mut self, played: Played, watch: &mut dyn FnMut(&Event<'_>)) {
        let Played { task, record, place, took, void, .. } = played;
        if let Ending::RefereeError { fault } = &record.ending {
            watch(&Event::Void { fault, place: &place });
            return self.count_void(task, fault.clone(), watch);
        }
        if void.is_some() {
            if record.ending.is_starved() {
                let of = self.run.tournament.starved_replays;
                let replay = self.starved_before(&record.id());
                watch(&Event::Starved { record: &record, place: &place, replay, of });
            }
            return self.ledger.play_again(task);
        }
        self.voids.in_a_row = 0;
        for &bot in task.bots.iter() {
            self.voids.by_bot[bot] = 0;
        }
        self.pace = Some(self.pace.map_or(took, |pace| (pace * 15 + took) / 16));
        self.course.done.fetch_add(1, Ordering::Relaxed);
        self.ledger.finished(task.number, Verdict::of(&record, task.bots));
        watch(&Event::Game { record: &record, place: Some(&place) });
    }

    fn count_void(
        &mut self,
        task: ScheduledGame,
        fault: RefereeFault,
        watch: &mut dyn FnMut(&Event<'_>),
    ) {
        if task.bots.iter().any(|&bot| self.invalidate[bot]) {
            // The game is already in the plan; only its state changes.
            return self.ledger.play_again(task);
        }
        self.voids.in_a_row += 1;
        if self.voids.in_a_row >= VOIDS {
            if !matches!(self.stop, Some(Finish::RefereeFailed(_))) {
                watch(&Event::Stopping { why: "the referee has failed three times in a row" });
                self.halt(Finish::RefereeFailed(fault));
            }
            return;
        }
        for &bot in task.bots.iter() {
            self.voids.by_bot[bot] += 1;
        }
        for side in Side::BOTH {
            let (bot, other) = (task.bots[side], task.bots[side.other()]);
            // If both bots are equally suspect, games against other bots decide.
            let voids = &self.voids.by_bot;
            let suspect = voids[bot] >= VOIDS && voids[bot] > voids[other];
            if suspect {
                self.invalidate[bot] = true;
                self.ledger.invalidate(bot);
                watch(&Event::SetAside { bot: &self.run.entrants[bot].id.name });
            }
        }
        self.ledger.play_again(task);
    }

    /// Settles available results in plan order. Returns whether there were any.
    fn settle(&mut self, watch: &mut dyn FnMut(&Event<'_>)) -> bool {
        let mut any = false;
        while let Some(settled) = self.ledger.settle() {
            any = true;
            if let Err(error) = self.do_settled(settled, watch) {
                self.fail(error);
                return false;
            }
        }
        any
    }

    fn do_settled(
        &mut self,
        settled: Settled,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), StoreError> {
        match settled {
            Settled::Stands | Settled::Open => {}
            Settled::Surplus { id, was_played } => {
                if was_played {
                    let reason = "played ahead of the end of the test".to_owned();
                    let surplus = AttemptState::Surplus { reason };
                    self.run.store.invalidate(vec![id.clone()], surplus)?;
                    watch(&Event::Superseded { id: &id });
                }
            }
            Settled::Suspended(bot) => {
                let bot = &self.run.entrants[bot].id.name;
                watch(&Event::Suspended { bot, after: SUSPEND_AFTER });
            }
            Settled::Unplayed { task, losers, was_played } => {
                let record = self.forfeit_unplayed(&task, losers, was_played, watch)?;
                self.ledger.on_unplayed(&record, task.bots);
            }
        }
        Ok(())
    }

    fn forfeit_unplayed(
        &mut self,
        task: &ScheduledGame,
        losers: BySide<bool>,
        was_played: bool,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Record, StoreError> {
        let id = task.key.id();
        if was_played {
            let reason = "played ahead of the suspension of a bot".to_owned();
            self.run.store.invalidate(vec![id.clone()], AttemptState::Surplus { reason })?;
            watch(&Event::Superseded { id: &id });
        } else {
            self.course.done.fetch_add(1, Ordering::Relaxed);
        }
        let ending = self.unplayed_ending(task, losers);
        let record = Record::unplayed(task.key.clone(), self.run.tournament.seed, ending);
        let played = Played {
            task: task.clone(),
            record,
            place: Place::default(),
            started_at: SystemTime::now(),
            took: Duration::ZERO,
            void: None,
        };
        self.run.store.commit(self.attempt(&played))?;
        watch(&Event::Game { record: &played.record, place: None });
        Ok(played.record)
    }

    fn unplayed_ending(&self, task: &ScheduledGame, losers: BySide<bool>) -> Ending {
        let fault = |side: Side| {
            let absent = self.run.entrants[task.bots[side]].absent.clone();
            absent.unwrap_or(Fault::Suspended)
        };
        match (losers.one, losers.two) {
            (true, true) => {
                Ending::BothForfeited { faults: BySide::new(fault(Side::One), fault(Side::Two)) }
            }
            (one, _) => {
                let by = if one { Side::One } else { Side::Two };
                Ending::Forfeit { by, fault: fault(by), score: Score::default() }
            }
        }
    }

    /// Gives work to waiting claimants, or ends them when no games are left.
    fn dispatch(&mut self) {
        for (claimant, reply) in std::mem::take(&mut self.claims.idle) {
            // A claimant that has gone meanwhile releases the queue itself.
            match self.claim(claimant) {
                Ok(Claim::Batch(tasks)) => drop(reply.send(Some(self.claims.pack(tasks)))),
                Ok(Claim::Wait) => self.claims.idle.push((claimant, reply)),
                Ok(Claim::Done) => drop(reply.send(None)),
                Err(error) => {
                    self.fail(error);
                    drop(reply.send(None));
                }
            }
        }
    }

    fn claim(&mut self, claimant: Claimant) -> Result<Claim, StoreError> {
        if self.course.halt.load(Ordering::Relaxed) {
            return Ok(Claim::Done);
        }
        let claim = self.ledger.claim(self.size(claimant))?;
        self.keep_decisions()?;
        Ok(claim)
    }

    /// Stores the format's decisions before any of their games is played.
    fn keep_decisions(&mut self) -> Result<(), StoreError> {
        for decision in self.ledger.decided() {
            self.decisions += 1;
            let kept = KeptDecision::new(&decision, self.ledger.bots());
            self.run.store.put_decision(self.decisions, &kept)?;
        }
        Ok(())
    }

    /// Reports a sequential test that has evaluated more pairs.
    fn report_test(&mut self, watch: &mut dyn FnMut(&Event<'_>)) {
        let Some(test) = self.ledger.test() else { return };
        if test.pairs() != self.told {
            self.told = test.pairs();
            watch(&Event::Test { test });
        }
    }

    /// Total number of games, as far as it is known.
    fn games(&self) -> u64 {
        self.ledger.expected().pairs.saturating_mul(2)
    }

    /// Size of a batch: large enough to reuse processes, small enough to balance the last games.
    fn size(&self, claimant: Claimant) -> Size {
        let lanes = self.claims.claimants.values().sum::<usize>().max(1) as u64;
        let share = self.ledger.pairs_left() / (4 * lanes);
        let most = if claimant.far { FAR_BATCH } else { BATCH };
        let pair = self.pace.map(|pace| pace.as_nanos().max(1) * 2);
        let worth = pair.map_or(1, |pair| BATCH_DURATION.as_nanos() / pair) as u64;
        // A process serves all games of a batch. With a time limit, all bots must have played about
        // equally often.
        let gather = self.run.until.is_none();
        Size { pairs: share.min(worth).clamp(1, most) as usize, gather }
    }
}
