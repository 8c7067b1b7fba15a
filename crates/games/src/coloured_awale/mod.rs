//! Coloured Awale: sixteen holes, seeds of three kinds. The module knows neither bots nor clocks.
//!
//! Holes are 1 to 16, clockwise; player 1 owns the odd ones, player 2 the even ones. Each begins
//! with two red, two blue and two transparent seeds. A move sows the seeds of one kind: red in
//! every hole, blue in the opponent's holes only, transparent as either, before the seeds of that
//! color. The starting hole is always skipped. Twos and threes are captured from the last seed's
//! hole backwards. A player who takes the opponent's last seeds off the board takes all remaining
//! seeds.
//!
//! # Representation
//!
//! Each kind of seed is a `u128` with one byte per hole. A sowing is one addition of a table entry,
//! and captures are found in all holes at once. A move is the number of a bit, so all legal moves
//! are the bits of one `u128`.

mod board;
mod counts;
mod moves;
mod position;
mod position_text;
#[cfg(test)]
mod reference;
mod sowing;
#[cfg(test)]
mod tests;

use std::convert::Infallible;

use rand::Rng;

pub use moves::{Kind, Move};
pub use position::Position;

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Score, Side};

use super::{
    Contents, Description, Family, GameSpec, MoveList, Named, Observer, Outcome, Rules, Shape,
    SpecError, SpecErrors, TextError, Turn,
};

/// Rules of Coloured Awale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColouredAwale {
    /// Rule for 40 seeds on both sides.
    pub both_40: Both40,
}

/// Rule for when both players have 40 seeds or more (option `both_40`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Both40 {
    /// The game ends and the score decides.
    #[default]
    Score,
    /// The game ends in a draw, regardless of the score.
    Draw,
    /// The game continues.
    Off,
}

/// Number of seeds that wins: more than half of all.
const WON: u8 = 49;
/// Number of seeds on both sides at which [`Both40`] applies.
const BOTH: u8 = 40;
/// Number of seeds on the board below which the game is over.
const FEW: u8 = 10;

impl ColouredAwale {
    /// Name of the game.
    pub const NAME: &'static str = "coloured-awale";
    /// One-line description.
    pub const ABOUT: &'static str =
        "sixteen holes and seeds of three colours; who captures 49 wins";
    /// Options, one line of help each.
    pub const OPTIONS: &'static [&'static str] =
        &["both_40=score|draw|off: when both have 40 seeds, the score decides (default), \
           the game is drawn, or it goes on"];

    /// Makes the rules from the given options.
    pub fn from_spec(spec: &GameSpec) -> Result<Self, SpecErrors> {
        let (mut rules, mut faults) = (Self::default(), Vec::new());
        for (option, value) in &spec.options {
            match option.as_str() {
                "both_40" => match Both40::parse(value) {
                    Ok(both_40) => rules.both_40 = both_40,
                    Err(fault) => faults.push(fault),
                },
                _ => {
                    let known = ["both_40"];
                    faults.push(SpecError::unknown_option(Self::NAME, option, known, Self::NAME));
                }
            }
        }
        SpecErrors::unless(faults, rules)
    }

    /// The outcome, if the game is over.
    #[inline]
    fn outcome(self, position: &Position) -> Option<Outcome> {
        let [one, two] = [position.score.one, position.score.two];
        let clause = if one.max(two) >= WON {
            "49+"
        } else if one.min(two) >= BOTH && self.both_40 != Both40::Off {
            "40-40"
        } else if one + two > sowing::SEEDS - FEW {
            "<10"
        } else {
            return None;
        };
        let drawn = clause == "40-40" && self.both_40 == Both40::Draw;
        let score = self.score(position);
        let winner = if drawn { None } else { score.leader() };
        Some(Outcome { winner, score, clause })
    }
}

impl Both40 {
    const ALL: [Self; 3] = [Self::Score, Self::Draw, Self::Off];

    fn parse(value: &str) -> Result<Self, SpecError> {
        Self::ALL.into_iter().find(|option| option.name() == value).ok_or_else(|| {
            SpecError::BadValue {
                option: "both_40".into(),
                value: value.to_owned(),
                allowed: "score, draw or off".into(),
            }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Draw => "draw",
            Self::Off => "off",
        }
    }
}

impl Family for ColouredAwale {
    const VERSION: u32 = <Self as Named>::VERSION;

    fn names() -> Vec<&'static str> {
        vec![Self::NAME]
    }

    fn look_up(spec: &GameSpec) -> Option<Result<(Self, String), SpecErrors>> {
        let found = || Self::from_spec(spec).map(|rules| (rules, rules.spec()));
        (spec.name == Self::NAME).then(found)
    }

    fn descriptions() -> Vec<Description> {
        let notes = Self::OPTIONS.iter().map(|option| format!("option {option}")).collect();
        vec![Description { name: Self::NAME, size: "8×6", about: Self::ABOUT, notes }]
    }
}

impl Named for ColouredAwale {
    const VERSION: u32 = 1;

    fn spec(&self) -> String {
        match self.both_40 {
            Both40::Score => Self::NAME.into(),
            other => format!("{},both_40={}", Self::NAME, other.name()),
        }
    }
}

impl Rules for ColouredAwale {
    type Position = Position;
    type Move = Move;
    type Template = Infallible;

    fn start(&self) -> Position {
        Position::start()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        self.outcome(position).map_or(Turn::Player(position.side), Turn::Over)
    }

    fn moves(&self, position: &Position, list: &mut MoveList<Move, Infallible>) {
        list.clear();
        if self.outcome(position).is_none() {
            list.moves.extend(position.moves());
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        if self.outcome(position).is_some() { 0 } else { position.count_moves() }
    }

    fn is_legal(&self, position: &Position, mv: &Move) -> bool {
        self.outcome(position).is_none() && position.moves().contains(*mv)
    }

    fn why_illegal(&self, position: &Position, mv: &Move) -> Option<Message> {
        let (hole, owner) = (mv.hole() + 1, Side::BOTH[usize::from(mv.hole() % 2)]);
        if owner != position.side {
            return Some(said!("hole {} is player {}'s", hole, owner.number()));
        }
        let kind = if mv.transparent() { Kind::Transparent } else { mv.colour() };
        (position.seeds(mv.hole(), kind) == 0).then(|| match kind {
            Kind::Red => said!("hole {} has no red seeds", hole),
            Kind::Blue => said!("hole {} has no blue seeds", hole),
            Kind::Transparent => said!("hole {} has no transparent seeds", hole),
        })
    }

    fn play<O: Observer>(&self, position: &mut Position, mv: &Move, observer: &mut O) {
        position.play(*mv, observer);
    }

    fn complete(&self, _: &Position, template: &Infallible, _: &mut dyn Rng) -> Move {
        match *template {}
    }

    /// This game has no chance steps.
    fn draw(&self, _: &Position, _: &mut dyn Rng) -> Move {
        unreachable!("no turn of this game is a chance step")
    }

    /// The score decides; the clause is `score`.
    fn adjudicate(&self, position: &Position) -> Outcome {
        let score = self.score(position);
        Outcome { winner: score.leader(), score, clause: "score" }
    }

    fn score(&self, position: &Position) -> Score {
        position.score.map(u32::from)
    }

    fn move_text(&self, _: &Position, mv: &Move) -> String {
        mv.to_string()
    }

    fn template_text(&self, _: &Position, template: &Infallible) -> String {
        match *template {}
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<Move, TextError> {
        text.parse()
    }

    /// `2.2.2,…/0-0/1`: red, blue and transparent seeds of holes 1 to 16, the scores, the side to
    /// move.
    fn position_text(&self, position: &Position) -> String {
        position_text::write(position)
    }

    /// Requires that board and scores hold 96 seeds together and that, unless the game is over, the
    /// side to move has a seed. No other position can occur in play.
    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        let position = position_text::read(text)?;
        let (side, over) = (position.side, self.outcome(&position).is_some());
        if over || !position.is_starved(side) {
            return Ok(position);
        }
        Err(TextError(format!("player {side} is to move but has no seeds; one hole needs some")))
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
