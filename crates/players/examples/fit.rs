//! Fits the network of a game to positions of `selfplay`.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example fit -- GAME OUT EPOCHS KEEP FILE…
//! ```
//!
//! `GAME` is `coloured-awale`, `oware` or `kalah`. Of every `KEEP` positions one is used. The last twentieth of every file is kept back to measure
//! the fit. The same files give the same network on the same machine.

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::{ColouredAwale, Position};
use pitmaster_games::two_row::{self, TwoRow};
use pitmaster_games::{AnyRules, Rules, look_up};
use pitmaster_players::{
    AwaleNetwork, AwaleWeights, Evaluate, KalahNetwork, NO_LIMIT, OwareNetwork, TwoRowWeights,
    two_row_phase,
};
use rand::Rng;

const HIDDEN: usize = AwaleNetwork::HIDDEN;
const PHASES: usize = AwaleNetwork::PHASES;
/// Margin in seeds by which a game is won 73 times in a hundred.
const SEEDS: f32 = 7.0;
/// Share of the game's result in the target; the rest is the value that the search found.
const RESULT: f32 = 0.6;
/// Share of the winner, as against the margin, in the result.
const WINNER: f32 = 0.3;
const BATCH: usize = 2048;
const PLIES: u16 = 400;

/// Position with its features.
struct Sample {
    rows: Vec<u16>,
    phase: usize,
    /// Difference of the captured seeds.
    captured: f32,
    target: f32,
    /// Value by the older evaluation, and by the search, in seeds.
    others: [f32; 2],
}

fn sigmoid(seeds: f32) -> f32 {
    1.0 / (1.0 + (-seeds / SEEDS).exp())
}

/// Numbers of a record of `selfplay`.
struct Record<'r>(&'r [u8]);

impl Record<'_> {
    fn word(&self, at: usize) -> i16 {
        i16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn score(&self) -> [u8; 2] {
        [self.0[48], self.0[49]]
    }

    fn sign(&self) -> f32 {
        if self.0[50] == 0 { 1.0 } else { -1.0 }
    }

    /// Sample with these features. `old` is the value by the older evaluation for player 1.
    fn sample(&self, rows: &[usize], phase: usize, old: i32) -> Sample {
        let [one, two] = self.score().map(f32::from);
        let (search, margin) = (f32::from(self.word(54)) / 100.0, f32::from(self.word(56)));
        let winner =
            0.5 + 0.5 * margin.partial_cmp(&0.0).map_or(0.0, |order| f32::from(order as i8));
        let result = WINNER * winner + (1.0 - WINNER) * sigmoid(margin);
        Sample {
            rows: rows.iter().map(|row| *row as u16).collect(),
            phase,
            captured: self.sign() * (one - two),
            target: RESULT * result + (1.0 - RESULT) * sigmoid(search),
            others: [self.sign() * old as f32 / 100.0, search],
        }
    }
}

/// Bytes of a network with these rows and bias, output weights and bases.
type ToBytes = fn(rows: &[f32], output: &[f32], base: &[f32]) -> Vec<u8>;

/// Description of a game for `fit`.
struct Game {
    /// Number of rows of the network.
    rows: usize,
    sample: Box<dyn Fn(&Record) -> Sample>,
    to_bytes: ToBytes,
}

impl Game {
    fn of(name: &str) -> Self {
        let game = look_up(&name.parse().expect("a game")).expect("a game");
        match (name, game.rules) {
            (_, AnyRules::ColouredAwale(rules)) => Self {
                rows: AwaleNetwork::ROWS,
                sample: Box::new(move |record| of_coloured_awale(rules, record)),
                to_bytes: AwaleNetwork::to_bytes,
            },
            ("oware", AnyRules::TwoRow(rules)) => Self {
                rows: OwareNetwork::ROWS,
                sample: Box::new(move |record| of_two_rows(&rules, record, OwareNetwork::rows)),
                to_bytes: OwareNetwork::to_bytes,
            },
            ("kalah", AnyRules::TwoRow(rules)) => Self {
                rows: KalahNetwork::ROWS,
                sample: Box::new(move |record| of_two_rows(&rules, record, KalahNetwork::rows)),
                to_bytes: KalahNetwork::to_bytes,
            },
            _ => panic!("no network for {name}"),
        }
    }
}

fn of_coloured_awale(rules: ColouredAwale, record: &Record) -> Sample {
    let seeds = record.0;
    let holes: Vec<String> = (0..16)
        .map(|hole| format!("{}.{}.{}", seeds[hole], seeds[16 + hole], seeds[32 + hole]))
        .collect();
    let [one, two] = record.score();
    let text = format!("{}/{one}-{two}/{}", holes.join(","), seeds[50] + 1);
    let position: Position = rules.parse_position(&text).expect("a position");
    let rows = AwaleNetwork::rows(rules, &position, u32::from(PLIES - record.word(52) as u16));
    let phase = AwaleNetwork::phase(u32::from(one) + u32::from(two));
    record.sample(&rows, phase, AwaleWeights::default().value(&rules, &position, 0))
}

fn of_two_rows(
    rules: &TwoRow,
    record: &Record,
    rows: fn(&two_row::Position) -> Vec<usize>,
) -> Sample {
    let mut position = rules.start();
    for (hole, seeds) in position.seeds.iter_mut().zip(&record.0[..24]) {
        *hole = u16::from(*seeds);
    }
    let score = record.score();
    for side in Side::BOTH {
        position.stores[side] = u16::from(score[side.index()]);
    }
    position.side = Side::BOTH[usize::from(record.0[50])];
    let phase = two_row_phase(&position);
    let old = TwoRowWeights::of(rules.params()).value(rules, &position, NO_LIMIT);
    record.sample(&rows(&position), phase, old)
}

/// Weights, or values of the same shape, in one list: rows, bias, output, base.
type Net = Vec<f32>;

/// Offsets of the parts of a list.
#[derive(Clone, Copy)]
struct Shape {
    bias: usize,
    output: usize,
    base: usize,
    all: usize,
}

impl Shape {
    fn new(rows: usize) -> Self {
        let bias = rows * HIDDEN;
        let output = bias + HIDDEN;
        let base = output + PHASES * HIDDEN;
        Self { bias, output, base, all: base + PHASES }
    }
}

fn initial(shape: Shape) -> Net {
    let mut rng = Seed(1).stream("network");
    let mut uniform = || (rng.next_u64() >> 40) as f32 / (1 << 24) as f32 - 0.5;
    let mut net: Net = (0..shape.all).map(|_| 0.1 * uniform()).collect();
    net[shape.bias..shape.output].fill(0.3);
    for phase in 0..PHASES {
        let output = &mut net[shape.output + phase * HIDDEN..][..HIDDEN];
        for weight in output.iter_mut() {
            *weight *= 40.0;
        }
        output[HIDDEN - 1] = 4.0;
    }
    net[shape.base..].fill(0.0);
    net
}

/// Hidden units before they are clamped, and the value in seeds.
fn forward(shape: Shape, net: &Net, sample: &Sample) -> ([f32; HIDDEN], f32) {
    let mut hidden: [f32; HIDDEN] = std::array::from_fn(|unit| net[shape.bias + unit]);
    for row in &sample.rows {
        let row = &net[usize::from(*row) * HIDDEN..][..HIDDEN];
        hidden.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
    }
    let output = &net[shape.output + sample.phase * HIDDEN..][..HIDDEN];
    let mut value = sample.captured + net[shape.base + sample.phase];
    for (unit, weight) in hidden[..HIDDEN - 1].iter().zip(output) {
        value += unit.clamp(0.0, 1.0).powi(2) * weight;
    }
    (hidden, value + hidden[HIDDEN - 1] * output[HIDDEN - 1])
}

/// Adds the gradient of a sample's loss.
fn backward(shape: Shape, net: &Net, sample: &Sample, gradient: &mut Net) {
    let (hidden, value) = forward(shape, net, sample);
    let error = sigmoid(value) - sample.target;
    gradient[shape.base + sample.phase] += error;
    let at = shape.output + sample.phase * HIDDEN;
    let mut inner = [0.0; HIDDEN];
    for unit in 0..HIDDEN - 1 {
        let clamped = hidden[unit].clamp(0.0, 1.0);
        gradient[at + unit] += error * clamped * clamped;
        let slope = if hidden[unit] < 1.0 { 2.0 * clamped } else { 0.0 };
        inner[unit] = error * net[at + unit] * slope;
    }
    gradient[at + HIDDEN - 1] += error * hidden[HIDDEN - 1];
    inner[HIDDEN - 1] = error * net[at + HIDDEN - 1];
    for row in &sample.rows {
        let row = &mut gradient[usize::from(*row) * HIDDEN..][..HIDDEN];
        row.iter_mut().zip(&inner).for_each(|(sum, part)| *sum += part);
    }
    for (sum, part) in gradient[shape.bias..shape.output].iter_mut().zip(&inner) {
        *sum += part;
    }
}

/// State of the Adam optimizer.
struct Steps {
    mean: Net,
    square: Net,
    count: i32,
}

impl Steps {
    fn step(&mut self, shape: Shape, net: &mut Net, gradient: &mut Net, rate: f32) {
        self.count += 1;
        let (one, two) = (1.0 - 0.9_f32.powi(self.count), 1.0 - 0.999_f32.powi(self.count));
        for at in 0..shape.all {
            let slope = std::mem::take(&mut gradient[at]) / BATCH as f32;
            self.mean[at] += 0.1 * (slope - self.mean[at]);
            self.square[at] += 0.001 * (slope * slope - self.square[at]);
            let rate = if at >= shape.output { 4.0 * rate } else { rate };
            net[at] -= rate * (self.mean[at] / one) / ((self.square[at] / two).sqrt() + 1e-8);
            let limit = AwaleNetwork::LARGEST[usize::from(at >= shape.output)];
            net[at] = net[at].clamp(-limit, limit);
        }
    }
}

/// Cross entropy minus the target's entropy.
fn loss(value: f32, target: f32) -> f64 {
    let part = |target: f32, share: f32| {
        if target <= 0.0 { 0.0 } else { f64::from(target) * f64::from(target / share).ln() }
    };
    let share = sigmoid(value).clamp(1e-6, 1.0 - 1e-6);
    part(target, share) + part(1.0 - target, 1.0 - share)
}

fn mean_loss(samples: &[Sample], value: impl Fn(&Sample) -> f32) -> f64 {
    let sum: f64 = samples.iter().map(|sample| loss(value(sample), sample.target)).sum();
    1e4 * sum / samples.len() as f64
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let game = Game::of(&args[0]);
    let [epochs, keep] = [2, 3].map(|at| args[at].parse::<usize>().expect("a number"));
    let (mut samples, mut kept_back) = (Vec::new(), Vec::new());
    for file in &args[4..] {
        let bytes = std::fs::read(file).expect("a file");
        let (records, _) = bytes.as_chunks::<64>();
        let training = records.len() * 19 / 20;
        for (at, record) in records.iter().enumerate().filter(|(at, _)| at % keep == 0) {
            let samples = if at < training { &mut samples } else { &mut kept_back };
            samples.push((game.sample)(&Record(record)));
        }
    }
    println!("{} positions, {} kept back", samples.len(), kept_back.len());
    for (at, name) in ["older evaluation", "search"].iter().enumerate() {
        println!("{name}: {:.2}", mean_loss(&kept_back, |sample| sample.others[at]));
    }
    let shape = Shape::new(game.rows);
    let mut net = initial(shape);
    let mut steps = Steps { mean: vec![0.0; shape.all], square: vec![0.0; shape.all], count: 0 };
    let mut gradient = vec![0.0; shape.all];
    let mut rng = Seed(2).stream("order");
    let batches = samples.len() / BATCH;
    for epoch in 0..epochs {
        pitmaster_core::shuffle(&mut samples, &mut rng);
        for (number, batch) in samples.chunks_exact(BATCH).enumerate() {
            for sample in batch {
                backward(shape, &net, sample, &mut gradient);
            }
            let done = (epoch * batches + number) as f32 / (epochs * batches) as f32;
            steps.step(shape, &mut net, &mut gradient, 0.004 * (1.0 - done).powi(2) + 0.00002);
        }
        let value = |sample: &Sample| forward(shape, &net, sample).1;
        let (fit, held) =
            (mean_loss(&samples[..kept_back.len()], value), mean_loss(&kept_back, value));
        println!("epoch {}: {fit:.2}, kept back {held:.2}", epoch + 1);
        let bytes = (game.to_bytes)(
            &net[..shape.output],
            &net[shape.output..shape.base],
            &net[shape.base..],
        );
        std::fs::write(&args[1], bytes).expect("a file");
    }
}
