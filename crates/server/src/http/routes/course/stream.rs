//! Live feed of the course pages.

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::super::super::app::App;
use super::super::super::feed::course::{Asked, Who, open};
use super::super::super::feed::{Form, Wanted, last_event};
use super::super::super::listen::HangUp;
use super::super::super::problem::Problem;
use super::Visit;

/// `GET stream?watch=ladder:main,queue,mine`: events of the watched topics.
pub(in super::super) async fn stream(
    State(app): State<App>,
    visit: Visit,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    hang_up: Option<Extension<HangUp>>,
) -> Result<Response, Problem> {
    let topics = asked.topics()?;
    let wanted = Wanted {
        after: last_event(&headers, asked.after.as_deref()),
        form: Form::Events,
        key: visit.client.feed_key(),
        hang_up: hang_up.map(|Extension(it)| it).unwrap_or_default(),
    };
    let who = Who::Browser(visit.client.secret, visit.course.slug);
    open(&app, who, topics, wanted).await
}
