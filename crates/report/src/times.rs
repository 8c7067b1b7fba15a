//! Move times by bot.

use std::time::Duration;

use pitmaster_core::i18n::said;
use pitmaster_core::{BySide, Dialect, Limits, Ply, Record, Side};
use pitmaster_ratings::{Roster, Standings};

use super::data_table::{Cell, Field, Heading, Listing};
use super::leaderboard::percent;
use super::names::Names;
use super::number::fixed;

/// Collects move times by bot, in some kilobytes per bot, regardless of the number of moves.
#[derive(Debug, Clone, Default)]
pub struct Times(Vec<OfBot>);

#[derive(Debug, Clone, Default)]
struct OfBot {
    moves: Spread,
    total: Duration,
    stolen: Duration,
    /// Use of the limits by its limited moves: their number, the sum of the shares and the largest
    /// share.
    limited: u64,
    shares: f64,
    largest: f64,
}

impl Times {
    /// Adds a game of bots with these dialects.
    pub fn add(&mut self, record: &Record, dialects: BySide<Dialect>, roster: &Roster) {
        self.0.resize_with(roster.len(), OfBot::default);
        for side in Side::BOTH {
            if let Some(bot) = roster.number(&record.key.bots[side]) {
                let of_bot = &mut self.0[bot as usize];
                of_bot.stolen += record.stolen[side];
                let played = record.plies.iter().skip(record.key.opening_plies());
                let own = played.filter(|ply| ply.by == Some(side));
                for (number, ply) in own.enumerate() {
                    let limit = limit_of(number, dialects[side], &record.key.limits);
                    of_bot.add(ply, limit);
                }
            }
        }
    }

    /// Distribution of a bot's times, if it made a move.
    pub(super) fn spread(&self, bot: u32) -> Option<&Spread> {
        let moves = &self.0.get(bot as usize)?.moves;
        (moves.count > 0).then_some(moves)
    }

    /// Table with one row per bot, in the order of the standings, or with one row for one `bot`.
    pub fn listing(&self, standings: &Standings, names: &Names, bot: Option<u32>) -> Listing {
        let empty = OfBot::default();
        let of = |bot: u32| self.0.get(bot as usize).unwrap_or(&empty);
        let rows = standings.rows.iter().map(|row| row.bot);
        let rows = rows.filter(|row| bot.is_none_or(|bot| bot == *row));
        let rows: Vec<_> = rows.map(|bot| (bot, of(bot))).collect();
        let number = Heading::number;
        let limited = self.0.iter().any(|of_bot| of_bot.limited > 0);
        let fields = vec![
            Field::new(Heading::text("bot", said!("bot"), 9), |row: &(u32, &OfBot)| {
                Cell::text(names.name(row.0))
            }),
            field(number("moves", said!("moves"), 3), |times| Cell::number(times.moves.count)),
            field(number("mean_ms", said!("mean ms"), 6), |times| millis(times.mean())),
            field(number("median_ms", said!("median ms"), 7), |times| {
                millis(times.moves.quantile(0.5))
            }),
            field(number("p95_ms", said!("95 % ms"), 5), |times| {
                millis(times.moves.quantile(0.95))
            }),
            field(number("max_ms", said!("max ms"), 8), |times| millis(times.moves.longest())),
            field(number("mean_share", said!("of limit"), 2).on_screen_if(limited), |times| {
                percent(times.mean_share())
            }),
            field(number("max_share", said!("at most"), 4).on_screen_if(limited), |times| {
                percent((times.limited > 0).then_some(times.largest))
            }),
            field(number("stolen_ms", said!("stolen ms"), 4), |times| millis(Some(times.stolen))),
        ];
        let note = said!(
            "Half of the moves took at most the median, 95 % at most 95 % ms (to half a \
             percent). Stolen: CPU time during the opponent's turns."
        );
        Listing::new("by-time", fields, &rows, vec![note])
    }
}

fn field<'a>(heading: Heading, cell: fn(&OfBot) -> Cell) -> Field<'a, (u32, &'a OfBot)> {
    Field::new(heading, move |row: &(u32, &OfBot)| cell(row.1))
}

/// Limit on a bot's move with that number, from 0.
fn limit_of(number: usize, dialect: Dialect, limits: &Limits) -> Option<Duration> {
    if number == 0 && !dialect.has_handshake() { limits.first_move } else { limits.per_move }
}

/// Milliseconds with three decimals. Shown with the significant ones.
fn millis(time: Option<Duration>) -> Cell {
    let Some(time) = time else { return Cell::nothing().shown("-") };
    let millis = time.as_secs_f64() * 1000.0;
    let decimals = match millis {
        small if small < 1.0 => 3,
        middle if middle < 100.0 => 1,
        _ => 0,
    };
    Cell::number(fixed(millis, 3)).shown(fixed(millis, decimals))
}

impl OfBot {
    fn add(&mut self, ply: &Ply, limit: Option<Duration>) {
        self.moves.add(ply.wall);
        self.total += ply.wall;
        if let Some(limit) = limit.filter(|limit| !limit.is_zero()) {
            let share = ply.wall.as_secs_f64() / limit.as_secs_f64();
            self.limited += 1;
            self.shares += share;
            self.largest = self.largest.max(share);
        }
    }

    fn mean(&self) -> Option<Duration> {
        let moves = self.moves.count;
        (moves > 0).then(|| self.total.div_f64(moves as f64))
    }

    fn mean_share(&self) -> Option<f64> {
        (self.limited > 0).then(|| self.shares / self.limited as f64)
    }
}

/// Histogram of times, accurate to 1 part in 256: buckets double in width whenever the times
/// double.
#[derive(Debug, Clone, Default)]
pub(super) struct Spread {
    counts: Vec<u32>,
    count: u64,
    longest: Duration,
}

impl Spread {
    fn add(&mut self, time: Duration) {
        let bucket = bucket_of(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        if self.counts.len() <= bucket {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.count += 1;
        self.longest = self.longest.max(time);
    }

    fn longest(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.longest)
    }

    /// Counts of times by their buckets.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Duration, u32)> {
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(bucket, &count)| (Duration::from_nanos(middle_of(bucket)), count))
    }

    /// Quantile of the times.
    pub(super) fn quantile(&self, share: f64) -> Option<Duration> {
        let rank = (self.count as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        let bucket = self.counts.iter().position(|&count| {
            seen += u64::from(count);
            seen >= rank
        });
        bucket.map(|bucket| Duration::from_nanos(middle_of(bucket)).min(self.longest))
    }
}

/// Bucket of a time; each doubling has 128 buckets.
fn bucket_of(nanos: u64) -> usize {
    let shift = nanos.checked_ilog2().unwrap_or(0).saturating_sub(7);
    (shift as usize * 128) + (nanos >> shift) as usize
}

fn middle_of(bucket: usize) -> u64 {
    let shift = (bucket / 128).saturating_sub(1);
    let low = ((bucket - shift * 128) as u64) << shift;
    low + (1_u64 << shift) / 2
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;
    use pitmaster_ratings::{Game, Ranking};

    use super::super::fixtures;
    use super::*;

    #[test]
    fn the_table() {
        let (records, roster) = fixtures::tournament();
        let games: Vec<_> = records.iter().filter_map(|record| Game::of(record, &roster)).collect();
        let standings = Standings::new(roster.len(), &games, &Ranking::default());
        let names = Names::of(&roster, &[]);
        let mut times = Times::default();
        for record in &records {
            times.add(record, BySide::new(Dialect::Arena, Dialect::Pitmaster), &roster);
        }
        insta::assert_snapshot!(times.listing(&standings, &names, None).render(100, Lang::English), @"
        bot    moves  mean ms  median ms  95 % ms  max ms  of limit  at most  stolen ms
        beta       5      1.9        2.2      2.2     2.2     0.1 %    0.2 %      0.252
        alpha      8      2.1        2.2      2.9     2.9     0.2 %    0.3 %      0.126
        evil       3      1.5        1.5      1.5     1.5     0.0 %    0.0 %      0.000
        Half of the moves took at most the median, 95 % at most 95 % ms (to half a percent). Stolen: CPU time during the opponent's turns.
        ");
        insta::assert_snapshot!(times.listing(&standings, &names, None).render(100, Lang::French), @"
        bot    coups  moyenne ms  médiane ms  95 % ms  max ms  de la limite  au plus  volées ms
        beta       5         1,9         2,2      2,2     2,2         0,1 %    0,2 %      0,252
        alpha      8         2,1         2,2      2,9     2,9         0,2 %    0,3 %      0,126
        evil       3         1,5         1,5      1,5     1,5         0,0 %    0,0 %      0,000
        La moitié des coups n'a pas pris plus que la médiane, 95 % pas plus que « 95 % ms » (à un demi pour cent près). Volées : temps de calcul pendant les tours de l'adversaire.
        ");
        let one = fixtures::csv(|out| {
            times.listing(&standings, &names, Some(1)).csv(super::super::CsvForm::Plain, out)
        });
        insta::assert_snapshot!(one, @"
        bot,moves,mean_ms,median_ms,p95_ms,max_ms,mean_share,max_share,stolen_ms
        alpha,8,2.112,2.204,2.900,2.900,0.0017,0.0029,0.126
        ");
        let none = Times::default().listing(&standings, &names, Some(0)).render(100, Lang::English);
        insta::assert_snapshot!(none, @"
        bot   moves  mean ms  median ms  95 % ms  max ms  stolen ms
        evil      0        -          -        -       -      0.000
        Half of the moves took at most the median, 95 % at most 95 % ms (to half a percent). Stolen: CPU time during the opponent's turns.
        ");
    }

    #[test]
    fn every_time_is_in_a_bucket_of_its_size() {
        for shift in 0..64 {
            for nanos in [1_u64 << shift, (1 << shift) + 1, (1 << shift) - 1] {
                let middle = middle_of(bucket_of(nanos));
                assert!(middle.abs_diff(nanos) <= nanos / 256, "{nanos} {middle}");
            }
        }
        assert_eq!((bucket_of(0), middle_of(0)), (0, 0));
    }

    #[test]
    fn quantiles_are_of_the_times_that_there_were() {
        let mut spread = Spread::default();
        assert_eq!(spread.quantile(0.5), None);
        (1..=100).for_each(|micros| spread.add(Duration::from_micros(micros)));
        for (share, micros) in [(0.0, 1), (0.5, 50), (0.95, 95), (1.0, 100)] {
            let found = spread.quantile(share).unwrap().as_secs_f64() * 1e6;
            assert!((found / f64::from(micros) - 1.0).abs() <= 1.0 / 256.0, "{share}: {found}");
        }
    }

    #[test]
    fn the_first_move_has_its_own_limit_without_a_handshake() {
        let limits = Limits::default();
        let seconds = |number, dialect| limit_of(number, dialect, &limits).unwrap().as_secs();
        assert_eq!(seconds(0, Dialect::Arena), 5);
        assert_eq!(seconds(1, Dialect::Arena), 1);
        assert_eq!(seconds(0, Dialect::Pitmaster), 1);
    }
}
