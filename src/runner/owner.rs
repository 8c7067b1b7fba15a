//! The owner of a run: it alone holds the state, gives lanes their work and hears what
//! came of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::SystemTime;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::cores::{self, Layout};
use super::entrant::Entrant;
use super::events::{Event, Finish};
use super::lane::{FromLane, Played, Shared, run_lane};
use super::ledger::{Claim, Ledger, SUSPEND_AFTER, Settled, Task, Verdict};
use super::run::Run;
use super::signals::{listen_for_interrupts, wait_until};
use crate::record::{BySide, Ending, Fault, GameId, Record, RefereeFault, Score, Side};
use crate::store::{Attempt, AttemptState, StoreError, host_name};
use crate::tournament::KeptDecision;

/// So many void games in a row stop the run, or set the one bot aside that they have in
/// common.
const VOIDS: u32 = 3;

/// The most pairs that a lane is given at once.
const BATCH: u64 = 16;
/// What the owner hears.
enum Message {
    Lane(FromLane),
    Stored(Box<Played>, Result<(), StoreError>),
    Interrupt,
    TimeOver,
}
impl Run<'_> {
    /// Plays what is missing. Returns when every lane has come to rest.
    ///
    /// # Errors
    /// What is wrong with the store; what was told of in events is safe all the same.
    pub fn play(self, watch: &mut dyn FnMut(&Event<'_>)) -> Result<Finish, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Folder {
            folder: self.store.folder().to_owned(),
            error: format!("the runtime cannot be started: {error}"),
        })?;
        let known = self.known()?;
        let (tell, hear) = unbounded_channel();
        let isolation = self.store.put_isolation(self.isolation)?;
        let mut owner = Owner::new(self, known, isolation, &tell);
        runtime.block_on(owner.serve(hear, &tell, watch))
    }
}

/// The state of a run.
struct Owner<'a> {
    run: Run<'a>,
    shared: Arc<Shared>,
    ledger: Ledger,
    host: String,
    /// The store's number of what contains the bots.
    isolation: u32,
    lanes: Vec<LaneHandle>,
    idle: Vec<usize>,
    /// Games handed over to the store and not acknowledged.
    storing: usize,
    /// How many decisions of the format are kept.
    decisions: usize,
    /// How many pairs of a sequential test were told of.
    told: u64,
    done: u64,
    voids: u32,
    voids_of: Vec<u32>,
    set_aside: Vec<bool>,
    /// Why no more games are begun.
    stop: Option<Finish>,
    failed: Option<StoreError>,
}

struct LaneHandle {
    /// Dropped to end the lane.
    work: Option<mpsc::Sender<Vec<Task>>>,
    thread: Option<JoinHandle<()>>,
}

impl<'a> Owner<'a> {
    fn new(
        run: Run<'a>,
        known: HashMap<GameId, Verdict>,
        isolation: u32,
        tell: &UnboundedSender<Message>,
    ) -> Self {
        let tournament = run.tournament;
        let bots: Vec<_> = run.entrants.iter().map(Entrant::planned).collect();
        let absent = run.entrants.iter().map(|entrant| entrant.absent.is_some()).collect();
        let format = tournament.start_format(&bots, &run.kept);
        let ledger = Ledger::new(format, tournament.game_keys(bots), known, absent);
        let shared = Arc::new(Shared {
            game: tournament.game.clone(),
            seed: tournament.seed,
            entrants: run.entrants.clone(),
            stopping: run.stopping,
            halt: AtomicBool::new(false),
        });
        let count = run.entrants.len();
        cores::move_all_to(&run.layout.rest);
        let lanes = start_lanes(&run.layout, &shared, tell);
        Self {
            shared,
            ledger,
            host: host_name(),
            isolation,
            lanes,
            idle: Vec::new(),
            storing: 0,
            decisions: run.kept.len(),
            told: 0,
            done: 0,
            voids: 0,
            voids_of: vec![0; count],
            set_aside: vec![false; count],
            stop: None,
            failed: None,
            run,
        }
    }

    async fn serve(
        &mut self,
        mut hear: UnboundedReceiver<Message>,
        tell: &UnboundedSender<Message>,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Finish, StoreError> {
        let signals = tokio::spawn(listen_for_interrupts(telling(tell, || Message::Interrupt)));
        let timer = tokio::spawn(wait_until(self.run.until, telling(tell, || Message::TimeOver)));
        let games = self.games();
        let (known, lanes, isolation) = (self.ledger.known(), self.lanes.len(), self.run.isolation);
        watch(&Event::Started { games, known, lanes, isolation });
        while self.is_busy() {
            let Some(message) = hear.recv().await else { break };
            self.handle(message, tell, watch);
            self.settle(watch);
            self.dispatch();
            // Work that was withheld can be settled at once, which can withhold more; and what
            // is settled can decide who meets whom.
            while self.settle(watch) {
                self.dispatch();
            }
            self.tell_of_the_test(watch);
        }
        signals.abort();
        timer.abort();
        for lane in &mut self.lanes {
            lane.thread.take().map(JoinHandle::join);
        }
        self.finish()
    }

    fn is_busy(&self) -> bool {
        self.storing > 0 || self.lanes.iter().any(|lane| lane.work.is_some())
    }

    fn finish(&mut self) -> Result<Finish, StoreError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let left_open: Vec<_> = (0..self.run.entrants.len())
            .filter(|&bot| self.set_aside[bot])
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

    fn handle(
        &mut self,
        message: Message,
        tell: &UnboundedSender<Message>,
        watch: &mut dyn FnMut(&Event<'_>),
    ) {
        match message {
            Message::Lane(FromLane::Free(lane)) => self.idle.push(lane),
            Message::Lane(FromLane::Played(played)) => self.submit(played, tell),
            Message::Stored(played, Ok(())) => self.stored(*played, watch),
            Message::Stored(_, Err(error)) => {
                self.storing -= 1;
                watch(&Event::Stopping { why: "the store cannot take more" });
                self.fail(error);
            }
            Message::Interrupt => {
                watch(&Event::Stopping {
                    why: "interrupted: the running games are played out, again to stop at once",
                });
                self.halt(Finish::Interrupted);
            }
            Message::TimeOver => {
                watch(&Event::Stopping {
                    why: "the time given is over: the cycle of pairs is played out",
                });
                self.ledger.close_after_cycle();
                self.stop.get_or_insert(Finish::TimeOver);
            }
        }
    }

    fn halt(&mut self, finish: Finish) {
        self.shared.halt.store(true, Ordering::Relaxed);
        self.stop = Some(finish);
    }

    fn fail(&mut self, error: StoreError) {
        self.shared.halt.store(true, Ordering::Relaxed);
        self.failed.get_or_insert(error);
    }

    /// Hands a game to the store; it is told of when it is safe.
    fn submit(&mut self, played: Box<Played>, tell: &UnboundedSender<Message>) {
        let attempt = self.attempt(&played.record, &played.task, played.lane, played.started_at);
        self.storing += 1;
        let tell = tell.clone();
        self.run.store.submit(attempt, move |result| {
            // Nobody hears it only when the run is over anyway.
            let _ = tell.send(Message::Stored(played, result));
        });
    }

    fn attempt(
        &self,
        record: &Record,
        task: &Task,
        lane: usize,
        started_at: SystemTime,
    ) -> Attempt {
        let since_1970 = started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Attempt {
            record: record.clone(),
            state: AttemptState::of(record),
            dialects: task.bots.map(|bot| self.run.entrants[bot].dialect.to_string()),
            host: self.host.clone(),
            lane: lane as u32,
            started_at: since_1970.as_millis() as u64,
            isolation: Some(self.isolation),
        }
    }

    fn stored(&mut self, played: Played, watch: &mut dyn FnMut(&Event<'_>)) {
        self.storing -= 1;
        let Played { lane, task, record, .. } = played;
        if let Ending::RefereeError { fault } = &record.ending {
            watch(&Event::Void { fault, lane });
            return self.count_void(task, fault.clone(), watch);
        }
        self.voids = 0;
        for &bot in task.bots.iter() {
            self.voids_of[bot] = 0;
        }
        self.done += 1;
        self.ledger.finished(task.number, Verdict::of(&record, task.bots));
        watch(&Event::Game { record: &record, lane: Some(lane) });
    }

    fn count_void(&mut self, task: Task, fault: RefereeFault, watch: &mut dyn FnMut(&Event<'_>)) {
        if task.bots.iter().any(|&bot| self.set_aside[bot]) {
            // It was handed out before, and says nothing new.
            return self.ledger.play_again(task);
        }
        self.voids += 1;
        if self.voids >= VOIDS {
            if !matches!(self.stop, Some(Finish::RefereeFailed(_))) {
                watch(&Event::Stopping { why: "the referee has failed three times in a row" });
                self.halt(Finish::RefereeFailed(fault));
            }
            return;
        }
        for &bot in task.bots.iter() {
            self.voids_of[bot] += 1;
        }
        for side in Side::BOTH {
            let (bot, other) = (task.bots[side], task.bots[side.other()]);
            // Where both are as suspect, games with others will tell.
            let suspect = self.voids_of[bot] >= VOIDS && self.voids_of[bot] > self.voids_of[other];
            if suspect {
                self.set_aside[bot] = true;
                self.ledger.set_aside(bot);
                watch(&Event::SetAside { bot: &self.run.entrants[bot].id.name });
            }
        }
        self.ledger.play_again(task);
    }

    /// Does what follows from the results so far, in the order of the plan; whether there was
    /// anything to do.
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
                    self.run.store.set_aside(vec![id.clone()], surplus)?;
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
        task: &Task,
        losers: BySide<bool>,
        was_played: bool,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Record, StoreError> {
        let id = task.key.id();
        if was_played {
            let reason = "played ahead of the suspension of a bot".to_owned();
            self.run.store.set_aside(vec![id.clone()], AttemptState::Surplus { reason })?;
            watch(&Event::Superseded { id: &id });
        } else {
            self.done += 1;
        }
        let ending = self.unplayed_ending(task, losers);
        let record = Record::unplayed(task.key.clone(), self.run.tournament.seed, ending);
        self.run.store.commit(self.attempt(&record, task, 0, SystemTime::now()))?;
        watch(&Event::Game { record: &record, lane: None });
        Ok(record)
    }

    fn unplayed_ending(&self, task: &Task, losers: BySide<bool>) -> Ending {
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

    /// Gives idle lanes work, or lets them go when there is none left.
    fn dispatch(&mut self) {
        for lane in std::mem::take(&mut self.idle) {
            if self.shared.halt.load(Ordering::Relaxed) {
                self.lanes[lane].work = None;
                continue;
            }
            let claim = self.ledger.claim(self.batch());
            if let Err(error) = self.keep_decisions() {
                self.fail(error);
                self.lanes[lane].work = None;
                continue;
            }
            match claim {
                Claim::Batch(batch) => {
                    if let Some(work) = &self.lanes[lane].work {
                        // A lane ends only when its sender is dropped.
                        let _ = work.send(batch);
                    }
                }
                Claim::Wait => self.idle.push(lane),
                Claim::Done => self.lanes[lane].work = None,
            }
        }
    }

    /// Keeps what the format has decided, before any of it is played.
    fn keep_decisions(&mut self) -> Result<(), StoreError> {
        for decision in self.ledger.decided() {
            self.decisions += 1;
            let kept = KeptDecision::new(&decision, self.ledger.bots());
            self.run.store.put_decision(self.decisions, &kept)?;
        }
        Ok(())
    }

    /// Tells of a sequential test when it has looked at more pairs.
    fn tell_of_the_test(&mut self, watch: &mut dyn FnMut(&Event<'_>)) {
        let Some(test) = self.ledger.test() else { return };
        if test.pairs() != self.told {
            self.told = test.pairs();
            watch(&Event::Test { test });
        }
    }

    /// Games in all, as far as that is known.
    fn games(&self) -> u64 {
        self.ledger.expected().pairs.saturating_mul(2)
    }

    /// Pairs for a lane at once: enough to keep processes, few enough to share the end.
    fn batch(&self) -> usize {
        let pairs = self.ledger.expected().pairs;
        (pairs / (4 * self.lanes.len() as u64).max(1)).clamp(1, BATCH) as usize
    }
}

/// Says the same to the owner whenever it is called, as long as there is one.
fn telling(
    tell: &UnboundedSender<Message>,
    message: fn() -> Message,
) -> impl Fn() + Send + 'static {
    let tell = tell.clone();
    move || drop(tell.send(message()))
}

fn start_lanes(
    layout: &Layout,
    shared: &Arc<Shared>,
    tell: &UnboundedSender<Message>,
) -> Vec<LaneHandle> {
    let start = |(lane, &core): (usize, &usize)| {
        let (work, receive) = mpsc::channel();
        let (shared, tell) = (shared.clone(), tell.clone());
        let body = move || {
            let tell = |message| tell.send(Message::Lane(message)).is_ok();
            run_lane(lane, core, &shared, &receive, &tell);
        };
        let thread = std::thread::Builder::new().name(format!("lane {lane}")).spawn(body);
        // Without threads there is no run; the machine is out of something.
        LaneHandle { work: Some(work), thread: Some(thread.expect("a thread can be started")) }
    };
    layout.lanes.iter().enumerate().map(start).collect()
}
