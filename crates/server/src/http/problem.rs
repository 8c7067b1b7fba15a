//! Errors of requests: one row each, formatted as RFC 9457 for programs and as a page for people.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_season::course::{CourseState, Refusal, Why};
use serde::Serialize;

/// Kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The request is malformed.
    Malformed,
    /// Authentication is required.
    LogIn,
    /// The role, group, scope or session is insufficient.
    Forbidden,
    /// The object does not exist, or the client must not know of it.
    NotFound,
    /// The path does not support the method.
    Method,
    /// The body or the head timed out.
    TooSlow,
    /// The state of the object or of the course forbids the request.
    Conflict,
    /// The body is too large.
    TooLarge,
    /// The media type of the body is not supported.
    MediaType,
    /// The content is valid and refused.
    Refused,
    /// Too many requests, attempts or uploads.
    TooMany,
    /// The server failed.
    Internal,
    /// The server is stopping, or cannot serve the request now.
    Unavailable,
    /// The server's disk is full.
    NoSpace,
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Self; 14] = [
        Self::Malformed,
        Self::LogIn,
        Self::Forbidden,
        Self::NotFound,
        Self::Method,
        Self::TooSlow,
        Self::Conflict,
        Self::TooLarge,
        Self::MediaType,
        Self::Refused,
        Self::TooMany,
        Self::Internal,
        Self::Unavailable,
        Self::NoSpace,
    ];

    /// Status, slug of the type's URI, and title.
    fn row(self) -> (StatusCode, &'static str, Message) {
        match self {
            Self::Malformed => {
                (StatusCode::BAD_REQUEST, "malformed", said!("The request cannot be read."))
            }
            Self::LogIn => (StatusCode::UNAUTHORIZED, "log-in", said!("Log in first.")),
            Self::Forbidden => (StatusCode::FORBIDDEN, "forbidden", said!("You may not do this.")),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", said!("There is no such page.")),
            Self::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method",
                said!("This address does not take this method."),
            ),
            Self::TooSlow => {
                (StatusCode::REQUEST_TIMEOUT, "too-slow", said!("The request took too long."))
            }
            Self::Conflict => (StatusCode::CONFLICT, "conflict", said!("This cannot be done now.")),
            Self::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too-large", said!("The request is too large."))
            }
            Self::MediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "media-type",
                said!("The type of the content is not understood."),
            ),
            Self::Refused => {
                (StatusCode::UNPROCESSABLE_ENTITY, "refused", said!("The content is refused."))
            }
            Self::TooMany => {
                (StatusCode::TOO_MANY_REQUESTS, "too-many", said!("Too many requests."))
            }
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                said!("The server failed; the person who runs it finds the cause in its log."),
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                said!("The server cannot do this now; try again in a minute."),
            ),
            Self::NoSpace => {
                (StatusCode::INSUFFICIENT_STORAGE, "no-space", said!("The server's disk is full."))
            }
        }
    }

    /// Kind of an error response of the framework.
    fn of_status(status: StatusCode) -> Self {
        let of_this_status = Self::ALL.into_iter().find(|kind| kind.row().0 == status);
        of_this_status.unwrap_or(match status {
            status if status.is_client_error() => Self::Malformed,
            _ => Self::Internal,
        })
    }
}

/// Error of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    kind: Kind,
    detail: Option<Message>,
    retry_after: Option<Duration>,
    /// Cause, for the log only.
    cause: Option<String>,
}

/// Problem document (RFC 9457).
#[derive(Debug, Serialize)]
struct Document {
    r#type: String,
    title: String,
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl Problem {
    /// Creates an error that is described by its title.
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, detail: None, retry_after: None, cause: None }
    }

    /// Adds a detail: what happened and what to do.
    #[must_use]
    pub(super) fn because(self, detail: Message) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// Adds a cause, which only the log contains.
    #[must_use]
    pub(super) fn caused_by(self, cause: String) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// Cause, for the log.
    pub(super) fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// Error of a full disk. Nothing of the request was stored.
    pub(super) fn no_space() -> Self {
        Self::new(Kind::NoSpace).because(said!(
            "Nothing was kept. Tell your teacher that the server needs room on its disk, and hand in \
             again afterwards."
        ))
    }

    /// Error of too many requests, with the time until the next one is allowed.
    pub(super) fn too_many(wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(Kind::TooMany) }
    }

    /// Error of a response that the framework created without a reason; `None` if the response is
    /// not an error.
    pub(super) fn of_response(response: &Response) -> Option<Self> {
        let status = response.status();
        let is_error = status.is_client_error() || status.is_server_error();
        let known = || response.extensions().get::<Self>().cloned();
        is_error.then(|| known().unwrap_or_else(|| Self::new(Kind::of_status(status))))
    }

    /// Kind of the error.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Status of the response.
    pub(super) fn status(&self) -> StatusCode {
        self.kind.row().0
    }

    /// Title, as a sentence.
    pub(super) fn title(&self) -> Message {
        self.kind.row().2
    }

    /// What happened and what to do, if the title does not say everything.
    pub(super) fn detail(&self) -> Option<&Message> {
        self.detail.as_ref()
    }

    /// Response with the problem document.
    pub(super) fn document(&self, lang: Lang) -> Response {
        let (status, name, title) = self.kind.row();
        let document = Document {
            r#type: format!("/problems#{name}"),
            title: title.to(lang),
            status: status.as_u16(),
            detail: self.detail.as_ref().map(|detail| detail.to(lang)),
        };
        let json = HeaderValue::from_static("application/problem+json");
        let mut response = (status, Json(document)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        self.add_headers(&mut response);
        response
    }

    /// Adds the headers `Retry-After` and `WWW-Authenticate` where they apply.
    pub(super) fn add_headers(&self, response: &mut Response) {
        if let Some(wait) = self.retry_after {
            // Rounded up to whole seconds: an earlier retry would fail.
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if self.kind == Kind::LogIn {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
    }
}

impl IntoResponse for Problem {
    /// Response with the status, and the problem as an extension. A middleware formats it for the
    /// client.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        self.add_headers(&mut response);
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::LogIn => Self::new(Kind::LogIn),
            Refusal::Hidden => Self::new(Kind::NotFound),
            Refusal::No(why) => Self::new(kind_of(why)).because(reason(why)),
        }
    }
}

fn kind_of(why: Why) -> Kind {
    match why {
        Why::Course(_) => Kind::Conflict,
        Why::Role
        | Why::NotYourGroup
        | Why::NotYours
        | Why::NeedsScope(_)
        | Why::NeedsSession
        | Why::MembersOnly => Kind::Forbidden,
    }
}

fn reason(why: Why) -> Message {
    match why {
        Why::Role => said!("Your role in this course does not include it; ask a teacher."),
        Why::NotYourGroup => said!("It belongs to another group."),
        Why::NotYours => said!("It belongs to another person."),
        Why::NeedsScope(scope) => {
            said!("Your token lacks the scope {}; make one that has it.", scope.name())
        }
        Why::NeedsSession => said!("No token can do this; log in with a browser."),
        Why::MembersOnly => said!("Only members of the course can do this; log in first."),
        Why::Course(CourseState::Draft) => said!("The course has not begun."),
        Why::Course(CourseState::Open) => said!("The course is open."),
        Why::Course(CourseState::Paused) => {
            said!("The course is paused; wait until its teacher opens it again.")
        }
        Why::Course(CourseState::Frozen) => {
            said!("The deadline has passed, and what was handed in is frozen.")
        }
        Why::Course(CourseState::Closed) => said!("The course is over."),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use pitmaster_season::course::Scope;

    use super::*;

    async fn text(response: Response) -> String {
        let body = response.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(body.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn programs_get_rfc_9457() {
        let refusal = Refusal::No(Why::NeedsScope(Scope::Upload));
        let response = Problem::from(refusal).document(Lang::English);
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        insta::assert_snapshot!(text(response).await, @r#"{"type":"/problems#forbidden","title":"You may not do this.","status":403,"detail":"Your token lacks the scope upload; make one that has it."}"#);
    }

    #[test]
    fn throttled_responses_have_retry_after() {
        for (wait, seconds) in [(1, "1"), (1000, "1"), (1001, "2"), (60_000, "60")] {
            let problem = Problem::too_many(Duration::from_millis(wait));
            let response = problem.into_response();
            assert_eq!(response.headers()[header::RETRY_AFTER], seconds);
        }
    }

    #[test]
    fn each_kind_has_a_status_and_a_name_of_its_own() {
        let mut statuses: Vec<_> = Kind::ALL.map(|kind| kind.row().0.as_u16()).to_vec();
        let mut names: Vec<_> = Kind::ALL.map(|kind| kind.row().1).to_vec();
        statuses.sort_unstable();
        statuses.dedup();
        names.sort_unstable();
        names.dedup();
        assert_eq!((statuses.len(), names.len()), (14, 14));
        for kind in Kind::ALL {
            assert_eq!(Kind::of_status(kind.row().0), kind);
        }
        assert_eq!(Kind::of_status(StatusCode::IM_A_TEAPOT), Kind::Malformed);
        assert_eq!(Kind::of_status(StatusCode::BAD_GATEWAY), Kind::Internal);
    }

    #[test]
    fn framework_errors_become_problems() {
        let made = StatusCode::METHOD_NOT_ALLOWED.into_response();
        assert_eq!(Problem::of_response(&made), Some(Problem::new(Kind::Method)));
        let own = Problem::new(Kind::Refused).because(said!("The course is over."));
        assert_eq!(Problem::of_response(&own.clone().into_response()), Some(own));
        assert_eq!(Problem::of_response(&StatusCode::OK.into_response()), None);
    }
}
