//! Contest: a tournament file together with the bots that it names.

use std::io;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{Unfit, shown_path};
use pitmaster_core::{BotName, SeedCommitment};
use pitmaster_runner::Entrant;
use pitmaster_tournament::{
    self as tournament, Absent, Diagnostic, Location, PlannedBot, Shard, Tournament,
};

use crate::bots::{self, Found};
use crate::game::{self, NamedGame};
use crate::{Error, Observer, openings};

/// A tournament with its bots, ready to be played.
#[derive(Debug)]
pub struct Contest {
    /// Path of the tournament file, if the contest was read from one.
    pub path: Option<PathBuf>,
    /// The text of its file, stored with the results.
    pub file: String,
    /// The tournament as the file defines it.
    pub tournament: Tournament,
    /// Name of the results folder.
    pub name: String,
    /// The bots that the file names.
    pub found: Vec<Found>,
}

impl Contest {
    /// Reads a tournament file and finds its bots. Reports all errors at once. Remarks about the
    /// game go to the observer.
    ///
    /// # Errors
    /// The file cannot be read or has errors.
    pub fn read(path: &Path, observer: &dyn Observer) -> Result<Self, Error> {
        let file = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let base = path.parent().unwrap_or(Path::new(""));
        let mut player = None;
        let mut reading = tournament::check_with(&file, &mut |spec| {
            let described = game::read(spec, base, observer)?;
            player = Some(described.player);
            Ok(described.spec)
        });
        let (mut found, missing) = bots::find(&reading.bots, base);
        let mut faults = std::mem::take(&mut reading.faults);
        faults.extend(missing);
        if let Some(tournament) = &mut reading.tournament {
            let named = NamedGame { game: tournament.game.clone(), player };
            faults.extend(bots::apply_game_to_house_bots(&mut found, &named));
            faults.extend(openings::read(tournament, base));
        }
        match reading.tournament {
            Some(tournament) if faults.is_empty() => {
                game::warn(&*tournament.game, observer);
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let (name, path) = (BotName::tamed(&name).to_string(), Some(path.to_owned()));
                Ok(Self { path, file, tournament, name, found })
            }
            _ => {
                faults.extend(bots::inspect(&found).into_iter().map(bot_diagnostic));
                faults.sort_by_key(|fault| fault.place);
                Err(Error::TournamentFile { path: path.to_owned(), diagnostics: faults })
            }
        }
    }

    /// Creates a contest without a file, from a tournament built in code or from a command line.
    /// Bot paths are relative to the current folder.
    ///
    /// # Errors
    /// A bot is missing, a house bot cannot play the game, or the openings have errors.
    pub fn of(mut tournament: Tournament, game: &NamedGame, name: String) -> Result<Self, Error> {
        let (mut found, mut faults) = bots::find(&tournament.bots, Path::new(""));
        faults.extend(bots::apply_game_to_house_bots(&mut found, game));
        faults.extend(openings::read(&mut tournament, Path::new("")));
        if faults.is_empty() {
            Ok(Self { path: None, file: tournament.to_toml(), tournament, name, found })
        } else {
            let lines: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
            Err(Error::Invalid(lines.join("\n")))
        }
    }

    /// Restricts the contest to one shard with its own results folder.
    ///
    /// # Errors
    /// The format pairs by results, so a shard cannot be played alone.
    pub fn take_shard(&mut self, shard: Shard) -> Result<(), Error> {
        if self.tournament.format.depends_on_results() {
            return Err(Error::invalid(format!(
                "{} cannot be played in shares: who meets whom depends on results that the other \
                 shares would have; round-robin and gauntlet in one stage can",
                shown_path(self.path.as_deref().unwrap_or(Path::new("")))
            )));
        }
        self.tournament.share = Some(shard);
        self.name = format!("{}-{}-of-{}", self.name, shard.number, shard.of);
        Ok(())
    }

    /// Requires the seed to be the one to which this commitment was published.
    ///
    /// # Errors
    /// The tournament has another seed.
    pub fn commit_seed(&mut self, commitment: SeedCommitment) -> Result<(), Error> {
        let at = shown_path(self.path.as_deref().unwrap_or(Path::new("")));
        if SeedCommitment::of(self.tournament.seed) != commitment {
            return Err(Error::invalid(format!(
                "{at}: the seed does not have the hash {commitment}; write the secret seed that \
                 `pitmaster seed new` printed with it as `seed = …`"
            )));
        }
        self.tournament.seed_commitment = Some(commitment);
        Ok(())
    }

    /// Formats a location in the tournament file as a message prefix; empty if there is no file.
    pub(crate) fn at(&self, place: Location) -> String {
        match &self.path {
            Some(path) => format!("{}:{place}: ", shown_path(path)),
            None => String::new(),
        }
    }

    /// Checks that the entrants match what the format requires.
    ///
    /// # Errors
    /// Everything that is missing, with locations.
    pub(crate) fn judge_format(&self, entrants: &[Entrant]) -> Result<(), Error> {
        self.judge_bots(&entrants.iter().map(Entrant::planned).collect::<Vec<_>>())
    }

    /// Checks that planned bots match what the format requires, like `judge_format` for entrants.
    ///
    /// # Errors
    /// Everything that is missing, with locations.
    pub fn judge_bots(&self, bots: &[PlannedBot]) -> Result<(), Error> {
        let faults = self.tournament.format.validate_bots(bots);
        if faults.is_empty() {
            return Ok(());
        }
        let lines: Vec<_> = faults
            .into_iter()
            .map(|(place, message)| format!("{}{message}", self.at(place)))
            .collect();
        Err(Error::Invalid(lines.join("\n")))
    }

    /// Messages about bots that cannot play, one for each cause, with the location of the entry in
    /// the file if all bots of a message share it.
    pub fn unfit(&self, all: &[(Location, Unfit)]) -> Vec<String> {
        let mut causes: Vec<(String, Vec<&(Location, Unfit)>)> = Vec::new();
        for bot in all {
            let cause = bot.1.cause().to_string();
            match causes.iter_mut().find(|(other, _)| *other == cause) {
                Some((_, bots)) => bots.push(bot),
                None => causes.push((cause, vec![bot])),
            }
        }
        causes.iter().map(|(cause, bots)| self.unfit_alike(cause, bots)).collect()
    }

    /// Message about bots with the same reason for not playing.
    fn unfit_alike(&self, cause: &str, bots: &[&(Location, Unfit)]) -> String {
        let absent = self.tournament.bots.absent;
        let [(place, first), others @ ..] = bots else { return String::new() };
        let at = if others.iter().all(|(other, _)| other == place) {
            self.at(*place)
        } else {
            String::new()
        };
        if others.is_empty() {
            let absent = match absent {
                Absent::LeaveOut => "left out",
                Absent::Forfeit => "forfeits all games",
            };
            return format!("{at}{} cannot play ({absent}): {}", first.name, first.shown());
        }
        let absent = match absent {
            Absent::LeaveOut => "left out",
            Absent::Forfeit => "they forfeit all games",
        };
        let names: Vec<_> = bots.iter().map(|(_, unfit)| unfit.name.as_str()).collect();
        let count = bots.len();
        let logs: String = bots
            .iter()
            .filter_map(|(_, unfit)| unfit.log())
            .map(|log| format!("\n  {}", shown_path(log)))
            .collect();
        let logs = if logs.is_empty() { logs } else { format!("\n  the whole logs are:{logs}") };
        format!("{at}{count} bots cannot play ({absent}): {}\n  {cause}{logs}", names.join(", "))
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    let path = shown_path(path);
    Error::Invalid(match error.kind() {
        io::ErrorKind::InvalidData => {
            format!("{path} is no text in UTF-8; a tournament file is TOML, see tournaments/")
        }
        _ => format!("cannot read {path}: {error}; check the path"),
    })
}

fn bot_diagnostic((place, unfit): (Location, Unfit)) -> Diagnostic {
    Diagnostic { place, key: "bots".into(), message: unfit.to_string() }
}
