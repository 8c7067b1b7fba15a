//! Bot names for tables, by the bots' numbers, as text that is safe to show.

use pitmaster_core::{BotId, Untrusted};
use pitmaster_ratings::Roster;

/// Maximum length of a displayed display name, in characters.
const DISPLAY: usize = 80;

/// Names of all bots.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<Name>);

#[derive(Debug, Clone, Default)]
struct Name {
    shown: String,
    hash: String,
    display: String,
}

impl Names {
    /// Names of a tournament's bots, with their display names.
    pub fn of(roster: &Roster, displays: &[Untrusted]) -> Self {
        let name = |(number, bot): (usize, &BotId)| Name {
            shown: bot.name.to_string(),
            hash: bot.hash.as_str().to_owned(),
            display: displays.get(number).map(|text| text.shown(DISPLAY)).unwrap_or_default(),
        };
        Self((0..roster.len()).map(|n| name((n, roster.bot(n as u32)))).collect())
    }

    /// Adds a bot by its name as written in a file, with its hash if known. Its number is the
    /// previous number of bots.
    pub fn push(&mut self, name: &str, hash: &str) {
        let shown = |text: &str| Untrusted::new(text).shown(DISPLAY);
        self.0.push(Name { shown: shown(name), hash: shown(hash), display: String::new() });
    }

    /// The name of a bot.
    ///
    /// # Panics
    /// If there is no bot with that number.
    pub fn name(&self, bot: u32) -> &str {
        &self.0[bot as usize].shown
    }

    /// Hash of a bot's submission; empty if unknown.
    pub(super) fn hash(&self, bot: u32) -> &str {
        &self.0[bot as usize].hash
    }

    /// Display name of a bot; empty if unknown.
    pub(super) fn display(&self, bot: u32) -> &str {
        &self.0[bot as usize].display
    }

    /// Number of the bot with that name.
    pub fn number(&self, name: &str) -> Option<u32> {
        let place = self.0.iter().position(|known| known.shown == name);
        place.map(|place| place as u32)
    }

    /// All names, by the bots' numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| &*known.shown)
    }

    /// Number of bots.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no bots.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
