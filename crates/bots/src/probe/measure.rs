//! Probe run: starts a probe in a sandbox, observes it and collects its findings.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_core::{At, Isolation, Resources, Untrusted};
use pitmaster_sandbox::{
    Audit, CallClass as Class, Launch, ReadGrant, Sandbox, SandboxProfile, this_program,
};

use super::attempts::{LAST, Targets};
use super::promises;
use crate::{Clock, Contender as _, Process, ReadOutcome};

/// Time limit of the whole probe.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time for which it is observed while stopped.
pub(super) const WATCH: Duration = Duration::from_millis(30);

/// Findings of a probe.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Attempts by kind: the name, and `None` if it succeeded or the reason why not.
    pub(super) attempts: BTreeMap<String, Vec<(String, Option<String>)>>,
    /// CPU time used while it was stopped.
    pub(super) stolen: Option<Duration>,
    /// Time by which a deadline was missed.
    pub(super) overshoot: Duration,
    /// Whether its CPU time could be read.
    pub(super) counts_cpu: bool,
}

/// Guarantees of a sandbox, from what a probe in it can do.
///
/// # Errors
/// The probe could not be started in it, or did not finish.
pub(super) fn guarantees(sandbox: &Sandbox) -> Result<Isolation, String> {
    let findings = Probe::run(sandbox)?;
    let promises = promises::kept(&findings, sandbox);
    Ok(Isolation { tier: sandbox.tier(), cgroup: sandbox.controllers().is_some(), promises })
}

/// A copy of the sandbox with limits that a probe reaches quickly.
fn small(sandbox: &Sandbox) -> Result<Sandbox, String> {
    let resources = Resources {
        memory: 64 << 20,
        threads: 12,
        file_size: 64 << 10,
        scratch: 1 << 20,
        ..sandbox.resources().clone()
    };
    let small = Sandbox::untested(sandbox.tier(), &resources).map_err(|error| error.to_string())?;
    Ok(if sandbox.audits() { small.audited() } else { small })
}

struct Probe {
    process: Process,
    clock: Clock,
    findings: Findings,
}

impl Probe {
    fn run(sandbox: &Sandbox) -> Result<Findings, String> {
        let place = Place::new().map_err(|error| format!("cannot lay out a probe: {error}"))?;
        let small = Arc::new(small(sandbox)?);
        let launch = place.launch(&small);
        let process = Process::start(&launch).map_err(|fault| fault.to_string())?;
        let mut probe = Self { process, clock: Clock::start(), findings: Findings::default() };
        probe.collect()?;
        probe.watch();
        let Self { mut process, clock, mut findings } = probe;
        let ended = process.end(&clock, At::START);
        if sandbox.audits() {
            saw_all(&ended.audit.unwrap_or_default(), &place.folder.canary())?;
        }
        findings.overshoot = overshoot();
        Ok(findings)
    }

    /// Collects the reported outcomes of its attempts.
    fn collect(&mut self) -> Result<(), String> {
        let until = self.clock.now() + PATIENCE;
        loop {
            match self.process.read_line(&self.clock, Some(until)) {
                ReadOutcome::Line(_) => {
                    let line = String::from_utf8_lossy(self.process.line()).into_owned();
                    if line == LAST {
                        return Ok(());
                    }
                    self.note(&line)?;
                }
                heard => {
                    let said = self.process.stderr();
                    return Err(format!("the probe ended early ({heard:?}) {}", said.shown(200)));
                }
            }
        }
    }

    fn note(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.splitn(4, ' ');
        let (Some(kind), Some(name), Some(outcome), Some(why)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(format!("the probe said something strange: {line:?}"));
        };
        let refused = (outcome == "refused").then(|| why.to_owned());
        self.findings.attempts.entry(kind.into()).or_default().push((name.into(), refused));
        Ok(())
    }

    /// Measures a spinning probe while it is stopped. Takes the minimum of a few measurements,
    /// because a busy machine may stop it late.
    fn watch(&mut self) {
        for _ in 0..5 {
            let stolen = self.look();
            self.findings.stolen = Some(self.findings.stolen.map_or(stolen, |it| it.min(stolen)));
            if self.findings.stolen <= Some(promises::STANDSTILL) {
                break;
            }
        }
    }

    /// CPU time that it uses while stopped.
    fn look(&mut self) -> Duration {
        std::thread::sleep(Duration::from_millis(2));
        self.process.stop();
        self.findings.counts_cpu |= !self.process.used(Duration::ZERO).cpu.is_zero();
        std::thread::sleep(WATCH);
        let stolen = self.process.used(Duration::ZERO).cpu;
        self.process.resume();
        stolen
    }
}

/// Checks that an audit has recorded the probe's attempts by name and path.
fn saw_all(audit: &Audit, canary: &Path) -> Result<(), String> {
    let saw = |class| audit.calls.iter().filter(move |call| call.class == class);
    let path = Untrusted::new(canary.as_os_str().as_bytes());
    if saw(Class::Network).next().is_none() || saw(Class::Processes).next().is_none() {
        return Err("it does not see what is refused".into());
    }
    if !saw(Class::ForeignFiles).any(|call| call.examples.contains(&path)) {
        return Err(
            "it would not see which files a bot opens, because the memory of other users' \
                    processes is closed here; an ordinary user can"
                .into(),
        );
    }
    Ok(())
}

/// Median time by which a deadline is missed.
fn overshoot() -> Duration {
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let wait = Duration::from_millis(1);
            let start = Instant::now();
            crate::process::sleep_precisely(wait);
            start.elapsed().saturating_sub(wait)
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Files and a port that the probe must not access.
struct Place {
    folder: tempdir::Folder,
    listener: TcpListener,
}

impl Place {
    fn new() -> io::Result<Self> {
        let folder = tempdir::Folder::new()?;
        fs::write(folder.canary(), "a secret\n")?;
        Ok(Self { folder, listener: TcpListener::bind("127.0.0.1:0")? })
    }

    fn launch(&self, sandbox: &Arc<Sandbox>) -> Launch {
        let Resources { memory, threads, file_size, .. } = *sandbox.resources();
        let targets = Targets {
            canary: self.folder.canary(),
            port: self.listener.local_addr().map_or(0, |address| address.port()),
            referee: std::process::id().cast_signed(),
            memory: memory + (32 << 20),
            threads: threads + 12,
            file_size,
        };
        Launch {
            program: this_program(),
            name: "pitmaster".into(),
            args: std::iter::once("probe".into())
                .chain(targets.to_args().map(Into::into))
                .collect(),
            environment: Vec::new(),
            dir: "/".into(),
            cage: SandboxProfile::new(sandbox, vec![ReadGrant::this_program()]),
        }
    }
}

mod tempdir {
    //! Folder of a probe's canary, readable by all users, so that only the sandbox can deny access.

    use std::fs;
    use std::io;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU32, Ordering};

    pub(super) struct Folder(PathBuf);

    impl Folder {
        pub(super) fn new() -> io::Result<Self> {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            // A killed run with the same number may have left its folder.
            let name = format!("pitmaster-probe-{}-{number}", pitmaster_sandbox::run_name());
            let path = std::env::temp_dir().join(name);
            fs::create_dir(&path)?;
            let folder = Self(path);
            fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o777))?;
            fs::write(folder.canary(), "")?;
            fs::set_permissions(folder.canary(), fs::Permissions::from_mode(0o666))?;
            Ok(folder)
        }

        pub(super) fn canary(&self) -> PathBuf {
            self.0.join("canary")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // A leftover temporary folder is harmless.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
