//! Service: serves a course's folder and plays its ladders until the process is interrupted.
//!
//! The command line calls [`serve`] to run everything. [`make_course`], [`invite`] and the other
//! functions are administrative tasks that need no browser.

mod config;
mod setup;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pitmaster_runner::{Wish, interrupted};
use pitmaster_season::course::Utc;
use pitmaster_session::IsolationOptions;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use config::{CONFIG_FILE, Config, ConfigError, LISTEN, RESERVE};
pub use setup::{
    FrozenGroups, Invited, LADDER, ToErase, WantedFinal, back_up, erase, freeze, grade, import,
    invite, make_course, renew_code, slug_of, write_final,
};

use crate::database::{BACKUPS, Database, DatabaseError, HashCost};
use crate::exchange::Exchange;
use crate::http::{App, AppSettings, ConnectionLimits, Log, Transport, metrics_router, router};
use crate::kgp;
pub use crate::player::StartWorkers;
use crate::player::{Player, PlayerError, PlayerSettings};
use crate::uploads::Uploads;

/// Number of threads of the web server's runtime.
const WEB_THREADS: usize = 2;

/// Interval between two runs of the chores: the daily backup and the removal of expired rows.
const CHORES_INTERVAL: Duration = Duration::from_hours(1);

/// A server to run, with its settings.
#[derive(Clone)]
pub struct Service {
    /// The course's folder.
    pub folder: PathBuf,
    /// Settings from `server.toml`.
    pub config: Config,
    /// Whether to listen beyond this machine although bots play in this process. Irrelevant with
    /// workers, because no bot plays here then.
    pub trust_bots: bool,
    /// Cores and number of lanes.
    pub cores: Wish,
    /// Isolation of the bots; by default that in each ladder's tournament file.
    pub isolation: IsolationOptions,
    /// Starts accepting workers, which then build, check and play instead of this process.
    pub workers: Option<StartWorkers>,
    /// Log sink for the operator of the server.
    pub log: Log,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Reason why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The address is reachable from other machines, but bots play in this process.
    #[error(
        "{0} can be reached from other machines, and bots play in the process that has everybody's \
         uploads; let workers play with --cluster, give --trust-bots if you trust their authors, or \
         listen on 127.0.0.1"
    )]
    NotTrusted(SocketAddr),
    /// The address cannot be used.
    #[error(
        "cannot listen on {address}: {error}; stop what listens there, or choose another with --listen"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error message.
        error: String,
    },
    /// The system refuses threads or files.
    #[error("cannot serve {}: {error}", folder.display())]
    System {
        /// The course's folder.
        folder: PathBuf,
        /// The system's error message.
        error: String,
    },
    /// Error of the database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Error of a ladder or of the machine.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Current time.
pub fn now() -> Utc {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Utc(since_1970.as_millis().try_into().unwrap_or(i64::MAX))
}

/// Serves a folder until the process is interrupted. It then accepts no new request, waits for
/// running requests and games, and closes the databases. A second interrupt ends the process at
/// once.
///
/// # Errors
/// Everything that prevents the first request.
pub fn serve(service: &Service) -> Result<(), ServiceError> {
    let Service { folder, config, log, .. } = service;
    if let Some(address) = service.untrusted() {
        return Err(ServiceError::NotTrusted(address));
    }
    let system = |error: std::io::Error| ServiceError::System {
        folder: folder.clone(),
        error: error.to_string(),
    };
    let database = Database::open(folder, HashCost::Recommended, now())?;
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(WEB_THREADS).enable_all().build().map_err(system)?;
    let bind = |address: SocketAddr| {
        let bound = runtime.block_on(TcpListener::bind(address));
        bound.map_err(|error| ServiceError::Listen { address, error: error.to_string() })
    };
    let listener = bind(config.listen)?;
    let metrics = config.metrics.map(bind).transpose()?;
    let kgp = config.kgp.map(bind).transpose()?;
    if kgp.is_some() {
        kgp::add_ladders(&database, now())?;
    }
    let address = listener.local_addr().map_err(system)?;
    let uploads = Uploads::open(folder).map_err(system)?;
    sweep(folder, &database, &uploads).map_err(system)?.iter().for_each(|line| log(line));
    let exchange = Exchange::default();
    let player =
        Player::start(database.clone(), uploads.clone(), exchange.clone(), service.player())?;
    log(&announcement(service, &player, address));
    let app = App::new(database.clone(), uploads, exchange.clone(), service.app(kgp.is_some()));
    let clients = app.kgp().zip(kgp).map(|(context, listener)| {
        if let Ok(address) = listener.local_addr() {
            log(&format!("remote players: KGP on {address}, and over WebSocket at /socket"));
        }
        runtime.spawn(kgp::listen(listener, context))
    });
    if let Some(metrics) = metrics {
        runtime.spawn(serve_metrics(metrics, metrics_router(&app, player.lane_use())));
    }
    let stopper = player.stopper();
    let stop = move || {
        exchange.live.stop();
        exchange.lobby.stop();
        stopper();
    };
    let frames = runtime.spawn(app.frames());
    runtime.spawn_blocking(crate::http::prepare_documents);
    runtime.block_on(until_stopped(listener, &app, &database, service, stop));
    frames.abort();
    if let Some(clients) = clients {
        clients.abort();
    }
    app.close_readers();
    player.stop();
    drop(app);
    // Requests that are still running are dropped with the runtime, before the database closes.
    runtime.shutdown_timeout(Duration::from_secs(1));
    drop(database);
    log("stopped: everything is stored");
    Ok(())
}

/// Serves the metrics until the runtime ends.
async fn serve_metrics(listener: TcpListener, router: axum::Router) {
    let limits = ConnectionLimits { connections: 16, ..ConnectionLimits::default() };
    let (never, stop) = watch::channel(false);
    crate::http::serve(listener, router, limits, stop).await;
    drop(never);
}

/// Removes what a crash left behind: unpacked uploads, and uploads that no version refers to unless
/// a database that was set aside may refer to them. Returns lines for the log.
fn sweep(folder: &Path, database: &Database, uploads: &Uploads) -> std::io::Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut is_restored = false;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        is_restored |= name.to_string_lossy().contains(".before-restore-");
    }
    if !is_restored {
        let known = database.uploads().wait().map_err(std::io::Error::other)?;
        let (removed, kept) = uploads.sweep(&known)?;
        if removed > 0 {
            lines.push(format!("removed {removed} uploads that were not committed"));
        }
        if kept > 0 {
            lines.push(format!(
                "warning: uploads/ has {kept} files that season.db does not refer to; they are kept, \
                 in case season.db is not the database that belongs to them"
            ));
        }
    }
    crate::player::clear_staging(folder).map_err(std::io::Error::other)?;
    Ok(lines)
}

fn announcement(service: &Service, player: &Player, address: SocketAddr) -> String {
    let is_local = address.ip().is_loopback();
    let (how, reach) = match (player.lanes(), player.worker_command()) {
        (Some(lanes), _) => {
            let games = if lanes == 1 { "one game" } else { &format!("{lanes} games") };
            let how = format!(
                "{games} at a time; bots play in this process, in the sandbox of a tournament"
            );
            (how, "other machines can reach it (--trust-bots)")
        }
        (None, command) => {
            let command = command.unwrap_or_default();
            let how = format!(
                "workers build and play, this process runs no bot; start one with `{command}`"
            );
            (how, "other machines can reach it")
        }
    };
    let reach = if is_local { "only this machine can reach it" } else { reach };
    format!("serving {} on http://{address}/: {how}; {reach}", service.folder.display())
}

/// Serves requests until an interrupt, which also stops the player and ends live feeds.
async fn until_stopped(
    listener: TcpListener,
    app: &App,
    database: &Database,
    service: &Service,
    stop_others: impl Fn() + Send + Sync + 'static,
) {
    let (stop, stopped) = watch::channel(false);
    let log = std::sync::Arc::clone(&service.log);
    tokio::spawn(async move {
        interrupted().await;
        log("stopping: running games end; again to stop at once");
        let _ = stop.send(true);
        stop_others();
        interrupted().await;
        // Finished games are stored already, and the next start releases the job leases.
        std::process::exit(pitmaster_runner::INTERRUPTED);
    });
    let chores = tokio::spawn(chores(database.clone(), service.clone()));
    crate::http::serve(listener, router(app), ConnectionLimits::default(), stopped).await;
    chores.abort();
}

/// Backs up the database once a day and removes expired rows.
async fn chores(database: Database, service: Service) {
    loop {
        let now = now();
        let mut done = database.tidy(now).await.map(drop);
        if done.is_ok() && !has_backup_of_today(&service.folder, now) {
            done = database.back_up(now).await.map(drop);
        }
        if let Err(error) = done {
            (service.log)(&error.to_string());
        }
        tokio::time::sleep(CHORES_INTERVAL).await;
    }
}

/// Whether a backup was made on the current UTC day.
fn has_backup_of_today(folder: &Path, now: Utc) -> bool {
    let day: String = now.to_string().chars().filter(char::is_ascii_digit).take(8).collect();
    let name = format!("season-{day}");
    let entries = std::fs::read_dir(folder.join("backups")).into_iter().flatten().flatten();
    entries.take(10 * BACKUPS).any(|entry| entry.file_name().to_string_lossy().starts_with(&name))
}

impl Service {
    /// Listen address that is reachable from other machines although bots play in this process.
    fn untrusted(&self) -> Option<SocketAddr> {
        let is_safe = self.trust_bots || self.workers.is_some();
        let addresses = [Some(self.config.listen), self.config.kgp];
        let reached = addresses.into_iter().flatten().find(|address| !address.ip().is_loopback());
        reached.filter(|_| !is_safe)
    }

    fn player(&self) -> PlayerSettings {
        PlayerSettings {
            folder: self.folder.clone(),
            cores: self.cores.clone(),
            isolation: self.isolation.clone(),
            workers: self.workers.clone(),
            now,
            log: std::sync::Arc::clone(&self.log),
        }
    }

    fn app(&self, kgp: bool) -> AppSettings {
        AppSettings {
            site: self.config.site.clone(),
            transport: if self.config.tls { Transport::Tls } else { Transport::Plain },
            reserve: self.config.reserve,
            now,
            log: std::sync::Arc::clone(&self.log),
            kgp,
            plays_here: self.workers.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn service(folder: &Path, listen: &str) -> Service {
        let config = Config::parse(&format!("listen = {listen:?}")).unwrap();
        Service {
            folder: folder.to_owned(),
            config,
            trust_bots: false,
            cores: Wish::default(),
            isolation: IsolationOptions::default(),
            workers: None,
            log: Arc::new(|_| {}),
        }
    }

    #[test]
    fn listening_beyond_this_machine_requires_trust() {
        let folder = tempfile::tempdir().unwrap();
        for listen in ["0.0.0.0:0", "192.0.2.1:80", "[::]:0"] {
            let refused = serve(&service(folder.path(), listen)).unwrap_err();
            assert!(matches!(refused, ServiceError::NotTrusted(_)), "{listen}: {refused}");
        }
        assert!(!folder.path().join("season.db").exists());
    }

    #[test]
    fn workers_make_trust_unnecessary() {
        let folder = tempfile::tempdir().unwrap();
        let alone = service(folder.path(), "192.0.2.1:80");
        assert!(alone.untrusted().is_some());
        let no_workers =
            |_: &Path, _: &dyn pitmaster_session::Observer| unreachable!("nobody comes");
        let with_workers = Service { workers: Some(Arc::new(no_workers)), ..alone };
        assert_eq!(with_workers.untrusted(), None);
    }

    #[test]
    fn a_used_port_is_an_error() {
        let used = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = used.local_addr().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let refused = serve(&service(folder.path(), &address.to_string())).unwrap_err();
        let message = refused.to_string();
        assert!(message.starts_with(&format!("cannot listen on {address}: ")), "{message}");
        assert!(message.ends_with("choose another with --listen"), "{message}");
    }

    #[test]
    fn leftovers_of_a_crash_are_removed_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let database = Database::open(folder, HashCost::Least, Utc(0)).unwrap();
        let uploads = Uploads::open(folder).unwrap();
        std::fs::create_dir_all(folder.join("staging/3f/src")).unwrap();
        std::fs::write(folder.join("staging/3f/src/bot.py"), "x").unwrap();
        let orphan = folder.join("uploads").join("0".repeat(64));
        std::fs::write(&orphan, "x").unwrap();
        let lines = sweep(folder, &database, &uploads).unwrap();
        assert_eq!(std::fs::read_dir(folder.join("staging")).unwrap().count(), 0);
        // The database has no versions at all, so it may be the wrong one.
        assert!(orphan.exists() && lines[0].starts_with("warning: uploads/ has 1 files"));
        std::fs::write(folder.join("season.db.before-restore-1"), "").unwrap();
        assert!(sweep(folder, &database, &uploads).unwrap().is_empty());
    }

    #[test]
    fn there_is_one_backup_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let now = Utc(1_795_215_540_000);
        assert!(!has_backup_of_today(folder.path(), now));
        let database = Database::open(folder.path(), HashCost::Least, now).unwrap();
        database.back_up(now).wait().unwrap();
        assert!(has_backup_of_today(folder.path(), now));
        assert!(has_backup_of_today(folder.path(), now.plus(Duration::from_hours(1))));
        assert!(!has_backup_of_today(folder.path(), now.plus(Duration::from_hours(2))));
    }
}
