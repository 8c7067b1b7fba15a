//! What the terminal shows of a running game, and what a person says at it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use pitmaster_core::{GameKey, Ply, Remark, Side, Untrusted};
use pitmaster_games::{DynGame, GameState, Spot, Step, Steps};
use pitmaster_referee::Referee;
use pitmaster_referee::protocol::Remaining;
use pitmaster_tournament::show_duration;

use super::human::Turn;
use crate::cli::ink::Ink;
use crate::cli::telling;

/// How much of a line is shown, in characters.
const LINE: usize = 400;

/// What can be shown beside the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Show {
    /// The board after every move
    Board,
    /// What bots say about their moves
    Info,
    /// What bots write on standard error
    Stderr,
    /// Nothing but the moves
    Nothing,
}

/// How it is shown.
#[derive(Debug, Clone)]
pub(super) struct Style {
    pub(super) show: BTreeSet<Show>,
    /// One sentence a move and no drawing, as a screen reader wants it.
    pub(super) plain: bool,
    pub(super) ink: Ink,
    /// No move is shown sooner than this after the one before.
    pub(super) delay: Duration,
}

/// What has happened on the board since the frame before.
#[derive(Debug)]
pub(super) struct Frame {
    /// What was played; in the first one what is played before the contenders are asked.
    plies: Vec<Ply>,
    remarks: Vec<Remark>,
    /// Where it stands now.
    position: String,
}

/// Collects what is new to the referee.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    plies: usize,
    remarks: usize,
    began: bool,
}

impl Watcher {
    /// What is new; `None`: nothing.
    pub(super) fn look(&mut self, referee: &Referee) -> Option<Frame> {
        let (plies, remarks) = (referee.plies(), referee.remarks());
        if self.began && self.plies == plies.len() {
            return None;
        }
        let frame = Frame {
            plies: plies[self.plies..].to_vec(),
            remarks: remarks[self.remarks..].to_vec(),
            position: referee.table().position(),
        };
        (self.plies, self.remarks, self.began) = (plies.len(), remarks.len(), true);
        Some(frame)
    }
}

/// The terminal during one game.
pub(super) struct Screen<'a> {
    style: &'a Style,
    key: GameKey,
    game: Arc<dyn DynGame>,
    out: &'a mut dyn Write,
    /// The last frame's.
    position: Option<String>,
    /// Plies so far.
    pub(super) plies: Vec<Ply>,
}

/// What a person can say instead of a move, and what it does.
const WORDS: [(&str, &str); 6] = [
    ("?", "lists the legal moves"),
    ("board", "shows the board"),
    ("time", "says what time is left"),
    ("back", "takes back your last move and what came after it"),
    ("help", "says this"),
    ("quit", "leaves the game"),
];

/// What comes of something that a person said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A move, in the form that the game writes.
    Move(String),
    /// It was answered on the screen; the turn goes on.
    Answered,
    /// The game goes on from the ply before one's own last move.
    Back(usize),
    /// The person leaves.
    Quit,
}

impl<'a> Screen<'a> {
    pub(super) fn new(
        style: &'a Style,
        key: GameKey,
        game: Arc<dyn DynGame>,
        out: &'a mut dyn Write,
    ) -> Self {
        Self { style, key, game, out, position: None, plies: Vec::new() }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(self.style.ink.show(text).as_bytes())?;
        self.out.flush()
    }

    fn table(&self) -> Option<Box<dyn GameState>> {
        self.game.resume(self.position.as_ref()?).ok()
    }

    fn board(&self) -> String {
        self.table().map_or_else(String::new, |table| table.board())
    }

    /// Shows what has happened.
    pub(super) fn show(&mut self, frame: Frame) -> io::Result<()> {
        let Frame { plies, remarks, position } = frame;
        let mut text = String::new();
        if !plies.is_empty() && self.position.is_some() {
            thread::sleep(self.style.delay);
        }
        let with_board = self.style.show.contains(&Show::Board) && !self.style.plain;
        if with_board {
            text.push('\n');
        }
        let mut before = self.table();
        for ply in plies {
            self.plies.push(ply);
            let (ply, number) = (&self.plies[self.plies.len() - 1], self.plies.len());
            if self.style.plain {
                text.push_str(&sentence(&self.key, number, ply, before.take()));
            } else {
                text.push_str(&telling::ply(&self.key, number, ply));
            }
            if self.style.show.contains(&Show::Info) {
                text.push_str(&telling::remarks(&self.key, &remarks, number));
            }
        }
        self.position = Some(position);
        if with_board {
            text.push_str(&self.board());
        }
        self.say(&text)
    }

    /// Shows what a bot has written to its standard error.
    pub(super) fn overhear(&mut self, side: Side, stderr: &Untrusted) -> io::Result<()> {
        let name = &self.key.bots[side].name;
        let lines = stderr.as_bytes().trim_ascii_end().split(|&byte| byte == b'\n');
        let lines = lines.map(|line| Untrusted::new(line.trim_ascii_end()).shown(LINE));
        let text: String = lines.map(|line| format!("     {name} | {line}\n")).collect();
        self.say(&text)
    }

    /// Asks for a move.
    pub(super) fn ask(&mut self, turn: &Turn) -> io::Result<()> {
        let left = time_left(turn.left).map_or(String::new(), |left| format!(" ({left})"));
        self.say(&format!("player {}, your move{left}, ? for help: ", turn.side))
    }

    /// Takes what a person has typed.
    pub(super) fn hear(&mut self, typed: &str, turn: &Turn) -> io::Result<Said> {
        let answer = match typed.trim() {
            "" => String::new(),
            "?" | "moves" => self.legal_moves(),
            "help" => help(),
            "board" => self.board(),
            "time" => time_left(turn.left).unwrap_or_else(|| "there is no limit".into()) + "\n",
            "back" => match self.own_last(turn.side) {
                Some(plies) => return Ok(Said::Back(plies)),
                None => "you have not moved yet\n".into(),
            },
            "quit" => return Ok(Said::Quit),
            text => match self.written(text) {
                Ok(text) => return Ok(Said::Move(text)),
                Err(why) => format!("{text:?}: {why}; ? lists the legal moves, help says more\n"),
            },
        };
        self.say(&answer)?;
        Ok(Said::Answered)
    }

    fn legal_moves(&self) -> String {
        let mut text = "legal:".to_owned();
        if let Some(mut table) = self.table() {
            table.list_moves(&mut text);
        }
        text + "\n"
    }

    /// A move as the game writes it, if it is legal.
    fn written(&self, text: &str) -> Result<String, String> {
        let mut table = self.table().ok_or("the board cannot be read")?;
        let mut written = String::new();
        table.play(text, &mut written).map_err(|fault| fault.to_string())?;
        Ok(written)
    }

    /// How many plies came before the last one of a side.
    fn own_last(&self, side: Side) -> Option<usize> {
        self.plies.iter().rposition(|ply| ply.by == Some(side))
    }

    /// Says that something cannot be.
    pub(super) fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.say(&format!("{why}\n"))
    }
}

fn help() -> String {
    WORDS.iter().fold("type a move, or\n".to_owned(), |mut text, (word, about)| {
        let _ = writeln!(text, "  {word:<7}{about}");
        text
    })
}

/// Whole seconds are enough for people.
fn time_left(left: Remaining) -> Option<String> {
    let Remaining { per_move, per_game, banks } = left;
    let own = banks.map(|(own, _)| own);
    let least = [per_move, per_game, own].into_iter().flatten().min()?;
    let seconds = Duration::from_secs(least.as_secs());
    Some(if seconds.is_zero() {
        "less than a second left".into()
    } else {
        format!("{} left", show_duration(seconds))
    })
}

/// A ply as a sentence. `before` is the board that it was made on, where that is known.
fn sentence(key: &GameKey, number: usize, ply: &Ply, before: Option<Box<dyn GameState>>) -> String {
    let text = Untrusted::new(ply.text.as_bytes()).shown(LINE);
    let Some(side) = ply.by else { return format!("{number}. Chance plays {text}.\n") };
    let mut said = format!("{number}. {} plays {text}", telling::seat(key, side));
    if let Some(mut table) = before
        && let Ok(steps) = table.play_watched(&ply.text)
    {
        said.push_str(&done(&steps));
        let score = table.score();
        let _ = write!(said, ". It is {} to {}", score.one, score.two);
    }
    said + ".\n"
}

/// What a move did to the board.
fn done(Steps(steps): &Steps) -> String {
    let sown = steps.iter().filter(|step| matches!(step, Step::Sow { .. })).count();
    let laps = steps.iter().filter(|step| matches!(step, Step::Lap { .. })).count();
    let captured: u32 = steps
        .iter()
        .filter_map(|step| match step {
            Step::Capture { seeds, to: Spot::Store(_) | Spot::Hole(_), .. } => {
                Some(u32::from(*seeds))
            }
            _ => None,
        })
        .sum();
    let mut said = String::new();
    if sown > 0 {
        let _ = write!(said, ", sows {}", telling::counted(sown, "seed"));
    }
    if laps > 0 {
        let _ = write!(said, " in {}", telling::counted(laps + 1, "lap"));
    }
    if captured > 0 {
        let _ = write!(said, ", captures {captured}");
    }
    said
}
