//! Conditional requests of pages that refresh themselves: an unchanged page is not sent again.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::client::REFRESH;
use super::problem::{Kind, Problem};

/// Maximum length of a page, in bytes. A longer one is a bug.
const MAX_PAGE: usize = 16 << 20;

/// Adds entity tags to refreshed pages.
pub(super) fn with_entity_tags(router: Router) -> Router {
    router.layer(middleware::from_fn(tag))
}

async fn tag(request: Request, next: Next) -> Response {
    if !request.headers().contains_key(REFRESH) {
        return next.run(request).await;
    }
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK || !is_page(response.headers()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(page) = to_bytes(body, MAX_PAGE).await else {
        return Problem::new(Kind::Internal).into_response();
    };
    let tag = format!("\"{}\"", &blake3::hash(&page).to_hex()[..32]);
    let Ok(tag) = HeaderValue::try_from(tag) else { return (head, page).into_response() };
    let is_known = known.as_ref() == Some(&tag);
    head.headers.insert(header::ETAG, tag);
    if !is_known {
        return (head, page).into_response();
    }
    head.status = StatusCode::NOT_MODIFIED;
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::empty())
}

fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

#[cfg(test)]
mod tests {
    use axum::response::Html;
    use axum::routing::get;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;

    async fn send(path: &str, headers: &[(&str, &str)]) -> (StatusCode, Option<String>, String) {
        let router = Router::new()
            .route("/", get(|| async { Html("a page") }))
            .route("/file", get(|| async { "a file" }));
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response =
            with_entity_tags(router).oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let tag = response.headers().get(header::ETAG).map(|tag| tag.to_str().unwrap().to_owned());
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, tag, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn an_unchanged_page_is_not_sent_again() {
        let (status, tag, page) = send("/", &[(REFRESH, "1")]).await;
        assert_eq!((status, &*page), (StatusCode::OK, "a page"));
        let tag = tag.expect("a tag");
        let again = send("/", &[(REFRESH, "1"), ("if-none-match", &tag)]).await;
        assert_eq!(again, (StatusCode::NOT_MODIFIED, Some(tag.clone()), String::new()));
        let (status, _, page) =
            send("/", &[(REFRESH, "1"), ("if-none-match", "\"another\"")]).await;
        assert_eq!((status, &*page), (StatusCode::OK, "a page"));
        // A page that a person opens is sent in full, and files have their own tags or none.
        assert_eq!(send("/", &[("if-none-match", &tag)]).await.1, None);
        assert_eq!(send("/file", &[(REFRESH, "1")]).await.1, None);
    }
}
