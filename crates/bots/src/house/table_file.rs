//! Endgame table files: tables for players with the option `tables`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_games::two_row::TwoRow;
use pitmaster_games::{AnyRules, GameSpec, SpecErrors, look_up};
use pitmaster_players::{
    BuildError, EndgameError, EndgameHeader, EndgameTable, Player, PlayerSpec, build, build_with,
};
use rustix::fs::OFlags;

use crate::submission::shown_path;
use crate::toolchain::MachinePath;

/// Reason why a table file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The file is unreadable, damaged, or not a table.
    #[error("{}: {why}", shown_path(.path))]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        why: EndgameError,
    },
    /// The path cannot be written in the name of a player.
    #[error(
        "{}: an option cannot hold this path, which has a comma or is not UTF-8; move the table to \
         another folder",
        shown_path(.0)
    )]
    Path(PathBuf),
}

impl TableFileError {
    fn at(path: &Path) -> impl Fn(EndgameError) -> Self {
        |why| Self::Unusable { path: path.to_owned(), why }
    }
}

/// Reason why a player cannot be set up for a game.
#[derive(Debug, thiserror::Error)]
pub enum PlayerSetupError {
    /// The game or the player does not exist, or the player cannot play the game.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Its table file cannot be used.
    #[error(transparent)]
    Table(#[from] TableFileError),
}

impl From<SpecErrors> for PlayerSetupError {
    fn from(errors: SpecErrors) -> Self {
        Self::Build(errors.into())
    }
}

/// Builds a player bound to a board of a game, and reads its table if it names one.
///
/// # Errors
/// The player cannot play the game, or its table cannot be used.
pub fn build_player(
    game: &GameSpec,
    player: &PlayerSpec,
) -> Result<Box<dyn Player>, PlayerSetupError> {
    let Some(path) = player.tables() else { return Ok(build(game, player)?) };
    let table = load_table(game, Path::new(path))?;
    Ok(build_with(game, player, Some(&table))?)
}

/// Checks that a player can play a game. Only the header and the length of its table are checked.
///
/// # Errors
/// The player cannot play the game, or its table cannot be used.
pub fn check_player(game: &GameSpec, player: &PlayerSpec) -> Result<(), PlayerSetupError> {
    if let Some(path) = player.tables() {
        read_table_header(game, Path::new(path))?;
    }
    build(game, &player.with_tables(None))?;
    Ok(())
}

/// Reads the table of a game.
///
/// # Errors
/// The game has no tables, or the file is unreadable, damaged, or not a table.
pub fn load_table(game: &GameSpec, path: &Path) -> Result<Arc<EndgameTable>, PlayerSetupError> {
    let at = TableFileError::at(path);
    let rules = two_row(game, path)?;
    let file = open(path).map_err(|error| at(error.into()))?;
    let table = EndgameTable::read(&rules, &mut BufReader::new(file)).map_err(at)?;
    Ok(Arc::new(table))
}

/// Reads the header of a game's table and checks the file's length against it.
///
/// # Errors
/// The game has no tables, or the file is unreadable, not a table, or has another length.
pub fn read_table_header(game: &GameSpec, path: &Path) -> Result<EndgameHeader, PlayerSetupError> {
    let rules = two_row(game, path)?;
    let header = || {
        let file = open(path)?;
        let length = file.metadata()?.len();
        let header = EndgameTable::read_header(&rules, &mut BufReader::new(file))?;
        if header.length == length { Ok(header) } else { Err(EndgameError::Damaged) }
    };
    Ok(header().map_err(TableFileError::at(path))?)
}

/// Table of a house bot, in a form that another process can read.
#[derive(Debug)]
pub(crate) struct NamedTable {
    /// Absolute path, links followed.
    pub(crate) path: MachinePath,
    /// Checksum of the table, in hexadecimal digits.
    pub(crate) checksum: String,
}

impl NamedTable {
    /// Finds the table of a player; `None` if it names none.
    pub(crate) fn of(player: &PlayerSpec) -> Result<Option<Self>, TableFileError> {
        let Some(name) = player.tables() else { return Ok(None) };
        let at = TableFileError::at(Path::new(name));
        let path = MachinePath::of_table(name).map_err(|error| at(error.into()))?;
        let mut file = open(path.path()).map_err(|error| at(error.into()))?;
        let checksum = EndgameTable::read_checksum(&mut file).map_err(at)?;
        let checksum = blake3::Hash::from_bytes(checksum).to_hex().to_string();
        Ok(Some(Self { path, checksum }))
    }

    /// The player with the absolute path of its table, because it runs in another folder.
    pub(crate) fn named_by(&self, player: &PlayerSpec) -> Result<PlayerSpec, TableFileError> {
        let path = self.path.path();
        let wrong = || TableFileError::Path(path.to_owned());
        let named = player.with_tables(Some(path.to_str().ok_or_else(wrong)?));
        match named.to_string().parse::<PlayerSpec>() {
            Ok(parsed) if parsed == named => Ok(named),
            _ => Err(wrong()),
        }
    }
}

fn two_row(game: &GameSpec, path: &Path) -> Result<TwoRow, PlayerSetupError> {
    match look_up(game)?.rules {
        AnyRules::TwoRow(rules) => Ok(rules),
        _ => {
            let why = EndgameError::Unsuited("it is not a two-row game".into());
            Err(TableFileError::at(path)(why).into())
        }
    }
}

/// Opens a regular file. Anything else could block or be endless.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// Writes a Kalah table for up to this many seeds.
    fn write_table(path: &Path, most: u32) {
        let AnyRules::TwoRow(rules) = look_up(&GameSpec::plain("kalah")).unwrap().rules else {
            panic!("a two-row game")
        };
        let table = EndgameTable::build(&rules, most, |_| {}).unwrap();
        table.write(&mut File::create(path).unwrap()).unwrap();
    }

    fn expert(table: &Path) -> PlayerSpec {
        format!("expert,tables={}", table.display()).parse().unwrap()
    }

    #[test]
    fn what_is_no_whole_table_is_refused_without_reading_it_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kalah.table");
        let kalah = GameSpec::plain("kalah");
        let fault = |game: &GameSpec| {
            let fault = check_player(game, &expert(&path)).unwrap_err().to_string();
            fault.replace(&folder.path().display().to_string(), "FOLDER")
        };
        let missing = fault(&kalah);
        write_table(&path, 3);
        check_player(&kalah, &expert(&path)).unwrap();
        assert_eq!(read_table_header(&kalah, &path).unwrap().most, 3);
        let others = [fault(&GameSpec::plain("oware")), fault(&GameSpec::plain("coloured-awale"))];
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let cut = fault(&kalah);
        fs::write(&path, "something else that is long enough for a name").unwrap();
        let foreign = fault(&kalah);
        insta::assert_snapshot!([&*missing, &others[0], &others[1], &cut, &foreign].join("\n"), @"
        FOLDER/kalah.table: cannot be read or written: No such file or directory (os error 2)
        FOLDER/kalah.table: made for other rules (it differs in capt_on, crosscapt, end_cond, grandslam, multicapt, mustshare, skip_start, sow_stores, xcpickown); make one for this game with `pitmaster tables`
        FOLDER/kalah.table: there are no endgame tables for this game: it is not a two-row game
        FOLDER/kalah.table: damaged or cut off; make it again with `pitmaster tables`
        FOLDER/kalah.table: not an endgame table; make one with `pitmaster tables`
        ");
    }

    #[test]
    fn a_pipe_is_refused_instead_of_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe.table");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        let fault = load_table(&GameSpec::plain("kalah"), &path).unwrap_err().to_string();
        assert!(
            fault.ends_with("pipe.table: cannot be read or written: not a regular file"),
            "{fault}"
        );
        assert!(NamedTable::of(&expert(&path)).is_err());
    }

    #[test]
    fn another_process_gets_a_path_that_it_can_parse() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("a,b")).unwrap();
        write_table(&root.join("kalah.table"), 2);
        write_table(&root.join("a,b/kalah.table"), 2);
        symlink("kalah.table", root.join("link.table")).unwrap();
        symlink("a,b/kalah.table", root.join("comma.table")).unwrap();
        let named = |name: &str| {
            let player = expert(&root.join(name));
            let table = NamedTable::of(&player).unwrap().unwrap();
            table.named_by(&player)
        };
        let path = root.join("kalah.table");
        assert_eq!(named("link.table").unwrap().tables(), path.to_str());
        let fault = named("comma.table").unwrap_err().to_string();
        assert!(fault.contains("a,b/kalah.table: an option cannot hold this path"), "{fault}");
    }
}
