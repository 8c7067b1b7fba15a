//! Breakdown of results by side, opponent, opening and ending.

use std::collections::BTreeMap;

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Side, Untrusted};
use pitmaster_ratings::{Game, Interval, Matches, Standings, Tally, wilson};

use super::csv_tables::LONGEST;
use super::data_table::{Cell, Field, Heading, Listing};
use super::game_sample::GameSample;
use super::leaderboard::{ends, percent, share, w_d_l};
use super::names::Names;
use super::number::fixed;

/// Attribute by which results are broken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// The bot's side.
    Side,
    /// The opponent.
    Opponent,
    /// The opening.
    Opening,
    /// The ending.
    Ending,
}

impl By {
    const fn kind(self) -> &'static str {
        match self {
            Self::Side => "by-side",
            Self::Opponent => "by-opponent",
            Self::Opening => "by-opening",
            Self::Ending => "by-ending",
        }
    }
}

/// The subject of a row, in the order of the rows: all games from one side, or a bot by its
/// position in the standings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    All,
    Bot(u32),
}

/// Results of a bot under the same circumstances.
#[derive(Debug, Clone, Default)]
struct Line {
    who: Option<u32>,
    under: String,
    tally: Tally,
    distinct: u32,
    forfeits: u32,
    plies: u64,
    /// Number of games whose plies are known.
    counted: u32,
}

impl Line {
    fn add(&mut self, game: &Game, side: Side, is_distinct: bool, plies: Option<u32>) {
        self.tally.count(game.marks[side], game.marks[side.other()]);
        self.distinct += u32::from(is_distinct);
        self.forfeits += u32::from(game.faults[side].is_some());
        self.plies += u64::from(plies.unwrap_or(0));
        self.counted += u32::from(plies.is_some());
    }

    fn rate(&self, won: f64) -> f64 {
        won / f64::from(self.tally.games())
    }

    fn score(&self) -> f64 {
        self.rate(f64::from(self.tally.wins) + f64::from(self.tally.draws) / 2.0)
    }

    fn win_rate(&self) -> Option<Interval> {
        wilson(self.rate(f64::from(self.tally.wins)), self.distinct)
    }

    fn mean_plies(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.plies as f64 / f64::from(self.counted))
    }
}

/// Breaks results down, one row per value that occurred, in the order of the standings.
///
/// Rows without a bot cover all games: by side, the results of each side; by opening and by ending,
/// the results of player 1. By opening there are no other rows, unless one `bot` is requested; then
/// there are only its rows.
pub fn breakdown(
    by: By,
    played: &GameSample,
    standings: &Standings,
    names: &Names,
    bot: Option<u32>,
) -> Listing {
    let lines = Lines { by, played, standings, names, bot }.gather();
    let has_repeats = lines.iter().any(|line| line.distinct < line.tally.games());
    let has_plies = lines.iter().any(|line| line.counted > 0);
    let has_bots = lines.iter().any(|line| line.who.is_some());
    let fields = fields(by, names, [has_bots, has_repeats, has_plies]);
    Listing::new(by.kind(), fields, &lines, notes(by, &lines))
}

struct Lines<'a> {
    by: By,
    played: &'a GameSample,
    standings: &'a Standings,
    names: &'a Names,
    bot: Option<u32>,
}

impl Lines<'_> {
    fn gather(&self) -> Vec<Line> {
        let mut place = vec![0; self.names.len()];
        for (row, at) in self.standings.rows.iter().zip(0..) {
            place[row.bot as usize] = at;
        }
        let mut lines: BTreeMap<(Who, u32), Line> = BTreeMap::new();
        let matches = Matches::new(self.played.games());
        let games = self.played.iter().zip(matches.distinct());
        for ((game, circumstances), &is_distinct) in games {
            for (side, who) in self.views(game, &place) {
                let under = match self.by {
                    By::Side => u32::from(side.number()),
                    By::Opponent => place[game.bots[side.other()] as usize],
                    By::Opening => circumstances.opening,
                    By::Ending => circumstances.ending,
                };
                let line = lines.entry((who, under)).or_default();
                line.add(game, side, is_distinct, circumstances.plies());
            }
        }
        self.named(lines)
    }

    /// The sides from which a game is viewed, each with the subject of its row.
    fn views(&self, game: &Game, place: &[u32]) -> Vec<(Side, Who)> {
        let is_wanted = |side: &Side| match self.bot {
            Some(bot) => game.bots[*side] == bot,
            None => self.by != By::Opening,
        };
        let bots = Side::BOTH.into_iter().filter(is_wanted);
        let bots = bots.map(|side| (side, Who::Bot(place[game.bots[side] as usize])));
        let all: &[Side] = match self.by {
            _ if self.bot.is_some() => &[],
            By::Side => &Side::BOTH,
            By::Opponent => &[],
            By::Opening | By::Ending => &[Side::One],
        };
        all.iter().map(|&side| (side, Who::All)).chain(bots).collect()
    }

    fn named(&self, lines: BTreeMap<(Who, u32), Line>) -> Vec<Line> {
        let mut order: Vec<_> = lines.into_iter().collect();
        if self.by == By::Ending {
            // The usual ones first.
            order.sort_by_key(|((who, under), line)| {
                (*who, std::cmp::Reverse(line.tally.games()), *under)
            });
        }
        let bot_at = |place: u32| self.standings.rows[place as usize].bot;
        let name = |((who, under), line): ((Who, u32), Line)| {
            let who = match who {
                Who::All => None,
                Who::Bot(place) => Some(bot_at(place)),
            };
            let under = match self.by {
                By::Side => under.to_string(),
                By::Opponent => self.names.name(bot_at(under)).to_owned(),
                By::Opening => self.played.openings().word(under).to_owned(),
                By::Ending => self.played.endings().word(under).to_owned(),
            };
            Line { who, under: Untrusted::new(under).shown(LONGEST), ..line }
        };
        order.into_iter().map(name).collect()
    }
}

fn fields(
    by: By,
    names: &Names,
    [has_bots, has_repeats, has_plies]: [bool; 3],
) -> Vec<Field<'_, Line>> {
    let number = Heading::number;
    let field = |heading: Heading, cell: fn(&Line) -> Cell| Field::new(heading, cell);
    let bot = Heading::text("bot", said!("bot"), 9).on_screen_if(has_bots);
    let bot = Field::new(bot, |line: &Line| match line.who {
        Some(bot) => Cell::text(names.name(bot)),
        None => Cell::nothing().shown(said!("(all)")),
    });
    let under = match by {
        By::Side => field(number("side", said!("side"), 9), |line| Cell::number(&line.under)),
        By::Opponent => field(Heading::text("opponent", said!("opponent"), 9), under),
        By::Opening => field(Heading::text("opening", said!("opening"), 9), under),
        By::Ending => field(Heading::text("ending", said!("ending"), 9), under),
    };
    let distinct = number("distinct", said!("distinct"), 1).on_screen_if(has_repeats);
    vec![
        bot,
        under,
        field(number("games", said!("games"), 5), |line| Cell::number(line.tally.games())),
        field(distinct, |line| Cell::number(line.distinct)),
        field(number("wins", said!("wins"), 6).in_files(), |line| Cell::number(line.tally.wins)),
        field(number("draws", said!("draws"), 6).in_files(), |line| Cell::number(line.tally.draws)),
        field(number("losses", said!("losses"), 6).in_files(), |line| Cell::number(losses(line))),
        field(number("w-d-l", said!("W-D-L"), 6).on_screen(), |line| {
            w_d_l(line.tally.wins, line.tally.draws, losses(line))
        }),
        field(number("score", said!("score"), 4), |line| percent(Some(line.score()))),
        field(number("win_rate", said!("win rate"), 7), |line| {
            percent(line.win_rate().map(|r| r.value))
        }),
        field(number("win_rate_low", said!("low"), 2).in_files(), |line| {
            share(line.win_rate().map(|rate| rate.low))
        }),
        field(number("win_rate_high", said!("high"), 2).in_files(), |line| {
            share(line.win_rate().map(|rate| rate.high))
        }),
        field(number("win_rate_95", said!("95 %"), 7).on_screen(), |line| ends(line.win_rate())),
        field(number("mean_plies", said!("plies"), 3).on_screen_if(has_plies), |line| {
            line.mean_plies().map_or_else(Cell::nothing, |mean| Cell::number(fixed(mean, 1)))
        }),
        field(number("forfeits", said!("forfeits"), 3), |line| {
            let shown = if line.forfeits == 0 { String::new() } else { line.forfeits.to_string() };
            Cell::number(line.forfeits).shown(shown)
        }),
    ]
}

fn under(line: &Line) -> Cell {
    let shown = if line.under.is_empty() { "-" } else { &line.under };
    Cell::text(&*line.under).shown(shown)
}

fn losses(line: &Line) -> u32 {
    line.tally.losses + line.tally.both_lost
}

fn notes(by: By, lines: &[Line]) -> Vec<Message> {
    let mut notes = Vec::new();
    let of_all = lines.iter().any(|line| line.who.is_none());
    if of_all && matches!(by, By::Opening | By::Ending) {
        notes.push(if by == By::Ending {
            said!("(all) is from player 1's point of view.")
        } else {
            said!("Results are from player 1's point of view.")
        });
    }
    if lines.iter().any(|line| line.distinct < line.tally.games()) {
        notes.push(said!("Repeated games do not narrow intervals."));
    }
    notes
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;
    use pitmaster_ratings::Ranking;

    use super::super::csv_tables::CsvForm;
    use super::super::fixtures::{self, csv};
    use super::*;

    fn broken_down(by: By, bot: Option<u32>) -> Listing {
        let (records, roster) = fixtures::tournament();
        let mut played = GameSample::default();
        for record in &records {
            played.add_record(record, &roster);
        }
        let standings = Standings::new(roster.len(), played.games(), &Ranking::default());
        breakdown(by, &played, &standings, &Names::of(&roster, &[]), bot)
    }

    #[test]
    fn by_side() {
        insta::assert_snapshot!(broken_down(By::Side, None).render(100, Lang::English), @"
        bot    side  games  distinct  W-D-L    score  win rate    95 %  plies  forfeits
        (all)     1      9         5  4-1-4   50.0 %    44.4 %   14–80    1.8         4
        (all)     2      9         5  3-1-5   38.9 %    33.3 %    9–72    1.8         1
        beta      1      2         1  2-0-0  100.0 %   100.0 %  21–100    2.0
        beta      2      6         3  2-1-3   41.7 %    33.3 %    6–79    1.7         1
        alpha     1      3         2  2-1-0   83.3 %    66.7 %   16–95    2.3
        alpha     2      3         2  1-0-2   33.3 %    33.3 %    5–84    2.0
        evil      1      4         2  0-0-4    0.0 %     0.0 %    0–66    1.2         4
        Repeated games do not narrow intervals.
        ");
        let text = csv(|out| broken_down(By::Side, Some(0)).csv(CsvForm::Plain, out));
        insta::assert_snapshot!(text, @"
        bot,side,games,distinct,wins,draws,losses,score,win_rate,win_rate_low,win_rate_high,mean_plies,forfeits
        evil,1,4,2,0,0,4,0.0000,0.0000,0.0000,0.6576,1.2,4
        ");
    }

    #[test]
    fn by_opponent() {
        insta::assert_snapshot!(broken_down(By::Opponent, None).render(100, Lang::English), @"
        bot    opponent  games  distinct  W-D-L    score  win rate    95 %  plies  forfeits
        beta   alpha         5         3  2-1-2   50.0 %    40.0 %    8–83    2.2
        beta   evil          3         1  2-0-1   66.7 %    66.7 %    9–97    1.0         1
        alpha  beta          5         3  2-1-2   50.0 %    40.0 %    8–83    2.2
        alpha  evil          1         1  1-0-0  100.0 %   100.0 %  21–100    2.0
        evil   beta          3         1  0-0-3    0.0 %     0.0 %    0–79    1.0         3
        evil   alpha         1         1  0-0-1    0.0 %     0.0 %    0–79    2.0         1
        Repeated games do not narrow intervals.
        ");
        insta::assert_snapshot!(broken_down(By::Opponent, Some(0)).render(100, Lang::English), @"
        bot   opponent  games  distinct  W-D-L  score  win rate  95 %  plies  forfeits
        evil  beta          3         1  0-0-3  0.0 %     0.0 %  0–79    1.0         3
        evil  alpha         1         1  0-0-1  0.0 %     0.0 %  0–79    2.0         1
        Repeated games do not narrow intervals.
        ");
    }

    #[test]
    fn by_opening() {
        insta::assert_snapshot!(broken_down(By::Opening, None).render(100, Lang::English), @"
        opening  games  distinct  W-D-L   score  win rate   95 %  plies  forfeits
        -            9         5  4-1-4  50.0 %    44.4 %  14–80    1.8         4
        Results are from player 1's point of view.
        Repeated games do not narrow intervals.
        ");
        insta::assert_snapshot!(broken_down(By::Opening, Some(2)).render(100, Lang::English), @"
        bot   opening  games  distinct  W-D-L   score  win rate   95 %  plies  forfeits
        beta  -            8         4  4-1-3  56.2 %    50.0 %  15–85    1.8         1
        Repeated games do not narrow intervals.
        ");
    }

    #[test]
    fn by_ending() {
        insta::assert_snapshot!(broken_down(By::Ending, None).render(100, Lang::English), @"
        bot    ending           games  distinct  W-D-L    score  win rate    95 %  plies  forfeits
        (all)  rules:49+            5         3  4-1-0   90.0 %    80.0 %   29–98    2.2
        (all)  illegal-move         1         1  0-0-1    0.0 %     0.0 %    0–79    2.0         1
        (all)  would-not-start      1         0  0-0-1    0.0 %         -       -    2.0         1
        (all)  move-late            1         1  0-0-1    0.0 %     0.0 %    0–79    1.0         1
        (all)  both-forfeited       1         0  0-0-1    0.0 %         -       -    0.0         1
        beta   rules:49+            5         3  2-1-2   50.0 %    40.0 %    8–83    2.2
        beta   would-not-start      1         0  1-0-0  100.0 %         -       -    2.0
        beta   move-late            1         1  1-0-0  100.0 %   100.0 %  21–100    1.0
        beta   both-forfeited       1         0  0-0-1    0.0 %         -       -    0.0         1
        alpha  rules:49+            5         3  2-1-2   50.0 %    40.0 %    8–83    2.2
        alpha  illegal-move         1         1  1-0-0  100.0 %   100.0 %  21–100    2.0
        evil   illegal-move         1         1  0-0-1    0.0 %     0.0 %    0–79    2.0         1
        evil   would-not-start      1         0  0-0-1    0.0 %         -       -    2.0         1
        evil   move-late            1         1  0-0-1    0.0 %     0.0 %    0–79    1.0         1
        evil   both-forfeited       1         0  0-0-1    0.0 %         -       -    0.0         1
        (all) is from player 1's point of view.
        Repeated games do not narrow intervals.
        ");
        insta::assert_snapshot!(broken_down(By::Ending, Some(0)).render(100, Lang::English), @"
        bot   ending           games  distinct  W-D-L  score  win rate  95 %  plies  forfeits
        evil  illegal-move         1         1  0-0-1  0.0 %     0.0 %  0–79    2.0         1
        evil  would-not-start      1         0  0-0-1  0.0 %         -     -    2.0         1
        evil  move-late            1         1  0-0-1  0.0 %     0.0 %  0–79    1.0         1
        evil  both-forfeited       1         0  0-0-1  0.0 %         -     -    0.0         1
        Repeated games do not narrow intervals.
        ");
    }

    #[test]
    fn nothing_played_is_nothing_to_break_down() {
        let standings = Standings::new(0, &[], &Ranking::default());
        let (played, names) = (GameSample::default(), Names::default());
        for by in [By::Side, By::Opponent, By::Opening, By::Ending] {
            let table = breakdown(by, &played, &standings, &names, None).render(100, Lang::English);
            assert_eq!(table.lines().count(), 1, "{table}");
        }
    }
}
