//! Classification of a submission: a bot, documents, an address, or anything else.

use std::path::Path;

use pitmaster_bots::submission::archive::Contents;
use pitmaster_bots::submission::{
    BotFault, Manifest, PrepareError, Program, TreeLimits, inspect, shown_path,
};
use pitmaster_core::Untrusted;
use pitmaster_season::State;

/// State of an unpacked submission, with the reason.
pub(super) fn state_of(place: &Path, contents: &Contents) -> (State, String) {
    if contents.files.is_empty() {
        return (State::Missing, "the submission is empty".into());
    }
    let is = |endings: &'static [&'static str]| {
        move |file: &&String| endings.iter().any(|ending| file.to_lowercase().ends_with(ending))
    };
    let papers = is(PAPERS);
    if contents.files.iter().all(|file| papers(&file)) {
        return match contents.texts.iter().find_map(|text| address_in(text)) {
            Some(address) if contents.files.len() == contents.texts.len() => {
                (State::OnlyAddress, format!("only an address: {address}; ask for the files"))
            }
            _ => (State::OnlyPapers, "only documents, and no program; ask for the sources".into()),
        };
    }
    match found(place) {
        Ok(run) => (State::Ready, run),
        Err(why) => {
            let foreign = is(FOREIGN);
            let only_foreign = contents.files.iter().all(|file| papers(&file) || foreign(&file));
            (if only_foreign { State::OnlyForeign } else { State::Unclear }, why)
        }
    }
}

/// Run command of the bot, or the reason why there is none.
pub(super) fn found(place: &Path) -> Result<String, String> {
    match inspect(place, None, TreeLimits::default()) {
        Ok(manifest) => {
            let run = Untrusted::new(command_of(&manifest)).shown(200);
            let folder = &manifest.folder;
            if folder.as_os_str().is_empty() {
                return Ok(run);
            }
            Ok(format!("{run} in {}", shown_path(folder)))
        }
        Err(PrepareError::Bot(unfit)) => Err(match &unfit.fault {
            BotFault::Files(faults) => {
                let lines = faults.iter().map(|fault| fault.what.to_string());
                lines.collect::<Vec<_>>().join("; ")
            }
            fault => fault.to_string(),
        }),
        Err(PrepareError::Store(fault)) => Err(fault.to_string()),
    }
}

/// The last command of its build, or else the command that runs it.
fn command_of(manifest: &Manifest) -> String {
    let Some(step) = manifest.build.last() else { return manifest.shown_run() };
    let program = match &step.program {
        Program::Command(name) | Program::File(name) => name.as_str(),
        Program::OnlyOneIn(_) => "",
    };
    let words = std::iter::once(program).chain(step.args.iter().map(String::as_str));
    format!("built by {}", words.collect::<Vec<_>>().join(" "))
}

const PAPERS: &[&str] = &[
    ".pdf", ".txt", ".md", ".doc", ".docx", ".odt", ".rtf", ".tex", ".html", ".htm", ".png",
    ".jpg", ".jpeg", ".svg", ".pptx", ".url", ".webloc",
];
const FOREIGN: &[&str] = &[".exe", ".dll", ".msi", ".app", ".dmg", ".bat"];

/// The first address of a text.
fn address_in(text: &str) -> Option<String> {
    let start =
        ["https://", "http://", "git@"].iter().filter_map(|scheme| text.find(scheme)).min()?;
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\'');
    let address = text[start..].split(is_end).next()?;
    Some(Untrusted::new(address).shown(200))
}
