//! Tests of preparation, with bots and tools that are scripts.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use pitmaster_core::{Dialect, Exit, Limits, Resources, Seed, Side, StartFault};
use pitmaster_sandbox::Sandbox;

use super::super::fault::BuildEnd;
use super::*;
use crate::toolchain::{Tools, script};

/// Folder with a bot, a store, and a PATH of script tools.
struct House {
    dir: tempfile::TempDir,
    options: Options,
}

impl House {
    fn new(manifest: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["My Bot", "tools"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", dir.path().join("tools").display());
        let house = Self {
            dir,
            options: Options::with(Tools::on(path), &Sandbox::open(&Resources::default())),
        };
        fs::write(house.bot().join("bot.toml"), manifest).unwrap();
        house
    }

    fn bot(&self) -> PathBuf {
        self.dir.path().join("My Bot")
    }

    fn prepare(&self) -> Result<Prepared, PrepareError> {
        let store = self.dir.path().join("results/bots");
        prepare(&self.bot(), Naming::default(), &store, "coloured-awale", &self.options)
    }

    fn fault(&self) -> BotFault {
        match self.prepare().expect_err("an unfit bot") {
            PrepareError::Bot(unfit) => unfit.fault,
            PrepareError::Store(fault) => panic!("{fault}"),
        }
    }
}

const SCRIPT: &str = "#!/bin/sh\necho \"$1 $PITMASTER_SEED ${SECRET-none}\"\n";

/// Starts a bot without a sandbox and reads its output.
fn output_of(command: &PlayerCommand, side: Side) -> String {
    let limits = Limits::default();
    // A program that was just written can be busy (`ETXTBSY`) while another test forks.
    for _ in 0..100 {
        let output = Command::new(&command.program)
            .args(command.args(side, Seed(5), &limits))
            .env_clear()
            .envs(command.environment(side, Seed(5), &limits, "toy"))
            .current_dir(&command.folder)
            .output();
        match output {
            Ok(output) => return String::from_utf8(output.stdout).unwrap(),
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    panic!("{} would not start", command.program.display());
}

#[test]
fn a_bot_with_a_manifest_is_built_and_runs_from_its_copy() {
    let house = House::new(
        "build = [['sh', 'make.sh'], ['./made']]\nrun = ['./made', '{J}']\ndialect = 'course'",
    );
    script(&house.bot().join("made.in"), SCRIPT);
    fs::write(house.bot().join("make.sh"), "mv made.in made; echo \"in $HOME\"").unwrap();
    let prepared = house.prepare().unwrap();
    let command = &prepared.command;
    assert_eq!((command.id.name.as_str(), command.dialect), ("my-bot", Dialect::Course));
    assert_eq!(command.display.as_bytes(), b"my-bot");
    fs::remove_dir_all(house.bot()).unwrap();
    assert_eq!(output_of(command, Side::Two), "B 5 none\n");
    let log = fs::read_to_string(prepared.snapshot.log()).unwrap();
    assert!(log.starts_with("$ sh make.sh\nin /") && log.ends_with("$ ./made\n  none\n"), "{log}");
    assert!(fs::read_to_string(prepared.snapshot.versions()).unwrap().contains("\"sh\""));
    assert!(!prepared.snapshot.scratch_folder().path().exists());
}

#[test]
fn a_build_is_done_once_and_again_when_it_failed() {
    let house = House::new("build = ['./build.sh']\nrun = ['./play']");
    script(&house.bot().join("play"), SCRIPT);
    let count = house.dir.path().join("count");
    let build = format!("#!/bin/sh\necho >> '{0}'; test -e '{0}.ready'\n", count.display());
    script(&house.bot().join("build.sh"), &build);
    let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
    assert_eq!(failure.why, BuildEnd::Exited(Exit::Code(1)));
    fs::write(house.dir.path().join("count.ready"), "").unwrap();
    for _ in 0..3 {
        house.prepare().unwrap();
    }
    assert_eq!(fs::read_to_string(&count).unwrap(), "\n\n");
}

#[test]
fn a_failed_build_is_told_with_the_end_of_its_log() {
    let house =
        House::new("build = ['sh', '-c', 'echo \"\\033[31mbad\"; kill -11 $$']\nrun = ['./x']");
    let text = house.fault().to_string();
    let (text, log) = text.split_once("\nthe whole log is ").unwrap();
    insta::assert_snapshot!(text, @r#"
    it did not build: `sh -c echo "\\033[31mbad"; kill -11 $$` was ended by signal 11 (SIGSEGV)
      | $ sh -c echo "\\033[31mbad"; kill -11 $$
      | \u{1b}[31mbad
    "#);
    assert!(Path::new(log).is_file(), "{log}");
}

#[test]
fn builds_are_bounded() {
    let mut house = House::new("build = ['sh', '-c', 'sleep 600']\nrun = ['./x']");
    house.options.build_time = Duration::from_millis(30);
    let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
    assert_eq!(failure.why, BuildEnd::TooSlow(Duration::from_millis(30)));
    let mut house =
        House::new("build = ['sh', '-c', 'while :; do echo aaaa; done']\nrun = ['./x']");
    house.options.build_output = 1000;
    let BotFault::DidNotBuild(failure) = house.fault() else { panic!("a failed build") };
    assert_eq!(failure.why, BuildEnd::TooMuchOutput(1000));
}

#[test]
fn what_is_missing_is_named_before_anything_is_built() {
    let house = House::new("build = ['touch', 'built']\nrun = ['./x']\nneeds = ['no-such-tool']");
    assert_eq!(house.fault(), BotFault::MissingTool { tool: "no-such-tool".into() });
    let PrepareError::Bot(unfit) = house.prepare().unwrap_err() else { panic!("the bot's") };
    let hash = unfit.hash.unwrap();
    let kept = house.dir.path().join("results/bots").join(hash.as_str());
    assert!(kept.join("src").exists() && !kept.join("work").exists());
    assert_eq!(unfit.fault.as_forfeit(), pitmaster_core::Fault::DidNotBuild);
}

#[test]
fn what_is_admitted_here_is_built_elsewhere() {
    let house =
        House::new("build = ['cp', 'made.in', 'made']\nrun = ['./made', '{n}']\nname = 'own'");
    script(&house.bot().join("made.in"), SCRIPT);
    let (limits, store) = (house.options.limits, house.dir.path().join("results/bots"));
    let admit = |game| admit(&house.bot(), Naming::default(), &store, game, limits);
    let admitted = admit("kalah").unwrap();
    assert_eq!((admitted.id.name.as_str(), admitted.display.as_bytes()), ("own", &b"own"[..]));
    assert_eq!(admitted.manifest.tools(), ["cp"]);
    assert!(!admitted.snapshot.work().exists());

    let elsewhere = |game| {
        let (name, display) = (BotName::tamed("other"), Untrusted::new("Other"));
        Admitted::elsewhere(admitted.snapshot.clone(), name, display, game, limits)
    };
    let command = elsewhere("kalah").unwrap().build(&house.options).unwrap().command;
    assert_eq!((command.id.name.as_str(), command.display.as_bytes()), ("other", &b"Other"[..]));
    assert_eq!(command.id.hash, admitted.id.hash);
    assert_eq!(output_of(&command, Side::One), "1 5 none\n");

    fs::write(house.bot().join("bot.toml"), "run = ['sh']\ngames = ['kalah']").unwrap();
    let PrepareError::Bot(unfit) = admit("oware").unwrap_err() else { panic!("the bot's") };
    assert!(matches!(unfit.fault, BotFault::OtherGame { .. }) && unfit.hash.is_some());
}

#[test]
fn another_game_is_told() {
    let house = House::new("run = ['sh']\ngames = ['kalah', 'oware']");
    let text = house.fault().to_string();
    assert!(text.starts_with("it plays kalah, oware and not coloured-awale"), "{text}");
}

#[test]
fn a_program_that_would_not_start_is_told_before_it_is_started() {
    for (contents, fault) in [
        (&b"MZ"[..], StartFault::WindowsProgram),
        (b"#!/bin/sh\r\n", StartFault::CrlfAfterShebang),
        (b"echo 1R\n", StartFault::NotExecutable),
    ] {
        let house = House::new("run = ['./x']");
        fs::write(house.bot().join("x"), contents).unwrap();
        assert_eq!(house.fault(), BotFault::WouldNotStart(fault));
    }
    let house = House::new("run = ['./gone']");
    let program = "./gone".to_owned();
    assert_eq!(house.fault(), BotFault::WouldNotStart(StartFault::NotFound { program }));
}

#[test]
fn a_build_cannot_lead_the_program_outside() {
    let house = House::new("build = ['ln', '-s', '/bin/sh', 'x']\nrun = ['./x']");
    let program = "./x".to_owned();
    assert_eq!(house.fault(), BotFault::WouldNotStart(StartFault::NotFound { program }));
    let prepared = House::new("build = ['ln', '-s', '/bin/sh', 'x']\nrun = ['sh', 'x']");
    let log = fs::read_to_string(prepared.prepare().unwrap().snapshot.log()).unwrap();
    let left_out = "-- left out: x: a link that leads out of the bot's folder\n";
    assert!(log.ends_with(left_out), "{log}");
}

#[test]
fn an_interpreter_is_found_on_the_path_and_its_links_followed() {
    let house = House::new("run = ['lua', 'bot.lua', '{n}']");
    let [real, link] = ["real", "lua"].map(|name| house.dir.path().join("tools").join(name));
    script(&real, "#!/bin/sh\necho \"$1 $2\"\n");
    std::os::unix::fs::symlink("real", &link).unwrap();
    let command = house.prepare().unwrap().command;
    assert_eq!(command.program, real.canonicalize().unwrap());
    assert_eq!(command.arg0, link);
    let reads: Vec<_> = command.reads.iter().map(|grant| grant.path().to_owned()).collect();
    assert_eq!(reads, [command.folder.clone(), command.program.clone()]);
    assert_eq!(output_of(&command, Side::One), "bot.lua 1\n");
}

#[test]
fn a_makefile_needs_no_manifest() {
    let house = House::new("");
    fs::remove_file(house.bot().join("bot.toml")).unwrap();
    fs::write(house.bot().join("Makefile"), "").unwrap();
    script(&house.bot().join("play.in"), SCRIPT);
    script(&house.dir.path().join("tools/make"), "#!/bin/sh\ncp play.in play\n");
    let command = house.prepare().unwrap().command;
    assert!(command.program.ends_with("work/play"));
    assert_eq!(output_of(&command, Side::One), "1 5 none\n");
}

#[test]
fn a_file_is_named_without_its_ending_and_a_tournament_can_name_it() {
    let house = House::new("");
    let file = house.dir.path().join("Greedy 2.py");
    fs::write(&file, "").unwrap();
    script(&house.dir.path().join("tools/python3"), "#!/bin/sh\n");
    let store = house.dir.path().join("store");
    let prepare_as =
        |naming| prepare(&file, naming, &store, "kalah", &house.options).unwrap().command;
    assert_eq!(prepare_as(Naming::default()).id.name.as_str(), "greedy-2");
    let naming = Naming { name: Some(BotName::tamed("x")), display: Some(Untrusted::new("X!")) };
    let command = prepare_as(naming);
    assert_eq!((command.id.name.as_str(), command.display.as_bytes()), ("x", &b"X!"[..]));
}

#[test]
fn a_hostile_bot_is_data() {
    let house = House::new(
        "display = '</script>'\nauthors = ['=HYPERLINK(\"x\")', \"\\u001b[2J\"]\nrun = ['./\u{202e}x\\', '</script>']",
    );
    let house_with = |run: &str| House::new(&format!("display = '</script>'\n{run}"));
    script(&house.bot().join("\u{202e}x\\"), SCRIPT);
    let prepared = house.prepare().unwrap();
    assert_eq!(output_of(&prepared.command, Side::One), "</script> 5 none\n");
    for (run, word) in [
        ("run = ['../../x']", "../../x leads outside"),
        ("run = ['sh', '../x']", "../x leads outside"),
        ("run = ['sh']\nbuild = ['cp', '../../secret', '.']", "../../secret leads outside"),
        ("run = ['/bin/sh']", "/bin/sh leads outside"),
    ] {
        let text = house_with(run).fault().to_string();
        assert!(text.contains(word), "{text}");
    }
    let house = House::new(
        "run = [\"./\\u001b[31m\\n</script>\"]\nbuild = ['sh', \"-c\", \"printf '\\\\033[2J\\\\377'; exit 1\"]",
    );
    let text = house.fault().to_string();
    assert!(text.contains("\\u{1b}[2J\\xff") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_manifest_handed_in_alone_or_no_file_is_refused() {
    let house = House::new("run = ['sh']");
    let inspect =
        |path: &Path| inspect(path, None, TreeLimits::default()).map_err(|e| e.to_string());
    assert!(inspect(&house.bot()).is_ok());
    assert!(inspect(&house.bot().join("bot.toml")).unwrap_err().contains("name the folder"));
    fs::remove_file(house.bot().join("bot.toml")).unwrap();
    fs::create_dir(house.bot().join("bot.toml")).unwrap();
    assert!(inspect(&house.bot()).unwrap_err().contains("is not a file"));
    assert!(inspect(Path::new("/nowhere/x")).unwrap_err().contains("cannot be read"));
}

#[test]
fn two_at_once_build_once() {
    let house = House::new("build = ['./build.sh']\nrun = ['./play']");
    script(&house.bot().join("play"), SCRIPT);
    let count = house.dir.path().join("count");
    script(&house.bot().join("build.sh"), &format!("#!/bin/sh\necho >> '{}'\n", count.display()));
    std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| house.prepare().unwrap()));
        assert!(both.into_iter().all(|thread| thread.join().is_ok()));
    });
    assert_eq!(fs::read_to_string(&count).unwrap(), "\n");
}
