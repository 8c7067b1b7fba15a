//! Scripted opponents, no stronger than `house:random`, each with its own behavior.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pitmaster_bots::{Clock, Contender, ReadOutcome, forward_contender};
use pitmaster_core::{At, Exit, Seed};
use pitmaster_games::{DynGame, GameState, Turn};
use pitmaster_referee::protocol::{self, position_in};

use super::goals::Goal;
use super::log::SharedLog;
use super::seeker::Seeker;

/// Behavior of an opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Manner {
    /// The player's own behavior.
    Plain,
    /// A fixed delay before each move.
    Slow(Duration),
    /// Play that leads to few captures.
    Passive,
    /// Play toward a goal, randomized by a seed.
    Seek(Goal, Seed),
}

/// Condition under which an opponent resigns. So a game ends early only after a move of the bot,
/// never while it thinks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Halt {
    /// After this number of requested moves of the bot.
    pub(super) moves: Option<u32>,
    /// After this playing time.
    pub(super) time: Option<Duration>,
}

/// An opponent with a certain behavior.
#[derive(Debug)]
pub(super) struct Opponent {
    player: Box<dyn Contender>,
    manner: Manner,
    seeker: Option<Seeker>,
    halt: Halt,
    game: Arc<dyn DynGame>,
    /// Messages between the referee and the bot.
    log: SharedLog,
    began: Instant,
    /// Whether it is asked for a move, as opposed to the greeting or `newgame`.
    is_its_turn: bool,
    /// Last position that it received.
    position: Option<String>,
    /// Line sent instead of the player's.
    instead: Option<Vec<u8>>,
}

impl Opponent {
    pub(super) fn new(
        player: Box<dyn Contender>,
        manner: Manner,
        halt: Halt,
        game: Arc<dyn DynGame>,
        log: SharedLog,
    ) -> Self {
        let (began, is_its_turn, position, instead) = (Instant::now(), false, None, None);
        let seeker = match &manner {
            Manner::Seek(goal, seed) => Some(Seeker::new(&game, goal.clone(), *seed)),
            _ => None,
        };
        Self { player, manner, seeker, halt, game, log, began, is_its_turn, position, instead }
    }

    fn gives_up(&self) -> bool {
        let Halt { moves, time } = self.halt;
        self.is_its_turn
            && (moves.is_some_and(|moves| self.log.borrow().turns >= moves)
                || time.is_some_and(|time| self.began.elapsed() >= time))
    }

    /// Replaces the player's move by its own.
    fn choose(&mut self, outcome: &ReadOutcome) {
        self.instead = None;
        if !self.is_its_turn || !matches!(outcome, ReadOutcome::Line(_)) {
            return;
        }
        let Some(position) = self.position.as_deref() else { return };
        let text = match (&self.manner, &mut self.seeker) {
            (Manner::Passive, _) => most_passive(&*self.game, position),
            (_, Some(seeker)) => seeker.choose(position),
            _ => None,
        };
        self.instead = text.map(|text| format!("move {text}").into_bytes());
    }
}

/// Maximum number of evaluated moves, and of replies to each.
const LOOKED_AT: usize = 48;

/// The move after which the fewest seeds are taken, by it and by the best reply.
fn most_passive(game: &dyn DynGame, position: &str) -> Option<String> {
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

/// Total score of both sides.
fn total(table: &dyn GameState) -> u32 {
    let score = table.score();
    score.one + score.two
}

fn moves(table: &mut dyn GameState) -> Vec<String> {
    let mut text = String::new();
    if let Turn::Player(_) = table.turn() {
        table.list_moves(&mut text);
    }
    text.split_ascii_whitespace().take(LOOKED_AT).map(str::to_owned).collect()
}

fn played(game: &dyn DynGame, position: &str, text: &str) -> Option<Box<dyn GameState>> {
    let mut table = game.resume(position).ok()?;
    table.play(text, &mut String::new()).ok()?;
    Some(table)
}

impl Contender for Opponent {
    forward_contender!(player:
        new_game new_turn try_read_line line_had_cr partial_line stop resume used waited peak_memory
        counts_all_cpu stderr close_stdin end
    );

    fn send(&mut self, bytes: &[u8]) {
        self.is_its_turn = bytes.ends_with(protocol::GO);
        self.position = position_in(bytes).map(str::to_owned).or(self.position.take());
        self.player.send(bytes);
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        if self.gives_up() {
            return ReadOutcome::Exited(Exit::Code(0), clock.now());
        }
        if let Manner::Slow(pause) = self.manner
            && self.is_its_turn
        {
            thread::sleep(pause);
        }
        let outcome = self.player.read_line(clock, until);
        self.choose(&outcome);
        outcome
    }

    fn line(&self) -> &[u8] {
        self.instead.as_deref().unwrap_or_else(|| self.player.line())
    }
}
