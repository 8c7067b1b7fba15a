//! Practice ladder of a course: selection of the next pair, and evaluation of its results.
//!
//! A [`Ladder`] is a value without clock, files or threads. Versions are added and removed
//! ([`Ladder::add`], [`Ladder::remove`]), a free lane asks for a [`Task`] ([`Ladder::next`]), and
//! its outcome is recorded ([`Ladder::record`]). From time to time a [`Refit`] is taken, run on
//! another thread, and its result handed back ([`Ladder::fitted`]). The same calls in the same
//! order give the same tasks, so a disputed pairing can be reproduced.
//!
//! 1. Work has classes, each with a share of the lanes ([`Shares`]); unused shares go to the others.
//!    Validation comes first, then newcomers, then requested pairs, then everybody.
//! 2. A newcomer without a pair is next, in order of arrival. Otherwise the group that was served
//!    least is next: half of the lane time of a pair is charged to each side's group. So neither
//!    several bots nor slow bots get more than the share of one group.
//! 3. The group's version whose rating is least certain plays. Its opponent is chosen by the
//!    information rule of [`Knowledge`], among versions of other groups and house bots, and
//!    sometimes at random. Frequent opponents are less likely, and groups that were served much
//!    more than its own are skipped. House bots are chosen more often if the field's position
//!    relative to them is less certain.
//! 4. It is always a pair, with sides swapped.
//! 5. A replaced version begins no pair. A running pair is finished, because it is informative
//!    about the opponent.
//! 6. A version sleeps if its rating is precise or it only repeats its games, until a newcomer of
//!    about its strength arrives. It still gets a few pairs a day.
//! 7. Consecutive forfeits without a move suspend a version.
//!
//! A new version is a separate player, tied to its predecessor by a normal prior on the difference
//! ([`Tie`]). House bots have given ratings, so that 1500 means the same all semester.
//!
//! ```
//! use pitmaster_core::Seed;
//! use pitmaster_season::course::{EntryId, GroupId, Utc, VersionId};
//! use pitmaster_season::ladder::{Ladder, LadderSettings, Newcomer, Outcome, Task};
//!
//! let mut ladder = Ladder::new(LadderSettings::default(), Seed(1));
//! ladder.add_house("house:greedy", 1200.0);
//! let newcomer = Newcomer {
//!     version: VersionId::of([1; 12]),
//!     entry: EntryId::of([2; 12]),
//!     group: GroupId::of([3; 12]),
//!     is_ranked: true,
//! };
//! ladder.add(Utc(0), newcomer);
//! let Some(Task::Pair(pair)) = ladder.next(Utc(1000)) else { panic!("a pair") };
//! assert_eq!(ladder.entrant(pair.a).version(), Some(&newcomer));
//! ladder.record(pair.number, Outcome::Lost).expect("it was given out");
//! assert!(ladder.refit().is_none(), "nothing is new");
//! ```

mod choice;
mod entrant;
mod rated;
mod refit;
#[cfg(test)]
mod replay;
mod settings;
mod shares;
#[cfg(test)]
mod simulation;
mod table;
mod task;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use pitmaster_core::Seed;
use pitmaster_ratings::{Elo, Model, PlayedPairs, Ratings, Tie};
use pitmaster_tournament::Knowledge;

use crate::course::{AskId, GroupId, Utc, VersionId};
use entrant::Slot;
pub use entrant::{Entrant, Newcomer, Player};
pub use refit::{Fitted, Refit};
pub use settings::{LadderSettings, Shares};
use shares::Accounts;
use table::History;
pub use table::LadderRow;
pub use task::{Class, Outcome, Pair, PlayedGame, RecordError, Recorded, Task};

/// Ladder of a course.
#[derive(Debug, Clone)]
pub struct Ladder {
    settings: LadderSettings,
    seed: Seed,
    slots: Vec<Slot>,
    of_version: BTreeMap<VersionId, Player>,
    groups: BTreeMap<GroupId, usize>,
    /// Lane seconds of each group in rated pairs.
    group_accounts: Accounts,
    /// Requested pairs of each group.
    asked_accounts: Accounts,
    /// Lane seconds of each class, divided by its share.
    class_accounts: Accounts,
    validations: VecDeque<VersionId>,
    asks: Vec<Asked>,
    running: BTreeMap<u64, Running>,
    /// Number of the next task.
    next: u64,
    /// Number of pairs of every two players, the lower number first.
    meetings: BTreeMap<[Player; 2], u32>,
    played: PlayedPairs,
    known: Knowledge,
    /// Variance of the mean strength of all versions, relative to the house bots.
    offset: f64,
    /// Mean lane seconds of the pairs so far, and their number.
    pair_time: (f64, u32),
    /// Rated pairs that the last fit did not count, with the revision that their results made.
    unfitted: BTreeMap<u64, ([Player; 2], Option<u64>)>,
    ratings: Option<Ratings>,
    /// Number of rated pairs recorded.
    revision: u64,
    /// Numbers of rated pairs and of players when the last refit was taken.
    taken: (u64, usize),
    /// Number of rated pairs that the last fit counted.
    fitted: u64,
    history: History,
}

/// Pairs requested by a group. They are not rated, so any two bots can play them, and the ladder
/// does not know which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// The request.
    pub id: AskId,
    /// The group.
    pub group: GroupId,
    /// Number of pairs that remain to be played.
    pub pairs: u32,
}

/// Request of a group with its progress.
#[derive(Debug, Clone, Copy)]
struct Asked {
    id: AskId,
    group: usize,
    /// Numbers of pairs not given out yet, and not settled yet.
    left: u32,
    open: u32,
    /// Pairs that were lost or void.
    losses: u32,
}

/// Task that is being played.
#[derive(Debug, Clone, Copy)]
struct Running {
    task: Task,
    /// Lane seconds charged in advance.
    charged: f64,
    /// Share by which its class was charged.
    share: f64,
}

impl Ladder {
    /// Creates an empty ladder. The seed determines all random choices.
    pub fn new(settings: LadderSettings, seed: Seed) -> Self {
        let mut class_accounts = Accounts::default();
        (0..choice::CLASSES).for_each(|_| class_accounts.add());
        Self {
            settings,
            seed,
            slots: Vec::new(),
            of_version: BTreeMap::new(),
            groups: BTreeMap::new(),
            group_accounts: Accounts::default(),
            asked_accounts: Accounts::default(),
            class_accounts,
            validations: VecDeque::new(),
            asks: Vec::new(),
            running: BTreeMap::new(),
            next: 1,
            meetings: BTreeMap::new(),
            played: PlayedPairs::default(),
            known: Knowledge::default(),
            offset: Knowledge::UNKNOWN,
            pair_time: (0.0, 0),
            unfitted: BTreeMap::new(),
            ratings: None,
            revision: 0,
            taken: (0, 0),
            fitted: 0,
            history: History::default(),
        }
    }

    /// Adds a house bot with a given rating.
    pub fn add_house(&mut self, name: &str, elo: Elo) -> Player {
        let entrant = Entrant::House { name: name.to_owned(), elo };
        self.known.add(elo / scale(), 0.0);
        let player = self.push(Slot::new(entrant, None, Utc::default()));
        self.spread_offset();
        player
    }

    /// Activates a version in place of an earlier one of its bot. A version that played before
    /// continues with its games, and its forfeits are forgiven.
    pub fn add(&mut self, now: Utc, newcomer: Newcomer) -> Player {
        let earlier: Vec<Player> = self.of_entry(&newcomer).collect();
        for &player in &earlier {
            self.slots[player.index()].is_active = false;
        }
        if let Some(&player) = self.of_version.get(&newcomer.version) {
            let slot = &mut self.slots[player.index()];
            (slot.is_active, slot.failures, slot.losses) = (true, 0, 0);
            slot.entrant = Entrant::Version(newcomer);
            return player;
        }
        let group = self.group(newcomer.group);
        let mut slot = Slot::new(Entrant::Version(newcomer), Some(group), now);
        slot.predecessor = earlier.last().copied();
        let (strength, variance) = self.expected(slot.predecessor);
        self.known.add(strength, variance);
        let player = self.push(slot);
        self.of_version.insert(newcomer.version, player);
        player
    }

    /// Removes a replaced, suspended or withdrawn version. Its running pair still counts. Returns
    /// whether it was playing.
    pub fn remove(&mut self, version: VersionId) -> bool {
        self.validations.retain(|waiting| *waiting != version);
        let Some(&player) = self.of_version.get(&version) else { return false };
        std::mem::replace(&mut self.slots[player.index()].is_active, false)
    }

    /// Queues the validation games of a version that was built. It is not a player yet: the caller
    /// [adds](Self::add) it if it passes.
    pub fn validate(&mut self, version: VersionId) {
        self.validations.push_back(version);
    }

    /// Queues pairs requested by a group. A request without pairs is ignored.
    pub fn ask(&mut self, Ask { id, group, pairs }: Ask) {
        if pairs > 0 {
            let group = self.group(group);
            self.asks.push(Asked { id, group, left: pairs, open: pairs, losses: 0 });
        }
    }

    /// Drops the pairs of a request that were not given out yet. Running ones are finished.
    pub fn cancel(&mut self, id: AskId) {
        for ask in self.asks.iter_mut().filter(|ask| ask.id == id) {
            ask.open -= std::mem::take(&mut ask.left);
        }
        self.asks.retain(|ask| ask.open > 0);
    }

    /// Identity of a player.
    ///
    /// # Panics
    /// Panics if the player is not of this ladder.
    pub fn entrant(&self, player: Player) -> &Entrant {
        &self.slots[player.index()].entrant
    }

    /// Number of a version that plays or played here.
    pub fn player(&self, version: VersionId) -> Option<Player> {
        self.of_version.get(&version).copied()
    }

    /// Tasks that are being played, by their numbers.
    pub fn running(&self) -> impl Iterator<Item = Task> {
        self.running.values().map(|running| running.task)
    }

    fn push(&mut self, slot: Slot) -> Player {
        self.slots.push(slot);
        Player(self.slots.len() as u32 - 1)
    }

    fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.slots.len() as u32).map(Player)
    }

    /// Index of a group. Adds the group if it is new.
    fn group(&mut self, group: GroupId) -> usize {
        let next = self.groups.len();
        let index = *self.groups.entry(group).or_insert(next);
        if index == next {
            self.group_accounts.add();
            self.asked_accounts.add();
        }
        index
    }

    /// Versions of the same bot, in the order in which they came.
    fn of_entry(&self, newcomer: &Newcomer) -> impl Iterator<Item = Player> {
        let entry = newcomer.entry;
        self.players().filter(move |player| {
            self.slots[player.index()].entrant.version().is_some_and(|own| own.entry == entry)
        })
    }

    /// Expected strength of a version: its predecessor's, or the mean.
    fn expected(&self, predecessor: Option<Player>) -> (f64, f64) {
        if let Some(player) = predecessor.map(Player::index) {
            let change = self.settings.version_change / scale();
            let variance = self.known.variance(player) + change * change;
            return (self.known.strength(player), variance.min(Knowledge::UNKNOWN));
        }
        let active = self.players().map(Player::index).filter(|&player| {
            let slot = &self.slots[player];
            slot.is_active && slot.group.is_some()
        });
        let strengths: Vec<f64> = active.map(|player| self.known.strength(player)).collect();
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        let strength = if mean.is_finite() { mean } else { Model::default().mean / scale() };
        (strength, Knowledge::UNKNOWN)
    }

    /// Ties of all versions to their predecessors.
    fn ties(&self) -> Vec<Tie> {
        let within = self.settings.version_change;
        let tie = |(newer, slot): (u32, &Slot)| {
            slot.predecessor.map(|older| Tie { older: older.0, newer, within })
        };
        (0..).zip(&self.slots).filter_map(tie).collect()
    }
}

/// Rating points of one natural unit of strength.
fn scale() -> f64 {
    Model::default().scale
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}
