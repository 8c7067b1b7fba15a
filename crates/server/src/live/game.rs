//! Running game: an inbox that its lane fills, and a view that readers share.

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pitmaster_core::{GameId, GameKey, Ply, Record, Score, Side};
use pitmaster_report::LiveReplay;
use pitmaster_season::course::LadderId;
use tokio::sync::watch;

/// Position in the event stream of a game: the attempt and the number of plies. A game that is
/// replayed, such as after a crash, has the same id and another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Number of the attempt.
    pub attempt: u64,
    /// Number of plies.
    pub plies: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.attempt, self.plies)
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (attempt, plies) = text.split_once(':').ok_or(())?;
        let attempt = attempt.parse().map_err(drop)?;
        Ok(Self { attempt, plies: plies.parse().map_err(drop)? })
    }
}

/// Result of a stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Winner; `None` for a draw or if both lost.
    pub winner: Option<Side>,
    /// The score.
    pub score: Score,
    /// Name of the ending.
    pub ending: String,
}

impl Outcome {
    /// Result of a record.
    pub(crate) fn of(record: &Record) -> Self {
        let ending = &record.ending;
        Self { winner: ending.winner(), score: ending.score(), ending: ending.name().to_string() }
    }
}

/// Phase of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The game is being played.
    Running,
    /// The game has ended, and is stored together with the other game of its pair.
    Ended,
    /// The game is stored, or void without an outcome.
    Over(Option<Outcome>),
}

/// Result of publishing a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Published {
    /// Whether there was anything new.
    pub is_new: bool,
    /// Whether the game is over.
    pub is_over: bool,
}

/// Game that is being played, or waits for the other game of its pair.
#[derive(Debug)]
pub(crate) struct LiveGame {
    id: GameId,
    ladder: LadderId,
    slug: String,
    key: GameKey,
    attempt: u64,
    other: Option<GameId>,
    /// Inbox that the lane fills.
    inbox: Mutex<Inbox>,
    view: Mutex<View>,
    /// Number of the latest frame.
    frame: watch::Sender<u64>,
}

#[derive(Debug)]
struct Inbox {
    /// Plies that are not published yet.
    plies: Vec<Ply>,
    /// Number of plies that the lane has delivered.
    delivered: usize,
    phase: Phase,
}

/// State that readers see.
#[derive(Debug)]
pub(super) struct View {
    plies: Vec<Ply>,
    /// Plies as JSON, as far as a reader needed them.
    written: Vec<String>,
    /// Board after these plies; `None` if this program does not have the rules.
    board: Option<LiveReplay>,
    phase: Phase,
}

impl LiveGame {
    pub(crate) fn new(
        (ladder, slug): (LadderId, &str),
        key: GameKey,
        attempt: u64,
        other: Option<GameId>,
    ) -> Self {
        let phase = Phase::Running;
        Self {
            id: key.id(),
            ladder,
            slug: slug.to_owned(),
            attempt,
            other,
            inbox: Mutex::new(Inbox { plies: Vec::new(), delivered: 0, phase: phase.clone() }),
            view: Mutex::new(View {
                plies: Vec::new(),
                written: Vec::new(),
                board: LiveReplay::begin(&key).ok(),
                phase,
            }),
            frame: watch::Sender::new(0),
            key,
        }
    }

    /// Id of the game.
    pub(crate) fn id(&self) -> &GameId {
        &self.id
    }

    /// Ladder of the game.
    pub(crate) fn ladder(&self) -> LadderId {
        self.ladder
    }

    /// Slug of the ladder.
    pub(crate) fn slug(&self) -> &str {
        &self.slug
    }

    /// Key of the game.
    pub(crate) fn key(&self) -> &GameKey {
        &self.key
    }

    /// Number of the attempt: the time of its start, in milliseconds.
    pub(crate) fn attempt(&self) -> u64 {
        self.attempt
    }

    /// Id of the other game of the pair.
    pub(crate) fn other(&self) -> Option<&GameId> {
        self.other.as_ref()
    }

    /// Receives all plies so far from the lane. The lane never waits: plies that are not delivered
    /// now are delivered with the next ply.
    pub(crate) fn watch(&self, plies: &[Ply]) {
        match self.inbox.try_lock() {
            Ok(mut inbox) => inbox.take(plies),
            Err(TryLockError::Poisoned(inbox)) => inbox.into_inner().take(plies),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// Receives the plies of a finished game.
    pub(crate) fn end(&self, plies: &[Ply]) {
        let mut inbox = self.inbox();
        inbox.take(plies);
        if inbox.phase == Phase::Running {
            inbox.phase = Phase::Ended;
        }
    }

    pub(crate) fn finish(&self, outcome: Option<Outcome>) {
        let mut inbox = self.inbox();
        if !matches!(inbox.phase, Phase::Over(_)) {
            inbox.phase = Phase::Over(outcome);
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the inbox, like a reader that empties it.
    #[cfg(test)]
    pub(super) fn block(&self) -> impl Drop + '_ {
        self.inbox()
    }

    /// Publishes new plies to readers.
    pub(crate) fn publish(&self) -> Published {
        // Locked first, so that plies keep their order whoever publishes. Lanes do not take this
        // lock.
        let mut view = self.view();
        let (plies, phase) = {
            let mut inbox = self.inbox();
            (std::mem::take(&mut inbox.plies), inbox.phase.clone())
        };
        let is_over = matches!(phase, Phase::Over(_));
        if plies.is_empty() && phase == view.phase {
            return Published { is_new: false, is_over };
        }
        view.plies.extend(plies);
        view.phase = phase;
        if self.frame.receiver_count() > 0 {
            view.write();
        }
        drop(view);
        self.frame.send_modify(|frame| *frame += 1);
        Published { is_new: true, is_over }
    }

    pub(super) fn frames(&self) -> watch::Receiver<u64> {
        let frames = self.frame.subscribe();
        self.view().write();
        frames
    }

    pub(super) fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Published plies.
    pub(crate) fn plies(&self) -> Vec<Ply> {
        self.view().plies.clone()
    }

    /// Number of published plies.
    pub(crate) fn length(&self) -> usize {
        self.view().plies.len()
    }

    /// Whether the game is being played, according to its published state.
    pub(crate) fn is_running(&self) -> bool {
        self.view().phase == Phase::Running
    }
}

impl Inbox {
    fn take(&mut self, plies: &[Ply]) {
        self.plies.extend_from_slice(plies.get(self.delivered..).unwrap_or_default());
        self.delivered = self.delivered.max(plies.len());
    }
}

impl View {
    /// Serializes the plies that no reader needed before.
    fn write(&mut self) {
        let Some(board) = &mut self.board else { return };
        let new = self.plies.get(self.written.len()..).unwrap_or_default();
        // The referee plays by the same rules, so all plies are legal.
        self.written.extend(new.iter().map_while(|ply| board.ply(ply)));
    }

    /// Plies as JSON.
    pub(super) fn written(&self) -> &[String] {
        &self.written
    }

    pub(super) fn phase(&self) -> &Phase {
        &self.phase
    }
}
