//! Full checks of versions, on a lane without more urgent work.

use pitmaster_check::{Interrupt, Report, Settings};
use pitmaster_season::course::VersionId;
use pitmaster_session::practice::PracticeBot;
use serde_json::{Value, json};

use super::{LEASE, PlayerError, Shared, WORKER};
use crate::database::{JobKind, Outcome};

impl Shared {
    /// Runs the next waiting check on this thread. Returns whether there was one.
    pub(super) fn check_next(&self) -> Result<bool, PlayerError> {
        let Some(_work) = self.begin_work() else { return Ok(false) };
        let job = self.database.lease_job(WORKER, &[JobKind::Check], LEASE, self.now()).wait()?;
        let Some((lease, job)) = job else { return Ok(false) };
        let interrupt = Interrupt::default();
        {
            let mut ladders = self.lock();
            ladders.leases.push(lease);
            ladders.checks.push((lease, interrupt.clone()));
            // The thread that stops the player interrupts only registered checks.
            if self.is_stopping() {
                interrupt.set();
            }
        }
        let outcome = self.check(job.version, &interrupt);
        let outcome = outcome.unwrap_or_else(|error| Some(self.failure(&error)));
        self.end_job(lease, outcome)?;
        Ok(true)
    }

    /// Checks a version. Returns the outcome of the job.
    fn check(
        &self,
        version: VersionId,
        interrupt: &Interrupt,
    ) -> Result<Option<Outcome>, PlayerError> {
        let fault = |why: &str| Ok(Some(Outcome::Fault(why.to_owned())));
        let Some(version) = self.version(version)? else { return fault("the version is gone") };
        let Some(hash) = &version.hash else { return fault("the version has no files") };
        let (workshop, settings) = {
            let mut ladders = self.lock();
            let Some(open) = ladders.first_of(version.course.id) else {
                return fault("the course has no ladder");
            };
            (open.folder.workshop().clone(), open.folder.check_settings())
        };
        let has_more_games = || !interrupt.is_set();
        let bot = match workshop.build(hash, &version.name, &has_more_games)? {
            Ok(bot) => bot,
            Err(why) => return Ok(Some(Outcome::Fault(why.to_string()))),
        };
        let settings = Settings { interrupt: interrupt.clone(), ..settings };
        let report = workshop.examine(&bot, &settings)?;
        if report.interrupted {
            return Ok(Some(Outcome::Interrupted));
        }
        Ok(Some(Outcome::Checked(stored(&bot, &report))))
    }
}

/// Report as it is stored.
fn stored(bot: &PracticeBot, report: &Report) -> Value {
    json!({
        "name": bot.id().name,
        "hash": bot.id().hash,
        "dialect": bot.entrant.dialect.name(),
        "language": bot.language,
        "report": report,
    })
}
