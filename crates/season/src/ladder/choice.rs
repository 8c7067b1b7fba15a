//! Choice of the next task: the class, the group, its version, and the opponent.

use pitmaster_tournament::most;
use rand::RngExt as _;

use super::{Class, Ladder, Pair, Player, Running, Task, scale, seconds};
use crate::course::{AskId, Utc};

/// Number of classes, in order: validation, newcomers, asked, everybody.
pub(super) const CLASSES: usize = 4;
const VALIDATION: usize = 0;
const NEWCOMERS: usize = 1;
const ASKED: usize = 2;
const EVERYBODY: usize = 3;

/// Number of usual pairs by which a group may be ahead of the group that chooses it as an opponent.
const LEAD: f64 = 16.0;

/// Part of the information of a pair that each earlier pair of the same two players costs. Bots
/// repeat their games, and circles show only with many opponents.
const REMATCH: f64 = 0.2;

/// Half of a 95 % interval, in standard deviations.
pub(super) const HALF: f64 = 1.959_963_985;

/// Versions that could begin a rated pair.
struct Ready {
    newcomers: Vec<Player>,
    others: Vec<Player>,
}

impl Ladder {
    /// Work for a free lane. `None` if there is none now; ask again after a change, and
    /// periodically, because sleeping versions get a few pairs a day.
    pub fn next(&mut self, now: Utc) -> Option<Task> {
        let ready = self.ready(now);
        let all = ready.newcomers.iter().chain(&ready.others);
        let mut has_work = vec![false; self.groups.len()];
        for group in all.filter_map(|player| self.slots[player.index()].group) {
            has_work[group] = true;
        }
        self.group_accounts.update(|group| has_work[group]);
        let mut asking = vec![false; self.groups.len()];
        for ask in self.asks.iter().filter(|ask| ask.left > 0) {
            asking[ask.group] = true;
        }
        self.asked_accounts.update(|group| asking[group]);
        let has_work = [
            !self.validations.is_empty(),
            !ready.newcomers.is_empty(),
            asking.contains(&true),
            !ready.others.is_empty(),
        ];
        self.class_accounts.update(|class| has_work[class]);
        let class = self.class_accounts.least((0..CLASSES).filter(|&class| has_work[class]))?;
        let number = self.next;
        let task = match class {
            VALIDATION => Task::Validation { number, version: *self.validations.front()? },
            ASKED => Task::Asked { number, id: self.asked()? },
            NEWCOMERS => self.rated_pair(&ready.newcomers, Class::Newcomer)?,
            _ => self.rated_pair(&ready.others, Class::Everybody)?,
        };
        self.give(task, now, self.share(class, has_work));
        Some(task)
    }

    /// Restores a task that was given out before: one that was running at a restart, or whose
    /// outcome is recorded next. Tasks must be restored in order, with the instants at which they
    /// were given out.
    pub fn resume(&mut self, task: Task, began: Utc) {
        self.give(task, began, self.share(class_of(&task), [true; CLASSES]));
    }

    /// Share of a class while these have work.
    fn share(&self, class: usize, has_work: [bool; CLASSES]) -> f64 {
        let shares = &self.settings.shares;
        let own = [shares.validation, shares.newcomers, shares.asked];
        if class < EVERYBODY {
            return own[class].max(f64::MIN_POSITIVE);
        }
        let taken: f64 =
            (0..EVERYBODY).filter(|&other| has_work[other]).map(|other| own[other]).sum();
        (1.0 - taken).max(shares.everybody).max(f64::MIN_POSITIVE)
    }

    fn give(&mut self, task: Task, now: Utc, share: f64) {
        let number = task.number();
        self.next = self.next.max(number + 1);
        let charged = self.expected_time(&task);
        match task {
            Task::Validation { version, .. } => {
                self.validations.retain(|waiting| *waiting != version);
            }
            Task::Pair(pair) => self.begin(pair, now),
            Task::Asked { id, .. } => self.begin_asked(id),
        }
        let running = Running { task, charged, share };
        self.charge(&running, charged);
        self.running.insert(number, running);
    }

    fn begin_asked(&mut self, id: AskId) {
        if let Some(ask) = self.asks.iter_mut().find(|ask| ask.id == id) {
            ask.left = ask.left.saturating_sub(1);
            self.asked_accounts.charge(ask.group, 1.0);
        }
    }

    fn begin(&mut self, pair: Pair, now: Utc) {
        let Pair { number, a, b, .. } = pair;
        *self.meetings.entry(ordered(a, b)).or_default() += 1;
        for (own, other) in [(a, b), (b, a)] {
            self.slots[own.index()].begin(other, now, &self.settings);
        }
        self.expect(a, b);
        self.unfitted.insert(number, ([a, b], None));
    }

    /// Expected lane seconds of a task. A slow bot makes a slow pair.
    fn expected_time(&self, task: &Task) -> f64 {
        let Task::Pair(pair) = task else { return self.usual_time() };
        let mean = |player: Player| self.slots[player.index()].mean_time();
        mean(pair.a).max(mean(pair.b)).map_or_else(|| self.usual_time(), seconds)
    }

    /// Mean lane seconds of a pair.
    fn usual_time(&self) -> f64 {
        let (mean, pairs) = self.pair_time;
        if pairs > 0 { mean } else { seconds(self.settings.pair_time) }
    }

    /// Charges lane seconds of a task to its class and to its groups, half to each side's. A house
    /// bot has no group, so its opponent's group is charged in full.
    pub(super) fn charge(&mut self, running: &Running, amount: f64) {
        self.class_accounts.charge(class_of(&running.task), amount / running.share);
        let Task::Pair(pair) = running.task else { return };
        let group = |player: Player| self.slots[player.index()].group;
        let [a, b] = [group(pair.a), group(pair.b)];
        for payer in [a.or(b), b.or(a)].into_iter().flatten() {
            self.group_accounts.charge(payer, amount / 2.0);
        }
    }

    /// Versions that are awake and have an opponent.
    fn ready(&self, now: Utc) -> Ready {
        let mut active = vec![0; self.groups.len()];
        let mut all = 0;
        for slot in self.slots.iter().filter(|slot| slot.is_active) {
            all += 1;
            if let Some(group) = slot.group {
                active[group] += 1;
            }
        }
        let is_ready = |player: &Player| {
            let slot = &self.slots[player.index()];
            let has_opponent = slot.group.is_some_and(|group| active[group] < all);
            slot.is_active && has_opponent && !self.is_asleep(*player, now)
        };
        let ready = self.players().filter(is_ready);
        let (newcomers, others) =
            ready.partition(|player| self.slots[player.index()].is_newcomer(&self.settings));
        Ready { newcomers, others }
    }

    /// Whether more pairs would be of little information about a version that had its daily pairs.
    pub(super) fn is_asleep(&self, player: Player, now: Utc) -> bool {
        let slot = &self.slots[player.index()];
        let error = self.known.variance(player.index()).sqrt() * scale();
        let is_settled = HALF * error <= self.settings.known_within || slot.repeats_itself();
        is_settled && !slot.is_short(now, &self.settings) && !self.has_new_neighbor(player)
    }

    fn has_new_neighbor(&self, player: Player) -> bool {
        let own = (self.known.strength(player.index()), self.slots[player.index()].group);
        let near = self.settings.neighborhood / scale();
        self.slots.iter().enumerate().any(|(other, slot)| {
            slot.is_active
                && slot.is_newcomer(&self.settings)
                && slot.group != own.1
                && (self.known.strength(other) - own.0).abs() <= near
        })
    }

    /// Request of the next requested pair, with groups in turn.
    fn asked(&self) -> Option<AskId> {
        let waiting = || self.asks.iter().filter(|ask| ask.left > 0);
        let group = self.asked_accounts.least(waiting().map(|ask| ask.group))?;
        waiting().find(|ask| ask.group == group).map(|ask| ask.id)
    }

    fn rated_pair(&self, ready: &[Player], class: Class) -> Option<Task> {
        let a = self.first(ready)?;
        Some(self.pair(a, self.opponent(a)?, class))
    }

    fn pair(&self, a: Player, b: Player, class: Class) -> Task {
        let meeting = self.meetings.get(&ordered(a, b)).map_or(1, |met| met + 1);
        Task::Pair(Pair { number: self.next, a, b, meeting, class })
    }

    /// Selects the version to play: first those without a pair, in order of arrival, then the least
    /// certain version of the group that was served least.
    fn first(&self, ready: &[Player]) -> Option<Player> {
        let slot = |player: &Player| &self.slots[player.index()];
        let new = ready.iter().filter(|player| slot(player).pairs == 0);
        if let Some(&first) = new.min_by_key(|player| slot(player).came) {
            return Some(first);
        }
        let group = self.group_accounts.least(ready.iter().filter_map(|it| slot(it).group))?;
        let own = ready.iter().filter(|player| slot(player).group == Some(group));
        let variance = |player: usize| self.known.variance(player);
        most(own.map(|player| player.index()), variance).map(|player| Player(player as u32))
    }

    /// Opponent of a version: sometimes at random, otherwise the most informative one.
    fn opponent(&self, player: Player) -> Option<Player> {
        let own = &self.slots[player.index()];
        let all = || {
            self.players().filter(|other| {
                let slot = &self.slots[other.index()];
                slot.is_active && slot.group != own.group
            })
        };
        let most_used = own.group.map_or(0.0, |group| self.group_accounts.used(group))
            + LEAD * self.usual_time();
        let is_due = |other: &Player| {
            let group = self.slots[other.index()].group;
            group.is_none_or(|group| self.group_accounts.used(group) <= most_used)
        };
        let mut candidates: Vec<Player> =
            all().filter(|other| !own.opponents.contains(other) && is_due(other)).collect();
        if candidates.is_empty() {
            candidates = all().collect();
        }
        let mut dice = self.seed.stream(&format!("ladder: task {}", self.next));
        if !candidates.is_empty() && dice.random_bool(self.settings.by_lot.clamp(0.0, 1.0)) {
            return Some(candidates[dice.random_range(0..candidates.len())]);
        }
        let gain = |other: usize| {
            let met = self.meetings.get(&ordered(player, Player(other as u32)));
            let fresh = 1.0 + REMATCH * f64::from(met.copied().unwrap_or(0));
            self.known.gain(player.index(), other) / fresh
        };
        most(candidates.iter().map(|other| other.index()), gain).map(|other| Player(other as u32))
    }
}

/// Index of a task's class.
pub(super) fn class_of(task: &Task) -> usize {
    match task {
        Task::Validation { .. } => VALIDATION,
        Task::Pair(Pair { class: Class::Newcomer, .. }) => NEWCOMERS,
        Task::Pair(Pair { class: Class::Everybody, .. }) => EVERYBODY,
        Task::Asked { .. } => ASKED,
    }
}

/// The two players, the lower number first.
pub(super) fn ordered(a: Player, b: Player) -> [Player; 2] {
    [a.min(b), a.max(b)]
}
