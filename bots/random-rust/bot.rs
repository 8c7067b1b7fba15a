//! Random: plays any legal move.
//!
//! Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
//! the argument it speaks arena. The same seed gives the same choices in every language.

mod awale;

use awale::Board;
use std::env;
use std::io::{self, Write};

/// The generator splitmix32: small, and the same on every machine.
struct Dice(u32);

impl Dice {
    fn new(seed: u64, side: u64) -> Self {
        Self((seed ^ seed >> 32 ^ side << 30) as u32)
    }

    /// A number from 0 to `count - 1`.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        let mut z = self.0;
        z = (z ^ z >> 16).wrapping_mul(0x85EB_CA6B);
        z = (z ^ z >> 13).wrapping_mul(0xC2B2_AE35);
        (z ^ z >> 16) as usize % count
    }
}

fn main() -> io::Result<()> {
    match env::args().nth(1) {
        Some(side) => arena(number(&side)),
        None => pitmaster(),
    }
}

/// START, then moves in turn, then END. Nobody lists the legal moves.
fn arena(side: u64) -> io::Result<()> {
    let seed = env::var("PITMASTER_SEED").map_or(1, |seed| number(&seed));
    let mut dice = Dice::new(seed, side);
    let mut board = Board::new();
    for line in io::stdin().lines() {
        let line = line?;
        match &*line {
            "END" => break,
            "START" => {}
            played => {
                board.play(played);
            }
        }
        if !board.is_over() {
            let moves = board.moves();
            let chosen = choose(moves.iter().map(String::as_str).collect(), &mut dice);
            board.play(&chosen);
            say(&chosen)?;
        }
    }
    Ok(())
}

/// Lines of words. The legal moves are listed, so any game can be played.
fn pitmaster() -> io::Result<()> {
    let (mut side, mut seed) = (1, 1);
    let mut dice = Dice::new(seed, side);
    let mut moves = String::new();
    for line in io::stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "pitmaster" => say("ready random-rust")?,
            "side" => side = number(rest),
            "seed" => seed = number(rest),
            "newgame" => {
                dice = Dice::new(seed, side);
                say("ready")?;
            }
            "moves" => moves = rest.to_owned(),
            "go" => say(&format!("move {}", choose(moves.split(' ').collect(), &mut dice)))?,
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// A word with a `*` wants a layout, but where one may pass there is no need of any.
fn choose(mut moves: Vec<&str>, dice: &mut Dice) -> String {
    if moves.contains(&"pass") {
        moves.retain(|text| !text.contains('*'));
    }
    let chosen = moves[dice.below(moves.len())];
    match chosen.split_once('*') {
        Some((start, count)) => format!("{start}{}", layout(number(count), dice)),
        None => chosen.to_owned(),
    }
}

/// The layout of `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8.
fn layout(count: u64, dice: &mut Dice) -> String {
    let mut seeds = [0; 16];
    for _ in 0..count {
        seeds[dice.below(16)] += 1;
    }
    let hole = |at: usize| format!("{}{}:{}", ["a", "b"][at / 8], at % 8 + 1, seeds[at]);
    let holes: Vec<_> = (0..16).filter(|&at| seeds[at] > 0).map(hole).collect();
    holes.join(",")
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush() // an answer that waits in a buffer is late
}
