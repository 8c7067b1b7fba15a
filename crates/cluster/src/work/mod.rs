//! Worker: takes jobs, plays them on its lanes and sends the results.
//!
//! Must not depend on the plan. It accepts messages only as far as the contest's run manifest goes,
//! and a run manifest names no path and no command.

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

use self::lane::{LaneQueue, Shared};
use self::practice::Practice;
pub use self::practice::{Bench, Built, Examiner};
use self::result_sender::Answers;
use self::session::{Broken, Session};
use super::broker::{Broker, runtime};
use super::connect::Access;
use super::seal::Identity;
use super::wire::About;
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
    /// The cores of its lanes.
    pub layout: Layout,
    /// Folder in which bots are unpacked and built.
    pub cache: PathBuf,
    /// Run submissions without a sandbox if the contest requests that or no sandbox works.
    pub bare: bool,
    /// End after the first contest.
    pub once: bool,
    /// End when standard input ends.
    pub tied: bool,
    /// Builds and checks the versions of practice servers.
    pub examiner: Arc<dyn Examiner>,
    /// Chooses the sandbox.
    pub sandbox: &'a ChooseSandbox<'a>,
    /// Receives progress messages, in sentences.
    pub say: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Worker<'_> {
    /// Works until it is asked to stop.
    ///
    /// # Errors
    /// A failure of the server, a missing guarantee, refusal by the coordinator, or a full disk.
    /// The jobs that it held go to others.
    pub fn work(&self) -> Result<(), ClusterError> {
        let layout = self.layout.clone();
        for warning in &layout.warnings {
            (self.say)(&format!("warning: {warning}"));
        }
        let identity = Identity::new().map_err(|error| {
            ClusterError::Broken(format!(
                "the system has no randomness to draw a key from: {error}"
            ))
        })?;
        let about = self.about(&layout, identity.instance());
        // One thread for all that is no game; builds have their own.
        let runtime = runtime(1).map_err(|error| ClusterError::Server(error.to_string()))?;
        let name = format!("worker {}", about.name);
        let post = runtime.block_on(Broker::connect(self.access, &name))?;
        let shared = Arc::new(Shared::new());
        let (tell, hear) = unbounded_channel();
        let mut numbers = 0..;
        let lanes = start_lanes(&layout, || {
            Box::new(LaneQueue {
                lane: numbers.next().unwrap_or_default(),
                tell: tell.clone(),
                shared: Arc::clone(&shared),
                runtime: runtime.handle().clone(),
                pair: Mutex::default(),
                ready: Mutex::default(),
            })
        });
        let (identity, sequence) = (Arc::new(identity), Arc::default());
        let answers = Answers { post, shared, identity, sequence, wake: tell };
        let session = Session {
            worker: self,
            answers,
            about,
            layout,
            lanes: hear,
            waiting: VecDeque::new(),
            broken: Broken::default(),
            coordinator: String::new(),
            is_let_in: false,
            practice: Practice::default(),
        };
        let done = runtime.block_on(session.run());
        for lane in lanes {
            // Whatever it was at is given back.
            let _ = lane.join();
        }
        done
    }

    fn about(&self, layout: &Layout, instance: String) -> About {
        let host = host_name();
        About {
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
