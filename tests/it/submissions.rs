//! Attempts of a submission to affect the referee before the first move, apart from its program:
//! see `bots/hostile` for that.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::contest::{PATIENT, tournament};
use crate::hostile::tiers::{Around, Tier, tiers};
use crate::scratch::{Ran, Scratch};

/// Makes an attempt as the user of the tests and as an ordinary user, in each tier that contains
/// bots.
fn everywhere(attempt: impl Fn(Around, &Tier)) {
    for around in [Around::NOTHING, Around { as_nobody: true, in_container: false }] {
        if let Some(why) = around.lacks() {
            eprintln!("skipped: {around:?}: {why}");
            continue;
        }
        let tiers = tiers(around).0;
        tiers.iter().filter(|tier| tier.name != "bare").for_each(|tier| attempt(around, tier));
    }
}

fn executable(scratch: &Scratch, name: &str, text: &str) {
    scratch.write(name, text);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(name), mode).expect("sets");
}

fn run(around: Around, scratch: &Scratch, args: &str) -> Ran {
    around.hand_over(scratch);
    let mut command = around.command(scratch, args);
    let mine = scratch.path("tools").canonicalize().expect("tools");
    let others = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path);
    let others = others.map_or_else(|| std::env::var_os("PATH").unwrap_or_default(), Into::into);
    let path = std::iter::once(mine).chain(std::env::split_paths(&others));
    command.env("PATH", std::env::join_paths(path).expect("a PATH"));
    scratch.ran(command.output().expect("the binary starts"))
}

/// A manifest may name any command on the operator's PATH, and each is asked for its version, which
/// must be harmless for every command.
#[test]
fn a_command_that_a_manifest_names_is_asked_in_a_sandbox() {
    everywhere(|around, tier| {
        let scratch = around.scratch();
        fs::create_dir(scratch.path("tools")).expect("a folder");
        let marker = scratch.path("home").canonicalize().expect("home").join("deployed");
        let text = format!(
            "#!/bin/sh\necho deploy 1.0\n: > '{0}' || echo refused >&2\nread -r line < '{0}.key'\n\
             echo \"key ${{line-none}}\"\n",
            marker.display()
        );
        executable(&scratch, "tools/deploy", &text);
        scratch.write("home/deployed.key", "secret\n");
        scratch.fast("good", "random").fast("curious", "random");
        let manifest = scratch.read("own/curious/bot.toml") + "\nneeds = [\"deploy\"]\n";
        scratch.write("own/curious/bot.toml", manifest);
        let cup = tournament(PATIENT, 1, "include = ['own/*']");
        scratch.write("cup.toml", cup);
        let ran = run(around, &scratch, &format!("run cup.toml {}", tier.args()));
        assert_eq!(ran.code, Some(0), "{around:?} {}: {}", tier.name, ran.all());
        assert!(!marker.exists(), "{around:?} {}", tier.name);
        let bots = fs::read_dir(scratch.path("results/cup/bots")).expect("bots").flatten();
        let versions =
            bots.filter_map(|bot| fs::read_to_string(bot.path().join("versions.json")).ok());
        let versions: String = versions.collect();
        assert!(versions.contains("deploy 1.0") && !versions.contains("secret"), "{versions}");
    });
}

/// Detection of the dialect starts a bot without a manifest, as contained as in games.
#[test]
fn a_bot_without_a_manifest_is_tried_in_a_sandbox() {
    everywhere(|around, tier| {
        let scratch = around.scratch();
        fs::create_dir(scratch.path("tools")).expect("a folder");
        let marker = scratch.path("home").canonicalize().expect("home").join("tried");
        scratch.write("home/tried.key", "secret\n");
        let source = format!(
            "import sys\nhole = int(sys.argv[1])\n\
             for way in (lambda: open({0:?}, 'w'), lambda: open({0:?} + '.key'),\n            \
             lambda: open('here', 'w')):\n    \
             try:\n        way()\n        hole = 99\n    except OSError:\n        pass\n\
             for line in sys.stdin:\n    print(f'{{hole}}R', flush=True)\n    hole += 2\n",
            marker.display().to_string()
        );
        scratch.write("own/curious/joueur.py", source);
        let cup = tournament(
            &PATIENT.replace("plies = 120", "plies = 2"),
            1,
            "include = ['own/*', 'house:random']",
        );
        scratch.write("cup.toml", cup);
        let ran = run(around, &scratch, &format!("run cup.toml {}", tier.args()));
        let said = "joueur.py was taken, and speaks arena with the argument 1 (by trial";
        assert!(ran.code == Some(0) && ran.stderr.contains(said), "{around:?}: {}", ran.all());
        assert!(!marker.exists(), "{around:?} {}", tier.name);
    });
}

/// A link in place of a manifest is not followed, because its target would be quoted in errors.
#[test]
fn a_manifest_that_is_a_link_is_not_read() {
    let scratch = Scratch::new();
    scratch.write("home/secret", "run = 'the secret'\n").fast("good", "random");
    fs::create_dir(scratch.path("own/linked")).expect("a folder");
    symlink("../../home/secret", scratch.path("own/linked/bot.toml")).expect("links");
    let ran = scratch.run("check own/linked");
    assert!(!ran.all().contains("the secret"), "{}", ran.all());
    assert!(
        ran.all().contains("is not a file; a manifest is a few lines of text"),
        "{}",
        ran.all()
    );
}

/// Pipes, sockets and links that leave the folder are reported at once, and nothing is stored.
#[test]
fn a_submission_of_pipes_is_refused_at_once() {
    let scratch = Scratch::new();
    scratch.fast("good", "random").fast("pipes", "random");
    for name in ["own/pipes/bot.py", "own/pipes/data"] {
        let made = std::process::Command::new("mkfifo").arg(scratch.path(name)).status();
        assert!(made.expect("mkfifo starts").success());
    }
    let ran = scratch.run("match own/good own/pipes --pairs 1");
    assert!(ran.stderr.contains("a named pipe and not a file; remove it"), "{}", ran.all());
    scratch.bot("manifest", "pitmaster", "");
    fs::remove_file(scratch.path("own/manifest/bot.toml")).expect("removes");
    let pipe = scratch.path("own/manifest/bot.toml");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("starts").success());
    let ran = scratch.run("check own/manifest");
    assert!(
        ran.all().contains("is not a file; a manifest is a few lines of text"),
        "{}",
        ran.all()
    );
}
