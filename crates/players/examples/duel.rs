//! Match of two settings of `expert` at equal time on the processor, in pairs from random openings,
//! with a sequential test.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example duel -- GAME LIMIT PAIRS ELO0 ELO1 SEED A B
//! ```
//!
//! `LIMIT` is a time like `3ms` or a number of nodes per move. A setting is a judge with options:
//! `new`, `old`, `net:FILE`; `new,reduces=no`, `new,plies=no`.

use std::time::Duration;

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::ColouredAwale;
use pitmaster_games::{MoveList, Rules, Turn};
use pitmaster_players::{
    AwaleJudge, AwaleNetwork, AwaleWeights, Before, Budget, Expert, ExpertOptions, Nodes, Searcher,
};
use pitmaster_ratings::{Sprt, SprtModel};
use rand::Rng;
use rustix::time::{ClockId, clock_gettime};

/// Random plies before the players take over.
const OPENING: u32 = 8;
/// Plies after which the score decides.
const PLIES: u32 = 400;

/// Time on the processor, so that other work on the machine does not disturb a match.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Limit of a move.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Nodes(u64),
}

struct Until(Duration);

impl Budget for Until {
    fn spent(&mut self, _: u64) -> bool {
        processor_time() >= self.0
    }

    fn is_nearly_spent(&self) -> bool {
        processor_time() >= self.0
    }
}

struct Contestant {
    searcher: Box<dyn Searcher<ColouredAwale>>,
    knows_plies: bool,
    nodes: u64,
    moves: u64,
    depth: u64,
}

impl Contestant {
    fn new(text: &str) -> Self {
        let mut parts = text.split(',');
        let judge = parts.next().unwrap_or_default();
        let mut options = ExpertOptions { hash: 1 << 22, ..ExpertOptions::default() };
        let mut knows_plies = judge != "old";
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match name {
                "reduces" => options.reduces = value == "yes",
                "plies" => knows_plies = value == "yes",
                _ => panic!("no option {name}"),
            }
        }
        let searcher: Box<dyn Searcher<ColouredAwale>> = match judge {
            "old" => Box::new(Expert::new(AwaleWeights::default(), options)),
            "new" => Box::new(Expert::new(AwaleJudge::default(), options)),
            file => {
                let bytes = std::fs::read(file.trim_start_matches("net:")).expect("a network");
                let network = Box::leak(Box::new(AwaleNetwork::from_bytes(&bytes)));
                Box::new(Expert::new(AwaleJudge::new(network), options))
            }
        };
        Self { searcher, knows_plies, nodes: 0, moves: 0, depth: 0 }
    }

    fn choose(
        &mut self,
        rules: ColouredAwale,
        position: &<ColouredAwale as Rules>::Position,
        limit: Limit,
        ply: u32,
    ) -> <ColouredAwale as Rules>::Move {
        let mut until = Until(processor_time());
        let mut fixed;
        let budget: &mut dyn Budget = match limit {
            Limit::Time(time) => {
                until.0 += time;
                &mut until
            }
            Limit::Nodes(nodes) => {
                fixed = Nodes::new(nodes);
                &mut fixed
            }
        };
        let left = if self.knows_plies { PLIES - ply } else { pitmaster_players::NO_LIMIT };
        let chosen = self.searcher.choose(&rules, position, &mut Before::new(budget, left));
        self.nodes += chosen.thought.nodes;
        self.depth += u64::from(chosen.thought.depth.unwrap_or_default());
        self.moves += 1;
        chosen.mv
    }
}

/// Half points of the first contestant as a side, and whether the limit of plies ended the game.
fn play(contestants: &mut [Contestant; 2], first: Side, seed: Seed, limit: Limit) -> (u8, bool) {
    let rules = ColouredAwale::default();
    for (at, contestant) in contestants.iter_mut().enumerate() {
        contestant.searcher.begin(seed.derive(["first", "second"][at]));
    }
    let mut rng = seed.stream("opening");
    let (mut position, mut list) = (rules.start(), MoveList::default());
    let mut ply = 0;
    let outcome = loop {
        let side = match rules.turn(&position) {
            Turn::Over(outcome) => break outcome,
            Turn::Player(_) if ply == PLIES => break rules.adjudicate(&position),
            Turn::Player(side) => side,
            Turn::Chance => unreachable!("no chance in this game"),
        };
        let mv = if ply < OPENING {
            rules.moves(&position, &mut list);
            list.moves[(rng.next_u64() % list.moves.len() as u64) as usize]
        } else {
            contestants[usize::from(side != first)].choose(rules, &position, limit, ply)
        };
        rules.play(&mut position, &mv, &mut ());
        ply += 1;
    };
    let half_points = outcome.winner.map_or(1, |winner| if winner == first { 2 } else { 0 });
    (half_points, ply == PLIES)
}

fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limit = match args[1].strip_suffix("us") {
        Some(time) => Limit::Time(Duration::from_micros(time.parse().expect("a time"))),
        None => Limit::Nodes(args[1].parse().expect("nodes")),
    };
    let pairs: u64 = args[2].parse().expect("pairs");
    let [elo0, elo1] = [3, 4].map(|at| args[at].parse::<f64>().expect("Elo"));
    let seed = Seed(args[5].parse().expect("a seed"));
    let mut contestants = [6, 7].map(|at| Contestant::new(&args[at]));
    let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
    let mut run = sprt.start();
    let (mut counts, mut cut) = ([0_u64; 5], 0);
    for pair in 0..pairs {
        let seed = seed.derive(&format!("pair {pair}"));
        let games = Side::BOTH.map(|side| play(&mut contestants, side, seed, limit));
        let half_points = games[0].0 + games[1].0;
        cut += games.iter().filter(|game| game.1).count();
        counts[usize::from(half_points)] += 1;
        run.add_pair(half_points);
        if pair % 10 == 9 || run.verdict().is_some() || pair + 1 == pairs {
            report(&counts, cut, &contestants, run.ratio());
        }
        if let Some(verdict) = run.verdict() {
            println!("SPRT [{elo0}, {elo1}]: {verdict:?}");
            break;
        }
    }
}

fn report(counts: &[u64; 5], cut: usize, contestants: &[Contestant; 2], ratio: f64) {
    let pairs: u64 = counts.iter().sum();
    let share = |at: usize| at as f64 / 4.0;
    let sum: f64 = counts.iter().enumerate().map(|(at, count)| share(at) * *count as f64).sum();
    let mean = sum / pairs as f64;
    let squares: f64 =
        counts.iter().enumerate().map(|(at, n)| (share(at) - mean).powi(2) * *n as f64).sum();
    let error = 1.96 * (squares / pairs as f64 / pairs as f64).sqrt();
    let [a, b] = [0, 1].map(|at| {
        let contestant = &contestants[at];
        let moves = contestant.moves as f64;
        format!(
            "{:.0} nodes depth {:.1}",
            contestant.nodes as f64 / moves,
            contestant.depth as f64 / moves
        )
    });
    println!(
        "{} games {counts:?} {:.1} % Elo {:+.0} [{:+.0}, {:+.0}] LLR {ratio:.2}, {cut} cut; {a} / {b}",
        2 * pairs,
        100.0 * mean,
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    );
}
