use std::fs::File;
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::seccomp::{Filter, Refusal};
use crate::sys::install::gain_no_privileges;
use crate::sys::notify::{install_with_listener, send_descriptor};

const RULES: Rules =
    Rules { processes: false, building: false, truncation: false, refusal: Refusal::Notify };

/// Audit of a function on its own thread.
fn audit(usual: Vec<PathBuf>, tried: impl FnOnce() + Send + 'static) -> Audit {
    let (auditor, door) = Auditor::start(RULES, usual).unwrap();
    let auditor = auditor.watching(std::process::id());
    let thread = thread::spawn(move || {
        let mut filter = Filter::new(RULES);
        filter.set_own_pid(std::process::id());
        gain_no_privileges().unwrap();
        let listener = install_with_listener(filter.instructions()).unwrap();
        send_descriptor(door.socket().as_raw_fd(), listener.as_raw_fd()).unwrap();
        drop((door, listener));
        tried();
    });
    // A panic of the thread is reported after the audit has ended.
    let audit = auditor.finish();
    thread.join().unwrap();
    audit
}

fn told(audit: &Audit) -> Vec<String> {
    let told = audit.calls.iter().map(|call| {
        let examples: Vec<_> = call.examples.iter().map(|example| example.shown(99)).collect();
        format!("{}: {} x{} {}", call.class, call.name, call.count, examples.join(" | "))
    });
    told.collect()
}

#[test]
fn refused_calls_are_counted_and_still_refused() {
    let audit = audit(Vec::new(), || {
        for _ in 0..3 {
            assert!(UdpSocket::bind("127.0.0.1:0").is_err());
        }
        let init = rustix::process::Pid::INIT;
        assert!(rustix::process::test_kill_process(init).is_err());
        assert!(rustix::process::test_kill_process(rustix::process::getpid()).is_ok());
        assert_eq!(thread::spawn(|| 7).join().unwrap(), 7);
    });
    assert_eq!(
        told(&audit),
        [
            "network: socket x3 AF_INET, the network, datagrams",
            "other bots or the referee: kill x1 process 1, signal 0",
        ]
    );
}

#[test]
fn processes_are_seen() {
    let audit = audit(vec!["/".into()], || {
        assert!(std::process::Command::new("/bin/true").spawn().is_err());
    });
    let classes: Vec<_> = audit.calls.iter().map(|call| call.class).collect();
    assert_eq!(classes, [Class::Processes], "{audit:?}");
}

#[test]
fn paths_outside_of_the_usual_are_told_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let home = fs::canonicalize(folder.path()).unwrap();
    let (own, foreign) = (home.join("own"), home.join("foreign"));
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("results"), "theirs").unwrap();
    std::os::unix::fs::symlink(foreign.join("results"), own.join("link")).unwrap();
    let inside = own.clone();
    let audit = audit(vec![own.clone()], move || {
        fs::write(inside.join("mine"), "mine").unwrap();
        assert_eq!(fs::read(inside.join("../foreign/results")).unwrap(), b"theirs");
        assert_eq!(fs::read(inside.join("link")).unwrap(), b"theirs");
        fs::remove_file(inside.join("mine")).unwrap();
        let mode = fs::Permissions::from_mode(0o600);
        assert!(fs::set_permissions(inside.join("link"), mode).is_err());
        drop(fs::read("/proc/self/status"));
    });
    let (opened, link) = (foreign.join("results"), own.join("link"));
    let (opened, link) = (opened.display(), link.display());
    assert_eq!(
        told(&audit),
        [
            format!("foreign files: chmod x1 {link}"),
            format!("foreign files: openat x2 {opened} | {link}"),
        ]
    );
}

#[test]
fn examples_are_bounded() {
    let audit = audit(Vec::new(), || {
        for number in 0..50 {
            drop(File::open(format!("/nowhere/{number}/{}", "x".repeat(2000))));
        }
    });
    let [opened] = audit.calls.as_slice() else { panic!("{audit:?}") };
    assert_eq!((opened.count, opened.examples.len()), (50, EXAMPLES));
    assert!(opened.examples.iter().all(|one| one.as_bytes().len() == EXAMPLE_LENGTH));
}
