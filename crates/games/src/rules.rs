//! The `Rules` trait, the interface of every game.

use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use pitmaster_core::i18n::Message;
use pitmaster_core::{Score, Side};
use rand::Rng;

use super::{Contents, Observer, Shape};

/// Rules of one game with its options: immutable and shared between games.
///
/// Invariant: a text is legal if and only if [`Rules::moves`] lists its move or a template that it
/// completes.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// Position: plain data with everything the game needs.
    type Position: Clone + Debug + Eq + Hash + Send + Sync;
    /// One step, by a player or by chance, complete with its layout if it has one.
    type Move: Clone + Debug + Eq + Hash + Send + Sync;
    /// Move that still needs a layout. Games without layouts use [`std::convert::Infallible`].
    type Template: Clone + Debug + Eq + Hash + Send + Sync;

    /// Returns the starting position.
    fn start(&self) -> Self::Position;

    /// Returns the side to move, chance, or that the game is over. Callers never infer it from the
    /// ply number.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Writes all legal moves and templates of the side to move into `list`, in the game's order,
    /// replacing its contents. Empty unless a player is to move.
    fn moves(&self, position: &Self::Position, list: &mut MoveList<Self::Move, Self::Template>);

    /// Number of concrete moves. The same number as [`Rules::moves`] lists, for games that can
    /// count faster than list.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut list = MoveList::default();
        self.moves(position, &mut list);
        list.moves.len()
    }

    /// Whether a move is legal in a position.
    fn is_legal(&self, position: &Self::Position, mv: &Self::Move) -> bool;

    /// Rule that forbids an illegal move in a position, for people. `None`: the game cannot name
    /// one, and the caller names the legal moves instead.
    fn why_illegal(&self, position: &Self::Position, mv: &Self::Move) -> Option<Message> {
        let _ = (position, mv);
        None
    }

    /// Makes a step that is known to be legal (or drawn by [`Rules::draw`]). The result of an
    /// illegal step is unspecified, but it neither loops nor corrupts memory.
    fn play<O: Observer>(&self, position: &mut Self::Position, mv: &Self::Move, observer: &mut O);

    /// Completes a template at random; every legal layout is possible.
    fn complete(
        &self,
        position: &Self::Position,
        template: &Self::Template,
        rng: &mut dyn Rng,
    ) -> Self::Move;

    /// Hashes all state that determines the rest of a game. Positions that differ only in history
    /// that the rules never use may hash alike, so that search results for one apply to the other.
    fn hash_future<H: Hasher>(&self, position: &Self::Position, state: &mut H) {
        position.hash(state);
    }

    /// Draws the chance step of a position whose turn is [`Turn::Chance`].
    fn draw(&self, position: &Self::Position, rng: &mut dyn Rng) -> Self::Move;

    /// Adjudicates a game that a limit has ended: winner and score.
    fn adjudicate(&self, position: &Self::Position) -> Outcome;

    /// Current score.
    fn score(&self, position: &Self::Position) -> Score;

    /// Text of the move in the game's own notation.
    fn move_text(&self, position: &Self::Position, mv: &Self::Move) -> String;

    /// Text of the template: `fill=*24`.
    fn template_text(&self, position: &Self::Position, template: &Self::Template) -> String;

    /// Parses a move's text, in either case and with any order of a layout. The result is a move of
    /// the game, but not necessarily a legal one.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// Text of the position: one complete line without spaces.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Parses a position's text; `parse_position(position_text(p)) == p`.
    fn parse_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Board for people: a few lines of text.
    fn board(&self, position: &Self::Position) -> String;

    /// Board shape, for drawing.
    fn shape(&self) -> Shape;

    /// Contents of the board, for drawing.
    fn contents(&self, position: &Self::Position) -> Contents;
}

/// Turn: who makes the next step of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The player on this side.
    Player(Side),
    /// Chance: a chance step must be drawn.
    Chance,
    /// No further step: the game has ended.
    Over(Outcome),
}

/// Text for people: `player 1 to move`, `over (49+): player 2 has won`.
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

/// Result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Final score.
    pub score: Score,
    /// Short name of the rule that ended the game (`49+`), or of the settlement that an
    /// adjudication used (`score`).
    pub clause: &'static str,
}

/// Moves and templates available in a position. Reused between calls, so that listing allocates
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveList<M, T> {
    /// Complete moves.
    pub moves: Vec<M>,
    /// Moves that need a layout.
    pub templates: Vec<T>,
}

impl<M, T> Default for MoveList<M, T> {
    fn default() -> Self {
        Self { moves: Vec::new(), templates: Vec::new() }
    }
}

impl<M, T> MoveList<M, T> {
    /// Empties the list but keeps its memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.templates.clear();
    }
}

/// Error for a text that is not a move or position of the game: what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

/// Error for a move that the rules do not allow in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a legal move here")]
pub struct Illegal;

/// Reason why a text was not played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move of the game.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The move is not legal in the position.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}
