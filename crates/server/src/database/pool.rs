//! Thread pool with one queue: database readers and passphrase hashers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::mpsc::Receiver;

use super::answer::Queue;
use super::{Answer, DatabaseError};

type Job<S> = Box<dyn FnOnce(&S) + Send>;

/// Threads with their own state, such as a connection.
#[derive(Debug)]
pub(super) struct Pool<S> {
    /// `None` only while dropping.
    queue: Option<Queue<Job<S>>>,
    threads: Vec<JoinHandle<()>>,
}

impl<S: Send + 'static> Pool<S> {
    /// Starts one thread for each element of `own`.
    pub(super) fn start(
        name: &str,
        length: usize,
        own: impl IntoIterator<Item = S>,
    ) -> std::io::Result<Self> {
        let (queue, jobs) = Queue::new(length);
        let jobs = Arc::new(Mutex::new(jobs));
        let start = |own: S| {
            let jobs = jobs.clone();
            std::thread::Builder::new().name(name.into()).spawn(move || serve(&own, &jobs))
        };
        let threads = own.into_iter().map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { queue: Some(queue), threads })
    }

    /// Runs an operation on one of the threads. Waits if the queue is full.
    pub(super) fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&S) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Answer<T> {
        self.queue().submit(|reply| Box::new(move |own: &S| drop(reply.send(guarded(own, job)))))
    }

    /// Runs an operation on one of the threads.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`] if the queue is full.
    pub(super) fn run_or_refuse<T: Send + 'static>(
        &self,
        job: impl FnOnce(&S) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<Answer<T>, DatabaseError> {
        self.queue()
            .try_submit(|reply| Box::new(move |own: &S| drop(reply.send(guarded(own, job)))))
    }

    fn queue(&self) -> &Queue<Job<S>> {
        self.queue.as_ref().expect("only dropping takes it")
    }
}

impl<S> Drop for Pool<S> {
    fn drop(&mut self) {
        drop(self.queue.take());
        for thread in self.threads.drain(..) {
            // Panics of jobs are caught.
            let _ = thread.join();
        }
    }
}

fn serve<S>(own: &S, jobs: &Mutex<Receiver<Job<S>>>) {
    loop {
        // The lock is held while waiting for a job, not while running it.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match job {
            Some(job) => job(own),
            None => return,
        }
    }
}

/// Catches a panic of an operation, which must not end the shared thread.
fn guarded<S, T>(
    own: &S,
    job: impl FnOnce(&S) -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    catch_unwind(AssertUnwindSafe(|| job(own))).unwrap_or(Err(DatabaseError::Bug))
}
