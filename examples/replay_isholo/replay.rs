//! Games of Isholo that another program has played, followed move by move through nothing but
//! the face of a game. The example and the golden test share this.

use std::fmt;

use pitmaster::core::Side;
use pitmaster::games::{DynGame, GameState, Outcome, Turn, find};
use serde::Deserialize;

/// A player's seeds, `a1` to `a8` and `b1` to `b8`.
type Holes = [u8; 16];

/// A played game.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Trace {
    /// `1`, `2a`, `2b` or `3`.
    pub(crate) game: String,
    /// Player 1's holes and player 2's.
    pub(crate) start: [Holes; 2],
    /// Every move.
    pub(crate) moves: Vec<Ply>,
    /// `won`, `limit` (broken off) or `endless`.
    pub(crate) end: String,
    /// Score at the end.
    pub(crate) score: [u32; 2],
    /// `None`: a draw.
    pub(crate) winner: Option<u8>,
}

/// Move, the other legal moves, and the position after it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Ply {
    pub(crate) side: u8,
    /// Legal moves, in the order of the texts.
    pub(crate) legal: Vec<String>,
    #[serde(rename = "move")]
    pub(crate) text: String,
    pub(crate) after: [Holes; 2],
}

/// First difference between the rules and a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disagreement {
    /// The move of the trace, from 1; 0 is the start.
    pub(crate) ply: usize,
    /// The position before it.
    pub(crate) position: String,
    /// What differs.
    pub(crate) what: &'static str,
    /// Value in the trace.
    pub(crate) expected: String,
    /// What the rules say.
    pub(crate) seen: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ply, position, what, expected, seen } = self;
        write!(
            f,
            "move {ply}: {what}\n  position  {position}\n  expected  {expected}\n  seen      {seen}"
        )
    }
}

/// Follows a trace and returns how many moves were compared.
pub(crate) fn follow(trace: &Trace) -> Result<usize, Box<Disagreement>> {
    let mut follower = Follower::begin(trace)?;
    for (number, ply) in (1..).zip(&trace.moves) {
        follower.ply = number;
        follower.before = follower.table.position();
        follower.take(ply)?;
    }
    follower.end(trace)?;
    Ok(trace.moves.len())
}

struct Follower {
    table: Box<dyn GameState>,
    ply: usize,
    before: String,
}

type Followed = Result<(), Box<Disagreement>>;

impl Follower {
    fn begin(trace: &Trace) -> Result<Self, Box<Disagreement>> {
        let game = game(trace);
        let side = trace.moves.first().map_or(1, |ply| ply.side);
        let mut follower = Self { table: game.begin(), ply: 0, before: "-".into() };
        let text = text(&trace.start, side);
        match game.resume(&text) {
            Ok(table) => follower.table = table,
            Err(fault) => follower.compare("start", &text, &fault.to_string())?,
        }
        Ok(follower)
    }

    fn take(&mut self, ply: &Ply) -> Followed {
        let player = Side::from_number(ply.side).map(Turn::Player);
        self.compare("turn", &format!("{player:?}"), &format!("{:?}", Some(self.table.turn())))?;
        let mut listed = String::new();
        self.table.list_moves(&mut listed);
        let mut listed: Vec<_> = listed.split_ascii_whitespace().collect();
        listed.sort_unstable();
        self.compare("legal moves", &ply.legal.join(" "), &listed.join(" "))?;
        let mut written = String::new();
        if let Err(fault) = self.table.play(&ply.text, &mut written) {
            self.compare("move", &ply.text, &fault.to_string())?;
        }
        self.compare("move", &ply.text, &written)?;
        self.compare("board", &text(&ply.after, 3 - ply.side), &self.table.position())
    }

    fn end(&self, trace: &Trace) -> Followed {
        let (end, outcome) = match self.table.turn() {
            Turn::Over(outcome @ Outcome { clause: "endless", .. }) => ("endless", outcome),
            Turn::Over(outcome) => ("won", outcome),
            _ => ("limit", self.table.adjudicate()),
        };
        self.compare("end", &trace.end, end)?;
        let score = [outcome.score.one, outcome.score.two];
        self.compare("score", &format!("{:?}", trace.score), &format!("{score:?}"))?;
        let winner = outcome.winner.map(Side::number);
        self.compare("winner", &format!("{:?}", trace.winner), &format!("{winner:?}"))
    }

    fn compare(&self, what: &'static str, expected: &str, seen: &str) -> Followed {
        if expected == seen {
            return Ok(());
        }
        Err(Box::new(Disagreement {
            ply: self.ply,
            position: self.before.clone(),
            what,
            expected: expected.to_owned(),
            seen: seen.to_owned(),
        }))
    }
}

fn game(trace: &Trace) -> std::sync::Arc<dyn DynGame> {
    let name = format!("isholo-{}", trace.game);
    let spec = name.parse().unwrap_or_else(|fault| panic!("{fault}"));
    find(&spec).unwrap_or_else(|faults| panic!("{faults}"))
}

/// A position's text.
fn text(players: &[Holes; 2], side: u8) -> String {
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(".");
    let [one, two] = players.map(|holes| format!("{},{}", row(&holes[..8]), row(&holes[8..])));
    format!("{one}/{two}/{side}")
}
