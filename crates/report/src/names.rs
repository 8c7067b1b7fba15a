//! Bot names for tables, by the bots' numbers, as text that is safe to show.

use pitmaster_core::{BotId, Untrusted};
use pitmaster_ratings::Roster;

/// How much of a display name is shown, in characters.
const DISPLAY: usize = 80;

/// Every bot's names.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<Name>);

#[derive(Debug, Clone, Default)]
struct Name {
    shown: String,
    hash: String,
    display: String,
}

impl Names {
    /// Of the bots of a tournament, with what they call themselves.
    pub fn of(roster: &Roster, displays: &[Untrusted]) -> Self {
        let name = |(number, bot): (usize, &BotId)| Name {
            shown: bot.name.to_string(),
            hash: bot.hash.as_str().to_owned(),
            display: displays.get(number).map(|text| text.shown(DISPLAY)).unwrap_or_default(),
        };
        Self((0..roster.len()).map(|n| name((n, roster.bot(n as u32)))).collect())
    }

    /// Adds a bot of which a name is known, as somebody wrote it, and perhaps its hash; its
    /// number is how many there were.
    pub fn push(&mut self, name: &str, hash: &str) {
        let shown = |text: &str| Untrusted::new(text).shown(DISPLAY);
        self.0.push(Name { shown: shown(name), hash: shown(hash), display: String::new() });
    }

    /// The name of a bot.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn name(&self, bot: u32) -> &str {
        &self.0[bot as usize].shown
    }

    /// The hash of what was handed in; empty if it is not known.
    pub(super) fn hash(&self, bot: u32) -> &str {
        &self.0[bot as usize].hash
    }

    /// What a bot calls itself; empty if it is not known.
    pub(super) fn display(&self, bot: u32) -> &str {
        &self.0[bot as usize].display
    }

    /// The number of a bot.
    pub fn number(&self, name: &str) -> Option<u32> {
        let place = self.0.iter().position(|known| known.shown == name);
        place.map(|place| place as u32)
    }

    /// All names, by the bots' numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| &*known.shown)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
