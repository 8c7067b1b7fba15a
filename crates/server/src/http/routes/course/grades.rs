//! Grades: table and files for the staff, and publication to students.

use std::borrow::Borrow;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::Action;
use pitmaster_season::grading::{Points, Reason, ShownGrade};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::{Kind, Problem};
use super::{Head, Visit};
use crate::database::{Course, DatabaseError, Publication};
use crate::grades::{self, CourseGrades, EXAMPLE, FILES, GradesError};

/// Maximum length of a reason on a page, in characters.
const MAX_REASON: usize = 400;

/// Maximum length of an error message, in characters.
const MAX_ERROR: usize = 4000;

#[derive(Template)]
#[template(path = "grades.html")]
struct GradesPage {
    layout: Layout,
    head: Head,
    /// Names of the finals that have results.
    finals: Vec<String>,
    graded: Option<CourseGrades>,
    /// Reason why there are no grades, by line.
    why: String,
    /// Whether the rules are missing, so that an example helps.
    needs_rules: bool,
    publication: Option<Publication>,
    can_publish: bool,
}

impl GradesPage {
    /// URL of a file of the shown grades.
    fn file(&self, graded: &CourseGrades, name: &str) -> String {
        self.head.at(&format!("/admin/grades/{name}?final={}", graded.final_name))
    }

    /// Whether the grades may be published.
    fn is_whole(graded: &CourseGrades) -> bool {
        graded.missing.unwrap_or(0) == 0
    }
}

/// Formats a number of points in a language.
pub(super) fn points(points: impl Borrow<Points>, lang: impl Borrow<Lang>) -> String {
    points.borrow().fill().to(*lang.borrow())
}

/// Formats points and maximum, and whether they are provisional.
pub(super) fn total(grade: impl Borrow<ShownGrade>, lang: impl Borrow<Lang>) -> String {
    grade.borrow().total(*lang.borrow())
}

/// Table cells of a reason: its subject, its points and the explanation.
pub(super) fn cells(reason: &Reason, lang: impl Borrow<Lang>) -> [String; 3] {
    let lang = *lang.borrow();
    let shown = |text: String| Untrusted::new(text).shown(MAX_REASON);
    let points = reason.points.map(|points| points.fill().to(lang)).unwrap_or_default();
    [shown(reason.what.to(lang)), points, shown(reason.why.to(lang))]
}

/// Query or form data with the name of a final.
#[derive(Debug, Deserialize)]
pub(in super::super) struct FinalQuery {
    #[serde(rename = "final")]
    name: Option<String>,
}

impl FinalQuery {
    /// Computes the grades by this final, on a blocking thread.
    pub(in super::super) async fn grade(
        self,
        app: &App,
        course: &Course,
    ) -> Result<Result<CourseGrades, GradesError>, Problem> {
        let (database, course) = (app.database().clone(), course.clone());
        let graded = move || grades::grade(&database, &course, self.name.as_deref());
        run_blocking(graded).await
    }
}

/// Runs a computation on a blocking thread.
async fn run_blocking<T: Send + 'static>(
    body: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(body).await;
    done.map_err(|panic| Problem::new(Kind::Internal).caused_by(panic.to_string()))
}

/// Error response for missing grades.
pub(in super::super) fn refused(error: GradesError) -> Problem {
    let kind = match &error {
        GradesError::NoFinal { asked: Some(_), .. } => Kind::NotFound,
        _ => Kind::Conflict,
    };
    match error {
        GradesError::Database(error) => error.into(),
        error => Problem::new(kind).because(error.message()),
    }
}

/// Shows the page.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
    Query(which): Query<FinalQuery>,
) -> Result<Response, Problem> {
    visit.staff(Action::ExportGrades)?;
    let lang = visit.client.lang;
    let (graded, error) = match which.grade(&app, &visit.course).await? {
        Ok(graded) => (Some(graded), None),
        Err(GradesError::Database(error)) => return Err(error.into()),
        Err(error @ GradesError::NoFinal { asked: Some(_), .. }) => return Err(refused(error)),
        Err(error) => (None, Some(error)),
    };
    let (database, course) = (app.database().clone(), visit.course.clone());
    let finals: Result<_, DatabaseError> =
        run_blocking(move || grades::with_results(&database, &course)).await?;
    let why = error.as_ref().map(|error| error.message().to(lang)).unwrap_or_default();
    let page = GradesPage {
        finals: finals?,
        graded,
        why: Untrusted::new(why).shown_lines(MAX_ERROR),
        needs_rules: matches!(error, Some(GradesError::NoRules { .. })),
        publication: app.database().publication(visit.course.facts.id).await?,
        can_publish: visit.may(Action::PublishGrades),
        layout: visit.client.layout(&app),
        head: visit.head(),
    };
    Ok(page::render(&page))
}

/// Downloads a file for a learning platform.
pub(in super::super) async fn file(
    State(app): State<App>,
    visit: Visit,
    Path((_, name)): Path<(String, String)>,
    Query(which): Query<FinalQuery>,
) -> Result<Response, Problem> {
    visit.staff(Action::ExportGrades)?;
    let absent = || Problem::new(Kind::NotFound);
    let name = FILES.into_iter().find(|file| *file == name).ok_or_else(absent)?;
    let graded = which.grade(&app, &visit.course).await?.map_err(refused)?;
    let content = graded.file(name).map_err(refused)?.ok_or_else(absent)?;
    let kind = match name.rsplit('.').next() {
        Some("json") => "application/json",
        _ => "text/csv; charset=utf-8",
    };
    let attached = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, attached.map_err(|_| Problem::new(Kind::Internal))?),
    ];
    Ok((headers, content).into_response())
}

/// Publishes the grades by a final.
pub(in super::super) async fn publish(
    State(app): State<App>,
    visit: Visit,
    Form(which): Form<FinalQuery>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::PublishGrades)?;
    let graded = which.grade(&app, &visit.course).await?.map_err(refused)?;
    let (database, course) = (app.database().clone(), visit.course.clone());
    let published = move || grades::publish(&database, act, &course, &graded);
    run_blocking(published).await?.map_err(refused)?;
    Ok(visit.to_grades())
}

/// Withdraws the published grades.
pub(in super::super) async fn withdraw(
    State(app): State<App>,
    visit: Visit,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::PublishGrades)?;
    app.database().withdraw_grades(act, visit.course.facts.id).await?;
    Ok(visit.to_grades())
}

impl Visit {
    fn to_grades(&self) -> Redirect {
        Redirect::to(&self.address("/admin/grades"))
    }
}
