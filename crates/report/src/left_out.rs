//! Left-out bots, which cannot play, with their reasons, so that no bot is dropped silently.

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{BotId, Fault, is_hidden};

use super::data_table::{Cell, Field, Heading, Listing};

/// Maximum number of bots named below a table; the table contains all.
const NAMED: usize = 20;

/// A bot that takes no part because it cannot play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Name of the bot and hash of its submission.
    pub id: BotId,
    /// Reason in lines, in English; empty if hidden from readers. Escaped by its writer.
    pub why: String,
}

impl LeftOut {
    /// Reason in lines, escaped again because it was read from a file.
    pub fn why(&self) -> String {
        self.why.chars().filter(|&c| c == '\n' || !is_hidden(c)).collect()
    }

    /// Reason in one line.
    fn reason(&self) -> String {
        let why = self.why();
        let first = why.lines().next().unwrap_or_default().trim_end_matches(':');
        if first.is_empty() { "it cannot play".to_owned() } else { first.to_owned() }
    }

    /// Reason, to follow the bot's name.
    pub(super) fn about(&self) -> Message {
        said!("left out: {}", self.reason())
    }
}

/// Notes below a table about bots that are not in it.
pub fn left_out_notes(bots: &[LeftOut]) -> Vec<Message> {
    let note = |bot: &LeftOut| said!("{} was left out: {}", bot.id.name.as_str(), bot.reason());
    let more = bots.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| said!("{} more were left out; leaderboard.csv says why.", more));
    bots.iter().take(NAMED).map(note).chain(more).collect()
}

/// Table of the bots that were left out, with the reasons.
pub(super) fn left_out_table(bots: &[LeftOut]) -> Listing {
    let name = Heading::text("bot", said!("bot"), 9);
    let why = Heading::text(COLUMN, said!("left out because"), 9);
    let fields: Vec<Field<'_, LeftOut>> = vec![
        Field::new(name, |bot: &LeftOut| Cell::text(bot.id.name.as_str())),
        Field::new(why, |bot: &LeftOut| Cell::text(bot.reason())),
    ];
    Listing::new("left-out", fields, bots, Vec::new())
}

/// Name in files of the column with the reason.
pub(super) const COLUMN: &str = "left_out";

/// Returns whether a column of the leaderboard counts games.
fn is_count(column: &str) -> bool {
    ["games", "distinct", "wins", "draws", "losses", "forfeits"].contains(&column)
        || Fault::NAMES.contains(&column)
}

impl Listing {
    /// Adds a row for each bot that was left out, without a rank and without results, and a note
    /// with the reason.
    pub fn add_left_out(&mut self, bots: &[LeftOut]) {
        for bot in bots {
            self.add_row(|column| match column {
                "rank" => Cell::nothing().shown("-"),
                "bot" => Cell::text(bot.id.name.as_str()),
                "hash" => Cell::text(bot.id.hash.as_str()),
                COLUMN => Cell::text(bot.reason()),
                "points" => Cell::number("0.00").shown(""),
                name if is_count(name) => Cell::number(0).shown(""),
                _ => Cell::nothing(),
            });
        }
        for note in left_out_notes(bots) {
            self.note(note);
        }
    }
}
