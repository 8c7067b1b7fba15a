//! Tables thread: rates ladders with new results, off the lanes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use pitmaster_core::{BotId, BotName};
use pitmaster_season::course::{CourseId, LadderId, Utc, VersionId};
use pitmaster_season::ladder::{Entrant, Ladder, LadderRow, Player};
use pitmaster_store::Outcome as Stored;

use super::history::{History, newcomer};
use super::ladders::OpenLadder;
use super::{PlayerError, Shared, catch_panic};
use crate::database::Version;
use crate::standings::{LadderTable, TableRating, TableRow, TableVersion};

/// Interval between two tables.
const INTERVAL: Duration = Duration::from_secs(5);

/// Computes tables until the player stops.
pub(super) fn run(shared: &Shared) {
    while !shared.is_stopping() {
        let published = catch_panic(|| {
            shared.publish_tables();
            shared.freeze_tables()
        });
        if let Err(error) = published {
            shared.log(&format!("computing tables: {error}"));
        }
        shared.pause(INTERVAL);
    }
}

impl Shared {
    /// Publishes a table of every ladder that has changed.
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
            // Computed without the lock, so that lanes continue.
            let fitted = refit.map(pitmaster_season::ladder::Refit::run);
            let now = self.now();
            let table = self.lock().get_mut(id).map(|open| {
                if let Some(fitted) = fitted {
                    open.ladder.fitted(fitted, now);
                }
                open.table(now)
            });
            if let Some(table) = table {
                self.exchange.standings.publish(id, table);
            }
        }
    }
}

impl Shared {
    /// Computes the frozen tables whose instant has passed.
    fn freeze_tables(&self) -> Result<(), PlayerError> {
        let now = self.now();
        let due: Vec<(LadderId, CourseId, Utc)> = {
            let ladders = self.lock();
            let at = |open: &OpenLadder| open.frozen_view_at.filter(|&at| at <= now);
            let all = ladders.open.iter();
            all.filter_map(|open| Some((open.id, open.course, at(open)?))).collect()
        };
        for (id, course, at) in due {
            if !self.exchange.standings.is_frozen(id, at) {
                self.freeze_table(id, course, at)?;
            }
        }
        Ok(())
    }

    /// Computes the table of a ladder as of an instant, unless the ladder is gone.
    fn freeze_table(&self, id: LadderId, course: CourseId, at: Utc) -> Result<(), PlayerError> {
        let versions = self.all_versions(course)?;
        let active = self.database.active_versions_at(course, at).wait()?;
        let ranked = self.bots(course)?.into_iter().filter(|bot| bot.is_ranked);
        let ranked: HashSet<_> = ranked.map(|bot| bot.id).collect();
        let opened = self.lock().get_mut(id).map(|open| {
            let (seed, marks) = (open.folder.seed(), open.folder.marks());
            let history = if open.is_remote() {
                History::of_remote(seed, marks)
            } else {
                History::new(seed, marks, versions)
            };
            open.folder.reader().map(|reader| (history, reader, open.is_remote()))
        });
        let Some((history, reader, is_remote)) = opened.transpose()? else { return Ok(()) };
        let mut frozen = AsOf::new(history, at);
        // Read without the lock, so that lanes continue.
        let read = reader.for_each_outcome(|game| frozen.add(game));
        read.map_err(pitmaster_session::Error::from)?;
        let is_ranked = |version: &Version| ranked.contains(&version.bot);
        let active = if is_remote { &[][..] } else { &active };
        self.exchange.standings.freeze(id, frozen.table(active, is_ranked));
        Ok(())
    }
}

/// State of a ladder as of an instant.
struct AsOf {
    history: History,
    at: Utc,
    games: u64,
}

impl AsOf {
    fn new(history: History, at: Utc) -> Self {
        Self { history, at, games: 0 }
    }

    /// Adds a game, unless it ended later.
    fn add(&mut self, game: Stored) {
        if i64::try_from(game.ended_at).is_ok_and(|ended| ended <= self.at.0) {
            self.games += 1;
            self.history.add(game);
        }
    }

    /// Table with the versions that were active.
    fn table(self, active: &[Version], is_ranked: impl Fn(&Version) -> bool) -> LadderTable {
        let Self { history, at, games } = self;
        let is_remote = history.is_of_remote();
        let (mut ladder, mut players) = history.finish();
        let mut numbers = HashMap::new();
        for version in active {
            let Some(hash) = version.hash.clone() else { continue };
            let player = ladder.add(at, newcomer(version, is_ranked(version)));
            players.insert(player, BotId { name: version.name.clone(), hash });
            numbers.insert(version.id, version.number);
        }
        if let Some(refit) = ladder.refit() {
            ladder.fitted(refit.run(), at);
        }
        table_of(&ladder, &players, &Versions(numbers, is_remote), games, at)
    }
}

impl OpenLadder {
    fn table(&self, made: Utc) -> LadderTable {
        let numbers = self.playing.iter().map(|playing| (playing.id(), playing.number)).collect();
        table_of(
            &self.ladder,
            &self.players,
            &Versions(numbers, self.is_remote()),
            self.games,
            made,
        )
    }
}

/// Numbers of the active versions; the flag marks remote entrants, which have none.
struct Versions(HashMap<VersionId, u32>, bool);

/// Table of a ladder with its active players.
fn table_of(
    ladder: &Ladder,
    players: &BTreeMap<Player, BotId>,
    versions: &Versions,
    games: u64,
    made: Utc,
) -> LadderTable {
    // `None` for a version that has just stopped playing.
    let row = |row: &LadderRow| {
        let name = players.get(&row.player)?.name.clone();
        let Versions(numbers, is_remote) = versions;
        let version = match &row.entrant {
            Entrant::House { .. } => None,
            Entrant::Version(_) if *is_remote => None,
            Entrant::Version(newcomer) => {
                let number = *numbers.get(&newcomer.version)?;
                let (id, bot, group) = (newcomer.version, newcomer.entry, newcomer.group);
                Some(TableVersion { id, number, bot, group })
            }
        };
        Some(table_row(name, version, row))
    };
    let rows: Vec<_> = ladder.table(made).iter().filter_map(row).collect();
    LadderTable { revision: 0, made, games, rows }
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
        is_house_bot: matches!(row.entrant, Entrant::House { .. }),
        games: row.tally.games().into(),
        wins: row.tally.wins.into(),
        draws: row.tally.draws.into(),
        losses: (row.tally.losses + row.tally.both_lost).into(),
        forfeits: row.forfeits.into(),
        rating,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BySide, Ending, GameKey, Limits, Record, Score, Seed, Side};
    use pitmaster_season::course::{EntryId, GroupId};
    use pitmaster_season::ladder::Newcomer;

    use super::*;

    fn bot(name: &str) -> BotId {
        BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) }
    }

    /// Game that player 1 won.
    fn game(bots: [&str; 2], pair: u32, ended_at: u64) -> Stored {
        let key = GameKey {
            rules: "awale@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot(bots[0]), bot(bots[1])),
            opening: String::new(),
            pair,
        };
        let (clause, score) = ("49+".into(), Score::default());
        let ending = Ending::Rules { clause, winner: Some(Side::One), score };
        Stored {
            id: Record::unplayed(key.clone(), Seed(1), ending.clone()).id(),
            fingerprint: ended_at,
            moved: BySide::new(true, true),
            unplayed: BySide::default(),
            key,
            ending,
            ended_at,
        }
    }

    #[test]
    fn a_frozen_table_has_the_games_that_had_ended() {
        let (house, own) = (bot("greedy"), bot("g1.sower"));
        let newcomer = Newcomer {
            version: VersionId::of([1; 12]),
            entry: EntryId::of([2; 12]),
            group: GroupId::of([3; 12]),
            is_ranked: true,
        };
        let versions = HashMap::from([(own, (newcomer, Utc(0)))]);
        let mut frozen = AsOf::new(History::new(Seed(1), [(&house, 1400.0)], versions), Utc(5_000));
        for (pair, ended) in [(1, 1_000), (2, 4_998), (3, 4_999), (4, 9_000)] {
            frozen.add(game(["greedy", "g1.sower"], pair, ended));
            frozen.add(game(["g1.sower", "greedy"], pair, ended + 2));
        }
        // The third pair was half over.
        assert_eq!(frozen.games, 5);
        let table = frozen.table(&[], |_| true);
        assert_eq!((table.made, table.games), (Utc(5_000), 5));
        let [mark] = &table.rows[..] else { panic!("nobody else played then: {table:?}") };
        assert_eq!((mark.name.as_str(), mark.games, mark.wins), ("greedy", 4, 2));
    }
}
