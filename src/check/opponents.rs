//! Opponents that are no better than `house:random`, but behave in their own way.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::bot::{Clock, Contender, Ended, Heard, Usage};
use crate::games::{Game, Table, Turn};
use crate::protocol::{Told, hear_referee};
use crate::record::{At, Exit};

/// How an opponent behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As it is.
    Plain,
    /// It ends after so many moves.
    Leaves(u32),
    /// It takes so long for each move.
    Slow(Duration),
    /// It sees to it that few seeds are taken.
    Passive,
}

/// An opponent with a manner.
#[derive(Debug)]
pub(super) struct Opponent {
    player: Box<dyn Contender>,
    manner: Manner,
    game: Arc<dyn Game>,
    /// How often it was asked for something.
    asked: u32,
    /// What it was told last.
    position: Option<String>,
    /// What it says instead of what the player has said.
    instead: Option<Vec<u8>>,
}

impl Opponent {
    /// Its answers to the greeting and to `newgame` are no moves.
    const HANDSHAKE: u32 = 2;

    pub(super) fn new(player: Box<dyn Contender>, manner: Manner, game: Arc<dyn Game>) -> Self {
        Self { player, manner, game, asked: 0, position: None, instead: None }
    }

    /// Puts the passive move in the place of the player's.
    fn choose(&mut self, heard: &Heard) {
        self.instead = None;
        if self.manner == Manner::Passive
            && matches!(heard, Heard::Line(_))
            && self.player.line().starts_with(b"move ")
        {
            let position = self.position.as_deref();
            let text = position.and_then(|position| most_passive(&*self.game, position));
            self.instead = text.map(|text| format!("move {text}").into_bytes());
        }
    }
}

/// The most moves that are looked at, and replies to each.
const LOOKED_AT: usize = 48;

/// The move after which the fewest seeds are taken, by it and by the best reply.
fn most_passive(game: &dyn Game, position: &str) -> Option<String> {
    let mut table = game.resume(position).ok()?;
    let moves = moves(&mut *table);
    let rank = |text: &String| {
        let mut after = played(game, position, text)?;
        let taken = total(&*table).abs_diff(total(&*after));
        let is_over = matches!(after.turn(), Turn::Over(_));
        let position = after.position();
        let replies = self::moves(&mut *after);
        let afterwards = replies.iter().filter_map(|reply| played(game, &position, reply));
        let reply = afterwards.map(|table| total(&*table).abs_diff(total(&*after))).max();
        Some((is_over, taken + reply.unwrap_or(0)))
    };
    let ranked = moves.iter().filter_map(|text| Some((rank(text)?, text)));
    Some(ranked.min()?.1.clone())
}

/// What both have, together.
fn total(table: &dyn Table) -> u32 {
    let score = table.score();
    score.one + score.two
}

fn moves(table: &mut dyn Table) -> Vec<String> {
    let mut text = String::new();
    if let Turn::Player(_) = table.turn() {
        table.list_moves(&mut text);
    }
    text.split_ascii_whitespace().take(LOOKED_AT).map(str::to_owned).collect()
}

fn played(game: &dyn Game, position: &str, text: &str) -> Option<Box<dyn Table>> {
    let mut table = game.resume(position).ok()?;
    table.play(text, &mut String::new()).ok()?;
    Some(table)
}

fn position_in(bytes: &[u8]) -> Option<String> {
    bytes.split(|&byte| byte == b'\n').find_map(|line| match hear_referee(line) {
        Told::Position(text) => Some(text.to_owned()),
        _ => None,
    })
}

impl Contender for Opponent {
    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn new_turn(&mut self) {
        self.asked += 1;
        self.player.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        self.position = position_in(bytes).or(self.position.take());
        self.player.send(bytes);
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        self.player.glance(clock)
    }

    fn listen(&mut self, clock: &Clock, until: Option<At>) -> Heard {
        match self.manner {
            Manner::Leaves(moves) if self.asked > Self::HANDSHAKE + moves => {
                return Heard::Exited(Exit::Code(0), clock.now());
            }
            Manner::Slow(pause) if self.asked > Self::HANDSHAKE => thread::sleep(pause),
            _ => {}
        }
        let heard = self.player.listen(clock, until);
        self.choose(&heard);
        heard
    }

    fn line(&self) -> &[u8] {
        self.instead.as_deref().unwrap_or_else(|| self.player.line())
    }

    fn part(&self) -> &[u8] {
        self.player.part()
    }

    fn stop(&mut self) {
        self.player.stop();
    }

    fn resume(&mut self) {
        self.player.resume();
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.player.used(wall)
    }

    fn hang_up(&mut self) {
        self.player.hang_up();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        self.player.end(clock, until)
    }
}
