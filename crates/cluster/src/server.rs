//! Embedded `nats-server`, which ends with this process.
//!
//! Must not depend on its messages.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use pitmaster_bots::submission::shown_path;
use pitmaster_bots::toolchain::Tools;
use pitmaster_core::Untrusted;
use rustix::process::{Pid, Signal, kill_process};

/// Time limit for a server to accept connections, and for another one to release the folder.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Time limit for a server to exit.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// Polling interval for events that cannot be waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Number of bytes at the end of the log that are shown with an error.
const LOG_TAIL: u64 = 2048;

/// Reason why a server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The program is not installed.
    #[error(
        "nats-server is not on this machine; install it (Debian and Ubuntu: apt install nats-server; elsewhere: https://github.com/nats-io/nats-server/releases) and put it on PATH"
    )]
    Missing,
    /// The server's folder cannot be used.
    #[error("cannot {operation} {}: {error}", shown_path(.path))]
    Folder {
        /// The attempted operation.
        operation: &'static str,
        /// The path of the operation.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// Another server, or the process that started it, still uses the folder.
    #[error("another nats-server is using {}; stop it, or choose another results folder", shown_path(.0))]
    Busy(PathBuf),
    /// The server exited, or accepted no connections in time.
    #[error("nats-server {what}; the end of {}:\n{tail}", shown_path(.log))]
    StartFailed {
        /// What the server did instead.
        what: String,
        /// Last lines of the log. Safe to print.
        tail: String,
        /// Path of the complete log.
        log: PathBuf,
    },
}

impl ServerError {
    fn at<'a>(operation: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |error| Self::Folder { operation, path: path.to_owned(), error }
    }
}

/// A running server, stopped on drop. If this process is killed, the guard of the run stops the
/// server.
///
/// The folder keeps its token, its port and its data, so that clients can reconnect after a restart.
#[derive(Debug)]
pub struct Embedded {
    pid: Pid,
    ended: Receiver<Option<ExitStatus>>,
    addresses: Vec<SocketAddr>,
    token: Token,
}

impl Embedded {
    /// Starts a server in a folder and waits until it accepts connections. The login is a token
    /// generated for the folder. `listen` is the address to listen on; port 0 means the previous
    /// port, or any free one. Without `listen`, only this machine can connect.
    ///
    /// # Errors
    /// The program is missing, the folder cannot be used, or the server exited.
    pub fn start(folder: &Path, listen: Option<SocketAddr>) -> Result<Self, ServerError> {
        let program = Program::find(&Tools::of_this_machine()).ok_or(ServerError::Missing)?;
        let folder = Folder::open(folder)?;
        let token = folder.token()?;
        let logins = format!("authorization {{ token: \"{}\" }}\n", token.0);
        folder.start(&program, listen, &logins, token)
    }

    /// Addresses that the server listens on, the loopback address first if it is among them.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Address for a client on this machine. It includes the token and must not be displayed.
    pub fn url(&self) -> String {
        format!("nats://{}@{}", self.token.0, self.addresses[0])
    }

    /// Address for other machines if the server listens for them, without the token.
    pub fn shown(&self) -> String {
        let is_for_others =
            |address: &&SocketAddr| !address.ip().is_loopback() && address.is_ipv4();
        let address = self.addresses.iter().find(is_for_others).unwrap_or(&self.addresses[0]);
        format!("nats://{address}")
    }

    /// Process id of the server.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().cast_unsigned()
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if !matches!(self.ended.try_recv(), Err(TryRecvError::Empty)) {
            return;
        }
        let _ = kill_process(self.pid, Signal::TERM);
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(STOP_TIMEOUT) {
            let _ = kill_process(self.pid, Signal::KILL);
            let _ = self.ended.recv();
        }
    }
}

/// Path of the server's program.
pub(super) struct Program(PathBuf);

impl Program {
    /// Finds the program on PATH or in `sbin` folders, which are on PATH only for root.
    pub(super) fn find(tools: &Tools) -> Option<Self> {
        const NAME: &str = "nats-server";
        let elsewhere = || Tools::on("/usr/local/sbin:/usr/sbin").find(NAME);
        tools.find(NAME).or_else(elsewhere).map(Self)
    }
}

/// Login token: 256 bits, as hexadecimal digits.
#[derive(Clone)]
pub(super) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// A server's folder: its configuration, its token, its previous port, its log, and its data.
pub(super) struct Folder {
    path: PathBuf,
    /// Lock file, held by this process and, as its standard output, by the server: the folder is
    /// released when both have ended.
    lock: File,
}

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Self, ServerError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(ServerError::at("create", path))?;
        let path = path.canonicalize().map_err(ServerError::at("open", path))?;
        let file = path.join("lock");
        let lock = private(&file, |open| open.append(true).create(true))?;
        let deadline = Instant::now() + START_TIMEOUT;
        while lock.try_lock().is_err() {
            if Instant::now() > deadline {
                return Err(ServerError::Busy(path));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(Self { path, lock })
    }

    /// The previous token of the folder, or a new one.
    pub(super) fn token(&self) -> Result<Token, ServerError> {
        let path = self.path.join("token");
        if let Ok(text) = fs::read_to_string(&path)
            && text.len() == 64
            && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            return Ok(Token(text));
        }
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|e| ServerError::at("generate", &path)(e.into()))?;
        let text: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        write_private(&path, &text)?;
        Ok(Token(text))
    }

    /// Starts a server with the given `authorization` configuration.
    pub(super) fn start(
        self,
        program: &Program,
        listen: Option<SocketAddr>,
        logins: &str,
        token: Token,
    ) -> Result<Embedded, ServerError> {
        let listen = self.listen(listen);
        // Paths are relative, because the name of the folder may need quoting.
        let text = format!(
            "# Written by Pitmaster at every start.\nlisten: \"{listen}\"\nports_file_dir: \".\"\njetstream {{ store_dir: \".\" }}\n{logins}"
        );
        write_private(&self.path.join("nats-server.conf"), &text)?;
        let mut child = self.spawn(program)?;
        let pid = Pid::from_child(&child);
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || sender.send(pitmaster_sandbox::reap(&mut child)));
        let mut server = Embedded { pid, ended, addresses: Vec::new(), token };
        server.addresses = self.wait_until_ready(&server)?;
        write_private(&self.path.join("port"), &server.addresses[0].port().to_string())?;
        Ok(server)
    }

    /// Address to listen on, in the server's syntax: -1 is any free port.
    fn listen(&self, requested: Option<SocketAddr>) -> String {
        let requested = requested.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
        let last = || fs::read_to_string(self.path.join("port")).ok()?.parse::<u16>().ok();
        let port = Some(requested.port()).filter(|&port| port != 0).or_else(last);
        let port = port.map_or(-1, i32::from);
        match requested.ip() {
            IpAddr::V4(ip) => format!("{ip}:{port}"),
            IpAddr::V6(ip) => format!("[{ip}]:{port}"),
        }
    }

    fn spawn(&self, program: &Program) -> Result<std::process::Child, ServerError> {
        let held = self.lock.try_clone().map_err(ServerError::at("lock", &self.path))?;
        let log = private(&self.log(), |open| open.append(true).create(true))?;
        let mut command = Command::new(&program.0);
        command.args(["-c", "nats-server.conf"]).current_dir(&self.path).env_clear();
        command.stdin(Stdio::null()).stdout(held).stderr(log);
        pitmaster_sandbox::start_for_the_run(&mut command)
            .map_err(ServerError::at("start", &program.0))
    }

    fn log(&self) -> PathBuf {
        self.path.join("nats-server.log")
    }

    /// Waits until the server accepts connections. Returns its addresses.
    fn wait_until_ready(&self, server: &Embedded) -> Result<Vec<SocketAddr>, ServerError> {
        let ports = self.path.join(format!("nats-server_{}.ports", server.pid()));
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            if let Some(addresses) = read_ports(&ports).filter(|all| accepts_connections(all[0])) {
                return Ok(addresses);
            }
            let what = match server.ended.recv_timeout(POLL_INTERVAL) {
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => continue,
                Err(RecvTimeoutError::Timeout) => {
                    format!("accepted no connections within {} s", START_TIMEOUT.as_secs())
                }
                Ok(Some(status)) => format!("exited at startup ({status})"),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => "exited at startup".into(),
            };
            return Err(self.start_error(what));
        }
    }

    fn start_error(&self, what: String) -> ServerError {
        let log = self.log();
        let tail = tail(&log).unwrap_or_default();
        ServerError::StartFailed {
            what,
            tail: Untrusted::new(tail).shown_lines(LOG_TAIL as usize),
            log,
        }
    }
}

/// Reads the addresses that a server listens on, if it has written them.
fn read_ports(path: &Path) -> Option<Vec<SocketAddr>> {
    #[derive(serde::Deserialize)]
    struct Ports {
        nats: Vec<String>,
    }
    let ports: Ports = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let address = |url: &String| url.split_once("://")?.1.parse().ok();
    let mut all: Vec<SocketAddr> = ports.nats.iter().filter_map(address).collect();
    all.sort_by_key(|address| !address.ip().is_loopback());
    (!all.is_empty()).then_some(all)
}

/// Returns whether a server sends its `INFO` line to a new client.
fn accepts_connections(address: SocketAddr) -> bool {
    let greeting = || -> io::Result<String> {
        let stream = TcpStream::connect_timeout(&address, START_TIMEOUT)?;
        stream.set_read_timeout(Some(START_TIMEOUT))?;
        let mut line = String::new();
        BufReader::new(stream).take(64 * 1024).read_line(&mut line)?;
        Ok(line)
    };
    greeting().is_ok_and(|line| line.starts_with("INFO "))
}

fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(LOG_TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(LOG_TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Opens or creates a file that only its owner can read.
fn private(
    path: &Path,
    how: impl FnOnce(&mut OpenOptions) -> &mut OpenOptions,
) -> Result<File, ServerError> {
    let mut open = OpenOptions::new();
    how(open.mode(0o600)).open(path).map_err(ServerError::at("open", path))
}

fn write_private(path: &Path, text: &str) -> Result<(), ServerError> {
    let mut file = private(path, |open| open.write(true).create(true).truncate(true))?;
    file.write_all(text.as_bytes()).map_err(ServerError::at("write", path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::testing::{Server, program, start};
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_restarted_server_has_the_same_address_and_token() {
        if program().is_none() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a \"folder\"\n{}");
        let first = Embedded::start(&folder, None).unwrap();
        let (url, address) = (first.url(), first.addresses()[0]);
        assert!(address.ip().is_loopback() && accepts_connections(address));
        assert!(url.contains(&first.token.0) && first.token.0.len() == 64);
        assert_eq!(first.shown(), format!("nats://{address}"));
        for name in ["token", "nats-server.conf", "port", "nats-server.log", "lock"] {
            assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
        }
        assert_eq!(mode(&folder), 0o700);
        let log = fs::read_to_string(folder.join("nats-server.log")).unwrap();
        assert!(!log.contains(&first.token.0) && !format!("{first:?}").contains(&first.token.0));
        let id = first.pid();
        drop(first);
        assert!(!accepts_connections(address));
        let again = Embedded::start(&folder, None).unwrap();
        assert_eq!((again.url(), again.addresses()[0]), (url, address));
        assert_ne!(again.pid(), id);
    }

    #[test]
    fn a_killed_server_can_be_restarted() {
        let Some(server) = Server::with("") else { return };
        kill_process(server.running.pid, Signal::KILL).unwrap();
        drop(server.running);
        let again = Embedded::start(server.dir.path(), None).unwrap();
        assert!(accepts_connections(again.addresses()[0]));
    }

    #[test]
    fn a_start_error_includes_the_log() {
        let (Some(program), dir) = (program(), tempfile::tempdir().unwrap()) else { return };
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let _held = std::net::TcpListener::bind(taken).unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let token = folder.token().unwrap();
        let error = folder.start(&program, Some(taken), "", token).unwrap_err().to_string();
        assert!(error.starts_with("nats-server exited at startup (exit status: 1)"), "{error}");
        assert!(error.contains("address already in use"), "{error}");
        let error = start(&program, dir.path(), "port: {").unwrap_err().to_string();
        assert!(error.contains("nats-server.conf"), "{error}");
    }

    #[test]
    fn the_error_for_a_missing_program_says_how_to_install_it() {
        let nothing = tempfile::tempdir().unwrap();
        let found = Program::find(&Tools::on(nothing.path()));
        assert_eq!(
            found.is_some(),
            Tools::on("/usr/local/sbin:/usr/sbin").find("nats-server").is_some()
        );
        assert!(ServerError::Missing.to_string().contains("apt install nats-server"));
    }
}
