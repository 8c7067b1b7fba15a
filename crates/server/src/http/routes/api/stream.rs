//! Live feed of a course in the API.

use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;

use super::super::super::app::App;
use super::super::super::feed::course::{Asked, Who, open};
use super::super::super::feed::{Form, Wanted};
use super::super::super::listen::HangUp;
use super::super::super::problem::Problem;
use super::Bearer;

/// `GET stream`: one line per event of the token's course.
pub(super) async fn stream(
    State(app): State<App>,
    bearer: Bearer,
    Query(asked): Query<Asked>,
    hang_up: Option<Extension<HangUp>>,
) -> Result<Response, Problem> {
    let topics = asked.topics()?;
    let wanted = Wanted {
        after: asked.after.as_deref(),
        form: Form::Lines,
        key: bearer.feed_key(),
        hang_up: hang_up.map(|Extension(it)| it).unwrap_or_default(),
    };
    open(&app, Who::Program(bearer.secret), topics, wanted).await
}
