//! Contest context: the rules, the sandbox and the built bots of a worker's contest.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt as _;
use pitmaster_bots::submission::{
    Admitted, BundleError, Naming, Options, PlayerCommand, PrepareError, Snapshot, Unfit,
};
use pitmaster_core::{BotName, BySide, Requirements};
use pitmaster_games::{self as games, DynGame, GameSpec};
use pitmaster_players::PlayerSpec;
use pitmaster_runner::{Batch, Entrant, ScheduledGame, Start, Table};
use pitmaster_sandbox::Sandbox;
use pitmaster_tournament::worst_game;
use tokio::sync::{Mutex, OnceCell};

use super::super::broker::{Broker, BrokerResult};
use super::super::wire::{
    Body, Job, JobGame, RunManifest, VERSION, class_of_builds, class_of_lanes,
};
use super::Worker;
use super::practice::{BuildEnvironment, BuildResult, Examiner};

/// Maximum size of a run manifest, in bytes.
pub(super) const MAX_MANIFEST: u64 = 64 << 20;

/// Time limit for fetching a job.
const REPLY_TIMEOUT: Duration = Duration::from_secs(5);

/// Reason why a bot cannot play on this worker.
#[derive(Debug, Clone)]
pub(super) enum PlayError {
    /// The bot is at fault.
    Unfit(Arc<Unfit>),
    /// This machine is broken and plays no further games.
    Broken(String),
    /// The bot or something that it requires is missing here; other workers may have it.
    Unavailable(String),
}

/// Context of a contest, or of a practice job.
#[derive(Debug)]
pub(super) struct ContestContext {
    pub(super) contest: String,
    pub(super) manifest: RunManifest,
    pub(super) game: Arc<dyn DynGame>,
    pub(super) options: Options,
    /// Required tools that this machine lacks.
    pub(super) missing: Vec<String>,
    /// Job classes that this worker can take. Those with most tools are first, because fewer workers
    /// can take them.
    pub(super) classes: Vec<String>,
    /// Classes of a practice server's builds for this worker.
    pub(super) builds: Vec<String>,
    consumers: Mutex<HashMap<String, PullConsumer>>,
    bots: Vec<OnceCell<Result<Entrant, PlayError>>>,
    /// Folder in which bots are unpacked and built.
    cache: PathBuf,
    /// Builds the versions of a practice server.
    pub(super) examiner: Arc<dyn Examiner>,
    /// Whether this is the context of a practice job.
    is_practice_job: bool,
}

impl ContestContext {
    /// Validates a received run manifest. Returns its game.
    ///
    /// # Errors
    /// The invalid value.
    pub(super) fn game_of(manifest: &RunManifest) -> Result<Arc<dyn DynGame>, String> {
        if manifest.version != VERSION {
            return Err(format!(
                "it has version {}, and this worker has {VERSION}",
                manifest.version
            ));
        }
        manifest.validate().map_err(|what| format!("no contest has {what}"))?;
        if worst_game(&manifest.limits) == Duration::MAX {
            return Err("its games may never end".into());
        }
        let spec: GameSpec = manifest.game.parse().map_err(|error| format!("{error}"))?;
        if spec.is_file() {
            return Err(format!("{:?} is a path, not the name of a game", manifest.game));
        }
        let game = games::find(&spec).map_err(|error| error.to_string())?;
        if game.id() != manifest.rules {
            return Err(format!(
                "its rules are {}, and this worker has {}",
                manifest.rules,
                game.id()
            ));
        }
        Ok(game)
    }

    /// Returns whether a manifest has submissions among its bots.
    pub(super) fn has_submissions(manifest: &RunManifest) -> bool {
        manifest.bots.iter().any(|bot| matches!(bot.body, Body::Bundle))
    }

    /// Parses the required guarantees of a manifest.
    pub(super) fn requirements_of(manifest: &RunManifest) -> Result<Requirements, String> {
        manifest.require.parse()
    }

    pub(super) fn new(
        contest: String,
        manifest: RunManifest,
        game: Arc<dyn DynGame>,
        sandbox: &Arc<Sandbox>,
        worker: &Worker<'_>,
        instance: &str,
    ) -> Self {
        let options = Options::of_this_machine(sandbox);
        let all: Vec<usize> = (0..manifest.bots.len()).collect();
        let needed = manifest.tools_of(&all);
        let missing: Vec<String> = needed
            .into_iter()
            .filter(|tool| options.tools.find(tool).is_none())
            .map(str::to_owned)
            .collect();
        let (classes, builds) = if manifest.practice {
            (vec![class_of_lanes(instance)], vec![class_of_builds(instance)])
        } else {
            (classes(&manifest, &missing), Vec::new())
        };
        Self {
            contest,
            bots: all.iter().map(|_| OnceCell::new()).collect(),
            manifest,
            game,
            options,
            missing,
            classes,
            builds,
            consumers: Mutex::default(),
            cache: worker.cache.clone(),
            examiner: Arc::clone(&worker.examiner),
            is_practice_job: false,
        }
    }

    /// Creates the context of a job of this practice server.
    pub(super) fn for_job(
        &self,
        manifest: RunManifest,
        game: Arc<dyn DynGame>,
        sandbox: &Arc<Sandbox>,
    ) -> Self {
        let options = Options { sandbox: Arc::clone(sandbox), ..self.options.clone() };
        let all: Vec<usize> = (0..manifest.bots.len()).collect();
        let has = |tool: &&str| options.tools.find(tool).is_some();
        let missing = manifest.tools_of(&all).into_iter().filter(|tool| !has(tool));
        let missing = missing.map(str::to_owned).collect();
        Self {
            contest: self.contest.clone(),
            bots: all.iter().map(|_| OnceCell::new()).collect(),
            manifest,
            game,
            options,
            missing,
            classes: Vec::new(),
            builds: Vec::new(),
            consumers: Mutex::default(),
            cache: self.cache.clone(),
            examiner: Arc::clone(&self.examiner),
            is_practice_job: true,
        }
    }

    /// Fetches the next job of these classes, if there is one.
    pub(super) async fn fetch(
        &self,
        classes: &[String],
        broker: &Broker,
    ) -> Option<async_nats::jetstream::Message> {
        let mut consumers = self.consumers.lock().await;
        for class in classes {
            match tokio::time::timeout(
                REPLY_TIMEOUT,
                self.fetch_class(class, broker, &mut consumers),
            )
            .await
            {
                Ok(Ok(Some(message))) => return Some(message),
                Ok(Ok(None)) => {}
                // The server is unreachable, so the other classes would fail as well.
                Err(_) => {
                    consumers.remove(class);
                    return None;
                }
                // The server may have lost the consumer, so it is created again the next time.
                Ok(Err(_)) => drop(consumers.remove(class)),
            }
        }
        None
    }

    async fn fetch_class(
        &self,
        class: &str,
        broker: &Broker,
        consumers: &mut HashMap<String, PullConsumer>,
    ) -> BrokerResult<Option<async_nats::jetstream::Message>> {
        let consumer = match consumers.get(class) {
            Some(consumer) => consumer,
            None => {
                let patience = Duration::from_secs(self.manifest.patience_s);
                let consumer = broker.job_consumer(&self.contest, class, patience).await?;
                consumers.entry(class.to_owned()).or_insert(consumer)
            }
        };
        let fetched = consumer.fetch().max_messages(1).messages().await;
        let mut messages = fetched.map_err(super::super::broker::cannot("fetch a job"))?;
        let message = messages.next().await.transpose();
        message.map_err(super::super::broker::cannot("fetch a job"))
    }

    /// Creates the batch of a job's games, numbered from 0. Builds its bots if needed.
    pub(super) async fn batch(
        &self,
        number: u64,
        job: &Job,
        broker: &Broker,
    ) -> Result<Batch, PlayError> {
        let mut entrants = Vec::new();
        for &bot in &job.bots {
            entrants.push(self.bot(bot, broker).await?);
        }
        let tasks = (0..).zip(&job.games).map(|(number, game)| self.task(number, job, game));
        let tasks = tasks.collect();
        let table = Table {
            game: Arc::clone(&self.game),
            seed: self.manifest.seed,
            stopping: self.manifest.stopping,
            entrants,
        };
        Ok(Batch { number, table: Arc::new(table), tasks })
    }

    fn task(&self, number: u64, job: &Job, game: &JobGame) -> ScheduledGame {
        let bots = if game.swapped { BySide::new(1, 0) } else { BySide::new(0, 1) };
        ScheduledGame { number, key: self.manifest.key(job, game), bots }
    }

    /// Returns a bot. It is fetched and built on first use.
    pub(super) async fn bot(&self, bot: usize, broker: &Broker) -> Result<Entrant, PlayError> {
        let built = self.bots[bot].get_or_try_init(|| async {
            match self.prepare(bot, broker).await {
                // Failures that may be temporary are retried.
                Err(PlayError::Unavailable(reason)) => Err(PlayError::Unavailable(reason)),
                result => Ok(result),
            }
        });
        built.await?.clone()
    }

    async fn prepare(&self, bot: usize, broker: &Broker) -> Result<Entrant, PlayError> {
        match &self.manifest.bots[bot].body {
            Body::House { player, in_process } => self.house(bot, player, *in_process),
            Body::Bundle => self.submission(bot, broker).await,
        }
    }

    fn house(&self, bot: usize, player: &str, in_process: bool) -> Result<Entrant, PlayError> {
        let known = &self.manifest.bots[bot];
        let player: PlayerSpec =
            player.parse().map_err(|error| PlayError::Broken(format!("{player:?}: {error}")))?;
        let naming =
            Naming { name: Some(known.id.name.clone()), display: Some(known.display.clone()) };
        let command = PlayerCommand::house(&player, naming, &self.options);
        let command = command.map_err(|error| PlayError::Broken(error.to_string()))?;
        if command.id != known.id {
            let reason = "house bots differ from those of the coordinator; install the same version \
                          everywhere";
            return Err(PlayError::Broken(reason.into()));
        }
        let entrant = Entrant::process(command);
        let start = if in_process { Start::InProcess(player) } else { entrant.start.clone() };
        Ok(Entrant { start, ..entrant })
    }

    /// Returns the files of a bot. They are fetched on first use.
    pub(super) async fn fetch_snapshot(
        &self,
        bot: usize,
        broker: &Broker,
    ) -> Result<Snapshot, PlayError> {
        let known = &self.manifest.bots[bot];
        let limits = self.options.limits;
        if let Some(snapshot) = Snapshot::kept(&known.id.hash, &self.cache, limits) {
            return Ok(snapshot);
        }
        let name = super::super::bundle_name(&known.id.hash);
        // Compression makes a bundle at most slightly larger than its content.
        let bytes = broker.get_object(&name, limits.bytes + limits.bytes / 8 + (1 << 20)).await;
        let bytes = bytes.map_err(|error| PlayError::Unavailable(error.to_string()))?;
        let unpacked = Snapshot::unpack(&*bytes, &known.id.hash, &self.cache, limits);
        unpacked.map_err(|error| bundle_error(&known.id.name, error))
    }

    /// Builds a version for a practice server.
    pub(super) async fn build(
        &self,
        bot: usize,
        broker: &Broker,
    ) -> Result<BuildResult, PlayError> {
        self.fetch_snapshot(bot, broker).await?;
        let (examiner, environment) = (Arc::clone(&self.examiner), self.environment());
        let id = self.manifest.bots[bot].id.clone();
        let result = tokio::task::spawn_blocking(move || examiner.build(&environment, &id)).await;
        match result {
            Ok(result) => result.map_err(PlayError::Broken),
            Err(panic) => Err(PlayError::Unavailable(panic.to_string())),
        }
    }

    /// Environment for the examiner.
    pub(super) fn environment(&self) -> BuildEnvironment {
        BuildEnvironment {
            cache: self.cache.clone(),
            game: Arc::clone(&self.game),
            limits: self.manifest.limits.clone(),
            sandbox: Arc::clone(&self.options.sandbox),
        }
    }

    async fn submission(&self, bot: usize, broker: &Broker) -> Result<Entrant, PlayError> {
        if self.is_practice_job {
            // A failed build must not stop the worker, because the author of the bot can cause one.
            return self.build(bot, broker).await?.entrant.map_err(PlayError::Unavailable);
        }
        let snapshot = self.fetch_snapshot(bot, broker).await?;
        let known = self.manifest.bots[bot].clone();
        let (options, game) = (self.options.clone(), self.game.spec());
        let result = tokio::task::spawn_blocking(move || {
            let base = game.split(',').next().unwrap_or_default();
            let (name, display) = (known.id.name, known.display);
            Admitted::elsewhere(snapshot, name, display, base, options.limits)?.build(&options)
        });
        match result.await {
            Ok(Ok(prepared)) => Ok(Entrant::process(prepared.command)),
            Ok(Err(PrepareError::Bot(unfit))) => Err(PlayError::Unfit(Arc::new(*unfit))),
            Ok(Err(PrepareError::Store(fault))) => Err(PlayError::Broken(fault.to_string())),
            Err(panic) => Err(PlayError::Broken(panic.to_string())),
        }
    }
}

/// Converts an error of a bundle. A bundle that does not match its hash may have been tampered with on
/// the server, which must not stop the worker.
fn bundle_error(name: &BotName, error: BundleError) -> PlayError {
    match error {
        BundleError::Refused(_) => PlayError::Unavailable(format!("{name}: {error}")),
        BundleError::Store(error) => PlayError::Broken(error.to_string()),
    }
}

/// Job classes for which no tool is missing, those with most tools first.
fn classes(manifest: &RunManifest, missing: &[String]) -> Vec<String> {
    let mut classes: Vec<_> = manifest.classes().into_iter().collect();
    classes.retain(|(_, tools)| missing.iter().all(|tool| !tools.contains(tool)));
    classes.sort_by_key(|(_, tools)| std::cmp::Reverse(tools.len()));
    classes.into_iter().map(|(class, _)| class).collect()
}
