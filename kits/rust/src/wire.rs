//! The wire: hears the referee and answers. Nobody needs to change this file.
//!
//! Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
//! argument it speaks arena. What to answer is decided in think.rs.

use crate::think::Player;
use std::env;
use std::io::{self, Write};
use std::time::Duration;

/// A move may use one part in so many of what a clock has left.
const PARTS: [(&str, u64); 3] = [("move", 2), ("game", 40), ("bank", 20)];
const NO_CLOCK_MS: u64 = 500;

pub fn run() -> io::Result<()> {
    match env::args().nth(1) {
        Some(side) => arena(number(&side)),
        None => pitmaster(),
    }
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{line}")?;
    out.flush() // an answer that waits in a buffer is late
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

/// The time for a move, from words such as `move 1000 game 209512`.
fn time_for(clocks: &[String]) -> Duration {
    let times = clocks.windows(2).filter_map(|pair| {
        let (_, parts) = PARTS.iter().find(|(clock, _)| *clock == pair[0])?;
        Some(pair[1].parse::<u64>().ok()? / parts)
    });
    Duration::from_millis(times.min().unwrap_or(NO_CLOCK_MS))
}

/// Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn.
fn pitmaster() -> io::Result<()> {
    let (mut game, mut side) = (String::new(), 1);
    let (mut opening, mut clocks, mut listed) = (vec![], vec![], vec![]);
    let mut player = Player::new("", 1);
    for line in io::stdin().lines() {
        let line = line?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let word = words.next().unwrap_or_default();
        let rest: Vec<String> = words.collect();
        match word.as_str() {
            "pitmaster" => say("ready")?,
            "game" => {
                game = rest[0].clone();
                opening.clear();
                clocks.clear();
            }
            "side" => side = number(&rest[0]),
            "opening" => opening = rest,
            "newgame" => {
                player = Player::new(&game, side);
                opening.iter().for_each(|text| player.played(text));
                say("ready")?;
            }
            "played" => rest.iter().for_each(|text| player.played(text)),
            "time" => clocks = rest,
            "moves" => listed = rest,
            "go" => {
                let chosen = player.choose(&listed, time_for(&clocks));
                let chosen = chosen.expect("it is this player's turn");
                player.played(&chosen);
                say(&format!("move {chosen}"))?;
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

/// One game: `START` or the opponent's moves, one a line; `END` at the end.
fn arena(side: usize) -> io::Result<()> {
    let clocks = match env::var("PITMASTER_MOVE_MS") {
        Ok(limit) if limit != "0" => vec!["move".into(), limit],
        _ => vec![],
    };
    let game = env::var("PITMASTER_GAME").unwrap_or_default();
    let mut player = Player::new(&game, side);
    for line in io::stdin().lines() {
        match line?.trim() {
            "END" => break,
            "START" => {}
            text => player.played(text),
        }
        if let Some(chosen) = player.choose(&[], time_for(&clocks)) {
            player.played(&chosen);
            say(&chosen)?;
        }
    }
    Ok(())
}
