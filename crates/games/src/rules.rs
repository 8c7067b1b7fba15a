//! The `Rules` trait, the interface of every game.

use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use pitmaster_core::i18n::Message;
use pitmaster_core::{Score, Side};
use rand::Rng;

use super::{Contents, Observer, Shape};

/// The rules of one game with its options: immutable and shared between games.
///
/// The law: a text is legal if and only if [`Rules::moves`] lists its move or a template
/// that it completes.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// A position: plain data that holds everything the game needs.
    type Position: Clone + Debug + Eq + Hash + Send + Sync;
    /// One step, by a player or by chance, complete with its layout if it has one.
    type Move: Clone + Debug + Eq + Hash + Send + Sync;
    /// A move that still wants a layout. Games without layouts use [`std::convert::Infallible`].
    type Template: Clone + Debug + Eq + Hash + Send + Sync;

    /// Where a game begins.
    fn start(&self) -> Self::Position;

    /// Who makes the next step, or that there is none. Nobody infers it from the number of
    /// the ply.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Puts all legal moves and templates of the side to move into `list`, in the game's
    /// order, replacing what was there. Empty unless a player is to move.
    fn moves(&self, position: &Self::Position, list: &mut MoveList<Self::Move, Self::Template>);

    /// How many concrete moves there are. The same number as [`Rules::moves`] lists, for
    /// games that can count faster than list.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut list = MoveList::default();
        self.moves(position, &mut list);
        list.moves.len()
    }

    /// Whether a move may be made in a position.
    fn is_legal(&self, position: &Self::Position, mv: &Self::Move) -> bool;

    /// Which rule forbids a move that is not legal in a position, for people. `None`: the game
    /// cannot name one, and the legal moves are named instead.
    fn why_illegal(&self, position: &Self::Position, mv: &Self::Move) -> Option<Message> {
        let _ = (position, mv);
        None
    }

    /// Makes a step that is known to be legal (or drawn by [`Rules::draw`]). What happens
    /// after an illegal one is unspecified, but it neither loops nor corrupts memory.
    fn play<O: Observer>(&self, position: &mut Self::Position, mv: &Self::Move, observer: &mut O);

    /// Completes a template at random; every legal layout can come.
    fn complete(
        &self,
        position: &Self::Position,
        template: &Self::Template,
        rng: &mut dyn Rng,
    ) -> Self::Move;

    /// Hashes all that the rest of a game depends on. Positions that differ in their past only,
    /// where the rules never ask for it again, may be hashed alike: what a search knows of the
    /// one then holds for the other.
    fn hash_future<H: Hasher>(&self, position: &Self::Position, state: &mut H) {
        position.hash(state);
    }

    /// Draws the chance step of a position whose turn is [`Turn::Chance`].
    fn draw(&self, position: &Self::Position, rng: &mut dyn Rng) -> Self::Move;

    /// Settles a game that a limit has ended: who has won with what score.
    fn adjudicate(&self, position: &Self::Position) -> Outcome;

    /// The score as it stands.
    fn score(&self, position: &Self::Position) -> Score;

    /// The move's text in the form that the game writes.
    fn move_text(&self, position: &Self::Position, mv: &Self::Move) -> String;

    /// The template's text: `fill=*24`.
    fn template_text(&self, position: &Self::Position, template: &Self::Template) -> String;

    /// Reads a move's text, in either case and any order of a layout. What it returns is a
    /// move of the game, not necessarily a legal one.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// The position's text: one line without spaces that holds everything.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads a position's text; `parse_position(position_text(p)) == p`.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// The board as people see it: a few lines of text.
    fn board(&self, position: &Self::Position) -> String;

    /// What the board looks like, for those who draw it.
    fn shape(&self) -> Shape;

    /// What lies on it.
    fn contents(&self, position: &Self::Position) -> Contents;
}

/// Who makes the next step of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// This side.
    Player(Side),
    /// Nobody: a chance step is to be drawn.
    Chance,
    /// Nobody: the game is over.
    Over(Outcome),
}

/// As people are told it: `player 1 to move`, `over (49+): player 2 has won`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(side) => write!(f, "player {side} to move"),
            Self::Chance => f.write_str("chance to draw"),
            Self::Over(Outcome { winner: Some(side), clause, .. }) => {
                write!(f, "over ({clause}): player {side} has won")
            }
            Self::Over(Outcome { clause, .. }) => write!(f, "over ({clause}): a draw"),
        }
    }
}

/// What a game came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// `None`: a draw.
    pub winner: Option<Side>,
    /// At the end.
    pub score: Score,
    /// The short name of the rule that ended it (`49+`), or of the settlement that an
    /// adjudication used (`score`).
    pub clause: &'static str,
}

/// All that a player may do in a position. Kept between calls, so that listing allocates
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveList<M, T> {
    /// Complete moves.
    pub moves: Vec<M>,
    /// Moves that want a layout.
    pub templates: Vec<T>,
}

impl<M, T> Default for MoveList<M, T> {
    fn default() -> Self {
        Self { moves: Vec::new(), templates: Vec::new() }
    }
}

impl<M, T> MoveList<M, T> {
    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.templates.clear();
    }
}

/// A text that is no move or no position of the game: what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

/// A move that the rules do not allow in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a legal move here")]
pub struct Illegal;

/// Why a text was not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It is no move of the game.
    #[error(transparent)]
    Text(#[from] TextError),
    /// It is a move, but not allowed here.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}
