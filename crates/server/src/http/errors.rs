//! Error formatting: every response with an error status becomes a page or a problem document (RFC
//! 9457), including those of the framework.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{Method, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;

use super::app::Log;
use super::language::preferred;
use super::page::{self, Layout, Reader, ReturnTarget};
use super::problem::Problem;
use super::routes::local;

/// Format of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// HTML pages, for people.
    Pages,
    /// Problem documents (RFC 9457), for programs.
    Documents,
}

/// State of the middleware.
#[derive(Clone)]
struct Forms {
    form: Form,
    site: String,
    log: Log,
}

/// Content type of a page.
const HTML: &str = "text/html; charset=utf-8";

/// Headers that an error response keeps.
const KEPT_HEADERS: [HeaderName; 2] = [header::ALLOW, header::SET_COOKIE];

/// Adds the formatting of errors to a router.
pub(super) fn with_error_format(router: Router, form: Form, site: &str, log: Log) -> Router {
    let forms = Forms { form, site: site.to_owned(), log };
    router.layer(middleware::from_fn_with_state(forms, form_errors))
}

async fn form_errors(State(forms): State<Forms>, request: Request, next: Next) -> Response {
    let lang = preferred(request.headers());
    let request_line = format!("{} {}", request.method(), request.uri().path());
    // Only a page can be returned to.
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let wanted = if is_page {
        ReturnTarget::Page(
            request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
        )
    } else {
        ReturnTarget::Form(sent_from(&request))
    };
    let response = next.run(request).await;
    // A page that explains its error is left unchanged.
    let has_page = response.headers().get(header::CONTENT_TYPE).is_some_and(|it| it == HTML);
    let Some(problem) = Problem::of_response(&response).filter(|_| !has_page) else {
        return response;
    };
    if let Some(cause) = problem.cause() {
        (forms.log)(&format!("{request_line}: {cause}"));
    }
    let mut with_error_format = match forms.form {
        Form::Pages => {
            let layout = Layout::new(lang, &forms.site, Reader::Unknown);
            page::problem(&problem, layout, &wanted)
        }
        Form::Documents => problem.document(lang),
    };
    for name in KEPT_HEADERS {
        if let Some(value) = response.headers().get(&name) {
            with_error_format.headers_mut().insert(name, value.clone());
        }
    }
    with_error_format
}

/// Path of this site's page that contains the submitted form.
fn sent_from(request: &Request) -> Option<String> {
    let page: Uri = request.headers().get(header::REFERER)?.to_str().ok()?.parse().ok()?;
    let host = request.headers().get(header::HOST)?.to_str().ok()?;
    let is_ours = page.authority().is_some_and(|authority| authority.as_str() == host);
    page.path_and_query().filter(|_| is_ours).map(|path| local(path.as_str()).to_owned())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::{Method, StatusCode};
    use axum::routing::get;
    use http_body_util::BodyExt as _;
    use pitmaster_core::i18n::said;
    use tower::ServiceExt as _;

    use super::super::problem::Kind;
    use super::*;

    async fn send(
        form: Form,
        method: Method,
        path: &str,
        language: &str,
    ) -> (Response<()>, String) {
        let refused = || async {
            Problem::new(Kind::Refused).because(said!("no bot: {}", "<script>alert(1)</script>"))
        };
        let router = Router::new().route("/", get(|| async { "fine" })).route("/r", get(refused));
        let router = with_error_format(router, form, "School", std::sync::Arc::new(|_| ()));
        let request =
            Request::builder().method(method).uri(path).header("accept-language", language);
        let request = request.body(Body::empty()).unwrap();
        let (parts, body) = router.oneshot(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (Response::from_parts(parts, ()), String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn people_get_pages_in_their_language() {
        let (response, text) = send(Form::Pages, Method::GET, "/absent", "fr").await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert!(text.contains("<html lang=\"fr\">") && text.contains("<h1>Cette page"), "{text}");
        let (response, text) = send(Form::Pages, Method::GET, "/r", "en").await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(text.contains("&#60;script&#62;") && !text.contains("<script>"), "{text}");
    }

    #[tokio::test]
    async fn a_refused_form_leads_back_to_its_page_and_to_no_other_site() {
        for (referer, back) in [
            ("http://school.example/c/awale/me", Some("/c/awale/me")),
            ("http://evil.example/c/awale/me", None),
            ("http://school.example//evil.example", Some("/")),
            ("", None),
        ] {
            let refused = || async { Problem::new(Kind::Refused) };
            let router = Router::new().route("/r", axum::routing::post(refused));
            let router =
                with_error_format(router, Form::Pages, "School", std::sync::Arc::new(|_| ()));
            let request = Request::builder().method(Method::POST).uri("/r");
            let request = request.header("host", "school.example").header("referer", referer);
            let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            let text = response.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8(text.to_vec()).unwrap();
            let found = text.split("class=\"action\" href=\"").nth(1);
            let found = found.and_then(|rest| rest.split('"').next());
            assert_eq!(found, back, "{referer}: {text}");
        }
    }

    #[tokio::test]
    async fn programs_get_documents() {
        let (response, text) = send(Form::Documents, Method::GET, "/absent", "en").await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert!(text.contains("\"status\":404"), "{text}");
        let (response, text) = send(Form::Documents, Method::DELETE, "/", "en").await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(response.headers()[header::ALLOW], "GET,HEAD", "{text}");
    }

    #[tokio::test]
    async fn successful_responses_are_unchanged() {
        let (response, text) = send(Form::Documents, Method::GET, "/", "en").await;
        assert_eq!((response.status(), text.as_str()), (StatusCode::OK, "fine"));
    }
}
