//! Settings of a course and of its ladders, for its teachers.

use axum::Form;
use axum::extract::{Path, State};
use axum::response::Redirect;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Action, CourseState, Utc, Visibility};
use serde::Deserialize;

use super::super::super::app::App;
use super::super::super::problem::{Kind, Problem};
use super::Visit;
use super::admin::wrong_time;
use crate::database::{CourseSettings, LadderState};

/// Form data of a course's settings.
#[derive(Deserialize)]
pub(in super::super) struct SettingsForm {
    title: String,
    lang: String,
    closes: String,
    visibility: String,
    guests_play: Option<String>,
}

/// Changes title, language, end and audience of the course.
pub(in super::super) async fn set_course(
    State(app): State<App>,
    visit: Visit,
    Form(form): Form<SettingsForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::EditCourse)?;
    let malformed = || Problem::new(Kind::Malformed);
    let lang: Lang = form.lang.parse().map_err(|_| malformed())?;
    let visibility: Visibility = form.visibility.parse().map_err(|_| malformed())?;
    let settings = CourseSettings {
        title: form.title,
        language: lang,
        closes: Utc::of_minute(&form.closes).ok_or_else(wrong_time)?,
        visibility,
        guests_play: form.guests_play.is_some(),
        ..visit.course.settings.clone()
    };
    app.database().edit_course(act, visit.course.facts.id, settings).await?;
    Ok(visit.to_admin())
}

/// Form data of the course's state.
#[derive(Deserialize)]
pub(in super::super) struct StateForm {
    state: String,
}

/// Opens, pauses, freezes or closes the course.
pub(in super::super) async fn set_state(
    State(app): State<App>,
    visit: Visit,
    Form(StateForm { state }): Form<StateForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::EditCourse)?;
    let state: CourseState = state.parse().map_err(|_| Problem::new(Kind::Malformed))?;
    app.database().set_course_state(act, visit.course.facts.id, state).await?;
    Ok(visit.to_admin())
}

/// Form data of a ladder.
#[derive(Deserialize)]
pub(in super::super) struct LadderForm {
    state: String,
    #[serde(default)]
    frozen_view_at: String,
}

/// Opens, pauses or closes a ladder, and sets the instant at which its public table is frozen.
pub(in super::super) async fn set_ladder(
    State(app): State<App>,
    visit: Visit,
    Path((_, slug)): Path<(String, String)>,
    Form(LadderForm { state, frozen_view_at }): Form<LadderForm>,
) -> Result<Redirect, Problem> {
    let act = visit.staff(Action::EditCourse)?;
    let ladder = app.database().ladder_at(visit.course.facts.id, &slug).await?;
    let ladder = ladder.open(&visit.client.actor, Action::EditCourse)?;
    let state: LadderState = state.parse().map_err(|_| Problem::new(Kind::Malformed))?;
    let frozen_view_at = match frozen_view_at.as_str() {
        "" => None,
        text => Some(Utc::of_minute(text).ok_or_else(wrong_time)?),
    };
    app.database().edit_ladder(act, ladder.id, state, frozen_view_at).await?;
    Ok(visit.to_admin())
}
