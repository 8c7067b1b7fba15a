//! Configurations by name, for traces that only name theirs.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use pitmaster::games::two_row::catalogue::look_up;
use pitmaster::games::two_row::file::{FileVersion, GameFile, read};
use pitmaster::games::two_row::params::{Params, SwapRule};

/// The games of folders, before those of the catalogue.
#[derive(Debug, Default)]
pub(crate) struct Configs {
    by_name: HashMap<String, GameFile>,
}

impl Configs {
    /// Adds the games of all JSON and TOML files in a folder.
    pub(crate) fn add_folder(
        &mut self,
        folder: &Path,
        age: Option<FileVersion>,
    ) -> Result<(), String> {
        let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(fault)? {
            let path = entry.map_err(fault)?.path();
            let is_game = |extension| extension == "json" || extension == "toml";
            if path.extension().is_some_and(is_game) {
                let text = fs::read_to_string(&path).map_err(fault)?;
                let game = read(&text, age)
                    .map_err(|faults| format!("{}: {}", path.display(), faults[0]))?;
                self.by_name.insert(game.name.clone(), game);
            }
        }
        Ok(())
    }

    /// The parameters of a game, or of a `Game::Variant`. Traces know no pie rule, and their Kalah
    /// goes on while the next player has a move.
    pub(crate) fn find(&self, name: &str) -> Result<Params, String> {
        Ok(Params { swap: SwapRule::Never, ..self.look_up(name)? })
    }

    fn look_up(&self, name: &str) -> Result<Params, String> {
        let (game, variant) = name.split_once("::").unwrap_or((name, name));
        match self.by_name.get(game) {
            Some(file) => {
                file.variant(variant).cloned().ok_or_else(|| format!("{game} has no {variant}"))
            }
            None => {
                let name = if game == "Kalah" {
                    name.replacen(game, "kalah_late", 1)
                } else {
                    name.to_owned()
                };
                look_up(&name).map(|found| found.params).map_err(|error| error.to_string())
            }
        }
    }
}
