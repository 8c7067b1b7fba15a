//! Checked bots: reports with the identities of their bots.

use std::path::PathBuf;

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{BotHash, Dialect, MachineLoad};

use super::source_language::Language;
use super::subject::{Report, Settings};

/// A checked bot.
#[derive(Debug)]
pub struct Checked {
    /// Its path as it was given.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// The person who submitted it, if it belongs to a class.
    pub person: Option<Person>,
    /// Hash of the submission; `None` if it could not be read.
    pub hash: Option<BotHash>,
    /// Its dialect; `None` if it cannot be started.
    pub dialect: Option<Dialect>,
    /// Its source language, if known.
    pub language: Option<Language>,
    /// The result of its examination.
    pub report: Report,
}

/// The person or group whose bot was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// Name as the platform writes it.
    pub name: String,
    /// Email address; empty if unknown.
    pub email: String,
}

/// Checked bots and the settings that they share.
#[derive(Debug)]
pub struct Checks {
    /// The settings of every examination.
    pub settings: Settings,
    /// Load of the machine when the check began.
    pub busy: MachineLoad,
    /// The checked bots, in the order of the arguments.
    pub bots: Vec<Checked>,
    /// Number of bots to check. After an interrupt it exceeds the number of checked bots.
    pub named: usize,
}

impl Checked {
    /// Verdict as text for people.
    pub fn verdict(&self) -> Message {
        match self.report.failure {
            _ if self.report.interrupted => said!("interrupted"),
            Some(_) => said!("cut short"),
            None => self.report.verdict().label(),
        }
    }
}

impl Checks {
    /// The game's name with its options.
    pub fn game(&self) -> String {
        self.settings.game.spec()
    }

    /// The bot, if there is only one.
    pub fn only(&self) -> Option<&Checked> {
        match &*self.bots {
            [bot] if self.named == 1 => Some(bot),
            _ => None,
        }
    }
}
