//! Game on the terminal: a lane plays it on a separate thread, the screen shows it, and typed lines
//! go to the side to move.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use pitmaster_bots::{Contender, LaunchError, Remote, RemoteTurn};
use pitmaster_core::{BySide, GameKey, Record, Seed, Side, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_runner::{self as runner, Entrant, OneGame, Players, Stopping};

use super::reports_stderr::ReportsStderr;
use super::screen::{Frame, Said, Screen, Style, Watcher};
use crate::cli::{Failure, game_text};

/// Game to play and its players.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) game: Arc<dyn DynGame>,
    pub(super) seed: Seed,
    pub(super) entrants: BySide<Entrant>,
    /// Core on which the bots play.
    pub(super) core: usize,
    /// Sides played by people.
    pub(super) humans: BySide<bool>,
    /// Whether the bots' standard error is shown.
    pub(super) shows_stderr: bool,
}

/// Result of a game.
#[derive(Debug)]
pub(super) enum Played {
    /// The game ended.
    Over(Box<Record>),
    /// A person left after this number of plies.
    Left { plies: usize },
}

/// Event of a game on the terminal.
enum Event {
    Frame(Frame),
    /// Standard error output of a side.
    Error(Side, Untrusted),
    Turn(RemoteTurn),
    Typed(String),
    /// Standard input ended.
    Silence,
    Over,
}

/// Typed lines that were not handled yet.
#[derive(Debug, Default)]
struct Typed {
    lines: VecDeque<String>,
    is_over: bool,
}

impl Typed {
    /// Waits for the end of an abandoned game. Lines typed meanwhile are kept.
    fn wait(&mut self, events: &Receiver<Event>) {
        for event in events {
            match event {
                Event::Typed(line) => self.lines.push_back(line),
                Event::Silence => self.is_over = true,
                Event::Over => return,
                Event::Frame(_) | Event::Error(..) | Event::Turn(_) => {}
            }
        }
    }
}

/// Reason why a game is no longer shown.
enum Why {
    Over,
    Left,
    /// Continue from this ply.
    Back(usize),
}

impl Table {
    /// Plays until the game ends or a person leaves.
    pub(super) fn play(
        &self,
        key: GameKey,
        style: &Style,
        out: &mut dyn Write,
    ) -> Result<Played, Failure> {
        let (sender, events) = channel();
        if self.humans.iter().any(|human| *human) {
            let sender = sender.clone();
            thread::spawn(move || read_line(&sender));
        }
        let (mut key, mut typed) = (key, Typed::default());
        loop {
            let mut screen = Screen::new(style, key.clone(), self.game.clone(), &mut *out);
            let game = self.start(key.clone(), sender.clone());
            let why = self.follow(&events, &mut screen, &mut typed);
            let plies = std::mem::take(&mut screen.plies);
            let why = why?;
            if !matches!(why, Why::Over) {
                typed.wait(&events);
            }
            let record = game.join();
            let record = record
                .map_err(|_| Failure::fault("the game ended in a panic; please report it"))?;
            match why {
                Why::Over => return Ok(Played::Over(Box::new(record))),
                Why::Left => return Ok(Played::Left { plies: plies.len() }),
                Why::Back(to) => {
                    let texts: Vec<_> = plies[..to].iter().map(|ply| &*ply.text).collect();
                    key.opening = texts.join(" ");
                    writeln!(out, "back to the position after {}", game_text::plies(to))?;
                }
            }
        }
    }

    /// Plays on a separate thread, on the core of a lane, so that drawing and delays do not affect
    /// the bots.
    fn start(&self, key: GameKey, sender: Sender<Event>) -> JoinHandle<Record> {
        let (game, seed, humans) = (self.game.clone(), self.seed, self.humans);
        let (shows_stderr, core) = (self.shows_stderr, self.core);
        let entrants = self.entrants.clone();
        thread::spawn(move || {
            runner::move_to(&[core]);
            let mut players = Seats {
                key: &key,
                seed,
                entrants: &entrants,
                humans,
                shows_stderr,
                sender: &sender,
            };
            let one = OneGame {
                key: key.clone(),
                game: &game,
                seed,
                entrants: entrants.as_ref(),
                stopping: Stopping::Adaptive,
            };
            let mut watcher = Watcher::default();
            let record = one.play_once(&mut players, |referee| {
                if let Some(frame) = watcher.look(referee) {
                    // Sending fails only once the output is closed.
                    let _ = sender.send(Event::Frame(frame));
                }
            });
            let _ = sender.send(Event::Over);
            record
        })
    }

    /// Shows the game and handles typed lines until the game ends or is abandoned.
    fn follow(
        &self,
        events: &Receiver<Event>,
        screen: &mut Screen<'_>,
        typed: &mut Typed,
    ) -> io::Result<Why> {
        let mut turn = None;
        for event in events {
            match event {
                Event::Frame(frame) => screen.show(frame)?,
                Event::Error(side, text) => screen.show_stderr(side, &text)?,
                Event::Turn(new) => {
                    screen.ask(&new)?;
                    turn = Some(new);
                }
                Event::Typed(line) => typed.lines.push_back(line),
                Event::Silence => typed.is_over = true,
                Event::Over => return Ok(Why::Over),
            }
            if let Some(why) = self.take(screen, typed, &mut turn)? {
                return Ok(why);
            }
        }
        Ok(Why::Over)
    }

    /// Handles typed lines while it is a person's turn.
    fn take(
        &self,
        screen: &mut Screen<'_>,
        typed: &mut Typed,
        turn: &mut Option<RemoteTurn>,
    ) -> io::Result<Option<Why>> {
        while let Some(now) = turn {
            let Some(line) = typed.lines.pop_front() else {
                return Ok(typed.is_over.then_some(Why::Left));
            };
            match screen.handle_line(&line, now)? {
                Said::Answered => screen.ask(now)?,
                Said::Quit => return Ok(Some(Why::Left)),
                Said::Back(to) => match self.cannot_undo_reason() {
                    None => return Ok(Some(Why::Back(to))),
                    Some(why) => {
                        screen.refuse(&why)?;
                        screen.ask(now)?;
                    }
                },
                Said::Move(text) => {
                    // Fails only if the move is too late, which the game reports.
                    let _ = now.answer.send(text.into());
                    *turn = None;
                }
            }
        }
        Ok(None)
    }

    /// Reason why moves cannot be undone: the dialect of a bot has no openings.
    fn cannot_undo_reason(&self) -> Option<String> {
        let deaf = self.entrants.iter().find(|entrant| !entrant.dialect.hears_openings())?;
        Some(format!(
            "{} uses the dialect {}, which cannot go back; start another game",
            deaf.id.name, deaf.dialect
        ))
    }
}

/// Reads typed lines from standard input.
fn read_line(sender: &Sender<Event>) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if sender.send(Event::Typed(line)).is_err() {
            return;
        }
    }
    let _ = sender.send(Event::Silence);
}

/// Source of the contenders: people and bots.
struct Seats<'a> {
    key: &'a GameKey,
    seed: Seed,
    entrants: &'a BySide<Entrant>,
    humans: BySide<bool>,
    shows_stderr: bool,
    sender: &'a Sender<Event>,
}

impl Players for Seats<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let sender = self.sender.clone();
        if self.humans[side] {
            return Ok(Box::new(Remote::new(side, move |turn| {
                let _ = sender.send(Event::Turn(turn));
            })));
        }
        let bot = self.entrants[side].start(side, self.key.seed(self.seed), self.key)?;
        if !self.shows_stderr {
            return Ok(bot);
        }
        Ok(Box::new(ReportsStderr::new(bot, move |text| {
            let _ = sender.send(Event::Error(side, text));
        })))
    }
}
