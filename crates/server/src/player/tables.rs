//! Tables: ratings of ladders whose results have changed, computed off the lanes.

use std::time::Duration;

use pitmaster_core::BotName;
use pitmaster_season::course::LadderId;
use pitmaster_season::ladder::{Entrant, LadderRow};

use super::ladders::OpenLadder;
use super::{Shared, caught};
use crate::standings::{LadderTable, TableRating, TableRow, TableVersion};

/// Pause between two tables.
const INTERVAL: Duration = Duration::from_secs(5);

/// Computes tables until the player stops.
pub(super) fn run(shared: &Shared) {
    while !shared.is_stopping() {
        let published = caught(|| {
            shared.publish_tables();
            Ok(())
        });
        if let Err(error) = published {
            shared.log(&format!("computing tables: {error}"));
        }
        shared.pause(INTERVAL);
    }
}

impl Shared {
    /// Publishes a table of every ladder in which something has changed.
    pub(super) fn publish_tables(&self) {
        let open: Vec<LadderId> = self.lock().open.iter().map(|open| open.id).collect();
        for id in open {
            let Some((refit, was_dirty)) = self
                .lock()
                .get_mut(id)
                .map(|open| (open.ladder.refit(), std::mem::replace(&mut open.is_dirty, false)))
            else {
                continue;
            };
            if refit.is_none() && !was_dirty {
                continue;
            }
            // Lanes go on meanwhile.
            let fitted = refit.map(pitmaster_season::ladder::Refit::run);
            let now = self.now();
            let table = self.lock().get_mut(id).map(|open| {
                if let Some(fitted) = fitted {
                    open.ladder.fitted(fitted, now);
                }
                open.table(now)
            });
            if let Some(table) = table {
                self.standings.publish(id, table);
            }
        }
    }
}

impl OpenLadder {
    fn table(&self, made: pitmaster_season::course::Utc) -> LadderTable {
        let rows: Vec<_> = self.ladder.table(made).iter().filter_map(|row| self.row(row)).collect();
        LadderTable { revision: 0, made, games: self.games, rows }
    }

    /// A row; `None` for a version that has stopped playing in this moment.
    fn row(&self, row: &LadderRow) -> Option<TableRow> {
        let name = self.players.get(&row.player)?.name.clone();
        let version = match &row.entrant {
            Entrant::House { .. } => None,
            Entrant::Version(newcomer) => {
                let playing = self.playing.iter().find(|it| it.id() == newcomer.version)?;
                let (id, bot, group) = (newcomer.version, newcomer.entry, newcomer.group);
                Some(TableVersion { id, number: playing.number, bot, group })
            }
        };
        Some(table_row(name, version, row))
    }
}

fn table_row(name: BotName, version: Option<TableVersion>, row: &LadderRow) -> TableRow {
    let rating = match (&row.entrant, row.rating) {
        (Entrant::House { elo, .. }, _) => Some(TableRating { elo: *elo, within: Some(0.0) }),
        (Entrant::Version(_), rating) => rating.map(|rating| TableRating {
            elo: rating.elo,
            within: rating.low.zip(rating.high).map(|(low, high)| (high - low) / 2.0),
        }),
    };
    TableRow {
        rank: row.rank,
        name,
        version,
        games: row.tally.games().into(),
        wins: row.tally.wins.into(),
        draws: row.tally.draws.into(),
        losses: (row.tally.losses + row.tally.both_lost).into(),
        forfeits: row.forfeits.into(),
        rating,
    }
}
