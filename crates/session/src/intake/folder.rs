//! Folder of a class: bots, earlier versions, fixes and the class list.
//!
//! ```text
//! class.csv       the class list, with all names
//! class.toml      settings: language, deadline
//! intake.html     the class list as a page
//! bots/KEY/       the bot of a person
//! other/KEY/      a submission without a program
//! earlier/KEY/    earlier versions
//! fix/KEY.toml    the teacher's own bot.toml, applied over every version
//! ```

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::archive::{read_file, remove_folder, replace_file};
use pitmaster_bots::submission::{Manifest, SnapshotError, TreeLimits, hash_of, shown_path};
use pitmaster_core::i18n::Lang;
use pitmaster_season::{Class, ClassSettings, Member, State, intake_page};
use pitmaster_store::{Readers, make_folder};

use super::find;
use crate::Error;
use crate::results::NewFile;

/// Name of the page with the class list.
const INTAKE_PAGE: &str = "intake.html";
/// First line of a bot.toml from `fix/`.
const FIXED: &str = "# The teacher's own, from fix/";
/// Name of the submitted bot.toml while a fix replaces it.
const SUBMITTED: &str = "bot.toml.submitted";

/// The folder of a class, open for one intake at a time.
pub(super) struct Folder {
    root: PathBuf,
    staging: PathBuf,
    /// Held until the intake has ended.
    _lock: fs::File,
}

/// Reads the class list of a class folder.
///
/// # Errors
/// The folder has no class list, or it is malformed.
pub fn read_class(folder: &Path) -> Result<Class, Error> {
    let file = folder.join(Class::FILE);
    let text = fs::read(&file).map_err(|error| {
        Error::invalid(format!(
            "cannot read {}: {error}; `pitmaster intake … --into {}` creates it",
            shown_path(&file),
            shown_path(folder)
        ))
    })?;
    Class::parse(&text).map_err(|error| Error::invalid(format!("{}: {error}", shown_path(folder))))
}

/// Locks a class folder for writing until the returned file is dropped.
pub(crate) fn lock_class(root: &Path) -> Result<fs::File, Error> {
    let path = root.join(".lock");
    let file = fs::OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(|error| cannot("write", &path, &error))?;
    if file.try_lock().is_err() {
        let what = "another command is writing to it; wait until it is done";
        return Err(Error::stopped(format!("{}: {what}", shown_path(root))));
    }
    Ok(file)
}

/// Writes the class list and its page, and replaces the earlier ones atomically. Returns their
/// paths.
pub(crate) fn write_class(root: &Path, class: &Class, lang: Lang) -> Result<[PathBuf; 2], Error> {
    let text = class.to_csv().map_err(|error| Error::Internal(error.to_string()))?;
    let page = intake_page(class, lang).into_bytes();
    for (name, text) in [(Class::FILE, text), (INTAKE_PAGE, page)] {
        let file = NewFile::create(root, name, Ok)?;
        file.finish(|mut writer| writer.write_all(&text).and_then(|()| writer.flush()))?;
    }
    Ok([Class::FILE, INTAKE_PAGE].map(|name| root.join(name)))
}

/// Reads the settings of a class folder. Without the file, all are unknown.
///
/// # Errors
/// The file is malformed.
pub fn read_settings(folder: &Path) -> Result<ClassSettings, Error> {
    let path = folder.join(ClassSettings::FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(cannot("read", &path, &error)),
    };
    ClassSettings::parse(&text).map_err(|diagnostics| Error::TournamentFile { path, diagnostics })
}

impl Folder {
    pub(super) fn open(root: &Path) -> Result<Self, Error> {
        make_folder(root, Readers::Owner).map_err(|error| cannot("create", root, &error))?;
        let lock = lock_class(root)?;
        let folder = Self { root: root.to_owned(), staging: root.join(".staging"), _lock: lock };
        // Left by a killed intake.
        remove_folder(root, ".staging").map_err(Error::stopped)?;
        for name in [".staging", "bots", "other", "earlier", "fix"] {
            let path = root.join(name);
            make_folder(&path, Readers::Owner).map_err(|error| cannot("create", &path, &error))?;
        }
        Ok(folder)
    }

    pub(super) fn class(&self) -> Result<Class, Error> {
        let exists = self.root.join(Class::FILE).exists();
        if exists { read_class(&self.root) } else { Ok(Class::default()) }
    }

    pub(super) fn staging(&self) -> &Path {
        &self.staging
    }

    pub(super) fn stage(&self, number: usize) -> PathBuf {
        self.staging.join(number.to_string())
    }

    /// Folder of a member's submission.
    fn place(&self, member: &Member) -> PathBuf {
        let folder = match member.state {
            State::Ready | State::Unclear | State::OnlyForeign => "bots",
            State::Missing | State::Refused | State::OnlyPapers | State::OnlyAddress => "other",
        };
        self.root.join(folder).join(member.key.as_str())
    }

    pub(super) fn has(&self, member: &Member) -> bool {
        self.place(member).is_dir()
    }

    pub(super) fn discard(&self, place: &Path) -> Result<(), Error> {
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        remove_folder(&self.staging, &name).map_err(Error::stopped)
    }

    /// Moves the current version of a member to `earlier/`. A version that equals the staged one is
    /// removed instead, because it comes from a killed intake.
    pub(super) fn set_aside(&self, member: &Member, staged: Option<&Path>) -> Result<(), Error> {
        let hash = |path: &Path| hash_of(path, TreeLimits::default());
        for folder in ["bots", "other"] {
            let place = self.root.join(folder).join(member.key.as_str());
            if !place.is_dir() {
                continue;
            }
            let present = hash(&place);
            if present.is_some() && present == staged.and_then(hash) {
                remove_folder(&self.root.join(folder), member.key.as_str())
                    .map_err(Error::stopped)?;
            } else {
                let earlier = self.root.join("earlier").join(member.key.as_str());
                fs::create_dir_all(&earlier).map_err(|error| cannot("create", &earlier, &error))?;
                let free = (1..).map(|number| earlier.join(number.to_string()));
                let to = free.into_iter().find(|path| !path.exists()).unwrap_or_default();
                fs::rename(&place, &to).map_err(|error| cannot("move", &place, &error))?;
            }
        }
        Ok(())
    }

    /// Moves a staged folder to its final location.
    pub(super) fn keep(&self, staged: &Path, member: &Member) -> Result<(), Error> {
        let place = self.place(member);
        fs::rename(staged, &place).map_err(|error| cannot("move", staged, &error))
    }

    /// Replaces the submitted manifest by the one in `fix/`, or restores it if there is none.
    /// Updates the member's state.
    pub(super) fn apply_fix(&self, member: &mut Member) -> Result<(), Error> {
        let place = self.root.join("bots").join(member.key.as_str());
        if !place.is_dir() {
            return Ok(());
        }
        let fix = fs::read(self.root.join("fix").join(format!("{}.toml", member.key)));
        let present = read_file(&place, Manifest::FILE, Manifest::MAX_BYTES as u64);
        let is_fixed = present.as_ref().is_some_and(|text| text.starts_with(FIXED.as_bytes()));
        let write = |text: &[u8], keep| {
            replace_file(&place, Manifest::FILE, keep, text).map_err(Error::stopped)
        };
        match fix {
            Ok(fix) => {
                let text = [format!("{FIXED}{}.toml\n", member.key).as_bytes(), &fix].concat();
                write(&text, (!is_fixed).then_some(SUBMITTED))?;
            }
            Err(_) if is_fixed => match read_file(&place, SUBMITTED, Manifest::MAX_BYTES as u64) {
                Some(submitted) => write(&submitted, None)?,
                None => take_back(&place).map_err(Error::stopped)?,
            },
            Err(_) => return Ok(()),
        }
        (member.state, member.why) = match find::found(&place) {
            Ok(run) => (State::Ready, run),
            Err(why) => (State::Unclear, why),
        };
        Ok(())
    }

    /// Settings of the class combined with those of the flags. Writes a file only if there is none,
    /// because an existing one belongs to the teacher.
    pub(super) fn settings(&self, flags: ClassSettings) -> Result<ClassSettings, Error> {
        let known = read_settings(&self.root)?;
        let path = self.root.join(ClassSettings::FILE);
        let all = flags.or(&known).map_err(|key| {
            let path = shown_path(&path);
            Error::invalid(format!("{path} has another {key}; change it there"))
        })?;
        if all != known {
            if path.exists() {
                let (path, lines) = (shown_path(&path), all.to_toml());
                let what = "has no such setting; write these lines into it";
                return Err(Error::invalid(format!("{path} {what}:\n{}", lines.trim_end())));
            }
            let file = NewFile::create(&self.root, ClassSettings::FILE, Ok)?;
            let text = all.to_toml();
            file.finish(|mut out| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
        }
        Ok(all)
    }

    /// Writes the class list and its page, and removes the staging folder.
    pub(super) fn write(&self, class: &Class, lang: Lang) -> Result<(), Error> {
        write_class(&self.root, class, lang)?;
        remove_folder(&self.root, ".staging").map_err(Error::stopped)
    }
}

fn take_back(place: &Path) -> Result<(), SnapshotError> {
    remove_folder(place, Manifest::FILE)
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::stopped(format!("cannot {what} {}: {error}", shown_path(path)))
}
