//! Choice of the levels of a game, from the top down: level 3 keeps the search of the game's file
//! and makes no random moves, and each level below gets the search and the percentage of random
//! moves at which the level above has the target score.

use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use pitmaster_games::GameSpec;
use pitmaster_players::{PlayerSpec, Tally};

use super::Outcome;
use super::levels::Levels;
use super::series::{probe, share};
use super::table::{WANTED, contest, row};

/// Target scores, tried in order until every step of a game is acceptable.
const TARGETS: [f64; 4] = [0.88, 0.84, 0.80, 0.77];
/// Distance from the target at which a score is accepted.
const NEAR: f64 = 0.06;
/// Safety margin at either end of the wanted scores.
const MARGIN: f64 = 0.01;

/// Tunes games and writes a file for each; those that have a file are left out.
pub(crate) fn tune_all(folder: &Path, games: &[GameSpec]) -> Outcome<()> {
    fs::create_dir_all(folder)?;
    for game in games {
        let file = folder.join(format!("{game}.toml"));
        if !file.exists() {
            let tuned = tune(game)?;
            let text = tuned.text(game);
            print!("{text}");
            fs::write(file, text)?;
        }
    }
    Ok(())
}

/// Levels with their scores against the level below.
struct Tuned {
    levels: Levels,
    steps: Vec<Tally>,
}

impl Tuned {
    /// Largest distance of a score from the wanted range.
    fn error(&self) -> f64 {
        let (low, high) = (*WANTED.start(), *WANTED.end());
        let errors = self.steps.iter().map(|step| share(step) - share(step).clamp(low, high));
        errors.map(f64::abs).fold(0.0, f64::max)
    }

    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        self.error().total_cmp(&other.error())
    }

    fn text(&self, game: &GameSpec) -> String {
        let mut text = self.levels.lines();
        for (step, level) in self.steps.iter().rev().zip(1..) {
            let row = row(game, &format!("{level}-{}", level - 1), step, "");
            let _ = writeln!(text, "# {row}");
        }
        text
    }
}

fn tune(game: &GameSpec) -> Outcome<Tuned> {
    let file = Levels::of(game)?;
    let mut last = 0.0;
    let mut best: Option<Tuned> = None;
    for target in TARGETS {
        let tuned = descend(game, file.clone(), target)?;
        last = even(&tuned.steps);
        best = best.into_iter().chain([tuned]).min_by(Tuned::compare);
        if best.as_ref().is_some_and(|best| best.error() == 0.0) {
            break;
        }
    }
    let mut best = best.ok_or("no targets")?;
    if best.error() > 0.0 {
        // Three such steps do not fit, so three smaller ones are used.
        best =
            [best, descend(game, file, last)?].into_iter().min_by(Tuned::compare).ok_or("none")?;
    }
    Ok(best)
}

/// Score of each of three equal steps with the same total, if ratings are additive.
fn even(steps: &[Tally]) -> f64 {
    let odds = steps.iter().map(|step| {
        let score = share(step).clamp(0.01, 0.99);
        score / (1.0 - score)
    });
    let odds = odds.product::<f64>().powf(1.0 / 3.0);
    odds / (1.0 + odds)
}

/// Sets levels 2, 1 and 0.
fn descend(game: &GameSpec, mut levels: Levels, target: f64) -> Outcome<Tuned> {
    levels.random[3] = 0;
    let mut steps = Vec::new();
    for level in (0..3).rev() {
        steps.push(Step { game, level, target }.set(&mut levels)?);
    }
    Ok(Tuned { levels, steps })
}

/// Step from a level to the one above.
struct Step<'g> {
    game: &'g GameSpec,
    level: usize,
    target: f64,
}

impl Step<'_> {
    /// Sets the level. Returns the score of the one above.
    fn set(&self, levels: &mut Levels) -> Outcome<Tally> {
        let Self { level, .. } = *self;
        levels.random[level] = 0;
        levels.sizes[level] = levels.sizes[level].min(levels.sizes[level + 1]);
        while levels.sizes[level] < levels.sizes[level + 1]
            && share(&self.probe(levels)?) > *self.near().end()
        {
            let larger = levels.larger(levels.sizes[level]);
            levels.sizes[level] = larger.min(levels.sizes[level + 1]);
        }
        self.set_random(levels)
    }

    /// Bisects the percentage of random moves. The first part of an interval is smaller, since a few
    /// random moves lose many games. If no score is near the target, the nearest is taken.
    fn set_random(&self, levels: &mut Levels) -> Outcome<Tally> {
        let (mut low, mut high, mut next) = (0, 100, 0);
        let mut tried = Vec::new();
        while low <= high {
            levels.random[self.level] = next;
            let mut found = share(&self.probe(levels)?);
            if self.near().contains(&found) {
                let tally = self.contest(levels)?;
                found = share(&tally);
                tried.push((next, tally));
                if self.near().contains(&found) {
                    break;
                }
            }
            if found < self.target {
                low = next + 1;
            } else {
                high = next - 1;
            }
            next = (2 * low + high) / 3;
        }
        if low > high {
            levels.random[self.level] = low.min(100);
            tried.push((low.min(100), self.contest(levels)?));
        }
        let distance = |(_, tally): &(i32, Tally)| (share(tally) - self.target).abs();
        let nearest = tried.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let (random, tally) = nearest.ok_or("no score")?;
        levels.random[self.level] = random;
        Ok(tally)
    }

    fn probe(&self, levels: &Levels) -> Outcome<Tally> {
        Ok(probe(self.game, &self.players(levels))?)
    }

    fn contest(&self, levels: &Levels) -> Outcome<Tally> {
        contest(self.game, &self.players(levels))
    }

    fn players(&self, levels: &Levels) -> [PlayerSpec; 2] {
        [self.level + 1, self.level].map(|level| levels.player(level))
    }

    /// Scores that are accepted.
    fn near(&self) -> RangeInclusive<f64> {
        let high = WANTED.end() - MARGIN;
        let low = (WANTED.start() + MARGIN).min(self.target - MARGIN);
        (self.target - NEAR).max(low)..=(self.target + NEAR).min(high)
    }
}
