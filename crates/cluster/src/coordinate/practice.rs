//! Coordinator of a practice server: gives single jobs to workers and waits for what comes back.
//!
//! A contest knows its bots and its games before the first one; here a job brings all of that along,
//! and whoever asks for it waits. So nothing needs to be found again after a crash: what was asked for
//! is decided anew by whoever asked.

mod board;
mod collect;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pitmaster_core::{Limits, Seed};
use pitmaster_games::DynGame;
use pitmaster_runner::{Played, ScheduledGame, Stopping};
use pitmaster_tournament::worst_duration;
use tokio::runtime::Runtime;

use self::board::{Board, End, Posted};
use super::state::{Desk, Gate, Setup};
use super::{Contest, ContestBot, LOOK, TIDYING, server, taken};
use crate::broker::{Broker, runtime};
use crate::connect::Access;
use crate::status::{WorkerStatus, status};
use crate::wire::{
    BELL, Broadcast, Job, JobGame, PracticeJob, PracticeTask, RunManifest, WORD, class_of_builds,
    class_of_lanes, encode, id_of, jobs_of,
};
use crate::{ClusterError, bundle_name, card_name};

/// Workers that a job is given to, one after the other, if they die with it.
const ATTEMPTS: u32 = 3;

/// Time after which a build is lost: far more than it may take.
const LONGEST_BUILD: Duration = Duration::from_mins(15);

/// Time after which a check is lost.
const LONGEST_CHECK: Duration = Duration::from_hours(2);

/// What a worker is to do.
#[derive(Debug, Clone)]
pub struct Order {
    /// The rules.
    pub game: Arc<dyn DynGame>,
    /// The limits of its games.
    pub limits: Limits,
    /// The seed.
    pub seed: Seed,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// The bots: the one to examine, or the two that play.
    pub bots: Vec<ContestBot>,
    /// What is to be done with them.
    pub task: Task,
}

/// What is to be done with the bots of an order.
#[derive(Debug, Clone)]
pub enum Task {
    /// Build the bot and report what it is.
    Build,
    /// Build the bot and check it as a whole.
    Check,
    /// Play games of the two bots.
    Play(Vec<ScheduledGame>),
}

/// What came of an order.
#[derive(Debug)]
pub enum Done {
    /// The games, in the order in which they arrived.
    Games(Vec<Played>),
    /// The report of a build or a check, as the worker's [`Examiner`](crate::Examiner) made it. It is
    /// untrusted.
    Report(String),
}

/// Reason why nothing came of an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotDone {
    /// No worker is here.
    #[error("no worker is there")]
    NoWorker,
    /// No worker has these tools.
    #[error("no worker has {}", .0.join(", "))]
    NoTools(Vec<String>),
    /// Workers died with it, or gave it back.
    #[error("{0}")]
    Lost(String),
    /// Whoever asked for it does not wait any more.
    #[error("it was stopped")]
    Stopped,
}

/// A running coordinator of a practice server.
#[derive(Debug)]
pub struct Practice {
    desk: Arc<Desk>,
    board: Arc<Board>,
    // Last: the tasks that use the others end with it.
    runtime: Runtime,
}

impl Practice {
    /// Begins to coordinate a practice server on a server, which may have only one coordinator. The
    /// contest has no bots; its limits, tier and guarantees are those that workers are admitted with.
    ///
    /// # Errors
    /// The server cannot be used, or it already has a coordinator.
    pub fn begin(contest: Contest, access: &Access, gate: Gate) -> Result<Self, ClusterError> {
        let runtime = runtime(2).map_err(|error| ClusterError::Server(error.to_string()))?;
        let post = runtime.block_on(Broker::connect(access, "practice"))?;
        if let Some(other) = runtime.block_on(status(&post)) {
            return Err(taken(&other));
        }
        let game = Arc::clone(&contest.game);
        let (card, bundles) = contest.into_card();
        let card = RunManifest { practice: true, ..card };
        let runtime_of = runtime.handle().clone();
        let setup = Setup { post, card, game, bundles, gate, runtime: runtime_of };
        let desk = Arc::new(Desk::new(setup));
        runtime.block_on(async {
            desk.post.open().await.map_err(server)?;
            // Nobody waits for what an earlier coordinator has asked for.
            desk.post.forget(&desk.contest, &[]).await;
            desk.lay_out().await.map_err(server)
        })?;
        let board = Arc::new(Board::default());
        runtime.spawn(Arc::clone(&desk).attend());
        runtime.spawn(Arc::clone(&board).collect(Arc::clone(&desk)));
        runtime.spawn(Arc::clone(&desk).sweep_always());
        Ok(Self { desk, board, runtime })
    }

    /// Number of games that the workers play at once.
    pub fn lanes(&self) -> usize {
        self.desk.roster.lanes()
    }

    /// All workers.
    pub fn workers(&self) -> Vec<WorkerStatus> {
        self.desk.roster.all().iter().map(WorkerStatus::of).collect()
    }

    /// Remarks since this was called last.
    pub fn notes(&self) -> Vec<String> {
        self.desk.notes()
    }

    /// Gives an order to a worker and waits until it is done, as long as `goes_on` says so. If the
    /// worker dies, another one gets it.
    ///
    /// # Errors
    /// The reason why nothing came of it.
    pub fn perform(&self, order: &Order, goes_on: &dyn Fn() -> bool) -> Result<Done, NotDone> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let worker = match self.choose(order) {
                Ok(worker) => worker,
                Err(nobody) => return Err(last.map_or(nobody, NotDone::Lost)),
            };
            match self.perform_by(&worker, order, goes_on) {
                End::Done(done) => return Ok(done),
                End::Stopped => return Err(NotDone::Stopped),
                End::Lost(why) => last = Some(why),
                // The next choice leaves this worker out.
                End::Lacks => {}
            }
        }
        Err(NotDone::Lost(last.unwrap_or_else(|| "no worker did it".into())))
    }

    /// The worker that has all tools and the least to do for its lanes.
    fn choose(&self, order: &Order) -> Result<String, NotDone> {
        let tools: BTreeSet<&str> =
            order.bots.iter().flat_map(|bot| bot.card.tools.iter().map(String::as_str)).collect();
        let given = self.board.given();
        let load = |instance: &String, lanes: u32| {
            let jobs = given.get(instance).copied().unwrap_or(0);
            (jobs * 1000) / lanes.max(1) as usize
        };
        let able = self.desk.roster.able(&tools);
        let least = able.into_iter().min_by_key(|(instance, lanes)| load(instance, *lanes));
        match least {
            Some((instance, _)) => Ok(instance),
            None if self.desk.roster.lanes() == 0 => Err(NotDone::NoWorker),
            None => {
                let has = |tool: &&str| self.desk.roster.can_serve(&BTreeSet::from([*tool]));
                let nobody_has: Vec<_> = tools.iter().copied().filter(|tool| !has(tool)).collect();
                let missing =
                    if nobody_has.is_empty() { tools.into_iter().collect() } else { nobody_has };
                Err(NotDone::NoTools(missing.into_iter().map(str::to_owned).collect()))
            }
        }
    }

    fn perform_by(&self, worker: &str, order: &Order, goes_on: &dyn Fn() -> bool) -> End {
        let job = self.job(order);
        let id = id_of(&job);
        // The answer may arrive before the server has acknowledged the job.
        self.board.enter(&id, Posted::new(worker, order, &job));
        let published = self.runtime.block_on(self.publish(worker, order, &job, &id));
        let end = match published {
            Ok(place) => self.wait(worker, order, &id, place, goes_on),
            Err(trouble) => End::Lost(trouble.to_string()),
        };
        self.board.strike(&id);
        end
    }

    async fn publish(
        &self,
        worker: &str,
        order: &Order,
        job: &Job,
        id: &str,
    ) -> Result<u64, crate::broker::Trouble> {
        let post = &self.desk.post;
        for bot in &order.bots {
            let Some(path) = &bot.bundle else { continue };
            let bytes = std::fs::read(path).map_err(crate::broker::while_("read a bundle"))?;
            post.put(&bundle_name(&bot.card.id.hash), &bytes).await?;
            self.board.note_bundle(&bot.card.id.hash);
        }
        let class = match order.task {
            Task::Build => class_of_builds(worker),
            Task::Check | Task::Play(_) => class_of_lanes(worker),
        };
        let place = post.publish(jobs_of(&self.desk.contest, &class), id, encode(job)).await?;
        post.say(BELL, Vec::new()).await;
        Ok(place)
    }

    /// Waits until a job is done, or nobody does it any more.
    fn wait(
        &self,
        worker: &str,
        order: &Order,
        id: &str,
        place: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> End {
        let (began, longest) = (Instant::now(), self.longest(order));
        let mut seen = Instant::now();
        loop {
            if let Some(end) = self.board.wait(id, LOOK) {
                return end;
            }
            let is_busy = match self.desk.roster.held_by(worker) {
                None => {
                    self.withdraw(id, place);
                    return End::Lost("the worker that had it is gone".into());
                }
                Some((held, lanes)) => held.contains_key(id) || held.len() >= lanes as usize,
            };
            if is_busy {
                seen = Instant::now();
            }
            if !goes_on() {
                self.withdraw(id, place);
                return End::Stopped;
            }
            if seen.elapsed() > self.desk.patience * 3 || began.elapsed() > longest {
                self.withdraw(id, place);
                return End::Lost("its worker does not do it".into());
            }
        }
    }

    /// Upper bound on the time from the order to its end, in which other jobs of its worker end too.
    fn longest(&self, order: &Order) -> Duration {
        let own = match &order.task {
            Task::Build => LONGEST_BUILD,
            Task::Check => LONGEST_CHECK,
            Task::Play(games) => worst_duration(games.len() as u64, &order.limits, 1),
        };
        own.saturating_add(LONGEST_CHECK).saturating_add(self.desk.patience * 4)
    }

    /// Takes a job back for which nobody waits any more.
    fn withdraw(&self, id: &str, place: u64) {
        self.runtime.block_on(async {
            self.desk.post.say(WORD, encode(&Broadcast::Forget(id.to_owned()))).await;
            self.desk.post.take_back(place).await;
        });
    }

    fn job(&self, order: &Order) -> Job {
        let contest = &self.desk.card;
        let card = RunManifest {
            game: order.game.spec(),
            rules: order.game.id(),
            limits: order.limits.clone(),
            seed: order.seed,
            stopping: order.stopping,
            bots: order.bots.iter().map(|bot| bot.card.clone()).collect(),
            practice: false,
            ..contest.clone()
        };
        let (task, games) = match &order.task {
            Task::Build => (PracticeTask::Build, Vec::new()),
            Task::Check => (PracticeTask::Check, Vec::new()),
            Task::Play(games) => {
                (PracticeTask::Play, games.iter().map(|game| job_game(game, games)).collect())
            }
        };
        Job {
            contest: self.desk.contest.clone(),
            attempt: self.desk.attempt(),
            bots: (0..order.bots.len()).collect(),
            games,
            practice: Some(Box::new(PracticeJob { card, task })),
        }
    }

    /// Ends the coordinator: workers wait for the next one.
    pub fn end(&self) {
        let desk = &self.desk;
        desk.over.store(true, Ordering::SeqCst);
        let tidy = async {
            desk.post.say(WORD, encode(&Broadcast::Over(desk.contest.clone()))).await;
            desk.post.forget(&desk.contest, &[]).await;
            desk.post.remove(&card_name(&desk.contest)).await;
            for hash in self.board.bundles() {
                desk.post.remove(&bundle_name(&hash)).await;
            }
            let _ = desk.post.client.flush().await;
        };
        // A server that is away is not waited for.
        let _ = self.runtime.block_on(async { tokio::time::timeout(TIDYING, tidy).await });
    }
}

fn job_game(task: &ScheduledGame, games: &[ScheduledGame]) -> JobGame {
    JobGame {
        stage: task.key.stage,
        round: task.key.round,
        pair: task.key.pair,
        opening: task.key.opening.clone(),
        swapped: games.first().is_some_and(|first| task.bots != first.bots),
        ticket: String::new(),
    }
}
