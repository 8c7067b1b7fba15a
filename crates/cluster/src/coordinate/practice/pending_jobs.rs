//! Pending practice jobs and their results so far.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_games::DynGame;
use pitmaster_runner::{Machine, Place, Played, ScheduledGame};

use super::super::validate;
use super::{JobOutput, JobRequest, Task};
use crate::wire::{Content, Job, RunManifest, WireGame};

/// Maximum size of a report, in bytes.
const MAX_REPORT: usize = 4 << 20;

/// All practice jobs with a waiting requester, by id.
#[derive(Debug, Default)]
pub(super) struct PendingJobs {
    jobs: Mutex<HashMap<String, PendingJob>>,
    /// Bundles in the object store.
    bundles: Mutex<BTreeSet<BotHash>>,
    changed: Condvar,
}

/// End of an attempt at a job.
#[derive(Debug)]
pub(super) enum JobEnd {
    /// The job is complete.
    Done(JobOutput),
    /// The attempt failed; another worker may succeed. The field is the reason.
    Lost(String),
    /// The worker lacks tools. The registry has recorded that.
    MissingTools,
    /// The requester canceled the job.
    Stopped,
}

/// A job that is assigned to a worker.
#[derive(Debug)]
pub(super) struct PendingJob {
    /// Instance of the worker.
    worker: String,
    manifest: RunManifest,
    game: Arc<dyn DynGame>,
    /// Games without a result.
    pending: Vec<ScheduledGame>,
    played: Vec<Played>,
    is_play: bool,
    end: Option<JobEnd>,
}

/// Outcome of handling a result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Acceptance {
    /// The result counts.
    Accepted,
    /// The job has no requester, or is assigned to another worker.
    Ignored,
    /// The worker has signed an invalid result. The field is the reason.
    Invalid(String),
}

impl PendingJob {
    pub(super) fn new(worker: &str, request: &JobRequest, job: &Job) -> Self {
        let pending = match &request.task {
            Task::Play(games) => games.clone(),
            Task::Build | Task::Check => Vec::new(),
        };
        let manifest = job.practice.as_deref().map(|practice| practice.manifest.clone());
        Self {
            worker: worker.to_owned(),
            // Every job of this module has one.
            manifest: manifest.expect("a job of a practice server"),
            game: Arc::clone(&request.game),
            is_play: !pending.is_empty(),
            pending,
            played: Vec::new(),
            end: None,
        }
    }

    fn handle_result(&mut self, content: Content, machine: &Machine) -> Result<(), String> {
        let end = match content {
            Content::Pairs(pairs) if self.is_play => {
                for game in pairs.into_iter().flatten() {
                    self.accept_game(game, machine)?;
                }
                if !self.pending.is_empty() {
                    return Ok(());
                }
                JobEnd::Done(JobOutput::Games(std::mem::take(&mut self.played)))
            }
            Content::Report(report) if !self.is_play => {
                if report.len() > MAX_REPORT {
                    return Err("a report that is too long".into());
                }
                JobEnd::Done(JobOutput::Report(report))
            }
            Content::Returned => JobEnd::Lost("its worker returned it".into()),
            Content::DeliveriesExhausted => JobEnd::Lost("its worker became silent".into()),
            Content::Failed { reason } => JobEnd::Lost(format!(
                "its worker failed: {}",
                super::super::subscriptions::shown(&reason)
            )),
            Content::MissingTools(_) => JobEnd::MissingTools,
            Content::Pairs(_) | Content::Report(_) | Content::Trial(_) | Content::Object(_) => {
                return Err("a result of another kind of job".into());
            }
        };
        self.end.get_or_insert(end);
        Ok(())
    }

    /// Accepts a requested game. Duplicates are ignored.
    fn accept_game(&mut self, game: WireGame, machine: &Machine) -> Result<(), String> {
        validate::check_record(&game, &self.manifest, &*self.game)?;
        let is_same = |task: &ScheduledGame| task.key == game.record.key;
        let Some(at) = self.pending.iter().position(is_same) else {
            let is_known = self.played.iter().any(|played| played.task.key == game.record.key);
            return if is_known { Ok(()) } else { Err("a game that was not requested".into()) };
        };
        self.played.push(Played {
            task: self.pending.remove(at),
            place: Place { lane: game.lane as usize, machine: Some(machine.clone()) },
            started_at: super::super::state::started_at(game.started_at_ms),
            took: Duration::from_nanos(game.took_ns),
            void: None,
            record: game.record,
        });
        Ok(())
    }
}

impl PendingJobs {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, PendingJob>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn insert(&self, id: &str, job: PendingJob) {
        self.lock().insert(id.to_owned(), job);
    }

    pub(super) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Number of jobs of each worker, by instance.
    pub(super) fn counts(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for job in self.lock().values() {
            *counts.entry(job.worker.clone()).or_default() += 1;
        }
        counts
    }

    /// Waits for the end of a job, at most for the given time. Removes and returns the end.
    pub(super) fn wait(&self, id: &str, max: Duration) -> Option<JobEnd> {
        let is_open = |jobs: &mut HashMap<String, PendingJob>| {
            jobs.get(id).is_some_and(|job| job.end.is_none())
        };
        let waited = self.changed.wait_timeout_while(self.lock(), max, is_open);
        let mut jobs = waited.unwrap_or_else(PoisonError::into_inner).0;
        jobs.get_mut(id)?.end.take()
    }

    /// Returns whether a job is assigned to a worker.
    pub(super) fn is_assigned_to(&self, id: &str, worker: &str) -> bool {
        self.lock().get(id).is_some_and(|job| job.worker == worker)
    }

    /// Handles a result of a worker. This is slow, because the games are replayed.
    pub(super) fn handle_result(
        &self,
        id: &str,
        worker: &str,
        content: Content,
        machine: &Machine,
    ) -> Acceptance {
        let mut jobs = self.lock();
        let Some(job) = jobs.get_mut(id).filter(|job| job.worker == worker) else {
            return Acceptance::Ignored;
        };
        let handled = job.handle_result(content, machine);
        if let Err(reason) = &handled {
            job.end.get_or_insert(JobEnd::Lost(format!(
                "its worker sent an invalid result: {reason}"
            )));
        }
        drop(jobs);
        self.changed.notify_all();
        handled.map_or_else(Acceptance::Invalid, |()| Acceptance::Accepted)
    }

    pub(super) fn add_bundle(&self, hash: &BotHash) {
        let mut bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner);
        bundles.insert(hash.clone());
    }

    pub(super) fn bundles(&self) -> Vec<BotHash> {
        let bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner);
        bundles.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Dialect, Record, Seed, Untrusted};
    use pitmaster_games::GameSpec;
    use pitmaster_referee::fixtures::random_game;
    use pitmaster_runner::Stopping;

    use super::*;
    use crate::coordinate::ContestBot;
    use crate::wire::{Body, BotEntry, PracticeJob, PracticeTask, VERSION};

    fn bots(record: &Record) -> Vec<ContestBot> {
        let entry = |id| BotEntry {
            id,
            display: Untrusted::new("x"),
            dialect: Dialect::default(),
            lenient: false,
            tools: Vec::new(),
            body: Body::Bundle,
        };
        let bots = record.key.bots.clone();
        [bots.one, bots.two].map(|id| ContestBot { entry: entry(id), bundle: None }).to_vec()
    }

    /// Requests a task with one game. Returns the jobs and the played game.
    fn requested(task: impl FnOnce(Vec<ScheduledGame>) -> Task) -> (PendingJobs, WireGame) {
        let record = random_game(20);
        let key = record.key.clone();
        let scheduled = ScheduledGame { number: 0, key: key.clone(), bots: BySide::new(0, 1) };
        let game = pitmaster_games::find(&GameSpec::plain("coloured-awale")).unwrap();
        let request = JobRequest {
            game: Arc::clone(&game),
            limits: key.limits,
            seed: Seed(1),
            stopping: Stopping::Adaptive,
            bots: bots(&record),
            task: task(vec![scheduled]),
        };
        let manifest = RunManifest {
            version: VERSION,
            program: String::new(),
            game: game.spec(),
            rules: game.id(),
            limits: request.limits.clone(),
            seed: request.seed,
            stopping: request.stopping,
            tier: None,
            require: String::new(),
            patience_s: 30,
            generation: String::new(),
            bots: Vec::new(),
            practice: false,
        };
        let practice = Some(Box::new(PracticeJob { manifest, task: PracticeTask::Play }));
        let (contest, bots, games) = (String::new(), vec![0, 1], Vec::new());
        let job = Job { contest, attempt: 1, bots, games, practice };
        let pending = PendingJobs::default();
        pending.insert("j", PendingJob::new("w", &request, &job));
        let wire =
            WireGame { record, lane: 3, started_at_ms: 1, took_ns: 5, ticket: String::new() };
        (pending, wire)
    }

    fn handle(pending: &PendingJobs, worker: &str, content: Content) -> Acceptance {
        let machine = Machine { name: "pc".into(), isolation: Some(7) };
        pending.handle_result("j", worker, content, &machine)
    }

    fn end(pending: &PendingJobs) -> Option<JobEnd> {
        pending.wait("j", Duration::ZERO)
    }

    #[test]
    fn only_the_assigned_worker_can_send_results() {
        let (pending, game) = requested(Task::Play);
        let pairs = || Content::Pairs(vec![vec![game.clone()]]);
        assert_eq!(handle(&pending, "another", pairs()), Acceptance::Ignored);
        assert!(
            end(&pending).is_none()
                && pending.is_assigned_to("j", "w")
                && !pending.is_assigned_to("j", "v")
        );
        assert_eq!(pending.counts()["w"], 1);
        assert_eq!(handle(&pending, "w", pairs()), Acceptance::Accepted);
        let Some(JobEnd::Done(JobOutput::Games(games))) = end(&pending) else {
            panic!("the job is complete")
        };
        let machine = games[0].place.machine.clone().unwrap();
        assert_eq!((games.len(), games[0].place.lane, machine.isolation), (1, 3, Some(7)));
        pending.remove("j");
        assert_eq!(handle(&pending, "w", pairs()), Acceptance::Ignored, "the job has ended");
    }

    #[test]
    fn unrequested_and_illegal_games_are_invalid() {
        let change: [fn(&mut Record); 4] = [
            |record| record.key.pair += 1,
            |record| drop(record.plies.pop()),
            |record| record.seed = Seed(2),
            |record| record.duration = Duration::from_secs(1 << 60),
        ];
        for change in change {
            let (pending, mut game) = requested(Task::Play);
            change(&mut game.record);
            let acceptance = handle(&pending, "w", Content::Pairs(vec![vec![game]]));
            assert!(matches!(acceptance, Acceptance::Invalid(_)), "{acceptance:?}");
            assert!(matches!(end(&pending), Some(JobEnd::Lost(_))));
        }
    }

    #[test]
    fn a_report_is_accepted_for_builds_and_checks_only() {
        let (pending, game) = requested(|_| Task::Build);
        assert!(matches!(
            handle(&pending, "w", Content::Pairs(vec![vec![game]])),
            Acceptance::Invalid(_)
        ));
        let (pending, _) = requested(|_| Task::Build);
        assert_eq!(handle(&pending, "w", Content::Report("{}".into())), Acceptance::Accepted);
        assert!(
            matches!(end(&pending), Some(JobEnd::Done(JobOutput::Report(report))) if report == "{}")
        );
        let (pending, _) = requested(|_| Task::Check);
        let oversized = Content::Report("x".repeat(MAX_REPORT + 1));
        assert!(matches!(handle(&pending, "w", oversized), Acceptance::Invalid(_)));
        let (pending, _) = requested(Task::Play);
        assert!(matches!(
            handle(&pending, "w", Content::Report("{}".into())),
            Acceptance::Invalid(_)
        ));
    }

    #[test]
    fn a_returned_job_can_go_to_another_worker() {
        for what in [
            Content::Returned,
            Content::DeliveriesExhausted,
            Content::Failed { reason: "no memory".into() },
        ] {
            let (pending, _) = requested(Task::Play);
            assert_eq!(handle(&pending, "w", what), Acceptance::Accepted);
            assert!(matches!(end(&pending), Some(JobEnd::Lost(_))));
        }
        let (pending, _) = requested(Task::Play);
        assert_eq!(
            handle(&pending, "w", Content::MissingTools(vec!["java".into()])),
            Acceptance::Accepted
        );
        assert!(matches!(end(&pending), Some(JobEnd::MissingTools)));
    }
}
