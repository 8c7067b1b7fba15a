//! Replay: the same events give the same tasks.

use std::collections::{BTreeMap, BTreeSet};

use pitmaster_core::{BySide, Mark, Seed};
use rand::RngExt as _;

use super::simulation::Dice;
use super::tests::newcomer;
use super::*;

/// Event of a ladder.
#[derive(Debug, Clone, Copy)]
enum Event {
    Added(Utc, Newcomer),
    Removed(VersionId),
    Validates(VersionId),
    Asked(Ask),
    WantsWork(Utc),
    Recorded(u64, Outcome),
    TakesRefit,
    Fitted(Utc),
}

/// Applies an event to a ladder. Returns the task given out, if any.
fn apply(ladder: &mut Ladder, fit: &mut Option<Refit>, event: Event) -> Option<Task> {
    match event {
        Event::Added(now, newcomer) => _ = ladder.add(now, newcomer),
        Event::Removed(version) => _ = ladder.remove(version),
        Event::Validates(version) => ladder.validate(version),
        Event::Asked(ask) => ladder.ask(ask),
        Event::WantsWork(now) => return ladder.next(now),
        Event::Recorded(number, outcome) => _ = ladder.record(number, outcome).expect("given out"),
        Event::TakesRefit => *fit = ladder.refit(),
        Event::Fitted(now) => {
            if let Some(fit) = fit.take() {
                ladder.fitted(fit.run(), now);
            }
        }
    }
    None
}

/// Random event at this instant for a ladder with these tasks.
fn any_event(dice: &mut Dice, now: Utc, running: &[u64], names: &[Newcomer]) -> Event {
    let newcomer = names[dice.random_range(0..names.len())];
    match dice.random_range(0..40) {
        0 | 1 => Event::Added(now, newcomer),
        2 => Event::Removed(newcomer.version),
        3 => Event::Validates(newcomer.version),
        4 => {
            let id = AskId::of(std::array::from_fn(|_| dice.random()));
            Event::Asked(Ask { id, group: newcomer.group, pairs: 2 })
        }
        5 => Event::TakesRefit,
        6 => Event::Fitted(now),
        number if number < 22 || running.is_empty() => Event::WantsWork(now),
        number => {
            let task = running[dice.random_range(0..running.len())];
            let lane_time = Duration::from_millis(dice.random_range(1000..9000));
            let (marks, fingerprint) =
                (BySide::new(Mark::Win, Mark::Loss), dice.random_range(0..50));
            let (faults, failed) = (BySide::default(), BySide::new(false, dice.random_bool(0.3)));
            let games = [PlayedGame { marks, faults, fingerprint, failed }; 2];
            match number {
                38 | 39 => Event::Recorded(task, Outcome::Lost),
                _ => Event::Recorded(task, Outcome::Pair { games, lane_time }),
            }
        }
    }
}

/// A disputed pairing can be reproduced.
#[test]
fn the_same_events_give_the_same_tasks() {
    let names: Vec<Newcomer> =
        (0..8).flat_map(|group| (1..4).map(move |number| newcomer(group, number))).collect();
    let empty = || {
        let mut ladder = Ladder::new(LadderSettings::default(), Seed(5));
        ladder.add_house("house:greedy", 1300.0);
        ladder
    };
    let mut dice = Seed(6).stream("events");
    let (mut live, mut fit, mut now) = (empty(), None, Utc(0));
    let (mut log, mut tasks, mut running) = (Vec::new(), Vec::new(), BTreeMap::new());
    for _ in 0..3000 {
        now = now.plus(Duration::from_millis(dice.random_range(0..60_000)));
        let numbers: Vec<u64> = running.keys().copied().collect();
        let mut event = any_event(&mut dice, now, &numbers, &names);
        if let Event::Recorded(number, outcome) = &mut event {
            let is_pair = matches!(running.remove(number), Some(Task::Pair(_)));
            if let (false, Outcome::Pair { lane_time, .. }) = (is_pair, *outcome) {
                *outcome = Outcome::Unrated { lane_time };
            }
        }
        let task = apply(&mut live, &mut fit, event);
        running.extend(task.map(|task| (task.number(), task)));
        tasks.extend(task);
        log.push(event);
    }
    assert!(tasks.len() > 500, "{}", tasks.len());
    let classes: BTreeSet<_> = tasks.iter().map(choice::class_of).collect();
    assert_eq!(classes.len(), choice::CLASSES);
    let (mut again, mut fit) = (empty(), None);
    let repeated = log.into_iter().filter_map(|event| apply(&mut again, &mut fit, event));
    assert_eq!(repeated.collect::<Vec<_>>(), tasks);
    assert_eq!(again.table(now), live.table(now));
}
