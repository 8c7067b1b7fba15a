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

use super::game_sample::Played;
use super::names::Names;
use super::svg::Picture;
use super::times::Times;

/// How wide most pictures are, in their own units.
const WIDTH: f64 = 480.0;

/// A picture for people, with what stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// What it is called in files and links: `elo`, `course-1`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How to read it: a sentence or two.
    pub caption: String,
    /// The picture, a whole SVG file.
    pub svg: String,
}

/// What charts are drawn of.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// The key of the tournament in links, and what ids begin with: `t1`.
    pub key: &'a str,
    /// Standings, with ratings.
    pub standings: &'a Standings,
    /// All games, gathered.
    pub matches: &'a Matches,
    /// All games, in the plan's order.
    pub played: &'a Played,
    /// Who is called what.
    pub names: &'a Names,
    /// Times of moves.
    pub times: &'a Times,
    /// Who met whom, and why.
    pub plan: &'a FormatPlan,
    /// How Elo is fitted.
    pub model: &'a Model,
    /// The limit on a move, where there is one.
    pub move_limit: Option<Duration>,
}

/// Gathers what charts show beyond standings and times. Its size does not grow with the number of
/// games.
#[derive(Debug, Clone, Default)]
pub struct Charts {
    /// How many games had so many plies: those played out, and those that were forfeited.
    lengths: [BTreeMap<i64, u32>; 2],
    /// By how much player 1's final score was above player 2's, in games that were played out.
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

    /// All charts that have something to show.
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
    /// What a click on a meeting of two bots opens. The page knows bots by their places in the
    /// standings: their numbers follow their names, which not every reader may learn.
    fn games_of(&self, bots: [u32; 2]) -> String {
        let rows = &self.standings.rows;
        let [one, two] = bots.map(|bot| rows.iter().position(|row| row.bot == bot).unwrap_or(0));
        format!("#games={}&one={one}&two={two}", self.key)
    }
}

/// What a chart is called, and how it is read.
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

    /// With one more sentence on how it is read.
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
