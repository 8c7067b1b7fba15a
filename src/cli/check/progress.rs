//! Progress of a check: expected duration, current scenes, and verdicts.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pitmaster_check::{News, Scene, Settings, duration};
use pitmaster_core::Dialect;
use pitmaster_core::i18n::{Fill, Lang, Message, said};
use pitmaster_session::Observer;
use pitmaster_session::check::CheckEvent;
use pitmaster_tournament::show_duration;

use crate::cli::progress::{Steps, say};

/// Minimum interval between updates within a game.
const OFTEN: Duration = Duration::from_millis(100);

/// Minimum remaining time for a separate line.
const LONG: Duration = Duration::from_mins(1);

/// Maximum duration, estimated without knowledge of the bots.
pub(super) fn announcement(settings: &Settings, bots: usize) -> Message {
    let per_move = settings.limits.per_move.unwrap_or_default();
    let most = rough(duration(settings, Dialect::Pitmaster, per_move) * bots as u32);
    let per_move = Fill::whole(per_move);
    if settings.quick {
        return said!("takes up to {} if the bots take {} for every move", most, per_move);
    }
    said!(
        "takes seconds if a bot answers at once, up to {} if all take {} for every move; --quick \
         takes half a minute",
        most,
        per_move
    )
}

/// Formats a time, rounded up to minutes if it exceeds ten.
fn rough(time: Duration) -> String {
    let unit = if time > Duration::from_mins(10) { 60 } else { 1 };
    let seconds = time.as_secs_f64().ceil() as u64;
    show_duration(Duration::from_secs(seconds.div_ceil(unit) * unit))
}

/// Shows the progress of a check: the scenes of a single bot, or the finished ones of several bots.
pub(super) struct CheckWatcher {
    lang: Lang,
    state: Mutex<State>,
}

/// Displayed state.
struct State {
    /// The bar; `None` before examinations begin.
    steps: Option<Steps>,
    scenes: Vec<Scene>,
    bots: usize,
    examined: usize,
    /// Position within the scenes of every bot that is being examined.
    running: BTreeMap<usize, usize>,
    /// Current scene of the bot that reported last.
    now: String,
    /// Time of the last display of progress within a game.
    shown: Instant,
}

impl CheckWatcher {
    pub(super) fn new(lang: Lang) -> Self {
        let (scenes, running, now) = (Vec::new(), BTreeMap::new(), String::new());
        let shown = Instant::now();
        let state = State { steps: None, scenes, bots: 0, examined: 0, running, now, shown };
        Self { lang, state: Mutex::new(state) }
    }

    /// Prints a line, above the bar if there is one.
    fn line(state: &State, text: &str) {
        match &state.steps {
            Some(steps) => steps.line(text),
            None => say(text),
        }
    }
}

impl Observer for CheckWatcher {
    fn note(&self, text: &str) {
        self.warn(text);
    }

    fn warn(&self, text: &str) {
        let Ok(state) = self.state.lock() else { return };
        Self::line(&state, text);
    }

    fn check(&self, event: &CheckEvent<'_>) {
        let Ok(mut state) = self.state.lock() else { return };
        match *event {
            CheckEvent::Started { settings, bots, stored, lanes } => {
                state.start(settings, bots);
                if stored > 0 {
                    let said = said!(
                        "{} unchanged since an earlier check; --fresh checks them again",
                        stored
                    );
                    Self::line(&state, &said.to(self.lang));
                }
                if bots > 0 {
                    let said = announcement(settings, bots.div_ceil(lanes));
                    Self::line(&state, &said.to(self.lang));
                }
            }
            CheckEvent::Building { bot, name } => {
                state.running.insert(bot, 0);
                state.now = said!("{}: building", name).to(self.lang);
                state.show();
            }
            CheckEvent::News { bot, name, news } => state.handle(bot, name, news, self.lang),
            CheckEvent::Examined { bot, name, verdict } => {
                state.running.remove(&bot);
                state.examined += 1;
                if state.bots > 1 {
                    let (done, of) = (state.examined, state.bots);
                    let said = said!("{} of {}: {}: {}", done, of, name, verdict.clone());
                    Self::line(&state, &said.to(self.lang));
                }
            }
            CheckEvent::Ended => {
                if let Some(steps) = state.steps.take() {
                    steps.finish();
                }
            }
        }
    }
}

impl State {
    fn start(&mut self, settings: &Settings, bots: usize) {
        self.scenes = settings.scenes();
        self.bots = bots;
        self.steps = Some(Steps::new(bots * self.scenes.len()));
    }

    /// Moves the bar to the number of finished scenes.
    fn show(&self) {
        let done = self.examined * self.scenes.len() + self.running.values().sum::<usize>();
        if let Some(steps) = &self.steps {
            steps.reach(done, &self.now);
        }
    }

    fn handle(&mut self, bot: usize, name: &str, news: News, lang: Lang) {
        match news {
            News::Scene(scene) => {
                let place = self.scenes.iter().position(|&s| s == scene).unwrap_or(0);
                self.running.insert(bot, place);
                self.now = format!("{name}: {}", scene.about().to(lang));
                self.show();
            }
            News::Plies(plies) if self.bots == 1 && self.shown.elapsed() >= OFTEN => {
                let said = said!("{}, ply {}", &self.now, plies);
                if let Some(steps) = &self.steps {
                    steps.say_now(&said.to(lang));
                }
                self.shown = Instant::now();
            }
            News::Left { per_move, left } if left >= LONG => {
                let (per_move, left) = (Fill::time(per_move, 1), rough(left));
                let said = said!("{}: {} a move, about {} in all", name, per_move, left);
                CheckWatcher::line(self, &said.to(lang));
            }
            News::Plies(_) | News::Left { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_rough_as_they_are_long() {
        let shown = |seconds: u64| rough(Duration::from_millis(seconds * 1000 - 300));
        assert_eq!([shown(20), shown(590), shown(1000)], ["20s", "9m50s", "17m"]);
    }
}
