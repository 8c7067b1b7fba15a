//! Interpreters that bots run with: the actual program behind a launcher on PATH, and its
//! installation folder.
//!
//! Must not depend on how bots are prevented from reading other files. Everything is determined
//! once, before any bot runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use pitmaster_sandbox::{ReadGrant, WorkFolder};

use super::language::Language;
use super::machine_path::{MachinePath, is_of_the_system};
use super::tools::{Asking, Tools, is_program};
use crate::submission::Image;

/// A program with the name by which it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The file to execute, links followed.
    pub(crate) file: PathBuf,
    /// The path under which it was found; some programs depend on it.
    pub(crate) name: PathBuf,
}

/// A file that is called by its own name.
impl From<PathBuf> for Located {
    fn from(file: PathBuf) -> Self {
        Self { name: file.clone(), file }
    }
}

/// The tools of one bot.
#[derive(Debug)]
pub(crate) struct Commands<'t> {
    tools: &'t Tools,
    asking: Asking<'t>,
    reads: Vec<MachinePath>,
    /// Folders at the front of the bot's PATH, so that it finds the programs behind launchers.
    pub(crate) ahead: Vec<PathBuf>,
    /// Installation folders of commands that were requested by path.
    pub(crate) installed: Vec<PathBuf>,
}

impl<'t> Commands<'t> {
    /// No commands yet. The folder of `asking` is next to the bot's snapshot. No folder that
    /// contains it is opened.
    pub(crate) fn new(tools: &'t Tools, asking: Asking<'t>) -> Self {
        let (reads, ahead, installed) = (Vec::new(), Vec::new(), Vec::new());
        Self { tools, asking, reads, ahead, installed }
    }

    /// Adds a command on PATH, if it exists.
    pub(crate) fn add(&mut self, name: &str) -> Option<Located> {
        let found = self.tools.find(name)?;
        let located = self.add_found(&found)?;
        if found.canonicalize().is_ok_and(|file| file != located.file) {
            let folder = located.name.parent().map(Path::to_owned);
            let has_it = |folder: &PathBuf| {
                folder.join(name).canonicalize().is_ok_and(|file| file == located.file)
            };
            self.ahead.extend(folder.filter(has_it).filter(|folder| !self.ahead.contains(folder)));
        }
        Some(located)
    }

    /// Adds the command on PATH with this path or with an installation there. Any other path is
    /// ignored: the interpreter named by a bot's program opens nothing by itself.
    pub(crate) fn add_path(&mut self, path: &Path) {
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { return };
        if is_of_the_system(path) || self.tools.find(name).is_none() {
            return;
        }
        let mut trial = Self::new(self.tools, self.asking);
        let found = trial.add(name);
        let is_it = |located: &Located| located.file == path || located.name == path;
        if found.as_ref().is_some_and(is_it) || self.tools.name_of(path).is_some() {
            self.reads.append(&mut trial.reads);
            self.installed.push(path.to_owned());
        }
    }

    /// Everything that the bot may read: its own folder, and the paths that its commands need.
    pub(crate) fn reads(&self, own: &WorkFolder) -> Vec<ReadGrant> {
        let mut all = vec![ReadGrant::work(own)];
        for path in &self.reads {
            let covers = |known: &Path| path.path().starts_with(known);
            let within = |other: &&MachinePath| path != *other && covers(other.path());
            if !all.iter().any(|known| covers(known.path()))
                && !self.reads.iter().any(|it| within(&it))
            {
                all.push(path.clone().into_grant());
            }
        }
        all
    }

    fn add_found(&mut self, found: &Path) -> Option<Located> {
        let file = found.canonicalize().ok()?;
        let language = Language::of(found);
        let itself = Located { file, name: found.to_owned() };
        let asked = language.filter(|language| must_be_asked(*language, &itself));
        let (located, said) =
            asked.and_then(|language| self.ask(language, found)).unwrap_or((itself, Vec::new()));
        let installed = self.installation(&located.file);
        let beside = language.and_then(|language| language.beside(&located.file));
        for path in said.into_iter().chain(beside).chain([installed]) {
            if !is_of_the_system(&path) && !self.is_broad(&path) {
                self.reads.push(MachinePath::new(path));
            }
        }
        Some(located)
    }

    /// Interpreter itself, and the folders that it reports to read.
    fn ask(&self, language: Language, found: &Path) -> Option<(Located, Vec<PathBuf>)> {
        let lines = self.tools.ask_lines(found, language.question(), &self.asking)?;
        let lines = lines.iter().map(|line| language.path_in(line));
        let mut paths = lines.filter(|path| path.is_absolute());
        let name = paths.find(|path| is_program(path))?;
        let file = name.canonicalize().ok()?;
        Some((Located { file, name }, paths.filter_map(|path| path.canonicalize().ok()).collect()))
    }

    /// The folder above `bin` if it contains mostly an installation, or the program alone.
    fn installation(&self, program: &Path) -> PathBuf {
        let bin = program.parent().filter(|folder| folder.file_name() == Some(OsStr::new("bin")));
        let has_libraries = |folder: &&Path| {
            ["lib", "lib64", "libexec"].iter().any(|lib| folder.join(lib).is_dir())
        };
        let above = bin.and_then(Path::parent).filter(has_libraries);
        above.filter(|folder| !self.is_broad(folder)).unwrap_or(program).to_owned()
    }

    /// Whether a folder is so broad that no bot may read it: folders that contain homes, and the
    /// tournament's own.
    fn is_broad(&self, path: &Path) -> bool {
        self.tools.is_broad(path) || self.asking.folder.starts_with(path)
    }
}

/// Whether the interpreter must be run to find its installation. Only a launcher must be, and a
/// Python that does not belong to the system, because it may be in two places.
fn must_be_asked(language: Language, found: &Located) -> bool {
    let image = std::fs::File::open(&found.file).map(|file| Image::of(&file));
    let is_script = matches!(image, Ok(Image::Script(_)));
    let is_itself = Language::of(&found.file) == Some(language) && !is_script;
    let of_the_system = is_of_the_system(&found.file) && is_of_the_system(&found.name);
    !is_itself || language == Language::Python && !of_the_system
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::Arc;

    use pitmaster_core::Resources;
    use pitmaster_sandbox::Sandbox;

    use super::super::tools::tests::script;
    use super::*;

    fn open() -> Arc<Sandbox> {
        Sandbox::open(&Resources::default())
    }

    fn asking<'a>(sandbox: &'a Arc<Sandbox>, folder: &'a Path) -> Asking<'a> {
        Asking { sandbox, folder }
    }

    /// Paths that a bot may read besides its own folder.
    fn reads(commands: &Commands) -> Vec<PathBuf> {
        let own = WorkFolder::trusted("/own".into());
        let reads = commands.reads(&own);
        assert_eq!(reads[0].path(), own.path());
        reads.iter().skip(1).map(|grant| grant.path().to_owned()).collect()
    }

    /// Fake home, a folder for queries, and a PATH into the home.
    struct Machine {
        dir: tempfile::TempDir,
        tools: Tools,
    }

    impl Machine {
        fn new(on_path: &str) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let real = dir.path().canonicalize().unwrap();
            for folder in ["ask", "h", on_path] {
                fs::create_dir_all(real.join(folder)).unwrap();
            }
            fs::write(real.join("h/.profile"), "").unwrap();
            Self { dir, tools: Tools::on(real.join(on_path)) }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().canonicalize().unwrap().join(name)
        }

        fn script(&self, name: &str, text: &str) -> &Self {
            fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
            script(&self.path(name), &format!("#!/bin/sh\n{}\n", text.replace('~', &self.home())));
            self
        }

        fn home(&self) -> String {
            self.path("h").display().to_string()
        }

        /// Creates a program of some hundred bytes that is not a script.
        fn program(&self, name: &str) -> &Self {
            self.script(name, "");
            fs::write(self.path(name), b"\x7fELF").unwrap();
            self
        }

        fn folder(&self, name: &str) -> &Self {
            fs::create_dir_all(self.path(name)).unwrap();
            self
        }

        /// Resolution of a command: its file, its name, the paths it reads and those that go ahead
        /// on PATH, all relative to the machine.
        fn found(&self, name: &str) -> (String, String, Vec<String>, Vec<String>) {
            let (ask, sandbox) = (self.path("ask"), open());
            let mut commands = Commands::new(&self.tools, asking(&sandbox, &ask));
            let located = commands.add(name).unwrap();
            let short = |path: &Path| {
                let inside = path.strip_prefix(self.path("")).unwrap_or(path);
                inside.display().to_string()
            };
            let mut reads: Vec<_> = reads(&commands).iter().map(|path| short(path)).collect();
            reads.sort();
            let ahead = commands.ahead.iter().map(|path| short(path)).collect();
            (short(&located.file), short(&located.name), reads, ahead)
        }
    }

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn pyenvs_script_is_seen_through() {
        let machine = Machine::new("h/.pyenv/shims");
        let version = "h/.pyenv/versions/3.11.7";
        machine
            .script("h/.pyenv/shims/python3", "exec ~/.pyenv/versions/3.11.7/bin/python3 \"$@\"")
            .script(
                &format!("{version}/bin/python3.11"),
                "echo warning; echo $0; echo ~/.pyenv/versions/3.11.7; echo /usr/lib/python3",
            )
            .folder(&format!("{version}/lib"));
        let bin = machine.path(&format!("{version}/bin"));
        symlink("python3.11", bin.join("python3")).unwrap();
        let (file, name, reads, ahead) = machine.found("python3");
        assert_eq!(file, format!("{version}/bin/python3.11"));
        assert_eq!(name, format!("{version}/bin/python3"));
        assert_eq!(reads, [version]);
        assert_eq!(ahead, [format!("{version}/bin")]);
    }

    #[test]
    fn a_virtual_environment_is_in_two_places() {
        let machine = Machine::new("h/course/.venv/bin");
        machine.folder("h/course/.venv/lib").folder("h/python/lib").script(
            "h/python/bin/python3",
            "echo ~/course/.venv/bin/python3; echo ~/course/.venv; echo ~/python",
        );
        let [link, real] =
            ["h/course/.venv/bin/python3", "h/python/bin/python3"].map(|name| machine.path(name));
        symlink(real, link).unwrap();
        let (file, name, reads, ahead) = machine.found("python3");
        assert_eq!((&*file, &*name), ("h/python/bin/python3", "h/course/.venv/bin/python3"));
        assert_eq!((reads, ahead.len()), (strings(&["h/course/.venv", "h/python"]), 0));
    }

    #[test]
    fn a_python_that_is_installed_over_a_home_opens_its_libraries_and_not_the_home() {
        let machine = Machine::new("h/bin");
        machine.folder("h/lib/python3.11").script(
            "h/bin/python3",
            "echo ~/bin/python3; echo ~; echo ~/lib/python3.11; echo ~/pyvenv.cfg",
        );
        let (_, _, reads, _) = machine.found("python3");
        assert_eq!(reads, ["h/bin/python3", "h/lib/python3.11"]);
    }

    #[test]
    fn nodes_version_is_the_folder_above_bin() {
        let machine = Machine::new("h/.nvm/versions/node/v20/bin");
        machine.program("h/.nvm/versions/node/v20/bin/node").folder("h/.nvm/versions/node/v20/lib");
        let (file, name, reads, ahead) = machine.found("node");
        assert_eq!((&file, ahead.len()), (&name, 0));
        assert_eq!(reads, ["h/.nvm/versions/node/v20"]);
    }

    #[test]
    fn javas_links_are_followed_to_its_settings() {
        let machine = Machine::new("h/.sdkman/candidates/java/current/bin");
        let candidates = machine.path("h/.sdkman/candidates/java");
        fs::remove_dir_all(candidates.join("current")).unwrap();
        symlink("17.0.1-tem", candidates.join("current")).unwrap();
        machine
            .program("h/.sdkman/candidates/java/17.0.1-tem/bin/java")
            .folder("h/.sdkman/candidates/java/17.0.1-tem/lib")
            .program("etc/java-17/jvm-amd64.cfg");
        let settings = candidates.join("17.0.1-tem/lib/jvm.cfg");
        symlink(machine.path("etc/java-17/jvm-amd64.cfg"), settings).unwrap();
        let (file, name, reads, _) = machine.found("java");
        assert_eq!(file, "h/.sdkman/candidates/java/17.0.1-tem/bin/java");
        assert_eq!(name, "h/.sdkman/candidates/java/current/bin/java");
        assert_eq!(reads, ["etc/java-17", "h/.sdkman/candidates/java/17.0.1-tem"]);
    }

    #[test]
    fn a_java_that_is_a_script_is_asked() {
        let machine = Machine::new("h/.jenv/shims");
        machine
            .script(
                "h/.jenv/shims/java",
                "echo '    java.home = /nowhere'; echo '  java.home = '~/jdk",
            )
            .program("h/jdk/bin/java")
            .folder("h/jdk/lib");
        let (file, name, reads, ahead) = machine.found("java");
        assert_eq!((&*file, &*name), ("h/jdk/bin/java", "h/jdk/bin/java"));
        assert_eq!((reads, ahead), (strings(&["h/jdk"]), strings(&["h/jdk/bin"])));
    }

    #[test]
    fn an_answer_that_is_none_leaves_what_was_found() {
        for answer in ["echo nothing that exists", "exit 1", "echo /nowhere/python3"] {
            let machine = Machine::new("h/shims");
            machine.script("h/shims/python3", answer);
            let (file, name, reads, ahead) = machine.found("python3");
            assert_eq!((&*file, &*name), ("h/shims/python3", "h/shims/python3"));
            assert_eq!((reads, ahead.len()), (strings(&["h/shims/python3"]), 0));
        }
    }

    #[test]
    fn other_programs_open_their_installation_or_themselves_alone() {
        for (folder, library, reads) in [
            ("h/julia-1.10/bin", "h/julia-1.10/lib", "h/julia-1.10"),
            ("h/go/bin", "h/go/pkg", "h/go/bin/lua"),
            ("h/tools", "h/lib", "h/tools/lua"),
            // A home, a shared installation folder, and the folder of the tournament.
            ("h/bin", "h/lib", "h/bin/lua"),
            ("h/.local/bin", "h/.local/lib", "h/.local/bin/lua"),
            ("bin", "lib", "bin/lua"),
        ] {
            let machine = Machine::new(folder);
            machine.folder(library).program(&format!("{folder}/lua"));
            assert_eq!(machine.found("lua").2, [reads], "{folder}");
        }
    }

    #[test]
    fn no_home_is_ever_opened() {
        let machine = Machine::new("h/bin");
        let ask = machine.path("ask");
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let tools = Tools::of_this_machine();
        let sandbox = open();
        let commands = Commands::new(&tools, asking(&sandbox, &ask));
        let above = home.iter().flat_map(|home| home.ancestors()).map(Path::to_owned);
        let tournament = ask.ancestors().map(Path::to_owned);
        let known = ["/", "/home", "/root", "/opt", "/tmp"].map(PathBuf::from);
        for folder in above.chain(tournament).chain(known).chain([machine.path("h")]) {
            assert!(commands.is_broad(&folder) || !folder.exists(), "{}", folder.display());
        }
        assert!(!commands.is_broad(&machine.path("h/bin")));
    }

    #[test]
    fn what_belongs_to_the_system_is_neither_asked_nor_listed() {
        let tools = Tools::on("/usr/bin:/bin");
        let sandbox = open();
        let mut commands = Commands::new(&tools, asking(&sandbox, Path::new("/nowhere")));
        assert!(commands.add("sh").is_some());
        assert!(commands.add("no-such-command").is_none());
        let _ = commands.add("python3");
        assert_eq!(reads(&commands), [] as [PathBuf; 0]);
    }

    #[test]
    fn a_path_opens_only_what_a_command_of_the_path_would_open() {
        let machine = Machine::new("h/.pyenv/shims");
        let real = "h/.pyenv/versions/3/bin/python3";
        machine
            .script("h/.pyenv/shims/python3", "echo ~/.pyenv/versions/3/bin/python3")
            .program(real)
            .program("h/course/python3")
            .folder("h/course/lib")
            .program("h/.ssh/python3")
            .folder("h/.pyenv/versions/3/lib");
        let (ask, sandbox) = (machine.path("ask"), open());
        for (path, is_opened) in [
            (real, true),
            ("h/.pyenv/shims/python3", true),
            ("h/course/python3", false),
            ("h/.ssh/python3", false),
            ("h/.pyenv/versions/3/bin/other", false),
            ("h", false),
        ] {
            let mut commands = Commands::new(&machine.tools, asking(&sandbox, &ask));
            commands.add_path(&machine.path(path));
            let version = is_opened.then(|| machine.path("h/.pyenv/versions/3"));
            assert_eq!(reads(&commands), version.into_iter().collect::<Vec<_>>(), "{path}");
            assert_eq!(commands.installed.len(), usize::from(is_opened), "{path}");
        }
    }
}
