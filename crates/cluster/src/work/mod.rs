//! Worker: takes jobs, plays them on its lanes and sends the results.
//!
//! Must not depend on the plan. Messages are untrusted: the run manifest limits what a job can do, and
//! it contains no paths and no commands.

mod context;
mod jobs;
mod lane;
mod lease;
mod practice;
mod result_sender;
mod session;
mod suspend_detector;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pitmaster_core::{Requirements, Resources, Tier};
use pitmaster_runner::{Layout, start_lanes};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{host_name, kernel_release};
use tokio::sync::mpsc::unbounded_channel;

use self::lane::{LaneQueue, SharedState};
use self::practice::PracticeJobs;
pub use self::practice::{BuildEnvironment, BuildResult, Examiner};
use self::result_sender::ResultSender;
use self::session::{BrokenReason, WorkerSession};
use super::broker::{Broker, runtime};
use super::connect::Access;
use super::seal::Identity;
use super::wire::WorkerInfo;
use super::{ClusterError, speed};

/// Chooses the sandbox, given the requested tier, the required guarantees and the bots' resources.
pub type ChooseSandbox<'a> =
    dyn Fn(Option<Tier>, &Requirements, &Resources) -> Result<Arc<Sandbox>, ClusterError> + 'a;

/// Options of a worker.
pub struct Worker<'a> {
    /// Access to the server.
    pub access: &'a Access,
    /// Name under which its games are stored; `None` for the host name.
    pub name: Option<String>,
    /// Cores of the lanes.
    pub layout: Layout,
    /// Folder in which bots are unpacked and built.
    pub cache: PathBuf,
    /// Whether submissions may run without a sandbox.
    pub bare: bool,
    /// Whether to exit after the first contest.
    pub once: bool,
    /// Whether to exit when standard input ends.
    pub tied: bool,
    /// Builds and checks the versions of practice servers.
    pub examiner: Arc<dyn Examiner>,
    /// Chooses the sandbox.
    pub sandbox: &'a ChooseSandbox<'a>,
    /// Receives progress messages for people.
    pub report: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Worker<'_> {
    /// Plays for contests until the process is asked to stop.
    ///
    /// # Errors
    /// A failure of the server, a missing guarantee, refusal by the coordinator, or a full disk. The
    /// held jobs go to other workers.
    pub fn run(&self) -> Result<(), ClusterError> {
        let layout = self.layout.clone();
        for warning in &layout.warnings {
            (self.report)(&format!("warning: {warning}"));
        }
        let identity = Identity::new().map_err(|error| {
            ClusterError::Broken(format!(
                "the system has no randomness to draw a key from: {error}"
            ))
        })?;
        let info = self.info(&layout, identity.instance());
        // One thread suffices, because games and builds run on threads of their own.
        let runtime = runtime(1).map_err(|error| ClusterError::Server(error.to_string()))?;
        let name = format!("worker {}", info.name);
        let broker = runtime.block_on(Broker::connect(self.access, &name))?;
        let shared = Arc::new(SharedState::new());
        let (events, receiver) = unbounded_channel();
        let mut numbers = 0..;
        let lanes = start_lanes(&layout, || {
            Box::new(LaneQueue {
                lane: numbers.next().unwrap_or_default(),
                events: events.clone(),
                shared: Arc::clone(&shared),
                runtime: runtime.handle().clone(),
                pair: Mutex::default(),
                completed: Mutex::default(),
            })
        });
        let (identity, sequence) = (Arc::new(identity), Arc::default());
        let sender = ResultSender { broker, shared, identity, sequence, events };
        let session = WorkerSession {
            worker: self,
            sender,
            info,
            layout,
            events: receiver,
            idle_lanes: VecDeque::new(),
            broken: BrokenReason::default(),
            coordinator: String::new(),
            is_admitted: false,
            practice: PracticeJobs::default(),
        };
        let done = runtime.block_on(session.run());
        for lane in lanes {
            // A lane that panicked has no results, and its job is redelivered.
            let _ = lane.join();
        }
        done
    }

    fn info(&self, layout: &Layout, instance: String) -> WorkerInfo {
        let host = host_name();
        WorkerInfo {
            instance,
            name: self.name.clone().unwrap_or_else(|| host.clone()),
            host,
            kernel: kernel_release(),
            cores: (layout.lanes.len() + layout.rest.len()) as u32,
            lanes: layout.lanes.len() as u32,
            speed: speed::measure(layout.lanes.first().copied().unwrap_or(0)),
        }
    }
}
