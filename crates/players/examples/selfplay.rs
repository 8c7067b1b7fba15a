//! Positions of Coloured Awale for fitting an evaluation, from games of `expert` against itself.
//!
//! ```sh
//! cargo run --release -p pitmaster-players --example selfplay -- OUT SEED GAMES NODES
//! ```

#![expect(clippy::disallowed_types, reason = "the example writes a file; the crate does not")]

use std::fs::File;
use std::io::{BufWriter, Write as _};

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::{ColouredAwale, Position};
use pitmaster_games::{MoveList, Rules, Turn};
use pitmaster_players::{Before, Expert, ExpertOptions, Judged, Searcher, Unlimited};
use rand::Rng;

/// Plies after which the score decides.
const PLIES: u16 = 400;
/// Bytes of a record.
const RECORD: usize = 64;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args[at].parse::<u64>().expect("a number");
    let mut out = BufWriter::new(File::create(&args[0]).expect("a file"));
    let (seed, games, nodes) = (number(1), number(2), number(3));
    let rules = ColouredAwale::default();
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

/// Plays a game and returns its positions with what became of them.
fn play<S: Searcher<ColouredAwale>>(
    rules: ColouredAwale,
    minds: &mut [S; 2],
    seed: Seed,
) -> (Vec<[u8; RECORD]>, bool) {
    let mut rng = seed.stream("opening");
    let opening = 2 + (rng.next_u64() % 15) as u16;
    // Some games are adjudicated sooner, so that all kinds of positions come shortly before it.
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
            Turn::Chance => unreachable!("no chance in this game"),
        };
        let mv = if ply < opening {
            rules.moves(&position, &mut list);
            list.moves[(rng.next_u64() % list.moves.len() as u64) as usize]
        } else {
            let chosen = minds[side.index()].choose(
                &rules,
                &position,
                &mut Before::new(&mut Unlimited, u32::from(limit - ply)),
            );
            // A forced move is made without a search, so its position has no value to learn from.
            if let Some(value) = chosen.thought.seeds {
                found.push(record(rules, &position, PLIES - limit + ply, value));
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

/// Record of a position as if `ply` plies of [`PLIES`] were played, without what became of it.
/// `value` is what the search found for the side to move, in seeds.
fn record(rules: ColouredAwale, position: &Position, ply: u16, value: f64) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    for (at, kind) in position.board().iter().enumerate() {
        record[16 * at..16 * at + 16].copy_from_slice(kind);
    }
    let score = rules.score(position);
    record[48] = score.one as u8;
    record[49] = score.two as u8;
    record[50] = position.side().index() as u8;
    record[52..54].copy_from_slice(&ply.to_le_bytes());
    let value = (value * 100.0).clamp(-9600.0, 9600.0) as i16;
    record[54..56].copy_from_slice(&value.to_le_bytes());
    record
}
