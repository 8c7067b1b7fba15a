//! How long the joint fit of many players takes: a million games of a thousand players, beside
//! one pass over the games. On one core but for the bootstrap. `cargo bench --profile dist --bench ratings`

use std::hint::black_box;
use std::time::{Duration, Instant};

use pitmaster::core::{BySide, Mark, Seed};
use pitmaster::ratings::{
    Game, Intervals, Matches, Method, Model, PairId, Ratings, RunningRatings,
};
use rand::Rng;

const ROUNDS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let players = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(1000);
    let games = round_robin(players, 1);
    println!("{} games of {players} players, every two of whom met for one pair", games.len());
    let pass = median(|| drop(black_box(points(players, &games))));
    println!("{:<34} {:>8.1} ms", "one pass over the games", millis(pass));
    let say = |name: &str, time: Duration| {
        let ratio = time.as_secs_f64() / pass.as_secs_f64();
        println!("{name:<34} {:>8.1} ms  {ratio:>8.1} passes", millis(time));
    };
    say("gathering them", median(|| drop(black_box(Matches::new(&games)))));
    let matches = Matches::new(&games);
    let fit = |model: &Model| drop(black_box(Ratings::fit(players, &games, &matches, model)));
    say("fit with random effects", median(|| fit(&Model::default())));
    let (new, old): (Vec<_>, Vec<_>) =
        (0..).zip(&games).partition(|(place, _)| place % 999_u32 == 0);
    let [new, old] =
        [new, old].map(|part| part.into_iter().map(|(_, game)| *game).collect::<Vec<_>>());
    let earlier = RunningRatings::new(players, &Matches::new(&old), &Model::default());
    say(&format!("refit after {} more games", new.len()), refits(&earlier, &new));
    say("fit of maximum likelihood", median(|| fit(&Model::maximum_likelihood())));
    if args.iter().any(|arg| arg == "intervals") {
        intervals(players, &games, &matches);
    }
}

/// The slow kinds, once each, on all cores.
fn intervals(players: usize, games: &[Game], matches: &Matches) {
    let bootstrap = Intervals::Bootstrap { samples: 200, seed: Seed(1) };
    for (name, intervals) in [("profile", Intervals::Profile), ("bootstrap of 200", bootstrap)] {
        let began = Instant::now();
        let method = Method::MaximumLikelihood { prior: 0.0, intervals };
        let model = Model { method, ..Model::default() };
        drop(black_box(Ratings::fit(players, games, matches, &model)));
        println!("{name:<34} {:>8.1} s", began.elapsed().as_secs_f64());
    }
}

/// A game of every two players on each side, all games different, strengths over 800 points.
fn round_robin(players: usize, pairs: u32) -> Vec<Game> {
    let mut rng = Seed(1).stream("bench");
    let mut games = Vec::new();
    let strength = |bot: u32| (f64::from(bot) / players as f64 - 0.5) * 4.6;
    for (a, b) in (0..players as u32).flat_map(|b| (0..b).map(move |a| (a, b))) {
        for number in 1..=pairs {
            for bots in [BySide::new(a, b), BySide::new(b, a)] {
                let x = strength(bots.one) - strength(bots.two) + 0.2;
                let (win, draw) = ((x / 2.0).exp(), 0.3);
                let sum = win + draw + 1.0 / win;
                let dice = rng.next_u64() as f64 / u64::MAX as f64 * sum;
                let marks = if dice < win {
                    BySide::new(Mark::Win, Mark::Loss)
                } else if dice < win + draw {
                    BySide::new(Mark::Draw, Mark::Draw)
                } else {
                    BySide::new(Mark::Loss, Mark::Win)
                };
                let pair = PairId { stage: 1, round: 0, number };
                let faults = BySide::new(None, None);
                games.push(Game { fingerprint: rng.next_u64(), bots, pair, marks, faults });
            }
        }
    }
    games
}

/// The least that can be done with every game.
fn points(players: usize, games: &[Game]) -> Vec<u32> {
    let mut points = vec![0; players];
    for game in games {
        for (bot, mark) in [(game.bots.one, game.marks.one), (game.bots.two, game.marks.two)] {
            points[bot as usize] += match mark {
                Mark::Win => 2,
                Mark::Draw => 1,
                Mark::Loss => 0,
            };
        }
    }
    points
}

/// Counting new games and moving the ratings, without the copy that each round starts from.
fn refits(earlier: &RunningRatings, new: &[Game]) -> Duration {
    middle((0..ROUNDS).map(|_| {
        let mut ratings = earlier.clone();
        // The copy shares its results until the first game is added.
        ratings.add(&new[0]);
        timed(|| {
            new[1..].iter().for_each(|game| ratings.add(game));
            black_box(ratings.refit());
        })
    }))
}

fn median(mut work: impl FnMut()) -> Duration {
    middle((0..ROUNDS).map(|_| timed(&mut work)))
}

fn middle(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

/// CPU time of this thread.
fn timed(work: impl FnOnce()) -> Duration {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let began = cpu();
    work();
    cpu().saturating_sub(began)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
