//! Coordinator: hands out the games of a run to workers and receives the results.
//!
//! Must not depend on the plan or on how a game is played. It claims games from the run's
//! dispatcher as a lane does, and all its state can be rebuilt from the store.

mod dispatch;
mod in_flight;
mod judge;
mod practice;
mod reaper;
mod results;
mod state;
mod subscriptions;
mod ticket;
mod worker_registry;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::runtime::Runtime;

use self::dispatch::Others;
pub use self::practice::{Done, NotDone, Order, Practice, Task};
pub use self::state::Gate;
use self::state::{Desk, Setup};
pub(super) use self::worker_registry::Guest;
use super::broker::{Broker, Trouble, runtime};
use super::connect::Access;
use super::status::status;
pub use super::wire::{Body, Tried};
use pitmaster_build_info::Build;
use pitmaster_core::{BotHash, Isolation, Limits, Requirements, Seed, Tier};
use pitmaster_games::DynGame;
use pitmaster_runner::{Executor, Stopping};

use super::wire::{
    Broadcast, CardBot, Job, PATIENCE_S, RunManifest, VERSION, WORD, decode, encode, id_of,
};
use super::{ClusterError, bundle_name, card_name};

/// Time limit for cleaning up.
const TIDYING: Duration = Duration::from_secs(20);

/// Polling interval for new messages.
const LOOK: Duration = Duration::from_millis(250);

/// A contest, as workers need it.
#[derive(Debug)]
pub struct Contest {
    /// The rules.
    pub game: Arc<dyn DynGame>,
    /// The limits of all games.
    pub limits: Limits,
    /// The tournament's seed.
    pub seed: Seed,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// The requested tier.
    pub tier: Option<Tier>,
    /// Required guarantees.
    pub require: Requirements,
    /// Time of silence after which jobs go to other workers.
    pub patience: Duration,
    /// Generation of the run. Results that were played for an earlier one and invalidated since are
    /// not accepted for this one.
    pub generation: String,
    /// The bots that take part.
    pub bots: Vec<ContestBot>,
}

/// A bot that takes part.
#[derive(Debug, Clone)]
pub struct ContestBot {
    /// The bot's data for workers.
    pub card: CardBot,
    /// Path of its bundle.
    pub bundle: Option<PathBuf>,
}

/// Results of trying all bots.
#[derive(Debug, Default)]
pub struct Trials {
    /// Results by the bots' numbers.
    pub tried: HashMap<usize, Tried>,
    /// Bots for which no worker has all tools, with the tools that are missing everywhere.
    pub nobody: Vec<(usize, Vec<String>)>,
}

/// A running coordinator. Dropping it ends it, and workers wait for another one.
#[derive(Debug)]
pub struct Coordinator {
    desk: Arc<Desk>,
    // Last: the tasks that use the desk end with it.
    runtime: Runtime,
}

impl Coordinator {
    /// Begins to coordinate a contest on a server, which may have only one coordinator.
    ///
    /// # Errors
    /// The server cannot be used, or it already has a coordinator.
    pub fn begin(contest: Contest, access: &Access, gate: Gate) -> Result<Self, ClusterError> {
        // Two, so that whoever decodes results does not keep the heart from beating.
        let runtime = runtime(2).map_err(|error| ClusterError::Server(error.to_string()))?;
        let post = runtime.block_on(Broker::connect(access, "coordinator"))?;
        if let Some(other) = runtime.block_on(status(&post)) {
            return Err(taken(&other));
        }
        let game = Arc::clone(&contest.game);
        let (card, bundles) = contest.into_card();
        let runtime_of = runtime.handle().clone();
        let setup = Setup { post, card, game, bundles, gate, runtime: runtime_of };
        let desk = Arc::new(Desk::new(setup));
        runtime.block_on(async {
            desk.lay_out().await.map_err(server)?;
            adopt(&desk).await.map_err(server)
        })?;
        runtime.spawn(Arc::clone(&desk).attend());
        runtime.spawn(Arc::clone(&desk).collect());
        runtime.spawn(Arc::clone(&desk).sweep_always());
        Ok(Self { desk, runtime })
    }

    /// Waits for this number of workers. Reports workers that join, and the command that starts
    /// one.
    ///
    /// # Errors
    /// Errors of `look`, which is called regularly.
    pub fn wait_for_workers<E>(
        &self,
        count: usize,
        command: &str,
        say: &dyn Fn(&str),
        mut look: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut said = false;
        while self.desk.roster.count() < count {
            look()?;
            self.desk.notes().iter().for_each(|note| say(note));
            if !std::mem::replace(&mut said, true) {
                let workers =
                    if count == 1 { "a worker".into() } else { format!("{count} workers") };
                say(&format!("waiting for {workers}: `{command}` on any machine"));
            }
            self.desk.wait(self.desk.book(), LOOK);
        }
        self.desk.notes().iter().for_each(|note| say(note));
        Ok(())
    }

    /// All workers.
    pub fn workers(&self) -> Vec<super::status::WorkerStatus> {
        self.desk.roster.all().iter().map(super::status::WorkerStatus::of).collect()
    }

    /// Lets every bot be built and tried once, by a worker with its tools.
    pub fn try_bots(&self, say: &dyn Fn(&str), progress: &dyn Fn(usize)) -> Trials {
        let desk = &self.desk;
        let mut open: BTreeSet<usize> = (0..desk.card.bots.len()).collect();
        let mut posted = BTreeSet::new();
        loop {
            let tried = desk.tried();
            open.retain(|bot| !tried.contains_key(bot));
            progress(tried.len());
            desk.notes().iter().for_each(|note| say(note));
            for &bot in &open {
                let can = desk.roster.can_serve(&desk.card.tools_of(&[bot]));
                if can && posted.insert(bot) {
                    self.runtime.block_on(desk.enter(desk.trial(bot), Vec::new()));
                }
            }
            let waits = open.iter().any(|bot| posted.contains(bot));
            if !waits {
                let nobody = open.iter().map(|&bot| (bot, self.missing_everywhere(bot))).collect();
                return Trials { tried, nobody };
            }
            desk.wait(desk.book(), LOOK);
        }
    }

    /// Tools of a bot that no worker has, or all of them if every worker lacks another one.
    fn missing_everywhere(&self, bot: usize) -> Vec<String> {
        let tools = self.desk.card.tools_of(&[bot]);
        let nobody_has = |tool: &&str| !self.desk.roster.can_serve(&BTreeSet::from([*tool]));
        let missing: Vec<String> =
            tools.iter().copied().filter(|tool| nobody_has(tool)).map(str::to_owned).collect();
        if missing.is_empty() { tools.into_iter().map(str::to_owned).collect() } else { missing }
    }

    /// All workers, as the executor of a run.
    pub fn crew(&self) -> Box<dyn Executor> {
        Box::new(Others(Arc::clone(&self.desk)))
    }

    /// Ends the coordinator. After a complete run it also deletes the run's data on the server.
    pub fn end(self, complete: bool) {
        self.desk.over.store(true, Ordering::SeqCst);
        let desk = &self.desk;
        let tidy = async {
            if complete {
                desk.post.say(WORD, encode(&Broadcast::Over(desk.contest.clone()))).await;
                let classes: Vec<_> = desk.classes.keys().cloned().collect();
                desk.post.forget(&desk.contest, &classes).await;
                desk.post.remove(&card_name(&desk.contest)).await;
                for (hash, _) in &desk.bundles {
                    desk.post.remove(&bundle_name(hash)).await;
                }
            }
            let _ = desk.post.client.flush().await;
        };
        // A server that is away is not waited for.
        let _ = self.runtime.block_on(async { tokio::time::timeout(TIDYING, tidy).await });
        self.runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what errors are turned by")]
fn server(trouble: Trouble) -> ClusterError {
    ClusterError::Server(format!("{trouble}; is this a nats-server with JetStream (-js)?"))
}

fn taken(other: &super::status::Status) -> ClusterError {
    ClusterError::Refused(format!(
        "on this server a tournament is being played already ({} of {} games): wait for its end, or \
         start another server; `pitmaster cluster status` tells how it goes",
        other.done, other.games
    ))
}

/// Records what an earlier coordinator has published of this contest, and withdraws its trials.
async fn adopt(desk: &Desk) -> Result<(), Trouble> {
    for (place, bytes) in desk.post.jobs_left(&desk.contest).await? {
        match decode::<Job>(&bytes) {
            Ok(job) if desk.card.judge(&job).is_ok() && !job.games.is_empty() => {
                let id = |game| desk.card.key(&job, game).id();
                let games: Vec<_> = job.games.iter().map(id).collect();
                let mut both = job.games.iter().zip(&games);
                // One without tickets was published by somebody else.
                if both.all(|(game, id)| desk.tickets.is_of(&game.ticket, id)) {
                    desk.book().adopt(id_of(&job), job, place, games);
                } else {
                    desk.post.take_back(place).await;
                }
            }
            _ => desk.post.take_back(place).await,
        }
    }
    Ok(())
}

impl Contest {
    fn into_card(self) -> (RunManifest, Vec<(BotHash, PathBuf)>) {
        let bundle = |bot: &ContestBot| Some((bot.card.id.hash.clone(), bot.bundle.clone()?));
        let bundles = self.bots.iter().filter_map(bundle).collect();
        let mut card = RunManifest {
            version: VERSION,
            program: Build::own().to_string(),
            game: self.game.spec(),
            rules: self.game.id(),
            limits: self.limits,
            seed: self.seed,
            stopping: self.stopping,
            tier: self.tier,
            require: self.require.to_string(),
            patience_s: self.patience.as_secs().clamp(*PATIENCE_S.start(), *PATIENCE_S.end()),
            generation: self.generation,
            bots: self.bots.into_iter().map(|bot| bot.card).collect(),
            practice: false,
        };
        card.share_tools();
        (card, bundles)
    }
}

/// Describes the differences between the guarantees of two machines; empty if there are none.
pub fn differing_promises(one: &Isolation, other: &Isolation) -> String {
    let differs =
        |promise: &&pitmaster_core::Promise| one.level(**promise) != other.level(**promise);
    let all = pitmaster_core::Promise::ALL.iter().filter(differs);
    all.map(|promise| promise.name()).collect::<Vec<_>>().join(", ")
}
