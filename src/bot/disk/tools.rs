//! The commands of this machine: where they are, and which version.
//!
//! Must not know what a bot does with them.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::bot::{Cage, Launch};
use crate::record::Untrusted;

use super::bounded::{Bounds, Finish, capture};

/// Where commands are looked up, and what compilers need to know of their homes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    path: OsString,
    homes: Vec<(&'static str, PathBuf)>,
    /// The home of whoever started Pitmaster: what picks between versions looks there.
    home: Option<PathBuf>,
}

/// What keeps Go to what was handed in: the folder around is no part of a bot, and neither is
/// another toolchain from the network.
const GO: [(&str, &str); 2] = [("GOFLAGS", "-buildvcs=false"), ("GOTOOLCHAIN", "local")];

/// A version is one line and comes at once.
const VERSION_BOUNDS: Bounds = Bounds { time: Duration::from_secs(10), output: 64 * 1024 };

impl Tools {
    /// The commands on the PATH that Pitmaster itself was started with.
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

    /// The commands on this PATH. Relative folders are dropped from it: where a bot runs,
    /// they would be the bot's own.
    pub fn on(path: impl AsRef<OsStr>) -> Self {
        let folders = env::split_paths(path.as_ref()).filter(|folder| folder.is_absolute());
        let path = env::join_paths(folders).expect("folders that were split at the separator");
        Self { path, homes: Vec::new(), home: None }
    }

    /// The same with these folders before all others on the PATH.
    pub(super) fn with_first(&self, folders: &[PathBuf]) -> Self {
        let all = folders.iter().cloned().chain(env::split_paths(&self.path));
        // A folder whose name holds the separator cannot be on any PATH.
        let path = env::join_paths(all).unwrap_or_else(|_| self.path.clone());
        Self { path, ..self.clone() }
    }

    /// The home of whoever started Pitmaster, where it is known.
    pub(super) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The PATH that bots and builds get.
    pub fn path(&self) -> &OsStr {
        &self.path
    }

    /// Where a command is, if it is anywhere. Links are not followed: some programs want to
    /// be called by the name they were found under.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.contains('/') {
            return None;
        }
        env::split_paths(&self.path).map(|folder| folder.join(name)).find(|path| is_program(path))
    }

    /// The environment of a build or of a question to a tool: nothing of the referee's but
    /// PATH and the homes of the Rust toolchain, without which rustup's cargo finds none; and
    /// bounds for Go.
    pub(super) fn environment(&self, home: &Path) -> Vec<(OsString, OsString)> {
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

    /// What compilers read in those homes: never the keys that lie there too.
    pub(super) fn homes_for_builds(&self) -> Vec<PathBuf> {
        const OF_CARGO: [&str; 5] = ["bin", "config.toml", "env", "git", "registry"];
        const OF_RUSTUP: [&str; 2] = ["settings.toml", "toolchains"];
        let parts = |(variable, home): &(&str, PathBuf)| -> Vec<PathBuf> {
            let parts = if *variable == "CARGO_HOME" { &OF_CARGO[..] } else { &OF_RUSTUP[..] };
            parts.iter().map(|part| home.join(part)).filter(|part| part.exists()).collect()
        };
        self.homes.iter().flat_map(parts).collect()
    }

    /// Where these commands are and which version they say they have, for the record.
    pub(super) fn versions<'n>(
        &self,
        names: &[&'n str],
        scratch: &Path,
    ) -> BTreeMap<&'n str, Version> {
        let version = |name: &&'n str| {
            let path = self.find(name)?;
            let question = if *name == "go" { "version" } else { "--version" };
            let version = self.ask(&path, &[question], scratch).map(Untrusted::new);
            Some((
                *name,
                Version { path: Untrusted::new(path.as_os_str().as_encoded_bytes()), version },
            ))
        };
        names.iter().filter_map(version).collect()
    }

    /// The first line that a command answers, if it answers in time.
    fn ask(&self, program: &Path, question: &[&str], scratch: &Path) -> Option<String> {
        first_line(&answer(program, question, self.environment(scratch), scratch)?)
    }

    /// The lines that an interpreter answers about itself, if it answers in time. It is asked
    /// at home: what stands before it may choose a version by what lies there.
    pub(super) fn ask_at_home(
        &self,
        program: &Path,
        question: &[&str],
        scratch: &Path,
    ) -> Option<Vec<OsString>> {
        let home = self.home.iter().map(|home| ("HOME".into(), home.into()));
        let environment = self.environment(scratch).into_iter().chain(home).collect();
        let output = answer(program, question, environment, scratch)?;
        let lines = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        Some(lines.map(|line| OsStr::from_bytes(line).to_owned()).collect())
    }
}

/// What a command answers, if it answers in time.
fn answer(
    program: &Path,
    question: &[&str],
    environment: Vec<(OsString, OsString)>,
    scratch: &Path,
) -> Option<Vec<u8>> {
    let launch = Launch {
        program: program.to_owned(),
        name: program.into(),
        args: question.iter().map(Into::into).collect(),
        environment,
        dir: scratch.to_owned(),
        cage: Cage::open(),
    };
    match capture(&launch, VERSION_BOUNDS) {
        Ok((Finish::Exited(_), output)) => Some(output),
        _ => None,
    }
}

/// What a command says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Version {
    path: Untrusted,
    version: Option<Untrusted>,
}

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
pub(super) mod tests {
    use super::*;

    /// Writes an executable script.
    pub(in super::super) fn script(path: &Path, text: &str) {
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
        let versions =
            Tools::on(dir.path()).versions(&["good", "go", "mute", "loud", "none"], dir.path());
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
