//! Tools of this machine: their paths and versions.
//!
//! Must not depend on how a bot uses them.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::Untrusted;
use pitmaster_sandbox::{Launch, ReadGrant, Sandbox, SandboxProfile};
use serde::Serialize;

use super::machine_path::{MachinePath, is_of_the_system};
use crate::run_limited::{Bounds, Finish, capture};

/// Lookup of the machine's commands, and the environment that compilers need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    path: OsString,
    homes: Vec<(&'static str, PathBuf)>,
    /// Home directory of the user who started Pitmaster; version managers look there.
    home: Option<PathBuf>,
}

/// Settings that restrict Go to the submission: neither the surrounding folder nor another
/// toolchain from the network is part of a bot.
const GO: [(&str, &str); 2] = [("GOFLAGS", "-buildvcs=false"), ("GOTOOLCHAIN", "local")];

/// Limits of a version query. A version is one line and fast, except on a busy machine.
const VERSION_BOUNDS: Bounds = Bounds { time: Duration::from_mins(1), output: 64 * 1024 };

impl Tools {
    /// The commands on the PATH that Pitmaster was started with.
    pub fn of_this_machine() -> Self {
        let mut tools = Self::on(env::var_os("PATH").unwrap_or_default());
        let homes = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];
        tools.homes = homes
            .into_iter()
            .filter_map(|(variable, folder)| Some((variable, home_of(variable, folder)?)))
            .collect();
        tools.home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        tools
    }

    /// The commands on this PATH. Relative folders are removed, because they would be in the bot's
    /// own folder where it runs.
    pub fn on(path: impl AsRef<OsStr>) -> Self {
        let folders = env::split_paths(path.as_ref()).filter(|folder| folder.is_absolute());
        let path = env::join_paths(folders).expect("folders that were split at the separator");
        Self { path, homes: Vec::new(), home: None }
    }

    /// The same commands, with these folders first on the PATH.
    pub(crate) fn with_first(&self, folders: &[PathBuf]) -> Self {
        let all = folders.iter().cloned().chain(env::split_paths(&self.path));
        // A folder whose name contains the separator cannot be on a PATH.
        let path = env::join_paths(all).unwrap_or_else(|_| self.path.clone());
        Self { path, ..self.clone() }
    }

    /// Home directory of the user who started Pitmaster, if known.
    pub(super) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The PATH of bots and builds.
    pub fn path(&self) -> &OsStr {
        &self.path
    }

    /// Path of a command, if it exists. Links are not followed, because some programs depend on the
    /// name they were found under.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.contains('/') {
            return None;
        }
        env::split_paths(&self.path).map(|folder| folder.join(name)).find(|path| is_program(path))
    }

    /// Name of the command on PATH with exactly this path, if any.
    pub(super) fn name_of<'p>(&self, path: &'p Path) -> Option<&'p str> {
        let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
        let is_on_path = env::split_paths(&self.path).any(|on_path| on_path == folder);
        (is_on_path && is_program(path)).then_some(name)
    }

    /// Returns whether an interpreter or loader named by a program belongs to the machine: a
    /// program of the system, or one on PATH.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        let is_plain = path.components().all(|part| !matches!(part, Component::ParentDir));
        is_plain && (is_of_the_system(path) && path.is_file() || self.name_of(path).is_some())
    }

    /// Environment of a build or of a query to a tool. From the referee's environment it contains
    /// only PATH and the homes of the Rust toolchain, which rustup's cargo needs to find a
    /// toolchain. It also contains restrictions for Go.
    pub(crate) fn environment(&self, home: &Path) -> Vec<(OsString, OsString)> {
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), self.path.clone()),
            ("HOME".into(), home.into()),
            ("TMPDIR".into(), home.into()),
            ("LANG".into(), "C.UTF-8".into()),
        ];
        environment.extend(GO.map(|(name, value)| (name.into(), value.into())));
        environment.extend(self.homes.iter().map(|(name, home)| ((*name).into(), home.into())));
        environment
    }

    /// The parts of those homes that compilers read, never the keys that are also stored there.
    pub(crate) fn homes_for_builds(&self) -> Vec<MachinePath> {
        const OF_CARGO: [&str; 5] = ["bin", "config.toml", "env", "git", "registry"];
        const OF_RUSTUP: [&str; 2] = ["settings.toml", "toolchains"];
        let parts = |(variable, home): &(&str, PathBuf)| -> Vec<PathBuf> {
            let parts = if *variable == "CARGO_HOME" { &OF_CARGO[..] } else { &OF_RUSTUP[..] };
            parts.iter().map(|part| home.join(part)).filter(|part| part.exists()).collect()
        };
        self.homes.iter().flat_map(parts).map(MachinePath::new).collect()
    }

    /// Paths and versions of these commands, for the record. Each is queried in a sandbox, in an
    /// empty folder.
    pub(crate) fn versions<'n>(
        &self,
        names: &[&'n str],
        asking: &Asking<'_>,
    ) -> BTreeMap<&'n str, Version> {
        let version = |name: &&'n str| {
            let path = self.find(name)?;
            let question = if *name == "go" { "version" } else { "--version" };
            let answer = self.ask(&path, &[question], asking);
            let version = answer.as_deref().and_then(first_line).map(Untrusted::new);
            let path = Untrusted::new(path.as_os_str().as_encoded_bytes());
            Some((*name, Version { path, version }))
        };
        names.iter().filter_map(version).collect()
    }

    /// Output lines of an interpreter's query, if it answers in time.
    pub(super) fn ask_lines(
        &self,
        program: &Path,
        question: &[&str],
        asking: &Asking<'_>,
    ) -> Option<Vec<OsString>> {
        let output = self.ask(program, question, asking)?;
        let lines = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        Some(lines.map(|line| OsStr::from_bytes(line).to_owned()).collect())
    }

    /// Answer of a command, if it answers in time. Its home is the operator's, because version
    /// managers look there.
    fn ask(&self, program: &Path, question: &[&str], asking: &Asking<'_>) -> Option<Vec<u8>> {
        let home = self.home.as_deref().unwrap_or(asking.folder);
        let reads = self.read_to_answer(program);
        let launch = Launch {
            program: program.to_owned(),
            name: program.into(),
            args: question.iter().map(Into::into).collect(),
            environment: self.environment(home),
            dir: "/".into(),
            cage: SandboxProfile::for_questions(asking.sandbox, reads),
        };
        match capture(&launch, VERSION_BOUNDS) {
            Ok((Finish::Exited(_), output)) => Some(output),
            _ => None,
        }
    }

    /// Paths that a command reads to report its location and version: its installation, and version
    /// managers in the operator's home.
    fn read_to_answer(&self, program: &Path) -> Vec<ReadGrant> {
        let real = program.canonicalize().ok();
        let installations = [Some(program.to_owned()), real];
        let installations = installations.iter().flatten().flat_map(|path| self.around(path));
        let settings = self.home.iter().flat_map(|home| VERSION_MANAGERS.map(|it| home.join(it)));
        let all = installations.chain(settings).filter(|path| path.exists());
        let own = all.filter(|path| !is_of_the_system(path)).map(MachinePath::new);
        own.chain(self.homes_for_builds()).map(MachinePath::into_grant).collect()
    }

    /// The folder above the command's folder if it contains mostly an installation; otherwise its
    /// installation subfolders.
    fn around(&self, program: &Path) -> Vec<PathBuf> {
        let Some(above) = program.parent().and_then(Path::parent) else { return Vec::new() };
        if !self.is_broad(above) {
            return vec![above.to_owned()];
        }
        let parts = ["bin", "lib", "lib64", "libexec", "pyvenv.cfg"].map(|part| above.join(part));
        let has_itself = parts.iter().any(|part| program.starts_with(part));
        if has_itself { parts.into() } else { vec![program.to_owned()] }
    }

    /// Whether a folder is so broad that no process of a bot may read it: the root and the folders
    /// directly in it, homes and their parent folders.
    pub(super) fn is_broad(&self, path: &Path) -> bool {
        let holds = |inner: &Path| inner.starts_with(path);
        path.is_dir()
            && (path.components().count() <= 2
                || [Path::new("/home"), Path::new("/Users")].map(Some).contains(&path.parent())
                || path.file_name() == Some(OsStr::new(".local"))
                || OF_A_HOME.iter().any(|name| path.join(name).exists())
                || self.home().is_some_and(holds))
    }
}

/// Files found only in homes.
const OF_A_HOME: [&str; 4] = [".bashrc", ".profile", ".ssh", ".zshrc"];

/// Files in a home where version managers store the version to be used.
const VERSION_MANAGERS: [&str; 5] =
    [".tool-versions", ".asdfrc", ".config/mise", ".local/share/mise", ".local/state/mise"];

/// Environment for querying a command: the sandbox, and a folder for the answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) sandbox: &'a Arc<Sandbox>,
    /// Folder to which no submission can write.
    pub(crate) folder: &'a Path,
}

/// Version information of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Version {
    path: Untrusted,
    version: Option<Untrusted>,
}

/// First line that is not empty.
fn first_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(200).collect())
}

fn home_of(variable: &str, folder: &str) -> Option<PathBuf> {
    let set = env::var_os(variable).map(PathBuf::from);
    let usual = || env::var_os("HOME").map(|home| Path::new(&home).join(folder));
    set.or_else(usual).filter(|path| path.is_absolute() && path.is_dir())
}

pub(super) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
pub(crate) mod tests {
    use pitmaster_core::Resources;

    use super::*;

    /// Writes an executable script.
    pub(crate) fn script(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_command_is_the_first_executable_of_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| dir.path().join(name));
        fs::create_dir(&a).and_then(|()| fs::create_dir(&b)).unwrap();
        fs::write(a.join("tool"), "not executable").unwrap();
        fs::create_dir(a.join("other")).unwrap();
        script(&b.join("tool"), "#!/bin/sh\n");
        let tools = Tools::on(env::join_paths([&a, &b]).unwrap());
        assert_eq!(tools.find("tool"), Some(b.join("tool")));
        for nothing in ["other", "", "..", "b/tool", "nothing"] {
            assert_eq!(tools.find(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn relative_folders_are_no_part_of_the_path() {
        assert_eq!(Tools::on(":.:bin:/usr/bin").path(), "/usr/bin");
    }

    #[test]
    fn versions_are_asked_for_and_bounded() {
        let dir = tempfile::tempdir().unwrap();
        script(&dir.path().join("good"), "#!/bin/sh\necho; echo \"good $1 1.2\"; echo more\n");
        script(&dir.path().join("go"), "#!/bin/sh\necho \"go $1\"\n");
        script(&dir.path().join("mute"), "#!/bin/sh\nexit 3\n");
        script(
            &dir.path().join("loud"),
            "#!/bin/sh\nwhile :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaa; done\n",
        );
        let sandbox = Sandbox::open(&Resources::default());
        let asking = Asking { sandbox: &sandbox, folder: dir.path() };
        let names = ["good", "go", "mute", "loud", "none"];
        let versions = Tools::on(dir.path()).versions(&names, &asking);
        let said = |name: &str| versions[name].version.as_ref().map(|v| v.shown(99));
        assert_eq!(said("good").as_deref(), Some("good --version 1.2"));
        assert_eq!(said("go").as_deref(), Some("go version"));
        assert_eq!((said("mute"), said("loud")), (None, None));
        assert!(!versions.contains_key("none"));
    }

    #[test]
    fn folders_are_put_before_all_others() {
        let tools = Tools::on("/usr/bin:/bin");
        assert_eq!(tools.with_first(&["/x/bin".into()]).path(), "/x/bin:/usr/bin:/bin");
        assert_eq!(tools.with_first(&["/a:b".into()]), tools);
        assert_eq!(tools.with_first(&[]), tools);
    }
}
