//! Parser of tournament files: returns a tournament, or all errors.

mod bots;
mod clock;
mod format;
mod game;
mod openings;
mod sandbox;

pub(crate) use format::StageKeys;
use std::sync::Arc;

use pitmaster_core::config::{Kind, Section, read_toml};
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_core::{Limits, Seed, SeedCommitment};
use pitmaster_games::{DynGame, GameSpec, SpecError, SpecErrors};

use self::bots::read_bots;
use self::clock::read_clock;
use self::format::read_format;
use self::game::read_game;
use self::openings::read_openings;
use self::sandbox::{Sandbox, read_sandbox};
use super::keys::names_in;
use super::model::Word;
use super::{Bots, Diagnostic, Durability, FormatPlan, Location, Openings, Tournament};

/// Result of reading a file. The bots are included as far as they could be read, so that their own
/// errors can be shown together with the file's.
#[derive(Debug)]
pub struct Reading {
    /// Tournament, if there are no errors.
    pub tournament: Option<Tournament>,
    /// The bots, as far as they could be read.
    pub bots: Bots,
    /// All errors, in file order.
    pub faults: Vec<Diagnostic>,
}

/// Reader of game files. It turns a game given as a path, with a name and options that override the
/// file, into a name that the games know.
pub type GameFiles<'f> = dyn FnMut(&GameSpec) -> Result<GameSpec, SpecErrors> + 'f;

/// Parses a tournament file whose game is given by name, not by file.
///
/// # Errors
/// Returns all errors, in file order.
pub fn read(text: &str) -> Result<Tournament, Vec<Diagnostic>> {
    let reading = check(text);
    reading.tournament.ok_or(reading.faults)
}

/// Parses a tournament file and finds all errors in one pass. Its game cannot be a file.
pub fn check(text: &str) -> Reading {
    check_with(text, &mut |spec| Err(SpecError::not_here(&spec.name).into()))
}

/// Parses a tournament file; `files` reads the file of a game if one is named.
pub fn check_with(text: &str, files: &mut GameFiles<'_>) -> Reading {
    let mut notes = Diagnostics::on(text);
    let root = read_toml(text, &mut notes);
    let top = Section::top(&root, known_keys, &mut notes);
    let tournament = read_tournament(&top, files, &mut notes);
    let faults = notes.finish().err().unwrap_or_default();
    let bots = tournament.bots.clone();
    let whole = faults.is_empty().then(|| tournament.finished()).flatten();
    Reading { tournament: whole, bots, faults }
}

/// Keys of a section, except those of a game, whose options the game knows.
fn known_keys(section: &str) -> Option<Vec<&'static str>> {
    (section != "game").then(|| names_in(section))
}

/// A tournament as far as it could be read.
struct Draft {
    title: String,
    seed: Seed,
    seed_commitment: Option<SeedCommitment>,
    game: Option<Arc<dyn DynGame>>,
    limits: Limits,
    starved_replays: u32,
    sandbox: Sandbox,
    format: FormatPlan,
    openings: Openings,
    bots: Bots,
    durability: Durability,
}

impl Draft {
    fn finished(self) -> Option<Tournament> {
        Some(Tournament {
            title: self.title,
            seed: self.seed,
            seed_commitment: self.seed_commitment,
            game: self.game?,
            limits: self.limits,
            starved_replays: self.starved_replays,
            isolation: self.sandbox.isolation,
            require: self.sandbox.require,
            format: self.format,
            share: None,
            openings: self.openings,
            bots: self.bots,
            durability: self.durability,
        })
    }
}

fn read_tournament(
    top: &Section<'_>,
    files: &mut GameFiles<'_>,
    notes: &mut Diagnostics<'_>,
) -> Draft {
    read_version(top, notes);
    let (mut limits, starved_replays) = read_clock(top, notes);
    let sandbox = read_sandbox(top, &mut limits, notes);
    let seed = read_seed(top, notes);
    Draft {
        title: read_title(top, notes),
        seed,
        seed_commitment: read_commitment(top, seed, notes),
        game: read_game(top, files, notes),
        openings: read_openings(top, &limits, notes),
        limits,
        starved_replays,
        sandbox,
        format: read_format(top, notes),
        bots: read_bots(top, notes),
        durability: read_durability(top, notes),
    }
}

fn read_version(top: &Section<'_>, notes: &mut Diagnostics<'_>) {
    let Some(entry) = top.field("version", notes) else {
        let message = "it is missing; write version = 1 before all sections";
        return notes.missing(Location::START, "version", message);
    };
    if !matches!(&entry.node.kind, Kind::Integer { literal, .. } if literal == "1") {
        entry.wrong("version = 1, or use a newer Pitmaster if the file was made for one", notes);
    }
}

fn read_title(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> String {
    let title = top.field("title", notes).and_then(|entry| entry.text(notes));
    title.map(|title| title.value).unwrap_or_default()
}

fn read_seed(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> Seed {
    let seed = top.field("seed", notes).and_then(|entry| entry.integer(0..=i64::MAX, notes));
    Seed(seed.map_or(1, i64::cast_unsigned))
}

fn read_commitment(
    top: &Section<'_>,
    seed: Seed,
    notes: &mut Diagnostics<'_>,
) -> Option<SeedCommitment> {
    let field = top.field("seed_commitment", notes)?;
    match field.text(notes)?.value.parse() {
        Ok(commitment) if SeedCommitment::of(seed) == commitment => Some(commitment),
        Ok(_) => {
            let message = "it is not the hash of `seed`; write the secret seed that `pitmaster \
                           seed new` printed with it";
            notes.fault(field.place, &field.key, message);
            None
        }
        Err(_) => {
            field.wrong("the 64 hexadecimal digits that `pitmaster seed new` printed", notes);
            None
        }
    }
}

fn read_durability(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> Durability {
    let section = top.section("store", notes);
    let entry = section.and_then(|section| section.field("durability", notes));
    entry.and_then(|entry| Word::of(&entry, notes)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
