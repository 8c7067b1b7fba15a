//! Front page of a course: ladders, queue and the next deadlines.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use pitmaster_core::i18n::{Fill, Lang, said};
use pitmaster_season::course::{Action, Utc};

use super::super::super::app::App;
use super::super::super::page::{self, Layout};
use super::super::super::problem::Problem;
use super::ladder::View;
use super::{Head, Visit, live};
use crate::database::{DeadlineRow, Examinations};
use crate::finals;

/// Number of rows per ladder.
const MAX_ROWS: usize = 15;

#[derive(Template)]
#[template(path = "course_front.html")]
struct FrontPage {
    layout: Layout,
    head: Head,
    /// URL of the live feed.
    stream: String,
    views: Vec<View>,
    running: Vec<live::Row>,
    queue: String,
    /// Deadlines with the remaining time.
    deadlines: Vec<(DeadlineRow, String)>,
    /// Names of finals with published results.
    finals: Vec<String>,
}

/// Deadlines of a course that have not passed, the next one first, with the remaining time.
pub(super) async fn deadlines(
    app: &App,
    visit: &Visit,
) -> Result<Vec<(DeadlineRow, String)>, Problem> {
    let all = app.database().deadlines(visit.course.facts.id).await?.into_iter();
    let seen = all.filter_map(|row| row.open(&visit.client.actor, Action::ViewResults).ok());
    let now = visit.client.now;
    let mut next: Vec<_> = seen.filter(|row| row.settings.rule.end() > now).collect();
    next.sort_by_key(|row| row.settings.rule.at);
    let lang = visit.client.lang;
    Ok(next
        .into_iter()
        .map(|row| {
            let left = until(&row, now, lang);
            (row, left)
        })
        .collect())
}

/// Sentence about the number of waiting versions and the usual time.
pub(super) fn queue_text(queue: &Examinations, layout: &Layout) -> String {
    let waiting = match queue.waiting {
        0 => said!("No version waits for its verdict."),
        1 => said!("One version waits for its verdict."),
        waiting => said!("{} versions wait for their verdicts.", waiting),
    };
    let usual = queue.usual.map(|usual| said!("It took {} lately.", rounded(usual)));
    let texts = [Some(waiting), usual].into_iter().flatten();
    texts.map(|text| text.to(layout.lang)).collect::<Vec<_>>().join(" ")
}

/// Duration in whole seconds, or in minutes from two minutes on. More precision would be
/// misleading.
fn rounded(time: Duration) -> Fill {
    let seconds = time.as_secs_f64().ceil().max(1.0) as u64;
    if seconds < 120 {
        format!("{seconds} s").into()
    } else {
        format!("{} min", seconds / 60).into()
    }
}

/// Remaining time until a deadline, in words.
fn until(deadline: &DeadlineRow, now: Utc, lang: Lang) -> String {
    let left = deadline.settings.rule.end().since(now).as_secs();
    let text = match (left / 86_400, left / 3600) {
        (0, 0) => said!("in {} min", left / 60),
        (0, hours) => said!("in {} h", hours),
        (days, _) => said!("in {} days", days),
    };
    text.to(lang)
}

/// Shows the page.
pub(in super::super) async fn page(
    State(app): State<App>,
    visit: Visit,
) -> Result<Response, Problem> {
    let ladders = app.database().ladders(visit.course.facts.id).await?.into_iter();
    let seen = ladders.filter_map(|it| it.open(&visit.client.actor, Action::ViewResults).ok());
    let layout = visit.client.layout(&app);
    let ladders: Vec<_> = seen.collect();
    let examinations = app.examinations().await?;
    let stream = visit.stream(&app, &ladders, Some(&examinations), None);
    let mut queue = queue_text(&examinations, &layout);
    if let Some(now) = app.standings().playing().filter(|now| now.games > 0) {
        let time_text = said!(
            "A final is being played: {} of {} games. The ladders wait.",
            now.done,
            now.games
        );
        queue = format!("{} {queue}", time_text.to(layout.lang));
    }
    let page = FrontPage {
        stream,
        head: visit.head(),
        running: ladders.iter().flat_map(|ladder| live::running(&app, &visit, ladder)).collect(),
        views: ladders.into_iter().map(|it| View::of(&app, &visit, it, MAX_ROWS)).collect(),
        queue,
        deadlines: deadlines(&app, &visit).await?,
        finals: finals::published(app.database().folder(), &visit.course.slug),
        layout,
    };
    Ok(page::render(&page))
}
