//! Finals thread: plays the finals that the staff requests, one after another, on all lanes, while
//! ladders, validations and builds wait.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use pitmaster_runner::{Event, Finish, Stopper};
use pitmaster_season::course::Action;
use pitmaster_session::{Contest, Observer, RunOptions, play};

use super::{PlayerError, Shared, catch_panic, server};
use crate::database::{Course, FinalRun, FinalState};
use crate::finals;
use crate::standings::{FinalProgress, Standings};

/// Polling interval for requested and stopped finals.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Delay after an error of the database.
const ERROR_DELAY: Duration = Duration::from_secs(5);

/// Plays finals until the player stops.
pub(super) fn run(shared: &Shared) {
    while !shared.is_stopping() {
        let done = catch_panic(|| shared.play_next_final());
        shared.exchange.standings.set_playing(None);
        shared.set_on_hold(false);
        match done {
            Ok(()) => shared.pause(POLL_INTERVAL),
            Err(error) => {
                shared.log(&format!("final: {error}"));
                shared.pause(ERROR_DELAY);
            }
        }
    }
}

impl Shared {
    /// Holds all other work for a final, or resumes it.
    fn set_on_hold(&self, on_hold: bool) {
        self.exchange.people.hold(on_hold);
        let before = std::mem::replace(&mut self.lock().on_hold, on_hold);
        if before != on_hold {
            self.changed.notify_all();
        }
    }

    fn play_next_final(&self) -> Result<(), PlayerError> {
        let Some(requested) = self.database.next_final().wait()? else { return Ok(()) };
        let course = self.database.course(requested.course).wait()?;
        let Ok(course) = course.open(&server(), Action::ViewResults) else { return Ok(()) };
        self.set_on_hold(true);
        while !self.is_stopping() && !self.lock().is_quiet() {
            self.pause(POLL_INTERVAL);
        }
        if self.is_stopping() || !self.is_requested(&requested)? {
            return Ok(());
        }
        self.log(&format!("final {}: the ladders wait while it is played", requested.name));
        let played = catch_panic(|| self.play_final(&course, &requested));
        let (state, why) = match played {
            Ok(None) => return Ok(()),
            Ok(Some(ended)) => ended,
            Err(error) => (FinalState::Failed, Some(error.to_string())),
        };
        let result = why.as_deref().unwrap_or("all games are stored");
        self.log(&format!("final {}: {}: {result}", requested.name, state.name()));
        self.database
            .end_final(requested.course, &requested.name, state, why, self.now())
            .wait()?;
        Ok(())
    }

    /// Whether a final is still requested.
    fn is_requested(&self, requested: &FinalRun) -> Result<bool, PlayerError> {
        let next = self.database.next_final().wait()?;
        Ok(next
            .is_some_and(|next| (next.course, &next.name) == (requested.course, &requested.name)))
    }

    /// Plays a final as `pitmaster run` does. Returns its final state; `None` if it is resumed
    /// later, or was stopped by the staff.
    fn play_final(
        &self,
        course: &Course,
        requested: &FinalRun,
    ) -> Result<Option<(FinalState, Option<String>)>, PlayerError> {
        let file = finals::file(self.database.folder(), &course.slug, &requested.name);
        let observer = FinalWatcher::new(self, requested);
        let contest = Contest::read(&file, &observer)?;
        let stopper = Stopper::default();
        let options = RunOptions {
            layout: Some(self.layout.clone()),
            stopper: stopper.clone(),
            isolation: self.settings.isolation.clone(),
            lang: course.settings.language,
            ..RunOptions::new(file.with_extension(""))
        };
        let ended =
            self.interruptible(requested, &stopper, || play(contest, &options, &observer))?;
        let summary = ended.summary.map(drop);
        Ok(match ended.finish? {
            Finish::Complete => {
                summary?;
                Some((FinalState::Played, None))
            }
            // Interrupted by the staff, or by the server's stop; the next start resumes it.
            Finish::Interrupted | Finish::TimeOver => None,
            Finish::Incomplete(bots) => {
                let names: Vec<_> = bots.iter().map(ToString::to_string).collect();
                let why = format!("games of {} could not be played", names.join(", "));
                Some((FinalState::Failed, Some(why)))
            }
            Finish::RefereeFailed(fault) => {
                let why = format!("three games in a row were void: {fault}");
                Some((FinalState::Failed, Some(why)))
            }
        })
    }

    /// Runs a function, and interrupts it when the staff stops the final or the player stops.
    fn interruptible<T>(
        &self,
        requested: &FinalRun,
        stopper: &Stopper,
        body: impl FnOnce() -> T,
    ) -> T {
        let is_over = Mutex::new(false);
        let over = || *is_over.lock().unwrap_or_else(PoisonError::into_inner);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over() {
                    // If the database fails, playing continues until the next poll.
                    if self.is_stopping() || !self.is_requested(requested).unwrap_or(true) {
                        stopper.stop();
                        return;
                    }
                    std::thread::sleep(POLL_INTERVAL);
                }
            });
            let _over = SetOnDrop(&is_over);
            body()
        })
    }
}

/// Sets a flag when it is dropped, also after a panic.
struct SetOnDrop<'a>(&'a Mutex<bool>);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

/// Reports the progress of a final to the pages, and its messages to the log.
struct FinalWatcher<'a> {
    shared: &'a Shared,
    standings: &'a Standings,
    progress: Mutex<FinalProgress>,
}

impl<'a> FinalWatcher<'a> {
    fn new(shared: &'a Shared, requested: &FinalRun) -> Self {
        let (course, name) = (requested.course, requested.name.clone());
        let progress = Mutex::new(FinalProgress { course, name, done: 0, games: 0 });
        Self { shared, standings: &shared.exchange.standings, progress }
    }

    fn change(&self, change: impl FnOnce(&mut FinalProgress)) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut progress);
        self.standings.set_playing(Some(progress.clone()));
    }
}

impl Observer for FinalWatcher<'_> {
    fn note(&self, text: &str) {
        self.shared.log(&format!("final: {text}"));
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }

    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { games, known, .. } => {
                self.change(|progress| (progress.games, progress.done) = (*games, *known));
            }
            Event::Game { .. } => self.change(|progress| progress.done += 1),
            Event::Superseded { .. } => {
                self.change(|progress| progress.done = progress.done.saturating_sub(1));
            }
            _ => {}
        }
    }
}
