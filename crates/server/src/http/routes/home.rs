//! Front page of the site: courses that the client may see.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use pitmaster_season::course::{Action, CourseState};

use super::super::app::App;
use super::super::client::Client;
use super::super::page::{self, Layout};
use super::super::problem::Problem;
use crate::database::Course;

#[derive(Template)]
#[template(path = "courses.html")]
struct CoursesPage {
    layout: Layout,
    courses: Vec<Course>,
}

impl CoursesPage {
    fn state(&self, course: &Course) -> &'static str {
        let lang = self.layout.lang;
        match course.facts.state {
            CourseState::Draft => lang.text("being prepared"),
            CourseState::Open => lang.text("in progress"),
            CourseState::Paused => lang.text("paused"),
            CourseState::Frozen => lang.text("frozen"),
            CourseState::Closed => lang.text("closed"),
        }
    }
}

/// Lists the courses, newest first.
pub(super) async fn courses(State(app): State<App>, client: Client) -> Result<Response, Problem> {
    let all = app.database().courses().await?.into_iter();
    let mut courses: Vec<_> =
        all.filter_map(|course| course.open(&client.actor, Action::ViewResults).ok()).collect();
    courses.sort_by_key(|course| std::cmp::Reverse(course.settings.opens));
    Ok(page::render(&CoursesPage { layout: client.layout(&app), courses }))
}
