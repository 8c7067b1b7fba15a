//! Minimum pace at which a client must read its responses.
//!
//! A client that sends a request and does not read the response, or only a few bytes now and then,
//! would otherwise occupy its connection forever. A timeout without progress is not enough, because
//! every byte is progress.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Minimum pace of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Long-term rate, in bytes per second.
    pub per_second: u32,
    /// Maximum time that a client may fall behind the rate.
    pub behind: Duration,
}

impl Pace {
    /// Time in which a client must read this many bytes.
    fn time_of(self, bytes: usize) -> Duration {
        Duration::from_secs_f64(bytes as f64 / f64::from(self.per_second))
    }
}

/// Arrears of a client. Only time counts in which a write waited for the client, so slow
/// computations and idle connections cost the client nothing.
#[derive(Debug)]
struct Account {
    pace: Pace,
    behind: Duration,
    /// Start of the waiting write.
    waiting: Option<Instant>,
}

impl Account {
    fn new(pace: Pace) -> Self {
        Self { pace, behind: Duration::ZERO, waiting: None }
    }

    /// Records that a write waits for the client. Returns the deadline.
    fn wait(&mut self, now: Instant) -> Instant {
        let since = *self.waiting.get_or_insert(now);
        since + self.pace.behind.saturating_sub(self.behind)
    }

    /// Records that the client made room for this many bytes.
    fn wrote(&mut self, bytes: usize, now: Instant) {
        if let Some(since) = self.waiting.take() {
            self.behind += now - since;
        }
        // A fast client accumulates no credit.
        self.behind = self.behind.saturating_sub(self.pace.time_of(bytes));
    }
}

/// Connection whose writes fail once its client is too far behind.
#[derive(Debug)]
pub(super) struct Paced<S> {
    stream: S,
    account: Account,
    /// Deadline of the waiting write.
    timeout_at: Option<Pin<Box<Sleep>>>,
}

impl<S> Paced<S> {
    /// Wraps a connection on which nothing was written yet.
    pub(super) fn new(stream: S, pace: Pace) -> Self {
        Self { stream, account: Account::new(pace), timeout_at: None }
    }

    /// Updates the arrears with the result of a write.
    fn noted(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.timeout_at = None;
                self.account.wrote(bytes, Instant::now());
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let at = self.account.wait(Instant::now());
                let timeout_at = self.timeout_at.get_or_insert_with(|| Box::pin(sleep_until(at)));
                let too_slow = |()| Err(io::ErrorKind::TimedOut.into());
                timeout_at.as_mut().poll(context).map(too_slow)
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.noted(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const PACE: Pace = Pace { per_second: 100, behind: Duration::from_secs(20) };

    /// Second in which a client times out that reads this many bytes per second, if that is within
    /// an hour.
    fn timeout_at(bytes: usize) -> Option<u32> {
        let (mut account, begun) = (Account::new(PACE), Instant::now());
        (1..3600).find(|second| {
            let now = begun + *second * SECOND;
            let at = account.wait(now - SECOND);
            account.wrote(bytes, now);
            at <= now
        })
    }

    #[test]
    fn a_client_that_falls_behind_times_out() {
        assert_eq!(timeout_at(0), Some(20));
        // A few bytes now and then are not enough.
        assert_eq!(timeout_at(1), Some(21));
        assert_eq!(timeout_at(50), Some(39));
        assert_eq!(timeout_at(100), None);
        assert_eq!(timeout_at(1000), None);
    }

    #[test]
    fn only_waiting_counts_and_nobody_saves_up_time() {
        let (mut account, begun) = (Account::new(PACE), Instant::now());
        account.wrote(1_000_000, begun);
        let later = begun + 3600 * SECOND;
        assert_eq!(account.wait(later), later + PACE.behind);
        // A second poll before the client has read.
        assert_eq!(account.wait(later + SECOND), later + PACE.behind);
        account.wrote(500, later + 15 * SECOND);
        assert_eq!(account.behind, 10 * SECOND);
    }

    #[tokio::test]
    async fn a_write_that_waits_too_long_fails() {
        let (server, mut client) = duplex(10);
        let pace = Pace { per_second: 100, behind: Duration::from_millis(100) };
        let mut server = Paced::new(server, pace);
        let error = server.write_all(&[7; 1000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(server);
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        assert_eq!(read, [7; 10]);
    }

    #[tokio::test]
    async fn a_reading_client_gets_everything() {
        let (server, mut client) = duplex(10);
        let mut server = Paced::new(server, Pace { behind: Duration::from_mins(1), ..PACE });
        let write = tokio::spawn(async move { server.write_all(&[7; 1000]).await });
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        assert_eq!((read.len(), write.await.unwrap().is_ok()), (1000, true));
    }
}
