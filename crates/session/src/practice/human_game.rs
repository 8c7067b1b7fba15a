//! Game of a person against a bot: outside of any ladder, and nothing of it is stored.
//!
//! The bot is a process of its own in the sandbox, as in a game of a ladder. It is stopped while the
//! person thinks. The clock of the game holds for the bot alone; the person has [`PATIENCE`].

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use pitmaster_bots::{Contender, LaunchError, Remote, RemoteReply};
use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{
    BotHash, BotId, BotName, BySide, Dialect, GameKey, Limits, Ply, Record, Score, Seed, Side,
};
use pitmaster_games::{DynGame, GameState, Shape, Spot, Step, Turn};
use pitmaster_runner::{Entrant, OneGame, Players, Start, Stopping, move_to};
use pitmaster_tournament::{fitting_cpu, play_opening};

use super::opponent::Opponent;

/// Time that a person has for each move.
pub const PATIENCE: Duration = Duration::from_mins(4);

/// Name of the person in the record.
const HUMAN: &str = "human";

/// What somebody wants to play.
#[derive(Debug, Clone)]
pub struct WantedGame {
    /// Side of the person.
    pub person: Side,
    /// Time that the bot has for each move.
    pub per_move: Duration,
    /// Steps that are played before, separated by blanks.
    pub opening: String,
    /// Seed of all chance.
    pub seed: Seed,
    /// Cores on which the bot runs.
    pub cores: Vec<usize>,
}

/// A game of a person against a bot.
#[derive(Debug, Clone)]
pub struct HumanGame {
    game: Arc<dyn DynGame>,
    key: GameKey,
    seed: Seed,
    person: Side,
    entrants: BySide<Entrant>,
    cores: Vec<usize>,
}

impl HumanGame {
    /// Prepares a game. Nothing is started.
    ///
    /// # Errors
    /// The opening cannot be played, ends the game, or is unknown to the bot's dialect; for the
    /// person.
    pub fn new(opponent: Opponent, wanted: WantedGame) -> Result<Self, Message> {
        let Opponent { entrant: bot, game } = opponent;
        let WantedGame { person, per_move, opening, seed, cores } = wanted;
        let entrants = match person {
            Side::One => BySide::new(human(), bot),
            Side::Two => BySide::new(bot, human()),
        };
        let key = GameKey {
            rules: game.id(),
            limits: limits(per_move),
            stage: 1,
            round: 0,
            bots: entrants.as_ref().map(|entrant| entrant.id.clone()),
            opening: String::new(),
            pair: 1,
        };
        Self { game, key, seed, person, entrants, cores }.after(&opening)
    }

    /// The same game, begun after other steps.
    ///
    /// # Errors
    /// Those of [`HumanGame::new`].
    pub fn after(&self, opening: &str) -> Result<Self, Message> {
        let mut again = self.clone();
        again.key.opening.clear();
        if opening.trim().is_empty() {
            return Ok(again);
        }
        if !self.entrants[self.person.other()].dialect.hears_openings() {
            return Err(said!(
                "This bot can only play from the beginning: its protocol has no openings."
            ));
        }
        let played = play_opening(&*self.game, opening, self.key.limits.plies);
        let played = played.map_err(|fault| said!("The game cannot go on: {}", fault.to_string()));
        again.key.opening = played?.text;
        Ok(again)
    }

    /// Its key. It is not unique.
    pub fn key(&self) -> &GameKey {
        &self.key
    }

    /// Side of the person.
    pub fn person(&self) -> Side {
        self.person
    }

    /// Plays the game on this thread. `ask` gets where a move of the person is to be sent when it is
    /// the person's turn; the game ends if that is dropped instead. `watch` is called with the plies
    /// before every turn and at the end.
    pub fn play(
        &self,
        ask: impl Fn(Sender<RemoteReply>) + Send + Sync + 'static,
        mut watch: impl FnMut(&[Ply]),
    ) -> Record {
        move_to(&self.cores);
        let one = OneGame {
            key: self.key.clone(),
            game: &self.game,
            seed: self.seed,
            entrants: self.entrants.as_ref(),
            stopping: Stopping::Always,
        };
        let mut seats = Seats { of: self, ask: Arc::new(ask) };
        one.play_once(&mut seats, |referee| watch(referee.plies()))
    }

    /// The board after these plies; `None` if the rules do not allow them.
    fn state(&self, plies: &[Ply]) -> Option<Box<dyn GameState>> {
        let mut state = self.game.begin();
        for ply in plies {
            state.follow(&ply.text, &mut String::new()).ok()?;
        }
        Some(state)
    }

    /// The move in its normal form, if it is legal after these plies.
    ///
    /// # Errors
    /// Why it is not, for the person.
    pub fn normal_form(&self, plies: &[Ply], text: &str) -> Result<String, Message> {
        let no_move = || said!("This is no move here; choose one of those that the page shows.");
        let mut state = self.state(plies).ok_or_else(no_move)?;
        if state.turn() != Turn::Player(self.person) {
            return Err(no_move());
        }
        let mut written = String::new();
        match state.play(text, &mut written) {
            Ok(()) => Ok(written),
            Err(_) => Err(state.why_illegal(text).unwrap_or_else(no_move)),
        }
    }

    /// What a page shows after these plies. Moves are listed if it is the person's turn.
    pub fn view(&self, plies: &[Ply]) -> BoardView {
        let shape = self.game.shape();
        let Some(mut state) = self.state(plies) else { return BoardView::default() };
        let mover = match state.turn() {
            Turn::Player(side) => Some(side),
            Turn::Chance | Turn::Over(_) => None,
        };
        let mut view = BoardView::of(&shape, &*state);
        view.mover = mover;
        if mover == Some(self.person) {
            self.list(&shape, &mut *state, &mut view);
        }
        view
    }

    fn list(&self, shape: &Shape, state: &mut dyn GameState, view: &mut BoardView) {
        let mut texts = String::new();
        state.list_moves(&mut texts);
        let position = state.position();
        for text in texts.split_ascii_whitespace() {
            if let Some(layout) = self.layout(shape, &position, text) {
                view.layouts.push(layout);
                continue;
            }
            let steps = self.game.resume(&position).ok();
            let steps = steps.and_then(|mut state| state.play_watched(text).ok());
            let lifted = steps.and_then(|steps| steps.0.iter().copied().find_map(lifted_from));
            view.moves.push(Choice { text: text.to_owned(), hole: lifted });
        }
    }

    /// The template that a text is, with the holes that its seeds may go into.
    fn layout(&self, shape: &Shape, position: &str, text: &str) -> Option<LayoutChoice> {
        let (before, seeds) = text.split_once("=*")?;
        let seeds: u16 = seeds.parse().ok()?;
        let labels = |side: Option<Side>| {
            let holes = shape.holes.iter().enumerate();
            let of_side = holes.filter(move |(_, hole)| side.is_none_or(|side| hole.owner == side));
            of_side.map(|(number, hole)| (number, hole.label.clone())).collect::<Vec<_>>()
        };
        let own = |label: &str| labels(Some(self.person)).into_iter().find(|(_, it)| it == label);
        // Where both sides have the same labels, captured seeds are laid out on the other side.
        let all = labels(None);
        let is_one_side =
            all.iter().any(|(n, label)| all.iter().any(|it| it.0 != *n && it.1 == *label));
        let holes = if is_one_side { labels(Some(self.person.other())) } else { all };
        let takes_all = |(_, label): &&(usize, String)| {
            let whole = format!("{before}={label}:{seeds}");
            let state = self.game.resume(position).ok();
            state.is_some_and(|mut state| state.play(&whole, &mut String::new()).is_ok())
        };
        let free: Vec<_> = holes.iter().filter(takes_all).cloned().collect();
        Some(LayoutChoice {
            text: text.to_owned(),
            seeds,
            hole: own(before).map(|(number, _)| number),
            holes: if free.is_empty() { holes } else { free },
        })
    }
}

/// The person as the runner knows one.
fn human() -> Entrant {
    Entrant {
        id: BotId { name: BotName::tamed(HUMAN), hash: BotHash::of(HUMAN.as_bytes()) },
        dialect: Dialect::Pitmaster,
        lenient: false,
        start: Start::Person { per_move: PATIENCE },
        absent: None,
        anchor: None,
    }
}

/// Limits of a game in which the bot has this time for each move.
fn limits(per_move: Duration) -> Limits {
    let default = Limits::default();
    let per_move = Some(per_move);
    let mut limits = Limits {
        per_move,
        first_move: default.first_move.max(per_move),
        per_game: None,
        ..default
    };
    limits.resources.cpu = fitting_cpu(&limits);
    limits
}

/// Hole from which a step lifts seeds.
fn lifted_from(step: Step) -> Option<usize> {
    match step {
        Step::Lift { from: Spot::Hole(hole), .. } => Some(usize::from(hole)),
        _ => None,
    }
}

/// Source of the contenders.
struct Seats<'g> {
    of: &'g HumanGame,
    ask: Arc<dyn Fn(Sender<RemoteReply>) + Send + Sync>,
}

impl Players for Seats<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let HumanGame { key, seed, person, entrants, .. } = self.of;
        if side == *person {
            let ask = Arc::clone(&self.ask);
            return Ok(Box::new(Remote::new(side, move |turn| ask(turn.answer))));
        }
        entrants[side].start(side, key.seed(*seed), key)
    }
}

/// A board with what the person can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoardView {
    /// Rows from the top, each with its holes from the left.
    pub rows: Vec<Vec<Option<HoleView>>>,
    /// Seeds beside the board, if the game has stores.
    pub stores: Option<BySide<u16>>,
    /// The score.
    pub score: Score,
    /// Whose turn it is; `None` if it is nobody's.
    pub mover: Option<Side>,
    /// Text of the position.
    pub position: String,
    /// Moves of the person.
    pub moves: Vec<Choice>,
    /// Moves of the person that lay out seeds.
    pub layouts: Vec<LayoutChoice>,
}

/// A hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleView {
    /// Name of the hole in moves.
    pub label: String,
    /// Whose side it is on.
    pub owner: Side,
    /// Number of seeds.
    pub seeds: u16,
    /// Seeds of each kind, such as `2R 1B`; empty if there is one kind.
    pub kinds: String,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its text.
    pub text: String,
    /// Number of the hole that it begins with, if it begins with one.
    pub hole: Option<usize>,
}

/// A legal move that still needs a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutChoice {
    /// Its text, such as `a3=*4`.
    pub text: String,
    /// Number of seeds, or of holes, to be laid out.
    pub seeds: u16,
    /// Number of the hole that it begins with, if it begins with one.
    pub hole: Option<usize>,
    /// Numbers and labels of the holes that seeds may go into.
    pub holes: Vec<(usize, String)>,
}

impl LayoutChoice {
    /// The move with these seeds, by labels of holes.
    pub fn filled<'l>(text: &str, seeds: impl Iterator<Item = (&'l str, u16)>) -> String {
        let Some((before, _)) = text.split_once("=*") else { return text.to_owned() };
        let named = |(label, seeds): (&str, u16)| match before {
            "own" => label.to_owned(),
            _ => format!("{label}:{seeds}"),
        };
        let laid: Vec<_> = seeds.filter(|(_, seeds)| *seeds > 0).map(named).collect();
        format!("{before}={}", laid.join(","))
    }
}

impl BoardView {
    fn of(shape: &Shape, state: &dyn GameState) -> Self {
        let contents = state.contents();
        let mut rows = vec![vec![None; shape.columns.into()]; shape.rows.into()];
        let kinds = shape.kinds.len();
        for (hole, seeds) in shape.holes.iter().zip(contents.seeds.chunks(kinds.max(1))) {
            let kind = |(name, seeds): (&&str, &u16)| {
                let letter: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
                (kinds > 1 && *seeds > 0).then(|| format!("{seeds}{letter}"))
            };
            let of_kinds: Vec<_> = shape.kinds.iter().zip(seeds).filter_map(kind).collect();
            let place = rows.get_mut(usize::from(hole.row));
            if let Some(place) = place.and_then(|row| row.get_mut(usize::from(hole.column))) {
                *place = Some(HoleView {
                    label: hole.label.clone(),
                    owner: hole.owner,
                    seeds: seeds.iter().sum(),
                    kinds: of_kinds.join(" "),
                });
            }
        }
        let stores = shape.stores.then_some(contents.stores);
        let position = state.position();
        Self { rows, stores, score: state.score(), position, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use pitmaster_core::Ending;

    use super::*;

    fn game(spec: &str, wanted: impl FnOnce(&mut WantedGame)) -> Result<HumanGame, Message> {
        let mut asked = WantedGame {
            person: Side::One,
            per_move: Duration::from_secs(30),
            opening: String::new(),
            seed: Seed(1),
            cores: Vec::new(),
        };
        wanted(&mut asked);
        let opponent = Opponent::in_process("random", spec).expect("plays");
        HumanGame::new(opponent, asked)
    }

    /// Plays a game in which the person always makes this choice of the view. Returns its record and
    /// the number of the person's turns.
    fn played(game: &HumanGame, choose: fn(&BoardView) -> Option<String>) -> (Record, usize) {
        let (tell, turns) = channel();
        let (show, plies) = channel();
        let person = {
            let game = game.clone();
            std::thread::spawn(move || {
                let (mut known, mut count) = (Vec::new(), 0);
                for turn in turns {
                    let turn: Sender<RemoteReply> = turn;
                    while let Ok(next) = plies.try_recv() {
                        known = next;
                    }
                    count += 1;
                    let Some(text) = choose(&game.view(&known)) else { continue };
                    let text = game.normal_form(&known, &text).expect("legal");
                    turn.send(text.into()).expect("the game waits");
                }
                count
            })
        };
        let ask = move |turn| tell.send(turn).expect("somebody plays");
        let record = game.play(ask, |plies| drop(show.send(plies.to_vec())));
        (record, person.join().expect("plays"))
    }

    fn any(view: &BoardView) -> Option<String> {
        if let Some(choice) = view.moves.last() {
            return Some(choice.text.clone());
        }
        let layout = view.layouts.first()?;
        let (_, label) = layout.holes.first()?;
        let whole = [(label.as_str(), layout.seeds)];
        Some(LayoutChoice::filled(&layout.text, whole.into_iter()))
    }

    #[test]
    fn a_person_plays_whole_games() {
        for spec in ["kalah", "coloured-awale", "isholo-3"] {
            for person in Side::BOTH {
                let game = game(spec, |wanted| wanted.person = person).expect("begins");
                let (record, turns) = played(&game, any);
                let own = record.plies.iter().filter(|ply| ply.by == Some(person)).count();
                assert_eq!(own, turns, "{spec}: {}", record.ending);
                assert!(Side::BOTH.iter().all(|side| record.ending.fault_of(*side).is_none()));
                // A game that the ply limit ends could go on.
                let is_over = !matches!(record.ending, Ending::PlyLimit { .. });
                assert_eq!(game.view(&record.plies).mover.is_none(), is_over, "{spec}");
            }
        }
    }

    #[test]
    fn who_leaves_loses() {
        let game = game("kalah", |_| ()).expect("begins");
        let (record, turns) = played(&game, |_| None);
        assert_eq!((turns, record.plies.len()), (1, 0));
        assert!(matches!(record.ending, Ending::Forfeit { .. }), "{}", record.ending);
    }

    #[test]
    fn a_view_has_the_board_and_the_moves() {
        let game = game("kalah", |_| ()).expect("begins");
        let view = game.view(&[]);
        assert_eq!((view.rows.len(), view.rows[0].len()), (2, 6));
        assert_eq!(view.mover, Some(Side::One));
        let moves: Vec<_> = view.moves.iter().map(|choice| &*choice.text).collect();
        assert_eq!(moves, ["1", "2", "3", "4", "5", "6"]);
        assert!(view.moves.iter().all(|choice| choice.hole.is_some()));
        assert!(game.normal_form(&[], "7").is_err());
        assert!(game.normal_form(&[], "x").is_err());
        assert_eq!(game.normal_form(&[], "3"), Ok("3".into()));
    }

    #[test]
    fn a_game_goes_on_from_a_position() {
        let game = game("kalah", |wanted| wanted.opening = "1 7".into()).expect("begins");
        assert_eq!(game.key().opening, "1 7");
        assert!(game.after("1 1").is_err());
        assert_eq!(game.after("").expect("begins").key().opening, "");
    }
}
