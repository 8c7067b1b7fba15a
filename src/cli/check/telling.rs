//! Progress of a check: expected duration and current scene.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pitmaster_check::{News, Scene, Settings, duration};
use pitmaster_core::Dialect;
use pitmaster_core::i18n::{Fill, Lang, Message, said};
use pitmaster_tournament::show_duration;

use crate::cli::progress::Steps;

/// Minimum interval between updates within a game.
const OFTEN: Duration = Duration::from_millis(100);

/// Shortest remaining time that is printed on a line of its own.
const LONG: Duration = Duration::from_secs(60);

/// Maximum duration, estimated before anything is known about the bots.
pub(super) fn announcement(settings: &Settings, bots: usize) -> Message {
    let per_move = settings.limits.per_move.unwrap_or_default();
    let most = rough(duration(settings, Dialect::Pitmaster, per_move) * bots as u32);
    let per_move = Fill::whole(per_move);
    if settings.quick {
        return said!("takes up to {} of bots that take {} for every move", most, per_move);
    }
    said!(
        "takes seconds where a bot answers at once, up to {} where all take {} for every move; \
         --quick takes half a minute",
        most,
        per_move
    )
}

/// Formats a time, rounded up to minutes if it exceeds ten.
fn rough(time: Duration) -> String {
    let unit = if time > Duration::from_secs(600) { 60 } else { 1 };
    let seconds = time.as_secs_f64().ceil() as u64;
    show_duration(Duration::from_secs(seconds.div_ceil(unit) * unit))
}

/// Reports the progress of one bot's check.
pub(super) struct Teller<'s> {
    steps: &'s Steps,
    scenes: &'s [Scene],
    /// Number of steps before those of this bot.
    before: usize,
    bot: String,
    lang: Lang,
    /// Current scene, and when it was last shown.
    now: Mutex<(String, Instant)>,
}

impl<'s> Teller<'s> {
    pub(super) fn new(
        steps: &'s Steps,
        scenes: &'s [Scene],
        before: usize,
        bot: String,
        lang: Lang,
    ) -> Self {
        let now = Mutex::new((String::new(), Instant::now()));
        Self { steps, scenes, before, bot, lang, now }
    }

    pub(super) fn hear(&self, news: News) {
        let Ok(mut now) = self.now.lock() else { return };
        match news {
            News::Scene(scene) => {
                let place = self.scenes.iter().position(|&s| s == scene).unwrap_or(0);
                now.0 = format!("{}: {}", self.bot, scene.about().to(self.lang));
                self.steps.reach(self.before + place, &now.0);
            }
            News::Plies(plies) if now.1.elapsed() >= OFTEN => {
                let said = said!("{}, ply {}", &now.0, plies);
                self.steps.say_now(&said.to(self.lang));
                now.1 = Instant::now();
            }
            News::Left { per_move, left } if left >= LONG => {
                let (per_move, left) = (Fill::time(per_move, 1), rough(left));
                let said = said!("{}: {} a move, about {} in all", &self.bot, per_move, left);
                self.steps.line(&said.to(self.lang));
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
