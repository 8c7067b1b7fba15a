//! Texts of people, bots and builds are escaped on every page.

use super::*;

/// Payloads: scripts, elements, attributes, formulas and line breaks.
const PAYLOADS: [&str; 14] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title><script>alert(1)</script>",
    "</pre><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "{{layout.site}}{{7*7}}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "javascript:alert(1)",
    "<!--<script>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "=HYPERLINK(\"http://evil.example\")",
    "\u{202e}txt.exe\u{2066}",
    "line\r\nSet-Cookie: session=x\0\x1b[31m",
];

/// Whether a page contains an unescaped payload.
fn is_unescaped(page: &str, payload: &str) -> bool {
    let hides = |c: char| "\u{202e}\u{2066}\0\x1b".contains(c);
    let has_markup = payload.contains(['<', '"', '\'']) && page.contains(payload);
    has_markup || page.contains(hides) || page.contains("onerror=alert(1)>")
}

#[tokio::test]
async fn hostile_texts_are_text_everywhere() {
    let (school, people) = School::with_groups().await;
    let database = &school.database;
    let log = school.folder.path().join("school/bots").join(BotHash::of(b"files").as_str());
    std::fs::create_dir_all(&log).unwrap();
    std::fs::write(log.join("build.log"), PAYLOADS.join("\n")).unwrap();
    let mut kept = 0;
    for (n, payload) in PAYLOADS.iter().enumerate() {
        // As the name of a group and of a deadline, the note of a version, and the reason of a
        // suspension.
        kept += u32::from(database.rename_group(act(), people.group, payload).await.is_ok());
        let upload = Upload(*blake3::hash(format!("{n}").as_bytes()).as_bytes());
        let new = NewVersion {
            bot: people.bot,
            upload,
            bytes: 1,
            file_name: String::new(),
            began: NOW,
            via: Via::Web,
            note: (*payload).to_owned(),
            key: Some((*payload).to_owned()),
        };
        if let Ok(Received::New(version, number)) =
            database.receive_version(act(), new, Vec::new()).await
        {
            kept += u32::from(database.withdraw_version(act(), version, *payload).await.is_ok());
            let path = format!("/c/awale/bots/a.one/versions/{number}");
            for cookie in [&people.ada, &people.teacher] {
                let page = text(school.ask("GET", &path, cookie, "").await).await;
                assert!(!is_unescaped(&page, payload), "{payload:?}: {page}");
            }
        }
        for path in ["/c/awale", "/c/awale/me", "/c/awale/bots/a.one", "/c/awale/ladder/main"] {
            let page = text(school.ask("GET", path, &people.ada, "").await).await;
            assert!(!is_unescaped(&page, payload), "{path} {payload:?}: {page}");
        }
    }
    assert!(kept >= 20, "only {kept} texts were kept: the test would show nothing");
    let page = school.ask("GET", "/c/awale/bots/a.one/versions/1", &people.ada, "").await;
    let page = text(page).await;
    assert!(page.contains("Build log"), "{page}");
    for payload in PAYLOADS {
        assert!(!is_unescaped(&page, payload), "{payload:?}: {page}");
    }
}

#[tokio::test]
async fn pages_speak_french_and_have_no_inline_script() {
    let (school, people) = School::with_groups().await;
    for path in [
        "/c/awale",
        "/c/awale/me",
        "/c/awale/docs",
        "/c/awale/ladder/main",
        "/c/awale/bots/a.one",
        "/c/awale/bots/a.one/versions/1",
    ] {
        for (language, word) in [("fr", "Documents"), ("en", "Documents")] {
            let headers =
                [(header::COOKIE, people.ada.as_str()), (header::ACCEPT_LANGUAGE, language)];
            let response = school.send("GET", path, &headers, "").await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            let page = text(response).await;
            assert!(page.contains(&format!("<html lang=\"{language}\">")), "{path}");
            assert!(page.contains(word), "{path}");
            // The content security policy blocks inline scripts, styles and handlers, so there must
            // be none.
            for inline in ["<style", " style=\"", "onclick", "<script>"] {
                assert!(!page.contains(inline), "{path}: {inline}");
            }
            // Ids must be unique, so that labels and updates find their elements.
            let ids: Vec<_> = page.split(" id=\"").skip(1).collect();
            let mut names: Vec<_> = ids.iter().filter_map(|it| it.split('"').next()).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{path}: an id is there twice");
        }
    }
}
