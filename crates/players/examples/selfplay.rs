//! Positions for fitting an evaluation, from games of `expert` against itself.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example selfplay -- GAME OUT SEED GAMES NODES
//! ```
//!
//! `GAME` is `coloured-awale` or a two-row game with at most 24 holes on both sides together.

#![expect(clippy::disallowed_types, reason = "the example writes a file; the crate does not")]

use std::fs::File;
use std::io::{BufWriter, Write as _};

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::ColouredAwale;
use pitmaster_games::two_row::TwoRow;
use pitmaster_games::{AnyRules, MoveList, Turn, look_up};
use pitmaster_players::{Before, Expert, ExpertOptions, Judged, Searcher, Unlimited};
use rand::Rng;

/// Plies after which the score decides.
const PLIES: u16 = 400;
/// Bytes of a record.
const RECORD: usize = 64;

/// Game whose positions fit into a record.
trait Recorded: Judged {
    /// Writes the seeds of a position into the first 48 bytes of a record.
    fn write(&self, position: &Self::Position, seeds: &mut [u8]);
}

impl Recorded for ColouredAwale {
    fn write(&self, position: &Self::Position, seeds: &mut [u8]) {
        for (kind, seeds) in position.board().iter().zip(seeds.chunks_mut(16)) {
            seeds.copy_from_slice(kind);
        }
    }
}

impl Recorded for TwoRow {
    fn write(&self, position: &Self::Position, seeds: &mut [u8]) {
        for (hole, byte) in position.seeds[..24].iter().zip(seeds) {
            *byte = u8::try_from(*hole).expect("fewer than 256 seeds");
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let game = look_up(&args[0].parse().expect("a game")).expect("a game");
    match game.rules {
        AnyRules::ColouredAwale(rules) => write_games(&rules, &args[1..]),
        AnyRules::TwoRow(rules) if rules.params().holes <= 12 => write_games(&rules, &args[1..]),
        _ => panic!("positions of {} do not fit into a record", args[0]),
    }
}

fn write_games<R: Recorded>(rules: &R, args: &[String]) {
    let number = |at: usize| args[at].parse::<u64>().expect("a number");
    let mut out = BufWriter::new(File::create(&args[0]).expect("a file"));
    let (seed, games, nodes) = (number(1), number(2), number(3));
    let options = ExpertOptions { nodes, hash: 1 << 19, ..ExpertOptions::default() };
    let mut minds = [0; 2].map(|_| Expert::new(rules.judge(), options));
    let (mut plies, mut cut, mut records) = (0_u64, 0, 0_u64);
    for game in 0..games {
        let seed = Seed(seed).derive(&format!("game {game}"));
        let (found, was_cut) = play(rules, &mut minds, seed);
        plies += found.len() as u64;
        cut += u64::from(was_cut);
        records += found.len() as u64;
        for record in found {
            out.write_all(&record).expect("room on the disk");
        }
        if game % 500 == 499 {
            out.flush().expect("room on the disk");
            println!(
                "{} games, {records} positions, {} plies a game, {cut} cut",
                game + 1,
                plies / (game + 1)
            );
        }
    }
}

/// Plays a game and returns its positions with the result.
fn play<R: Recorded, S: Searcher<R>>(
    rules: &R,
    minds: &mut [S; 2],
    seed: Seed,
) -> (Vec<[u8; RECORD]>, bool) {
    let mut rng = seed.stream("opening");
    let opening = 2 + (rng.next_u64() % 15) as u16;
    // Some games are adjudicated earlier, so that all kinds of positions occur shortly before it.
    let limit =
        if rng.next_u64().is_multiple_of(2) { PLIES } else { 80 + (rng.next_u64() % 320) as u16 };
    for mind in minds.iter_mut() {
        mind.begin(seed);
    }
    let (mut position, mut list, mut found) = (rules.start(), MoveList::default(), Vec::new());
    let mut ply = 0_u16;
    let (outcome, cut) = loop {
        let side = match rules.turn(&position) {
            Turn::Over(outcome) => break (outcome, false),
            _ if ply == limit => break (rules.adjudicate(&position), true),
            Turn::Player(side) => side,
            Turn::Chance => unreachable!("no chance in these games"),
        };
        let mv = if ply < opening {
            rules.moves(&position, &mut list);
            list.moves[(rng.next_u64() % list.moves.len() as u64) as usize].clone()
        } else {
            let chosen = minds[side.index()].choose(
                rules,
                &position,
                &mut Before::new(&mut Unlimited, u32::from(limit - ply)),
            );
            // A forced move is made without a search, so its position has no value to learn from.
            if let Some(value) = chosen.thought.seeds {
                found.push(record(rules, side, &position, PLIES - limit + ply, value));
            }
            chosen.mv
        };
        rules.play(&mut position, &mv, &mut ());
        ply += 1;
    };
    let margin = outcome.score.one as i16 - outcome.score.two as i16;
    for record in &mut found {
        let own = if record[50] == Side::One.index() as u8 { margin } else { -margin };
        record[56..58].copy_from_slice(&own.to_le_bytes());
        record[58..60].copy_from_slice(&ply.to_le_bytes());
        record[60] = u8::from(cut);
    }
    (found, cut)
}

/// Record of a position after `ply` of [`PLIES`] plies, without the result. `value` is the search
/// value for the side to move, in seeds.
fn record<R: Recorded>(
    rules: &R,
    side: Side,
    position: &R::Position,
    ply: u16,
    value: f64,
) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    rules.write(position, &mut record[..48]);
    let score = rules.score(position);
    record[48] = score.one as u8;
    record[49] = score.two as u8;
    record[50] = side.index() as u8;
    record[52..54].copy_from_slice(&ply.to_le_bytes());
    let value = (value * 100.0).clamp(-9600.0, 9600.0) as i16;
    record[54..56].copy_from_slice(&value.to_le_bytes());
    record
}
