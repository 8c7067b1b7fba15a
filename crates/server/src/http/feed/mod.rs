//! Live feeds, as server-sent events for pages or as lines of JSON for programs: of a running game,
//! and of what changes in a course.

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
use super::listen::HangUp;
use super::problem::Problem;
use crate::live::{FeedKey, Hub, Place};

pub(super) use game::{of_person, open};

/// Time after which something is sent, so that proxies keep the connection.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Time that a reader has to take an event before its connection is closed.
const SLOW: Duration = Duration::from_secs(10);

/// Time after which a feed ends, so that its reader asks again, and is asked who it is.
const LONGEST: Duration = Duration::from_mins(10);

/// The same for what a reader has not taken when the server stops.
const STOPPING: Duration = Duration::from_secs(1);

/// Pause before a reader whose connection was lost comes back.
const RETRY: Duration = Duration::from_secs(2);

/// Events that wait for a reader, beside those that the system keeps for it.
const WAITING: usize = 4;

/// What a proxy is told: an event that waits in a buffer is late.
const NO_BUFFER: (HeaderName, &str) = (HeaderName::from_static("x-accel-buffering"), "no");

/// Form of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Server-sent events.
    Events,
    /// A line of JSON for each event.
    Lines,
}

/// What the address of a feed says behind its question mark.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    /// Position after which to go on.
    pub after: Option<String>,
}

/// A feed that somebody asks for.
#[derive(Debug)]
pub(super) struct Wanted<'w> {
    /// What the reader has.
    pub after: Option<&'w str>,
    pub form: Form,
    /// Whose it is.
    pub key: FeedKey,
    /// Ends the connection.
    pub hang_up: HangUp,
}

/// The position that a browser has: when it comes back, it names the last event in a header, which
/// is later than what the address says.
pub(super) fn last_event<'h>(headers: &'h HeaderMap, asked: Option<&'h str>) -> Option<&'h str> {
    headers.get("last-event-id").and_then(|last| last.to_str().ok()).or(asked)
}

/// What a feed hands over.
trait Source: Send + 'static {
    /// Waits for the next events, written in the form of the feed; `None` after the last one. If it
    /// is not waited for to the end, nothing is lost.
    fn next(&mut self) -> impl Future<Output = Option<String>> + Send;
}

/// The answer with a feed, which goes on by itself.
fn follow(app: &App, source: impl Source, wanted: Wanted<'_>) -> Result<Response, Problem> {
    let place = app.live().place(wanted.key).map_err(|_| too_many())?;
    let (frames, taken) = mpsc::channel(WAITING);
    let answer = wanted.form.answer(Body::new(Frames(taken)));
    let feed = Feed { source, place, form: wanted.form, hub: app.live().clone(), slow: SLOW };
    tokio::spawn(pump(feed, frames, wanted.hang_up));
    Ok(answer)
}

fn too_many() -> Problem {
    let why = said!("Too many live feeds are open; close one of their pages.");
    Problem::too_many(RETRY).because(why)
}

/// A feed that is open.
struct Feed<S> {
    source: S,
    place: Place,
    form: Form,
    hub: Hub,
    /// Time that its reader has to take an event.
    slow: Duration,
}

/// Hands events over until the source or the server is at its end, or nobody takes them.
async fn pump<S: Source>(mut feed: Feed<S>, frames: mpsc::Sender<Bytes>, hang_up: HangUp) {
    let mut begun = feed.form.begun();
    let mut longest = pin!(sleep(LONGEST));
    loop {
        let next = tokio::select! {
            () = frames.closed() => return,
            () = feed.place.lost() => return,
            () = &mut longest => return,
            next = timeout(HEARTBEAT, feed.source.next()) => next,
        };
        let text = match next {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(_) => feed.form.heartbeat(),
        };
        let bytes = Bytes::from(std::mem::take(&mut begun) + &text);
        let overdue = async {
            feed.hub.stopping().await;
            sleep(STOPPING).await;
        };
        let is_taken = tokio::select! {
            sent = timeout(feed.slow, frames.send(bytes)) => sent.is_ok(),
            () = overdue => false,
        };
        if !is_taken {
            hang_up.now();
            return;
        }
    }
}

/// Body of an answer whose parts come one after another.
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
    fn answer(self, body: Body) -> Response {
        let kind = match self {
            Self::Events => "text/event-stream",
            Self::Lines => "application/x-ndjson",
        };
        ([(header::CONTENT_TYPE, kind), NO_BUFFER], body).into_response()
    }

    /// What a feed begins with.
    fn begun(self) -> String {
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

    /// An event whose data is JSON, in which no line ends.
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

    /// The last event before the server stops.
    fn bye(self) -> String {
        self.write("bye", None, "{}")
    }
}
