//! Published results of finals: the report as the staff made it for everybody.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::super::super::app::App;
use super::super::super::problem::{Kind, Problem};
use super::Visit;
use crate::finals;

/// Policy of a report, which has its scripts and styles in itself: it is sandboxed, so to a browser it
/// is of no site, and no cookie of this one is within its reach.
const POLICY: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; \
     script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The page.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (database, course) = (app.database().clone(), visit.course.slug.clone());
    let read = move || finals::public_page(database.folder(), &course, &name);
    let page = tokio::task::spawn_blocking(read).await;
    let page = page.map_err(|panic| Problem::new(Kind::Internal).caused_by(panic.to_string()))?;
    let page = page.ok_or_else(|| Problem::new(Kind::NotFound))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    Ok((headers, page).into_response())
}
