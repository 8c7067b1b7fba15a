//! Cautious: leaves the opponent as few replies as it can; the dice choose between equals.
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

/// START, then moves in turn, then END.
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
            say(&choose(&mut board, &mut dice))?;
        }
    }
    Ok(())
}

/// Lines of words. The board is kept from the moves that are told; in a game that it does
/// not know there is none, and the first listed move is played.
fn pitmaster() -> io::Result<()> {
    let (mut side, mut seed) = (1, 1);
    let mut dice = Dice::new(seed, side);
    let mut board = None;
    let mut first = String::new();
    for line in io::stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "pitmaster" => say("ready cautious-rust")?,
            "game" => board = board_of(rest),
            "side" => side = number(rest),
            "seed" => seed = number(rest),
            "newgame" => {
                dice = Dice::new(seed, side);
                say("ready")?;
            }
            "opening" | "played" => follow(board.as_mut(), rest),
            // A layout: all on one hole.
            "moves" => first = rest.split(' ').next().unwrap_or_default().replace('*', "a1:"),
            "go" => {
                let chosen = board.as_mut().map(|board| choose(board, &mut dice));
                say(&format!("move {}", chosen.as_ref().unwrap_or(&first)))?;
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// The board of a game that it knows. The options after the name change no move.
fn board_of(game: &str) -> Option<Board> {
    (game.split(',').next() == Some("coloured-awale")).then(Board::new)
}

/// Plays moves that are told.
fn follow(board: Option<&mut Board>, moves: &str) {
    if let Some(board) = board {
        for text in moves.split(' ') {
            board.play(text);
        }
    }
}

/// Plays the move that it chooses and says its text.
fn choose(board: &mut Board, dice: &mut Dice) -> String {
    let moves = board.moves();
    let replies: Vec<_> = moves.iter().map(|text| replies_to(board, text)).collect();
    let fewest = replies.iter().min();
    let best: Vec<_> = (0..moves.len()).filter(|&i| Some(&replies[i]) == fewest).collect();
    let chosen = &moves[best[dice.below(best.len())]];
    board.play(chosen);
    chosen.clone()
}

/// How many moves the opponent has after this one.
fn replies_to(board: &Board, text: &str) -> usize {
    let mut after = board.clone();
    after.play(text);
    after.moves().len()
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush() // an answer that waits in a buffer is late
}
