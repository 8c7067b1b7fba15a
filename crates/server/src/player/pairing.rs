//! Choice of the next pair of a ladder.

use std::collections::HashMap;

use pitmaster_core::BotId;

use super::ladders::OpenLadder;

/// The two bots whose pair is next; `None` if nobody is to play.
///
/// The version with the fewest pairs is next. It meets whoever of the other groups and the house
/// bots it has met least often.
pub(super) fn next_pair(open: &OpenLadder) -> Option<[BotId; 2]> {
    let met = met(open);
    let count = |a: &BotId, b: &BotId| met.get(&key(a, b)).copied().unwrap_or(0);
    let house: Vec<&BotId> = open.ladder.house().iter().map(|bot| bot.id()).collect();
    let versions: Vec<(&BotId, Option<_>)> =
        open.playing.iter().map(|it| (it.bot.id(), Some(it.group))).collect();
    let all: Vec<(&BotId, Option<_>)> =
        versions.iter().copied().chain(house.iter().map(|&bot| (bot, None))).collect();
    let pairs = |bot: &BotId| all.iter().map(|(other, _)| count(bot, other)).sum::<u32>();
    let (first, group) = *versions.iter().min_by_key(|(bot, _)| (pairs(bot), *bot))?;
    let others = all.iter().filter(|(bot, other)| *bot != first && *other != group);
    let (second, _) = others.min_by_key(|(bot, _)| (count(first, bot), pairs(bot), *bot))?;
    Some([first.clone(), (*second).clone()])
}

fn key(a: &BotId, b: &BotId) -> [BotId; 2] {
    if a < b { [a.clone(), b.clone()] } else { [b.clone(), a.clone()] }
}

/// Number of pairs of every two bots, those that lanes have included.
fn met(open: &OpenLadder) -> HashMap<[BotId; 2], u32> {
    let mut met: HashMap<[BotId; 2], u32> = HashMap::new();
    let history = &open.history;
    for game in &history.games {
        let [one, two] =
            [game.bots().one, game.bots().two].map(|bot| &history.bots[bot as usize]);
        *met.entry(key(one, two)).or_default() += 1;
    }
    // Two games are a pair.
    met.values_mut().for_each(|games| *games = games.div_ceil(2));
    for [one, two] in &open.out {
        *met.entry(key(one, two)).or_default() += 1;
    }
    met
}
