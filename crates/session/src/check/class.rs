//! Files of a checked class: a table of all people, and a text for each person.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_check::{Checked, Checks, Finding, Person, Report, Scene, What};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_report::checks::{letter, write_csv};
use pitmaster_season::{Class, ClassSettings, Member, State};
use pitmaster_store::{Readers, make_folder};

use crate::Error;
use crate::intake::{read_class, read_settings};
use crate::results::NewFile;

/// A class whose bots are checked.
pub(super) struct ClassFolder {
    pub(super) root: PathBuf,
    class: Class,
    settings: ClassSettings,
}

pub(super) fn person(member: &Member) -> Person {
    Person { name: member.name.clone(), email: member.email.clone() }
}

impl ClassFolder {
    /// The classes among the arguments of a check.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Self>, Error> {
        let folders = paths.iter().filter(|path| path.join(Class::FILE).is_file());
        let read = |root: &PathBuf| {
            let (class, settings) = (read_class(root)?, read_settings(root)?);
            Ok(Self { root: root.clone(), class, settings })
        };
        folders.map(read).collect()
    }

    /// Folder of the class's snapshots, reports and texts.
    pub(super) fn output(&self) -> PathBuf {
        self.root.join("check")
    }

    pub(super) fn member_at(&self, path: &Path) -> Option<&Member> {
        self.class.member(&path.file_name()?.to_str()?.parse().ok()?)
    }

    /// Adds members whose submission contains no bot, with the reason from the intake.
    pub(super) fn add_members_without_a_bot(&self, checks: &mut Checks) {
        let bots = self.root.join("bots");
        let without = self.class.members.iter().filter(|member| {
            member.state != State::Missing && !bots.join(member.key.as_str()).is_dir()
        });
        for member in without {
            let report = Report::of_unfit(no_bot(member), &checks.settings);
            let (path, name) = (bots.join(member.key.as_str()), member.key.to_string());
            let person = Some(person(member));
            let (hash, dialect, language) = (None, None, None);
            checks.bots.push(Checked { path, name, person, hash, dialect, language, report });
            checks.named += 1;
        }
    }

    /// Writes `check.csv` and a text for each person.
    pub(super) fn write(&self, checks: &Checks, lang: Option<Lang>) -> Result<(), Error> {
        let lang = lang.or(self.settings.language).unwrap_or_default();
        let (folder, texts) = (self.output(), self.output().join("texts"));
        make_folder(&folder, Readers::Owner)?;
        make_folder(&texts, Readers::Owner)?;
        let table = NewFile::create(&folder, "check.csv", Ok)?;
        table.finish(|mut out| write_csv(checks, &mut out).and_then(|()| out.flush()))?;
        let bots = self.root.join("bots");
        for bot in checks.bots.iter().filter(|bot| bot.path.parent() == Some(&bots)) {
            let text = NewFile::create(&texts, format!("{}.txt", bot.name), Ok)?;
            let letter = letter(checks, bot, lang);
            text.finish(|mut out| out.write_all(letter.as_bytes()).and_then(|()| out.flush()))?;
        }
        Ok(())
    }
}

/// Finding for a submission without a bot.
fn no_bot(member: &Member) -> Finding {
    let came = match member.state {
        State::OnlyPapers => said!("only documents were submitted, and no program"),
        State::OnlyAddress => said!("only the address of a repository was submitted"),
        _ => said!("{}", Untrusted::new(member.why.as_str()).shown(1000)),
    };
    Finding {
        what: What::HandedIn,
        scenes: vec![Scene::Start],
        times: 1,
        expected: said!("a folder with a bot.toml, or one file that shows how to run it"),
        came,
        transcript: Vec::new(),
        advice: said!("submit the sources of the bot, and how to build and run it"),
    }
}
