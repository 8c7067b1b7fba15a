//! Cross-site requests and page reads change nothing. The routes come from the router's table, so
//! new routes are tested automatically.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use super::matrix::{EXPECTED, all_routes, filled, filled_form, route_of, with_absent};
use super::*;
use crate::database::database_path;
use crate::database::dump::dump;

/// Headers of requests from another site or from a sandboxed page.
const CROSS_SITE: [(&str, &str); 5] = [
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-site"),
    ("origin", "http://evil.example"),
    ("origin", "http://school.example.evil.example"),
    ("origin", "null"),
];

/// Contents of a course's folder: the rows of its database, and its other files.
fn everything(school: &School) -> (BTreeMap<String, Vec<String>>, BTreeMap<String, String>) {
    let folder = school.database.folder();
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files);
    // Readers of a database create files next to it, and the last one checkpoints it.
    let is_database = |name: &str| name.contains(".db");
    files.retain(|name, _| !is_database(name));
    let mut rows = dump(&database_path(folder));
    for (table, games) in dump(&folder.join("ladders/awale.main/tournament.db")) {
        rows.insert(format!("games.{table}"), games);
    }
    (rows, files)
}

fn collect(folder: &Path, below: &Path, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            collect(&path, below, files);
        }
        let name = path.strip_prefix(below).unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).unwrap_or_default();
        files.insert(name, blake3::hash(&bytes).to_string());
    }
}

/// Unsafe requests that some client may make, by the table of statuses: method, path, type and
/// body.
fn unsafe_requests(
    school: &School,
    people: &People,
) -> Vec<(&'static str, String, &'static str, String)> {
    let unsafe_routes = all_routes().filter(|(method, _)| !["GET", "HEAD"].contains(method));
    let request = |(method, path): (&'static str, &'static str)| {
        let row = EXPECTED.iter().find(|row| row.0 == method && route_of(row.1) == path);
        let row = row.unwrap_or_else(|| panic!("{method} {path} has no row"));
        let form = filled_form(row.2, school, people).replace("{column}", "0");
        let id = people.active.to_string();
        let (kind, body) = if path.ends_with("/versions") {
            ("application/zip", "PK".to_owned())
        } else {
            ("application/x-www-form-urlencoded", form)
        };
        (method, filled(row.1, people).replace("{id}", &id), kind, body)
    };
    unsafe_routes.map(request).collect()
}

async fn send(
    school: &School,
    (method, path, kind, body): &(&str, String, &str, String),
    key: (&header::HeaderName, &str),
    site: (&str, &str),
) -> StatusCode {
    let request = Request::builder()
        .method(*method)
        .uri(path)
        .header(header::HOST, "school.example")
        .header(key.0, key.1)
        .header(header::CONTENT_TYPE, *kind)
        .header(site.0, site.1)
        .body(Body::from(body.clone()))
        .unwrap();
    school.router.clone().oneshot(request).await.unwrap().status()
}

#[tokio::test]
async fn other_sites_change_nothing() {
    let (school, people) = School::with_groups().await;
    let all = [Scope::Read, Scope::Upload];
    let token = school.token(people.ada_id, school.course, &all).await;
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    // The feed of a running game would have no end.
    let owner = (Owner::Person(people.ada_id), school.course);
    let table = school.human.get(owner, &people.play).unwrap();
    table.leave();
    table.settled(usize::MAX, Duration::from_mins(1)).await;
    let before = everything(&school);
    let requests = unsafe_requests(&school, &people);
    assert!(requests.len() >= 28, "{}", requests.len());
    let cookie = header::COOKIE;
    for request in &requests {
        for site in CROSS_SITE {
            for who in ["", ada, bob, assistant, teacher, admin] {
                let status = send(&school, request, (&cookie, who), site).await;
                assert_eq!(status, StatusCode::FORBIDDEN, "{} {} {site:?}", request.0, request.1);
            }
            let key = (&header::AUTHORIZATION, token.as_str());
            let status = send(&school, request, key, site).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{} {} {site:?}", request.0, request.1);
        }
    }
    assert_eq!(everything(&school), before);
    // The same requests from the site's own pages do change something, so the test above would
    // notice it.
    for request in requests.iter().filter(|request| request.1 != "/logout") {
        for who in [teacher, ada] {
            send(&school, request, (&cookie, who), ("origin", "http://school.example")).await;
        }
    }
    let after = everything(&school);
    for table in ["audit", "grp", "deadline", "bot", "login_try"] {
        assert_ne!(after.0[table], before.0[table], "{table}");
    }
}

/// Paths of this site that a page links to.
fn links(page: &str) -> impl Iterator<Item = String> {
    let values = ["href=\"", "src=\"", "action=\""].map(|name| page.split(name).skip(1));
    let ends = values.into_iter().flatten().filter_map(|rest| rest.split('"').next());
    let own = ends.filter(|link| link.starts_with('/') && !link.starts_with("//"));
    own.map(|link| link.split('#').next().unwrap_or_default().replace("&amp;", "&"))
}

/// Fetches all pages that are reachable from the front page and all routes, as one person. Returns
/// their paths.
async fn crawl(school: &School, people: &People, cookie: &str) -> BTreeSet<String> {
    let routes = all_routes().flat_map(|(_, path)| {
        let path = path.replace("{id}", "{version}");
        let mut paths = with_absent(&path, people);
        paths.push(filled(&path, people));
        paths
    });
    let mut waiting: VecDeque<String> = routes.chain(["/absent".to_owned()]).collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        assert!(seen.len() < 3000, "the pages have no end: {path}");
        for method in ["HEAD", "OPTIONS", "GET"] {
            let response = school.ask(method, &path, cookie, "").await;
            assert!(response.status().as_u16() < 500, "{method} {path}: {}", response.status());
            // Feeds contain no links, and end with their game.
            let kind = response.headers().get(header::CONTENT_TYPE);
            let is_feed = kind.is_some_and(|kind| kind == "text/event-stream");
            if method == "GET" && !is_feed {
                let body = response.into_body().collect().await.unwrap().to_bytes();
                waiting.extend(links(&String::from_utf8_lossy(&body)));
            }
        }
    }
    seen
}

#[tokio::test]
async fn pages_that_are_read_change_nothing() {
    let (school, people) = School::with_groups().await;
    school.keep(b"first");
    school.keep(b"second");
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    let before = everything(&school);
    for (who, cookie) in [
        ("a guest", ""),
        ("ada", ada),
        ("bob", bob),
        ("the assistant", assistant),
        ("the teacher", teacher),
        ("the admin", admin),
    ] {
        let seen = crawl(&school, &people, cookie).await;
        assert!(seen.len() > 60, "{who} sees {}: {seen:?}", seen.len());
        let after = everything(&school);
        assert_eq!(after.1, before.1, "{who}");
        for (table, rows) in &before.0 {
            assert_eq!(&after.0[table], rows, "{who}: {table}");
        }
    }
}
