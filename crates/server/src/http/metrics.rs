//! Prometheus metrics, on a separate listener: readers of the metrics need no account, and accounts
//! give no access to the metrics.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::app::App;
use super::problem::Problem;

/// Content type of the Prometheus text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Number of responses, by the first digit of their status, from 1.
#[derive(Debug, Default)]
pub(super) struct ResponseCounts([AtomicU64; 5]);

impl ResponseCounts {
    fn count(&self, status: StatusCode) {
        // Every status has three digits.
        let class = usize::from(status.as_u16() / 100).clamp(1, 5);
        self.0[class - 1].fetch_add(1, Relaxed);
    }
}

/// Use of the lanes at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneUse {
    /// Number of lanes.
    pub lanes: usize,
    /// Number of lanes that play or check.
    pub busy: usize,
}

/// Function that reads the use of the lanes.
pub type ReadLanes = Arc<dyn Fn() -> LaneUse + Send + Sync>;

/// Adds counting of responses to a router.
pub(super) fn with_counts(router: Router, app: &App) -> Router {
    router.layer(middleware::from_fn_with_state(app.clone(), count_response))
}

async fn count_response(State(app): State<App>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    app.response_counts().count(response.status());
    response
}

/// Router of the metrics listener: `/metrics` only.
pub fn metrics_router(app: &App, lanes: ReadLanes) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state((app.clone(), lanes))
}

async fn metrics(State((app, lanes)): State<(App, ReadLanes)>) -> Result<Response, Problem> {
    let queue = app.database().queue_state().await?;
    let age = queue.oldest.map_or(0, |oldest| app.now().0.saturating_sub(oldest.0).max(0));
    let commits = app.database().commits();
    let LaneUse { lanes, busy } = lanes();
    let mut text = Exposition::default();
    text.gauge("jobs_waiting", "Jobs that wait for a worker.", f64::from(queue.waiting));
    text.gauge("jobs_running", "Jobs that a worker has.", f64::from(queue.leased));
    text.gauge("jobs_failed", "Jobs that were given up after faults.", f64::from(queue.failed));
    text.gauge("oldest_job_seconds", "Age of the oldest waiting job.", age as f64 / 1e3);
    text.gauge("lanes", "Games that can be played at once.", lanes as f64);
    text.gauge("lanes_busy", "Lanes that play or check.", busy as f64);
    text.gauge("feeds", "Live feeds that are open.", app.live().readers() as f64);
    text.name("responses_total", "counter", "Answers to requests, by the class of their status.");
    for (class, count) in (1..).zip(&app.response_counts().0) {
        let labels = format!("{{class=\"{class}xx\"}}");
        text.value("responses_total", &labels, count.load(Relaxed) as f64);
    }
    text.name("commit_seconds", "summary", "Time of transactions of the writer thread.");
    text.value("commit_seconds_count", "", commits.count as f64);
    text.value("commit_seconds_sum", "", commits.total.as_secs_f64());
    let slowest = commits.slowest.as_secs_f64();
    text.gauge("slowest_commit_seconds", "Longest transaction since the start.", slowest);
    Ok(([(header::CONTENT_TYPE, TEXT)], text.0).into_response())
}

/// Builder of the Prometheus text format.
#[derive(Default)]
struct Exposition(String);

impl Exposition {
    fn name(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP pitmaster_{name} {help}\n# TYPE pitmaster_{name} {kind}");
    }

    fn value(&mut self, name: &str, labels: &str, value: f64) {
        let _ = writeln!(self.0, "pitmaster_{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) {
        self.name(name, "gauge", help);
        self.value(name, "", value);
    }
}
