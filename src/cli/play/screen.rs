//! Terminal view of a running game, and input of a person.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use pitmaster_bots::RemoteTurn;
use pitmaster_core::{GameKey, Ply, Remark, Side, Untrusted};
use pitmaster_games::{DynGame, GameState, Spot, Step, Steps};
use pitmaster_referee::Referee;
use pitmaster_referee::protocol::Remaining;
use pitmaster_tournament::show_duration;

use crate::cli::game_text;
use crate::cli::style::Ink;

/// Maximum length of a shown line, in characters.
const LINE: usize = 400;

/// Output in addition to the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Show {
    /// Board after every move
    Board,
    /// Comments of the bots on their moves
    Info,
    /// Standard error of the bots
    Stderr,
    /// Only the moves
    Nothing,
}

/// Style of the view.
#[derive(Debug, Clone)]
pub(super) struct Style {
    pub(super) show: BTreeSet<Show>,
    /// One sentence per move and no drawings, for screen readers.
    pub(super) plain: bool,
    pub(super) ink: Ink,
    /// Minimum time between shown moves.
    pub(super) delay: Duration,
}

/// Changes since the previous frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// Plies played. The first frame contains the opening.
    plies: Vec<Ply>,
    remarks: Vec<Remark>,
    /// Current position.
    position: String,
}

/// Collects changes of the referee's state.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    plies: usize,
    remarks: usize,
    began: bool,
}

impl Watcher {
    /// Changes since the last call, if any.
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

/// Terminal view of one game.
pub(super) struct Screen<'a> {
    style: &'a Style,
    key: GameKey,
    game: Arc<dyn DynGame>,
    out: &'a mut dyn Write,
    /// Position of the last frame.
    position: Option<String>,
    /// Plies shown so far.
    pub(super) plies: Vec<Ply>,
}

/// Commands that a person can type instead of a move.
const WORDS: [(&str, &str); 6] = [
    ("?", "lists the legal moves"),
    ("board", "shows the board"),
    ("time", "shows the time left"),
    ("back", "takes back your last move and all later ones"),
    ("help", "shows this list"),
    ("quit", "leaves the game"),
];

/// Result of a typed line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A move in normal form.
    Move(String),
    /// The line was answered on the screen; the turn continues.
    Answered,
    /// The game continues from the ply before the person's last move.
    Back(usize),
    /// The person quits.
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

    /// Shows a frame.
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
                text.push_str(&game_text::ply(&self.key, number, ply));
            }
            if self.style.show.contains(&Show::Info) {
                text.push_str(&game_text::remarks(&self.key, &remarks, number));
            }
        }
        self.position = Some(position);
        if with_board {
            text.push_str(&self.board());
        }
        self.say(&text)
    }

    /// Shows standard error output of a bot.
    pub(super) fn show_stderr(&mut self, side: Side, stderr: &Untrusted) -> io::Result<()> {
        let name = &self.key.bots[side].name;
        let lines = stderr.as_bytes().trim_ascii_end().split(|&byte| byte == b'\n');
        let lines = lines.map(|line| Untrusted::new(line.trim_ascii_end()).shown(LINE));
        let text: String = lines.map(|line| format!("     {name} | {line}\n")).collect();
        self.say(&text)
    }

    /// Asks for a move.
    pub(super) fn ask(&mut self, turn: &RemoteTurn) -> io::Result<()> {
        let left = time_left(turn.left).map_or(String::new(), |left| format!(" ({left})"));
        self.say(&format!("player {}, your move{left}, ? for help: ", turn.side))
    }

    /// Handles a typed line.
    pub(super) fn handle_line(&mut self, typed: &str, turn: &RemoteTurn) -> io::Result<Said> {
        let answer = match typed.trim() {
            "" => String::new(),
            "?" | "moves" => self.legal_moves(),
            "help" => help(),
            "board" => self.board(),
            "time" => time_left(turn.left).unwrap_or_else(|| "no time limit".into()) + "\n",
            "back" => match self.own_last(turn.side) {
                Some(plies) => return Ok(Said::Back(plies)),
                None => "you have not moved yet\n".into(),
            },
            "quit" => return Ok(Said::Quit),
            text => match self.written(text) {
                Ok(text) => return Ok(Said::Move(text)),
                Err(why) => format!("{text:?}: {why}; ? lists the legal moves, help shows more\n"),
            },
        };
        self.say(&answer)?;
        Ok(Said::Answered)
    }

    fn legal_moves(&self) -> String {
        let mut text = "legal moves:".to_owned();
        if let Some(mut table) = self.table() {
            table.list_moves(&mut text);
        }
        text + "\n"
    }

    /// The move in normal form, if it is legal.
    fn written(&self, text: &str) -> Result<String, String> {
        let mut table = self.table().ok_or("the board cannot be read")?;
        let mut written = String::new();
        table.play(text, &mut written).map_err(|fault| fault.to_string())?;
        Ok(written)
    }

    /// Number of plies before the last ply of a side.
    fn own_last(&self, side: Side) -> Option<usize> {
        self.plies.iter().rposition(|ply| ply.by == Some(side))
    }

    /// Shows why a request is refused.
    pub(super) fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.say(&format!("{why}\n"))
    }
}

fn help() -> String {
    WORDS.iter().fold("type a move or a command:\n".to_owned(), |mut text, (word, about)| {
        let _ = writeln!(text, "  {word:<7}{about}");
        text
    })
}

/// Time left in whole seconds.
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

/// A ply as a sentence. `before` is the position before it, if known.
fn sentence(key: &GameKey, number: usize, ply: &Ply, before: Option<Box<dyn GameState>>) -> String {
    let text = Untrusted::new(ply.text.as_bytes()).shown(LINE);
    let Some(side) = ply.by else { return format!("{number}. Chance plays {text}.\n") };
    let mut said = format!("{number}. {} plays {text}", game_text::seat(key, side));
    if let Some(mut table) = before
        && let Ok(steps) = table.play_watched(&ply.text)
    {
        said.push_str(&done(&steps));
        let score = table.score();
        let _ = write!(said, ". The score is {} to {}", score.one, score.two);
    }
    said + ".\n"
}

/// Effects of a move on the board.
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
        let _ = write!(said, ", sows {}", game_text::counted(sown, "seed"));
    }
    if laps > 0 {
        let _ = write!(said, " in {}", game_text::counted(laps + 1, "lap"));
    }
    if captured > 0 {
        let _ = write!(said, ", captures {captured}");
    }
    said
}
