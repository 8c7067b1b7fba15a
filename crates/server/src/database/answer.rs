//! Bounded queues of operations, and their answers: futures that code outside an async runtime can
//! also block on.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::DatabaseError;

/// Future of a submitted operation. The operation runs whether or not its answer is awaited, unless
/// the queue was full and the answer is dropped before it is polled.
///
/// The answer to a change resolves after the change is committed.
#[must_use = "errors are in the answer"]
pub struct Answer<T> {
    /// Future that enqueues the operation once a full queue has room.
    enqueued: Option<Pin<Box<dyn Future<Output = bool> + Send>>>,
    answer: oneshot::Receiver<Result<T, DatabaseError>>,
}

impl<T> std::fmt::Debug for Answer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer").finish_non_exhaustive()
    }
}

impl<T> Future for Answer<T> {
    type Output = Result<T, DatabaseError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(enqueued) = &mut self.enqueued {
            match enqueued.as_mut().poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(_) => self.enqueued = None,
            }
        }
        // A closed queue drops the operation and, with it, the sender of its answer.
        Pin::new(&mut self.answer)
            .poll(context)
            .map(|answer| answer.unwrap_or(Err(DatabaseError::Closed)))
    }
}

impl<T> Answer<T> {
    /// Blocks until the operation is done. Must not be called in async code.
    ///
    /// # Errors
    /// Those of the operation.
    pub fn wait(self) -> Result<T, DatabaseError> {
        wait(self)
    }
}

/// Blocks the thread until a future of this module is ready, without an async runtime.
pub fn wait<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(ready) = future.as_mut().poll(&mut context) {
            return ready;
        }
        thread::park();
    }
}

/// Sender of the answer to an operation.
pub(super) type Reply<T> = oneshot::Sender<Result<T, DatabaseError>>;

/// Bounded queue of operations.
pub(super) struct Queue<J>(mpsc::Sender<J>);

impl<J> std::fmt::Debug for Queue<J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl<J: Send + 'static> Queue<J> {
    pub(super) fn new(length: usize) -> (Self, mpsc::Receiver<J>) {
        let (sender, receiver) = mpsc::channel(length);
        (Self(sender), receiver)
    }

    /// Submits an operation. If the queue is full, the answer first waits for room.
    pub(super) fn submit<T>(&self, job: impl FnOnce(Reply<T>) -> J) -> Answer<T> {
        let (reply, answer) = oneshot::channel();
        let enqueued = match self.0.try_send(job(reply)) {
            Ok(()) | Err(TrySendError::Closed(_)) => None,
            Err(TrySendError::Full(job)) => {
                let queue = self.0.clone();
                let enqueued = async move { queue.send(job).await.is_ok() };
                Some(Box::pin(enqueued) as Pin<Box<dyn Future<Output = bool> + Send>>)
            }
        };
        Answer { enqueued, answer }
    }

    /// Submits an operation, or refuses it if the queue is full.
    pub(super) fn try_submit<T>(
        &self,
        job: impl FnOnce(Reply<T>) -> J,
    ) -> Result<Answer<T>, DatabaseError> {
        let (reply, answer) = oneshot::channel();
        match self.0.try_send(job(reply)) {
            Ok(()) => Ok(Answer { enqueued: None, answer }),
            Err(TrySendError::Closed(_)) => Err(DatabaseError::Closed),
            Err(TrySendError::Full(_)) => Err(DatabaseError::Busy),
        }
    }
}
