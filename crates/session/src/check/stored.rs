//! Stored reports: bots that were examined under the same settings are not examined again.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{TreeLimits, hash_of, shown_path};
use pitmaster_build_info::Build;
use pitmaster_check::{Checked, Language, Report, Settings};
use pitmaster_core::{BotHash, Dialect, Promise};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{Readers, make_folder};
use serde::{Deserialize, Serialize};

use super::CheckOptions;
use super::lanes::Target;
use crate::results::NewFile;
use crate::{Error, house};

/// Version of the format of stored reports and of the examination, in addition to the program's
/// version.
const VERSION: u32 = 1;

/// Reports of earlier checks.
pub(super) struct Stored {
    /// Digest of everything that a report depends on, except the bot; `None` if reports are not
    /// stored.
    basis: Option<String>,
    /// Whether stored reports count.
    counts: bool,
}

/// A stored report with facts beyond the bot's path.
#[derive(Deserialize)]
struct Entry {
    name: String,
    dialect: Dialect,
    language: Option<Language>,
    report: Report,
}

/// An entry as it is written.
#[derive(Serialize)]
struct EntryRef<'a> {
    name: &'a str,
    dialect: Dialect,
    language: Option<Language>,
    report: &'a Report,
}

impl Stored {
    /// Stored reports of a check. Audit reports are not stored, because the evidence must be fresh.
    pub(super) fn new(options: &CheckOptions, sandbox: &Sandbox, are_several: bool) -> Self {
        let keeps = are_several && !options.settings.audit;
        let basis = keeps.then(|| basis(&options.settings, sandbox));
        Self { basis, counts: !options.fresh }
    }

    /// The stored report of a bot, if it has not changed since.
    pub(super) fn find(&self, target: &Target) -> Option<Checked> {
        if !self.counts || house::name_in(&target.path).is_some() {
            return None;
        }
        let hash = hash_of(&target.path, TreeLimits::default())?;
        let (folder, file) = self.place(target, &hash)?;
        let entry: Entry = serde_json::from_slice(&fs::read(folder.join(file)).ok()?).ok()?;
        Some(Checked {
            path: target.path.clone(),
            name: entry.name,
            person: target.person.clone(),
            hash: Some(hash),
            dialect: Some(entry.dialect),
            language: entry.language,
            report: entry.report,
        })
    }

    /// Stores a report that depends only on the bot. Not stored are incomplete examinations and
    /// bots that could not be started, because the machine may have been the cause.
    pub(super) fn keep(&self, target: &Target, checked: &Checked) -> Result<(), Error> {
        let Checked { hash: Some(hash), dialect: Some(dialect), report, .. } = checked else {
            return Ok(());
        };
        let is_complete = report.failure.is_none()
            && !report.interrupted
            && report.not_judged().is_empty()
            && house::name_in(&target.path).is_none();
        let Some((folder, file)) = self.place(target, hash).filter(|_| is_complete) else {
            return Ok(());
        };
        let (name, dialect, language) = (&*checked.name, *dialect, checked.language);
        let text = serde_json::to_vec(&EntryRef { name, dialect, language, report })
            .map_err(|error| Error::Internal(error.to_string()))?;
        let write = || -> Result<(), Error> {
            make_folder(&folder, Readers::Owner)?;
            let new = NewFile::create(&folder, &file, Ok)?;
            new.finish(|mut out| out.write_all(&text).and_then(|()| out.flush()))
        };
        write().map_err(|error| cannot(&folder, &error))
    }

    /// Folder and name of a bot's report.
    fn place(&self, target: &Target, hash: &BotHash) -> Option<(PathBuf, String)> {
        let basis = self.basis.as_ref()?;
        let name = target.path.file_name().unwrap_or_default().to_string_lossy();
        let key = blake3::hash(format!("{basis}\n{}\n{name}", hash.as_str()).as_bytes());
        Some((target.out.join("reports"), format!("{}.json", &key.to_hex()[..32])))
    }
}

/// Digest of the settings, the isolation and the program.
fn basis(settings: &Settings, sandbox: &Sandbox) -> String {
    let Settings { game, limits, seed, games, quick, audit: _, interrupt: _ } = settings;
    let program = Build::own();
    let isolation = sandbox.isolation();
    let levels: Vec<_> = Promise::ALL.iter().map(|&it| isolation.level(it)).collect();
    let tier = isolation.tier;
    let spec = game.spec();
    format!("{VERSION} {program} {spec} {limits:?} {} {games} {quick} {tier:?} {levels:?}", seed.0)
}

fn cannot(folder: &Path, error: &Error) -> Error {
    let folder = shown_path(folder);
    Error::stopped(format!("cannot write to {folder}: {error}; choose another folder with --out"))
}
