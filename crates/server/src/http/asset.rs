//! Static assets of the pages, with a content hash in their URLs, so that browsers cache them
//! forever.

use std::sync::OnceLock;

use axum::Router;
use axum::http::header;
use axum::routing::get;

/// Static asset.
#[derive(Debug)]
pub(super) struct Asset {
    /// URL path, such as `/assets/style-0123456789ab.css`.
    pub address: String,
    /// Media type of the content.
    media_type: &'static str,
    content: String,
}

/// Number of characters of the hash in the URL.
const HASH: usize = 12;

impl Asset {
    fn new(name: &str, extension: &str, media_type: &'static str, content: String) -> Self {
        let hash = blake3::hash(content.as_bytes()).to_hex();
        let address = format!("/assets/{name}-{}.{extension}", &hash[..HASH]);
        Self { address, media_type, content }
    }
}

/// Style sheet: that of the report, with additions for the server's pages.
pub(super) fn style() -> &'static Asset {
    static ASSET: OnceLock<Asset> = OnceLock::new();
    ASSET.get_or_init(|| {
        let content = [pitmaster_report::PAGE_STYLE, include_str!("templates/style.css")].concat();
        Asset::new("style", "css", "text/css; charset=utf-8", content)
    })
}

/// Script with enhancements for pages, which also work without it.
pub(super) fn script() -> &'static Asset {
    static ASSET: OnceLock<Asset> = OnceLock::new();
    ASSET.get_or_init(|| {
        let content = include_str!("templates/script.js").to_owned();
        Asset::new("script", "js", "text/javascript; charset=utf-8", content)
    })
}

/// Script of a game's page: the replay of the report.
pub(super) fn game_script() -> &'static Asset {
    static ASSET: OnceLock<Asset> = OnceLock::new();
    ASSET.get_or_init(|| {
        let content = pitmaster_report::game_script().to_owned();
        Asset::new("game", "js", "text/javascript; charset=utf-8", content)
    })
}

/// Routes of all assets.
pub(super) fn routes() -> Router {
    [style(), script(), game_script()].into_iter().fold(Router::new(), |router, asset| {
        let headers = [
            (header::CONTENT_TYPE, asset.media_type),
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        ];
        let response = move || async move { (headers, asset.content.as_str()) };
        router.route(&asset.address, get(response))
    })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt as _;

    use super::*;

    #[tokio::test]
    async fn the_style_sheet_is_served_under_its_hash() {
        let request = Request::get(&style().address).body(Body::empty()).unwrap();
        let response = routes().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/css; charset=utf-8");
        assert!(response.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
    }

    #[test]
    fn another_content_has_another_address() {
        let address = |content: &str| Asset::new("x", "css", "text/css", content.into()).address;
        assert_ne!(address("a"), address("b"));
        assert_eq!(address("a").len(), "/assets/x-0123456789ab.css".len());
    }
}
