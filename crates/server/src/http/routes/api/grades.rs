//! Grades in the API, for programs of the staff.

use axum::Json;
use axum::extract::{Path, Query, State};
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::Action;
use pitmaster_season::grading::{Points, Reason};
use serde_json::{Value, json};

use super::super::super::app::App;
use super::super::super::problem::Problem;
use super::super::course::course_at;
use super::super::course::grades::{FinalQuery, refused};
use super::Bearer;
use crate::grades::{CourseGrades, GradeRow};

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 400;

/// `GET courses/{course}/grades`: grades by the last final, or by the one in the query.
pub(super) async fn grades(
    State(app): State<App>,
    bearer: Bearer,
    Path(course): Path<String>,
    Query(which): Query<FinalQuery>,
) -> Result<Json<Value>, Problem> {
    let course = course_at(&app, &bearer.found.actor, &course, Action::ExportGrades).await?;
    let graded = which.grade(&app, &course).await?.map_err(refused)?;
    Ok(Json(document(&course.slug, &graded, bearer.lang)))
}

fn document(course: &str, graded: &CourseGrades, lang: Lang) -> Value {
    json!({
        "course": course,
        "final": graded.final_name,
        "missing_games": graded.missing,
        "grades": graded.rows.iter().map(|it| row(it, lang)).collect::<Vec<_>>(),
    })
}

fn row(row: &GradeRow, lang: Lang) -> Value {
    let grade = &row.grade;
    json!({
        "person": row.person.to_string(),
        "id": grade.member.id,
        "name": grade.member.name,
        "mail": grade.member.email,
        "group": row.group,
        "bot": row.bot.as_ref().map(ToString::to_string),
        "late": grade.member.late,
        "points": grade.points.number(),
        "maximum": grade.maximum.number(),
        "is_open": grade.open,
        "reasons": grade.reasons.iter().map(|it| reason(it, lang)).collect::<Vec<_>>(),
    })
}

fn reason(reason: &Reason, lang: Lang) -> Value {
    json!({
        "what": reason.what.to(lang),
        "points": reason.points.map(Points::number),
        "why": Untrusted::new(reason.why.to(lang)).shown(MAX_REASON),
    })
}
