//! `pitmaster run --cluster`: the same tournament, played by workers on other machines.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pitmaster_bots::Sandbox;
use pitmaster_bots::submission::{StoreFault, shown_path};
use pitmaster_cluster::{
    self as cluster, Body, CardBot, ClusterError, ContestBot, Coordinator, Embedded, Trials, Tried,
};
use pitmaster_core::{BotHash, BotId, Evidence, Requirements, Tier, Untrusted};
use pitmaster_runner::{Entrant, Finish, Start, Trial};
use pitmaster_store::{Store, kernel_release};
use pitmaster_tournament::Absent;
use serde_json::json;

use super::admission::{Admission, Reference};
use super::before::{Contest, judge_trials};
use super::bots::{self, Gathered};
use super::cluster_flags::{AccessFlags, Consent};
use super::contest::{self, Flags, Ground, Hands};
use super::isolation::applicable;
use super::local_worker::LocalWorker;
use super::{Exit, Failure, Outcome, guard, progress};

/// Playing on many machines.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many machines")]
pub(super) struct FarFlags {
    /// Let workers play, over this NATS server: nats://HOST:PORT; or `embedded`, or
    /// embedded=ADDRESS:PORT, to start a server here
    #[arg(long, value_name = "SERVER")]
    pub(super) cluster: Option<String>,
    /// Wait for so many workers before the first game
    #[arg(long, value_name = "N", default_value_t = 1, requires = "cluster")]
    workers: u16,
    /// After so many seconds of silence, a worker's games go to others
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "cluster",
          value_parser = clap::value_parser!(u16).range(2..=3600))]
    patience: u16,
    /// Play over a server that lets in anybody without a login
    #[arg(long, requires = "cluster")]
    open: bool,
    #[command(flatten)]
    access: AccessFlags,
}

/// Plays a contest to its end on other machines, or what is missing of it.
pub(super) fn play(
    mut contest: Contest,
    server: &str,
    far: &FarFlags,
    flags: &Flags,
    out: &mut dyn std::io::Write,
) -> Outcome {
    let ground = contest::prepare_ground(&mut contest, flags)?;
    // Before a server is started here, which it ends when this process is killed.
    let _guard = guard::start();
    let embedded = embedded(server, &ground.folder)?;
    let server = embedded.as_ref().map_or_else(|| server.to_owned(), Embedded::url);
    let access = far.access.access(&server)?.accepting_open(far.open);
    let mut gathered = admit(&contest, &ground)?;
    contest::judge_gathered(&contest, &gathered, &|text| ground.say(text))?;
    let order = order(&contest, &gathered, &ground, far)?;
    let reference = Reference::of(&ground.store)?;
    let require = required(&contest, ground.flags);
    let require = applicable(&require, &contest.tournament.limits.resources);
    let gate = Admission { require, mix: ground.flags.mix_isolation, reference: reference.clone() }
        .gate(&ground.store)?;
    let coordinator = Coordinator::begin(order, &access, gate).map_err(failure)?;
    // Its operator is the one of the tournament: what that asks for is wanted here.
    let bare = flags.isolation.wanted(contest.tournament.isolation) == Some(Tier::Bare);
    let consent = Consent { open: far.open, bare };
    let token = embedded.as_ref().map(|_| ground.folder.join("cluster").join("token"));
    let local_access = match &token {
        Some(file) => &AccessFlags::with_token(file.clone()),
        None => &far.access,
    };
    let local_server = embedded.as_ref().map_or_else(|| server.clone(), |_| access.shown());
    let mut local =
        LocalWorker::start(flags.lanes, &flags.cores, &local_server, local_access, consent)?;
    let say = |text: &str| ground.say(text);
    let token = token.map_or(String::new(), |file| format!(" --token-file {}", shown_path(&file)));
    let consent = consent.words().map(|word| format!(" {word}")).collect::<String>();
    let command = format!("pitmaster worker {}{token}{consent}", access.shown());
    let look = || local.as_mut().map_or(Ok(()), LocalWorker::look);
    coordinator.wait_for_workers(far.workers.into(), &command, &say, look)?;
    let (thinking, left_open) = try_all(&coordinator, &contest, &ground, &mut gathered);
    let workers = coordinator.workers();
    let hands = Hands {
        gathered,
        crew: coordinator.crew(),
        lanes: workers.iter().map(|worker| worker.lanes as usize).sum(),
        isolation: reference.isolation(),
        thinking,
        left_open,
        run: None,
        host: json!({
            "host": pitmaster_store::host_name(),
            "kernel": kernel_release(),
            "workers": workers,
            "pitmaster": env!("CARGO_PKG_VERSION"),
        }),
    };
    let finish = contest::play_with(&contest, &ground, hands);
    let complete = matches!(finish, Ok(Ok(Finish::Complete)));
    if complete {
        // What comes late is of no use to whoever plays games of it again.
        ground.store.end_generation()?;
    }
    coordinator.end(complete);
    drop(local);
    drop(embedded);
    contest::conclude_on(ground, finish?, out)
}

/// Says what is wrong with a cluster, with the exit code of its kind.
#[expect(clippy::needless_pass_by_value, reason = "it is what errors are turned by")]
pub(super) fn failure(error: ClusterError) -> Failure {
    let exit = match error {
        ClusterError::Missing(_) => Exit::Missing,
        ClusterError::Connect(_)
        | ClusterError::Server(_)
        | ClusterError::Refused(_)
        | ClusterError::Broken(_) => Exit::Stopped,
    };
    Failure { exit, message: error.to_string() }
}

/// Starts a server, if one is asked for.
fn embedded(server: &str, folder: &Path) -> Result<Option<Embedded>, Failure> {
    let listen = match server.split_once('=') {
        Some(("embedded", address)) => Some(address.parse().map_err(|_| {
            Failure::wrong(format!(
                "{address:?} is no address to listen on; write embedded=0.0.0.0:4222 for all \
                 machines of a network, or embedded for this one"
            ))
        })?),
        _ if server == "embedded" => None,
        _ => return Ok(None),
    };
    let started = Embedded::start(&folder.join("cluster"), listen);
    started.map(Some).map_err(Failure::stopped)
}

/// Copies what was handed in. Nothing is built here, and house bots are known by what they are.
fn admit(contest: &Contest, ground: &Ground<'_>) -> Result<Gathered, Failure> {
    let sandbox = Sandbox::open(&contest.tournament.limits.resources);
    contest::gather(contest, ground, &sandbox, "copied", bots::admit)
}

/// What is played, for those who play it.
fn order(
    contest: &Contest,
    gathered: &Gathered,
    ground: &Ground<'_>,
    far: &FarFlags,
) -> Result<cluster::Contest, Failure> {
    let tournament = &contest.tournament;
    let bundles = ground.folder.join("cluster").join("bundles");
    let playing = gathered.entrants.iter().filter(|entrant| entrant.absent.is_none());
    let bots = playing.map(|entrant| contest_bot(entrant, gathered, &bundles));
    Ok(cluster::Contest {
        game: Arc::clone(&tournament.game),
        limits: tournament.limits.clone(),
        seed: tournament.seed,
        stopping: ground.flags.stop.into(),
        tier: ground.flags.isolation.wanted(tournament.isolation),
        require: required(contest, ground.flags),
        patience: Duration::from_secs(far.patience.into()),
        generation: generation(&ground.store)?,
        bots: bots.collect::<Result<_, _>>()?,
    })
}

/// Which playing of the tournament this is: the one that has begun, or a new one.
fn generation(store: &Store) -> Result<String, Failure> {
    if let Some(generation) = store.reader()?.generation()? {
        return Ok(generation);
    }
    let new = cluster::instance();
    store.put_generation(&new)?;
    Ok(new)
}

/// What must be promised of every worker. Bots of the house need nothing.
fn required(contest: &Contest, flags: &Flags) -> Requirements {
    if contest.found.iter().any(bots::Found::was_handed_in) {
        flags.isolation.required(|| contest.tournament.require.clone())
    } else {
        Requirements::default()
    }
}

fn contest_bot(
    entrant: &Entrant,
    gathered: &Gathered,
    bundles: &Path,
) -> Result<ContestBot, Failure> {
    let name = &entrant.id.name;
    let known = gathered.known.iter().find(|known| known.id == entrant.id);
    let display =
        known.map_or_else(|| Untrusted::new(name.as_str()), |known| known.display.clone());
    let handed_in = gathered.handed_in.iter().find(|(of, _)| of == name).map(|(_, what)| what);
    let (body, tools, bundle) = match handed_in {
        Some(what) => {
            let bundle = bundle(what, &entrant.id.hash, bundles);
            let bundle = bundle.map_err(Failure::stopped)?;
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
    Ok(ContestBot { card: CardBot { id, display, dialect, lenient, tools, body }, bundle })
}

/// Packs a bot, unless that was done; complete or not at all.
fn bundle(what: &bots::HandedIn, hash: &BotHash, folder: &Path) -> Result<PathBuf, StoreFault> {
    let path = folder.join(hash.as_str());
    if path.is_file() {
        return Ok(path);
    }
    let fault = |doing: &'static str| {
        let path = path.clone();
        move |error| StoreFault { doing, path, error }
    };
    fs::create_dir_all(folder).map_err(fault("create"))?;
    let new = folder.join(format!("{}.new", hash.as_str()));
    let file = File::create(&new).map_err(fault("create"))?;
    what.snapshot.pack(std::io::BufWriter::new(file))?;
    fs::rename(&new, &path).map_err(fault("create"))?;
    Ok(path)
}

/// Lets workers build and try every bot. The mean time of a move, and with whom nobody can play.
fn try_all(
    coordinator: &Coordinator,
    contest: &Contest,
    ground: &Ground<'_>,
    gathered: &mut Gathered,
) -> (Duration, Vec<BotId>) {
    let playing: Vec<BotId> = gathered
        .entrants
        .iter()
        .filter(|entrant| entrant.absent.is_none())
        .map(|entrant| entrant.id.clone())
        .collect();
    let bar =
        progress::bar(ground.flags.quiet, playing.len() as u64, "{bar:30} {pos}/{len} bots tried");
    let say = |text: &str| bar.suspend(|| ground.say(text));
    let trials = coordinator.try_bots(&say, &|count| bar.set_position(count as u64));
    bar.finish_and_clear();
    let Trials { tried, nobody } = trials;
    let mut left_open = Vec::new();
    for (bot, tools) in nobody {
        let (name, tools) = (&playing[bot].name, tools.join(", "));
        progress::say(&format!(
            "{name} can be played by nobody: no worker has {tools}; its games are left open: install \
             it on a worker and run again"
        ));
        left_open.push(playing[bot].clone());
    }
    let mut moves = Vec::new();
    for (bot, id) in playing.iter().enumerate() {
        match tried.get(&bot) {
            Some(Tried::Unfit { fault, why }) => leave_out(gathered, contest, id, fault, why),
            Some(tried) => moves.push((trial(tried), Duration::ZERO)),
            None => moves.push((Trial::Passed(Duration::ZERO), Duration::ZERO)),
        }
    }
    (judge_trials(gathered, contest, moves, &say), left_open)
}

/// A bot that workers found unfit, as one that is found unfit here.
fn leave_out(
    gathered: &mut Gathered,
    contest: &Contest,
    id: &BotId,
    fault: &pitmaster_core::Fault,
    why: &str,
) {
    let path = gathered.known.iter().find(|known| known.id == *id).map(|known| &known.path);
    let place = contest.found.iter().find(|found| Some(&found.shown()) == path);
    let at = place.map_or(String::new(), |found| contest.at(found.place));
    let absent = contest.tournament.bots.absent;
    let shown = Untrusted::new(why).shown_lines(4000);
    let becomes = match absent {
        Absent::LeaveOut => "left out",
        Absent::Forfeit => "forfeits all games",
    };
    progress::say(&format!("{at}{} cannot play ({becomes}): {shown}", id.name));
    match absent {
        Absent::LeaveOut => gathered.leave_out(id, &shown),
        Absent::Forfeit => bots::set_absent(gathered, id, fault),
    }
}

fn trial(tried: &Tried) -> Trial {
    match tried {
        Tried::Passed { took_ns } => Trial::Passed(Duration::from_nanos(*took_ns)),
        Tried::Failed { fault, line } => {
            let evidence = Evidence { line: line.clone(), ..Evidence::default() };
            Trial::Failed(fault.clone(), evidence)
        }
        Tried::Untried { fault } => Trial::Untried(fault.clone()),
        Tried::Unfit { fault, .. } => Trial::Failed(fault.clone(), Evidence::default()),
    }
}
