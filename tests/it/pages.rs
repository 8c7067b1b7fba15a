//! Every command on every page is valid: in READMEs, docs, and files of `pitmaster new`. Checks
//! programs, their flags, and files of the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// External programs. Adding one here requires only a manual check.
const OTHERS: &[&str] = &[
    "apt",
    "apt-get",
    "cat",
    "cc",
    "chmod",
    "cp",
    "curl",
    "cut",
    "docker",
    "echo",
    "export",
    "go",
    "install",
    "journalctl",
    "ln",
    "mkdir",
    "nats-server",
    "openssl",
    "printf",
    "runuser",
    "sed",
    "systemctl",
    "useradd",
];
/// Folders without pages of the project.
const LEFT_OUT: &[&str] = &["target", "results", "hostile", "node_modules"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let hidden = name.starts_with('.') && name != ".ci";
        if path.is_dir() && !hidden && !LEFT_OUT.contains(&&*name) {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Command lines of a page: from its shell blocks, and Pitmaster commands in sentences.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut in_shell, mut until): (bool, Option<&str>) = (false, None);
    let mut before = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            in_shell = matches!(line, "```sh" | "```bash" | "```console");
        } else if until.is_some_and(|end| line == end) {
            until = None;
        } else if in_shell && until.is_none() {
            until = line.split_once("<<").map(|(_, end)| end);
            before.push_str(line);
            if before.ends_with('\\') {
                before.pop();
            } else {
                found.push(std::mem::take(&mut before));
            }
        } else if !in_shell {
            let code = line.split('`').skip(1).step_by(2);
            // `pitmaster 1` is a line of the wire.
            let is_command = |code: &&str| {
                let word = code.strip_prefix("pitmaster ").unwrap_or_default();
                word.starts_with(|c: char| c.is_ascii_lowercase()) && !code.contains('…')
            };
            let ours = code.filter(is_command);
            found.extend(ours.map(str::to_owned));
        }
    }
    found.retain(|line| !line.trim().is_empty());
    found
}

/// Cached lookups of commands.
struct Reader {
    helps: BTreeMap<Vec<String>, Option<String>>,
    faults: Vec<String>,
}

impl Reader {
    /// The help of a command; `None` if there is no such command.
    fn help(&mut self, words: &[&str]) -> Option<String> {
        let asked = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pitmaster"));
            let output = command.env("LC_ALL", "C").args(words).arg("--help").output();
            let output = output.expect("the program starts");
            output.status.success().then(|| String::from_utf8(output.stdout).expect("UTF-8"))
        };
        let key = words.iter().map(|&word| word.to_owned()).collect();
        self.helps.entry(key).or_insert_with(asked).clone()
    }

    /// Checks a line, which may contain several commands, of a page in a folder.
    fn line(&mut self, page: &Path, line: &str) {
        let mut folder = page.parent().expect("a folder").to_owned();
        let line = line.split("  #").next().unwrap_or(line);
        for command in line.split(" && ").flat_map(|part| part.split(" | ")) {
            let words: Vec<_> = command
                .split_whitespace()
                .skip_while(|word| *word == "sudo" || *word == "$")
                .collect();
            if let ["cd", to] = words[..] {
                folder = root().join(to);
            } else if let Err(fault) = self.command(&folder, &words) {
                self.faults.push(format!("{}: `{command}`: {fault}", page.display()));
            }
        }
    }

    fn command(&mut self, folder: &Path, words: &[&str]) -> Result<(), String> {
        let exists = |path: &str| folder.join(path).exists() || root().join(path).exists();
        let file = |path: Option<&&str>| match path {
            Some(path) if exists(path) => Ok(()),
            path => Err(format!("there is no file {path:?}")),
        };
        match words {
            ["pitmaster", args @ ..] => self.ours(args),
            ["cargo", ..] => {
                if let Some(at) = words.iter().position(|word| *word == "--") {
                    let runs_us = !words[..at].contains(&"--example");
                    return if runs_us { self.ours(&words[at + 1..]) } else { Ok(()) };
                }
                let named =
                    words.windows(2).find(|pair| ["--example", "--bench"].contains(&pair[0]));
                named.map_or(Ok(()), |pair| {
                    let folder = if pair[0] == "--bench" { "benches" } else { "examples" };
                    let there = exists(&format!("{folder}/{}.rs", pair[1]))
                        || exists(&format!("{folder}/{}", pair[1]));
                    there.then_some(()).ok_or_else(|| format!("there is no {}", pair[1]))
                })
            }
            ["python3" | "node" | "bash", args @ ..] => file(args.first()),
            ["sbatch" | "javac", args @ ..] => file(args.last()),
            ["java", "-cp", "classes", class] => file(Some(&&*format!("{class}.java"))),
            ["make", target] => {
                let rules = fs::read_to_string(folder.join("Makefile")).unwrap_or_default();
                let rule = format!("\n{target}:");
                rules.contains(&rule).then_some(()).ok_or_else(|| format!("make knows no {target}"))
            }
            [program, ..] if program.starts_with("./") => Ok(()),
            [word, ..] if word.contains("=$(") => Ok(()),
            [program, ..] if program.contains('/') => file(Some(program)),
            [program, ..] if OTHERS.contains(program) => Ok(()),
            _ => Err("nobody has looked at this program; add it to OTHERS".into()),
        }
    }

    /// Checks a Pitmaster command and all its flags.
    fn ours(&mut self, args: &[&str]) -> Result<(), String> {
        let (&name, rest) = args.split_first().ok_or("no command")?;
        if name == "help" {
            let known = self.help(args).is_some();
            return known.then_some(()).ok_or_else(|| "no such help".to_owned());
        }
        let mut help = self.help(&[name]).ok_or("no such command")?;
        if let Some(nested) = rest.first().filter(|word| help.contains(&format!("\n  {word} "))) {
            help += &self.help(&[name, nested]).ok_or("no such command")?;
        }
        let flags = rest.iter().filter(|word| word.starts_with("--"));
        for flag in flags.map(|word| word.split('=').next().unwrap_or(word)) {
            let there = help.split([' ', '\n', ',', '=', '[', '<']).any(|word| word == flag);
            if !there {
                return Err(format!("{name} knows no {flag}"));
            }
        }
        Ok(())
    }
}

/// The faults of a page.
fn read(path: &Path, page: &str, reader: &mut Reader) -> usize {
    let commands = commands(page);
    for line in &commands {
        reader.line(path, line);
    }
    commands.len()
}

#[test]
fn every_command_of_every_page_can_be_typed() {
    let mut found = Vec::new();
    pages(root(), &mut found);
    let mut reader = Reader { helps: BTreeMap::new(), faults: Vec::new() };
    let counts = found
        .iter()
        .map(|path| read(path, &fs::read_to_string(path).expect("a page"), &mut reader));
    let commands: usize = counts.sum();
    assert_eq!(reader.faults, [""; 0], "of {} pages", found.len());
    assert!(found.len() > 15 && commands > 100, "{} pages, {commands} commands", found.len());
}

#[test]
fn a_command_that_cannot_be_typed_is_told() {
    let mut reader = Reader { helps: BTreeMap::new(), faults: Vec::new() };
    let page = "Say `pitmaster plya`.\n\n```sh\npitmaster run x.toml --lane 2\nbash .ci/nothing\n\
                pitmaster games shw kalah && teleport\n```\n";
    read(&root().join("README.md"), page, &mut reader);
    let told: Vec<_> = reader
        .faults
        .iter()
        .filter_map(|fault| fault.rsplit_once(": "))
        .map(|told| told.1)
        .collect();
    assert_eq!(
        told,
        [
            "no such command",
            "run knows no --lane",
            "there is no file Some(\".ci/nothing\")",
            "nobody has looked at this program; add it to OTHERS",
        ]
    );
}
