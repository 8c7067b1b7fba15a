//! Remote play: a contest whose games are played by workers on other machines.

mod admission;
mod crew;
mod local_worker;
mod login;

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use admission::is_a_name;
use admission::{Admission, Reference};
pub use crew::{Crew, CrewOptions};
use local_worker::LocalWorker;
pub use login::{Consent, LoginFiles};
use pitmaster_bots::submission::{Snapshot, SnapshotError, shown_path};
use pitmaster_cluster::{
    self as cluster, Access, Body, BotEntry, ContestBot, Coordinator, Embedded, TrialOutcome,
    Trials,
};
use pitmaster_core::{BotId, Evidence, Requirements, Tier, Untrusted};
use pitmaster_runner::{Entrant, Finish, Start, Trial};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{Store, kernel_release};
use pitmaster_tournament::Absent;
use serde_json::json;

use crate::bots::{Found, Source};
use crate::contest::Contest;
use crate::isolation::applicable;
use crate::lineup::{self, Lineup, Preparation};
use crate::observer::Steps;
use crate::preflight::{Pace, judge_trials};
use crate::run::{Ended, Participants, RunContext, RunOptions};
use crate::{Error, Observer, Task, guard};

/// Environment variable with the server's address for workers.
pub const SERVER: &str = "PITMASTER_NATS_SERVER";

/// Options of a coordinator.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// The NATS server: `nats://HOST:PORT`, or `embedded`, or `embedded=ADDRESS:PORT`.
    pub server: String,
    /// The number of workers required before the first game.
    pub workers: u16,
    /// The time after which games of a silent worker are reassigned.
    pub patience: Duration,
    /// Whether a server that requires no login is accepted.
    pub open: bool,
    /// Login.
    pub login: LoginFiles,
    /// The command that starts a worker, to be followed by its flags. Used if the run has lanes of
    /// its own.
    pub worker: Vec<OsString>,
}

/// Plays a contest, or its pending games, on workers and writes its files.
///
/// # Errors
/// An error before the first game. Later errors are in [`Ended`].
pub fn play(
    mut contest: Contest,
    remote: &RemoteOptions,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Ended, Error> {
    refuse_tables(&contest.found)?;
    let context = RunContext::open(&mut contest, options, observer)?;
    // The guard also ends the server that is started next, if this process is killed.
    let _guard = guard::start();
    let embedded = embedded(&remote.server, &options.folder)?;
    let server = embedded.as_ref().map_or_else(|| remote.server.clone(), Embedded::url);
    let access = remote.login.access(&server, observer)?.accepting_open(remote.open);
    let sandbox = Sandbox::open(&contest.tournament.limits.resources);
    let mut lineup = context.prepare(&contest, &sandbox, Preparation::Copy)?;
    context.report_unfit(&contest, &lineup)?;
    let order = order(&contest, &lineup, &context, remote)?;
    let reference = Reference::of(&context.store)?;
    let require = required(&contest, options);
    let require = applicable(&require, &contest.tournament.limits.resources);
    let hooks = Admission { require, mix: options.mix_isolation, reference: reference.clone() }
        .hooks(&context.store)?;
    let coordinator = Coordinator::start(order, &access, hooks)?;
    let nearby = Nearby::new(&contest, &context, remote, embedded.is_some());
    let address = if embedded.is_some() { access.shown() } else { server };
    let mut local = nearby.start(&options.cores, &address)?;
    let note = |text: &str| observer.note(text);
    let look = || local.as_mut().map_or(Ok(()), LocalWorker::look);
    let command = nearby.command_for_others(&access);
    coordinator.wait_for_workers(remote.workers.into(), &command, &note, look)?;
    let (pace, left_open) = try_all(&coordinator, &contest, observer, &mut lineup);
    let workers = coordinator.workers();
    let participants = Participants {
        lineup,
        crew: coordinator.executor(),
        lanes: workers.iter().map(|worker| worker.lanes as usize).sum(),
        isolation: reference.isolation(),
        pace,
        left_open,
        run: None,
        host: json!({
            "host": pitmaster_store::host_name(),
            "kernel": kernel_release(),
            "workers": workers,
            "pitmaster": env!("CARGO_PKG_VERSION"),
        }),
    };
    let absentees = participants.lineup.absentees(contest.tournament.bots.absent);
    let finish = context.play(&contest, participants);
    let complete = matches!(finish, Ok(Ok(Finish::Complete)));
    if complete {
        // Late results must not count in a replay of these games.
        context.store.end_generation()?;
    }
    coordinator.shut_down(complete);
    drop(local);
    drop(embedded);
    Ok(context.conclude(finish?, absentees))
}

/// The worker of this machine, and the data that others need to join.
struct Nearby<'a> {
    remote: &'a RemoteOptions,
    consent: Consent,
    /// The token of an embedded server.
    token: Option<PathBuf>,
}

impl<'a> Nearby<'a> {
    fn new(
        contest: &Contest,
        context: &RunContext<'_>,
        remote: &'a RemoteOptions,
        is_embedded: bool,
    ) -> Self {
        let options = context.options;
        // This worker and the tournament have the same operator, so the tier of the tournament is
        // accepted.
        let bare = options.isolation.tier(contest.tournament.isolation) == Some(Tier::Bare);
        let token = is_embedded.then(|| options.folder.join("cluster").join("token"));
        Self { remote, consent: Consent { open: remote.open, bare }, token }
    }

    fn start(
        &self,
        cores: &pitmaster_runner::Wish,
        server: &str,
    ) -> Result<Option<LocalWorker>, Error> {
        let login = match &self.token {
            Some(file) => &LoginFiles::with_token(file.clone()),
            None => &self.remote.login,
        };
        LocalWorker::start(&self.remote.worker, cores, server, login, self.consent)
    }

    fn command_for_others(&self, access: &Access) -> String {
        let token = self.token.as_ref();
        let token =
            token.map_or(String::new(), |file| format!(" --token-file {}", shown_path(file)));
        let consent = self.consent.words().map(|word| format!(" {word}")).collect::<String>();
        format!("pitmaster worker {}{token}{consent}", access.shown())
    }
}

/// Starts a NATS server, if one is requested.
fn embedded(server: &str, folder: &Path) -> Result<Option<Embedded>, Error> {
    let listen = match server.split_once('=') {
        Some(("embedded", address)) => Some(address.parse().map_err(|_| {
            Error::invalid(format!(
                "{address:?} is no address to listen on; write embedded=0.0.0.0:4222 for all \
                 machines of a network, or embedded for this one"
            ))
        })?),
        _ if server == "embedded" => None,
        _ => return Ok(None),
    };
    let started = Embedded::start(&folder.join("cluster"), listen);
    started.map(Some).map_err(Error::stopped)
}

/// The contest in the form sent to workers.
fn order(
    contest: &Contest,
    lineup: &Lineup,
    context: &RunContext<'_>,
    remote: &RemoteOptions,
) -> Result<cluster::Contest, Error> {
    let tournament = &contest.tournament;
    let bundles = context.options.folder.join("cluster").join("bundles");
    let playing = lineup.entrants.iter().filter(|entrant| entrant.absent.is_none());
    let bots = playing.map(|entrant| contest_bot(entrant, lineup, &bundles));
    Ok(cluster::Contest {
        game: Arc::clone(&tournament.game),
        limits: tournament.limits.clone(),
        seed: tournament.seed,
        stopping: context.options.stopping,
        tier: context.options.isolation.tier(tournament.isolation),
        require: required(contest, context.options),
        patience: remote.patience,
        generation: generation(&context.store)?,
        bots: bots.collect::<Result<_, _>>()?,
    })
}

/// The generation of the stored run, or a new one.
fn generation(store: &Store) -> Result<String, Error> {
    if let Some(generation) = store.reader()?.generation()? {
        return Ok(generation);
    }
    let new = cluster::new_instance_id();
    store.put_generation(&new)?;
    Ok(new)
}

/// Refuses house bots with endgame tables: workers have other files.
fn refuse_tables(found: &[Found]) -> Result<(), Error> {
    let with_table = |bot: &&Found| matches!(&bot.source, Source::House(bot) if bot.has_table());
    match found.iter().find(with_table) {
        None => Ok(()),
        Some(bot) => Err(Error::invalid(format!(
            "{} reads an endgame table of this machine, which workers do not have; leave the \
             option tables out, or play without a cluster",
            bot.shown()
        ))),
    }
}

/// Guarantees required of every worker. House bots need none.
fn required(contest: &Contest, options: &RunOptions) -> Requirements {
    if contest.found.iter().any(Found::was_handed_in) {
        options.isolation.required(|| contest.tournament.require.clone())
    } else {
        Requirements::default()
    }
}

fn contest_bot(entrant: &Entrant, lineup: &Lineup, bundles: &Path) -> Result<ContestBot, Error> {
    let name = &entrant.id.name;
    let known = lineup.known.iter().find(|known| known.id == entrant.id);
    let display =
        known.map_or_else(|| Untrusted::new(name.as_str()), |known| known.display.clone());
    let handed_in = lineup.handed_in.iter().find(|(of, _)| of == name).map(|(_, what)| what);
    let (body, tools, bundle) = match handed_in {
        Some(what) => {
            let bundle = bundle(&what.snapshot, bundles);
            let bundle = bundle.map_err(Error::stopped)?;
            (Body::Bundle, what.tools.clone(), Some(bundle))
        }
        None => {
            let path = known.map_or("", |known| known.path.as_str());
            let player = path.strip_prefix(pitmaster_players::PREFIX).unwrap_or(path).to_owned();
            let in_process = matches!(entrant.start, Start::InProcess(_));
            (Body::House { player, in_process }, Vec::new(), None)
        }
    };
    let Entrant { id, dialect, lenient, .. } = entrant.clone();
    Ok(ContestBot { entry: BotEntry { id, display, dialect, lenient, tools, body }, bundle })
}

/// Packs a submission, unless its bundle exists already.
fn bundle(snapshot: &Snapshot, folder: &Path) -> Result<PathBuf, SnapshotError> {
    let hash = &snapshot.hash;
    let path = folder.join(hash.as_str());
    if path.is_file() {
        return Ok(path);
    }
    let fault = |doing: &'static str| {
        let path = path.clone();
        move |error| SnapshotError { doing, path, error }
    };
    fs::create_dir_all(folder).map_err(fault("create"))?;
    let new = folder.join(format!("{}.new", hash.as_str()));
    let file = File::create(&new).map_err(fault("create"))?;
    snapshot.pack(std::io::BufWriter::new(file))?;
    fs::rename(&new, &path).map_err(fault("create"))?;
    Ok(path)
}

/// Lets workers build and try every bot. Returns the time per move and the bots that no worker can
/// run.
fn try_all(
    coordinator: &Coordinator,
    contest: &Contest,
    observer: &dyn Observer,
    lineup: &mut Lineup,
) -> (Pace, Vec<BotId>) {
    let playing: Vec<BotId> = lineup
        .entrants
        .iter()
        .filter(|entrant| entrant.absent.is_none())
        .map(|entrant| entrant.id.clone())
        .collect();
    let steps = Steps::new(observer, Task::TryBots, playing.len() as u64);
    let note = |text: &str| observer.note(text);
    let trials = coordinator.try_bots(&note, &|count| steps.reach(count as u64, ""));
    drop(steps);
    let Trials { outcomes, unplayable } = trials;
    let mut left_open = Vec::new();
    for (bot, tools) in unplayable {
        let (name, tools) = (&playing[bot].name, tools.join(", "));
        observer.warn(&format!(
            "{name} can be played by nobody: no worker has {tools}; its games are left open: install \
             it on a worker and run again"
        ));
        left_open.push(playing[bot].clone());
    }
    let mut moves = Vec::new();
    for (bot, id) in playing.iter().enumerate() {
        match outcomes.get(&bot) {
            Some(TrialOutcome::Unfit { fault, reason }) => {
                leave_out(lineup, contest, observer, id, fault, reason);
            }
            Some(outcome) => moves.push((trial(outcome), Duration::ZERO)),
            None => moves.push((Trial::Passed(Duration::ZERO), Duration::ZERO)),
        }
    }
    (judge_trials(lineup, contest, moves, observer), left_open)
}

/// Leaves out a bot that workers could not build, like one that could not be built here.
fn leave_out(
    lineup: &mut Lineup,
    contest: &Contest,
    observer: &dyn Observer,
    id: &BotId,
    fault: &pitmaster_core::Fault,
    why: &str,
) {
    let path = lineup.known.iter().find(|known| known.id == *id).map(|known| &known.path);
    let place = contest.found.iter().find(|found| Some(&found.shown()) == path);
    let at = place.map_or(String::new(), |found| contest.at(found.place));
    let absent = contest.tournament.bots.absent;
    let shown = Untrusted::new(why).shown_lines(4000);
    let becomes = match absent {
        Absent::LeaveOut => "left out",
        Absent::Forfeit => "forfeits all games",
    };
    observer.warn(&format!("{at}{} cannot play ({becomes}): {shown}", id.name));
    match absent {
        Absent::LeaveOut => lineup.leave_out(id, &shown),
        Absent::Forfeit => lineup::set_absent(lineup, id, fault),
    }
}

fn trial(outcome: &TrialOutcome) -> Trial {
    match outcome {
        TrialOutcome::Passed { took_ns } => Trial::Passed(Duration::from_nanos(*took_ns)),
        TrialOutcome::Failed { fault, line } => {
            let evidence = Evidence { line: line.clone(), ..Evidence::default() };
            Trial::Failed(fault.clone(), evidence)
        }
        TrialOutcome::Untried { fault } => Trial::Untried(fault.clone()),
        TrialOutcome::Unfit { fault, .. } => Trial::Failed(fault.clone(), Evidence::default()),
    }
}
