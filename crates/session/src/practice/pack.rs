//! Packing a bot for a practice server: the files that a snapshot takes, as an archive.

use std::path::Path;

use pitmaster_bots::submission::{self, Naming, PrepareError};
use pitmaster_store::{Readers, make_folder};

use super::workshop::LIMITS;
use crate::{Error, NamedGame, game};

/// Packs a bot, a folder or a file, as a compressed archive within the limits of an upload. The
/// same files give the same bytes.
///
/// # Errors
/// The bot is refused for a reason that its author can correct, or a folder for temporary files
/// cannot be used.
pub fn pack(bot: &Path, named: &NamedGame) -> Result<Vec<u8>, Error> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| Error::stopped(error.to_string()))?;
    let name = format!("pitmaster-pack-{:016x}", u64::from_le_bytes(random));
    let store = std::env::temp_dir().join(name);
    let cannot = |error: std::io::Error| {
        Error::stopped(format!("cannot use {}: {error}; set TMPDIR", store.display()))
    };
    make_folder(&store, Readers::Owner).map_err(cannot)?;
    let packed = pack_in(bot, named, &store);
    // The system removes what is left there.
    let _ = std::fs::remove_dir_all(&store);
    packed
}

fn pack_in(bot: &Path, named: &NamedGame, store: &Path) -> Result<Vec<u8>, Error> {
    let naming = Naming { name: None, display: None };
    let game = game::name_of(&*named.game);
    let admitted = submission::admit(bot, naming, store, &game, LIMITS);
    let admitted = admitted.map_err(|error| match error {
        PrepareError::Bot(unfit) => Error::invalid(unfit.cause().to_string()),
        PrepareError::Store(fault) => Error::stopped(fault),
    })?;
    let mut archive = Vec::new();
    admitted.snapshot.pack(&mut archive).map_err(Error::stopped)?;
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_archive() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("mine");
        std::fs::create_dir(&bot).unwrap();
        std::fs::write(bot.join("bot.toml"), "run = [\"python3\", \"bot.py\"]\n").unwrap();
        std::fs::write(bot.join("bot.py"), "print('x')\n").unwrap();
        let spec = "kalah".parse().unwrap();
        let named = game::find(&spec, &crate::Silent).unwrap();
        let first = pack(&bot, &named).unwrap();
        assert_eq!(&first[..2], b"\x1f\x8b");
        assert_eq!(pack(&bot, &named).unwrap(), first);
        std::fs::write(bot.join("bot.py"), "print('y')\n").unwrap();
        assert_ne!(pack(&bot, &named).unwrap(), first);
        assert!(pack(&folder.path().join("absent"), &named).is_err());
    }
}
