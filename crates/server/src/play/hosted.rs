//! Game of a person against a bot: its thread, its moves, and the snapshots for readers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Ending, Ply, Record};
use pitmaster_report::GameAnalysis;
use pitmaster_season::course::{CourseId, LadderId, Utc};
use pitmaster_session::practice::{HumanGame, RemoteReply};
use tokio::sync::watch;
use tokio::time::timeout;

use super::Owner;
use crate::live::{LiveGame, Outcome};

/// Ladder of a game that belongs to none.
const NO_LADDER: (LadderId, &str) = (LadderId::of([0; 12]), "");

/// A game of a person.
#[derive(Debug)]
pub(crate) struct HostedGame {
    id: String,
    /// Name of the bot, as requested.
    bot: String,
    owner: Owner,
    course: CourseId,
    state: Mutex<State>,
    changed: watch::Sender<()>,
    threads: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct State {
    game: Arc<HumanGame>,
    live: Arc<LiveGame>,
    /// Number of plies that cannot be taken back.
    first: usize,
    plies: Vec<Ply>,
    /// Receives the person's move, while it is the person's turn.
    turn: Option<Sender<RemoteReply>>,
    /// A sent move with its ply number.
    sent: Option<(usize, String)>,
    /// Whether the person has resigned.
    has_left: bool,
    record: Option<Arc<Record>>,
    evaluation: Evaluation,
}

/// Evaluation of a game by `house:expert`.
#[derive(Debug, Clone)]
pub(crate) enum Evaluation {
    /// Not requested.
    None,
    /// In progress.
    Running,
    /// Finished.
    Done(Arc<GameAnalysis>),
    /// Failed.
    Failed,
}

/// State of a game at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The game.
    pub game: Arc<HumanGame>,
    /// Running game that live feeds read.
    pub live: Arc<LiveGame>,
    /// All plies.
    pub plies: Vec<Ply>,
    /// Whether it is the person's turn.
    pub is_turn: bool,
    /// Whether a move of the person can be taken back.
    pub can_go_back: bool,
    /// Whether the person has resigned.
    pub has_left: bool,
    /// Record, once the game is over.
    pub record: Option<Arc<Record>>,
    /// Evaluation of the game.
    pub evaluation: Evaluation,
}

/// Reason why a move or a takeback has no effect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MoveError {
    /// The game is at another position.
    Elsewhere,
    /// Illegal, with a message for the person.
    Illegal(Message),
}

impl HostedGame {
    pub(super) fn new(
        (id, bot): (String, String),
        owner: Owner,
        course: CourseId,
        game: HumanGame,
        now: Utc,
        threads: Arc<AtomicUsize>,
    ) -> Self {
        let attempt = now.0.cast_unsigned();
        let state = State {
            live: Arc::new(LiveGame::new(NO_LADDER, game.key().clone(), attempt, None)),
            first: game.key().opening_plies(),
            game: Arc::new(game),
            plies: Vec::new(),
            turn: None,
            sent: None,
            has_left: false,
            record: None,
            evaluation: Evaluation::None,
        };
        let changed = watch::Sender::new(());
        Self { id, bot, owner, course, state: Mutex::new(state), changed, threads }
    }

    /// Id in the URL of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Name of the bot, as requested.
    pub(crate) fn bot(&self) -> &str {
        &self.bot
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    pub(super) fn course(&self) -> CourseId {
        self.course
    }

    /// Whether the game is not over.
    pub(crate) fn is_running(&self) -> bool {
        self.state().record.is_none()
    }

    /// Current state of the game.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let state = self.state();
        Snapshot {
            game: Arc::clone(&state.game),
            live: Arc::clone(&state.live),
            plies: state.plies.clone(),
            is_turn: state.turn.is_some(),
            can_go_back: state.last_own().is_some(),
            has_left: state.has_left,
            record: state.record.clone(),
            evaluation: state.evaluation.clone(),
        }
    }

    /// Plays on a new thread, until the game is over or replaced by a takeback.
    pub(super) fn start(self: &Arc<Self>) {
        let (game, live) = {
            let state = self.state();
            (Arc::clone(&state.game), Arc::clone(&state.live))
        };
        let hosted = Arc::clone(self);
        self.threads.fetch_add(1, Ordering::Relaxed);
        let thread = std::thread::Builder::new().name("human".into());
        let spawned = thread.spawn(move || {
            let (asked, of) = (Arc::clone(&hosted), Arc::clone(&live));
            let ask = move |turn| asked.ask(&of, turn);
            let record = game.play(ask, |plies| hosted.watch(&live, plies));
            hosted.end(&live, record);
            hosted.threads.fetch_sub(1, Ordering::Relaxed);
        });
        // The server cannot run without threads: the machine is out of resources.
        spawned.expect("a thread can be started");
    }

    /// Begins the person's turn. Requests of a game that was replaced are dropped, which ends that
    /// game.
    fn ask(&self, live: &Arc<LiveGame>, turn: Sender<RemoteReply>) {
        let mut state = self.state();
        if state.is(live) && !state.has_left {
            state.turn = Some(turn);
            state.sent = None;
            drop(state);
            self.changed.send_replace(());
        }
    }

    fn watch(&self, live: &Arc<LiveGame>, plies: &[Ply]) {
        let mut state = self.state();
        // After a takeback, the game has plies that its feed does not have yet.
        let is_known = state.plies.len() == plies.len() && live.length() == plies.len();
        if !state.is(live) || is_known {
            return;
        }
        state.plies = plies.to_vec();
        drop(state);
        live.watch(plies);
        live.publish();
        self.changed.send_replace(());
    }

    fn end(&self, live: &Arc<LiveGame>, record: Record) {
        let mut state = self.state();
        if !state.is(live) {
            return;
        }
        state.turn = None;
        let is_void = matches!(record.ending, Ending::RefereeError { .. });
        let outcome = (!is_void).then(|| Outcome::of(&record));
        if !is_void {
            state.plies.clone_from(&record.plies);
        }
        state.record = Some(Arc::new(record));
        live.watch(&state.plies);
        live.finish(outcome);
        drop(state);
        live.publish();
        self.changed.send_replace(());
    }

    /// Plays a move as the ply with this number. Repeating the same move changes nothing.
    ///
    /// # Errors
    /// The reason why the move is not played.
    pub(crate) fn play(&self, ply: usize, text: &str) -> Result<(), MoveError> {
        let mut state = self.state();
        let known = state.plies.len();
        if let Some(before) = ply.checked_sub(1).filter(|before| *before < known) {
            return state.repeat(before, text);
        }
        if ply != known + 1 || state.record.is_some() {
            return Err(MoveError::Elsewhere);
        }
        let legal = state.game.normal_form(&state.plies, text).map_err(MoveError::Illegal);
        if let Some((sent, before)) = &state.sent {
            let is_same = *sent == ply && legal.as_ref() == Ok(before);
            return if is_same { Ok(()) } else { Err(MoveError::Elsewhere) };
        }
        let Some(turn) = state.turn.as_ref() else { return Err(MoveError::Elsewhere) };
        let text = legal?;
        // The game that waited for the move may have ended by its clock.
        turn.send(text.clone().into()).map_err(|_| MoveError::Elsewhere)?;
        (state.turn, state.sent) = (None, Some((ply, text)));
        Ok(())
    }

    /// Takes back the person's last move. `ply` is the number of plies that the person sees.
    ///
    /// # Errors
    /// The reason why nothing is taken back.
    pub(crate) fn take_back(self: &Arc<Self>, ply: Option<usize>) -> Result<(), MoveError> {
        let mut state = self.state();
        let is_there = ply.is_none_or(|ply| ply == state.plies.len());
        if state.turn.is_none() || !is_there {
            return Err(MoveError::Elsewhere);
        }
        let nothing = || said!("You have not moved yet.");
        let to = state.last_own().ok_or_else(|| MoveError::Illegal(nothing()))?;
        let steps: Vec<_> = state.plies[..to].iter().map(|ply| &*ply.text).collect();
        let game = state.game.after(&steps.join(" ")).map_err(MoveError::Illegal)?;
        let attempt = state.live.attempt() + 1;
        let live = LiveGame::new(NO_LADDER, game.key().clone(), attempt, None);
        let before = std::mem::replace(&mut state.live, Arc::new(live));
        state.game = Arc::new(game);
        state.plies.truncate(to);
        // This ends the game that waits for the move.
        (state.turn, state.sent) = (None, None);
        drop(state);
        before.finish(None);
        before.publish();
        self.start();
        self.changed.send_replace(());
        Ok(())
    }

    /// Marks the evaluation of a finished game as running, and returns the record. `None` if the
    /// game is not over or already evaluated.
    pub(super) fn begin_evaluation(&self) -> Option<Record> {
        let mut state = self.state();
        let record = state.record.as_deref()?.clone();
        if !matches!(state.evaluation, Evaluation::None | Evaluation::Failed) {
            return None;
        }
        state.evaluation = Evaluation::Running;
        Some(record)
    }

    pub(super) fn end_evaluation(&self, found: Option<GameAnalysis>) {
        let found = found.map(|found| Evaluation::Done(Arc::new(found)));
        self.state().evaluation = found.unwrap_or(Evaluation::Failed);
    }

    /// Resigns. The bot wins the game.
    pub(crate) fn leave(&self) {
        let mut state = self.state();
        state.has_left = true;
        state.turn = None;
    }

    /// Waits until it is the person's turn at this ply or later, or the game is over.
    pub(crate) async fn settled(&self, ply: usize, patience: Duration) {
        let mut changes = self.changed.subscribe();
        let is_settled = || {
            let state = self.state();
            let is_turn = state.turn.is_some() && state.plies.len() >= ply;
            is_turn || state.record.is_some()
        };
        let wait = async { while !is_settled() && changes.changed().await.is_ok() {} };
        // After the timeout, the page shows the game as it is.
        let _ = timeout(patience, wait).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether this is the current game, not one that was replaced.
    fn is(&self, live: &Arc<LiveGame>) -> bool {
        Arc::ptr_eq(&self.live, live)
    }

    /// Number of plies before the person's last move.
    fn last_own(&self) -> Option<usize> {
        let own = self.plies.iter().rposition(|ply| ply.by == Some(self.game.person()));
        own.filter(|own| *own >= self.first)
    }

    /// Checks a move for a ply that was already played.
    fn repeat(&self, before: usize, text: &str) -> Result<(), MoveError> {
        let (played, rest) = (&self.plies[before], &self.plies[..before]);
        let is_same = played.by == Some(self.game.person())
            && self.game.normal_form(rest, text).is_ok_and(|text| text == *played.text);
        if is_same { Ok(()) } else { Err(MoveError::Elsewhere) }
    }
}
