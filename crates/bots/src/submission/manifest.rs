//! Bot manifest: a validated `bot.toml`.
//!
//! Must not depend on whether the files that it names exist.

use std::path::{Component, Path, PathBuf};

use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{BotName, Dialect, Untrusted};

use super::argv::{Program, Word, check_inside};
use super::fault::{FileError, shown};
use super::keys::{self, Keys, Placed, Words};

/// Content of a `bot.toml`: name, build and run commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The bot's name; `None` for the name of its folder or file, made valid.
    pub name: Option<BotName>,
    /// A display name without restrictions.
    pub display: Option<Untrusted>,
    /// Authors of the bot.
    pub authors: Vec<Untrusted>,
    /// The subfolder in which it is built and runs. Empty for its own folder.
    pub folder: PathBuf,
    /// The build commands, in order. Empty if there is nothing to build.
    pub build: Vec<BuildStep>,
    /// The program that plays.
    pub program: Program,
    /// Arguments of the program.
    pub args: Vec<Word>,
    /// Its dialect.
    pub dialect: Dialect,
    /// Names of the games that it plays, without options. Empty for all.
    pub games: Vec<String>,
    /// Further commands that it needs on PATH.
    pub needs: Vec<String>,
    /// Whether blank lines, `OK`, `#…` and `info…` before a move are skipped.
    pub lenient: bool,
}

/// One command of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildStep {
    /// The program.
    pub program: Program,
    /// Its literal arguments.
    pub args: Vec<String>,
}

/// Keys and an example value of each. The documentation is generated from this list.
const KEYS: [(&str, &str); 10] = [
    ("name", "name = \"my-bot\""),
    ("display", "display = \"My Bot\""),
    ("authors", "authors = [\"Ada\", \"Alan\"]"),
    ("folder", "folder = \"src\""),
    ("build", "build = [\"make\"], or a list of such lists for several commands"),
    ("run", "run = [\"python3\", \"bot.py\", \"{n}\"]"),
    ("dialect", "dialect = \"arena\", \"course\" or \"pitmaster\""),
    ("games", "games = [\"coloured-awale\"]"),
    ("needs", "needs = [\"python3\"]"),
    ("lenient", "lenient = true"),
];

fn right(key: &str) -> &'static str {
    KEYS.iter().find(|(name, _)| *name == key).map_or("", |(_, right)| right)
}

impl Manifest {
    /// Name of the file.
    pub const FILE: &'static str = "bot.toml";

    /// Maximum file size, in bytes.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// Maximum length of a display name or author, in characters.
    pub const MAX_TEXT: usize = 100;

    /// Parses a `bot.toml`; `file` is its name in messages.
    ///
    /// # Errors
    /// All errors in it, in the order of the file.
    pub fn parse(bytes: &[u8], file: &Path) -> Result<Self, Vec<FileError>> {
        let text = text_of(bytes).map_err(|what| vec![FileError::whole(file, what)])?;
        let (root, diagnostics) = keys::parse(text);
        let mut keys = Keys::of(&root, diagnostics, &KEYS.map(|(name, _)| name), right);
        let read = read(&mut keys);
        keys.finish(file, read)
    }

    /// Returns whether it plays a game of that name. A bot that plays a game also plays its
    /// variants.
    pub fn plays(&self, game: &str) -> bool {
        let base = game.split("::").next().unwrap_or(game);
        let named = |name: &String| name == game || name == base;
        self.games.is_empty() || self.games.iter().any(named)
    }

    /// All commands that must be on PATH, without duplicates: those it needs, builds with and runs
    /// with.
    pub fn tools(&self) -> Vec<&str> {
        let programs = self.build.iter().map(|step| &step.program).chain([&self.program]);
        let commands = programs.filter_map(|program| match program {
            Program::Command(name) => Some(name),
            Program::File(_) | Program::OnlyOneIn(_) => None,
        });
        let mut tools = Vec::new();
        for name in self.needs.iter().chain(commands) {
            if !tools.contains(&name.as_str()) {
                tools.push(name.as_str());
            }
        }
        tools
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, Message> {
    if bytes.len() > Manifest::MAX_BYTES {
        return Err(said!(
            "larger than {} KiB; a manifest is a few lines",
            Manifest::MAX_BYTES >> 10
        ));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        said!("line {} is not UTF-8; save the file as UTF-8", good.matches('\n').count() + 1)
    })
}

fn read(keys: &mut Keys<'_, '_>) -> Option<Manifest> {
    let (name, free) = read_name(keys);
    let display = keys.text("display").and_then(|text| free_text(keys, text));
    let display = display.or(free);
    let authors = read_list(keys, "authors", free_text);
    let folder = keys.text("folder").and_then(|text| read_folder(keys, text));
    let folder = folder.unwrap_or_default();
    let build = read_build(keys);
    let run = read_run(keys);
    let dialect = read_dialect(keys);
    let games = read_list(keys, "games", plain_name);
    let needs = read_list(keys, "needs", command);
    let lenient = keys.flag("lenient").unwrap_or(false);
    let (program, args) = run?;
    Some(Manifest {
        name,
        display,
        authors,
        folder,
        build,
        program,
        args,
        dialect,
        games,
        needs,
        lenient,
    })
}

/// Reads a name. If it had to be made valid, also returns the original for display.
fn read_name(keys: &mut Keys<'_, '_>) -> (Option<BotName>, Option<Untrusted>) {
    let Some(placed) = keys.text("name") else { return (None, None) };
    match placed.0.parse() {
        Ok(name) => (Some(name), None),
        Err(_) => (Some(BotName::tamed(placed.0)), free_text(keys, placed)),
    }
}

/// Reads a path of plain names, so that the build folder stays inside the submission.
fn read_folder(keys: &mut Keys<'_, '_>, text: Placed<&str>) -> Option<PathBuf> {
    keys.note(text, |text| {
        let mut parts = Path::new(text).components().peekable();
        let is_plain = |part| matches!(part, Component::Normal(_));
        let whole = parts.peek().is_some() && parts.all(is_plain) && !text.contains('\0');
        whole.then(|| PathBuf::from(text)).ok_or_else(|| {
            format!(
                "`folder` is a folder of the bot's, as in {}, not \"{}\"",
                right("folder"),
                shown(text)
            )
        })
    })
}

fn read_dialect(keys: &mut Keys<'_, '_>) -> Dialect {
    let Some((text, offset)) = keys.text("dialect") else {
        return Dialect::default();
    };
    text.parse().unwrap_or_else(|_| {
        let names = Dialect::ALL.map(Dialect::name);
        let near =
            did_you_mean(text, names).map_or(String::new(), |n| format!("; did you mean {n}?"));
        let what = format!(
            "there is no dialect \"{}\", it is arena, course or pitmaster{near}",
            shown(text)
        );
        keys.fault(offset, what);
        Dialect::default()
    })
}

fn read_run(keys: &mut Keys<'_, '_>) -> Option<(Program, Vec<Word>)> {
    let Some((words, offset)) = keys.list("run") else {
        if !keys.has("run") {
            keys.missing(&format!("`run` is missing; write {}", right("run")));
        }
        return None;
    };
    let Some((first, args)) = words.split_first() else {
        keys.fault(offset, format!("`run` is empty; write {}", right("run")));
        return None;
    };
    let program = keys.note(*first, |word| {
        if word.contains('{') {
            return Err("placeholders can stand in the arguments, not in the program".into());
        }
        plain(word).and_then(Program::parse)
    });
    let args: Vec<_> = args
        .iter()
        .filter_map(|word| {
            keys.note(*word, |word| plain(word).and_then(inside).and_then(Word::parse))
        })
        .collect();
    Some((program?, args))
}

fn read_build(keys: &mut Keys<'_, '_>) -> Vec<BuildStep> {
    let lists = keys.lists("build");
    lists.into_iter().filter_map(|list| read_step(keys, list)).collect()
}

fn read_step(keys: &mut Keys<'_, '_>, (words, offset): Placed<Words<'_>>) -> Option<BuildStep> {
    let Some((first, rest)) = words.split_first() else {
        keys.fault(offset, format!("a command without words; write {}", right("build")));
        return None;
    };
    let program = keys.note(*first, |word| plain(word).and_then(Program::parse));
    let args = rest
        .iter()
        .filter_map(|word| keys.note(*word, |word| plain(word).and_then(inside).map(str::to_owned)))
        .collect();
    Some(BuildStep { program: program?, args })
}

fn read_list<T>(
    keys: &mut Keys<'_, '_>,
    key: &str,
    item: impl Fn(&mut Keys<'_, '_>, Placed<&str>) -> Option<T>,
) -> Vec<T> {
    let (items, _) = keys.list(key).unwrap_or_default();
    items.iter().filter_map(|text| item(keys, *text)).collect()
}

fn free_text(keys: &mut Keys<'_, '_>, text: Placed<&str>) -> Option<Untrusted> {
    keys.note(text, |text| {
        let fits = text.chars().count() <= Manifest::MAX_TEXT;
        let longer = || format!("longer than {} characters", Manifest::MAX_TEXT);
        fits.then(|| Untrusted::new(text)).ok_or_else(longer)
    })
}

fn plain_name(keys: &mut Keys<'_, '_>, text: Placed<&str>) -> Option<String> {
    keys.note(text, |text| {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !text.is_empty() && text.chars().all(is_name) {
            return Ok(text.to_owned());
        }
        Err(format!(
            "a game is named by letters a-z, digits and dashes, without options, not \"{}\"",
            shown(text)
        ))
    })
}

fn command(keys: &mut Keys<'_, '_>, text: Placed<&str>) -> Option<String> {
    keys.note(text, |text| match plain(text).and_then(Program::parse) {
        Ok(Program::Command(name)) => Ok(name),
        _ => Err(format!("`needs` lists commands by their name alone, not \"{}\"", shown(text))),
    })
}

/// Checks that a word has no NUL byte.
fn plain(word: &str) -> Result<&str, String> {
    if word.contains('\0') { Err("a word cannot hold a NUL".into()) } else { Ok(word) }
}

fn inside(word: &str) -> Result<&str, String> {
    check_inside(word).map(|()| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Manifest, String> {
        Manifest::parse(text.as_bytes(), Path::new("bot.toml"))
            .map_err(|faults| faults.iter().map(|fault| format!("{fault}\n")).collect())
    }

    fn faults(text: &str) -> String {
        parse(text).expect_err("a wrong manifest")
    }

    #[test]
    fn a_full_manifest_is_read() {
        let manifest = parse(
            r#"
            name = "ada-1"
            display = "Ada <1>"
            authors = ["Ada"]
            build = [["make", "-j2"], ["./after.sh"]]
            run = ["python3", "bot.py", "Joueur{J}"]
            dialect = "course"
            games = ["coloured-awale"]
            needs = ["python3", "gcc"]
            lenient = true
            "#,
        )
        .expect("a right manifest");
        assert_eq!(manifest.name.as_ref().expect("named").as_str(), "ada-1");
        assert_eq!(manifest.build.len(), 2);
        assert_eq!(manifest.build[1].program, Program::File("./after.sh".into()));
        assert_eq!(manifest.dialect, Dialect::Course);
        assert_eq!(manifest.tools(), ["python3", "gcc", "make"]);
        assert!(manifest.lenient && manifest.plays("coloured-awale") && !manifest.plays("kalah"));
        assert!(manifest.plays("coloured-awale::short"), "a variant of what it plays");
    }

    #[test]
    fn only_run_is_needed_and_one_command_needs_no_list_of_lists() {
        let manifest = parse("run = ['./bot']\nbuild = ['make']").expect("a right manifest");
        assert_eq!(
            manifest.build,
            [BuildStep { program: Program::Command("make".into()), args: vec![] }]
        );
        assert_eq!((manifest.dialect, manifest.lenient), (Dialect::Arena, false));
        assert!(manifest.args.is_empty() && manifest.plays("anything"));
    }

    #[test]
    fn every_mistake_is_told_with_its_place() {
        let text = r#"name = "My Bot"
dialekt = "arena"
dialect = "areena"
run = ["/usr/bin/python3", "../other/bot.py", "{m}"]
build = [["make"], [], "cc"]
games = "kalah"
needs = ["./gcc"]
authors = ["Ada", 3]
lenient = "yes"
colour = 1
"#;
        insta::assert_snapshot!(faults(text), @r#"
        bot.toml:2:1: there is no key `dialekt`; did you mean `dialect`?
        bot.toml:3:11: there is no dialect "areena", it is arena, course or pitmaster; did you mean arena?
        bot.toml:4:8: /usr/bin/python3 leads outside the bot's folder; write "python3" for a command of this machine, "./python3" for a file of the folder
        bot.toml:4:28: ../other/bot.py leads outside the bot's folder; copy what the bot needs into the folder
        bot.toml:4:47: there is no placeholder {m}; there are {n} {J} {seed} {move_ms} {game_ms}
        bot.toml:5:20: a command without words; write build = ["make"], or a list of such lists for several commands
        bot.toml:5:24: `build` is a list of texts, and here is a TOML string; write build = ["make"], or a list of such lists for several commands
        bot.toml:6:9: `games` is a list of texts, and here is a TOML string; write games = ["coloured-awale"]
        bot.toml:7:10: `needs` lists commands by their name alone, not "./gcc"
        bot.toml:8:19: `authors` is a list of texts, and here is a TOML integer; write authors = ["Ada", "Alan"]
        bot.toml:9:11: `lenient` is true or false, and here is a TOML string; write lenient = true
        bot.toml:10:1: there is no key `colour`; there are name, display, authors, folder, build, run, dialect, games, needs, lenient
        "#);
    }

    #[test]
    fn a_name_that_is_not_allowed_is_what_people_see() {
        let of = |text: &str| {
            let manifest = parse(&format!("run = ['./x']\n{text}")).expect("a right manifest");
            let display = manifest.display.map(|text| text.shown(99));
            (manifest.name.map(|name| name.to_string()), display)
        };
        let some = |name: &str, display: &str| (Some(name.into()), Some(display.into()));
        assert_eq!(of("name = 'Mon Joueur'"), some("mon-joueur", "Mon Joueur"));
        assert_eq!(of("name = 'A b'\ndisplay = 'C'"), some("a-b", "C"));
        assert_eq!(of("name = 'ada-1'"), (Some("ada-1".into()), None));
        assert!(faults(&format!("run = ['./x']\nname = '{}'", "x ".repeat(99))).contains("longer"));
    }

    #[test]
    fn a_folder_stays_inside() {
        let manifest = parse("run = ['./x']\nfolder = 'src/bot'").expect("a right manifest");
        assert_eq!(manifest.folder, Path::new("src/bot"));
        for folder in ["", "..", "/x", "a/../../b", "./x/..", "a\\u0000"] {
            let text = faults(&format!("run = ['./x']\nfolder = \"{folder}\""));
            assert!(text.contains("`folder` is a folder of the bot's"), "{folder}: {text}");
        }
    }

    #[test]
    fn missing_and_empty_commands_are_told() {
        let texts = ["name = 'a'", "run = []", "run = ['{n}']"];
        insta::assert_snapshot!(texts.map(faults).concat(), @r#"
        bot.toml:1:1: `run` is missing; write run = ["python3", "bot.py", "{n}"]
        bot.toml:1:7: `run` is empty; write run = ["python3", "bot.py", "{n}"]
        bot.toml:1:8: placeholders can stand in the arguments, not in the program
        "#);
    }

    #[test]
    fn broken_syntax_hides_no_other_mistake_and_makes_up_none() {
        insta::assert_snapshot!(faults("run = [\"a\"\nlenient = 3\n\nbiuld = 1\n"), @r"
        bot.toml:2:1: this is not TOML: missing comma between array elements, expected `,`
        bot.toml:4:1: this is not TOML: missing comma between array elements, expected `,`
        ");
        insta::assert_snapshot!(faults("lenient = \nneeds = 1\n"), @r#"
        bot.toml:1:11: this is not TOML: string values must be quoted, expected literal string
        bot.toml:2:9: `needs` is a list of texts, and here is a TOML integer; write needs = ["python3"]
        "#);
    }

    #[test]
    fn what_is_no_text_or_too_large_is_refused() {
        let file = Path::new("bot.toml");
        let latin = Manifest::parse(b"run = ['x']\nauthors = ['\xe9']", file).expect_err("Latin 1");
        assert_eq!(latin[0].to_string(), "bot.toml: line 2 is not UTF-8; save the file as UTF-8");
        let large = Manifest::parse(&vec![b'#'; Manifest::MAX_BYTES + 1], file).expect_err("large");
        assert!(large[0].what.to_string().contains("larger than 64 KiB"), "{}", large[0]);
        let deep = format!("run = {}", "[".repeat(60_000));
        assert!(Manifest::parse(deep.as_bytes(), file).is_err());
    }

    #[test]
    fn a_file_full_of_mistakes_is_told_in_part() {
        let fill = |unit: &str| unit.repeat(Manifest::MAX_BYTES / unit.len() - 10);
        for text in [
            format!("needs = [{}]", fill("1,")),
            format!("build = [{}]\nx =", fill("[1],")),
            fill("= = \n"),
            (0..6000).map(|i| format!("x{i} = 1\n")).collect(),
            fill("\""),
        ] {
            let faults = Manifest::parse(text.as_bytes(), Path::new("x")).expect_err("mistakes");
            assert!((1..=31).contains(&faults.len()), "{}", faults.len());
        }
    }

    #[test]
    fn hostile_texts_stay_data_or_are_refused_escaped() {
        let manifest = parse(
            "run = ['./x']\ndisplay = '</script>'\nauthors = ['=HYPERLINK(\"x\")', \"\\u001b[31m\"]",
        )
        .expect("free texts are free");
        assert_eq!(manifest.display, Some(Untrusted::new("</script>")));
        assert_eq!(manifest.authors[1].as_bytes(), b"\x1b[31m");
        let text =
            faults("run = ['./x', \"\\u0000\"]\nname = \"\\u001b[31m</script>\"\n'\u{202e}' = 1");
        assert!(text.lines().count() == 2 && !text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_with_places_in_it(text in "([a-z]{1,7} = |[\\[\\]'\"\n=,{}.a#é]){0,60}") {
            if let Err(faults) = Manifest::parse(text.as_bytes(), Path::new("x")) {
                prop_assert!(!faults.is_empty());
                let lines = text.lines().count() + 1;
                prop_assert!(faults.iter().all(|f| f.place.is_some_and(|p| p.line as usize <= lines)));
            }
        }
    }
}
