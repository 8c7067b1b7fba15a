//! Contest context of a worker: its rules, its sandbox, and the bots built so far.

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

use super::super::broker::{Broker, Tried};
use super::super::wire::{
    Body, Job, JobGame, RunManifest, VERSION, class_of_builds, class_of_lanes,
};
use super::Worker;
use super::practice::{Bench, Built, Examiner};

/// Maximum size of a run manifest in bytes. It is a list of bots and a few lines.
pub(super) const MOST_CARD: u64 = 64 << 20;

/// Time within which a reachable server answers.
const ANSWER: Duration = Duration::from_secs(5);

/// Reason why a bot cannot play on this worker.
#[derive(Debug, Clone)]
pub(super) enum Cannot {
    /// The bot is at fault.
    Unfit(Arc<Unfit>),
    /// This machine is broken and plays no further games.
    Broken(String),
    /// The server did not deliver the bot, or what it wants cannot be had here; others may have it.
    Away(String),
}

/// A contest, as a worker plays it.
#[derive(Debug)]
pub(super) struct Stand {
    pub(super) contest: String,
    pub(super) card: RunManifest,
    pub(super) game: Arc<dyn DynGame>,
    pub(super) options: Options,
    /// Required tools that this machine lacks.
    pub(super) missing: Vec<String>,
    /// Job classes that this worker can take, those that need most tools first, because other
    /// workers may not be able to.
    pub(super) classes: Vec<String>,
    /// The classes of a practice server's builds for this worker.
    pub(super) builds: Vec<String>,
    takers: Mutex<HashMap<String, PullConsumer>>,
    bots: Vec<OnceCell<Result<Entrant, Cannot>>>,
    /// Folder in which bots are unpacked and built.
    cache: PathBuf,
    /// Builds the versions of a practice server.
    pub(super) examiner: Arc<dyn Examiner>,
    /// Whether this is the context of a practice server's job.
    is_of_practice: bool,
}

impl Stand {
    /// The game of a received run manifest.
    ///
    /// # Errors
    /// The error in the run manifest.
    pub(super) fn game_of(card: &RunManifest) -> Result<Arc<dyn DynGame>, String> {
        if card.version != VERSION {
            return Err(format!("it is of version {}, and this is {VERSION}", card.version));
        }
        card.check().map_err(|what| format!("no contest has {what}"))?;
        if worst_game(&card.limits) == Duration::MAX {
            return Err("its games need not end".into());
        }
        let spec: GameSpec = card.game.parse().map_err(|fault| format!("{fault}"))?;
        if spec.is_file() {
            return Err(format!("{:?} is a path, and no game's name", card.game));
        }
        let game = games::find(&spec).map_err(|faults| faults.to_string())?;
        if game.id() != card.rules {
            return Err(format!("its rules are {}, and here they are {}", card.rules, game.id()));
        }
        Ok(game)
    }

    /// Returns whether any of its bots is a submission.
    pub(super) fn has_handed_in(card: &RunManifest) -> bool {
        card.bots.iter().any(|bot| matches!(bot.body, Body::Bundle))
    }

    /// The required guarantees.
    pub(super) fn requirements_of(card: &RunManifest) -> Result<Requirements, String> {
        card.require.parse()
    }

    pub(super) fn new(
        contest: String,
        card: RunManifest,
        game: Arc<dyn DynGame>,
        sandbox: &Arc<Sandbox>,
        worker: &Worker<'_>,
        instance: &str,
    ) -> Self {
        let options = Options::of_this_machine(sandbox);
        let all: Vec<usize> = (0..card.bots.len()).collect();
        let needed = card.tools_of(&all);
        let missing: Vec<String> = needed
            .into_iter()
            .filter(|tool| options.tools.find(tool).is_none())
            .map(str::to_owned)
            .collect();
        let (classes, builds) = if card.practice {
            (vec![class_of_lanes(instance)], vec![class_of_builds(instance)])
        } else {
            (classes(&card, &missing), Vec::new())
        };
        Self {
            contest,
            bots: all.iter().map(|_| OnceCell::new()).collect(),
            card,
            game,
            options,
            missing,
            classes,
            builds,
            takers: Mutex::default(),
            cache: worker.cache.clone(),
            examiner: Arc::clone(&worker.examiner),
            is_of_practice: false,
        }
    }

    /// The context of a job of this practice server, with the bots of that job alone.
    pub(super) fn of_job(
        &self,
        card: RunManifest,
        game: Arc<dyn DynGame>,
        sandbox: &Arc<Sandbox>,
    ) -> Self {
        let options = Options { sandbox: Arc::clone(sandbox), ..self.options.clone() };
        let all: Vec<usize> = (0..card.bots.len()).collect();
        let has = |tool: &&str| options.tools.find(tool).is_some();
        let missing = card.tools_of(&all).into_iter().filter(|tool| !has(tool));
        let missing = missing.map(str::to_owned).collect();
        Self {
            contest: self.contest.clone(),
            bots: all.iter().map(|_| OnceCell::new()).collect(),
            card,
            game,
            options,
            missing,
            classes: Vec::new(),
            builds: Vec::new(),
            takers: Mutex::default(),
            cache: self.cache.clone(),
            examiner: Arc::clone(&self.examiner),
            is_of_practice: true,
        }
    }

    /// Fetches the next job of these classes, if there is one.
    pub(super) async fn fetch(
        &self,
        classes: &[String],
        post: &Broker,
    ) -> Option<async_nats::jetstream::Message> {
        let mut takers = self.takers.lock().await;
        for class in classes {
            match tokio::time::timeout(ANSWER, self.fetch_of(class, post, &mut takers)).await {
                Ok(Ok(Some(message))) => return Some(message),
                Ok(Ok(None)) => {}
                // The server is away: the others would not be heard either.
                Err(_) => {
                    takers.remove(class);
                    return None;
                }
                // The server may have forgotten who takes what: asked anew the next time.
                Ok(Err(_)) => drop(takers.remove(class)),
            }
        }
        None
    }

    async fn fetch_of(
        &self,
        class: &str,
        post: &Broker,
        takers: &mut HashMap<String, PullConsumer>,
    ) -> Tried<Option<async_nats::jetstream::Message>> {
        let taker = match takers.get(class) {
            Some(taker) => taker,
            None => {
                let patience = Duration::from_secs(self.card.patience_s);
                let taker = post.takers(&self.contest, class, patience).await?;
                takers.entry(class.to_owned()).or_insert(taker)
            }
        };
        let fetched = taker.fetch().max_messages(1).messages().await;
        let mut messages = fetched.map_err(super::super::broker::while_("fetch a job"))?;
        let next = messages.next().await.transpose();
        next.map_err(super::super::broker::while_("fetch a job"))
    }

    /// The games of a job with its two bots, numbered from 0.
    pub(super) async fn batch(
        &self,
        number: u64,
        job: &Job,
        post: &Broker,
    ) -> Result<Batch, Cannot> {
        let mut entrants = Vec::new();
        for &bot in &job.bots {
            entrants.push(self.bot(bot, post).await?);
        }
        let tasks = (0..).zip(&job.games).map(|(number, game)| self.task(number, job, game));
        let tasks = tasks.collect();
        let table = Table {
            game: Arc::clone(&self.game),
            seed: self.card.seed,
            stopping: self.card.stopping,
            entrants,
        };
        Ok(Batch { number, table: Arc::new(table), tasks })
    }

    fn task(&self, number: u64, job: &Job, game: &JobGame) -> ScheduledGame {
        let seats = if game.swapped { BySide::new(1, 0) } else { BySide::new(0, 1) };
        ScheduledGame { number, key: self.card.key(job, game), bots: seats }
    }

    /// Returns a bot, which is unpacked and built at its first use.
    pub(super) async fn bot(&self, bot: usize, post: &Broker) -> Result<Entrant, Cannot> {
        let built = self.bots[bot].get_or_try_init(|| async {
            match self.make(bot, post).await {
                // Failures that may be temporary are retried.
                Err(Cannot::Away(why)) => Err(Cannot::Away(why)),
                made => Ok(made),
            }
        });
        built.await?.clone()
    }

    async fn make(&self, bot: usize, post: &Broker) -> Result<Entrant, Cannot> {
        match &self.card.bots[bot].body {
            Body::House { player, in_process } => self.house(bot, player, *in_process),
            Body::Bundle => self.unpacked(bot, post).await,
        }
    }

    fn house(&self, bot: usize, player: &str, in_process: bool) -> Result<Entrant, Cannot> {
        let known = &self.card.bots[bot];
        let player: PlayerSpec =
            player.parse().map_err(|fault| Cannot::Broken(format!("{player:?}: {fault}")))?;
        let naming =
            Naming { name: Some(known.id.name.clone()), display: Some(known.display.clone()) };
        let command = PlayerCommand::house(&player, naming, &self.options);
        let command = command.map_err(|fault| Cannot::Broken(fault.to_string()))?;
        if command.id != known.id {
            let why = "house bots play otherwise here than where the tournament is; install the same \
                       version everywhere";
            return Err(Cannot::Broken(why.into()));
        }
        let entrant = Entrant::process(command);
        let start = if in_process { Start::InProcess(player) } else { entrant.start.clone() };
        Ok(Entrant { start, ..entrant })
    }

    /// The files of a bot, which are fetched at its first use.
    pub(super) async fn fetched(&self, bot: usize, post: &Broker) -> Result<Snapshot, Cannot> {
        let known = &self.card.bots[bot];
        let limits = self.options.limits;
        if let Some(snapshot) = Snapshot::kept(&known.id.hash, &self.cache, limits) {
            return Ok(snapshot);
        }
        let name = super::super::bundle_name(&known.id.hash);
        // Compressed, what may be handed in is hardly larger.
        let bytes = post.get(&name, limits.bytes + limits.bytes / 8 + (1 << 20)).await;
        let bytes = bytes.map_err(|trouble| Cannot::Away(trouble.to_string()))?;
        let unpacked = Snapshot::unpack(&*bytes, &known.id.hash, &self.cache, limits);
        unpacked.map_err(|fault| unusable(&known.id.name, fault))
    }

    /// Builds a version for a practice server.
    pub(super) async fn built(&self, bot: usize, post: &Broker) -> Result<Built, Cannot> {
        self.fetched(bot, post).await?;
        let (examiner, bench) = (Arc::clone(&self.examiner), self.bench());
        let id = self.card.bots[bot].id.clone();
        let built = tokio::task::spawn_blocking(move || examiner.build(&bench, &id)).await;
        match built {
            Ok(built) => built.map_err(Cannot::Broken),
            Err(panic) => Err(Cannot::Away(panic.to_string())),
        }
    }

    pub(super) fn bench(&self) -> Bench {
        Bench {
            cache: self.cache.clone(),
            game: Arc::clone(&self.game),
            limits: self.card.limits.clone(),
            sandbox: Arc::clone(&self.options.sandbox),
        }
    }

    async fn unpacked(&self, bot: usize, post: &Broker) -> Result<Entrant, Cannot> {
        if self.is_of_practice {
            // It was built elsewhere, and whether it can be built again is its author's doing: that
            // must not end a worker.
            return self.built(bot, post).await?.entrant.map_err(Cannot::Away);
        }
        let snapshot = self.fetched(bot, post).await?;
        let known = self.card.bots[bot].clone();
        let (options, game) = (self.options.clone(), self.game.spec());
        let built = tokio::task::spawn_blocking(move || {
            let base = game.split(',').next().unwrap_or_default();
            let (name, display) = (known.id.name, known.display);
            Admitted::elsewhere(snapshot, name, display, base, options.limits)?.build(&options)
        });
        match built.await {
            Ok(Ok(prepared)) => Ok(Entrant::process(prepared.command)),
            Ok(Err(PrepareError::Bot(unfit))) => Err(Cannot::Unfit(Arc::new(*unfit))),
            Ok(Err(PrepareError::Store(fault))) => Err(Cannot::Broken(fault.to_string())),
            Err(panic) => Err(Cannot::Broken(panic.to_string())),
        }
    }
}

/// Reason for a bundle whose content does not match its hash: it may have been tampered with, in
/// transit or on the server; that is no reason to end.
fn unusable(name: &BotName, fault: BundleError) -> Cannot {
    match fault {
        BundleError::Refused(_) => Cannot::Away(format!("{name}: {fault}")),
        BundleError::Store(fault) => Cannot::Broken(fault.to_string()),
    }
}

/// The classes of jobs for which no tool is missing, those that need most first.
fn classes(card: &RunManifest, missing: &[String]) -> Vec<String> {
    let mut classes: Vec<_> = card.classes().into_iter().collect();
    classes.retain(|(_, tools)| missing.iter().all(|tool| !tools.contains(tool)));
    classes.sort_by_key(|(_, tools)| std::cmp::Reverse(tools.len()));
    classes.into_iter().map(|(class, _)| class).collect()
}
