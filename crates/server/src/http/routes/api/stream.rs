//! Live feed of a course in the API.

use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;

use super::super::super::app::App;
use super::super::super::feed::course::{FeedCredentials, StreamQuery, open};
use super::super::super::feed::{FeedRequest, Form};
use super::super::super::listen::ConnectionCloser;
use super::super::super::problem::Problem;
use super::Bearer;

/// `GET stream`: one line per event of the token's course.
pub(super) async fn stream(
    State(app): State<App>,
    bearer: Bearer,
    Query(asked): Query<StreamQuery>,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let topics = asked.topics()?;
    let request = FeedRequest {
        after: asked.after.as_deref(),
        form: Form::Lines,
        key: bearer.feed_key(),
        closer: closer.map(|Extension(it)| it).unwrap_or_default(),
    };
    open(&app, FeedCredentials::Program(bearer.secret), topics, request).await
}
