//! SVG charts of a tournament.
//!
//! Each is a function of plain data, in a file of its own. A chart without data is left out. Text
//! is in the reader's language, and nothing is conveyed by color alone.

mod course;
mod crosstable;
mod elo;
mod endings;
mod first_move;
mod histogram;
mod move_times;
mod over_time;
mod prefixes;
mod results;
mod rows;
mod scale;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

pub use results::wdl_bar;

use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::{Record, Side};
use pitmaster_ratings::{Game, Matches, Model, Roster, Standings};
use pitmaster_tournament::FormatPlan;

use super::game_sample::GameSample;
use super::names::Names;
use super::svg::Picture;
use super::times::Times;

/// Width of most pictures, in their own units.
const WIDTH: f64 = 480.0;

/// A picture for people, with its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// Name in files and links: `elo`, `course-1`.
    pub name: String,
    /// Title of the chart.
    pub title: String,
    /// Explanation in a sentence or two.
    pub caption: String,
    /// The picture, a complete SVG file.
    pub svg: String,
}

/// Data that charts are drawn from.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// The key of the tournament in links, and the prefix of ids: `t1`.
    pub key: &'a str,
    /// Standings, with ratings.
    pub standings: &'a Standings,
    /// Results of all games by pair of bots.
    pub matches: &'a Matches,
    /// All games, in the plan's order.
    pub played: &'a GameSample,
    /// Names of the bots.
    pub names: &'a Names,
    /// Times of moves.
    pub times: &'a Times,
    /// Plan of the format: its stages and rounds.
    pub plan: &'a FormatPlan,
    /// The rating model.
    pub model: &'a Model,
    /// Limit on a move, if there is one.
    pub move_limit: Option<Duration>,
}

/// Collects the data of charts beyond standings and times. Its size does not grow with the number
/// of games.
#[derive(Debug, Clone, Default)]
pub struct Charts {
    /// Number of games by plies: those played out, and those forfeited.
    lengths: [BTreeMap<i64, u32>; 2],
    /// Number of played-out games by the final score of player 1 minus that of player 2.
    leads: BTreeMap<i64, u32>,
}

impl Charts {
    /// Adds a game, unless it does not count.
    pub fn add(&mut self, record: &Record, roster: &Roster) {
        if Game::of(record, roster).is_none() {
            return;
        }
        let is_forfeit = Side::BOTH.iter().any(|&side| record.ending.fault_of(side).is_some());
        let count = |of: &mut BTreeMap<i64, u32>, value| *of.entry(value).or_default() += 1;
        count(&mut self.lengths[usize::from(is_forfeit)], i64::from(record.plies.len() as u32));
        if !is_forfeit {
            let score = record.ending.score();
            count(&mut self.leads, i64::from(score.one) - i64::from(score.two));
        }
    }

    /// All charts that have data.
    pub fn draw(&self, what: &Drawn<'_>, lang: Lang) -> Vec<Chart> {
        let charts = [
            elo::draw(what, lang),
            results::draw(what, lang),
            crosstable::draw(what, lang),
            over_time::draw(what, lang),
            move_times::draw(what, lang),
            histogram::lengths(what.key, &self.lengths, lang),
            histogram::leads(what.key, &self.leads, lang),
            first_move::draw(what, lang),
            endings::draw(what, lang),
        ];
        charts.into_iter().flatten().chain(course::draw(what, lang)).collect()
    }
}

impl Drawn<'_> {
    /// Link of a click on a pair of bots. The page identifies bots by their positions in the
    /// standings, because their numbers follow the order of names, which may be secret.
    fn games_of(&self, bots: [u32; 2]) -> String {
        let rows = &self.standings.rows;
        let [one, two] = bots.map(|bot| rows.iter().position(|row| row.bot == bot).unwrap_or(0));
        format!("#games={}&one={one}&two={two}", self.key)
    }
}

/// Title and explanation of a chart.
#[derive(Debug, Clone)]
struct Head {
    id: String,
    name: String,
    title: String,
    caption: String,
}

impl Head {
    fn new(key: &str, name: &str, title: &Message, caption: &Message, lang: Lang) -> Self {
        let (id, name) = (format!("{key}-{name}"), name.to_owned());
        Self { id, name, title: title.to(lang), caption: caption.to(lang) }
    }

    /// Adds a sentence to the explanation.
    fn and(mut self, more: Option<Message>, lang: Lang) -> Self {
        if let Some(more) = more {
            self.caption += " ";
            self.caption += &more.to(lang);
        }
        self
    }

    fn picture(&self, size: [f64; 2]) -> Picture {
        Picture::new(&self.id, &self.title, &self.caption, size)
    }

    fn chart(self, picture: Picture) -> Chart {
        let Self { name, title, caption, .. } = self;
        Chart { name, title, caption, svg: picture.finish() }
    }
}
