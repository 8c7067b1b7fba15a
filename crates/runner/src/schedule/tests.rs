//! Tests of the schedule with lanes that finish in any order, compared with a sequential model.

use std::collections::{BTreeMap, HashMap, HashSet};

use pitmaster_core::{BotHash, BotId, Dialect, Limits, Seed};
use pitmaster_tournament::{Openings, PlannedBot, RoundRobin};
use proptest::prelude::*;
use rand::seq::IndexedRandom as _;

use super::*;

/// Unplayed games with the losing sides.
type Unplayed = BTreeMap<u64, BySide<bool>>;

fn keys(count: usize) -> GameKeys {
    let bot = |number: usize| {
        let (name, hash) = (format!("bot-{number}").parse().unwrap(), BotHash::of(&[number as u8]));
        PlannedBot { id: BotId { name, hash }, dialect: Dialect::default(), anchor: None }
    };
    GameKeys {
        bots: (0..count).map(bot).collect(),
        rules: "toy@1".into(),
        limits: Limits::default(),
        openings: Openings::default(),
    }
}

impl Known for HashMap<GameId, Verdict> {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn verdict(&mut self, task: &ScheduledGame) -> Result<Option<Verdict>, StoreError> {
        Ok(self.get(&task.key.id()).copied())
    }
}

/// Batches of up to three pairs.
const THREE: Size = Size { pairs: 3, gather: false };
/// Batches of up to sixteen pairs.
const MANY: Size = Size { pairs: 16, gather: false };

fn ledger_of(count: usize, pairs: u32, known: HashMap<GameId, Verdict>) -> Schedule {
    let format = Box::new(RoundRobin::new(count, pairs));
    let absent = vec![false; count];
    Schedule::new(format, keys(count), Box::new(known), absent)
}

fn ledger(count: usize, pairs: u32) -> Schedule {
    ledger_of(count, pairs, HashMap::new())
}

/// All games, in the order of the plan.
fn plan(count: usize, pairs: u32) -> Vec<ScheduledGame> {
    let mut ledger = ledger(count, pairs);
    std::iter::from_fn(|| ledger.next_open().unwrap()).collect()
}

fn failed(one: bool, two: bool) -> Verdict {
    Verdict { failed: BySide::new(one, two), unplayed: false, game: None }
}

/// Verdict of each game. Bots fail always, often or never.
fn verdicts(plan: &[ScheduledGame], seed: u64) -> Vec<Verdict> {
    let mut dice = Seed(seed).stream("verdicts");
    let chances: Vec<f64> =
        (0..10).map(|_| *[0.0, 0.5, 0.9, 1.0].choose(&mut dice).unwrap()).collect();
    let mut fails = |bot: usize| dice.random_bool(chances[bot]);
    plan.iter().map(|task| failed(fails(task.bots.one), fails(task.bots.two))).collect()
}

/// Sequential model.
fn model(plan: &[ScheduledGame], verdicts: &[Verdict]) -> Unplayed {
    let mut streaks = [0; 10];
    let mut unplayed = Unplayed::new();
    let mut suspended = [false; 10];
    for (task, verdict) in plan.iter().zip(verdicts) {
        let losers = task.bots.map(|bot| suspended[bot]);
        if losers.iter().any(|&loses| loses) {
            unplayed.insert(task.number, losers);
            continue;
        }
        for side in Side::BOTH {
            let bot = task.bots[side];
            streaks[bot] = if verdict.failed[side] { streaks[bot] + 1 } else { 0 };
            suspended[bot] |= streaks[bot] == 10;
        }
    }
    unplayed
}

/// Lanes that finish games in random order and void some.
struct Lanes {
    ledger: Schedule,
    work: Vec<Option<VecDeque<ScheduledGame>>>,
    dice: rand_chacha::ChaCha8Rng,
    size: Size,
    voids: u32,
    settled: u64,
    unplayed: Unplayed,
    played: Vec<u64>,
}

impl Lanes {
    fn new(ledger: Schedule, lanes: usize, seed: u64, voids: u32) -> Self {
        let work = vec![Some(VecDeque::new()); lanes];
        let dice = Seed(seed).stream("lanes");
        // Gathering changes only the order.
        let size = Size { gather: seed.is_multiple_of(2), ..THREE };
        let (unplayed, played) = (Unplayed::new(), Vec::new());
        Self { ledger, work, dice, size, voids, settled: 0, unplayed, played }
    }

    /// Gives work to idle lanes and settles results. Returns whether there was any work.
    fn turn(&mut self) -> bool {
        for lane in
            self.work.iter_mut().filter(|lane| lane.as_ref().is_some_and(VecDeque::is_empty))
        {
            match self.ledger.claim(self.size).unwrap() {
                Claim::Batch(batch) => {
                    assert!(batch.iter().all(|task| task.has_bots_of(&batch[0])));
                    *lane = Some(batch.into());
                }
                Claim::Wait => {}
                Claim::Done => *lane = None,
            }
        }
        let before = self.settled;
        while let Some(settled) = self.ledger.settle() {
            self.settled += u64::from(!matches!(settled, Settled::Suspended(_)));
            if let Settled::Unplayed { task, losers, was_played } = settled {
                assert_eq!(task.number + 1, self.settled, "settled in the plan's order");
                assert_eq!(was_played, self.played.contains(&task.number));
                self.unplayed.insert(task.number, losers);
            }
        }
        self.settled > before
    }

    /// Ends a game on some lane. Returns `false` if no game is running.
    fn finish_one(&mut self, verdicts: &[Verdict]) -> bool {
        let busy: Vec<usize> = (0..self.work.len())
            .filter(|&lane| self.work[lane].as_ref().is_some_and(|work| !work.is_empty()))
            .collect();
        let Some(&lane) = busy.choose(&mut self.dice) else { return false };
        let task = self.work[lane].as_mut().unwrap().pop_front().unwrap();
        if self.voids > 0 && self.dice.random_bool(0.1) {
            self.voids -= 1;
            self.ledger.play_again(task);
        } else {
            assert!(!self.played.contains(&task.number), "played twice");
            self.played.push(task.number);
            self.ledger.finished(task.number, verdicts[task.number as usize]);
        }
        true
    }

    fn play_all(&mut self, verdicts: &[Verdict]) {
        while self.turn() || self.finish_one(verdicts) {}
        assert!(self.work.iter().all(Option::is_none), "a lane waits for ever");
    }
}

proptest! {
    #[test]
    fn what_stands_unplayed_is_the_same_in_any_order_on_any_lanes(
        count in 2_usize..7, pairs in 1_u32..10, lanes in 1_usize..9,
        outcomes: u64, order: u64, voids in 0_u32..4,
    ) {
        let plan = plan(count, pairs);
        let verdicts = verdicts(&plan, outcomes);
        let mut lanes = Lanes::new(ledger(count, pairs), lanes, order, voids);
        lanes.play_all(&verdicts);
        prop_assert!(lanes.ledger.is_complete());
        prop_assert_eq!(lanes.settled, plan.len() as u64);
        prop_assert_eq!(&lanes.unplayed, &model(&plan, &verdicts));
        let all: HashSet<u64> = lanes.played.iter().chain(lanes.unplayed.keys()).copied().collect();
        prop_assert_eq!(all.len(), plan.len());
    }

    #[test]
    fn what_is_known_is_not_played_again_and_changes_nothing(
        count in 2_usize..7, pairs in 1_u32..10, lanes in 1_usize..9,
        outcomes: u64, order: u64, share in 0.0..1.0,
    ) {
        let plan = plan(count, pairs);
        let verdicts = verdicts(&plan, outcomes);
        let unplayed = model(&plan, &verdicts);
        let mut dice = Seed(order).stream("known");
        let known: HashMap<u64, Verdict> = (0_u64..)
            .zip(&verdicts)
            .filter(|_| dice.random_bool(share))
            .map(|(number, verdict)| {
                let unplayed = unplayed.contains_key(&number);
                (number, Verdict { unplayed, ..*verdict })
            })
            .collect();
        let ids = known.iter().map(|(&number, verdict)| (plan[number as usize].key.id(), *verdict));
        let ledger = ledger_of(count, pairs, ids.collect());
        prop_assert_eq!(ledger.known(), known.len() as u64);
        let mut lanes = Lanes::new(ledger, lanes, order, 0);
        lanes.play_all(&verdicts);
        prop_assert!(lanes.ledger.is_complete());
        prop_assert!(lanes.played.iter().all(|number| !known.contains_key(number)));
        let missing: Unplayed =
            unplayed.into_iter().filter(|(number, _)| !known.contains_key(number)).collect();
        prop_assert_eq!(&lanes.unplayed, &missing);
    }

    #[test]
    fn closing_ends_at_a_whole_cycle_that_had_begun(
        count in 2_usize..7, pairs in 1_u32..10, lanes in 1_usize..9, order: u64, after in 0_usize..60,
    ) {
        let plan = plan(count, pairs);
        let verdicts = vec![Verdict::default(); plan.len()];
        let mut lanes = Lanes::new(ledger(count, pairs), lanes, order, 0);
        // With a time limit, nothing is gathered from later cycles.
        lanes.size.gather = false;
        for _ in 0..after {
            lanes.turn();
            lanes.finish_one(&verdicts);
        }
        let pair_of = |number: u64| plan[number as usize].key.pair;
        let at_work = lanes.work.iter().flatten().flatten().map(|task| task.number);
        let begun = lanes.played.iter().copied().chain(at_work).map(pair_of).max();
        let handed_out = lanes.played.len() + lanes.work.iter().flatten().flatten().count();
        let plays_on = lanes.ledger.close_after_cycle();
        lanes.play_all(&verdicts);
        let cycle = (count * (count - 1)) as u64;
        prop_assert_eq!(plays_on, begun > Some(1));
        if plays_on {
            prop_assert_eq!(lanes.played.len() as u64, u64::from(begun.unwrap_or(0)) * cycle);
            prop_assert_eq!(lanes.ledger.is_complete(), begun == Some(pairs));
        } else {
            // The first cycle may be the whole plan and exceed the time limit.
            prop_assert_eq!(lanes.played.len(), handed_out);
            prop_assert_eq!(lanes.ledger.is_complete(), handed_out == plan.len());
        }
    }
}

fn claimed(ledger: &mut Schedule) -> Vec<u64> {
    match ledger.claim(MANY).unwrap() {
        Claim::Batch(batch) => batch.iter().map(|task| task.number).collect(),
        Claim::Wait | Claim::Done => Vec::new(),
    }
}

#[test]
fn a_batch_is_pairs_of_the_same_two_bots_and_no_more_than_asked_for() {
    let mut two = ledger(2, 5);
    let Claim::Batch(batch) = two.claim(THREE).unwrap() else { panic!("there is work") };
    assert_eq!(batch.iter().map(|task| task.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(claimed(&mut two), [6, 7, 8, 9]);
    let mut three = ledger(3, 2);
    assert_eq!([claimed(&mut three), claimed(&mut three)], [[0, 1], [2, 3]]);
}

#[test]
fn what_goes_far_is_gathered_from_later_cycles() {
    let mut three = ledger(3, 3);
    let mut gathered = || match three.claim(Size { pairs: 2, gather: true }).unwrap() {
        Claim::Batch(batch) => batch.iter().map(|task| task.number).collect(),
        Claim::Wait | Claim::Done => Vec::new(),
    };
    assert_eq!(gathered(), [0, 1, 6, 7]);
    assert_eq!(gathered(), [2, 3, 8, 9]);
    assert_eq!(gathered(), [4, 5, 10, 11]);
    assert_eq!(gathered(), [12, 13]);
}

#[test]
fn results_settle_in_the_order_of_the_plan() {
    let mut ledger = ledger(2, 2);
    claimed(&mut ledger);
    for number in [3, 1, 2] {
        ledger.finished(number, Verdict::default());
        assert!(ledger.settle().is_none(), "game 0 is still being played");
    }
    ledger.finished(0, Verdict::default());
    let settled = std::iter::from_fn(|| ledger.settle()).count();
    assert_eq!((settled, claimed(&mut ledger), ledger.is_complete()), (4, Vec::new(), true));
}

#[test]
fn a_void_game_is_played_again_before_anything_behind_it_settles() {
    let mut ledger = ledger(2, 1);
    let Claim::Batch(batch) = ledger.claim(MANY).unwrap() else { panic!("there is work") };
    ledger.finished(1, Verdict::default());
    ledger.play_again(batch[0].clone());
    assert!(ledger.settle().is_none());
    assert_eq!(claimed(&mut ledger), [0]);
    assert!(matches!(ledger.claim(MANY).unwrap(), Claim::Wait), "it may become void again");
    ledger.finished(0, Verdict::default());
    assert_eq!(std::iter::from_fn(|| ledger.settle()).count(), 2);
    assert!(matches!(ledger.claim(MANY).unwrap(), Claim::Done));
}

#[test]
fn others_play_before_a_void_game_is_tried_again() {
    let mut ledger = ledger(4, 1);
    let Claim::Batch(batch) = ledger.claim(MANY).unwrap() else { panic!("there is work") };
    for task in batch {
        ledger.play_again(task);
    }
    let order = [(); 3].map(|()| claimed(&mut ledger));
    assert_eq!(order, [[2, 3], [0, 1], [4, 5]]);
}

#[test]
fn games_of_a_bot_that_was_set_aside_stay_open() {
    let mut ledger = ledger(3, 2);
    let mut others = 0;
    ledger.invalidate(1);
    while let Claim::Batch(batch) = ledger.claim(MANY).unwrap() {
        assert!(batch.iter().all(|task| task.bots.iter().all(|&bot| bot != 1)));
        others += batch.len();
        for task in batch {
            ledger.finished(task.number, Verdict::default());
        }
    }
    let settled: Vec<Settled> = std::iter::from_fn(|| ledger.settle()).collect();
    let open = settled.iter().filter(|settled| matches!(settled, Settled::Open)).count();
    assert_eq!((others, open, settled.len()), (4, 8, 12));
}

#[test]
fn games_of_an_absent_bot_are_lost_without_being_played() {
    let format = Box::new(RoundRobin::new(2, 1));
    let known = Box::new(HashMap::new());
    let mut ledger = Schedule::new(format, keys(2), known, vec![true, false]);
    assert!(matches!(ledger.claim(MANY).unwrap(), Claim::Done));
    for losers in [BySide::new(true, false), BySide::new(false, true)] {
        let Some(Settled::Unplayed { losers: lost, was_played: false, .. }) = ledger.settle()
        else {
            panic!("it is lost unplayed")
        };
        assert_eq!(lost, losers);
    }
    assert!(ledger.is_complete());
}
