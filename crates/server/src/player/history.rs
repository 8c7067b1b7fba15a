//! History of a ladder: replays the stored games into the ladder after a restart.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use pitmaster_core::{BotId, BySide, Seed};
use pitmaster_season::course::{Action, CourseId, Utc};
use pitmaster_season::ladder::{
    Class, Ladder, LadderSettings, Newcomer, Outcome, Pair, PlayedGame, Player, Task,
};
use pitmaster_store::Outcome as Stored;

use super::remote::remote_newcomer;
use super::{PlayerError, Shared, server};
use crate::database::{Bot, DatabaseError, Version};

/// Assumed lane time of a stored pair.
const PAIR_TIME: Duration = Duration::from_secs(10);

/// Ladder with its players, as reconstructed from the store.
#[derive(Debug)]
pub(super) struct History {
    pub(super) ladder: Ladder,
    pub(super) players: BTreeMap<Player, BotId>,
    numbers: HashMap<BotId, Player>,
    /// Versions by name and hash, with their time of arrival.
    versions: HashMap<BotId, (Newcomer, Utc)>,
    /// Games whose pair is incomplete.
    halves: HashMap<([BotId; 2], u32), Stored>,
    /// Number of the next task.
    next: u64,
    /// Whether the players are remote entrants, which the database does not know.
    is_remote: bool,
}

impl History {
    /// Ladder of house bots, with the versions that may have played on it.
    pub(super) fn new<'a>(
        seed: Seed,
        marks: impl IntoIterator<Item = (&'a BotId, f64)>,
        versions: HashMap<BotId, (Newcomer, Utc)>,
    ) -> Self {
        let mut history = Self {
            ladder: Ladder::new(LadderSettings::default(), seed),
            players: BTreeMap::new(),
            numbers: HashMap::new(),
            halves: HashMap::new(),
            versions,
            next: 1,
            is_remote: false,
        };
        for (id, elo) in marks {
            let player = history.ladder.add_house(id.name.as_str(), elo);
            history.register(player, id);
        }
        history
    }

    /// Ladder of house bots and remote entrants.
    pub(super) fn of_remote<'a>(
        seed: Seed,
        marks: impl IntoIterator<Item = (&'a BotId, f64)>,
    ) -> Self {
        Self { is_remote: true, ..Self::new(seed, marks, HashMap::new()) }
    }

    /// Whether the players are remote entrants.
    pub(super) fn is_of_remote(&self) -> bool {
        self.is_remote
    }

    /// Number of the next pair.
    pub(super) fn next_pair(&self) -> u64 {
        self.next
    }

    fn register(&mut self, player: Player, id: &BotId) {
        self.numbers.insert(id.clone(), player);
        self.players.insert(player, id.clone());
    }

    /// Adds a stored game. A pair counts once both of its games are added.
    pub(super) fn add(&mut self, game: Stored) {
        let mut ids = [game.key.bots.one.clone(), game.key.bots.two.clone()];
        ids.sort();
        let key = (ids, game.key.pair);
        let Some(first) = self.halves.remove(&key) else {
            self.halves.insert(key, game);
            return;
        };
        self.add_pair(&first, &game);
    }

    fn add_pair(&mut self, first: &Stored, second: &Stored) {
        let bots: &BySide<BotId> = &first.key.bots;
        let (Some(a), Some(b)) = (self.player(&bots.one), self.player(&bots.two)) else { return };
        let [Some(one), Some(two)] = [first, second].map(played) else { return };
        let (number, meeting, class) = (self.next, first.key.pair, Class::Everybody);
        self.next += 1;
        self.ladder.resume(Task::Pair(Pair { number, a, b, meeting, class }), Utc::default());
        let outcome = Outcome::Pair { games: [one, two], lane_time: PAIR_TIME };
        // The pair was issued one line above.
        let _ = self.ladder.record(number, outcome);
    }

    /// Player of a bot; `None` if the database has no such version.
    fn player(&mut self, id: &BotId) -> Option<Player> {
        if let Some(player) = self.numbers.get(id) {
            return Some(*player);
        }
        let (newcomer, arrived) = match self.versions.get(id) {
            Some(known) => *known,
            None if self.is_remote => (remote_newcomer(id), Utc::default()),
            None => return None,
        };
        let player = self.ladder.add(arrived, newcomer);
        self.register(player, id);
        Some(player)
    }

    /// Returns the ladder with only the house bots on it. The database decides which versions play.
    pub(super) fn finish(mut self) -> (Ladder, BTreeMap<Player, BotId>) {
        for (newcomer, _) in self.versions.values() {
            self.ladder.remove(newcomer.version);
        }
        (self.ladder, self.players)
    }
}

/// Converts a stored game for the ladder.
fn played(game: &Stored) -> Option<PlayedGame> {
    PlayedGame::new(&game.ending, game.fingerprint, game.moved)
}

/// Converts a version for the ladder.
pub(super) fn newcomer(version: &Version, is_ranked: bool) -> Newcomer {
    Newcomer { version: version.id, entry: version.bot, group: version.group, is_ranked }
}

impl Shared {
    /// All versions of a course with unpacked files, by name and hash.
    pub(super) fn all_versions(
        &self,
        course: CourseId,
    ) -> Result<HashMap<BotId, (Newcomer, Utc)>, PlayerError> {
        let mut all = HashMap::new();
        for bot in self.bots(course)? {
            let versions = self.database.versions(bot.id).wait()?.into_iter();
            let mut versions: Vec<_> =
                versions.filter_map(|it| it.open(&server(), Action::ViewResults).ok()).collect();
            // Of versions with the same files, the first one played. If that one failed or was
            // refused or withdrawn, a later one did.
            versions.sort_by_key(|version| (!version.stands_for_its_files(), version.number));
            for version in versions {
                let Some(hash) = version.hash.clone() else { continue };
                let id = BotId { name: version.name.clone(), hash };
                let known = (newcomer(&version, bot.is_ranked), version.received);
                all.entry(id).or_insert(known);
            }
        }
        Ok(all)
    }

    /// Bots of a course.
    pub(super) fn bots(&self, course: CourseId) -> Result<Vec<Bot>, DatabaseError> {
        let bots = self.database.bots(course).wait()?.into_iter();
        Ok(bots.filter_map(|bot| bot.open(&server(), Action::ViewResults).ok()).collect())
    }
}
