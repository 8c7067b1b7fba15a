//! Crew: the workers of a practice server, over NATS.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pitmaster_bots::submission::{Snapshot, shown_path};
use pitmaster_cluster::{
    self as cluster, Access, Body, BotEntry, ContestBot, CoordinatorHooks, Embedded, JobOutput,
    JobRequest, PracticeCoordinator, WorkerInfo,
};
use pitmaster_core::{BotHash, BotId, Isolation, Requirements, Untrusted};
use pitmaster_runner::{Batch, Entrant, Machine, Played, Start, Stopping};
use pitmaster_store::{KnownIsolation, host_name};

use super::admission::judge;
use super::login::LoginFiles;
use super::{bundle, embedded};
use crate::isolation::applicable;
use crate::practice::{BuildReport, LIMITS, VersionOrder, Workers};
use crate::{Contest, Error, IsolationOptions, Observer};

/// Options of a practice server's workers.
#[derive(Debug, Clone)]
pub struct CrewOptions {
    /// The NATS server: `nats://HOST:PORT`, or `embedded`, or `embedded=ADDRESS:PORT`.
    pub server: String,
    /// The time after which jobs of a silent worker go to others.
    pub patience: Duration,
    /// Whether a server that requires no login is accepted.
    pub open: bool,
    /// Login.
    pub login: LoginFiles,
    /// Isolation of the bots; by default that of the ladder's tournament file.
    pub isolation: IsolationOptions,
}

/// The workers of a practice server.
#[derive(Debug)]
pub struct Crew {
    practice: PracticeCoordinator,
    isolations: Arc<Isolations>,
    command: String,
    /// Folder of bundles.
    bundles: PathBuf,
    /// Folder of snapshots.
    bots: PathBuf,
    /// Commands that versions need, by their hashes.
    tools: Mutex<HashMap<BotHash, Vec<String>>>,
    /// The NATS server, if it is one of this process.
    embedded: Mutex<Option<Embedded>>,
}

/// Isolation on the workers, by the numbers that their games have.
#[derive(Debug, Default)]
struct Isolations(Mutex<Vec<KnownIsolation>>);

impl Isolations {
    fn lock(&self) -> MutexGuard<'_, Vec<KnownIsolation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number_of(&self, about: &WorkerInfo, isolation: &Isolation) -> u32 {
        let mut known = self.lock();
        let number = known.len() as u32;
        let new = KnownIsolation {
            number,
            isolation: isolation.clone(),
            host: about.host.clone(),
            kernel: about.kernel.clone(),
        };
        let is_same = |it: &&KnownIsolation| KnownIsolation { number, ..(*it).clone() } == new;
        if let Some(same) = known.iter().find(is_same) {
            return same.number;
        }
        known.push(new);
        number
    }
}

impl Crew {
    /// Waits for workers on a server. They are admitted with the guarantees that the ladder of this
    /// tournament file requires. `folder` is that of the practice server.
    ///
    /// # Errors
    /// The file has errors, or the NATS server cannot be used.
    pub fn begin(
        options: &CrewOptions,
        folder: &Path,
        ladder: &Path,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let contest = Contest::read(ladder, observer)?;
        let server = embedded(&options.server, folder)?;
        let url = server.as_ref().map_or_else(|| options.server.clone(), Embedded::url);
        let access = options.login.access(&url, observer)?.accepting_open(options.open);
        let isolations = Arc::<Isolations>::default();
        let conditions = conditions(&contest, options, folder);
        let hooks = hooks(&conditions, &isolations)?;
        let practice = PracticeCoordinator::start(conditions, &access, hooks)?;
        Ok(Self {
            practice,
            isolations,
            command: command(&access, server.as_ref(), folder, options.open),
            bundles: folder.join("cluster").join("bundles"),
            bots: folder.join("bots"),
            tools: Mutex::default(),
            embedded: Mutex::new(server),
        })
    }

    fn run(&self, request: &JobRequest, goes_on: &dyn Fn() -> bool) -> Result<JobOutput, Error> {
        self.practice.run(request, goes_on).map_err(Error::stopped)
    }

    /// Has a version examined, and returns the report.
    fn examine(
        &self,
        version: &VersionOrder<'_>,
        task: cluster::Task,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<String, Error> {
        let entrant = Entrant {
            id: version.id.clone(),
            dialect: pitmaster_core::Dialect::default(),
            lenient: false,
            start: Start::Elsewhere,
            absent: None,
            anchor: None,
        };
        let request = JobRequest {
            game: Arc::clone(version.game),
            limits: version.limits.clone(),
            seed: version.seed,
            stopping: Stopping::Adaptive,
            bots: vec![self.handed_in(&entrant, version.tools.to_vec())?],
            task,
        };
        match self.run(&request, goes_on)? {
            JobOutput::Report(report) => Ok(report),
            JobOutput::Games(_) => Err(Error::stopped("a worker played what it was to examine")),
        }
    }

    fn contest_bot(&self, entrant: &Entrant) -> Result<ContestBot, Error> {
        let Start::InProcess(player) = &entrant.start else {
            let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
            let tools = tools.get(&entrant.id.hash).cloned().unwrap_or_default();
            return self.handed_in(entrant, tools);
        };
        let body = Body::House { player: player.to_string(), in_process: false };
        Ok(ContestBot { entry: entry(entrant, Vec::new(), body), bundle: None })
    }

    fn handed_in(&self, entrant: &Entrant, tools: Vec<String>) -> Result<ContestBot, Error> {
        let bundle = self.bundle(&entrant.id)?;
        Ok(ContestBot { entry: entry(entrant, tools, Body::Bundle), bundle: Some(bundle) })
    }

    /// Path of a version's bundle, which is packed at its first use.
    fn bundle(&self, id: &BotId) -> Result<PathBuf, Error> {
        let path = self.bundles.join(id.hash.as_str());
        if path.is_file() {
            return Ok(path);
        }
        let snapshot = Snapshot::kept(&id.hash, &self.bots, LIMITS).ok_or_else(|| {
            let (bots, hash) = (shown_path(&self.bots), id.hash.as_str());
            Error::stopped(format!("{bots} has no unchanged files of {} ({hash})", id.name))
        })?;
        bundle(&snapshot, &self.bundles).map_err(Error::stopped)
    }
}

impl Workers for Crew {
    fn lanes(&self) -> usize {
        self.practice.lanes()
    }

    fn command(&self) -> String {
        self.command.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.practice.notes()
    }

    fn isolation(&self, number: u32) -> Option<KnownIsolation> {
        self.isolations.lock().get(number as usize).cloned()
    }

    fn learn(&self, hash: &BotHash, tools: &[String]) {
        let mut known = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(hash.clone(), tools.to_vec());
    }

    fn build(
        &self,
        version: &VersionOrder<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<BuildReport, Error> {
        let report = self.examine(version, cluster::Task::Build, goes_on)?;
        serde_json::from_str(&report)
            .map_err(|error| Error::stopped(format!("a worker's report is unreadable: {error}")))
    }

    fn check(
        &self,
        version: &VersionOrder<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<String, Error> {
        self.examine(version, cluster::Task::Check, goes_on)
    }

    fn play(&self, batch: &Batch, goes_on: &dyn Fn() -> bool) -> Result<Vec<Played>, Error> {
        let Some(first) = batch.tasks.first() else { return Ok(Vec::new()) };
        let entrants = [first.bots.one, first.bots.two].map(|bot| &batch.table.entrants[bot]);
        let request = JobRequest {
            game: Arc::clone(&batch.table.game),
            limits: first.key.limits.clone(),
            seed: batch.table.seed,
            stopping: batch.table.stopping,
            bots: entrants
                .map(|bot| self.contest_bot(bot))
                .into_iter()
                .collect::<Result<_, _>>()?,
            task: cluster::Task::Play(batch.tasks.clone()),
        };
        match self.run(&request, goes_on)? {
            JobOutput::Games(games) => Ok(games),
            JobOutput::Report(_) => Err(Error::stopped("a worker examined what it was to play")),
        }
    }

    fn end(&self) {
        self.practice.shut_down();
        let server = self.embedded.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(server);
    }
}

/// The contest without bots that workers are admitted to.
fn conditions(contest: &Contest, options: &CrewOptions, folder: &Path) -> cluster::Contest {
    let tournament = &contest.tournament;
    let require = options.isolation.required(|| tournament.require.clone());
    // The same after a restart, so that what was left on the server is found and removed.
    let path = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let generation = format!("practice {} {}", host_name(), path.display());
    cluster::Contest {
        game: Arc::clone(&tournament.game),
        limits: tournament.limits.clone(),
        seed: pitmaster_core::Seed(0),
        stopping: Stopping::Adaptive,
        tier: options.isolation.tier(tournament.isolation),
        require,
        patience: options.patience,
        generation: BotHash::of(generation.as_bytes()).as_str().to_owned(),
        bots: Vec::new(),
    }
}

/// Admits workers that give the required guarantees.
fn hooks(
    conditions: &cluster::Contest,
    isolations: &Arc<Isolations>,
) -> Result<CoordinatorHooks, Error> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| {
        Error::stopped(format!("the system has no randomness to draw a key from: {error}"))
    })?;
    let require: Requirements = applicable(&conditions.require, &conditions.limits.resources);
    let isolations = Arc::clone(isolations);
    let admit = move |about: &WorkerInfo, isolation: &Isolation| {
        judge(about, isolation, &require)?;
        let number = isolations.number_of(about, isolation);
        Ok(Machine { name: about.name.clone(), isolation: Some(number) })
    };
    Ok(CoordinatorHooks {
        admit: Box::new(admit),
        // Jobs of an earlier process no longer have a requester.
        find_worker: Box::new(|_| None),
        has_record: Box::new(|_| false),
        // The registry remembers the ban as long as this process runs.
        ban: Box::new(|_, _| {}),
        ticket_key: key,
    })
}

fn entry(entrant: &Entrant, tools: Vec<String>, body: Body) -> BotEntry {
    let Entrant { id, dialect, lenient, .. } = entrant.clone();
    let display = Untrusted::new(id.name.as_str());
    BotEntry { id, display, dialect, lenient, tools, body }
}

/// The command that starts a worker.
fn command(access: &Access, server: Option<&Embedded>, folder: &Path, open: bool) -> String {
    let address = server.map_or_else(|| access.shown(), Embedded::shown);
    let token = server.map_or(String::new(), |_| {
        let file = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        format!(" --token-file {}", shown_path(&file.join("cluster").join("token")))
    });
    let open = if open { " --open" } else { "" };
    format!("pitmaster worker {address}{token}{open}")
}
