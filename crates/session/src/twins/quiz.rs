//! Quiz: the same scripted games for every bot, with the same seeds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::{Contender, LaunchError};
use pitmaster_core::{
    BotHash, BotId, BotName, BySide, Dialect, Ending, GameKey, Limits, Record, Seed, Side,
};
use pitmaster_games::DynGame;
use pitmaster_runner::{Entrant, OneGame, Players, Seated, Start, Stopping, dismiss};
use pitmaster_season::twins::{Answer, Answers};
use pitmaster_tournament::fitting_cpu;

use super::quizmaster::Quizmaster;

/// Number of games, half of them as each player.
const GAMES: u32 = 20;

/// Number of plies after which a game ends. Later positions add nothing.
const PLIES: u32 = 40;

/// Time limit of the first move, for slow starts.
const FIRST_MOVE: Duration = Duration::from_secs(10);

/// Margin added to every limit, because the quiz is about moves, not about time.
const MARGIN: Duration = Duration::from_secs(5);

/// Time after which no further game begins. Slow bots play fewer games.
const PATIENCE: Duration = Duration::from_mins(1);

/// The games of a quiz.
pub(super) struct Quiz {
    game: Arc<dyn DynGame>,
    pub(super) limits: Limits,
}

/// Answers and records of all games, and the reason why the last one ended the quiz. The reason is
/// empty if none did.
type Result = (Answers, Vec<Option<Record>>, String);

impl Quiz {
    pub(super) fn new(game: &Arc<dyn DynGame>, per_move: Duration) -> Self {
        let mut limits = Limits {
            per_move: Some(per_move),
            first_move: Some(FIRST_MOVE.max(per_move)),
            per_game: None,
            plies: Some(PLIES),
            margin: MARGIN,
            ..Limits::default()
        };
        limits.resources.cpu = fitting_cpu(&limits);
        Self { game: Arc::clone(game), limits }
    }

    /// Plays all games with a bot.
    pub(super) fn ask(&self, entrant: &Entrant) -> Result {
        let (began, mut seat) = (Instant::now(), None);
        let (mut answers, mut records) = (Answers::default(), Vec::new());
        let mut why_not = String::new();
        for number in 1..=GAMES {
            let side = side(number as usize - 1);
            if began.elapsed() > PATIENCE {
                why_not = format!("it thinks long: {} of {GAMES} games", number - 1);
                break;
            }
            let record = self.play(entrant, side, number, &mut seat);
            if let Some(why) = failure(&record, side) {
                why_not = why;
                break;
            }
            answers.games.push(Some(self.answers(&record, side)));
            records.push(Some(named(record, entrant, side)));
        }
        dismiss(seat.into_iter());
        (answers, records, why_not)
    }

    /// Plays one game. A reusable process is kept.
    fn play(
        &self,
        entrant: &Entrant,
        side: Side,
        number: u32,
        seat: &mut Option<Seated>,
    ) -> Record {
        let quizmaster = Entrant {
            id: nobody(),
            dialect: Dialect::Pitmaster,
            lenient: false,
            start: Start::Elsewhere,
            absent: None,
            anchor: None,
        };
        let key = GameKey {
            rules: self.game.id(),
            limits: self.limits.clone(),
            stage: 0,
            round: 0,
            // The same for all bots, because seeds follow from the key.
            bots: BySide::from_fn(|_| nobody()),
            opening: String::new(),
            pair: number,
        };
        let game = OneGame {
            key,
            game: &self.game,
            seed: Seed(1),
            entrants: BySide::from_fn(|one| if one == side { entrant } else { &quizmaster }),
            stopping: Stopping::Adaptive,
        };
        let mut players = Table { game: &game, rules: &self.game, entrant, side, number };
        let mut seats = BySide::default();
        seats[side] = seat.take();
        let record = game.play_among(&mut seats, &mut players, |_| {});
        *seat = seats[side].take();
        dismiss(seats[side.other()].take().into_iter());
        record
    }

    fn answers(&self, record: &Record, side: Side) -> Vec<Answer> {
        let mut table = self.game.begin();
        let mut answers = Vec::new();
        for ply in &record.plies {
            if ply.by == Some(side) {
                let answer = Answer { position: table.position(), text: ply.text.to_string() };
                answers.push(answer);
            }
            if table.follow(&ply.text, &mut String::new()).is_err() {
                break;
            }
        }
        answers
    }
}

/// Side of the bot in a game of the quiz, counted from 0.
pub(super) fn side(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::One } else { Side::Two }
}

/// Placeholder bot in the key of a quiz game.
fn nobody() -> BotId {
    BotId { name: BotName::tamed("quiz"), hash: BotHash::of(b"quiz") }
}

/// Reason why a game does not count.
fn failure(record: &Record, side: Side) -> Option<String> {
    if let Some(fault) = record.ending.fault_of(side) {
        return Some(fault.to_string());
    }
    match &record.ending {
        Ending::RefereeError { fault } => Some(fault.to_string()),
        _ => None,
    }
}

/// The record under the bot's own name.
fn named(mut record: Record, entrant: &Entrant, side: Side) -> Record {
    record.key.bots[side] = entrant.id.clone();
    record
}

struct Table<'a> {
    game: &'a OneGame<'a>,
    rules: &'a Arc<dyn DynGame>,
    entrant: &'a Entrant,
    side: Side,
    number: u32,
}

impl Players for Table<'_> {
    fn start(&mut self, side: Side) -> std::result::Result<Box<dyn Contender>, LaunchError> {
        if side == self.side {
            let OneGame { key, seed, .. } = self.game;
            return self.entrant.start(side, key.seed(*seed), key);
        }
        Ok(Box::new(Quizmaster::new(Arc::clone(self.rules), self.number)))
    }
}
