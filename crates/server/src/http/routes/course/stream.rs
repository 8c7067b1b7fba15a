//! Live feed of the course pages.

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::super::super::app::App;
use super::super::super::feed::course::{FeedCredentials, StreamQuery, open};
use super::super::super::feed::{FeedRequest, Form, last_event};
use super::super::super::listen::ConnectionCloser;
use super::super::super::problem::Problem;
use super::Visit;

/// `GET stream?watch=ladder:main,queue,mine`: events of the watched topics.
pub(in super::super) async fn stream(
    State(app): State<App>,
    visit: Visit,
    Query(asked): Query<StreamQuery>,
    headers: HeaderMap,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let topics = asked.topics()?;
    let request = FeedRequest {
        after: last_event(&headers, asked.after.as_deref()),
        form: Form::Events,
        key: visit.client.feed_key(),
        closer: closer.map(|Extension(it)| it).unwrap_or_default(),
    };
    let credentials = FeedCredentials::Browser(visit.client.secret, visit.course.slug);
    open(&app, credentials, topics, request).await
}
