//! Security and cache headers of every response.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use tower_http::csrf::CsrfLayer;

use super::cookie::Transport;

/// Content security policy of the server's pages: scripts, styles, images and connections of this
/// server only, no inline script, no frame.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; object-src 'none'";

/// Headers of every response, unless the handler sets them.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Like `frame-ancestors`, for browsers and scanners that do not support it.
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    // After a logout on a shared computer, no page remains in the cache.
    (header::CACHE_CONTROL, "no-store"),
    (header::VARY, "Cookie, Accept-Language"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Makes browsers use TLS only for this host, for a year.
const TLS_ONLY: (HeaderName, &str) = (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");

/// Adds the headers to every response of a router, including errors.
pub(super) fn with_security_headers(router: Router, transport: Transport) -> Router {
    let tls = (transport == Transport::Tls).then_some(TLS_ONLY);
    let add = move |request: Request, next: Next| {
        with_headers(HEADERS.into_iter().chain(tls.clone()), request, next)
    };
    router.layer(middleware::from_fn(add))
}

/// Refuses requests that a page of another site triggered.
pub(super) fn same_site(router: Router) -> Router {
    router.layer(CsrfLayer::new())
}

async fn with_headers(
    headers: impl Iterator<Item = (HeaderName, &'static str)>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let is_unchanged = response.status() == StatusCode::NOT_MODIFIED;
    for (name, value) in headers {
        if is_unchanged && name == header::CACHE_CONTROL {
            continue;
        }
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::{Method, Request};
    use axum::routing::{get, post};
    use tower::ServiceExt as _;

    use super::*;

    fn router() -> Router {
        router_by(Transport::Plain)
    }

    fn router_by(transport: Transport) -> Router {
        let own = || async { ([(header::CACHE_CONTROL, "max-age=60")], "style") };
        let router = Router::new()
            .route("/", get(|| async { "page" }))
            .route("/style", get(own))
            .route("/change", post(|| async { "changed" }));
        with_security_headers(same_site(router), transport)
    }

    async fn send(method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request =
            Request::builder().method(method).uri(path).header("host", "school.example");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn every_answer_has_the_headers() {
        for path in ["/", "/style", "/absent"] {
            let response = send(Method::GET, path, &[]).await;
            for (name, _) in HEADERS {
                assert!(response.headers().contains_key(&name), "{path}: {name}");
            }
        }
        let page = send(Method::GET, "/", &[]).await;
        assert_eq!(page.headers()["x-frame-options"], "DENY");
        let style = send(Method::GET, "/style", &[]).await;
        assert_eq!(style.headers()[header::CACHE_CONTROL], "max-age=60");
    }

    #[tokio::test]
    async fn behind_tls_a_browser_comes_by_tls_only() {
        for (transport, expected) in
            [(Transport::Tls, Some("max-age=31536000")), (Transport::Plain, None)]
        {
            let request = Request::get("/absent").body(Body::empty()).unwrap();
            let response = router_by(transport).oneshot(request).await.unwrap();
            let found = response.headers().get(header::STRICT_TRANSPORT_SECURITY);
            assert_eq!(found.map(|value| value.to_str().unwrap()), expected);
        }
    }

    #[tokio::test]
    async fn cross_site_changes_are_refused() {
        let own = ("origin", "http://school.example");
        let foreign = ("origin", "http://evil.example");
        let status =
            async |headers: &[(&str, &str)]| send(Method::POST, "/change", headers).await.status();
        assert_eq!(status(&[own]).await, StatusCode::OK);
        assert_eq!(status(&[("sec-fetch-site", "same-origin")]).await, StatusCode::OK);
        // A program that sends neither header.
        assert_eq!(status(&[]).await, StatusCode::OK);
        assert_eq!(status(&[foreign]).await, StatusCode::FORBIDDEN);
        assert_eq!(status(&[("sec-fetch-site", "cross-site")]).await, StatusCode::FORBIDDEN);
        let get = send(Method::GET, "/", &[foreign]).await;
        assert_eq!(get.status(), StatusCode::OK);
    }
}
