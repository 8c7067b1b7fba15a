//! `pitmaster worker`: plays games for a coordinator on another machine.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use pitmaster_bots::submission::shown_path;
use pitmaster_cluster::{ClusterError, Worker};
use pitmaster_session::practice::Examiner;
use pitmaster_session::remote::{Consent, SERVER, is_a_name};
use pitmaster_session::{self as session, Observer as _};
use pitmaster_store::{Readers, make_folder};

use super::cluster_flags::{AccessFlags, ConsentFlags};
use super::cores::CoreFlags;
use super::progress::Mode;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster worker nats://teacher-pc:4222                 play for any coordinator there
  pitmaster worker nats://teacher-pc --lanes 4 --name r5  four games at once, under a name
  pitmaster worker tls://school.org --credentials me.creds --once
  kill -TERM PID                                          finish the running pairs, then exit

A worker waits for a tournament (`pitmaster run … --cluster`) or a practice server (`pitmaster serve …
--cluster`), reports which tools it has, builds the bots in the sandbox and plays until it is stopped.
Its unfinished games go to other workers.";

/// Plays games for a tournament on another machine
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// NATS server: nats://HOST:PORT or tls://HOST:PORT [default: PITMASTER_NATS_SERVER]
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// Games played at once [default: physical cores minus one, at least one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: Option<u16>,
    /// Name stored with its games [default: the host name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Folder for unpacking and building bots [default: pitmaster/bots in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    consent: ConsentFlags,
    /// Exit after the first tournament
    #[arg(long)]
    once: bool,
    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
    /// Exit when standard input ends
    #[arg(long, hide = true)]
    tied: bool,
    #[command(flatten)]
    access: AccessFlags,
}

pub(super) fn run(args: &Args, _: &mut dyn Write) -> Outcome {
    let server = args.server.clone().or_else(|| std::env::var(SERVER).ok());
    let server = server.ok_or_else(|| {
        Failure::wrong(format!("no server given; name it, as nats://HOST:4222, or set {SERVER}"))
    })?;
    let consent = Consent::from(args.consent);
    let access = args.access.access(&server)?.accepting_open(consent.open);
    if let Some(name) = args.name.as_deref().filter(|name| !is_a_name(name)) {
        return Err(Failure::wrong(format!(
            "invalid worker name {name:?}; use 1 to 64 letters, digits, dots, dashes and \
             underscores"
        )));
    }
    let cache = cache(args.cache.clone())?;
    // Started before any build, because orphan processes of builds are reparented to this one.
    let _guard = session::start_guard();
    let watcher = Watcher::new(if args.quiet { Mode::Quiet } else { Mode::People });
    session::cores::load(&watcher);
    let worker = Worker {
        access: &access,
        name: args.name.clone(),
        layout: session::cores::reserve(&args.cores.wish(args.lanes), &watcher)?,
        cache,
        bare: consent.bare,
        once: args.once,
        tied: args.tied,
        examiner: Arc::new(Examiner),
        sandbox: &|wanted, require, resources| {
            let chosen = session::choose_sandbox(wanted, require, resources, &watcher);
            chosen.map_err(|error| ClusterError::Missing(error.to_string()))
        },
        report: &|text| watcher.note(text),
    };
    worker.run().map_err(session::Error::from)?;
    Ok(Exit::Done)
}

/// Folder of unpacked bots, created if it is missing.
fn cache(asked: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let usual = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let usual = usual.filter(|folder| folder.is_absolute());
    let folder = asked.or_else(|| Some(usual?.join("pitmaster").join("bots")));
    let folder = folder
        .ok_or_else(|| Failure::wrong("HOME is not set; name a folder for bots with --cache"))?;
    make_folder(&folder, Readers::Owner).map_err(|error| {
        Failure::wrong(format!(
            "cannot create {}: {error}; name another folder with --cache",
            shown_path(&folder)
        ))
    })?;
    Ok(folder)
}
