//! Isholo, in the four games 1, 2a, 2b and 3. The module knows neither bots nor clocks.
//!
//! Each player owns two rows of eight holes with two seeds in each, and sows on them only, lap
//! after lap until the last seed falls in an empty hole. If that hole is in the inner row and the
//! hole in front of it has seeds, that column of the opponent is captured. Game 1 takes the seeds
//! out of play; 2a and 2b sow them on; in game 3 the mover lays them out on the opponent's holes.
//! In the first three games, a player without seeds has lost; in game 3, a player whose seeds are
//! in two holes or fewer. A sowing that never ends is not a legal move.
//!
//! # Representation
//!
//! The holes of a player are a `u128` with one byte per hole, in sowing order, so that a lap is one
//! addition of a table entry.

mod board;
mod counts;
mod hole;
mod listing;
mod moves;
mod play;
mod position;
mod position_text;
#[cfg(test)]
mod reference;
mod refusal;
mod sowing;
#[cfg(test)]
mod tests;
mod trace;

use rand::Rng;

pub use hole::Hole;
pub use moves::{Choices, Layout, Move, Template};
pub use position::Position;

use pitmaster_core::i18n::Message;
use pitmaster_core::{Limits, Score};

use super::{
    Contents, Description, Family, GameSpec, MoveList, Named, Observer, Outcome, Rules, Shape,
    SpecError, SpecErrors, TextError, Turn,
};

/// Rules of one of the four games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isholo {
    /// Kind of the game, one of four.
    pub kind: Kind,
}

/// Treatment of captured seeds, which distinguishes the four games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Captured seeds leave the game.
    One,
    /// Captured seeds are laid into the first empty hole backwards, and that hole is sown.
    TwoA,
    /// Captured seeds are sown from the hole after that one.
    TwoB,
    /// Captured seeds are laid out on the opponent's holes.
    Three,
}

impl Kind {
    /// All four games.
    pub const ALL: [Self; 4] = [Self::One, Self::TwoA, Self::TwoB, Self::Three];

    /// Name of the game.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "isholo-1",
            Self::TwoA => "isholo-2a",
            Self::TwoB => "isholo-2b",
            Self::Three => "isholo-3",
        }
    }

    /// One-line description.
    pub const fn about(self) -> &'static str {
        match self {
            Self::One => "four rows sown in laps; captures leave the game, no seeds left lose",
            Self::TwoA => "four rows sown in laps; captures are sown on with an empty hole",
            Self::TwoB => "four rows sown in laps; captures are sown on from behind a hole",
            Self::Three => "four rows sown in laps; captures are laid out, two holes left lose",
        }
    }

    /// Treatment of captured seeds, in a sentence.
    pub const fn captures(self) -> &'static str {
        match self {
            Self::One => "what is captured leaves the game",
            Self::TwoA => {
                "what is captured is laid into the first empty hole backwards, and that hole is \
                 sown; without one, into the hole with the most seeds: a3@b5 where several have"
            }
            Self::TwoB => {
                "what is captured is sown from behind the first empty hole backwards; without \
                 one, from behind the hole with the most seeds: a3@b5 where several have"
            }
            Self::Three => {
                "what is captured, the mover lays out on the opponent's sixteen holes: a3=*4 is \
                 listed, a3=a1:2,b4:2 is played"
            }
        }
    }

    /// Settlement by score of a game that a limit has ended, as the end of a sentence.
    pub const fn settled(self) -> &'static str {
        match self {
            Self::Three => "the opponent's empty holes are the score",
            _ => "the seeds on one's own side are the score",
        }
    }

    /// Game with this name, in either case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    fn description(self) -> Description {
        let plies = Limits::default().plies.unwrap_or_default();
        let limit = format!("at the limit of plies ({plies} by default) {}", self.settled());
        let notes = vec![self.captures().into(), limit];
        Description { name: self.name(), size: "16×2", about: self.about(), notes }
    }

    /// Example of a move with all parts that moves of the game can have.
    const fn example(self) -> &'static str {
        match self {
            Self::One => "a3",
            Self::TwoA | Self::TwoB => "a3, with the holes chosen behind it like a3@b5",
            Self::Three => "a3, with the layout of what it captures like a3=a1:2,b4:1",
        }
    }
}

impl Isholo {
    /// Makes the rules; there are no options.
    pub fn from_spec(kind: Kind, spec: &GameSpec) -> Result<Self, SpecErrors> {
        let name = kind.name();
        let unknown = |option: &String| SpecError::unknown_option(name, option, [], name);
        SpecErrors::unless(spec.options.keys().map(unknown).collect(), Self { kind })
    }
}

impl Family for Isholo {
    const VERSION: u32 = <Self as Named>::VERSION;

    fn names() -> Vec<&'static str> {
        Kind::ALL.map(Kind::name).into()
    }

    fn look_up(spec: &GameSpec) -> Option<Result<(Self, String), SpecErrors>> {
        let kind = Kind::named(&spec.name)?;
        Some(Self::from_spec(kind, spec).map(|rules| (rules, rules.spec())))
    }

    fn descriptions() -> Vec<Description> {
        Kind::ALL.map(Kind::description).into()
    }
}

impl Named for Isholo {
    const VERSION: u32 = 1;

    fn spec(&self) -> String {
        self.kind.name().into()
    }
}

impl Rules for Isholo {
    type Position = Position;
    type Move = Move;
    type Template = Template;

    fn start(&self) -> Position {
        Position::start(self.kind)
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        self.outcome(position).map_or(Turn::Player(position.side), Turn::Over)
    }

    fn moves(&self, position: &Position, list: &mut MoveList<Move, Template>) {
        list.clear();
        if self.outcome(position).is_none() {
            position.board().list(self.kind, list);
        }
    }

    fn is_legal(&self, position: &Position, mv: &Move) -> bool {
        self.outcome(position).is_none() && position.after(self.kind, mv, &mut ()).is_some()
    }

    fn why_illegal(&self, position: &Position, mv: &Move) -> Option<Message> {
        position.board().refusal(self.kind, mv)
    }

    /// An illegal move changes nothing.
    fn play<O: Observer>(&self, position: &mut Position, mv: &Move, observer: &mut O) {
        if let Some(after) = position.after(self.kind, mv, observer) {
            *position = after;
        }
    }

    /// Completes a template; every layout is equally likely.
    fn complete(&self, _: &Position, template: &Template, rng: &mut dyn Rng) -> Move {
        Move::Lay { hole: template.hole, layout: Layout::drawn(template.seeds, rng) }
    }

    /// This game has no chance steps.
    fn draw(&self, _: &Position, _: &mut dyn Rng) -> Move {
        unreachable!("no turn of this game is a chance step")
    }

    /// The score decides, with the clause `score`; a finished game keeps its outcome.
    fn adjudicate(&self, position: &Position) -> Outcome {
        self.outcome(position).unwrap_or_else(|| {
            let score = self.score(position);
            Outcome { winner: score.leader(), score, clause: "score" }
        })
    }

    fn score(&self, position: &Position) -> Score {
        self.score_of(position)
    }

    fn move_text(&self, _: &Position, mv: &Move) -> String {
        mv.to_string()
    }

    fn template_text(&self, _: &Position, template: &Template) -> String {
        template.to_string()
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<Move, TextError> {
        moves::read(text, self.kind.example())
    }

    fn position_text(&self, position: &Position) -> String {
        position_text::write(position)
    }

    /// Parses a position. In game 1 each player has at most 32 seeds, in 2a and 2b both have 64
    /// together, in 3 each has 32. No other position can occur in play.
    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        position_text::read(self.kind, text)
    }

    fn board(&self, position: &Position) -> String {
        board::draw(position, self.turn(position))
    }

    fn shape(&self) -> Shape {
        board::shape()
    }

    fn contents(&self, position: &Position) -> Contents {
        board::contents(position)
    }
}
