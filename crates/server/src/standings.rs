//! Tables of ladders, as the pages show them.
//!
//! The player computes a table after results have changed, off the lanes, and publishes it as an
//! immutable snapshot. Pages read the latest snapshot. No request computes a table.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use pitmaster_core::BotName;
use pitmaster_season::course::{CourseId, EntryId, GroupId, LadderId, Utc, VersionId};
use tokio::sync::watch;

/// Table of a ladder at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LadderTable {
    /// Revision. It increases with every table of the ladder, across restarts of the server too, so
    /// it serves as an entity tag.
    pub revision: u64,
    /// Time of the computation.
    pub made: Utc,
    /// Number of games that count.
    pub games: u64,
    /// Rows, strongest first. House bots are listed among the others as reference points.
    pub rows: Vec<TableRow>,
}

/// Row of a table: an active version, a remote entrant, or a house bot.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// Rank among the ranked versions, from 1. Equal ratings share a rank. `None` for house bots
    /// and versions without a rating.
    pub rank: Option<u32>,
    /// Name of the bot, such as `group.bot` or `house:greedy`.
    pub name: BotName,
    /// The playing version; `None` for a house bot or a remote entrant.
    pub version: Option<TableVersion>,
    /// Whether it is a house bot, which serves as a reference point.
    pub is_house_bot: bool,
    /// Games that count.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by the bot's own forfeit.
    pub forfeits: u64,
    /// Rating; `None` before its first game.
    pub rating: Option<TableRating>,
}

/// Version of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableVersion {
    /// Id of the version.
    pub id: VersionId,
    /// Number of the version among those of its bot, from 1.
    pub number: u32,
    /// Id of the bot.
    pub bot: EntryId,
    /// Group that owns the bot.
    pub group: GroupId,
}

/// A rating with its uncertainty, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableRating {
    /// The rating.
    pub elo: f64,
    /// Half width of its 95 % interval; `None` if unbounded, and 0 for a fixed rating.
    pub within: Option<f64>,
}

/// Latest tables of all ladders, and the progress of the final that is being played. Clones share
/// the same state.
#[derive(Debug, Clone, Default)]
pub struct Standings(Arc<Snapshots>);

#[derive(Debug, Default)]
struct Snapshots {
    tables: RwLock<HashMap<LadderId, Tables>>,
    playing: RwLock<Option<FinalProgress>>,
    /// Number of changes so far.
    changes: watch::Sender<u64>,
}

/// Progress of a final that the server plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalProgress {
    /// Course of the final.
    pub course: CourseId,
    /// Name of its tournament file, without the ending.
    pub name: String,
    /// Number of games played.
    pub done: u64,
    /// Number of games of the whole final, as far as it is known.
    pub games: u64,
}

/// Game and time limit of a ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderRules {
    /// Game, in the syntax of `--game`.
    pub game: String,
    /// Time limit of a move, if there is one.
    pub per_move: Option<Duration>,
}

/// Tables of a ladder.
#[derive(Debug, Default)]
struct Tables {
    rules: Option<LadderRules>,
    latest: Option<Arc<LadderTable>>,
    /// Table as of the instant at which the public view was frozen.
    frozen: Option<Arc<LadderTable>>,
}

impl Standings {
    /// Latest table of a ladder; `None` until the first one is computed.
    pub fn of(&self, ladder: LadderId) -> Option<Arc<LadderTable>> {
        self.tables(ladder, |tables| tables.latest.clone())
    }

    /// Table of a ladder as of an instant. Until the player has computed it, this is the latest
    /// table, if that is not newer than the instant.
    pub fn as_of(&self, ladder: LadderId, at: Utc) -> Option<Arc<LadderTable>> {
        self.tables(ladder, |tables| {
            let frozen = tables.frozen.clone().filter(|table| table.made == at);
            frozen.or_else(|| tables.latest.clone().filter(|table| table.made <= at))
        })
    }

    /// Progress of the final that is being played, if there is one.
    pub fn playing(&self) -> Option<FinalProgress> {
        self.0.playing.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the progress of the final that is being played.
    pub fn set_playing(&self, playing: Option<FinalProgress>) {
        *self.0.playing.write().unwrap_or_else(PoisonError::into_inner) = playing;
        self.changed();
    }

    /// Game and time limit of a ladder; `None` until it is opened.
    pub fn rules(&self, ladder: LadderId) -> Option<LadderRules> {
        self.tables(ladder, |tables| tables.rules.clone())
    }

    /// Sets the game and time limit of a ladder that was opened.
    pub fn set_rules(&self, ladder: LadderId, rules: LadderRules) {
        let mut all = self.0.tables.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(ladder).or_default().rules = Some(rules);
    }

    /// Whether the table as of an instant exists.
    pub fn is_frozen(&self, ladder: LadderId, at: Utc) -> bool {
        self.tables(ladder, |tables| tables.frozen.clone()).is_some_and(|it| it.made == at)
    }

    fn tables<T>(&self, ladder: LadderId, get: impl Fn(&Tables) -> Option<T>) -> Option<T> {
        get(self.0.tables.read().unwrap_or_else(PoisonError::into_inner).get(&ladder)?)
    }

    /// Counter of changes of tables and of the final's progress.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    fn changed(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// Publishes a table, replacing the previous one. Its revision exceeds all earlier ones, as
    /// long as the clock is not set back across a restart.
    pub fn publish(&self, ladder: LadderId, table: LadderTable) {
        let mut all = self.0.tables.write().unwrap_or_else(PoisonError::into_inner);
        let tables = all.entry(ladder).or_default();
        let before = tables.latest.as_ref().map_or(0, |table| table.revision);
        let revision = table.made.0.cast_unsigned().max(before + 1);
        tables.latest = Some(Arc::new(LadderTable { revision, ..table }));
        drop(all);
        self.changed();
    }

    /// Stores a table as the frozen one, as of its computation time, next to the latest one.
    pub fn freeze(&self, ladder: LadderId, table: LadderTable) {
        let revision = table.made.0.cast_unsigned();
        let table = Arc::new(LadderTable { revision, ..table });
        let mut all = self.0.tables.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(ladder).or_default().frozen = Some(table);
        drop(all);
        self.changed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_table_has_a_higher_revision() {
        let (standings, ladder) = (Standings::default(), LadderId::of([1; 12]));
        assert_eq!(standings.of(ladder), None);
        let mut last = 0;
        for made in [1_000, 1_000, 999, 5_000] {
            let table = LadderTable { made: Utc(made), games: 7, ..LadderTable::default() };
            standings.publish(ladder, table);
            let found = standings.of(ladder).unwrap();
            assert_eq!((found.made, found.games), (Utc(made), 7));
            assert!(found.revision > last, "{} after {last}", found.revision);
            last = found.revision;
        }
        // The revision contains the time, so that it increases across restarts.
        assert_eq!(last, 5_000);
        assert_eq!(standings.clone().of(ladder), standings.of(ladder));
        assert_eq!(standings.of(LadderId::of([2; 12])), None);
    }

    #[test]
    fn frozen_and_latest_tables_coexist() {
        let (standings, ladder) = (Standings::default(), LadderId::of([1; 12]));
        let publish = |made, games| {
            standings.publish(ladder, LadderTable { made: Utc(made), games, ..Default::default() });
        };
        let as_of = |at| standings.as_of(ladder, Utc(at)).map(|table| table.games);
        publish(1_000, 10);
        assert_eq!((as_of(2_000), standings.is_frozen(ladder, Utc(2_000))), (Some(10), false));
        // A newer table is not shown, even before the frozen one exists.
        publish(2_001, 20);
        assert_eq!(as_of(2_000), None);
        standings.freeze(ladder, LadderTable { made: Utc(2_000), games: 12, ..Default::default() });
        publish(9_000, 90);
        assert_eq!((as_of(2_000), standings.is_frozen(ladder, Utc(2_000))), (Some(12), true));
        assert_eq!(standings.of(ladder).unwrap().games, 90);
        // The frozen table was for another instant.
        assert_eq!((as_of(3_000), standings.is_frozen(ladder, Utc(3_000))), (None, false));
    }
}
