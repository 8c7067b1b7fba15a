//! Tests of the whole crate, on real files.

mod checksums;
mod failures;
mod fixture;
mod folders;
mod forget;
mod kill;
mod listing;
mod merge;

use std::collections::HashSet;
use std::sync::mpsc::channel;
use std::time::Duration;

use pitmaster_core::{
    At, BotHash, BotId, BySide, Claim, Dialect, Ending, Evidence, Exit, Fault, GameKey, Isolation,
    Kept, Level, Limits, Ply, Promise, Record, RefereeFault, Remark, Score, Seed, Side, Tier,
    Untrusted,
};
use pitmaster_tournament::Durability;

use super::*;

fn bot(name: &str) -> BotId {
    BotId { name: name.parse().expect("a name"), hash: BotHash::of(name.as_bytes()) }
}

/// Short game without events.
fn plain(pair: u32) -> Record {
    let key = GameKey {
        rules: "coloured-awale@1".into(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a"), bot("b")),
        opening: String::new(),
        pair,
    };
    let ending = Ending::Rules { clause: "49+".into(), winner: None, score: Score::new(3, 4) };
    Record {
        plies: vec![ply(Some(Side::One), "1R"), ply(Some(Side::Two), "9TB")],
        duration: Duration::from_nanos(1_234_567_891),
        ..Record::unplayed(key, Seed(1), ending)
    }
}

fn ply(by: Option<Side>, text: &str) -> Ply {
    let time = |nanos| Duration::from_nanos(nanos + text.len() as u64);
    Ply { by, text: text.into(), wall: time(1000), cpu: time(500), waiting: time(20) }
}

/// Game with a value in every field.
fn eventful() -> Record {
    let hostile = Untrusted::new(b"\xff\x00'; DROP TABLE attempts; --\n".to_vec());
    let evidence = Evidence {
        line: Some(hostile.clone()),
        at: At(77),
        stderr: hostile.clone(),
        exit: Some(Exit::Signal(11)),
    };
    let fault = Fault::Exited { exit: Exit::Signal(11) };
    Record {
        seed: Seed(u64::MAX),
        plies: vec![ply(None, "fill=1:4"), ply(Some(Side::Two), "3+"), ply(Some(Side::One), "é")],
        ending: Ending::Forfeit { by: Side::Two, fault, score: Score::new(1, 2) },
        evidence: BySide::new(None, Some(evidence)),
        remarks: vec![Remark { ply: 2, by: Side::Two, text: hostile.clone() }],
        wrong_claims: vec![Claim { ply: 3, by: Side::One, text: hostile }],
        skipped_lines: BySide::new(0, 9),
        stolen: BySide::new(Duration::from_nanos(5), Duration::from_secs(6)),
        ..plain(1)
    }
}

fn attempt(record: Record) -> Attempt {
    Attempt {
        state: AttemptState::of(&record),
        record,
        dialects: BySide::new(Dialect::Arena, Dialect::Pitmaster),
        host: "here".into(),
        lane: 3,
        started_at: 1_700_000_000_123,
        isolation: None,
    }
}

fn open(folder: &tempfile::TempDir) -> Store {
    Store::open(folder.path(), Durability::Normal).expect("opens")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn what_is_committed_is_read_back_whole() {
    let folder = folder();
    let store = open(&folder);
    let games =
        [attempt(eventful()), attempt(plain(2)), attempt(Record { plies: vec![], ..plain(3) })];
    for game in &games {
        store.commit(game.clone()).expect("commits");
    }
    let reader = store.reader().expect("opens");
    let mut read = Vec::new();
    reader.for_each_valid(|attempt| read.push(attempt)).expect("reads");
    assert_eq!(read, games);
    let ids: HashSet<_> = games.iter().map(|game| game.record.id()).collect();
    assert_eq!(reader.valid_ids().expect("reads"), ids);
    assert_eq!(reader.load(&plain(2).id()).expect("reads").as_ref(), Some(&games[1]));
    assert_eq!(reader.load(&plain(9).id()).expect("reads"), None);
    reader.check().expect("sound");
}

#[test]
fn the_last_decision_is_that_with_the_highest_number() {
    let folder = folder();
    let store = open(&folder);
    let last = || store.reader().expect("opens").last_decision();
    assert_eq!(last(), Ok(0));
    let batch = pitmaster_tournament::Batch { round: 0, meetings: Vec::new() };
    let decision = pitmaster_tournament::Decision::Batch { stage: 1, batch };
    let decision = pitmaster_tournament::KeptDecision::new(&decision, &[]);
    for number in 1..=11 {
        store.put_decision(number, &decision).expect("puts");
        assert_eq!(last(), Ok(number));
    }
    assert_eq!(store.reader().expect("opens").decisions().expect("reads").len(), 11);
}

#[test]
fn an_outcome_agrees_with_its_record() {
    let folder = folder();
    let store = open(&folder);
    let opened = Record { key: GameKey { opening: "1R".into(), ..plain(3).key }, ..plain(3) };
    let fault = Fault::Suspended;
    let ending = Ending::Forfeit { by: Side::One, fault, score: Score::new(0, 0) };
    let games = [eventful(), plain(2), opened, Record::unplayed(plain(4).key, Seed(1), ending)];
    for game in &games {
        store.commit(attempt(game.clone())).expect("commits");
    }
    let reader = store.reader().expect("opens");
    let mut outcomes = Vec::new();
    reader.for_each_outcome(|outcome| outcomes.push(outcome)).expect("reads");
    for (outcome, record) in outcomes.iter().zip(&games) {
        let moves = record.plies.iter().skip(record.key.opening_plies());
        let movers: Vec<_> = moves.map(|ply| ply.by).collect();
        let same = Outcome {
            id: record.id(),
            key: record.key.clone(),
            ending: record.ending.clone(),
            fingerprint: record.fingerprint(),
            moved: BySide::from_fn(|side| movers.contains(&Some(side))),
            unplayed: BySide::from_fn(|side| record.is_unplayed_by(side)),
            ended_at: attempt(record.clone()).started_at + record.duration.as_millis() as u64,
        };
        assert_eq!(*outcome, same);
        assert_eq!(reader.outcome(&record.id()).expect("reads").as_ref(), Some(outcome));
    }
    assert_eq!(outcomes.len(), games.len());
    assert_eq!(reader.outcome(&plain(9).id()).expect("reads"), None);
}

#[test]
fn a_game_counts_once() {
    let folder = folder();
    let store = open(&folder);
    let id = plain(1).id();
    store.commit(attempt(plain(1))).expect("commits");
    let again = store.commit(attempt(eventful()));
    assert_eq!(again, Err(StoreError::AlreadyValid { id: id.clone() }));
    let void = AttemptState::Void { reason: "the machine slept".into() };
    assert_eq!(store.invalidate(vec![id.clone(), plain(7).id()], void.clone()), Ok(1));
    assert_eq!(store.invalidate(vec![id.clone()], void.clone()), Ok(0));
    store.commit(attempt(eventful())).expect("commits");
    let reader = store.reader().expect("opens");
    let attempts = reader.attempts(&id).expect("reads");
    let states: Vec<_> = attempts.iter().map(|attempt| attempt.state.clone()).collect();
    assert_eq!(states, [void, AttemptState::Valid]);
    assert_eq!(reader.counts(), Ok(Counts { valid: 1, void: 1, surplus: 0 }));
}

#[test]
fn a_fault_of_the_referee_never_counts() {
    let folder = folder();
    let store = open(&folder);
    let fault = RefereeFault::Panic { message: "oh".into() };
    let failed = attempt(Record { ending: Ending::RefereeError { fault }, ..plain(1) });
    assert!(matches!(&failed.state, AttemptState::Void { reason } if reason.contains("oh")));
    store.commit(failed.clone()).expect("commits");
    store.commit(failed.clone()).expect("any number of void attempts");
    assert!(store.commit(Attempt { state: AttemptState::Valid, ..failed }).is_err());
    assert_eq!(store.reader().expect("opens").valid_ids(), Ok(HashSet::new()));
}

#[test]
fn queued_attempts_share_a_transaction_and_not_a_failure() {
    let folder = folder();
    let store = open(&folder);
    let (release, held) = channel::<()>();
    // Keeps the writer thread busy until the rest has queued up.
    store.submit(attempt(plain(0)), move |done| {
        done.expect("commits");
        held.recv().expect("released");
    });
    let (told, heard) = channel();
    for pair in [1, 2, 0, 3] {
        let told = told.clone();
        store.submit(attempt(plain(pair)), move |done| {
            told.send((pair, done.is_ok())).expect("heard");
        });
    }
    drop(told);
    release.send(()).expect("held");
    let answers: Vec<_> = heard.iter().collect();
    assert_eq!(answers, [(1, true), (2, true), (0, false), (3, true)]);
    assert_eq!(store.reader().expect("opens").counts().expect("reads").valid, 4);
}

#[test]
fn many_threads_commit_at_once() {
    let folder = folder();
    let store = open(&folder);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let store = &store;
            scope.spawn(move || {
                for game in 0..20 {
                    store.commit(attempt(plain(thread * 20 + game))).expect("commits");
                }
            });
        }
    });
    assert_eq!(store.reader().expect("opens").counts().expect("reads").valid, 160);
}

#[test]
fn what_is_queued_is_written_before_the_store_is_gone() {
    let folder = folder();
    let store = open(&folder);
    for pair in 0..50 {
        store.submit(attempt(plain(pair)), |done| done.expect("commits"));
    }
    drop(store);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    let mut left: Vec<_> = left.into_iter().map(|file| file.file_name()).collect();
    left.sort();
    assert_eq!(left, ["tournament.db", "tournament.lock"]);
    let reader = Reader::open(folder.path()).expect("opens");
    assert_eq!(reader.counts().expect("reads").valid, 50);
}

#[test]
fn facts_and_bots_are_kept_and_replaced() {
    let folder = folder();
    let store = open(&folder);
    let known = |name: &str, state| KnownBot {
        id: bot(name),
        display: Untrusted::new(b"=HYPERLINK(\xff)".to_vec()),
        path: "bots/x".into(),
        dialect: Dialect::Arena,
        build: serde_json::json!({"cc": "14.2", "words": ["make"]}),
        state,
    };
    store.put_bots(vec![known("b", BotState::Active), known("a", BotState::Active)]).expect("puts");
    store.put_bots(vec![known("b", BotState::Replaced)]).expect("puts");
    let left_out = BotState::LeftOut { reason: "it did not build".into() };
    store.put_bots(vec![known("c", BotState::Active)]).expect("puts");
    store.put_bots(vec![known("c", left_out.clone())]).expect("puts");
    store.put_meta("title", &"Contest").expect("puts");
    store.put_meta("title", &["Contest", "2"]).expect("puts");
    let reader = store.reader().expect("opens");
    let bots = reader.bots().expect("reads");
    let all = [("b", BotState::Replaced), ("a", BotState::Active), ("c", left_out)];
    assert_eq!(bots, all.map(|(name, state)| known(name, state)));
    assert_eq!(reader.meta::<Vec<String>>("title"), Ok(Some(vec!["Contest".into(), "2".into()])));
    assert_eq!(reader.meta::<String>("seed"), Ok(None));
    assert!(matches!(reader.meta::<u32>("title"), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_dialect_that_is_not_known_is_an_error_and_never_another_one() {
    let folder = folder();
    let store = open(&folder);
    store.commit(attempt(plain(1))).expect("commits");
    drop(store);
    let tool = rusqlite::Connection::open(database_path(folder.path())).expect("opens");
    // With a valid checksum: a newer program may have written it.
    tool.execute("UPDATE attempts SET dialect1 = 'esperanto'", ()).expect("sets");
    checksum::put(&tool, 1).expect("sums up");
    let reader = Reader::open(folder.path()).expect("opens");
    let told = reader.load(&plain(1).id()).expect_err("no dialect").to_string();
    assert!(told.contains("there is no dialect \"esperanto\""), "{told}");
}

fn isolation(tier: Tier, level: Level, how: &str) -> Isolation {
    let promises = [(Promise::Net, Kept { level, how: how.into() })].into();
    Isolation { tier, cgroup: tier == Tier::Full, promises }
}

#[test]
fn what_contained_bots_is_kept_once_and_found_by_games() {
    let folder = folder();
    let store = open(&folder);
    let weak = isolation(Tier::Bare, Level::Absent, "nothing");
    let strong = isolation(Tier::Full, Level::Enforced, "refused in 3 µs");
    assert_eq!(store.put_isolation(&weak), Ok(1));
    assert_eq!(store.put_isolation(&strong), Ok(2));
    // A later isolation with other measurements is the same one.
    assert_eq!(store.put_isolation(&isolation(Tier::Full, Level::Enforced, "4 µs")), Ok(2));
    assert_eq!(store.put_isolation(&isolation(Tier::Full, Level::Limited, "4 µs")), Ok(3));
    let reader = store.reader().expect("opens");
    let known = reader.isolations().expect("reads");
    assert_eq!((&known[0].isolation, &known[1].isolation, known.len()), (&weak, &strong, 3));
    assert_eq!(reader.isolations_of_valid(), Ok(vec![]));
    for (pair, isolation) in [(1, Some(2)), (2, None), (3, Some(2))] {
        let game = Attempt { isolation, ..attempt(plain(pair)) };
        store.commit(game.clone()).expect("commits");
        assert_eq!(reader.load(&game.record.id()), Ok(Some(game)));
    }
    assert_eq!(reader.isolations_of_valid(), Ok(vec![None, Some(2)]));
    let tool = rusqlite::Connection::open(database_path(folder.path())).expect("opens");
    let sql = "SELECT group_concat(coalesce(tier, '?')) FROM v_games";
    let tiers: String = tool.query_row(sql, (), |row| row.get(0)).expect("reads");
    assert_eq!(tiers, "full,?,full");
}

#[test]
fn games_can_be_looked_at_with_any_tool() {
    let folder = folder();
    let store = open(&folder);
    store.commit(attempt(eventful())).expect("commits");
    let tool = rusqlite::Connection::open(database_path(folder.path())).expect("opens");
    let columns = "SELECT bot1 || ' ' || bot2 || ' ' || winner || ' ' || score1 || '-' || score2
                   || ' ' || ending || ' ' || plies || ' [' || moves || '] ' || duration_s || ' '
                   || started_utc FROM v_games";
    let line: String = tool.query_row(columns, (), |row| row.get(0)).expect("reads");
    insta::assert_snapshot!(line, @"a b 1 1-2 exited 3 [fill=1:4 3+ é] 1.234567891 2023-11-14T22:13:20Z");
}
