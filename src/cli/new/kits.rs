//! What `pitmaster new` makes: the templates in `kits/`, embedded in this program.
//!
//! Must not know where they are written.

use std::iter;

/// A file of a template: its path in the folder that is made, and its text.
pub(super) type File = (&'static str, &'static str);

/// Files of a folder in `kits/`.
macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../kits/", $folder, "/", $name)))),+]
    };
}

/// The template of a bot in one language.
#[derive(Debug)]
pub(super) struct Kit {
    /// What it is called on the command line.
    pub(super) name: &'static str,
    /// What else it is called.
    pub(super) also: &'static [&'static str],
    /// The language, for people.
    pub(super) language: &'static str,
    /// All files.
    files: &'static [File],
    /// Which of them are the rules and their test.
    rules: &'static [&'static str],
    /// What stands in their place where the rules are the exercise.
    without: &'static [File],
    /// What stands in their place for another game.
    games: &'static [(&'static str, &'static [File])],
    /// The command that runs its tests, in its folder.
    pub(super) test: &'static str,
}

/// Which form of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form<'a> {
    /// With the rules of this game.
    Rules(&'a str),
    /// Without rules.
    NoRules,
}

/// What all templates know the rules of.
pub(super) const GAME: &str = "coloured-awale";

/// What the READMEs call the folder of the bot.
pub(super) const NAME: &str = "my-bot";

/// Where a manifest names the bot.
pub(super) const NAME_LINE: &str = "# name = \"my-bot\"";

/// A teacher's folder.
pub(super) const CONTEST: &[File] = files!("contest": ".gitignore", "README.md", "bots/README.md", "contest.toml");

/// All languages.
pub(super) const KITS: &[Kit] = &[Kit {
    name: "python",
    also: &["py", "python3"],
    language: "Python",
    files: files!("python": ".gitignore", "README.md", "bot.toml", "rules.py", "test.py", "think.py", "wire.py"),
    rules: &["rules.py", "test.py"],
    without: &[],
    games: &[],
    test: "python3 test.py",
}];

impl Kit {
    /// The games that it knows the rules of.
    pub(super) fn games(&self) -> impl Iterator<Item = &'static str> {
        iter::once(GAME).chain(self.games.iter().map(|&(game, _)| game))
    }

    /// The files of a form of it; none if it does not know the game.
    pub(super) fn files(&self, form: Form<'_>) -> Option<Vec<File>> {
        match form {
            Form::Rules(GAME) => Some(self.files.to_vec()),
            Form::Rules(game) => {
                let (_, others) = self.games.iter().find(|(known, _)| *known == game)?;
                Some(with(self.files, others).collect())
            }
            Form::NoRules => {
                let is_rules = |(name, _): &File| self.rules.contains(name);
                Some(with(self.files, self.without).filter(|file| !is_rules(file)).collect())
            }
        }
    }
}

/// The files, but those of the same name among the others in their place.
fn with(files: &'static [File], others: &'static [File]) -> impl Iterator<Item = File> {
    let other = |file: &File| others.iter().find(|(name, _)| *name == file.0).copied();
    files.iter().map(move |file| other(file).unwrap_or(*file))
}
