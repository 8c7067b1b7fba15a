//! Tests of whole runs with bots that are one line of shell each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pitmaster_core::{
    BotHash, BySide, Dialect, Limits, Record, RefereeFault, Requirements, Resources, Seed,
};
use pitmaster_games::find;
use pitmaster_sandbox::{Launch, Sandbox, SandboxProfile};
use pitmaster_tournament::{Bots, Durability, FormatPlan, Openings};

use super::*;
use crate::{Event, Finish, Start, Stopper, layout};

/// Plays one move. The games have two plies.
const ONE_MOVE: &str = "read line; echo ${0}R; while read line; do :; done";

/// Tournament of two-ply games without time pressure.
fn tournament(pairs: u32) -> Tournament {
    let hour = Some(Duration::from_hours(1));
    let limits = Limits {
        per_move: hour,
        first_move: hour,
        per_game: None,
        plies: Some(2),
        ..Limits::default()
    };
    Tournament {
        title: String::new(),
        seed: Seed(1),
        game: find(&"coloured-awale".parse().unwrap()).unwrap(),
        limits,
        seed_commitment: None,
        starved_replays: 2,
        isolation: None,
        require: Requirements::default(),
        format: FormatPlan::round_robin(pairs),
        share: None,
        openings: Openings::default(),
        bots: Bots::default(),
        durability: Durability::Normal,
    }
}

/// Bot that calls `before` at every start.
fn bot(name: &str, before: impl Fn() + Send + Sync + 'static) -> Entrant {
    let launch = move |side: Side, _: Seed, _: &Limits, _: &str| {
        before();
        Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), ONE_MOVE.into(), side.number().to_string().into()],
            environment: Vec::new(),
            dir: "/".into(),
            cage: SandboxProfile::open(),
        }
    };
    Entrant {
        id: BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) },
        dialect: Dialect::Arena,
        lenient: false,
        start: Start::Process(Arc::new(launch)),
        absent: None,
        anchor: None,
    }
}

fn good(name: &str) -> Entrant {
    bot(name, || {})
}

/// Bot whose start makes the referee panic this many times.
fn breaks(name: &str, times: u32) -> Entrant {
    let left = AtomicU32::new(times);
    bot(name, move || {
        let take_one = |left: u32| left.checked_sub(1);
        if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one).is_ok() {
            // Panics without printing a message.
            std::panic::resume_unwind(Box::new("broken"));
        }
    })
}

/// Result of a run.
struct RunResult {
    finish: Finish,
    /// Pair numbers of the valid games.
    pairs: Vec<u32>,
    void: u64,
    invalidate: Vec<String>,
}

fn play(
    tournament: &Tournament,
    entrants: Vec<Entrant>,
    lanes: usize,
    until: Option<SystemTime>,
) -> RunResult {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Durability::Normal).unwrap();
    let mut invalidate = Vec::new();
    let crew = Box::new(layout(Some(lanes)));
    let stopping = Stopping::Never;
    let sandbox = Sandbox::open(&Resources::default());
    let isolation = sandbox.isolation();
    let kept = Vec::new();
    let left_open = Vec::new();
    let run = Run {
        tournament,
        entrants,
        store: &store,
        crew,
        isolation,
        stopping,
        until,
        stopper: Stopper::default(),
        left_open,
        kept,
    };
    let finish = run.play(&mut |event| {
        if let Event::SetAside { bot } = event {
            invalidate.push(bot.to_string());
        }
    });
    let reader = store.reader().unwrap();
    let mut pairs = Vec::new();
    reader.for_each_valid(|attempt| pairs.push(attempt.record.key.pair)).unwrap();
    let void = reader.counts().unwrap().void;
    RunResult { finish: finish.unwrap(), pairs, void, invalidate }
}

#[test]
fn the_end_of_the_time_is_the_end_of_a_cycle() {
    // The first cycle is not played out, so a busy machine gets more time for it.
    let mut times = [300, 3_000, 30_000].map(Duration::from_millis).into_iter();
    let (result, last) = loop {
        let until = SystemTime::now() + times.next().expect("a cycle in half a minute");
        let entrants = vec![good("a"), good("b"), good("c")];
        let result = play(&tournament(1_000_000), entrants, 2, Some(until));
        assert_eq!(result.finish, Finish::TimeOver);
        let last = result.pairs.iter().copied().max().unwrap_or(0);
        if last > 1 {
            break (result, last);
        }
    };
    for pair in 1..=last {
        let games = result.pairs.iter().filter(|&&played| played == pair).count();
        assert_eq!(games, 6, "pair {pair} of {last}");
    }
}

mod starved;

/// Plays any number of games in one process, always the first legal move.
const ANY_GAMES: &str = "while read first rest; do case $first in pitmaster) echo ready x;; \
                         newgame) echo ready;; moves) move=${rest%% *};; go) echo move $move;; \
                         quit) exit;; esac; done";

#[test]
fn a_process_serves_pairs_of_later_cycles() {
    let starts = Arc::new(AtomicU32::new(0));
    let bot = |name: &str| {
        let starts = Arc::clone(&starts);
        let launch = move |_: Side, _: Seed, _: &Limits, _: &str| {
            starts.fetch_add(1, Ordering::Relaxed);
            Launch {
                program: "/bin/sh".into(),
                name: "sh".into(),
                args: vec!["-c".into(), ANY_GAMES.into()],
                environment: Vec::new(),
                dir: "/".into(),
                cage: SandboxProfile::open(),
            }
        };
        let (dialect, start) = (Dialect::Pitmaster, Start::Process(Arc::new(launch)));
        Entrant { dialect, start, ..good(name) }
    };
    let result = play(&tournament(16), vec![bot("a"), bot("b"), bot("c")], 1, None);
    assert_eq!((result.finish, result.pairs.len()), (Finish::Complete, 96));
    // Without gathering from later cycles, 48 pairs would need two processes each.
    let started = starts.load(Ordering::Relaxed);
    assert!(started < 60, "{started} processes");
}

#[test]
fn void_games_are_played_again() {
    for lanes in [1, 2] {
        let result = play(&tournament(2), vec![breaks("a", 2), good("b")], lanes, None);
        assert_eq!(result.finish, Finish::Complete);
        assert_eq!((result.pairs.len(), result.void), (4, 2));
    }
}

#[test]
fn three_void_games_in_a_row_stop_the_run() {
    let result = play(&tournament(5), vec![breaks("a", u32::MAX), good("b")], 1, None);
    let Finish::RefereeFailed(RefereeFault::Panic { message }) = result.finish else {
        panic!("{:?}", result.finish)
    };
    assert_eq!((message.as_str(), result.pairs.len()), ("broken", 0));
    assert!(result.void >= 3);
}

#[test]
fn one_bot_with_which_the_referee_fails_does_not_stop_the_others() {
    let entrants = vec![breaks("a", u32::MAX), good("b"), good("c"), good("d")];
    let result = play(&tournament(2), entrants, 1, None);
    assert_eq!(result.finish, Finish::Incomplete(vec!["a".parse().unwrap()]));
    assert_eq!(result.invalidate, ["a"]);
    assert_eq!(result.pairs.len(), 12);
}
