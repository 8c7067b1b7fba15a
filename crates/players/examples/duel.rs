//! Match of two settings of `expert` at equal CPU time, in pairs from random openings, with a
//! sequential test.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example duel -- GAME LIMIT PAIRS ELO0 ELO1 SEED A B
//! ```
//!
//! `GAME` is any game, with options. `LIMIT` is a time like `3ms` or a number of nodes per move. A
//! setting is a judge with options: `new`, `lead`; `new,reduces=no`, `new,plies=no`. `new` is the
//! current evaluation of the game, `lead` only counts seeds. Coloured Awale also has `old` and
//! `net:FILE`, two-row games `old` (weights), `oware:FILE` and `kalah:FILE`.

use std::time::Duration;

use pitmaster_core::units::parse_duration;
use pitmaster_core::{Seed, Side, below};
use pitmaster_games::coloured_awale::ColouredAwale;
use pitmaster_games::two_row::TwoRow;
use pitmaster_games::{AnyRules, MoveList, Rules, Turn, look_up};
use pitmaster_players::{
    AwaleJudge, AwaleNetwork, AwaleWeights, Before, Budget, Expert, ExpertOptions, Judged,
    KalahNetwork, Lead, Nodes, OwareNetwork, Searcher, TwoRowJudge, TwoRowWeights,
};
use pitmaster_ratings::{Sprt, SprtModel};
use rustix::time::{ClockId, clock_gettime};

/// Random plies before the players take over.
const OPENING: u32 = 8;
/// Plies after which the score decides.
const PLIES: u32 = 400;

/// CPU time, so that other work on the machine does not disturb a match.
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

/// Makes the searcher of a judge.
type Make<R> = fn(&R, judge: &str, ExpertOptions) -> Box<dyn Searcher<R>>;

fn of_any_game<R: Judged>(rules: &R, judge: &str, options: ExpertOptions) -> Box<dyn Searcher<R>>
where
    R::Judge: 'static,
{
    match judge {
        "new" => Box::new(Expert::<R, _>::new(rules.judge(), options)),
        "lead" => Box::new(Expert::<R, _>::new(Lead, options)),
        _ => panic!("no judge {judge}"),
    }
}

fn of_coloured_awale(
    rules: ColouredAwale,
    judge: &str,
    options: ExpertOptions,
) -> Box<dyn Searcher<ColouredAwale>> {
    if judge == "old" {
        return Box::new(Expert::new(AwaleWeights::default(), options));
    }
    let Some(file) = judge.strip_prefix("net:") else {
        return of_any_game(&rules, judge, options);
    };
    let network = Box::leak(Box::new(AwaleNetwork::from_bytes(&read(file))));
    Box::new(Expert::new(AwaleJudge::new(network), options))
}

fn of_two_rows(rules: &TwoRow, judge: &str, options: ExpertOptions) -> Box<dyn Searcher<TwoRow>> {
    let judge = match judge.split_once(':') {
        Some(("oware", file)) => {
            TwoRowJudge::Oware(Box::leak(Box::new(OwareNetwork::from_bytes(&read(file)))))
        }
        Some(("kalah", file)) => {
            TwoRowJudge::Kalah(Box::leak(Box::new(KalahNetwork::from_bytes(&read(file)))))
        }
        _ if judge == "old" => TwoRowJudge::Weights(TwoRowWeights::of(rules.params())),
        _ => return of_any_game(rules, judge, options),
    };
    Box::new(Expert::new(judge, options))
}

fn read(network: &str) -> Vec<u8> {
    std::fs::read(network).expect("a network")
}

struct Contestant<R: Rules> {
    searcher: Box<dyn Searcher<R>>,
    knows_plies: bool,
    work: Work,
}

/// Work of a contestant's searches.
#[derive(Clone, Copy, Default)]
struct Work {
    nodes: u64,
    moves: u64,
    depth: u64,
}

impl<R: Rules> Contestant<R> {
    fn new(rules: &R, text: &str, make: Make<R>) -> Self {
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
        Self { searcher: make(rules, judge, options), knows_plies, work: Work::default() }
    }

    fn choose(&mut self, rules: &R, position: &R::Position, limit: Limit, ply: u32) -> R::Move {
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
        let chosen = self.searcher.choose(rules, position, &mut Before::new(budget, left));
        self.work.nodes += chosen.thought.nodes;
        self.work.depth += u64::from(chosen.thought.depth.unwrap_or_default());
        self.work.moves += 1;
        chosen.mv
    }
}

/// Half points of the first contestant as a side, and whether the limit of plies ended the game.
fn play<R: Rules>(
    rules: &R,
    contestants: &mut [Contestant<R>; 2],
    first: Side,
    seed: Seed,
    limit: Limit,
) -> (u8, bool) {
    for (at, contestant) in contestants.iter_mut().enumerate() {
        contestant.searcher.begin(seed.derive(["first", "second"][at]));
    }
    let mut rng = seed.stream("opening");
    let (mut position, mut list) = (rules.start(), MoveList::default());
    let mut ply = 0;
    let outcome = loop {
        let mv = match rules.turn(&position) {
            Turn::Over(outcome) => break outcome,
            Turn::Chance => rules.draw(&position, &mut rng),
            Turn::Player(_) if ply == PLIES => break rules.adjudicate(&position),
            Turn::Player(_) if ply < OPENING => {
                rules.moves(&position, &mut list);
                let choices = list.moves.len() + list.templates.len();
                let at = below(&mut rng, choices as u64) as usize;
                match list.moves.get(at) {
                    Some(mv) => mv.clone(),
                    None => {
                        let template = &list.templates[at - list.moves.len()];
                        rules.complete(&position, template, &mut rng)
                    }
                }
            }
            Turn::Player(side) => {
                contestants[usize::from(side != first)].choose(rules, &position, limit, ply)
            }
        };
        // Chance steps do not count as plies.
        ply += u32::from(matches!(rules.turn(&position), Turn::Player(_)));
        rules.play(&mut position, &mv, &mut ());
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
    let game = look_up(&args[0].parse().expect("a game")).expect("a game");
    match game.rules {
        AnyRules::ColouredAwale(rules) => {
            duel(&rules, &args[1..], |rules, judge, options| {
                of_coloured_awale(*rules, judge, options)
            });
        }
        AnyRules::Isholo(rules) => duel(&rules, &args[1..], of_any_game),
        AnyRules::TwoRow(rules) => duel(&rules, &args[1..], of_two_rows),
    }
}

fn duel<R: Rules>(rules: &R, args: &[String], make: Make<R>) {
    let limit = match args[0].parse() {
        Ok(nodes) => Limit::Nodes(nodes),
        Err(_) => Limit::Time(parse_duration(&args[0]).expect("a time or a number of nodes")),
    };
    let pairs: u64 = args[1].parse().expect("pairs");
    let [elo0, elo1] = [2, 3].map(|at| args[at].parse::<f64>().expect("Elo"));
    let seed = Seed(args[4].parse().expect("a seed"));
    let mut contestants = [5, 6].map(|at| Contestant::new(rules, &args[at], make));
    let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
    let mut run = sprt.start();
    let (mut counts, mut cut) = ([0_u64; 5], 0);
    for pair in 0..pairs {
        let seed = seed.derive(&format!("pair {pair}"));
        let games = Side::BOTH.map(|side| play(rules, &mut contestants, side, seed, limit));
        let half_points = games[0].0 + games[1].0;
        cut += games.iter().filter(|game| game.1).count();
        counts[usize::from(half_points)] += 1;
        run.add_pair(half_points);
        if pair % 10 == 9 || run.verdict().is_some() || pair + 1 == pairs {
            report(&counts, cut, contestants.each_ref().map(|one| one.work), run.ratio());
        }
        if let Some(verdict) = run.verdict() {
            println!("SPRT [{elo0}, {elo1}]: {verdict:?}");
            break;
        }
    }
}

fn report(counts: &[u64; 5], cut: usize, work: [Work; 2], ratio: f64) {
    let pairs: u64 = counts.iter().sum();
    let share = |at: usize| at as f64 / 4.0;
    let sum: f64 = counts.iter().enumerate().map(|(at, count)| share(at) * *count as f64).sum();
    let mean = sum / pairs as f64;
    let squares: f64 =
        counts.iter().enumerate().map(|(at, n)| (share(at) - mean).powi(2) * *n as f64).sum();
    let error = 1.96 * (squares / pairs as f64 / pairs as f64).sqrt();
    let [a, b] = work.map(|Work { nodes, moves, depth }| {
        let moves = moves as f64;
        format!("{:.0} nodes depth {:.1}", nodes as f64 / moves, depth as f64 / moves)
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
