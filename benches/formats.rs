//! How long it takes to say who meets whom: a Swiss round of 2,000 bots, and a round-robin of two
//! million pairings.
//!
//!     cargo bench --profile dist --bench formats

use std::hint::black_box;
use std::time::{Duration, Instant};

use pitmaster::core::{BotHash, BotId, BySide, Dialect, Mark, Seed};
use pitmaster::ratings::{Game, PairId};
use pitmaster::tournament::{Next, PlannedBot, Tournament};

const BOTS: usize = 2000;

fn main() {
    swiss();
    round_robin();
}

fn tournament(format: &str) -> Tournament {
    let text = format!(
        "version = 1\ngame = \"kalah\"\nbots.include = [\"house:random\"]\n[format]\n{format}"
    );
    pitmaster::tournament::read(&text).expect("a tournament")
}

fn bots() -> Vec<PlannedBot> {
    let bot = |number: usize| {
        let name = format!("bot-{number}").parse().expect("a name");
        let id = BotId { name, hash: BotHash::of(&number.to_le_bytes()) };
        PlannedBot { id, dialect: Dialect::default(), anchor: None }
    };
    (0..BOTS).map(bot).collect()
}

/// Every round of a Swiss tournament, beside the sorting of its field in the same run.
fn swiss() {
    let (tournament, bots) = (tournament("kind = \"swiss\"\npairs = 1"), bots());
    let mut format = tournament.start_format(&bots, &[]);
    let mut rounds: Vec<Duration> = Vec::new();
    let (mut round, mut games) = (0, Vec::new());
    loop {
        let began = Instant::now();
        let next = format.next();
        let took = began.elapsed();
        let Next::Pairing(pairing) = next else { break };
        if pairing.round != round {
            round = pairing.round;
            rounds.push(took);
        }
        let [one, two] = pairing.bots.map(|bot| bot as u32);
        for bots in [BySide::new(one, two), BySide::new(two, one)] {
            // The stronger wins three times of four.
            let lot = Seed(7).derive(&format!("{round} {bots:?}")).0 % 4;
            let first_wins = (bots.one < bots.two) == (lot != 0);
            let (win, loss) = (Mark::Win, Mark::Loss);
            let marks = if first_wins { BySide::new(win, loss) } else { BySide::new(loss, win) };
            let pair = PairId { stage: 1, round, number: pairing.pair };
            let game = Game { fingerprint: 0, bots, pair, marks, faults: BySide::default() };
            format.on_result(&game);
            games.push(game);
        }
    }
    let sorting = best_of(20, || {
        let mut order: Vec<u64> = (0..BOTS as u64).map(|bot| Seed(bot).derive("sort").0).collect();
        order.sort_unstable();
        black_box(order);
    });
    let (longest, sum) =
        (rounds.iter().max().copied().unwrap_or_default(), rounds.iter().sum::<Duration>());
    println!("swiss, {BOTS} bots, {} rounds, {} games", rounds.len(), games.len());
    println!("  all rounds planned in      {sum:>10.1?}");
    println!("  the longest round          {longest:>10.1?}");
    println!("  beside hashing and sorting {:>10.0} times", ratio(longest, sorting));
}

/// A round-robin that never stands in memory.
fn round_robin() {
    let (tournament, bots) = (tournament("pairs = 1"), bots());
    let before = resident();
    let began = Instant::now();
    let mut format = tournament.start_format(&bots, &[]);
    let first = format.next();
    let start = began.elapsed();
    black_box(first);
    let mut count = 1_u64;
    let began = Instant::now();
    while let Next::Pairing(pairing) = format.next() {
        black_box(&pairing);
        count += 1;
    }
    let all = began.elapsed();
    println!("round-robin, {BOTS} bots, {count} pairings");
    println!("  the first pairing after    {start:>10.1?}");
    println!("  all pairings               {all:>10.1?}");
    println!("  memory for it              {:>10} KiB", resident().saturating_sub(before));
}

fn best_of(times: u32, mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    (0..times).map(once).min().unwrap_or_default()
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

/// Memory of this process, in KiB; 0 where that cannot be read.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
