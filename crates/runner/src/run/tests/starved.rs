//! Tests of games with a starved bot, with an executor that fabricates its records.

use std::collections::HashMap;
use std::sync::Mutex;
use std::thread::JoinHandle;

use pitmaster_core::{Ending, Evidence, GameId, Score};

use super::*;
use crate::{Batch, Executor, LocalQueue, Machine, Place, Played, Queue as _};

/// Number of initial attempts at a game that are starved.
type Times = fn(&ScheduledGame) -> u32;

#[derive(Debug)]
struct MadeUp {
    times: Times,
    far: bool,
}

impl Executor for MadeUp {
    fn lanes(&self) -> usize {
        1
    }

    fn is_far(&self) -> bool {
        self.far
    }

    fn begin(self: Box<Self>, queue: &mut dyn FnMut() -> LocalQueue) -> Vec<JoinHandle<()>> {
        let queue = queue();
        vec![std::thread::spawn(move || {
            let attempts = Mutex::new(HashMap::<GameId, u32>::new());
            while let Some(batch) = queue.claim() {
                for pair in batch.pairs() {
                    self.play(pair, &batch, &queue, &mut attempts.lock().unwrap());
                }
            }
        })]
    }
}

impl MadeUp {
    fn play(
        &self,
        pair: &[ScheduledGame],
        batch: &Batch,
        queue: &LocalQueue,
        attempts: &mut HashMap<GameId, u32>,
    ) {
        let machine = self.far.then(|| Machine { name: "lab".into(), isolation: None });
        let played = pair.iter().map(|task| {
            let attempt = attempts.entry(task.key.id()).or_default();
            *attempt += 1;
            let record = record(task, *attempt <= (self.times)(task));
            let (task, place) = (task.clone(), Place { lane: 0, machine: machine.clone() });
            let (started_at, took) = (SystemTime::now(), Duration::ZERO);
            Played { task, record, place, started_at, took, void: None }
        });
        let played: Vec<_> = played.collect();
        if self.far {
            queue.finish_together(played, Box::new(|| {}));
        } else {
            for played in played {
                queue.finish(batch, played);
            }
        }
    }
}

fn record(task: &ScheduledGame, is_starved: bool) -> Record {
    let [limit, took, waited] = [1000, 1400, 500].map(Duration::from_millis);
    let score = Score::default();
    let ending = if is_starved {
        let fault = Fault::Starved { limit, took, waited };
        Ending::Forfeit { by: Side::One, fault, score }
    } else {
        Ending::Rules { clause: "x".into(), winner: None, score }
    };
    let evidence = BySide::new(is_starved.then(Evidence::default), None);
    Record { evidence, ..Record::unplayed(task.key.clone(), Seed(1), ending) }
}

/// Endings of all attempts per game in plan order, each with its validity, and the reported
/// replays.
fn outcomes(
    store: &Store,
    tournament: &Tournament,
    crew: MadeUp,
) -> (Vec<String>, Vec<(u32, u32)>) {
    let sandbox = Sandbox::open(&Resources::default());
    let run = Run {
        tournament,
        entrants: vec![good("a"), good("b")],
        store,
        crew: Box::new(crew),
        isolation: sandbox.isolation(),
        stopping: Stopping::Never,
        until: None,
        stopper: Stopper::default(),
        left_open: Vec::new(),
        kept: Vec::new(),
    };
    let mut replays = Vec::new();
    let finish = run.play(&mut |event| {
        if let Event::Starved { replay, of, .. } = event {
            replays.push((*replay, *of));
        }
    });
    assert_eq!(finish.unwrap(), Finish::Complete);
    let reader = store.reader().unwrap();
    let ids = reader.valid_ids().unwrap();
    let mut games: Vec<_> = ids.iter().map(|id| reader.attempts(id).unwrap()).collect();
    games.sort_by_key(|game| (game[0].record.key.pair, game[0].record.key.bots.clone()));
    let told = |attempt: pitmaster_store::Attempt| match attempt.state {
        AttemptState::Valid => attempt.record.ending.name().into_owned(),
        AttemptState::Void { reason } => format!("void ({reason})"),
        AttemptState::Surplus { .. } => "surplus".into(),
    };
    let told = |game: Vec<_>| game.into_iter().map(told).collect::<Vec<_>>().join(", ");
    (games.into_iter().map(told).collect(), replays)
}

fn played(replays: u32, crew: MadeUp) -> (Vec<String>, Vec<(u32, u32)>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Durability::Normal).unwrap();
    outcomes(&store, &Tournament { starved_replays: replays, ..tournament(1) }, crew)
}

/// The first game of a pair.
fn first(task: &ScheduledGame) -> bool {
    task.bots.one < task.bots.two
}

#[test]
fn a_starved_game_is_void_and_replayed_so_often_and_then_counts() {
    let once = |task: &ScheduledGame| u32::from(first(task));
    let (games, replays) = played(3, MadeUp { times: once, far: false });
    insta::assert_snapshot!(games.join("\n"), @"
    void (starved: a bot was late because the machine was busy), rules:x
    rules:x
    ");
    assert_eq!(replays, [(1, 3)]);
    let always = |task: &ScheduledGame| if first(task) { u32::MAX } else { 0 };
    let (games, replays) = played(2, MadeUp { times: always, far: false });
    insta::assert_snapshot!(games.join("\n"), @"
    void (starved: a bot was late because the machine was busy), void (starved: a bot was late because the machine was busy), starved
    rules:x
    ");
    assert_eq!(replays, [(1, 2), (2, 2)]);
    let (games, replays) = played(0, MadeUp { times: always, far: false });
    assert_eq!((games, replays), (vec!["starved".to_owned(), "rules:x".to_owned()], Vec::new()));
}

/// A pair is played on one machine. Starvation reports of a worker are also accepted only up to the
/// maximum.
#[test]
fn the_pair_of_a_worker_is_replayed_together_and_not_for_ever() {
    let always = |task: &ScheduledGame| if first(task) { u32::MAX } else { 0 };
    let (games, replays) = played(1, MadeUp { times: always, far: true });
    insta::assert_snapshot!(games.join("\n"), @"
    void (starved: a bot was late because the machine was busy), starved
    void (starved: a bot was late because the machine was busy), rules:x
    ");
    assert_eq!(replays, [(1, 1)]);
}

#[test]
fn replays_are_counted_over_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Durability::Normal).unwrap();
    let tournament = Tournament { starved_replays: 2, ..tournament(1) };
    let task = |record: &Record| record.key.id();
    let always = |task: &ScheduledGame| if first(task) { u32::MAX } else { 0 };
    let (games, _) = outcomes(&store, &tournament, MadeUp { times: always, far: false });
    assert!(games[0].ends_with("starved"), "{games:?}");
    // Voids the valid games, which have used up their replays.
    let mut ids = Vec::new();
    store.reader().unwrap().for_each_valid(|attempt| ids.push(task(&attempt.record))).unwrap();
    store.invalidate(ids, AttemptState::Void { reason: "by hand".into() }).unwrap();
    let (_, replays) = outcomes(&store, &tournament, MadeUp { times: always, far: false });
    assert_eq!(replays, []);
    assert_eq!(store.reader().unwrap().all_starved().unwrap(), 3);
}
