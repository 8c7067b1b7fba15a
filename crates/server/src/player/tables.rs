//! Tables: ratings of ladders whose results have changed, computed off the lanes.

use std::collections::HashMap;
use std::time::Duration;

use pitmaster_core::{BotId, BotName};
use pitmaster_season::course::{LadderId, Utc};
use pitmaster_session::practice::{Rated, rate};

use super::Shared;
use super::ladders::{History, OpenLadder, PlayingVersion};
use crate::standings::{LadderTable, TableRating, TableRow, TableVersion};

/// Pause between two tables.
const INTERVAL: Duration = Duration::from_secs(5);

/// Elo below which a difference is none.
const EQUAL: f64 = 1e-9;

/// Computes tables until the player stops.
pub(super) fn run(shared: &Shared) {
    while !shared.is_stopping() {
        shared.publish_tables();
        shared.pause(INTERVAL);
    }
}

/// What a table is computed from.
#[derive(Debug)]
struct Snapshot {
    id: LadderId,
    history: History,
    playing: Vec<PlayingVersion>,
    house: Vec<BotId>,
    anchors: Vec<(BotName, f64)>,
}

impl Shared {
    /// Publishes a table of every ladder in which something has changed.
    pub(super) fn publish_tables(&self) {
        let changed: Vec<_> = {
            let mut ladders = self.lock();
            let dirty = ladders.open.iter_mut().filter(|open| open.is_dirty);
            dirty.map(Snapshot::of).collect()
        };
        for snapshot in changed {
            let (id, table) = (snapshot.id, snapshot.table(self.now()));
            self.standings.publish(id, table);
        }
    }
}

impl Snapshot {
    fn of(open: &mut OpenLadder) -> Self {
        open.is_dirty = false;
        Self {
            id: open.id,
            history: open.history.clone(),
            playing: open.playing.clone(),
            house: open.ladder.house().iter().map(|bot| bot.id().clone()).collect(),
            anchors: open.ladder.anchors().to_vec(),
        }
    }

    fn table(mut self, made: Utc) -> LadderTable {
        let number = |history: &mut History, id: &BotId| history.number(id);
        let mut rows = Vec::new();
        let mut anchors = Vec::new();
        for id in &self.house {
            let number = number(&mut self.history, id);
            let anchor = self.anchors.iter().find(|(name, _)| *name == id.name);
            anchors.extend(anchor.map(|(_, elo)| (number, *elo)));
            rows.push((number, None));
        }
        for version in &self.playing {
            rows.push((number(&mut self.history, version.bot.id()), Some(version)));
        }
        let bots = self.history.bots.len();
        let rated = rate(bots, &self.history.games, &anchors);
        let fixed: HashMap<u32, f64> = anchors.into_iter().collect();
        let row = |(number, version): (u32, Option<&PlayingVersion>)| {
            let id = &self.history.bots[number as usize];
            let row = row(id, &rated[number as usize], fixed.get(&number).copied());
            let is_ranked = version.is_some_and(|version| version.is_ranked);
            (TableRow { version: version.map(table_version), ..row }, is_ranked)
        };
        let rows = ranked(rows.into_iter().map(row).collect());
        LadderTable { revision: 0, made, games: self.history.games.len() as u64, rows }
    }
}

fn table_version(version: &PlayingVersion) -> TableVersion {
    let PlayingVersion { id, number, entry, group, .. } = *version;
    TableVersion { id, number, bot: entry, group }
}

fn row(id: &BotId, rated: &Rated, fixed: Option<f64>) -> TableRow {
    let Rated { wins, draws, losses, forfeits, elo, within } = *rated;
    let rating = match fixed {
        Some(elo) => Some(TableRating { elo, within: Some(0.0) }),
        None => elo.map(|elo| TableRating { elo, within }),
    };
    let games = wins + draws + losses;
    let (rank, version) = (None, None);
    TableRow { rank, name: id.name.clone(), version, games, wins, draws, losses, forfeits, rating }
}

/// Sorts rows by rating and ranks those that are in rank.
fn ranked(mut rows: Vec<(TableRow, bool)>) -> Vec<TableRow> {
    let elo = |row: &TableRow| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
    rows.sort_by(|(a, _), (b, _)| elo(b).total_cmp(&elo(a)).then_with(|| a.name.cmp(&b.name)));
    let (mut place, mut last) = (0, None::<(u32, f64)>);
    for (row, is_ranked) in &mut rows {
        let Some(rating) = row.rating.filter(|_| *is_ranked) else { continue };
        place += 1;
        let shared = last.filter(|(_, elo)| (elo - rating.elo).abs() < EQUAL);
        let rank = shared.map_or(place, |(rank, _)| rank);
        row.rank = Some(rank);
        last = Some((rank, rating.elo));
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_row(name: &str, elo: Option<f64>) -> TableRow {
        let id = BotId { name: name.parse().unwrap(), hash: pitmaster_core::BotHash::of(b"x") };
        row(&id, &Rated { elo, within: Some(9.0), ..Rated::default() }, None)
    }

    #[test]
    fn versions_in_rank_are_ranked_and_marks_stand_between_them() {
        let rows = vec![
            (a_row("b.x", Some(100.0)), true),
            (a_row("house-greedy", Some(150.0)), false),
            (a_row("a.x", Some(100.0)), true),
            (a_row("c.second", Some(180.0)), false),
            (a_row("d.new", None), true),
            (a_row("c.x", Some(200.0)), true),
            (a_row("e.x", Some(-5.0)), true),
        ];
        let shown: Vec<_> =
            ranked(rows).into_iter().map(|row| (row.name.to_string(), row.rank)).collect();
        let wanted = [
            ("c.x", Some(1)),
            ("c.second", None),
            ("house-greedy", None),
            ("a.x", Some(2)),
            ("b.x", Some(2)),
            ("e.x", Some(4)),
            ("d.new", None),
        ];
        assert_eq!(shown, wanted.map(|(name, rank)| (name.to_owned(), rank)));
    }

    #[test]
    fn a_fixed_rating_has_no_uncertainty() {
        let id = BotId { name: "house-random".parse().unwrap(), hash: pitmaster_core::BotHash::of(b"x") };
        let rated = Rated { elo: Some(3.0), within: Some(80.0), wins: 2, ..Rated::default() };
        let row = row(&id, &rated, Some(0.0));
        assert_eq!(row.rating, Some(TableRating { elo: 0.0, within: Some(0.0) }));
        assert_eq!(row.games, 2);
        assert!(row.is_mark());
    }
}
