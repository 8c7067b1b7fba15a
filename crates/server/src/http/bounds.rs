//! Request timeouts and panic handling.

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

/// Timeout of a request, including its body. Otherwise a slow body would occupy a connection
/// indefinitely.
pub(super) const REQUEST: Duration = Duration::from_secs(30);

/// Adds a timeout to every request of a router. A handler that panics results in an internal server
/// error; the process reports the panic itself.
pub(super) fn with_limits(router: Router, limit: Duration) -> Router {
    let timeout = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limit);
    router.layer(CatchPanicLayer::new()).layer(timeout)
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use axum::body::{Body, Bytes};
    use axum::http::Request;
    use axum::routing::{get, post};
    use hyper::body::Frame;
    use tower::ServiceExt as _;

    use super::*;

    /// Body that never yields a byte.
    struct Endless;

    impl hyper::body::Body for Endless {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            Poll::Pending
        }
    }

    async fn broken() -> &'static str {
        panic!("on purpose");
    }

    async fn status(request: Request<Body>) -> StatusCode {
        let router = Router::new()
            .route("/read", post(|body: Bytes| async move { body.len().to_string() }))
            .route("/broken", get(broken));
        let router = with_limits(router, Duration::from_millis(100));
        router.oneshot(request).await.unwrap().status()
    }

    #[tokio::test]
    async fn an_endless_body_times_out() {
        let request = Request::post("/read").body(Body::new(Endless)).unwrap();
        assert_eq!(status(request).await, StatusCode::REQUEST_TIMEOUT);
        let request = Request::post("/read").body(Body::from("all of it")).unwrap();
        assert_eq!(status(request).await, StatusCode::OK);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_response() {
        let request = Request::get("/broken").body(Body::empty()).unwrap();
        assert_eq!(status(request).await, StatusCode::INTERNAL_SERVER_ERROR);
    }
}
