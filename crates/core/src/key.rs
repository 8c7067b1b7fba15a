//! Game key: the identity of a game in a tournament, from which its id and seed are derived.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::Bank;
use super::{BotId, BySide, Limits, Resources, Seed};

/// Everything that identifies a game of a tournament. It contains no list index, so bots can be
/// added or removed and shards can be played elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameKey {
    /// The rules with their options and version: `coloured-awale,both_40=off@1`.
    pub rules: String,
    /// Limits of the game.
    pub limits: Limits,
    /// Stage of the tournament, from 1.
    pub stage: u32,
    /// Round of the stage, from 1; 0 in formats without rounds.
    pub round: u32,
    /// Bot on each side.
    pub bots: BySide<BotId>,
    /// Texts of the steps made before the bots are asked, chance steps included, separated by
    /// spaces. Empty if there is no opening.
    pub opening: String,
    /// Number of the pair among the meetings of these two bots, from 1. The two games of a pair
    /// differ in the sides.
    pub pair: u32,
}

/// Game id: the first 64 bits of the hash of the game's key, as 16 hexadecimal digits. The digits
/// are stored inline, so the ids of ten million games take 160 MB.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId([u8; 16]);

impl GameKey {
    /// Rules without their version: the game with its non-default options.
    pub fn game(&self) -> &str {
        self.rules.rsplit_once('@').map_or(&*self.rules, |(game, _)| game)
    }

    /// Number of plies of the record that belong to the opening.
    pub fn opening_plies(&self) -> usize {
        self.opening.split_ascii_whitespace().count()
    }

    /// Id derived from the key.
    pub fn id(&self) -> GameId {
        let json = serde_json::to_vec(&Pinned::from(self)).expect("a key always serialises");
        let digits = blake3::hash(&json).to_hex();
        digits[..16].parse().expect("a hash is hexadecimal")
    }

    /// Seed of this game in a tournament with the given seed.
    pub fn seed(&self, tournament: Seed) -> Seed {
        tournament.derive(&format!("game {}", self.id()))
    }
}

/// Hash input of an id: the key in the form of the first version. It never changes, even if file
/// formats do, because stores contain ids.
#[derive(Serialize)]
struct Pinned<'k> {
    rules: &'k str,
    limits: PinnedLimits,
    stage: u32,
    round: u32,
    bots: &'k BySide<BotId>,
    opening: &'k str,
    pair: u32,
}

/// Limits with durations in nanoseconds.
#[derive(Serialize)]
struct PinnedLimits {
    per_move: Option<u64>,
    first_move: Option<u64>,
    start_up: u64,
    per_game: Option<u64>,
    plies: Option<u32>,
    bank: Option<PinnedBank>,
    margin: u64,
    /// Written only if not the default, because the first version had no resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<PinnedResources>,
}

#[derive(Serialize)]
struct PinnedBank {
    initial: u64,
    increment: u64,
}

/// Resources with sizes in bytes and the duration in nanoseconds.
#[derive(Serialize)]
struct PinnedResources {
    memory: u64,
    threads: u32,
    file_size: u64,
    output: u64,
    stderr: u64,
    cpu: Option<u64>,
    scratch: u64,
    processes: bool,
    pondering: bool,
    /// Added later, and omitted if unset so that earlier games keep their ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_cpu: Option<PinnedIdleCpu>,
}

#[derive(Serialize)]
struct PinnedIdleCpu {
    turn: Option<u64>,
    game: Option<u64>,
}

impl<'k> From<&'k GameKey> for Pinned<'k> {
    fn from(key: &'k GameKey) -> Self {
        let GameKey { rules, limits, stage, round, bots, opening, pair } = key;
        let (stage, round, pair) = (*stage, *round, *pair);
        Self { rules, limits: limits.into(), stage, round, bots, opening, pair }
    }
}

impl From<&Limits> for PinnedLimits {
    fn from(limits: &Limits) -> Self {
        let bank = |bank: Bank| PinnedBank {
            initial: nanos(bank.initial),
            increment: nanos(bank.increment),
        };
        Self {
            per_move: limits.per_move.map(nanos),
            first_move: limits.first_move.map(nanos),
            start_up: nanos(limits.start_up),
            per_game: limits.per_game.map(nanos),
            plies: limits.plies,
            bank: limits.bank.map(bank),
            margin: nanos(limits.margin),
            resources: (!limits.resources.is_default()).then(|| (&limits.resources).into()),
        }
    }
}

impl From<&Resources> for PinnedResources {
    fn from(resources: &Resources) -> Self {
        let Resources { memory, threads, file_size, output, stderr, .. } = *resources;
        let Resources { cpu, scratch, processes, pondering, .. } = *resources;
        let cpu = cpu.map(nanos);
        let idle_cpu = PinnedIdleCpu::of(resources);
        Self {
            memory,
            threads,
            file_size,
            output,
            stderr,
            cpu,
            scratch,
            processes,
            pondering,
            idle_cpu,
        }
    }
}

impl PinnedIdleCpu {
    /// Returns `None` for the default.
    fn of(resources: &Resources) -> Option<Self> {
        let allowances = |of: &Resources| (of.idle_cpu_turn, of.idle_cpu_game);
        let (turn, game) = allowances(resources);
        ((turn, game) != allowances(&Resources::default()))
            .then(|| Self { turn: turn.map(nanos), game: game.map(nanos) })
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl GameId {
    /// All 16 digits.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("digits are text")
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameId").field(&self.as_str()).finish()
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> Self {
        id.as_str().to_owned()
    }
}

impl TryFrom<String> for GameId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = <[u8; 16]>::try_from(text.as_bytes()).ok();
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let lower = digits.map(|digits| Self(digits.map(|digit| digit.to_ascii_lowercase())));
        lower.ok_or_else(|| format!("a game id is 16 hexadecimal digits, not {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotHash;

    fn key() -> GameKey {
        let bot = |name: &str| BotId {
            name: name.parse().expect("a name"),
            hash: BotHash::of(name.as_bytes()),
        };
        GameKey {
            rules: "coloured-awale@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 1,
            bots: BySide::new(bot("a"), bot("b")),
            opening: String::new(),
            pair: 1,
        }
    }

    #[test]
    fn the_id_is_pinned_because_stores_hold_it() {
        insta::assert_snapshot!(key().id(), @"77e9b491745c8f35");
        let mut other = key();
        other.limits.resources.scratch = 1;
        insta::assert_snapshot!(other.id(), @"11d16595d0e2881b");
    }

    #[test]
    fn every_resource_makes_another_game() {
        let changes: [fn(&mut Resources); 12] = [
            |resources| resources.memory += 1,
            |resources| resources.threads += 1,
            |resources| resources.file_size += 1,
            |resources| resources.output += 1,
            |resources| resources.stderr += 1,
            |resources| resources.cpu = None,
            |resources| resources.scratch += 1,
            |resources| resources.processes = true,
            |resources| resources.pondering = true,
            |resources| resources.idle_cpu_turn = None,
            |resources| resources.idle_cpu_game = None,
            |resources| resources.idle_cpu_game = resources.idle_cpu_turn,
        ];
        let changed = changes.map(|change| {
            let mut key = key();
            change(&mut key.limits.resources);
            key.id()
        });
        let different: std::collections::HashSet<_> =
            changed.iter().cloned().chain([key().id()]).collect();
        assert_eq!(different.len(), changed.len() + 1);
    }

    #[test]
    fn a_key_says_nothing_of_resources_that_are_the_default() {
        let written = serde_json::to_string(&key()).expect("JSON");
        assert!(!written.contains("resources"), "{written}");
        assert_eq!(serde_json::from_str::<GameKey>(&written).expect("a key"), key());
        let mut other = key();
        other.limits.resources.cpu = None;
        let written = serde_json::to_string(&other).expect("JSON");
        assert_eq!(serde_json::from_str::<GameKey>(&written).expect("a key"), other);
    }

    #[test]
    fn a_key_written_before_there_were_allowances_has_the_default_ones() {
        let mut other = key();
        other.limits.resources.scratch = 1;
        let mut json = serde_json::to_value(&other).expect("JSON");
        let resources = json["limits"]["resources"].as_object_mut().expect("not the default");
        for name in ["idle_cpu_turn_ns", "idle_cpu_game_ns"] {
            assert!(resources.remove(name).is_some(), "{name}");
        }
        let read: GameKey = serde_json::from_value(json).expect("a key");
        assert_eq!((read.id(), &read), (other.id(), &other));
    }

    #[test]
    fn sides_and_pairs_make_different_games() {
        let swapped = GameKey { bots: key().bots.swapped(), ..key() };
        let next = GameKey { pair: 2, ..key() };
        assert_ne!(key().id(), swapped.id());
        assert_ne!(key().id(), next.id());
        assert_ne!(key().seed(Seed(1)), key().seed(Seed(2)));
    }

    #[test]
    fn an_id_is_sixteen_digits() {
        let id = key().id();
        assert_eq!(id.as_str().to_ascii_uppercase().parse(), Ok(id.clone()));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<GameId>(&format!("\"{id}\"")).unwrap(), id);
        for wrong in
            ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg", "é123456789abcde"]
        {
            let fault = wrong.parse::<GameId>().unwrap_err();
            assert!(fault.starts_with("a game id is 16 hexadecimal digits, not "), "{fault}");
            assert!(serde_json::from_str::<GameId>(&format!("\"{wrong}\"")).is_err());
        }
    }
}
