//! Bot roster: numbers for the bots of a tournament, so that games can be counted without names.

use std::collections::BTreeMap;

use pitmaster_core::{BotId, BotName, BySide};

/// Ordered list of all bots of a tournament; a bot's number is its index, from 0.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    bots: Vec<BotId>,
    numbers: BTreeMap<BotId, u32>,
}

impl Roster {
    /// Numbers the bots in the order given; a repeated bot keeps its first number.
    pub fn new(bots: impl IntoIterator<Item = BotId>) -> Self {
        let mut roster = Self::default();
        for bot in bots {
            if !roster.numbers.contains_key(&bot) {
                roster.numbers.insert(bot.clone(), roster.bots.len() as u32);
                roster.bots.push(bot);
            }
        }
        roster
    }

    /// Number of a bot; `None` for one that is not (or no longer) in the tournament, including a
    /// former version of a bot.
    pub fn number(&self, bot: &BotId) -> Option<u32> {
        self.numbers.get(bot).copied()
    }

    /// Numbers of two bots; `None` unless both are in the roster.
    pub fn numbers(&self, bots: &BySide<BotId>) -> Option<BySide<u32>> {
        Some(BySide::new(self.number(&bots.one)?, self.number(&bots.two)?))
    }

    /// Bot with a number.
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn bot(&self, number: u32) -> &BotId {
        &self.bots[number as usize]
    }

    /// Name of a bot.
    ///
    /// # Panics
    /// Panics if there is no such number.
    pub fn name(&self, number: u32) -> &BotName {
        &self.bot(number).name
    }

    /// Number of bots.
    pub fn len(&self) -> usize {
        self.bots.len()
    }

    /// Whether there are no bots.
    pub fn is_empty(&self) -> bool {
        self.bots.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::BotHash;

    use super::*;

    #[test]
    fn another_version_of_a_bot_is_another_bot() {
        let bot = |name: &str, files: &str| BotId {
            name: name.parse().unwrap(),
            hash: BotHash::of(files.as_bytes()),
        };
        let roster = Roster::new([bot("b", "1"), bot("a", "1"), bot("b", "1")]);
        assert_eq!(roster.len(), 2);
        assert_eq!(roster.number(&bot("a", "1")), Some(1));
        assert_eq!(roster.number(&bot("a", "2")), None);
        assert_eq!(roster.name(0).as_str(), "b");
    }
}
