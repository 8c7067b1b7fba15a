//! Dialect trial for bots without a manifest: which file was chosen as the bot, and which dialect
//! it speaks.

use std::path::Path;
use std::sync::Arc;

use pitmaster_bots::submission::{
    self, Guess, Naming, Options, PrepareError, Prepared, shown_path,
};
#[cfg(feature = "cluster")]
use pitmaster_core::BotName;
use pitmaster_games::DynGame;
use pitmaster_runner::{Entrant, first_that_answers};

use crate::game;

/// Prepares a bot that can play and reports remarks about it. For a bot without a manifest the
/// remarks name the chosen file and the dialect.
///
/// # Errors
/// As [`submission::prepare`].
pub(crate) fn prepare(
    path: &Path,
    naming: Naming,
    store: &Path,
    game: &Arc<dyn DynGame>,
    options: &Options,
) -> Result<(Prepared, Option<String>), PrepareError> {
    let mut prepared = submission::prepare(path, naming, store, &game::name_of(&**game), options)?;
    let Some(guess) = prepared.guess.clone() else { return Ok((prepared, None)) };
    if !prepared.is_settled {
        let ways = guess.ways.iter().map(|way| (way, Entrant::process(prepared.spoken_to(way))));
        if let Some(way) = first_that_answers(ways, game) {
            prepared.settle(way)?;
        }
    }
    let note = note(&prepared, &guess);
    Ok((prepared, Some(note)))
}

/// Remark about the chosen file, when other machines build and try the bot.
#[cfg(feature = "cluster")]
pub(crate) fn untried(name: &BotName, guess: &Guess) -> String {
    let (place, way) = (shown_path(&guess.place), &guess.ways[0]);
    format!("{name}: no bot.toml; {place} was taken, and seems to speak {way} (not tried)")
}

/// Remark about the chosen file and the dialect.
fn note(prepared: &Prepared, guess: &Guess) -> String {
    let (name, place) = (&prepared.command.id.name, shown_path(&guess.place));
    let way = guess.ways.iter().find(|way| {
        let command = prepared.spoken_to(way);
        command.dialect == prepared.command.dialect
            && command.shown_words() == prepared.command.shown_words()
    });
    let way = way.or(guess.ways.first()).map_or_else(String::new, ToString::to_string);
    if prepared.is_settled {
        let found = shown_path(&prepared.snapshot.found());
        return format!(
            "{name}: no bot.toml; {place} was taken, and speaks {way} (by trial; {found})"
        );
    }
    let tried: Vec<_> = guess.ways.iter().map(ToString::to_string).collect();
    let lines = prepared.manifest.to_toml();
    let lines: String =
        pitmaster_core::Untrusted::new(lines).shown_lines(4000).trim_end().replace('\n', "\n  ");
    format!(
        "warning: {name}: no bot.toml; {place} was taken, and made no legal first move as both \
         players in any of the ways that were tried ({}); it is started as with this bot.toml, \
         change it and put it beside the bot:\n  {lines}",
        tried.join(", ")
    )
}
