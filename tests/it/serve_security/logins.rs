//! Guessed logins: slowed down by account. Neither the text nor the time of an answer reveals
//! whether an account exists.

use std::time::{Duration, Instant};

use super::Answer;
use crate::serve::{Server, school};

/// Attempts before an account is blocked.
const FREE_TRIES: usize = 5;

fn joined(server: &Server, codes: &str, login: &str, passphrase: &str) {
    let code = codes.lines().find(|line| !line.is_empty()).expect("a code").trim();
    let form = format!("code={code}&login={login}&name={login}&passphrase={passphrase}");
    let answer = server.form("/join", "", &form);
    assert_eq!(answer.status, 303, "{}", answer.body);
}

/// CPU time of the server in ticks of a hundredth of a second. Unlike the time of an answer, it
/// does not depend on the machine's load.
fn cpu_time(server: &Server) -> u64 {
    let id = server.id().as_raw_nonzero();
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    let (_, facts) = stat.rsplit_once(") ").expect("facts");
    let facts: Vec<_> = facts.split(' ').collect();
    // Those of the program and of the kernel for it, the 14th and the 15th.
    facts[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

/// Tries a wrong login. Returns the answer without the echoed input.
fn guess(server: &Server, login: &str) -> Answer {
    let mut answer = server.form("/login", "", &format!("login={login}&passphrase=a+wrong+one"));
    answer.body = answer.body.replace(login, "LOGIN");
    answer
}

/// Guesses until the account is blocked for this many seconds. Returns that answer.
fn blocked(server: &Server, login: &str, seconds: u64) -> Answer {
    for _ in 0..20 {
        let answer = guess(server, login);
        if answer.status == 429 {
            assert!(answer.body.contains("Too many tries; try again in"), "{}", answer.body);
            let wait = answer.header("retry-after").expect("a time").parse().expect("seconds");
            if wait >= seconds {
                return answer;
            }
            std::thread::sleep(Duration::from_secs(wait));
        } else {
            assert_eq!(answer.status, 403, "{}", answer.body);
        }
    }
    panic!("{login} is never blocked for {seconds} s");
}

fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn guessing_tells_nothing_and_slows_nobody_else() {
    let scratch = school();
    let known: Vec<_> = (0..4).map(|n| format!("known{n}")).collect();
    let codes: Vec<_> = (0..5)
        .map(|_| scratch.run("course invite school --group g1").done().raw.stdout)
        .map(|code| String::from_utf8(code).expect("text"))
        .collect();
    let server = Server::start_with(&scratch, "--listen 127.0.0.1:0 --lanes 1");
    let good = "correct+horse+battery";
    for (login, code) in known.iter().map(String::as_str).chain(["other1"]).zip(&codes) {
        joined(&server, code, login, good);
    }
    let unknown: Vec<_> = (0..4).map(|n| format!("nobod{n}")).collect();
    let (mut of_known, mut of_unknown) = (0, 0);
    for _ in 0..FREE_TRIES {
        for (known, unknown) in known.iter().zip(&unknown) {
            let began = cpu_time(&server);
            let one = guess(&server, known);
            let between = cpu_time(&server);
            let other = guess(&server, unknown);
            of_known += between - began;
            of_unknown += cpu_time(&server) - between;
            assert_eq!((one.status, other.status), (403, 403));
            assert_eq!(one.body, other.body, "the words tell whether the account exists");
        }
    }
    let ratio = of_unknown as f64 / of_known as f64;
    println!("known {of_known}, unknown {of_unknown} ticks, ratio {ratio:.2}");
    assert!((0.8..1.25).contains(&ratio), "{of_known} and {of_unknown} ticks");
    // From now on each account waits, whether it exists or not, and in the same words.
    for (known, unknown) in known.iter().zip(&unknown).take(2) {
        let (one, other) = (blocked(&server, known, 1), blocked(&server, unknown, 1));
        assert_eq!(without_numbers(&one.body), without_numbers(&other.body));
    }
    let began = Instant::now();
    let entered = server.form("/login", "", &format!("login=other1&passphrase={good}"));
    assert_eq!(entered.status, 303, "{}", entered.body);
    println!("somebody else logs in within {:.1?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(10));
    // The right passphrase of a blocked account is not looked at.
    blocked(&server, &known[0], 8);
    let answer = server.form("/login", "", &format!("login={}&passphrase={good}", known[0]));
    assert_eq!(answer.status, 429, "{}", answer.body);
    server.stop();
}

/// Threads that guess, and guesses of each. Together they are far less than a machine could send: how
/// long that takes is measured by `scripts/serving/load.py --only logins`.
const GUESSING: (usize, usize) = (16, 12);

/// Memory that the server may take, in kB.
const MEMORY: u64 = 200_000;

/// The most memory that the server has taken so far, in kB.
fn most_memory(server: &Server) -> u64 {
    let id = server.id().as_raw_nonzero();
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn a_flood_of_guesses_lets_nobody_in_and_keeps_nobody_out() {
    let scratch = school();
    let codes: Vec<_> = (0..2)
        .map(|_| scratch.run("course invite school --group g1").done().raw.stdout)
        .map(|code| String::from_utf8(code).expect("text"))
        .collect();
    let server = Server::start_with(&scratch, "--listen 127.0.0.1:0 --lanes 1");
    let good = "correct+horse+battery";
    for (login, code) in ["target", "other1"].into_iter().zip(&codes) {
        joined(&server, code, login, good);
    }
    let (threads, each) = GUESSING;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let guesses = |thread: usize| {
            let server = &server;
            move || {
                // Every other one at the same account, and the rest at names that are never the same.
                let login = |n| if n % 2 == 0 { "target".into() } else { format!("x{thread}.{n}") };
                (0..each).map(|n| guess(server, &login(n)).status).collect::<Vec<_>>()
            }
        };
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(guesses(thread))).collect();
        for _ in 0..3 {
            let entered = server.form("/login", "", &format!("login=other1&passphrase={good}"));
            assert_eq!(entered.status, 303, "{}", entered.body);
        }
        all.into_iter().flat_map(|thread| thread.join().expect("it guesses")).collect()
    });
    // Wrong, or not looked at.
    assert!(statuses.iter().all(|status| [403, 429].contains(status)), "{statuses:?}");
    assert_eq!(statuses.len(), threads * each);
    let memory = most_memory(&server);
    println!("at most {memory} kB");
    assert!(memory < MEMORY, "{memory} kB");
    server.stop();
}
