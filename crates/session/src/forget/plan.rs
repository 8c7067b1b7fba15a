//! Pseudonym and place of a forgotten bot in the plan of a tournament, which must not change for
//! others.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use pitmaster_core::{BotName, BySide, GameKey, Side};
use pitmaster_ratings::Game;
use pitmaster_store::Forgetting;

use crate::Error;
use crate::results::Results;

/// Maximum number of pseudonyms tried. Formats that draw by names keep their plan only with some of
/// them.
const TRIED: usize = 5000;

/// Random pseudonym that leaves the plans of all tournaments unchanged.
pub(super) fn pseudonym(results: &[Results], key: &BotName) -> Result<BotName, Error> {
    let taken: HashSet<&BotName> = results.iter().flat_map(Results::bot_names).collect();
    let plans = results.iter().map(|results| Plan::of(results, key));
    let plans: Vec<_> = plans.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    for _ in 0..TRIED {
        let name = random()?;
        if !taken.contains(&name) && plans.iter().all(|plan| plan.stays_with(&name)) {
            return Ok(name);
        }
    }
    Err(Error::stopped(
        "no pseudonym was found with which the draw of the tournament stays the same; nothing was \
         changed; try again, or delete the results",
    ))
}

fn random() -> Result<BotName, Error> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::Internal(format!("no random numbers: {error}")))?;
    Ok(BotName::tamed(&format!("forgotten-{:08x}", u32::from_le_bytes(bytes))))
}

/// The names in the order of the plan, with the pseudonym.
pub(super) fn order(results: &Results, forgetting: &Forgetting) -> Vec<BotName> {
    let renamed = |name: &BotName| {
        if *name == forgetting.name { forgetting.pseudonym.clone() } else { name.clone() }
    };
    results.bot_names().map(renamed).collect()
}

/// Games of a tournament whose format draws by names.
struct Plan<'r> {
    results: &'r Results,
    key: BotName,
    games: HashMap<GameKey, Option<Game>>,
}

impl<'r> Plan<'r> {
    /// Plan of a tournament in which the bot takes part.
    fn of(results: &'r Results, key: &BotName) -> Result<Option<Self>, Error> {
        if !results.bot_names().any(|name| name == key) {
            return Ok(None);
        }
        let number = |name: &BotName| results.bot_names().position(|bot| bot == name);
        let mut games = HashMap::new();
        results.for_each(|attempt| {
            let record = attempt.record;
            let [one, two] = Side::BOTH.map(|side| number(&record.key.bots[side].name));
            if let (Some(one), Some(two)) = (one, two) {
                let bots = BySide::new(one as u32, two as u32);
                let fingerprint = || record.fingerprint();
                let game = Game::between(&record.key, &record.ending, fingerprint, bots);
                games.insert(record.key, game);
            }
            Ok(())
        })?;
        Ok(Some(Self { results, key: key.clone(), games }))
    }

    /// Whether the plan contains the same games after a renaming.
    fn stays_with(&self, name: &BotName) -> bool {
        let rename = |from: &BotName, to: &BotName, key: &GameKey| {
            let mut key = key.clone();
            for side in Side::BOTH {
                if key.bots[side].name == *from {
                    key.bots[side].name.clone_from(to);
                }
            }
            key
        };
        let Ok((bots, kept)) = self.results.renamed(&self.key, name) else { return false };
        let mut left = self.games.len();
        let walked = self.results.tournament().walk(bots, &kept, |key, _| {
            match self.games.get(&rename(name, &self.key, key)) {
                Some(game) => {
                    left -= 1;
                    if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(*game) }
                }
                None => ControlFlow::Continue(None),
            }
        });
        drop(walked);
        left == 0
    }
}
