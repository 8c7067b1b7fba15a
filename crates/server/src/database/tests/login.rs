//! Login: the throttle, ended sessions, and changed passphrases.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::super::*;
use super::fixture::*;

const GOOD: &str = "seeds in a row of holes";

/// World in which Eva has set a passphrase.
fn with_passphrase() -> World {
    let world = World::new();
    let invite = NewInvite {
        course: world.course,
        role: pitmaster_season::course::Role::Student,
        group: Some(world.group),
        person: Some(world.eva),
        expires: later(100),
    };
    let code = world.db.invite(NOW, invite).wait().expect("invited");
    let (name, login, agent) = (String::new(), String::new(), None);
    let newcomer = Newcomer { code, name, login, passphrase: Passphrase::new(GOOD), agent };
    wait(world.db.redeem(newcomer, T0, None)).expect("redeemed");
    world
}

fn log_in(db: &Database, login: &str, passphrase: &str, seconds: u64) -> Login {
    let passphrase = Passphrase::new(passphrase);
    wait(db.log_in(login, passphrase, later(seconds), None, None, None)).expect("tries")
}

fn is_in(login: &Login) -> bool {
    matches!(login, Login::In { .. })
}

#[test]
fn the_right_passphrase_opens_a_new_session_and_ends_the_one_before() {
    let world = with_passphrase();
    let db = &world.db;
    let Login::In { secret: first, person, .. } = log_in(db, " EVA ", GOOD, 0) else { panic!() };
    assert_eq!(person, world.eva);
    let again = wait(db.log_in(
        "eva",
        Passphrase::new(GOOD),
        later(1),
        Some([192, 0, 2, 1].into()),
        Some("Browser".into()),
        Some(first.clone()),
    ));
    let Ok(Login::In { secret: second, session, .. }) = again else { panic!("{again:?}") };
    assert_ne!(first, second);
    assert_eq!(wait(db.session(first, later(1))), Ok(None), "a fixed session is dead");
    let found = wait(db.session(second, later(1))).expect("reads").expect("there").0;
    assert_eq!((found.id, found.address.as_deref()), (session, Some("192.0.2.1")));
    for (login, passphrase) in
        [("eva", "wrong"), ("nobody", GOOD), ("adam", GOOD), ("", ""), ("a\0", "")]
    {
        assert_eq!(log_in(db, login, passphrase, 2), Login::Wrong, "{login:?}");
    }
}

#[test]
fn tries_are_blocked_for_longer_and_longer_also_of_accounts_that_do_not_exist() {
    for login in ["eva", "nobody"] {
        let world = with_passphrase();
        let mut now = 0;
        for _ in 0..FREE_ATTEMPTS {
            assert_eq!(log_in(&world.db, login, "wrong", now), Login::Wrong);
        }
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            // Even the correct passphrase is not verified.
            let blocked = log_in(&world.db, login, GOOD, now + wait - 1);
            assert_eq!(blocked, Login::Blocked { until: later(now + wait) }, "{login}");
            now += wait;
            assert_eq!(log_in(&world.db, login, "wrong", now), Login::Wrong, "{login}");
        }
        assert_eq!(is_in(&log_in(&world.db, login, GOOD, now + 900)), login == "eva");
    }
}

#[test]
fn a_success_or_a_day_resets_attempts() {
    let world = with_passphrase();
    for _ in 0..3 {
        for _ in 0..FREE_ATTEMPTS - 1 {
            assert_eq!(log_in(&world.db, "eva", "wrong", 0), Login::Wrong);
        }
        assert!(is_in(&log_in(&world.db, "eva", GOOD, 0)));
    }
    for _ in 0..FREE_ATTEMPTS {
        log_in(&world.db, "eva", "wrong", 0);
    }
    let day = 24 * 3600;
    for _ in 0..FREE_ATTEMPTS - 1 {
        assert_eq!(log_in(&world.db, "eva", "wrong", day + 2), Login::Wrong);
    }
    assert!(is_in(&log_in(&world.db, "eva", GOOD, day + 2)));
    assert_eq!(world.last_actions(1), ["person.login"]);
    let lines = world.db.audit(None, 0, 1000).wait().expect("reads");
    assert_eq!(lines.iter().filter(|line| line.action == "person.block").count(), 1);
}

#[test]
fn a_block_survives_a_restart() {
    let world = with_passphrase();
    for _ in 0..=FREE_ATTEMPTS {
        log_in(&world.db, "eva", "wrong", 10);
    }
    let World { db, folder, .. } = world;
    drop(db);
    let db = open(&folder);
    assert!(matches!(log_in(&db, "eva", GOOD, 10), Login::Blocked { .. }));
    assert!(is_in(&log_in(&db, "eva", GOOD, 11)));
    // Expired attempts are removed, and nothing else.
    log_in(&db, "somebody", "wrong", 100_000);
    assert_eq!(db.tidy(later(100_000 + 86_400)).wait(), Ok(2), "two sessions");
    assert_eq!(db.tidy(later(100_001 + 86_400)).wait(), Ok(1), "a try");
}

/// Concurrent attempts are counted before they are verified.
#[test]
fn a_hundred_concurrent_attempts_are_no_more_than_five() {
    let world = with_passphrase();
    let tries = (0..100).map(|number| {
        let db = world.db.clone();
        std::thread::spawn(move || log_in(&db, "eva", &format!("wrong {number}"), 0))
    });
    let tries: Vec<_> = tries.collect::<Vec<_>>().into_iter().map(JoinHandle::join).collect();
    let wrong = tries.iter().filter(|it| matches!(it, Ok(Login::Wrong))).count();
    let blocked = tries.iter().filter(|it| matches!(it, Ok(Login::Blocked { .. }))).count();
    assert_eq!((wrong, blocked), (FREE_ATTEMPTS as usize, 95));
}

/// Timing does not reveal whether an account exists. Uses the recommended cost, because the minimum
/// is negligible compared to the database.
#[test]
fn an_unknown_account_takes_as_long_as_a_wrong_passphrase() {
    let world = with_passphrase();
    let World { db, folder, .. } = world;
    drop(db);
    let db = Database::open(folder.path(), HashCost::Recommended, T0).expect("opens");
    let code = {
        let course = seen(db.course_at("mancala-26").wait().expect("reads")).expect("there");
        let role = pitmaster_season::course::Role::Student;
        let (course, group, person) = (course.facts.id, None, None);
        let invite = NewInvite { course, role, group, person, expires: later(100) };
        db.invite(NOW, invite).wait().expect("invited")
    };
    let (name, login, agent) = ("N".to_owned(), "known".to_owned(), None);
    let newcomer = Newcomer { code, name, login, passphrase: Passphrase::new(GOOD), agent };
    wait(db.redeem(newcomer, T0, None)).expect("redeemed");
    let time = |login: &str, day: u64| {
        let began = Instant::now();
        assert_eq!(log_in(&db, login, "wrong", day * 100_000), Login::Wrong);
        began.elapsed()
    };
    // Compares the fastest of several alternating attempts. A busy machine needs more of them until
    // both ran undisturbed.
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for day in 1..=100 {
        known = known.min(time("known", day));
        unknown = unknown.min(time("unknown", day));
        let ratio = unknown.as_secs_f64() / known.as_secs_f64();
        if day >= 7 && (0.5..2.0).contains(&ratio) {
            return;
        }
    }
    panic!("{known:?} and {unknown:?}");
}

#[test]
fn a_changed_passphrase_ends_all_sessions_but_a_new_one() {
    let world = with_passphrase();
    let db = &world.db;
    let Login::In { session, secret: old, .. } = log_in(db, "eva", GOOD, 0) else { panic!() };
    let act = Act { by: By::Person(world.eva), at: later(1), address: None };
    let change = |old: &str, new: &str| {
        let (old, new) = (Passphrase::new(old), Passphrase::new(new));
        wait(db.change_passphrase(act, world.eva, session, old, new))
    };
    assert_eq!(change("wrong", "another row of seeds"), Ok(Login::Wrong));
    let weak = change(GOOD, "eva12345");
    assert_eq!(refused(weak), Refusal::Passphrase(WeakPassphrase::Common));
    let Ok(Login::In { secret, .. }) = change(GOOD, "another row of seeds") else { panic!() };
    assert_eq!(wait(db.session(old, later(1))), Ok(None));
    assert!(wait(db.session(secret, later(1))).expect("reads").is_some());
    assert_eq!(log_in(db, "eva", GOOD, 2), Login::Wrong);
    assert!(is_in(&log_in(db, "eva", "another row of seeds", 2)));
}

#[test]
fn attempts_beyond_the_queue_are_refused_and_not_counted() {
    let world = with_passphrase();
    let held = world.db.0.hashers.occupy();
    for _ in 0..2 * FREE_ATTEMPTS {
        let passphrase = Passphrase::new("wrong");
        let tried = wait(world.db.log_in("eva", passphrase, T0, None, None, None));
        assert_eq!(tried, Err(DatabaseError::Busy));
    }
    held.release();
    for _ in 1..FREE_ATTEMPTS {
        assert_eq!(log_in(&world.db, "eva", "wrong", 0), Login::Wrong);
    }
    assert!(is_in(&log_in(&world.db, "eva", GOOD, 0)));
}
