//! Finals: playing, publishing, and the public report.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use pitmaster_core::i18n::said;
use pitmaster_season::course::Action;

use super::super::super::app::App;
use super::super::super::problem::{Kind, Problem};
use super::Visit;
use crate::database::Act;
use crate::finals::{self, FinalError};

/// Content security policy of a report, which contains its scripts and styles. The sandbox gives it
/// an opaque origin, so that it cannot use cookies of this site.
const POLICY: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; \
     script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// Shows the public report of a final.
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

impl Visit {
    /// Act of the staff about a final, which must exist.
    fn of_final(&self, app: &App, name: &str) -> Result<Act, Problem> {
        let act = self.staff(Action::Freeze)?;
        if finals::exists(app.database().folder(), &self.course.slug, name) {
            Ok(act)
        } else {
            Err(Problem::new(Kind::NotFound))
        }
    }
}

/// Requests that the server plays a final, or resumes it.
pub(in super::super) async fn play(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.of_final(&app, &name)?;
    if !app.plays_here() {
        let file = finals::file(app.database().folder(), &visit.course.slug, &name);
        let out = file.parent().unwrap_or(&file);
        let why = said!(
            "Workers play the games of this server, and a final is played by hand. Write \
             pitmaster run {} --out {} --cluster SERVER on its machine.",
            file.display().to_string(),
            out.display().to_string()
        );
        return Err(Problem::new(Kind::Conflict).because(why));
    }
    app.database().play_final(act, visit.course.facts.id, &name).await?;
    Ok(visit.to_admin())
}

/// Stops a final that the server plays.
pub(in super::super) async fn stop(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.of_final(&app, &name)?;
    app.database().stop_final(act, visit.course.facts.id, &name).await?;
    Ok(visit.to_admin())
}

/// Publishes the results of a final on the front page.
pub(in super::super) async fn publish(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
) -> Result<Redirect, Problem> {
    let act = visit.of_final(&app, &name)?;
    let rows = app.database().deadlines(visit.course.facts.id).await?.into_iter();
    let mut rows = rows.filter_map(|row| row.open(&visit.client.actor, Action::Freeze).ok());
    let deadline = rows.find(|row| finals::belongs_to(&name, row));
    let deadline = deadline.ok_or_else(|| Problem::new(Kind::NotFound))?.id;
    let (database, course, shown) = (app.database().clone(), visit.course.clone(), name.clone());
    let write = move || finals::publish(database.folder(), &course, &shown);
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(())) => {}
        Ok(Err(FinalError::Database(error))) => return Err(error.into()),
        Ok(Err(error)) => {
            let why = said!("The results cannot be published: {}", error.to_string());
            return Err(Problem::new(Kind::Conflict).because(why));
        }
        Err(panic) => return Err(Problem::new(Kind::Internal).caused_by(panic.to_string())),
    }
    app.database().show_final(act, deadline, Some(name)).await?;
    Ok(visit.to_admin())
}
