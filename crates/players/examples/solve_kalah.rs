//! Solves a game of Kalah with the search of `house:expert` and an endgame table, from the start to
//! the end of every line.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example solve_kalah -- GAME [TABLE-MEMORY [HASH [THREADS]]]
//! cargo run --release -p pitmaster-players --example solve_kalah -- kalah_empty 512MiB 2GiB 2
//! ```
//!
//! The game continues until no move is left, as in the literature, instead of ending as soon as a
//! player has more than half of the seeds.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the crate is pure; this program reads arguments and tells how long it takes"
)]

use std::sync::Arc;
use std::time::Instant;

use pitmaster_core::Seed;
use pitmaster_core::units::parse_size;
use pitmaster_games::two_row::{Position, TwoRow};
use pitmaster_games::{AnyRules, Rules, look_up};
use pitmaster_players::{Budget, EndgameTable, Expert, ExpertOptions, Judged, Searcher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let arg = |at: usize, default: &str| args.get(at).cloned().unwrap_or_else(|| default.into());
    let (game, threads) = (arg(0, "kalah_empty"), arg(3, "1").parse()?);
    let size = |at, default| parse_size(&arg(at, default)).ok_or("a size is like 512MiB");
    let (memory, hash) = (size(1, "64MiB")?, size(2, "1GiB")?);
    let AnyRules::TwoRow(rules) = look_up(&game.parse()?)?.rules else {
        return Err("the game has no endgame tables".into());
    };
    let began = Instant::now();
    let seeds: u32 = rules.start().seeds.iter().map(|&seeds| u32::from(seeds)).sum();
    let most = EndgameTable::fits(&rules, memory)?.min(seeds);
    let table = Arc::new(EndgameTable::build(&rules, most, |at| {
        println!("{:8.1} s  table: {at:?}", began.elapsed().as_secs_f64());
    })?);
    let open = EndgameTable::open_ended(&rules)?;
    let start = Position { seeds: rules.start().seeds, ..open.start() };
    let options = ExpertOptions { hash, threads, ..ExpertOptions::default() };
    let found = solve(&open, &start, &table, options, began);
    println!("{:8.1} s  {game}: {found}", began.elapsed().as_secs_f64());
    Ok(())
}

fn solve(
    rules: &TwoRow,
    start: &Position,
    table: &Arc<EndgameTable>,
    options: ExpertOptions,
    began: Instant,
) -> String {
    let endgame = rules.endgame(table);
    let mut expert = Expert::new(rules.judge(), options).with_endgame(endgame);
    expert.begin(Seed(0));
    let thought = expert.choose(rules, start, &mut Watch { began, nodes: 0, told: 0 }).thought;
    println!("{:8.1} s  {thought:?}", began.elapsed().as_secs_f64());
    match thought.verdict {
        Some(verdict) if verdict.margin.is_some() => verdict.to_string(),
        _ => "not proven within the largest depth".to_owned(),
    }
}

/// Unlimited budget that prints the progress of the search.
struct Watch {
    began: Instant,
    nodes: u64,
    told: u64,
}

/// Number of nodes between two printed lines.
const LINE: u64 = 500_000_000;

impl Budget for Watch {
    fn spent(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes / LINE > self.told {
            self.told = self.nodes / LINE;
            let (seconds, millions) = (self.began.elapsed().as_secs_f64(), self.nodes / 1_000_000);
            println!("{seconds:8.1} s  {millions} million nodes");
        }
        false
    }

    fn is_nearly_spent(&self) -> bool {
        false
    }
}
