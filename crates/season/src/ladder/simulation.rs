//! Simulated ladders: bots with true strengths, lanes, and time that passes. No processes.

use std::collections::{BTreeMap, BTreeSet};

use pitmaster_core::{BySide, Mark, Seed};
use pitmaster_ratings::{Elo, chances};
use rand::RngExt as _;

use super::tests::newcomer;
use super::*;
use crate::course::EntryId;

/// Share of draws between equals, and the first-move advantage.
const DRAWS: f64 = 0.1;
const FIRST_MOVE: Elo = 30.0;

pub(super) type Dice = rand_chacha::ChaCha8Rng;

/// A ladder with lanes and true strengths.
#[derive(Clone)]
struct World {
    ladder: Ladder,
    lanes: usize,
    now: Utc,
    /// Tasks by the instants at which they end.
    busy: BTreeMap<(Utc, u64), Task>,
    /// True strength of each player.
    truth: Vec<Elo>,
    /// Lane seconds of each player in a pair.
    speed: Vec<f64>,
    /// Players whose circle decides: each beats the next one of three.
    circles: BTreeMap<Player, u32>,
    /// Number of recorded rated pairs after which a refit is due.
    refit_every: u64,
    games: u64,
    /// Rated games of each player.
    played: Vec<u32>,
    /// Arrival of each player, and start of its first pair.
    came: Vec<Utc>,
    first: Vec<Option<Utc>>,
    /// Versions whose validation games are not played yet, with their strengths and arrivals.
    waiting: BTreeMap<VersionId, (Newcomer, Elo, Utc)>,
    /// Opponents of each player.
    met: BTreeSet<[Player; 2]>,
    dice: Dice,
}

impl World {
    fn new(lanes: usize, refit_every: u64, seed: u64) -> Self {
        let dice = Seed(seed).stream("simulated ladder");
        Self {
            ladder: Ladder::new(LadderSettings::default(), Seed(seed)),
            lanes,
            now: Utc(0),
            busy: BTreeMap::new(),
            truth: Vec::new(),
            speed: Vec::new(),
            circles: BTreeMap::new(),
            refit_every,
            games: 0,
            played: Vec::new(),
            came: Vec::new(),
            first: Vec::new(),
            waiting: BTreeMap::new(),
            met: BTreeSet::new(),
            dice,
        }
    }

    fn house(&mut self, elo: Elo) -> Player {
        self.push(elo, 1.0);
        self.ladder.add_house(&format!("house:{elo}"), elo)
    }

    fn version(&mut self, newcomer: Newcomer, truth: Elo) -> Player {
        self.push(truth, 5.0);
        self.ladder.add(self.now, newcomer)
    }

    /// Submits a version, which plays once it is validated.
    fn hand_in(&mut self, newcomer: Newcomer, truth: Elo, at: Utc) {
        self.waiting.insert(newcomer.version, (newcomer, truth, at));
        self.ladder.validate(newcomer.version);
    }

    fn validated(&mut self, version: VersionId) {
        if let Some((newcomer, truth, at)) = self.waiting.remove(&version) {
            let player = self.version(newcomer, truth);
            self.came[player.index()] = at;
        }
    }

    fn push(&mut self, truth: Elo, speed: f64) {
        self.truth.push(truth);
        self.speed.push(speed);
        self.played.push(0);
        self.came.push(self.now);
        self.first.push(None);
    }

    /// Four house bots, and bots of this spread, one per group.
    fn with_field(mut self, count: u16, spread: Elo) -> Self {
        for elo in [1100.0, 1350.0, 1550.0, 1800.0] {
            self.house(elo);
        }
        for group in 0..count {
            let truth = 1500.0 + spread * normal(&mut self.dice);
            self.version(newcomer(group, 1), truth);
        }
        self
    }

    /// Fills all lanes, and waits for the task that ends first. `None` if there is no work.
    fn step(&mut self) -> Option<Task> {
        while self.busy.len() < self.lanes
            && let Some(task) = self.ladder.next(self.now)
        {
            let time = Duration::from_secs_f64(self.seconds(&task));
            self.busy.insert((self.now.plus(time), task.number()), task);
            if let Task::Pair(pair) = task {
                for player in [pair.a, pair.b] {
                    self.first[player.index()].get_or_insert(self.now);
                }
            }
        }
        let ((now, number), task) = self.busy.pop_first()?;
        self.now = now;
        let lane_time = Duration::from_secs_f64(self.seconds(&task));
        let outcome = match task {
            Task::Validation { .. } | Task::Asked { .. } => Outcome::Unrated { lane_time },
            Task::Pair(pair) => Outcome::Pair { games: self.games(&pair), lane_time },
        };
        self.ladder.record(number, outcome).expect("was given out");
        if let Task::Validation { version, .. } = task {
            self.validated(version);
        }
        if self.ladder.revision >= self.ladder.taken.0.saturating_add(self.refit_every) {
            self.refit();
        }
        Some(task)
    }

    fn refit(&mut self) {
        if let Some(refit) = self.ladder.refit() {
            self.ladder.fitted(refit.run(), self.now);
        }
    }

    fn seconds(&self, task: &Task) -> f64 {
        match task {
            Task::Validation { .. } | Task::Asked { .. } => 20.0,
            Task::Pair(pair) => self.speed[pair.a.index()] + self.speed[pair.b.index()],
        }
    }

    fn games(&mut self, pair: &Pair) -> [PlayedGame; 2] {
        self.met.insert(choice::ordered(pair.a, pair.b));
        for player in [pair.a, pair.b] {
            self.played[player.index()] += 2;
        }
        [(pair.a, pair.b), (pair.b, pair.a)].map(|(one, two)| self.game(one, two))
    }

    fn game(&mut self, one: Player, two: Player) -> PlayedGame {
        let difference = self.truth[one.index()] - self.truth[two.index()] + self.circle(one, two);
        let [win, draw, _] = chances(difference + FIRST_MOVE, DRAWS);
        let dice: f64 = self.dice.random();
        let marks = if dice < win {
            BySide::new(Mark::Win, Mark::Loss)
        } else if dice < win + draw {
            BySide::new(Mark::Draw, Mark::Draw)
        } else {
            BySide::new(Mark::Loss, Mark::Win)
        };
        self.games += 1;
        let (faults, failed) = (BySide::default(), BySide::default());
        PlayedGame { marks, faults, fingerprint: self.games, failed }
    }

    /// Contribution of a rock-paper-scissors circle.
    fn circle(&self, one: Player, two: Player) -> Elo {
        let places = [one, two].map(|player| self.circles.get(&player).copied());
        let [Some(one), Some(two)] = places else { return 0.0 };
        match (one / 3 == two / 3, (one % 3 + 3 - two % 3) % 3) {
            (true, 1) => -400.0,
            (true, 2) => 400.0,
            _ => 0.0,
        }
    }

    /// Error of the rating of a player.
    fn error(&self, player: Player) -> Elo {
        self.ladder.rating(player).map_or(0.0, |rating| rating.elo) - self.truth[player.index()]
    }

    /// Active versions.
    fn field(&self) -> Vec<Player> {
        let slots = &self.ladder.slots;
        let is_active = |player: &Player| {
            slots[player.index()].is_active && slots[player.index()].group.is_some()
        };
        self.ladder.players().filter(is_active).collect()
    }

    /// Mean error of the active versions.
    fn mean_error(&self) -> Elo {
        let errors: Vec<Elo> = self.field().iter().map(|&player| self.error(player)).collect();
        errors.iter().sum::<Elo>() / errors.len() as f64
    }
}

impl World {
    /// Share of the active versions whose interval contains their true strength.
    fn coverage(&self) -> f64 {
        let field = self.field();
        let is_covered = |player: &&Player| {
            let truth = self.truth[player.index()];
            let rating = self.ladder.rating(**player);
            rating.and_then(|own| Some(own.low? <= truth && truth <= own.high?)) == Some(true)
        };
        field.iter().filter(is_covered).count() as f64 / field.len() as f64
    }

    /// Standard error of the field's mean, as of the last fit.
    fn field_error(&self) -> Elo {
        let field: Vec<u32> = self.field().iter().map(|player| player.0).collect();
        self.ladder.ratings.as_ref().map_or(0.0, |ratings| ratings.error_of_mean(&field))
    }
}

/// Samples the standard normal distribution (Box and Muller).
fn normal(dice: &mut Dice) -> f64 {
    let [radius, angle]: [f64; 2] = [dice.random(), dice.random()];
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

fn rms(errors: &[Elo]) -> Elo {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

/// Spearman's rank correlation of two lists without equal values.
fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |list: &[f64]| -> Vec<f64> {
        list.iter().map(|own| list.iter().filter(|each| *each < own).count() as f64).collect()
    };
    let (one, other) = (ranks(one), ranks(other));
    let n = one.len() as f64;
    let squares: f64 = one.iter().zip(&other).map(|(a, b)| (a - b).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

/// Errors of newcomers of +100 Elo after 24 and after 50 games, in fields of 60 bots with 100 games
/// each.
fn newcomer_errors(fields: u64, newcomers: u64) -> [Vec<Elo>; 2] {
    let mut errors = [Vec::new(), Vec::new()];
    for field in 0..fields {
        let mut known = World::new(4, 250, 100 + field).with_field(60, 200.0);
        while known.games < 60 * 50 {
            known.step();
        }
        for number in 0..newcomers {
            let mut world = known.clone();
            world.dice = Seed(number).stream("newcomer");
            let own = world.version(newcomer(999, 1), 1600.0);
            world.refit_every = 10;
            for (games, errors) in [24, 50].into_iter().zip(&mut errors) {
                while world.played[own.index()] < games {
                    world.step();
                }
                world.refit();
                errors.push(world.error(own));
            }
        }
    }
    errors
}

#[test]
fn a_newcomer_is_soon_known() {
    let [early, late] = newcomer_errors(8, 8).map(|errors| rms(&errors));
    println!("newcomer: {early:.0} {late:.0}");
    assert!(early <= 100.0 && late <= 60.0, "{early} {late}");
}

/// Least and most lane seconds of ten groups, as shares of the mean.
#[test]
fn neither_several_bots_nor_slow_bots_get_more_than_a_share() {
    let mut world = World::new(4, 400, 2).with_field(10, 150.0);
    // No version sleeps.
    world.ladder.settings.known_within = 0.0;
    for number in 2..=3 {
        let other = Newcomer { entry: EntryId::of([number; 12]), ..newcomer(0, number) };
        world.version(other, 1500.0);
    }
    // The players of the second group.
    world.speed[5] = 50.0;
    let mut seconds = vec![0.0; 10];
    for _ in 0..10_000 {
        let Some(Task::Pair(pair)) = world.step() else { panic!("somebody wants to play") };
        let time = world.seconds(&Task::Pair(pair));
        let group = |player: Player| world.ladder.slots[player.index()].group;
        let [a, b] = [pair.a, pair.b].map(group);
        for payer in [a.or(b), b.or(a)].into_iter().flatten() {
            seconds[payer] += time / 2.0;
        }
    }
    let mean = seconds.iter().sum::<f64>() / 10.0;
    let off = seconds.iter().map(|own| (own / mean - 1.0).abs()).fold(0.0, f64::max);
    println!("lane time: {off:.4}");
    assert!(off < 0.1, "{seconds:?}");
}

/// Seconds between arrival and first pair of 500 groups that arrive within an hour.
fn first_waits(lanes: usize) -> Vec<f64> {
    let mut world = World::new(lanes, u64::MAX, 3).with_field(50, 200.0);
    while world.field().iter().any(|player| world.played[player.index()] < 50) {
        world.step();
    }
    let begun = world.now;
    let mut arrivals: Vec<i64> = (0..500).map(|_| world.dice.random_range(0..3_600_000)).collect();
    arrivals.sort_unstable();
    let first = world.truth.len();
    for (after, group) in arrivals.into_iter().zip(1000..) {
        let at = Utc(begun.0 + after);
        while world.now < at {
            world.step();
        }
        world.hand_in(newcomer(group, 1), 1500.0, at);
    }
    while !world.waiting.is_empty() || world.first.contains(&None) {
        world.step();
    }
    let wait = |player: usize| world.first[player].map(|at| seconds(at.since(world.came[player])));
    (first..world.truth.len()).filter_map(wait).collect()
}

#[test]
fn no_group_waits_much_longer_than_others_for_its_first_pair() {
    // The validation games alone keep almost three lanes busy.
    for lanes in [2, 4, 8] {
        let waits = first_waits(lanes);
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        let most = waits.iter().copied().fold(0.0, f64::max);
        println!("waits with {lanes} lanes: {mean:.1} {most:.1}");
        assert!(waits.len() == 500 && most <= 3.0 * mean, "{lanes} lanes: {mean} {most}");
    }
}

#[test]
fn circles_do_not_divide_the_field_and_the_best_meet_each_other() {
    let mut world = World::new(8, 200, 4).with_field(300, 200.0);
    for (place, player) in (0..9).zip([10, 60, 110, 160, 210, 260, 40, 140, 240]) {
        world.circles.insert(Player(player), place);
    }
    while world.field().iter().any(|player| world.played[player.index()] < 200) {
        world.step();
        if world.games > 300 * 220 {
            break;
        }
    }
    world.refit();
    let field = world.field();
    let mut linked = BTreeSet::from([field[0]]);
    loop {
        let before = linked.len();
        for [a, b] in &world.met {
            if linked.contains(a) || linked.contains(b) {
                linked.extend([*a, *b]);
            }
        }
        if linked.len() == before {
            break;
        }
    }
    assert!(field.iter().all(|player| linked.contains(player)));
    let mut best = field;
    let elo = |player: &Player| world.ladder.rating(*player).map_or(0.0, |own| own.elo);
    best.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    best.truncate(20);
    let met = |own: &Player| {
        best.iter().filter(|other| world.met.contains(&choice::ordered(*own, **other))).count()
    };
    let least = best.iter().map(met).min();
    println!("opponents among the best: {least:?}");
    assert!(least >= Some(10), "{least:?}");
}

#[test]
fn ranks_follow_true_strengths() {
    let mut sums = [0.0; 2];
    for seed in 0..4 {
        let mut world = World::new(4, 150, 60 + seed).with_field(60, 200.0);
        for (games, sum) in [80, 160].into_iter().zip(&mut sums) {
            while world.games < 30 * games {
                world.step();
            }
            world.refit();
            let field = world.field();
            let elo = |player: &Player| world.ladder.rating(*player).map_or(0.0, |own| own.elo);
            let seen: Vec<f64> = field.iter().map(elo).collect();
            let truth: Vec<f64> = field.iter().map(|it| world.truth[it.index()]).collect();
            *sum += rank_correlation(&seen, &truth) / 4.0;
        }
    }
    println!("rank correlation: {sums:.4?}");
    assert!(sums[0] >= 0.96 && sums[1] >= 0.975, "{sums:?}");
}

/// Mean error of the field after each tenth of the games, with its standard error by the fit, and
/// the share of intervals that contain the true strength. Bots continuously submit versions that
/// improve by 30 Elo on average.
fn drift(bots: u16, versions: u8, games: u64, seed: u64) -> Vec<[f64; 3]> {
    let mut world = World::new(4, 250, seed).with_field(bots, 200.0);
    let mut numbers = vec![1; bots.into()];
    let mut truth: Vec<Elo> = world.field().iter().map(|it| world.truth[it.index()]).collect();
    let mut errors = Vec::new();
    let changes = u64::from(bots) * u64::from(versions - 1);
    let mut changed = 0;
    for tenth in 1..=10 {
        while world.games < games * tenth / 10 {
            world.step();
            let due = world.games * changes / games;
            let group = world.dice.random_range(0..bots);
            let own = usize::from(group);
            if changed < due && numbers[own] < versions {
                changed += 1;
                numbers[own] += 1;
                truth[own] += 30.0 + 60.0 * normal(&mut world.dice);
                world.version(newcomer(group, numbers[own]), truth[own]);
            }
        }
        world.refit();
        for house in world.ladder.players().take(4) {
            assert!(world.error(house).abs() < 1.0, "an anchor moved");
        }
        errors.push([world.mean_error(), world.field_error(), world.coverage()]);
    }
    errors
}

/// Root mean squares over ladders: of the change of the field's mean error from the first to the last
/// tenth, of the error, and of its ratio to the standard error; and the mean coverage.
fn drifts(versions: u8, games: u64, ladders: u64) -> [f64; 4] {
    let all: Vec<_> = (0..ladders).map(|seed| drift(20, versions, games, seed)).collect();
    let changes: Vec<Elo> = all.iter().map(|errors| errors[9][0] - errors[0][0]).collect();
    let errors: Vec<Elo> = all.iter().flatten().map(|[error, ..]| *error).collect();
    let ratios: Vec<f64> = all.iter().flatten().map(|[error, own, _]| error / own).collect();
    let covered: f64 = all.iter().flatten().map(|[.., covered]| covered).sum();
    let [change, error, ratio] = [&changes, &errors, &ratios].map(|list| rms(list));
    println!("drift: {change:.1} {error:.1} {ratio:.2} {:.3}", covered / errors.len() as f64);
    [change, error, ratio, covered / errors.len() as f64]
}

#[test]
fn the_field_does_not_drift_over_a_few_versions() {
    let [_, error, ratio, covered] = drifts(4, 10_000, 3);
    assert!(error < 20.0 && ratio < 1.5, "{error} {ratio}");
    assert!((0.92..0.99).contains(&covered), "{covered}");
}

#[test]
#[ignore = "600,000 games"]
fn the_field_does_not_drift_over_100_000_games_with_ten_versions_a_bot() {
    let [change, error, ratio, covered] = drifts(10, 100_000, 6);
    assert!(change < 10.0 && error < 10.0 && ratio < 1.3, "{change} {error} {ratio}");
    assert!((0.92..0.98).contains(&covered), "{covered}");
}
