//! One game of a person against a bot: its thread, its moves, and what readers see of it.

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

/// The ladder of a game that is of none.
const NO_LADDER: (LadderId, &str) = (LadderId::of([0; 12]), "");

/// A game of a person.
#[derive(Debug)]
pub(crate) struct HumanTable {
    id: String,
    /// Name of the bot, as it was asked for.
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
    /// Number of plies before which nothing is taken back.
    first: usize,
    plies: Vec<Ply>,
    /// Where the person's move goes, while it is the person's turn.
    turn: Option<Sender<RemoteReply>>,
    /// A move that was sent, with the number of its ply.
    sent: Option<(usize, String)>,
    /// Whether the person has left.
    has_left: bool,
    record: Option<Arc<Record>>,
    evaluation: Evaluation,
}

/// Evaluation of a game by `house:expert`.
#[derive(Debug, Clone)]
pub(crate) enum Evaluation {
    /// Nobody asked for it.
    None,
    /// It is being computed.
    Running,
    /// It is there.
    Done(Arc<GameAnalysis>),
    /// It failed.
    Failed,
}

/// A game at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The game.
    pub game: Arc<HumanGame>,
    /// What feeds follow.
    pub live: Arc<LiveGame>,
    /// All plies.
    pub plies: Vec<Ply>,
    /// Whether it is the person's turn.
    pub is_turn: bool,
    /// Whether the person has moved, so that a move can be taken back.
    pub can_go_back: bool,
    /// Whether the game was ended before its end.
    pub has_left: bool,
    /// The record, once the game is over.
    pub record: Option<Arc<Record>>,
    /// Its evaluation.
    pub evaluation: Evaluation,
}

/// Reason why a move, or taking one back, has no effect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NotPlayed {
    /// The game is at another place.
    Elsewhere,
    /// It is not allowed, for the person.
    Illegal(Message),
}

impl HumanTable {
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

    /// Its id, which is in its address.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Name of the bot, as it was asked for.
    pub(crate) fn bot(&self) -> &str {
        &self.bot
    }

    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    pub(super) fn course(&self) -> CourseId {
        self.course
    }

    /// Whether it is not over.
    pub(crate) fn is_running(&self) -> bool {
        self.state().record.is_none()
    }

    /// The game as it is now.
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

    /// Plays on a thread of its own, until the game is over or another one takes its place.
    pub(super) fn start(self: &Arc<Self>) {
        let (game, live) = {
            let state = self.state();
            (Arc::clone(&state.game), Arc::clone(&state.live))
        };
        let table = Arc::clone(self);
        self.threads.fetch_add(1, Ordering::Relaxed);
        let thread = std::thread::Builder::new().name("human".into());
        let spawned = thread.spawn(move || {
            let (asked, of) = (Arc::clone(&table), Arc::clone(&live));
            let ask = move |turn| asked.ask(&of, turn);
            let record = game.play(ask, |plies| table.watch(&live, plies));
            table.end(&live, record);
            table.threads.fetch_sub(1, Ordering::Relaxed);
        });
        // Without threads there is no server; the machine is out of something.
        spawned.expect("a thread can be started");
    }

    /// It is the person's turn. What is asked for a game that was taken back is dropped, which ends
    /// it.
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
        // A game that was taken back has plies that its feed does not have yet.
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

    /// Plays a move as the ply with this number. The same move once more changes nothing.
    ///
    /// # Errors
    /// Why it is not played.
    pub(crate) fn play(&self, ply: usize, text: &str) -> Result<(), NotPlayed> {
        let mut state = self.state();
        let known = state.plies.len();
        if let Some(before) = ply.checked_sub(1).filter(|before| *before < known) {
            return state.repeat(before, text);
        }
        if ply != known + 1 || state.record.is_some() {
            return Err(NotPlayed::Elsewhere);
        }
        let legal = state.game.normal_form(&state.plies, text).map_err(NotPlayed::Illegal);
        if let Some((sent, before)) = &state.sent {
            let is_same = *sent == ply && legal.as_ref() == Ok(before);
            return if is_same { Ok(()) } else { Err(NotPlayed::Elsewhere) };
        }
        let Some(turn) = state.turn.as_ref() else { return Err(NotPlayed::Elsewhere) };
        let text = legal?;
        // The game that asked may have ended by its clock.
        turn.send(text.clone().into()).map_err(|_| NotPlayed::Elsewhere)?;
        (state.turn, state.sent) = (None, Some((ply, text)));
        Ok(())
    }

    /// Goes back to before the person's last move. `ply` is the number of plies that the person sees.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) fn take_back(self: &Arc<Self>, ply: Option<usize>) -> Result<(), NotPlayed> {
        let mut state = self.state();
        let is_there = ply.is_none_or(|ply| ply == state.plies.len());
        if state.turn.is_none() || !is_there {
            return Err(NotPlayed::Elsewhere);
        }
        let nothing = || said!("You have not moved yet.");
        let to = state.last_own().ok_or_else(|| NotPlayed::Illegal(nothing()))?;
        let steps: Vec<_> = state.plies[..to].iter().map(|ply| &*ply.text).collect();
        let game = state.game.after(&steps.join(" ")).map_err(NotPlayed::Illegal)?;
        let attempt = state.live.attempt() + 1;
        let live = LiveGame::new(NO_LADDER, game.key().clone(), attempt, None);
        let before = std::mem::replace(&mut state.live, Arc::new(live));
        state.game = Arc::new(game);
        state.plies.truncate(to);
        // The game that waits for the move ends.
        (state.turn, state.sent) = (None, None);
        drop(state);
        before.finish(None);
        before.publish();
        self.start();
        self.changed.send_replace(());
        Ok(())
    }

    /// The record of a game that is over and was not evaluated. Its evaluation begins.
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

    /// Leaves the game, which the bot wins.
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
        // Whoever waited long enough sees the game as it is.
        let _ = timeout(patience, wait).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether this is what is played now.
    fn is(&self, live: &Arc<LiveGame>) -> bool {
        Arc::ptr_eq(&self.live, live)
    }

    /// Number of plies before the person's last move.
    fn last_own(&self) -> Option<usize> {
        let own = self.plies.iter().rposition(|ply| ply.by == Some(self.game.person()));
        own.filter(|own| *own >= self.first)
    }

    /// A move for a ply that was played.
    fn repeat(&self, before: usize, text: &str) -> Result<(), NotPlayed> {
        let (played, rest) = (&self.plies[before], &self.plies[..before]);
        let is_same = played.by == Some(self.game.person())
            && self.game.normal_form(rest, text).is_ok_and(|text| text == *played.text);
        if is_same { Ok(()) } else { Err(NotPlayed::Elsewhere) }
    }
}
