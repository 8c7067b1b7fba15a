//! Matches between two settings of `expert`, to judge a change by: at equal nodes, in pairs
//! from random openings, on all cores.
//!
//! ```sh
//! cargo run --release --example tune -- coloured-awale 20000 200 mobility=5 mobility=0
//! cargo run --release --example tune -- oware speed 2000000
//! ```
//!
//! The weights of a judge and the options of the player are set by name; `depth=4,reduces=no`
//! makes a plain alpha-beta of it. The score is the first setting's, with an interval of 95 %
//! over pairs. `climb` in place of two settings changes one weight after the other and keeps
//! what wins.

use std::time::Instant;

use pitmaster::core::{Seed, Side};
use pitmaster::games::{MoveList, Turn, look_up, with_rules};
use pitmaster::players::{Expert, ExpertOptions, Judged, Searcher, Unlimited, Weights};
use rayon::prelude::*;

/// Random plies before the players take over.
const OPENING: usize = 6;
/// Upper bound on plies; an unfinished game is settled as it is.
const MOST_PLIES: usize = 400;
/// Bytes of a table: enough for some thousand nodes a move, and soon cleared.
const TABLE: u64 = 1 << 20;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let game = args.first().expect("a game").parse().expect("a game's name");
    with_rules!(look_up(&game).expect("a game").rules, rules => run(&rules, &args[1..]));
}

fn run<R: Judged>(rules: &R, args: &[String])
where
    R::Judge: Copy + Sync,
{
    if args[0] == "speed" {
        return speed(rules, args[1].parse().expect("nodes"), &args[2..]);
    }
    if args[0] == "solve" {
        return solve(rules, &args[1..]);
    }
    let [nodes, pairs] = [0, 1].map(|at| args[at].parse::<u64>().expect("a number"));
    if args.get(2).is_some_and(|word| word == "climb") {
        return climb(rules, nodes, pairs, args.get(3).map_or("", |text| text));
    }
    let settings = [2, 3].map(|at| setting(rules, nodes, args.get(at).map_or("", |text| text)));
    let (mean, error) = contest(rules, &settings, pairs, 0);
    println!("{:.1} % ± {:.1} in {} games", 100.0 * mean, 100.0 * error, 2 * pairs);
}

/// The first setting's score, and half of its interval.
fn contest<R: Judged>(rules: &R, settings: &[Setting<R>; 2], pairs: u64, from: u64) -> (f64, f64)
where
    R::Judge: Copy + Sync,
{
    let scores: Vec<f64> =
        (from..from + pairs).into_par_iter().map(|pair| play_pair(rules, settings, pair)).collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / pairs as f64;
    (mean, 1.96 * (variance / pairs as f64).sqrt())
}

/// Changes one weight after the other by a step, up or down, and keeps a setting that beats the
/// best so far by more than chance makes likely; then again with half the step.
fn climb<R: Judged>(rules: &R, nodes: u64, pairs: u64, start: &str)
where
    R::Judge: Copy + Sync,
{
    let (mut best, mut contests) = (setting(rules, nodes, start), 0);
    for step in [32, 16, 8] {
        for name in R::Judge::NAMES {
            for change in [step, -step] {
                let mut rival = best;
                while let Some(weight) = rival.0.weight(name) {
                    *weight += change;
                    contests += 1;
                    let (mean, error) = contest(rules, &[rival, best], pairs, contests * pairs);
                    if mean - 0.7 * error <= 0.5 {
                        break;
                    }
                    best = rival;
                    println!("{name} {change:+}: {:.1} % ± {:.1}", 100.0 * mean, 100.0 * error);
                }
            }
        }
        let of = |name: &&str| format!("{name}={}", { best }.0.weight(name).map_or(0, |w| *w));
        println!("{}", R::Judge::NAMES.iter().map(of).collect::<Vec<_>>().join(","));
    }
}

/// A judge and options.
type Setting<R> = (<R as Judged>::Judge, ExpertOptions);

fn setting<R: Judged>(rules: &R, nodes: u64, text: &str) -> Setting<R> {
    let mut judge = rules.judge();
    let mut options = ExpertOptions { nodes, hash: TABLE, ..ExpertOptions::default() };
    for (name, value) in text.split(',').filter_map(|part| part.split_once('=')) {
        match (name, judge.weight(name)) {
            (_, Some(weight)) => *weight = value.parse().expect("a number"),
            ("nodes", _) => options.nodes = value.parse().expect("a number"),
            ("hash", _) => options.hash = value.parse::<u64>().expect("MiB") << 20,
            ("reduces", _) => options.reduces = value == "yes",
            ("threads", _) => options.threads = value.parse().expect("a number"),
            ("depth", _) => options.depth = value.parse().expect("a number"),
            _ => panic!("no weight {name}; there are {:?}", R::Judge::NAMES),
        }
    }
    (judge, options)
}

/// What the first setting scores in two games from one opening.
fn play_pair<R: Judged>(rules: &R, settings: &[Setting<R>; 2], pair: u64) -> f64
where
    R::Judge: Copy,
{
    let seed = Seed(pair).derive("tune");
    let first = Side::BOTH.map(|side| play(rules, settings, side, seed));
    first.iter().sum::<f64>() / 2.0
}

/// What the first setting scores as a side: 1, 0.5 or 0.
fn play<R: Judged>(rules: &R, settings: &[Setting<R>; 2], first: Side, seed: Seed) -> f64
where
    R::Judge: Copy,
{
    let mut minds = settings.map(|(judge, options)| Expert::new(judge, options));
    for (at, mind) in minds.iter_mut().enumerate() {
        Searcher::<R>::begin(mind, seed.derive(["first", "second"][at]));
    }
    let mut chance = seed.stream("chance");
    let mut position = rules.start();
    let mut list = MoveList::default();
    let mut plies = 0;
    let outcome = loop {
        match rules.turn(&position) {
            Turn::Over(outcome) => break outcome,
            _ if plies == MOST_PLIES => break rules.adjudicate(&position),
            Turn::Chance => {
                let step = rules.draw(&position, &mut chance);
                rules.play(&mut position, &step, &mut ());
                continue;
            }
            Turn::Player(_) if plies < OPENING => {
                rules.moves(&position, &mut list);
                let at = rand::Rng::next_u64(&mut chance) as usize;
                let mv = match list.moves.get(at % (list.moves.len() + list.templates.len())) {
                    Some(mv) => mv.clone(),
                    None => rules.complete(&position, &list.templates[0], &mut chance),
                };
                rules.play(&mut position, &mv, &mut ());
            }
            Turn::Player(side) => {
                let mind = &mut minds[usize::from(side != first)];
                let chosen = mind.choose(rules, &position, &mut Unlimited);
                rules.play(&mut position, &chosen.mv, &mut ());
            }
        }
        plies += 1;
    };
    outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == first)))
}

/// Plays a game with itself and prints the visited nodes, and the speed.
fn speed<R: Judged>(rules: &R, nodes: u64, args: &[String]) {
    let (judge, options) = setting(rules, nodes, args.first().map_or("", |text| text));
    let mut mind = Expert::new(judge, options);
    Searcher::<R>::begin(&mut mind, Seed(1));
    let mut position = rules.start();
    let (mut visited, mut depths, began) = (0, Vec::new(), Instant::now());
    while let Turn::Player(_) = rules.turn(&position) {
        let chosen = mind.choose(rules, &position, &mut Unlimited);
        visited += chosen.thought.nodes;
        depths.push(chosen.thought.depth.unwrap_or_default());
        rules.play(&mut position, &chosen.mv, &mut ());
        if depths.len() == 30 {
            break;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{visited} nodes, {:.2} million a second, {seconds:.1} s",
        visited as f64 / seconds / 1e6
    );
    println!("depths {depths:?}");
}

/// Searches the start until the value is known, and prints the cost.
fn solve<R: Judged>(rules: &R, args: &[String]) {
    let (judge, options) = setting(rules, u64::MAX, args.first().map_or("", |text| text));
    let mut mind = Expert::new(judge, options);
    Searcher::<R>::begin(&mut mind, Seed(1));
    let began = Instant::now();
    let chosen = mind.choose(rules, &rules.start(), &mut Unlimited);
    println!("{:?}, {:.1} s", chosen.thought, began.elapsed().as_secs_f64());
}
