//! Lanes of a check: each examines one bot at a time on its own core.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pitmaster_bots::house::panic_message;
use pitmaster_bots::submission::{Options, Prepared, Unfit, shown_path};
use pitmaster_check::{Checked, Language, News, Person, Report, Settings, Subject, examine, unfit};
use pitmaster_core::Resources;
use pitmaster_runner::{self as runner, Entrant};

use super::stored::Stored;
use super::{CheckEvent, CheckOptions};
use crate::{Error, Observer, bot_arg, house};

/// A bot to examine.
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// Folder of snapshots and stored reports.
    pub(super) out: PathBuf,
    pub(super) person: Option<Person>,
}

/// State shared by all lanes.
pub(super) struct Lanes<'a> {
    pub(super) options: &'a CheckOptions,
    /// Launch options of the bots.
    pub(super) launch: Options,
    /// Options of the audit, if there is one.
    pub(super) audit: Option<Options>,
    pub(super) stored: Stored,
    pub(super) observer: &'a dyn Observer,
}

/// Launch options of an audit.
pub(super) fn audit_options(resources: &Resources) -> Result<Options, Error> {
    let sandbox = pitmaster_bots::probe::auditing(resources).map_err(|why| {
        let why = why.why;
        Error::MissingGuarantee(format!(
            "this machine cannot audit bots: {why}; check without --audit"
        ))
    })?;
    Ok(Options::of_this_machine(&Arc::new(sandbox)))
}

impl Lanes<'_> {
    /// Examines all bots. The first error ends all lanes.
    pub(super) fn examine(
        &self,
        targets: &[Target],
        cores: &[usize],
    ) -> Result<Vec<Checked>, Error> {
        let mut bots: Vec<Option<Checked>> =
            targets.iter().map(|target| self.stored.find(target)).collect();
        let open: Vec<usize> = (0..targets.len()).filter(|&at| bots[at].is_none()).collect();
        let settings = &self.options.settings;
        let stored = targets.len() - open.len();
        let started =
            CheckEvent::Started { settings, bots: open.len(), stored, lanes: cores.len() };
        self.observer.check(&started);
        let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let failed = Mutex::new(None);
        let stop = || settings.interrupt.is_set() || lock(&failed).is_some();
        let is_alone = open.len() == 1;
        let lane = |core: usize| {
            let take = || open.get(next.fetch_add(1, Ordering::Relaxed)).copied();
            while let Some(at) = take().filter(|_| !stop()) {
                match self.one(at, &targets[at], core, is_alone) {
                    Ok(Some(checked)) => lock(&results).push((at, checked)),
                    Ok(None) => break,
                    Err(error) => *lock(&failed) = Some(error),
                }
            }
        };
        thread::scope(|scope| {
            for &core in cores.iter().take(open.len()) {
                let lane = &lane;
                scope.spawn(move || lane(core));
            }
        });
        self.observer.check(&CheckEvent::Ended);
        if let Some(error) = lock(&failed).take() {
            return Err(error);
        }
        for (at, checked) in std::mem::take(&mut *lock(&results)) {
            bots[at] = Some(checked);
        }
        Ok(bots.into_iter().flatten().collect())
    }

    /// Builds and examines a bot on a core. `None` if the check was interrupted before. A single
    /// bot is built on all cores.
    fn one(
        &self,
        at: usize,
        target: &Target,
        core: usize,
        is_alone: bool,
    ) -> Result<Option<Checked>, Error> {
        let name = shown_path(&target.path);
        self.observer.check(&CheckEvent::Building { bot: at, name: &name });
        if !is_alone {
            runner::move_to(&[core]);
        }
        let found = self.prepare(target)?;
        if self.options.settings.interrupt.is_set() {
            return Ok(None);
        }
        runner::move_to(&[core]);
        let tell = |news| self.observer.check(&CheckEvent::News { bot: at, name: &name, news });
        let checked = checked(target, found, &self.options.settings, &tell);
        self.stored.keep(target, &checked)?;
        let examined =
            CheckEvent::Examined { bot: at, name: &checked.name, verdict: &checked.verdict() };
        self.observer.check(&examined);
        Ok(Some(checked))
    }

    fn prepare(&self, target: &Target) -> Result<Result<Subject, Unfit>, Error> {
        let (asked, audit) = (&self.options.game, self.audit.as_ref());
        if let Some(name) = house::name_in(&target.path) {
            let bot = |options: &Options| {
                bot_arg::house_bot(name, asked, false, options).map_err(Error::invalid)
            };
            let (entrant, audited) = (bot(&self.launch)?, audit.map(bot).transpose()?);
            return Ok(Ok(Subject { entrant, audited, language: None }));
        }
        let store = target.out.join("bots");
        let prepared =
            bot_arg::prepare_path(&target.path, &store, &asked.game, &self.launch, self.observer)?;
        Ok(prepared.map(|Prepared { command, manifest, .. }| {
            let audited = audit.map(|audit| Entrant::process(command.in_sandbox(&audit.sandbox)));
            let language = Language::of(&manifest);
            Subject { entrant: Entrant::process(command), audited, language }
        }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn checked(
    target: &Target,
    found: Result<Subject, Unfit>,
    settings: &Settings,
    tell: &dyn Fn(News),
) -> Checked {
    let (path, person) = (target.path.clone(), target.person.clone());
    match found {
        Ok(subject) => {
            let Entrant { id, dialect, .. } = subject.entrant.clone();
            Checked {
                path,
                name: id.name.to_string(),
                person,
                hash: Some(id.hash),
                dialect: Some(dialect),
                language: subject.language,
                report: examine_apart(&subject, settings, tell),
            }
        }
        Err(why) => Checked {
            path,
            name: why.name.to_string(),
            person,
            hash: why.hash.clone(),
            dialect: None,
            language: None,
            report: Report::of_unfit(unfit(&why), settings),
        },
    }
}

/// Examines a bot. A panic ends only this bot's examination.
pub(crate) fn examine_apart(subject: &Subject, settings: &Settings, tell: &dyn Fn(News)) -> Report {
    let mut progress = |news: News| tell(news);
    let examined = catch_unwind(AssertUnwindSafe(|| examine(subject, settings, &mut progress)));
    examined.unwrap_or_else(|panic| Report {
        failure: Some(format!("panic: {}; please report it", panic_message(&*panic))),
        ..Report::default()
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pitmaster_check::Scene;
    use pitmaster_core::{BotHash, BotId, BotName, Dialect};
    use pitmaster_runner::Start;

    use super::*;

    #[test]
    fn a_panic_cuts_one_examination_short_and_no_other() {
        let id = BotId { name: BotName::tamed("x"), hash: BotHash::of(b"x") };
        let start = Start::Process(Arc::new(|_, _, _, _| panic!("made up")));
        let (dialect, lenient, absent) = (Dialect::Arena, false, None);
        let entrant = Entrant { id, dialect, lenient, start, absent, anchor: None };
        let game = crate::game::find(&"coloured-awale".parse().unwrap(), &crate::Silent).unwrap();
        let second = Duration::from_secs(1);
        let settings = super::super::settings(&game, second, None, second);
        let settings = Settings { games: 0, audit: true, ..settings };
        let subject = Subject { entrant, audited: None, language: None };
        let report = examine_apart(&subject, &settings, &|_| {});
        assert_eq!(report.failure.as_deref(), Some("a panic: made up"));
        assert_eq!(report.scenes.len(), Scene::ALL.len());
    }
}
