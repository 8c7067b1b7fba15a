//! Evidence of a grade: results of a bot in a tournament.

use std::collections::BTreeMap;

use pitmaster_core::BotName;

/// Evidence of a tournament.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// Bots of the class, by key.
    pub bots: BTreeMap<BotName, BotEvidence>,
    /// Number of pairs planned for each meeting, if meetings ended when their milestone was decided.
    pub planned_pairs: Option<u32>,
    /// House bots of the tournament, each with its Elo if the games determine it.
    pub house: BTreeMap<BotName, Option<f64>>,
    /// Ranks of the bots of the class that could play, from 1: one more than the number of bots
    /// whose Elo is significantly higher.
    pub ranks: BTreeMap<BotName, u32>,
}

/// Evidence of one bot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BotEvidence {
    /// Reason in lines why the bot cannot play; empty if it can.
    pub cannot_play: String,
    /// Number of games.
    pub games: u32,
    /// Number of forfeits by kind, without zeros.
    pub forfeits: Vec<(String, u32)>,
    /// Half points of distinct pairs against each house bot, in the order of the plan.
    pub pairs: BTreeMap<BotName, Vec<u8>>,
    /// Elo.
    pub elo: Option<EloEvidence>,
}

/// Elo with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloEvidence {
    /// Estimate.
    pub value: f64,
    /// Lower end; `None` if it is open.
    pub low: Option<f64>,
    /// Upper end; `None` if it is open.
    pub high: Option<f64>,
}

impl BotEvidence {
    /// Number of forfeits.
    pub fn forfeited(&self) -> u32 {
        self.forfeits.iter().map(|(_, count)| count).sum()
    }
}

impl Evidence {
    /// House bot named in a scheme, such as `greedy` or `house:greedy`.
    pub fn house_bot(&self, name: &str) -> Option<&BotName> {
        let place = BotName::find(name, self.house.keys().map(BotName::as_str))?;
        self.house.keys().nth(place)
    }
}
