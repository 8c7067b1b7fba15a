//! A game at the terminal: the lane plays it on a thread of its own, the screen shows it, and
//! what people type goes to whoever's turn it is.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use pitmaster_bots::{Contender, LaunchError};
use pitmaster_core::{BySide, GameKey, Record, Seed, Side, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_runner::{self as runner, Entrant, OneGame, Players, Stopping};

use super::human::{Human, Turn};
use super::overheard::Overheard;
use super::screen::{Frame, Said, Screen, Style, Watcher};
use crate::cli::{Failure, telling};

/// Who plays what.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) game: Arc<dyn DynGame>,
    pub(super) seed: Seed,
    pub(super) entrants: BySide<Entrant>,
    /// Where the bots play.
    pub(super) core: usize,
    /// Where people sit.
    pub(super) humans: BySide<bool>,
    /// Whether the bots' standard error is shown.
    pub(super) overhears: bool,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Played {
    /// The game came to its end.
    Over(Box<Record>),
    /// A person left after so many plies.
    Left { plies: usize },
}

/// What happens at the terminal.
enum Event {
    Frame(Frame),
    /// A side has written this to its standard error.
    Error(Side, Untrusted),
    Turn(Turn),
    Typed(String),
    /// Nobody will type any more.
    Silence,
    Over,
}

/// What is typed, as far as nobody has taken it yet.
#[derive(Debug, Default)]
struct Typed {
    lines: VecDeque<String>,
    is_over: bool,
}

impl Typed {
    /// Waits until a game that was left has ended; what is typed meanwhile is kept.
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

/// Why a game is shown no longer.
enum Why {
    Over,
    Left,
    /// To go on from that ply.
    Back(usize),
}

impl Table {
    /// Plays to the end, or until a person leaves.
    pub(super) fn play(
        &self,
        key: GameKey,
        style: &Style,
        out: &mut dyn Write,
    ) -> Result<Played, Failure> {
        let (tell, events) = channel();
        if self.humans.iter().any(|human| *human) {
            let tell = tell.clone();
            thread::spawn(move || read_line(&tell));
        }
        let (mut key, mut typed) = (key, Typed::default());
        loop {
            let mut screen = Screen::new(style, key.clone(), self.game.clone(), &mut *out);
            let game = self.start(key.clone(), tell.clone());
            let why = self.follow(&events, &mut screen, &mut typed);
            let plies = std::mem::take(&mut screen.plies);
            let why = why?;
            if !matches!(why, Why::Over) {
                typed.wait(&events);
            }
            let record = game.join();
            let record =
                record.map_err(|_| Failure::fault("the game ended in a panic; report it"))?;
            match why {
                Why::Over => return Ok(Played::Over(Box::new(record))),
                Why::Left => return Ok(Played::Left { plies: plies.len() }),
                Why::Back(to) => {
                    let texts: Vec<_> = plies[..to].iter().map(|ply| &*ply.text).collect();
                    key.opening = texts.join(" ");
                    writeln!(out, "back after {}", telling::plies(to))?;
                }
            }
        }
    }

    /// Plays on a thread of its own, on the core of a lane, so that neither drawing nor a delay
    /// costs the bots anything.
    fn start(&self, key: GameKey, tell: Sender<Event>) -> JoinHandle<Record> {
        let (game, seed, humans) = (self.game.clone(), self.seed, self.humans);
        let (overhears, core) = (self.overhears, self.core);
        let entrants = self.entrants.clone();
        thread::spawn(move || {
            runner::move_to(&[core]);
            let mut players =
                Seats { key: &key, seed, entrants: &entrants, humans, overhears, tell: &tell };
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
                    // Nobody listens only when nobody reads what is shown.
                    let _ = tell.send(Event::Frame(frame));
                }
            });
            let _ = tell.send(Event::Over);
            record
        })
    }

    /// Shows the game and takes what is typed, until it is over or left.
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
                Event::Error(side, text) => screen.overhear(side, &text)?,
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

    /// Takes what was typed, as long as it is somebody's turn.
    fn take(
        &self,
        screen: &mut Screen<'_>,
        typed: &mut Typed,
        turn: &mut Option<Turn>,
    ) -> io::Result<Option<Why>> {
        while let Some(now) = turn {
            let Some(line) = typed.lines.pop_front() else {
                return Ok(typed.is_over.then_some(Why::Left));
            };
            match screen.hear(&line, now)? {
                Said::Answered => screen.ask(now)?,
                Said::Quit => return Ok(Some(Why::Left)),
                Said::Back(to) => match self.deaf_to_openings() {
                    None => return Ok(Some(Why::Back(to))),
                    Some(why) => {
                        screen.refuse(&why)?;
                        screen.ask(now)?;
                    }
                },
                Said::Move(text) => {
                    // Too late: the game will say so.
                    let _ = now.answer.send(text);
                    *turn = None;
                }
            }
        }
        Ok(None)
    }

    /// Why nothing can be taken back: a bot that cannot be told where the game stands.
    fn deaf_to_openings(&self) -> Option<String> {
        let deaf = self.entrants.iter().find(|entrant| !entrant.dialect.hears_openings())?;
        Some(format!(
            "{} speaks {} and cannot be told to go back; begin another game",
            deaf.id.name, deaf.dialect
        ))
    }
}

/// What is typed, line by line.
fn read_line(tell: &Sender<Event>) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if tell.send(Event::Typed(line)).is_err() {
            return;
        }
    }
    let _ = tell.send(Event::Silence);
}

/// Brings people and bots to the table.
struct Seats<'a> {
    key: &'a GameKey,
    seed: Seed,
    entrants: &'a BySide<Entrant>,
    humans: BySide<bool>,
    overhears: bool,
    tell: &'a Sender<Event>,
}

impl Players for Seats<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let tell = self.tell.clone();
        if self.humans[side] {
            return Ok(Box::new(Human::new(side, move |turn| {
                let _ = tell.send(Event::Turn(turn));
            })));
        }
        let bot = self.entrants[side].start(side, self.key.seed(self.seed), self.key)?;
        if !self.overhears {
            return Ok(bot);
        }
        Ok(Box::new(Overheard::new(bot, move |text| {
            let _ = tell.send(Event::Error(side, text));
        })))
    }
}
