//! `pitmaster man`: manual pages, made from the same definitions as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use pitmaster_bots::submission::shown_path;
use pitmaster_build_info::{COMMIT_DATE, VERSION};

use super::{Cli, Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster man | man -l -                      read the page of the program
  pitmaster man ~/.local/share/man/man1         install one page per command: man pitmaster-run";

/// Prints the manual page, or writes the pages of all commands into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folder for one page per command; it is made if it does not exist
    folder: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let Some(folder) = &args.folder else {
        render(&program(), out)?;
        return Ok(Exit::Done);
    };
    write_all(folder).map_err(|error| {
        let folder = shown_path(folder);
        Failure::stopped(format!("cannot write to {folder}: {error}; choose another folder"))
    })?;
    Ok(Exit::Done)
}

fn write_all(folder: &PathBuf) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for page in pages() {
        let mut text = Vec::new();
        render(&page, &mut text)?;
        fs::write(folder.join(format!("{}.1", name(&page))), text)?;
    }
    Ok(())
}

/// The program and its commands, named `pitmaster-run` and so on.
fn pages() -> Vec<Command> {
    let mut found = vec![program()];
    let mut next = 0;
    while next < found.len() {
        let own = found[next].get_subcommands().filter(|command| !command.is_hide_set());
        let own: Vec<_> = own.cloned().collect();
        found.extend(own);
        next += 1;
    }
    found
}

/// Name of a command's page.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// Writes the page of a command. Examples keep their lines.
fn render(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        .date(COMMIT_DATE.unwrap_or_default())
        .source(format!("pitmaster {VERSION}"))
        .manual("Pitmaster");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(out)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let text = command.get_after_long_help().or(command.get_after_help());
    if let Some(text) = text {
        render_examples(&text.to_string(), out)?;
    }
    Ok(())
}

/// Writes the text after the options line by line, as examples if it begins with examples.
fn render_examples(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = text.lines().peekable();
    let heading = match lines.peek() {
        Some(&"Examples:") => {
            lines.next();
            "EXAMPLES"
        }
        _ => "NOTES",
    };
    writeln!(out, ".SH {heading}\n.nf")?;
    for line in lines {
        writeln!(out, "{}", escaped(line))?;
    }
    writeln!(out, ".fi")
}

/// Escapes a line of plain text for roff: backslashes, hyphens and leading control characters.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    match text.chars().next() {
        Some('.' | '\'') => format!("\\&{text}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(of: &Command) -> String {
        let mut text = Vec::new();
        render(of, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn every_flag_of_every_command_is_in_its_page() {
        let pages = pages();
        assert!(pages.iter().any(|page| name(page) == "pitmaster-games-show"));
        for command in &pages {
            let text = page(command).replace("\\-", "-");
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                if let Some(long) = argument.get_long() {
                    assert!(text.contains(&format!("--{long}")), "{}: {long}", name(command));
                }
            }
            let is_nested = name(command).matches('-').count() > 1;
            assert!(text.contains(".SH EXAMPLES") || is_nested, "{text}");
        }
    }

    #[test]
    fn no_line_of_an_example_becomes_a_request() {
        assert_eq!(escaped(".TH a-b"), "\\&.TH a\\-b");
        assert_eq!(escaped("  'it' \\n"), "  'it' \\en");
    }
}
