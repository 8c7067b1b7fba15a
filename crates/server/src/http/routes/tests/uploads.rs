//! Uploads by browsers and programs: committed before the response, within limits, and without
//! leftovers when refused.

use axum::body::Bytes;
use pitmaster_season::course::Quota;
use serde_json::Value;

use super::super::super::upload::MAX_BYTES;
use super::*;

const FORM: &str = "/c/awale/bots/b.one/versions";
const API: &str = "/api/v1/courses/awale/bots/b.one/versions";

/// Form with a file, as browsers send it.
fn form(note: &str, name: &str, file: &[u8]) -> Vec<u8> {
    let head = format!(
        "--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\n{note}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), file, b"\r\n--x--\r\n"].concat()
}

impl School {
    async fn submit(&self, cookie: &str, body: Vec<u8>) -> Response {
        let kind = "multipart/form-data; boundary=x";
        self.send("POST", FORM, &[(header::COOKIE, cookie), (header::CONTENT_TYPE, kind)], body)
            .await
    }

    async fn push(&self, token: &str, key: Option<&str>, body: &[u8]) -> Response {
        let mut headers =
            vec![(header::AUTHORIZATION, token), (header::CONTENT_TYPE, "application/gzip")];
        headers.extend(key.map(|key| (header::HeaderName::from_static("idempotency-key"), key)));
        self.send("POST", API, &headers, body.to_vec()).await
    }

    async fn pusher(&self, people: &People) -> String {
        self.token(people.bob_id, self.course, &[Scope::Upload, Scope::Read]).await
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

async fn json(response: Response) -> Value {
    serde_json::from_str(&text(response).await).unwrap()
}

#[tokio::test]
async fn what_was_handed_in_is_downloaded_by_its_group_and_the_staff() {
    let (school, people) = School::with_groups().await;
    let source = "public class Solver {}\n";
    let received = school.submit(&people.bob, form("", "Solver é.java", source.as_bytes())).await;
    assert_eq!(received.status(), StatusCode::SEE_OTHER);
    let path = "/c/awale/bots/b.one/versions/1/upload";
    for cookie in [&people.bob, &people.teacher] {
        let file = school.ask("GET", path, cookie, "").await;
        assert_eq!(file.headers()[header::CONTENT_TYPE], "application/octet-stream");
        assert_eq!(file.headers()[header::CONTENT_LENGTH], source.len().to_string());
        let name = "attachment; filename=\"Solver .java\"";
        assert_eq!(file.headers()[header::CONTENT_DISPOSITION], name);
        assert_eq!(text(file).await, source);
    }
    assert_eq!(school.ask("GET", path, &people.ada, "").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_form_uploads_a_version_and_redirects_to_its_page() {
    let (school, people) = School::with_groups().await;
    let response = school.submit(&people.bob, form("my note", "..\\bot.py", b"print(1)")).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    let page = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    assert_eq!(page, "/c/awale/bots/b.one/versions/1");
    let name = hash(b"print(1)");
    assert_eq!(school.files(), [name.as_str()]);
    let folder = school.folder.path().join("school/uploads");
    assert_eq!(std::fs::read(folder.join(&name)).unwrap(), b"print(1)");
    let page = text(school.ask("GET", &page, &people.bob, "").await).await;
    assert!(page.contains("waits to be built") && page.contains("my note"), "{page}");
    assert!(page.contains(&name), "{page}");
    let me = text(school.ask("GET", "/c/awale/me", &people.bob, "").await).await;
    assert!(me.contains("b.one, version 1:") && me.contains("drop"), "{me}");
    // The same bytes result in the same version.
    let again = school.submit(&people.bob, form("", "bot.py", b"print(1)")).await;
    assert_eq!(again.headers()[header::LOCATION], "/c/awale/bots/b.one/versions/1");
    assert_eq!(school.files(), [name.as_str()]);
}

#[tokio::test]
async fn uploads_are_refused_before_the_disk_is_full() {
    let (school, people) = School::with_groups_and_reserve(u64::MAX).await;
    let response = school.submit(&people.bob, form("", "bot.py", b"print(1)")).await;
    assert_eq!(response.status(), StatusCode::INSUFFICIENT_STORAGE);
    let token = school.pusher(&people).await;
    let response = school.push(&token, None, b"\x1f\x8bone").await;
    assert_eq!(response.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert!(school.files().is_empty());
    // Other requests still work.
    assert_eq!(school.ask("GET", "/c/awale/me", &people.bob, "").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_program_uploads_a_version_idempotently() {
    let (school, people) = School::with_groups().await;
    let token = school.pusher(&people).await;
    let response = school.push(&token, Some("run 7"), b"\x1f\x8bone").await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let location = response.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let version = json(response).await;
    assert_eq!((&version["number"], &version["state"]), (&1.into(), &"received".into()));
    assert_eq!(version["page"], "/c/awale/bots/b.one/versions/1");
    assert_eq!(location, format!("/api/v1/versions/{}", version["id"].as_str().unwrap()));
    let headers = [(header::AUTHORIZATION, token.as_str())];
    assert_eq!(json(school.send("GET", &location, &headers, "").await).await, version);
    // Whatever its state, the same key returns the same version.
    let id = version["id"].as_str().unwrap().parse().unwrap();
    school.database.withdraw_version(act(), id, "").await.unwrap();
    let again = school.push(&token, Some("run 7"), b"\x1f\x8bone").await;
    assert_eq!((again.status(), &json(again).await["id"]), (StatusCode::OK, &version["id"]));
    // Another key with the same bytes creates a new version, because the first one was withdrawn.
    let retried = school.push(&token, Some("run 8"), b"\x1f\x8bone").await;
    assert_eq!(
        (retried.status(), &json(retried).await["number"]),
        (StatusCode::CREATED, &2.into())
    );
    let other = school.push(&token, Some("run 8"), b"\x1f\x8btwo").await;
    assert_eq!(other.status(), StatusCode::CONFLICT);
    assert_eq!(school.files().len(), 1, "{:?}", school.files());
    for key in ["", " ", &"x".repeat(201)] {
        let response = school.push(&token, Some(key), b"\x1f\x8bone").await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{key:?}");
    }
}

#[tokio::test]
async fn what_is_too_large_empty_or_of_another_type_leaves_nothing() {
    let (school, people) = School::with_groups().await;
    let token = school.pusher(&people).await;
    let large = vec![0; MAX_BYTES as usize + 1];
    let response = school.push(&token, None, &large).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(text(response).await.contains("20 MiB"));
    let response = school.submit(&people.bob, form("", "a.zip", &large)).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    // A body with an excessive declared length is refused before it is read.
    let headers = [
        (header::AUTHORIZATION, token.as_str()),
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_LENGTH, "100000000000"),
    ];
    let response = school.send("POST", API, &headers, "PK").await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let response = school.submit(&people.bob, form("", "", b"")).await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let response = school.submit(&people.bob, b"--x\r\nbroken".to_vec()).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let long = form(&"n".repeat(501), "a.zip", b"PK");
    assert_eq!(school.submit(&people.bob, long).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let headers = [(header::AUTHORIZATION, token.as_str()), (header::CONTENT_TYPE, "text/html")];
    let response = school.send("POST", API, &headers, "PK").await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(school.files(), Vec::<String>::new());
    let largest = school.push(&token, None, &large[1..]).await;
    assert_eq!(largest.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn a_group_has_a_quota() {
    let (school, people) = School::with_groups().await;
    let token = school.pusher(&people).await;
    let limit = Quota::UPLOADS_AN_HOUR.limit;
    for n in 0..limit {
        let body = format!("PK{n}");
        assert_eq!(school.push(&token, None, body.as_bytes()).await.status(), 201, "{n}");
    }
    let refused = school.push(&token, None, b"PKx").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = refused.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((3000..=3600).contains(&wait), "{wait}");
    assert!(text(refused).await.contains("try again in 60 min"));
    assert_eq!(school.files().len(), limit as usize);
    // Bytes that already exist do not count.
    let last = format!("PK{}", limit - 1);
    assert_eq!(school.push(&token, None, last.as_bytes()).await.status(), StatusCode::OK);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_reported_and_leaves_nothing() {
    let (school, people) = School::with_groups().await;
    let token = school.pusher(&people).await;
    // The file of the next upload, on a device that is always full.
    let folder = school.folder.path().join("school/uploads");
    std::os::unix::fs::symlink("/dev/full", folder.join("0.part")).unwrap();
    let response = school.push(&token, None, &vec![7; 1 << 20]).await;
    assert_eq!(response.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert!(text(response).await.contains("needs room on its disk"));
    assert_eq!(school.files(), Vec::<String>::new());
    assert_eq!(school.push(&token, None, b"PK").await.status(), StatusCode::CREATED);
}

/// Body that never ends.
struct Endless(Option<Bytes>);

impl hyper::body::Body for Endless {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        match self.0.take() {
            Some(bytes) => std::task::Poll::Ready(Some(Ok(hyper::body::Frame::data(bytes)))),
            None => std::task::Poll::Pending,
        }
    }
}

/// Waits until the folder of uploads contains this number of files.
async fn until_files(school: &School, count: usize) {
    let begun = std::time::Instant::now();
    while school.files().len() != count {
        assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", school.files());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_aborted_upload_leaves_nothing_and_frees_its_slot() {
    let (school, people) = School::with_groups().await;
    let token = school.pusher(&people).await;
    let begin = || {
        let request = Request::post(API)
            .header(header::AUTHORIZATION, &token)
            .header(header::CONTENT_TYPE, "application/zip")
            .body(Body::new(Endless(Some(Bytes::from_static(b"PK")))))
            .unwrap();
        tokio::spawn(school.router.clone().oneshot(request))
    };
    let hanging = [begin(), begin()];
    until_files(&school, 2).await;
    // A person may send two uploads at once.
    let third = school.push(&token, None, b"PK3").await;
    assert_eq!(third.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(third.headers().contains_key(header::RETRY_AFTER));
    hanging.iter().for_each(tokio::task::JoinHandle::abort);
    until_files(&school, 0).await;
    assert_eq!(school.push(&token, None, b"PK3").await.status(), StatusCode::CREATED);
}
