//! Bots of a tournament file: folders, files and house bots, found but not yet prepared.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::submission::{self, PrepareError, TreeLimits, Unfit, shown_path};
use pitmaster_core::Dialect;
use pitmaster_games::DynGame;
use pitmaster_tournament::{BotEntry, Bots, Diagnostic, Located, Location};

use crate::game::{self, NamedGame};
use crate::house::{self, HouseBot};

/// A bot that a tournament names.
#[derive(Debug, Clone)]
pub struct Found {
    /// The program.
    pub source: Source,
    /// Location in the tournament file.
    pub place: Location,
    /// The bot's own entry in the file, if it has one.
    pub entry: Option<BotEntry>,
}

/// The program of a bot.
#[derive(Debug, Clone)]
pub enum Source {
    /// A submission: a folder or a file.
    Path(PathBuf),
    /// A house bot.
    House(HouseBot),
}

impl Found {
    /// Returns whether the bot is a submission, not a house bot.
    pub fn was_handed_in(&self) -> bool {
        matches!(self.source, Source::Path(_))
    }

    /// Returns whether the bot computes on more cores than that of its lane.
    pub fn takes_cores(&self) -> bool {
        matches!(&self.source, Source::House(house) if house.takes_cores())
    }

    /// Returns the bot's dialect by its manifest alone.
    ///
    /// # Errors
    /// The reason why the bot cannot play the game.
    pub fn inspected(&self, game: &Arc<dyn DynGame>) -> Result<Dialect, Box<Unfit>> {
        let Source::Path(path) = &self.source else { return Ok(Dialect::Pitmaster) };
        match submission::inspect(path, Some(&game::name_of(&**game)), TreeLimits::default()) {
            Ok(manifest) => Ok(manifest.dialect),
            Err(PrepareError::Bot(unfit)) => Err(unfit),
            Err(PrepareError::Store(_)) => Ok(Dialect::default()),
        }
    }

    /// Path or name to display.
    pub fn shown(&self) -> String {
        match &self.source {
            Source::Path(path) => shown_path(path),
            Source::House(bot) => bot.shown(),
        }
    }
}

/// Finds the bots that a file names; patterns and paths are relative to `base`.
pub fn find(bots: &Bots, base: &Path) -> (Vec<Found>, Vec<Diagnostic>) {
    let mut faults = Vec::new();
    let mut found: BTreeMap<PathBuf, Found> = BTreeMap::new();
    let mut house = Vec::new();
    let excluded: Vec<PathBuf> = bots
        .exclude
        .iter()
        .flat_map(|pattern| expand(pattern, "bots.exclude", base, &mut faults))
        .collect();
    for pattern in &bots.include {
        if let Some(name) = house::name_in(Path::new(&pattern.value)) {
            let place = pattern.place;
            match HouseBot::named(name, false) {
                Ok(bot) => house.push(Found { source: Source::House(bot), place, entry: None }),
                Err(message) => {
                    faults.push(Diagnostic { place, key: "bots.include".into(), message });
                }
            }
            continue;
        }
        let paths = expand(pattern, "bots.include", base, &mut faults);
        if paths.is_empty() {
            let message = format!("nothing is there for {:?}; check the path", pattern.value);
            faults.push(Diagnostic { place: pattern.place, key: "bots.include".into(), message });
        }
        for path in paths.into_iter().filter(|path| !excluded.contains(path)) {
            if may_be_a_bot(&path) {
                let (place, source) = (pattern.place, Source::Path(path.clone()));
                found.insert(path, Found { source, place, entry: None });
            }
        }
    }
    for entry in &bots.entries {
        let bot = |source| Found { source, place: entry.place, entry: Some(entry.clone()) };
        match find_entry(entry, base) {
            Ok(Source::Path(path)) => {
                found.insert(path.clone(), bot(Source::Path(path)));
            }
            // The same name twice means two bots, because a program may play itself.
            Ok(source) => house.push(bot(source)),
            Err(message) => {
                faults.push(Diagnostic {
                    place: entry.path.place,
                    key: "bot.path".into(),
                    message,
                });
            }
        }
    }
    (found.into_values().chain(house).collect(), faults)
}

fn find_entry(entry: &BotEntry, base: &Path) -> Result<Source, String> {
    if let Some(name) = house::name_in(Path::new(&entry.path.value)) {
        return HouseBot::named(name, entry.in_process).map(Source::House);
    }
    let path = base.join(&entry.path.value);
    let found = path.canonicalize().map_err(|error| {
        format!("{} cannot be read ({error}); check the path", shown_path(&path))
    })?;
    Ok(Source::Path(found))
}

/// Prepares the house bots for a game; returns a diagnostic for each that cannot play it.
pub(crate) fn apply_game_to_house_bots(found: &mut [Found], game: &NamedGame) -> Vec<Diagnostic> {
    let fault = |bot: &mut Found| {
        let Source::House(house) = &mut bot.source else { return None };
        let message = house.apply_game(game).err()?;
        let entry = bot.entry.as_ref();
        let place = entry.map_or(bot.place, |entry| entry.path.place);
        let key = if entry.is_some() { "bot.path" } else { "bots.include" };
        Some(Diagnostic { place, key: key.into(), message })
    };
    found.iter_mut().filter_map(fault).collect()
}

fn expand(
    pattern: &Located<String>,
    key: &str,
    base: &Path,
    faults: &mut Vec<Diagnostic>,
) -> Vec<PathBuf> {
    let base = glob::Pattern::escape(&base.to_string_lossy());
    let whole = if Path::new(&pattern.value).is_absolute() || base.is_empty() {
        pattern.value.clone()
    } else {
        format!("{base}/{}", pattern.value)
    };
    match glob::glob(&whole) {
        Ok(paths) => paths.filter_map(|path| path.ok()?.canonicalize().ok()).collect(),
        Err(error) => {
            let message = format!("{:?} is no pattern: {error}", pattern.value);
            faults.push(Diagnostic { place: pattern.place, key: key.into(), message });
            Vec::new()
        }
    }
}

/// Files next to bots that a pattern matches (README, license, hidden files) are skipped.
fn may_be_a_bot(path: &Path) -> bool {
    const ENDINGS: [&str; 9] = ["py", "jar", "js", "c", "cpp", "cc", "rs", "java", "go"];
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let Ok(facts) = fs::metadata(path) else { return false };
    let known = path.extension().is_some_and(|ext| ENDINGS.iter().any(|&known| ext == known));
    let executable = facts.permissions().mode() & 0o111 != 0;
    !hidden && (facts.is_dir() || known || executable)
}

/// Reads the bots' manifests, so that their errors are reported together with those of the
/// tournament file. Copies and runs nothing.
pub(crate) fn inspect(found: &[Found]) -> Vec<(Location, Unfit)> {
    let limits = TreeLimits::default();
    let unfit = |bot: &Found| {
        let Source::Path(path) = &bot.source else { return None };
        match submission::inspect(path, None, limits) {
            Err(PrepareError::Bot(unfit)) => Some((bot.place, *unfit)),
            Ok(_) | Err(PrepareError::Store(_)) => None,
        }
    };
    found.iter().filter_map(unfit).collect()
}
