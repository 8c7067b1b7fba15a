//! Live feeds of running games and courses, as server-sent events for pages or as JSON lines for
//! programs.

pub(super) mod course;
mod game;

use std::convert::Infallible;
use std::fmt::Display;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{self, HeaderName};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use pitmaster_core::i18n::said;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::app::App;
use super::listen::ConnectionCloser;
use super::problem::Problem;
use crate::live::{FeedKey, Hub, Slot};

pub(super) use game::{of_person, open};

/// Interval of heartbeats, which keep proxies from closing the connection.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Timeout for a reader to receive an event, after which its connection is closed.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum duration of a feed. Its reader then reconnects, and is authenticated again.
const MAX_DURATION: Duration = Duration::from_mins(10);

/// Timeout for a reader to receive an event when the server stops.
const STOPPING: Duration = Duration::from_secs(1);

/// Delay before a reader reconnects.
const RETRY: Duration = Duration::from_secs(2);

/// Number of buffered events per reader, besides the system's buffers.
const WAITING: usize = 4;

/// Header that keeps a proxy from buffering events, which would delay them.
const NO_BUFFER: (HeaderName, &str) = (HeaderName::from_static("x-accel-buffering"), "no");

/// Format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Server-sent events.
    Events,
    /// JSON lines.
    Lines,
}

/// Query parameters of a feed.
#[derive(Debug, Default, Deserialize)]
pub(super) struct StreamQuery {
    /// Position to resume after.
    pub after: Option<String>,
}

/// Parameters of a feed.
#[derive(Debug)]
pub(super) struct FeedRequest<'w> {
    /// Position of the reader.
    pub after: Option<&'w str>,
    pub form: Form,
    /// Owner of the feed.
    pub key: FeedKey,
    /// Handle to close the connection.
    pub closer: ConnectionCloser,
}

/// Position of a reader. A browser that reconnects sends the last event in a header, which is later
/// than the position in the URL.
pub(super) fn last_event<'h>(headers: &'h HeaderMap, query: Option<&'h str>) -> Option<&'h str> {
    headers.get("last-event-id").and_then(|last| last.to_str().ok()).or(query)
}

/// Source of a feed's events.
trait Source: Send + 'static {
    /// Waits for the next events, formatted for the feed; `None` after the last one. Dropping the
    /// future loses no events.
    fn next(&mut self) -> impl Future<Output = Option<String>> + Send;
}

/// Response with a feed, which a task continues.
fn follow(app: &App, source: impl Source, request: FeedRequest<'_>) -> Result<Response, Problem> {
    let slot = app.live().slot(request.key).map_err(|_| too_many())?;
    let (frames, taken) = mpsc::channel(WAITING);
    let response = request.form.response(Body::new(Frames(taken)));
    let feed = Feed {
        source,
        slot,
        form: request.form,
        hub: app.live().clone(),
        send_timeout: SEND_TIMEOUT,
    };
    tokio::spawn(pump(feed, frames, request.closer));
    Ok(response)
}

fn too_many() -> Problem {
    let why = said!("Too many live feeds are open; close one of their pages.");
    Problem::too_many(RETRY).because(why)
}

/// Open feed.
struct Feed<S> {
    source: S,
    slot: Slot,
    form: Form,
    hub: Hub,
    /// Timeout for the reader to receive an event.
    send_timeout: Duration,
}

/// Sends events until the source or the server ends, or the reader times out.
async fn pump<S: Source>(mut feed: Feed<S>, frames: mpsc::Sender<Bytes>, closer: ConnectionCloser) {
    let mut preamble = feed.form.preamble();
    let mut longest = pin!(sleep(MAX_DURATION));
    loop {
        let next = tokio::select! {
            () = frames.closed() => return,
            () = feed.slot.lost() => return,
            () = &mut longest => return,
            next = timeout(HEARTBEAT, feed.source.next()) => next,
        };
        let text = match next {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(_) => feed.form.heartbeat(),
        };
        let bytes = Bytes::from(std::mem::take(&mut preamble) + &text);
        let overdue = async {
            feed.hub.stopping().await;
            sleep(STOPPING).await;
        };
        let is_taken = tokio::select! {
            sent = timeout(feed.send_timeout, frames.send(bytes)) => sent.is_ok(),
            () = overdue => false,
        };
        if !is_taken {
            closer.now();
            return;
        }
    }
}

/// Streaming body of a response.
struct Frames(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

impl Form {
    fn response(self, body: Body) -> Response {
        let kind = match self {
            Self::Events => "text/event-stream",
            Self::Lines => "application/x-ndjson",
        };
        ([(header::CONTENT_TYPE, kind), NO_BUFFER], body).into_response()
    }

    /// Prefix of a feed.
    fn preamble(self) -> String {
        match self {
            Self::Events => format!("retry: {}\n\n", RETRY.as_millis()),
            Self::Lines => String::new(),
        }
    }

    fn heartbeat(self) -> String {
        match self {
            Self::Events => ":\n\n".into(),
            Self::Lines => "\n".into(),
        }
    }

    /// Formats an event whose data is JSON without line breaks.
    fn write(self, name: &str, id: Option<&dyn Display>, data: &str) -> String {
        match (self, id) {
            (Self::Events, Some(id)) => format!("event: {name}\nid: {id}\ndata: {data}\n\n"),
            (Self::Events, None) => format!("event: {name}\ndata: {data}\n\n"),
            (Self::Lines, id) => {
                let id = id.map_or(Value::Null, |id| id.to_string().into());
                format!("{{\"event\":\"{name}\",\"id\":{id},\"data\":{data}}}\n")
            }
        }
    }

    /// Final event before the server stops.
    fn closing_event(self) -> String {
        self.write("bye", None, "{}")
    }
}
