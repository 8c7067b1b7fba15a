//! Object-safe game interface, for the referee and the commands: games by name, moves as text.

use std::fmt::Debug;
use std::sync::Arc;

use pitmaster_core::Score;
use pitmaster_core::i18n::{Message, said};
use rand::Rng;

use super::{
    Contents, Illegal, MoveError, MoveList, Outcome, Perft, Rules, Shape, Steps, TextError, Turn,
};

/// Game with its type erased, as returned by a lookup by name.
pub trait DynGame: Debug + Send + Sync {
    /// Id: name, non-default options, and version of the rules: `coloured-awale,both_40=off@1`.
    /// Part of every game key.
    fn id(&self) -> String;

    /// The id without the version, as written on the command line and the wire.
    fn spec(&self) -> String;

    /// Returns a board at the start of the game.
    fn begin(&self) -> Box<dyn GameState>;

    /// Returns a board with this position.
    fn resume(&self, position: &str) -> Result<Box<dyn GameState>, TextError>;

    /// Counts the move sequences of a length from a position (`None`: the start).
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<Perft, TextError>;

    /// Board shape.
    fn shape(&self) -> Shape;
}

/// Game in progress.
pub trait GameState: Debug + Send {
    /// Returns the side to move, or chance.
    fn turn(&self) -> Turn;

    /// Appends the texts of all legal moves, then of all templates, each after a space.
    fn list_moves(&mut self, text: &mut String);

    /// Number of moves and templates available.
    fn count_choices(&mut self) -> usize;

    /// Plays the move with this text if it is legal, and appends its canonical text to `written`.
    fn play(&mut self, text: &str, written: &mut String) -> Result<(), MoveError>;

    /// Plays a move like [`GameState::play`] and returns its steps, seed by seed; for boards and
    /// replays.
    fn play_watched(&mut self, text: &str) -> Result<Steps, MoveError>;

    /// Reason why the move with this text is not legal here, for people; `None` if it is legal or
    /// not a move at all.
    fn why_illegal(&mut self, text: &str) -> Option<Message>;

    /// Follows a step made elsewhere, by a player or by chance, and appends its text as
    /// [`GameState::play`] does. Chance steps are not verified, because no rule restricts them.
    fn follow(&mut self, step: &str, written: &mut String) -> Result<(), MoveError>;

    /// Draws and plays a chance step, and returns its text.
    fn draw(&mut self, rng: &mut dyn Rng) -> String;

    /// Plays a random legal move (templates completed at random) and returns its text. `None` if no
    /// player is to move.
    fn play_random(&mut self, rng: &mut dyn Rng) -> Option<String>;

    /// Adjudicates the game as it is.
    fn adjudicate(&self) -> Outcome;

    /// Current score.
    fn score(&self) -> Score;

    /// Text of the position.
    fn position(&self) -> String;

    /// Board for people.
    fn board(&self) -> String;

    /// Contents of the board.
    fn contents(&self) -> Contents;
}

/// Rules that can be looked up by name.
pub trait Named: Rules {
    /// Version, incremented when a change of the code changes the results of games.
    const VERSION: u32;

    /// Name and non-default options.
    fn spec(&self) -> String;
}

/// Erases the type of rules.
pub fn game_of<R: Named>(rules: R) -> Arc<dyn DynGame> {
    let spec = rules.spec();
    game_named(rules, spec, R::VERSION)
}

/// Erases the type of rules, with an external name.
pub(super) fn game_named<R: Rules>(rules: R, spec: String, version: u32) -> Arc<dyn DynGame> {
    Arc::new(Erased { rules, spec, version })
}

#[derive(Debug)]
struct Erased<R> {
    rules: R,
    spec: String,
    version: u32,
}

impl<R: Rules> DynGame for Erased<R> {
    fn id(&self) -> String {
        format!("{}@{}", self.spec, self.version)
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn begin(&self) -> Box<dyn GameState> {
        Box::new(InProgress::new(self.rules.clone(), self.rules.start()))
    }

    fn resume(&self, position: &str) -> Result<Box<dyn GameState>, TextError> {
        let position = self.rules.parse_position(position)?;
        Ok(Box::new(InProgress::new(self.rules.clone(), position)))
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<Perft, TextError> {
        let position = match position {
            Some(text) => self.rules.parse_position(text)?,
            None => self.rules.start(),
        };
        Ok(super::perft(&self.rules, &position, depth))
    }

    fn shape(&self) -> Shape {
        self.rules.shape()
    }
}

/// Number of legal moves named in the message for a refused move.
const NAMED: usize = 8;

#[derive(Debug)]
struct InProgress<R: Rules> {
    rules: R,
    position: R::Position,
    list: MoveList<R::Move, R::Template>,
}

impl<R: Rules> InProgress<R> {
    fn new(rules: R, position: R::Position) -> Self {
        Self { rules, position, list: MoveList::default() }
    }

    fn legal(&self, text: &str) -> Result<R::Move, MoveError> {
        let mv = self.rules.parse_move(&self.position, text)?;
        if self.rules.is_legal(&self.position, &mv) { Ok(mv) } else { Err(Illegal.into()) }
    }

    /// The first legal moves, if there are any.
    fn legal_instead(&mut self) -> Option<Message> {
        let mut text = String::new();
        self.list_moves(&mut text);
        let all: Vec<_> = text.split_ascii_whitespace().collect();
        let first = all[..all.len().min(NAMED)].join(" ");
        match all.len() {
            0 => None,
            named if named <= NAMED => Some(said!("only {} can be played", first)),
            all => Some(said!("not one of the {} legal moves, {} …", all, first)),
        }
    }
}

impl<R: Rules> GameState for InProgress<R> {
    fn turn(&self) -> Turn {
        self.rules.turn(&self.position)
    }

    fn list_moves(&mut self, text: &mut String) {
        self.rules.moves(&self.position, &mut self.list);
        for mv in &self.list.moves {
            text.push(' ');
            text.push_str(&self.rules.move_text(&self.position, mv));
        }
        for template in &self.list.templates {
            text.push(' ');
            text.push_str(&self.rules.template_text(&self.position, template));
        }
    }

    fn count_choices(&mut self) -> usize {
        self.rules.moves(&self.position, &mut self.list);
        self.list.moves.len() + self.list.templates.len()
    }

    fn play(&mut self, text: &str, written: &mut String) -> Result<(), MoveError> {
        let mv = self.legal(text)?;
        written.push_str(&self.rules.move_text(&self.position, &mv));
        self.rules.play(&mut self.position, &mv, &mut ());
        Ok(())
    }

    fn play_watched(&mut self, text: &str) -> Result<Steps, MoveError> {
        let mv = self.legal(text)?;
        let mut steps = Steps::default();
        self.rules.play(&mut self.position, &mv, &mut steps);
        Ok(steps)
    }

    fn why_illegal(&mut self, text: &str) -> Option<Message> {
        let mv = self.rules.parse_move(&self.position, text).ok()?;
        if self.rules.is_legal(&self.position, &mv) {
            return None;
        }
        self.rules.why_illegal(&self.position, &mv).or_else(|| self.legal_instead())
    }

    fn follow(&mut self, step: &str, written: &mut String) -> Result<(), MoveError> {
        if self.turn() != Turn::Chance {
            return self.play(step, written);
        }
        let mv = self.rules.parse_move(&self.position, step)?;
        written.push_str(&self.rules.move_text(&self.position, &mv));
        self.rules.play(&mut self.position, &mv, &mut ());
        Ok(())
    }

    fn draw(&mut self, rng: &mut dyn Rng) -> String {
        let mv = self.rules.draw(&self.position, rng);
        let text = self.rules.move_text(&self.position, &mv);
        self.rules.play(&mut self.position, &mv, &mut ());
        text
    }

    fn play_random(&mut self, rng: &mut dyn Rng) -> Option<String> {
        self.rules.moves(&self.position, &mut self.list);
        let count = self.list.moves.len() + self.list.templates.len();
        if count == 0 {
            return None;
        }
        let pick = pitmaster_core::below(rng, count as u64) as usize;
        let mv = match self.list.moves.get(pick) {
            Some(mv) => mv.clone(),
            None => {
                let template = &self.list.templates[pick - self.list.moves.len()];
                self.rules.complete(&self.position, template, rng)
            }
        };
        let text = self.rules.move_text(&self.position, &mv);
        self.rules.play(&mut self.position, &mv, &mut ());
        Some(text)
    }

    fn adjudicate(&self) -> Outcome {
        self.rules.adjudicate(&self.position)
    }

    fn score(&self) -> Score {
        self.rules.score(&self.position)
    }

    fn position(&self) -> String {
        self.rules.position_text(&self.position)
    }

    fn board(&self) -> String {
        self.rules.board(&self.position)
    }

    fn contents(&self) -> Contents {
        self.rules.contents(&self.position)
    }
}
