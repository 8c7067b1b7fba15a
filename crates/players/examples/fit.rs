//! Fits the network of Coloured Awale to positions of `selfplay`.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example fit -- OUT EPOCHS KEEP FILE…
//! ```
//!
//! Of every `KEEP` positions one is used. The last twentieth of every file is kept back to measure
//! the fit. The same files give the same network on the same machine.

use pitmaster_core::Seed;
use pitmaster_games::Rules;
use pitmaster_games::coloured_awale::{ColouredAwale, Position};
use pitmaster_players::{AwaleNetwork, AwaleWeights, Evaluate};
use rand::Rng;

const HIDDEN: usize = AwaleNetwork::HIDDEN;
const ROWS: usize = AwaleNetwork::ROWS;
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

impl Sample {
    fn new(rules: ColouredAwale, record: &[u8]) -> Self {
        let word = |at: usize| i16::from_le_bytes([record[at], record[at + 1]]);
        let holes: Vec<String> = (0..16)
            .map(|hole| format!("{}.{}.{}", record[hole], record[16 + hole], record[32 + hole]))
            .collect();
        let [one, two, side] = [48, 49, 50].map(|at| record[at]);
        let text = format!("{}/{one}-{two}/{}", holes.join(","), side + 1);
        let position: Position = rules.parse_position(&text).expect("a position");
        let left = u32::from(PLIES - word(52) as u16);
        let rows =
            AwaleNetwork::rows(rules, &position, left).iter().map(|row| *row as u16).collect();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let (search, margin) = (f32::from(word(54)) / 100.0, f32::from(word(56)));
        let winner =
            0.5 + 0.5 * margin.partial_cmp(&0.0).map_or(0.0, |order| f32::from(order as i8));
        let result = WINNER * winner + (1.0 - WINNER) * sigmoid(margin);
        let old = AwaleWeights::default().value(&rules, &position, 0) as f32 / 100.0;
        Self {
            rows,
            phase: AwaleNetwork::phase(u32::from(one) + u32::from(two)),
            captured: sign * (f32::from(one) - f32::from(two)),
            target: RESULT * result + (1.0 - RESULT) * sigmoid(search),
            others: [sign * old, search],
        }
    }
}

/// Weights, or anything of their shape, in one list: rows, bias, output, base.
type Net = Vec<f32>;
const BIAS: usize = ROWS * HIDDEN;
const OUTPUT: usize = BIAS + HIDDEN;
const BASE: usize = OUTPUT + PHASES * HIDDEN;
const ALL: usize = BASE + PHASES;

fn initial() -> Net {
    let mut rng = Seed(1).stream("network");
    let mut uniform = || (rng.next_u64() >> 40) as f32 / (1 << 24) as f32 - 0.5;
    let mut net: Net = (0..ALL).map(|_| 0.1 * uniform()).collect();
    net[BIAS..OUTPUT].fill(0.3);
    for phase in 0..PHASES {
        let output = &mut net[OUTPUT + phase * HIDDEN..][..HIDDEN];
        for weight in output.iter_mut() {
            *weight *= 40.0;
        }
        output[HIDDEN - 1] = 4.0;
    }
    net[BASE..].fill(0.0);
    net
}

/// Hidden units before they are clamped, and the value in seeds.
fn forward(net: &Net, sample: &Sample) -> ([f32; HIDDEN], f32) {
    let mut hidden: [f32; HIDDEN] = std::array::from_fn(|unit| net[BIAS + unit]);
    for row in &sample.rows {
        let row = &net[usize::from(*row) * HIDDEN..][..HIDDEN];
        hidden.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
    }
    let output = &net[OUTPUT + sample.phase * HIDDEN..][..HIDDEN];
    let mut value = sample.captured + net[BASE + sample.phase];
    for (unit, weight) in hidden[..HIDDEN - 1].iter().zip(output) {
        value += unit.clamp(0.0, 1.0).powi(2) * weight;
    }
    (hidden, value + hidden[HIDDEN - 1] * output[HIDDEN - 1])
}

/// Adds the gradient of a sample's loss.
fn backward(net: &Net, sample: &Sample, gradient: &mut Net) {
    let (hidden, value) = forward(net, sample);
    let error = sigmoid(value) - sample.target;
    gradient[BASE + sample.phase] += error;
    let at = OUTPUT + sample.phase * HIDDEN;
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
    for (sum, part) in gradient[BIAS..OUTPUT].iter_mut().zip(&inner) {
        *sum += part;
    }
}

/// Adam.
struct Steps {
    mean: Net,
    square: Net,
    count: i32,
}

impl Steps {
    fn step(&mut self, net: &mut Net, gradient: &mut Net, rate: f32) {
        self.count += 1;
        let (one, two) = (1.0 - 0.9_f32.powi(self.count), 1.0 - 0.999_f32.powi(self.count));
        for at in 0..ALL {
            let slope = std::mem::take(&mut gradient[at]) / BATCH as f32;
            self.mean[at] += 0.1 * (slope - self.mean[at]);
            self.square[at] += 0.001 * (slope * slope - self.square[at]);
            let rate = if at >= OUTPUT { 4.0 * rate } else { rate };
            net[at] -= rate * (self.mean[at] / one) / ((self.square[at] / two).sqrt() + 1e-8);
            let limit = AwaleNetwork::LARGEST[usize::from(at >= OUTPUT)];
            net[at] = net[at].clamp(-limit, limit);
        }
    }
}

/// Cross entropy beyond the target's own.
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
    let [epochs, keep] = [1, 2].map(|at| args[at].parse::<usize>().expect("a number"));
    let (mut samples, mut kept_back) = (Vec::new(), Vec::new());
    let rules = ColouredAwale::default();
    for file in &args[3..] {
        let bytes = std::fs::read(file).expect("a file");
        let (records, _) = bytes.as_chunks::<64>();
        let training = records.len() * 19 / 20;
        for (at, record) in records.iter().enumerate().filter(|(at, _)| at % keep == 0) {
            let samples = if at < training { &mut samples } else { &mut kept_back };
            samples.push(Sample::new(rules, record));
        }
    }
    println!("{} positions, {} kept back", samples.len(), kept_back.len());
    for (at, name) in ["older evaluation", "search"].iter().enumerate() {
        println!("{name}: {:.2}", mean_loss(&kept_back, |sample| sample.others[at]));
    }
    let mut net = initial();
    let mut steps = Steps { mean: vec![0.0; ALL], square: vec![0.0; ALL], count: 0 };
    let mut gradient = vec![0.0; ALL];
    let mut rng = Seed(2).stream("order");
    let batches = samples.len() / BATCH;
    for epoch in 0..epochs {
        pitmaster_core::shuffle(&mut samples, &mut rng);
        for (number, batch) in samples.chunks_exact(BATCH).enumerate() {
            for sample in batch {
                backward(&net, sample, &mut gradient);
            }
            let done = (epoch * batches + number) as f32 / (epochs * batches) as f32;
            steps.step(&mut net, &mut gradient, 0.004 * (1.0 - done).powi(2) + 0.00002);
        }
        let value = |sample: &Sample| forward(&net, sample).1;
        let (fit, held) =
            (mean_loss(&samples[..kept_back.len()], value), mean_loss(&kept_back, value));
        println!("epoch {}: {fit:.2}, kept back {held:.2}", epoch + 1);
        let bytes = AwaleNetwork::to_bytes(&net[..OUTPUT], &net[OUTPUT..BASE], &net[BASE..]);
        std::fs::write(&args[0], bytes).expect("a file");
    }
}
