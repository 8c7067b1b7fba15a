//! Paginated lists of valid games, latest first, for frequent queries during a ladder.

use pitmaster_core::{BotName, BySide, Mark, Side};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::outcome::COLUMNS;
use super::{Outcome, Reader, Store, StoreError};

/// Filter of listed games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GamesOf {
    /// All games.
    All,
    /// Games of a bot, of any version.
    Bot(BotName),
    /// Games between two bots.
    Both(BotName, BotName),
    /// Games of a round, from 1.
    Round(u32),
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedGame {
    /// Number of the game in the order of commits, used as the cursor of the next page.
    pub number: u64,
    /// Its outcome.
    pub outcome: Outcome,
    /// Start time in milliseconds since 1970, UTC.
    pub started_at: u64,
    /// Number of plies.
    pub plies: u32,
}

/// Results of a bot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, including those that both lost.
    pub losses: u64,
}

impl WinDrawLoss {
    /// Adds the result of a game. A game without one does not count.
    pub fn add(&mut self, mark: Option<Mark>) {
        match mark {
            Some(Mark::Win) => self.wins += 1,
            Some(Mark::Draw) => self.draws += 1,
            Some(Mark::Loss) => self.losses += 1,
            None => {}
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// Condition on a row, and its values.
type Condition = (&'static str, Vec<Value>);

impl GamesOf {
    /// Disjoint conditions, each with its own index.
    fn conditions(&self) -> Vec<Condition> {
        match self {
            Self::All => vec![("", vec![])],
            Self::Bot(bot) => {
                vec![(" AND bot1 = ?", texts(&[bot])), (" AND bot2 = ?", texts(&[bot]))]
            }
            Self::Both(one, two) => {
                let both = " AND bot1 = ? AND bot2 = ?";
                vec![(both, texts(&[one, two])), (both, texts(&[two, one]))]
            }
            // The first half as in the index.
            Self::Round(round) => vec![(" AND round > 0 AND round = ?", vec![(*round).into()])],
        }
    }
}

impl Store {
    /// Creates indexes for lists of games by bot and by round. Without them every list scans the
    /// whole table, which suffices for a tournament that is not watched.
    ///
    /// # Errors
    /// An error of the database.
    pub fn index_lists(&self) -> Result<(), StoreError> {
        self.change(|database| database.run(create_indexes))
    }
}

fn create_indexes(connection: &Connection) -> rusqlite::Result<usize> {
    connection.execute_batch(
        "CREATE INDEX IF NOT EXISTS valid_of_bot1 ON attempts (bot1, number) WHERE state = 'valid';
         CREATE INDEX IF NOT EXISTS valid_of_bot2 ON attempts (bot2, number) WHERE state = 'valid';
         CREATE INDEX IF NOT EXISTS valid_of_round ON attempts (round, number)
             WHERE state = 'valid' AND round > 0;",
    )?;
    Ok(0)
}

impl Reader {
    /// At most `limit` valid games with numbers below `before`, latest first. Their records are not
    /// checked for damage.
    pub fn latest(
        &self,
        of: &GamesOf,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let before = before.map_or(i64::MAX, |number| i64::try_from(number).unwrap_or(i64::MAX));
        let mut games = Vec::new();
        for (condition, mut values) in of.conditions() {
            let sql = format!(
                "SELECT {COLUMNS}, number, started_at, plies FROM attempts
                 WHERE state = 'valid'{condition} AND number < ? ORDER BY number DESC LIMIT ?"
            );
            values.push(before.into());
            values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
            self.each(&sql, params_from_iter(values), ListedGame::read, |game| games.push(game))?;
        }
        games.sort_by_key(|game| std::cmp::Reverse(game.number));
        games.truncate(limit);
        Ok(games)
    }

    /// Results of a bot against another one, by its side.
    pub fn results_against(
        &self,
        bot: &BotName,
        opponent: &BotName,
    ) -> Result<BySide<WinDrawLoss>, StoreError> {
        let mut results = BySide::<WinDrawLoss>::default();
        let sql = "SELECT winner, ending = 'both-forfeited', count(*) FROM attempts
                   WHERE state = 'valid' AND bot1 = ? AND bot2 = ? GROUP BY 1, 2";
        let read = |row: &Row<'_>| {
            let (winner, both_lost) = (row.get::<_, Option<u8>>(0)?, row.get::<_, bool>(1)?);
            Ok((winner, both_lost, row.get::<_, i64>(2)?.cast_unsigned()))
        };
        for side in Side::BOTH {
            let bots = match side {
                Side::One => [bot, opponent],
                Side::Two => [opponent, bot],
            };
            let result = &mut results[side];
            let values = params_from_iter(texts(&bots));
            self.each(sql, values, read, |(winner, both_lost, count)| match winner {
                Some(winner) if winner == side.number() => result.wins += count,
                None if !both_lost => result.draws += count,
                _ => result.losses += count,
            })?;
        }
        Ok(results)
    }
}

fn texts(bots: &[&BotName]) -> Vec<Value> {
    bots.iter().map(|bot| bot.as_str().to_owned().into()).collect()
}

impl ListedGame {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get::<_, i64>("number")?.cast_unsigned(),
            outcome: Outcome::read(row)?,
            started_at: row.get::<_, i64>("started_at")?.cast_unsigned(),
            plies: row.get("plies")?,
        })
    }

    /// Result of a side.
    pub fn mark(&self, side: Side) -> Option<Mark> {
        self.outcome.ending.mark(side)
    }
}
