//! Tournament view: the text and tables of a tournament's section on a page.

use std::time::Duration;

use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_core::{Limits, ending_label};
use pitmaster_ratings::{Standings, TieBreakValues};
use pitmaster_tournament::{StagePlan, show_duration};

use super::data::{BotData, EndingData};
use super::html::{Bot, Fact};
use super::index::KindOfEnding;
use crate::{Drawn, LeftOut, Workers, leaderboard};

/// Data of a tournament except its games, redacted for its readers.
#[derive(Debug, Clone, Copy)]
pub struct TournamentView<'a> {
    /// Title of the tournament.
    pub title: &'a str,
    /// Game, with options and version.
    pub rules: &'a str,
    /// Limits of its games.
    pub limits: &'a Limits,
    /// Data of its charts: standings, games, times, names.
    pub drawn: Drawn<'a>,
    /// Values of each tie-break for the bot of each row.
    pub tie_breaks: &'a TieBreakValues,
    /// Authors of each bot, by the bots' numbers; empty if unknown or hidden.
    pub authors: &'a [String],
    /// Whether the readers may see details of each bot, by the bots' numbers.
    pub own: &'a [bool],
    /// The machines, if several played and the readers may know them.
    pub workers: Option<&'a Workers>,
    /// Bots that take no part because they cannot play.
    pub left_out: &'a [LeftOut],
    /// Notes below the standings.
    pub notes: &'a [Message],
}

impl TournamentView<'_> {
    /// Positions in the standings, which number bots on the page, by bot number.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.drawn.standings.rows.len()];
        for (place, row) in self.drawn.standings.rows.iter().enumerate() {
            places[row.bot as usize] = place as u32;
        }
        places
    }

    /// Facts above the standings.
    pub(super) fn facts(&self, lang: Lang) -> Vec<Fact> {
        let fact = |name: Message, value: String| Fact { name: name.to(lang), value };
        let Standings { games, distinct, .. } = self.drawn.standings;
        let count = if distinct < games {
            said!("{}, {} of them distinct", *games, *distinct).to(lang)
        } else {
            games.to_string()
        };
        let format: Vec<_> = self.drawn.plan.stages.iter().map(StagePlan::shown).collect();
        vec![
            fact(said!("Game"), self.rules.to_owned()),
            fact(said!("Format"), format.join(" → ")),
            fact(said!("Limits"), limits(self.limits, lang)),
            fact(said!("Bots"), self.bot_count().to(lang)),
            fact(said!("Games"), count),
        ]
    }

    fn bot_count(&self) -> Message {
        match (self.drawn.standings.rows.len(), self.left_out.len()) {
            (bots, 0) => said!("{}", bots),
            (bots, left_out) => said!("{}, and {} left out", bots, left_out),
        }
    }

    /// Bots without games because they cannot play.
    pub(super) fn without_games(&self, lang: Lang) -> Option<String> {
        let names: Vec<_> = self.left_out.iter().map(|bot| bot.id.name.as_str()).collect();
        let names = (!names.is_empty()).then(|| names.join(", "))?;
        Some(said!("Left out, and so without games: {}.", names).to(lang))
    }

    pub(super) fn standings_notes(&self, lang: Lang) -> Vec<String> {
        let listing = leaderboard(self.drawn.standings, self.drawn.names);
        let below = self.notes.iter().map(|note| note.to(lang));
        listing.notes(lang).chain(below).collect()
    }

    /// Bots for the bot list.
    pub(super) fn bots(&self, lang: Lang) -> Vec<Bot> {
        let bot = |(number, row): (usize, &pitmaster_ratings::Row)| Bot {
            number: self.own[row.bot as usize].then_some(number),
            shown: self.drawn.names.name(row.bot).to_owned(),
            about: self.about(row.bot, lang),
        };
        let left_out = |bot: &LeftOut| Bot {
            number: None,
            shown: bot.id.name.to_string(),
            about: bot.about().to(lang),
        };
        let bots = self.drawn.standings.rows.iter().enumerate().map(bot);
        bots.chain(self.left_out.iter().map(left_out)).collect()
    }

    /// Name that a bot gives itself, if different, and its authors.
    fn about(&self, bot: u32, lang: Lang) -> String {
        let display = self.drawn.names.display(bot);
        let display = (display != self.drawn.names.name(bot)).then(|| display.to_owned());
        let authors = self.authors.get(bot as usize).filter(|authors| !authors.is_empty());
        let authors = authors.map(|authors| said!("by {}", authors).to(lang));
        let parts = [display.filter(|display| !display.is_empty()), authors];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    pub(super) fn bot_data(&self) -> Vec<BotData> {
        let known = |row: &pitmaster_ratings::Row| BotData {
            shown: self.drawn.names.name(row.bot).to_owned(),
            elo: row.elo.map(|rating| rating.elo),
            low: row.elo.and_then(|rating| rating.low),
            high: row.elo.and_then(|rating| rating.high),
            rank: row.rank,
            forfeits: row.forfeited(),
            own: self.own[row.bot as usize],
        };
        self.drawn.standings.rows.iter().map(known).collect()
    }
}

/// Endings with their labels.
pub(super) fn labelled(endings: &[KindOfEnding], lang: Lang) -> Vec<EndingData> {
    let labelled = |ending: &KindOfEnding| EndingData {
        name: ending.name.clone(),
        label: ending_label(&ending.name).to(lang),
        forfeit: ending.forfeit,
    };
    endings.iter().map(labelled).collect()
}

fn limits(limits: &Limits, lang: Lang) -> String {
    let shown = |time: Duration| show_duration(time);
    let limits_text = [
        limits.per_move.map(|time| said!("{} a move", shown(time))),
        limits.bank.map(|bank| {
            said!("an account of {} and {} a move", shown(bank.initial), shown(bank.increment))
        }),
        limits.per_game.map(|time| said!("{} a game", shown(time))),
        limits.plies.map(|plies| said!("{} plies", plies)),
    ];
    let limits_text: Vec<_> =
        limits_text.into_iter().flatten().map(|limit| limit.to(lang)).collect();
    limits_text.join(", ")
}
