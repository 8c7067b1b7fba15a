//! Players of a ladder: versions of bots, and house bots.

use std::collections::VecDeque;
use std::time::Duration;

use pitmaster_core::BySide;
use pitmaster_ratings::{Elo, Tally};

use super::{LadderSettings, PlayedGame};
use crate::course::{EntryId, GroupId, Utc, VersionId};

/// Number of a player on its ladder, in order of arrival. Also its number in the fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u32);

impl Player {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identity of a player.
#[derive(Debug, Clone, PartialEq)]
pub enum Entrant {
    /// A house bot, with a fixed rating.
    House {
        /// Its name: `house:greedy`.
        name: String,
        /// Its rating.
        elo: Elo,
    },
    /// A version of a group's bot.
    Version(Newcomer),
}

/// A version to be added to the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newcomer {
    /// The version.
    pub version: VersionId,
    /// Its bot: at most one version of it plays.
    pub entry: EntryId,
    /// Its group: versions of a group never meet in rated pairs.
    pub group: GroupId,
    /// Whether it has a rank in the table; the other bots of its group play too.
    pub is_ranked: bool,
}

impl Entrant {
    /// The version, unless it is a house bot.
    pub const fn version(&self) -> Option<&Newcomer> {
        match self {
            Self::House { .. } => None,
            Self::Version(newcomer) => Some(newcomer),
        }
    }
}

/// State of a player on the ladder.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) entrant: Entrant,
    /// Index of its group; `None` for a house bot.
    pub(super) group: Option<usize>,
    /// Version of the same bot before it.
    pub(super) predecessor: Option<Player>,
    pub(super) is_active: bool,
    pub(super) came: Utc,
    /// Number of rated pairs, running ones included.
    pub(super) pairs: u32,
    /// Latest opponents in rated pairs, the last one at the end.
    pub(super) opponents: VecDeque<Player>,
    /// Start times of its latest rated pairs.
    pub(super) began: VecDeque<Utc>,
    /// Whether its latest rated pairs were repeats.
    pub(super) repeats: VecDeque<bool>,
    /// Consecutive games forfeited without a move.
    pub(super) failures: u32,
    /// Consecutive rated pairs that were lost or void.
    pub(super) losses: u32,
    /// Number of rated games forfeited.
    pub(super) forfeits: u32,
    /// Results of all rated games.
    pub(super) tally: Tally,
    /// Total lane time and number of its pairs.
    lane_time: (Duration, u32),
}

/// Number of latest pairs examined for repeats, and number of repeats among them from which on a
/// version sleeps.
const REPEATS: [usize; 2] = [4, 3];

impl Slot {
    pub(super) fn new(entrant: Entrant, group: Option<usize>, came: Utc) -> Self {
        Self {
            entrant,
            group,
            predecessor: None,
            is_active: true,
            came,
            pairs: 0,
            opponents: VecDeque::new(),
            began: VecDeque::new(),
            repeats: VecDeque::new(),
            failures: 0,
            losses: 0,
            forfeits: 0,
            tally: Tally::default(),
            lane_time: (Duration::ZERO, 0),
        }
    }

    /// Whether it is a version with few pairs.
    pub(super) fn is_newcomer(&self, settings: &LadderSettings) -> bool {
        self.group.is_some() && self.pairs < settings.newcomer_pairs
    }

    /// Records the start of a rated pair.
    pub(super) fn begin(&mut self, opponent: Player, now: Utc, settings: &LadderSettings) {
        self.pairs += 1;
        push(&mut self.opponents, opponent, settings.fresh_opponents.saturating_sub(1));
        push(&mut self.began, now, settings.daily_pairs);
    }

    /// Counts the games of a rated pair, in the first of which it was player 1 or 2.
    pub(super) fn count(&mut self, games: &[PlayedGame; 2], is_second: bool, is_repeat: bool) {
        self.losses = 0;
        push(&mut self.repeats, is_repeat, REPEATS[0]);
        for (place, game) in games.iter().enumerate() {
            let turned = (place == 1) != is_second;
            let own = |marks: BySide<_>| if turned { marks.two } else { marks.one };
            let PlayedGame { marks, faults, failed, .. } = *game;
            self.tally.count(own(marks), own(marks.swapped()));
            self.forfeits += u32::from(if turned { faults.two } else { faults.one }.is_some());
            let has_failed = if turned { failed.two } else { failed.one };
            self.failures = if has_failed { self.failures + 1 } else { 0 };
        }
    }

    /// Counts the lane time of a pair.
    pub(super) fn count_time(&mut self, time: Duration) {
        self.lane_time.0 += time;
        self.lane_time.1 += 1;
    }

    /// Mean lane time of its pairs so far.
    pub(super) fn mean_time(&self) -> Option<Duration> {
        let (total, pairs) = self.lane_time;
        (pairs > 0).then(|| total / pairs)
    }

    /// Whether most of its latest pairs were repeats.
    pub(super) fn repeats_itself(&self) -> bool {
        self.repeats.iter().filter(|&&is_repeat| is_repeat).count() >= REPEATS[1]
    }

    /// Whether it began fewer pairs in the last 24 hours than guaranteed.
    pub(super) fn is_short(&self, now: Utc, settings: &LadderSettings) -> bool {
        let is_old = |&at: &Utc| now.since(at) >= Duration::from_hours(24);
        self.began.len() < settings.daily_pairs || self.began.front().is_some_and(is_old)
    }
}

/// Appends to a list that keeps its latest items.
fn push<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    list.push_back(item);
    while list.len() > most {
        list.pop_front();
    }
}
