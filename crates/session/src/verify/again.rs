//! Replays by the same bots, compared with the record move by move.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::submission::{Naming, Options, PrepareError};
use pitmaster_core::{BotId, BotName, BySide, Fault, GameId, Record, Side, shuffle};
use pitmaster_games::DynGame;
use pitmaster_runner::{self as runner, Entrant, OneGame, Stopping};
use pitmaster_store::{KnownBot, Reader, Selection};
use pitmaster_tournament::Tournament;

use super::VerifyOptions;
use crate::observer::Steps;
use crate::results::Results;
use crate::{Error, Observer, Task, cores, dialect_trial, guard, helper, house, isolation};

/// Number of replays before a bot is reported to play differently than recorded.
const PROOFS: usize = 3;

/// Maximum number of pairs tried per requested pair. Nondeterministic bots prove nothing.
const LOOKED_AT: usize = 4;

/// A replayed game.
#[derive(Debug, Clone)]
pub struct Again {
    /// The game.
    pub game: GameId,
    /// Its bots.
    pub bots: BySide<BotName>,
    /// Outcome of the replay.
    pub outcome: AgainOutcome,
}

/// Outcome of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgainOutcome {
    /// All moves and the ending are those of the record.
    Same,
    /// A bot makes different moves each time, so the comparison proves nothing.
    Unsteady {
        /// The bot.
        bot: BotName,
        /// First ply that differs, from 1.
        ply: usize,
    },
    /// A bot makes the same moves each time, but different ones than recorded.
    Differs {
        /// The bot.
        bot: BotName,
        /// First ply that differs, from 1.
        ply: usize,
        /// The recorded move; empty if the game had ended.
        recorded: String,
        /// The move now; empty if the game has ended.
        now: String,
    },
    /// The game cannot be replayed.
    Impossible {
        /// The reason.
        why: String,
    },
}

/// Replays the requested pairs.
pub(super) fn play(options: &VerifyOptions, observer: &dyn Observer) -> Result<Vec<Again>, Error> {
    if options.pairs == 0 && options.games.is_empty() {
        return Ok(Vec::new());
    }
    helper::require()?;
    let results = Results::open(&options.folder)?;
    let bots = Reader::open(&options.folder)?.bots()?;
    let tournament = results.tournament();
    let (resources, require) = (&tournament.limits.resources, &tournament.require);
    let require = options.isolation.required(|| require.clone());
    let tier = options.isolation.tier(tournament.isolation);
    let sandbox = isolation::choose(tier, &require, resources, observer)?;
    let _guard = guard::start();
    let (layout, _) = cores::reserve_one(&options.cores, observer)?;
    let known = bots.into_iter().map(|bot| (bot.id.clone(), bot)).collect();
    let mut table = Table {
        tournament,
        store: options.folder.join("bots"),
        known,
        build: Options::of_this_machine(&sandbox),
        seated: BTreeMap::new(),
        unsteady: BTreeSet::new(),
    };
    let core = layout.lanes[0];
    // On the core of a lane, from a thread that outlives the bots it starts.
    std::thread::scope(|scope| {
        let played = scope.spawn(|| {
            runner::move_to(&[core]);
            table.play_all(options, observer)
        });
        played.join().unwrap_or_else(|_| Err(Error::Internal("a game panicked".into())))
    })
}

/// Replaying bots, prepared on demand.
struct Table<'a> {
    tournament: &'a Tournament,
    store: PathBuf,
    known: BTreeMap<BotId, KnownBot>,
    build: Options,
    seated: BTreeMap<BotId, Result<Entrant, String>>,
    /// Bots that do not repeat their moves.
    unsteady: BTreeSet<BotId>,
}

impl Table<'_> {
    fn play_all(
        &mut self,
        options: &VerifyOptions,
        observer: &dyn Observer,
    ) -> Result<Vec<Again>, Error> {
        let reader = &Reader::open(&options.folder)?;
        let wanted = options.games.len() + options.pairs;
        let steps = Steps::new(observer, Task::PlayAgain, wanted as u64);
        let (mut again, mut done) = (Vec::new(), HashSet::new());
        for id in &options.games {
            again.extend(self.play_pair(id, reader, &mut done)?);
            steps.step("");
        }
        let mut ids: Vec<_> = reader.valid_ids()?.into_iter().collect();
        ids.sort();
        shuffle(&mut ids, &mut self.tournament.seed.stream("verify"));
        let mut left = options.pairs;
        for id in ids.iter().take(2 * LOOKED_AT * options.pairs) {
            if left == 0 {
                break;
            }
            if done.contains(id) || self.is_unsteady(id, reader)? {
                continue;
            }
            let pair = self.play_pair(id, reader, &mut done)?;
            let proves = |again: &Again| {
                matches!(again.outcome, AgainOutcome::Same | AgainOutcome::Differs { .. })
            };
            if pair.iter().any(proves) {
                left -= 1;
                steps.step("");
            }
            again.extend(pair);
        }
        Ok(again)
    }

    fn is_unsteady(&self, id: &GameId, reader: &Reader) -> Result<bool, Error> {
        let Some(attempt) = reader.load(id)? else { return Ok(true) };
        Ok(attempt.record.key.bots.iter().any(|bot| self.unsteady.contains(bot)))
    }

    fn play_pair(
        &mut self,
        id: &GameId,
        reader: &Reader,
        done: &mut HashSet<GameId>,
    ) -> Result<Vec<Again>, Error> {
        let mut again = Vec::new();
        for game in reader.valid_of(&Selection::Pair(id.clone()))? {
            if done.insert(game.clone())
                && let Some(attempt) = reader.load(&game)?
            {
                let bots = attempt.record.key.bots.as_ref().map(|bot| bot.name.clone());
                let outcome = self.play_game(&attempt.record);
                again.push(Again { game, bots, outcome });
            }
        }
        Ok(again)
    }

    fn play_game(&mut self, record: &Record) -> AgainOutcome {
        if record
            .ending
            .fault_of(Side::One)
            .or(record.ending.fault_of(Side::Two))
            .is_some_and(|fault| fault.is_overrun() || matches!(fault, Fault::WouldNotStart { .. }))
        {
            return AgainOutcome::Impossible { why: "it ended by time or without a start".into() };
        }
        for side in Side::BOTH {
            self.seat(&record.key.bots[side]);
        }
        let seated = BySide::from_fn(|side| &self.seated[&record.key.bots[side]]);
        let (one, two) = match (seated.one, seated.two) {
            (Ok(one), Ok(two)) => (one, two),
            (Err(why), _) | (_, Err(why)) => {
                return AgainOutcome::Impossible { why: why.clone() };
            }
        };
        let game = OneGame {
            key: record.key.clone(),
            game: &self.tournament.game,
            seed: self.tournament.seed,
            entrants: BySide::new(one, two),
            stopping: Stopping::Adaptive,
        };
        let outcome = compared(record, || game.play(|_| {}));
        if let AgainOutcome::Unsteady { bot, .. } = &outcome {
            self.unsteady.extend(record.key.bots.iter().find(|id| id.name == *bot).cloned());
        }
        outcome
    }

    /// Prepares a bot from its snapshot in the results folder.
    fn seat(&mut self, id: &BotId) {
        if self.seated.contains_key(id) {
            return;
        }
        let entrant = match self.known.get(id) {
            None => Err(format!("{} is not known here", id.name)),
            Some(bot) => prepare(bot, &self.store, &self.tournament.game, &self.build),
        };
        self.seated.insert(id.clone(), entrant);
    }
}

fn prepare(
    bot: &KnownBot,
    store: &Path,
    game: &Arc<dyn DynGame>,
    options: &Options,
) -> Result<Entrant, String> {
    let naming = Naming { name: Some(bot.id.name.clone()), display: Some(bot.display.clone()) };
    let entrant = if let Some(name) = house::name_in(Path::new(&bot.path)) {
        let house = house::HouseBot::named(name, false)?;
        let command = house.command(naming, options).map_err(|fault| fault.to_string())?;
        house.entrant(command)
    } else {
        let source = store.join(bot.id.hash.as_str()).join("src");
        if !source.is_dir() {
            return Err(format!("the files of {} are gone", bot.id.name));
        }
        match dialect_trial::prepare(&source, naming, store, game, options) {
            Ok((prepared, _)) => Entrant::process(prepared.command),
            Err(PrepareError::Bot(unfit)) => return Err(unfit.to_string()),
            Err(PrepareError::Store(fault)) => return Err(fault.to_string()),
        }
    };
    if entrant.id == bot.id {
        Ok(entrant)
    } else {
        Err(format!(
            "this version of Pitmaster has another {}, or its endgame table has changed",
            bot.id.name
        ))
    }
}

/// Replays until the record is reproduced, the bots contradict themselves, or the maximum number of
/// replays is reached.
fn compared(record: &Record, mut play: impl FnMut() -> Record) -> AgainOutcome {
    let first = play();
    if record_difference(record, &first).is_none() {
        return AgainOutcome::Same;
    }
    for _ in 1..PROOFS {
        let next = play();
        if let Some(at) = record_difference(&first, &next) {
            let bot = mover(&first, &next, at);
            return AgainOutcome::Unsteady { bot, ply: at + 1 };
        }
    }
    let at = record_difference(record, &first).unwrap_or_default();
    let text =
        |record: &Record| record.plies.get(at).map_or(String::new(), |ply| ply.text.to_string());
    AgainOutcome::Differs {
        bot: mover(record, &first, at),
        ply: at + 1,
        recorded: text(record),
        now: text(&first),
    }
}

/// Index of the first ply in which two games differ; their number if only the endings do.
fn record_difference(one: &Record, two: &Record) -> Option<usize> {
    let differs = one.moves().zip(two.moves()).position(|(one, two)| one != two);
    let shorter = one.plies.len().min(two.plies.len());
    let is_timed = |record: &Record| {
        Side::BOTH
            .into_iter()
            .any(|side| record.ending.fault_of(side).is_some_and(Fault::is_overrun))
    };
    if differs.is_some() || is_timed(one) || is_timed(two) {
        return differs;
    }
    let is_same = one.plies.len() == two.plies.len() && one.ending.name() == two.ending.name();
    (!is_same).then_some(shorter)
}

/// The bot to move at the difference.
fn mover(one: &Record, two: &Record, at: usize) -> BotName {
    let by = [one, two].into_iter().find_map(|record| record.plies.get(at)?.by);
    let forfeit = || {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| [one, two].iter().any(|record| record.ending.fault_of(*side).is_some()))
    };
    one.key.bots[by.or_else(forfeit).unwrap_or(Side::One)].name.clone()
}

#[cfg(test)]
mod tests {
    use pitmaster_referee::fixtures::random_game;

    use super::*;

    fn with(record: &Record, at: usize, text: &str) -> Record {
        let mut other = record.clone();
        other.plies[at].text = text.into();
        other
    }

    fn outcome(record: &Record, played: &[Record]) -> AgainOutcome {
        let mut played = played.iter().cycle();
        compared(record, || played.next().unwrap().clone())
    }

    #[test]
    fn only_a_bot_that_repeats_itself_is_said_to_differ() {
        let record = random_game(6);
        assert_eq!(outcome(&record, std::slice::from_ref(&record)), AgainOutcome::Same);
        let other = with(&record, 3, "x");
        let name = record.key.bots[record.plies[3].by.unwrap()].name.clone();
        let differs = outcome(&record, std::slice::from_ref(&other));
        let AgainOutcome::Differs { bot, ply: 4, recorded, now } = differs else {
            panic!("{differs:?}")
        };
        assert_eq!((bot, now.as_str()), (name.clone(), "x"));
        assert_eq!(*recorded, *record.plies[3].text);
        let unsteady = AgainOutcome::Unsteady { bot: name, ply: 4 };
        let third = with(&record, 3, "y");
        assert_eq!(outcome(&record, &[other.clone(), third.clone()]), unsteady);
        assert_eq!(outcome(&record, &[other.clone(), record.clone()]), unsteady);
        assert_eq!(outcome(&record, &[other.clone(), other, third]), unsteady);
    }

    #[test]
    fn another_ending_is_a_difference() {
        let record = random_game(6);
        let mut shorter = record.clone();
        shorter.plies.pop();
        assert_eq!(record_difference(&record, &shorter), Some(5));
        assert_eq!(record_difference(&record, &record), None);
    }
}
