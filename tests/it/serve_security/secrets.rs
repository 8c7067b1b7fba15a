//! Passphrases, cookies, tokens and codes of a small season: each is shown once, to its owner, and
//! does not occur elsewhere: in no address, page, log line, or file of the course's folder.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use super::{Answer, beneath};
use crate::serve::{Server, school, zipped};

/// Actions of people, with all output of the server.
struct Season {
    server: Server,
    /// Secrets, with the kind of each.
    secrets: BTreeMap<String, &'static str>,
    /// Answers that must not contain a secret.
    answers: Vec<(String, Answer)>,
}

impl Season {
    fn secret(&mut self, what: &'static str, secret: &str) -> String {
        assert!(secret.len() >= 12, "{what}: {secret}");
        self.secrets.insert(secret.to_owned(), what);
        secret.to_owned()
    }

    /// The session secret that an answer sets.
    fn session(&mut self, answer: &Answer) -> String {
        assert_eq!(answer.status, 303, "{}", answer.body);
        let cookie = answer.cookie();
        let (_, secret) = cookie.split_once('=').expect("a value");
        self.secret("a session", secret);
        cookie
    }

    fn keep(&mut self, what: &str, answer: Answer) {
        self.answers.push((what.to_owned(), answer));
    }

    fn join(&mut self, code: &str, login: &str, passphrase: &str) -> String {
        self.secret("a code", code);
        // Nobody types the hyphens.
        self.secret("a code", &code.replace('-', ""));
        let form = format!("code={code}&login={login}&name={login}&passphrase={passphrase}");
        let joined = self.server.form("/join", "", &form);
        let cookie = self.session(&joined);
        self.keep("POST /join", joined);
        cookie
    }

    fn form(&mut self, path: &str, cookie: &str, form: &str) -> u16 {
        let answer = self.server.form(path, cookie, form);
        let status = answer.status;
        self.keep(&format!("POST {path}"), answer);
        status
    }

    /// Reads all pages that a person can reach.
    fn crawl(&mut self, cookie: &str) {
        let mut waiting: VecDeque<_> = ["/".to_owned(), "/account".to_owned()].into();
        let mut seen = BTreeSet::new();
        while let Some(path) = waiting.pop_front() {
            if seen.len() > 40 || !seen.insert(path.clone()) {
                continue;
            }
            let answer = self.server.page(&path, cookie);
            let links = answer.body.split("href=\"").skip(1).filter_map(|it| it.split('"').next());
            let own = links.filter(|link| link.starts_with('/'));
            waiting.extend(own.map(|link| link.replace("&amp;", "&")));
            self.keep(&format!("GET {path}"), answer);
        }
        assert!(seen.len() >= 8, "{seen:?}");
    }
}

/// Text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before}: {text}"));
    rest.split(after).next().expect("a text")
}

/// Whether bytes contain a secret, in any case of letters.
fn has(bytes: &[u8], secret: &str) -> bool {
    let lower = bytes.to_ascii_lowercase();
    let secret = secret.to_ascii_lowercase();
    lower.windows(secret.len()).any(|window| window == secret.as_bytes())
}

#[test]
fn secrets_are_told_once_and_found_nowhere() {
    let scratch = school();
    let code = |role: &str| {
        let ran = scratch.run(&format!("course invite school {role}")).done();
        String::from_utf8(ran.raw.stdout).expect("text").trim().to_owned()
    };
    let codes = [code("--role teacher"), code("--group g1")];
    let server = Server::start_with(&scratch, "--listen 127.0.0.1:0 --lanes 1");
    let mut season = Season { server, secrets: BTreeMap::new(), answers: Vec::new() };
    let words = ["violet-harbor-quilt-9", "seven-lanterns-drift", "copper-otter-sings"];
    let [of_teacher, of_ada, newer] = words.map(|word| season.secret("a passphrase", word));
    let wrong = season.secret("a wrong passphrase", "marble-thunder-knot");
    let teacher = season.join(&codes[0], "grace", &of_teacher);
    let ada = season.join(&codes[1], "ada", &of_ada);

    // Codes that the staff makes are on one page, once.
    let people = "people=77%2CBob%2Cbob%40example.org%2Cg2";
    let page = season.server.form("/c/school/admin/people", &teacher, people);
    let of_bob = between(&page.body, "<code>", "</code>").to_owned();
    let bob = season.join(&of_bob, "bob", &wrong.replace("marble", "granite"));
    season.secret("a passphrase", &wrong.replace("marble", "granite"));
    let page = season.server.form("/c/school/admin/invite", &teacher, "role=student&group=");
    let unused = between(&page.body, "<code>", "</code>").to_owned();
    season.secret("a code", &unused);

    // Logins: wrong, in the wrong field, right, and out again.
    season.form("/login", "", &format!("login=ada&passphrase={wrong}"));
    season.server.form("/login", "", &format!("login={of_ada}&passphrase=ada"));
    let entered = season.server.form("/login", "", &format!("login=ada&passphrase={of_ada}"));
    let second = season.session(&entered);
    season.keep("POST /login", entered);
    assert_eq!(season.form("/logout", &second, ""), 303);
    assert_eq!(season.server.page("/account", &second).status, 401);

    // A bot and its token, by which it is handed in.
    assert_eq!(season.form("/c/school/bots", &ada, "name=sower"), 303);
    let account = season.server.page("/account", &ada);
    let course = between(&account.body, "<select id=\"course\"", "</select>");
    let course = between(course, "value=\"", "\"").to_owned();
    let form = format!("course={course}&name=ci&days=30&upload=on&read=on");
    let page = season.server.form("/account/tokens", &ada, &form);
    let token = between(&page.body, "<code>", "</code>").to_owned();
    season.secret("a token", &token);
    season.secret("a token without its mark", token.trim_start_matches("pm_"));
    let zip = zipped(&scratch, "kit", "first");
    let bearer = format!("Bearer {token}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/zip"),
        ("Idempotency-Key", "1"),
    ];
    let sent = season.server.request(
        "POST",
        "/api/v1/courses/school/bots/g1.sower/versions?note=first",
        &headers,
        &zip,
    );
    assert_eq!(sent.status, 201, "{}", sent.body);
    season.keep("an upload", sent);

    // Mistakes of programs: secrets where none belongs.
    let session = ada.clone();
    let basic = format!("Basic {token}");
    for (method, path, headers, body) in [
        ("GET", format!("/api/v1/me?token={token}"), vec![], Vec::new()),
        ("GET", format!("/account?{session}"), vec![], Vec::new()),
        ("GET", format!("/c/school/me?passphrase={of_ada}"), vec![], Vec::new()),
        ("GET", format!("/{token}"), vec![], Vec::new()),
        ("GET", "/api/v1/me".into(), vec![("Authorization", basic.as_str())], Vec::new()),
        ("GET", "/account".into(), vec![("Authorization", bearer.as_str())], Vec::new()),
        ("GET", "/api/v1/me".into(), vec![("Cookie", session.as_str())], Vec::new()),
        ("POST", "/login".into(), vec![], format!("{of_ada}%%%").into_bytes()),
        (
            "POST",
            "/join".into(),
            vec![],
            format!("code={unused}x&passphrase={of_ada}").into_bytes(),
        ),
        (
            "POST",
            "/api/v1/versions/00000000000000000000/activate".into(),
            vec![("Authorization", bearer.as_str())],
            format!("{{\"{token}\":").into_bytes(),
        ),
    ] {
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        let headers: Vec<_> = headers.into_iter().chain([form]).collect();
        let answer = season.server.request(method, &path, &headers, &body);
        assert!(answer.status >= 300 || path.contains("passphrase"), "{path} {}", answer.status);
        assert!(answer.status < 500, "{path} {}", answer.status);
        // What was in the address is in the link back to it, for whoever has sent it.
        if !path.contains('?') && method == "GET" {
            season.keep(&format!("{method} {path}"), answer);
        }
    }
    let form = format!("old={of_ada}&new={newer}");
    let changed = season.server.form("/account/passphrase", &ada, &form);
    let ada = season.session(&changed);
    for cookie in [&teacher, &ada, &bob] {
        season.crawl(cookie);
    }
    let Season { server, secrets, answers } = season;
    let printed = server.stop();
    // Again, with the backup of the day.
    let server = Server::start_with(&scratch, "--listen 127.0.0.1:0 --lanes 1");
    assert_eq!(server.page("/account", &ada).status, 200);
    let printed = [printed, server.stop()].concat().join("\n");

    assert!(secrets.len() >= 18, "{secrets:?}");
    for (what, answer) in &answers {
        for (secret, kind) in &secrets {
            let is_given = |line: &&str| !line.to_lowercase().starts_with("set-cookie:");
            let head: Vec<_> = answer.head.lines().filter(is_given).collect();
            assert!(!has(head.join("\n").as_bytes(), secret), "{kind} in the head of {what}");
            assert!(!has(answer.body.as_bytes(), secret), "{kind} in {what}: {}", answer.body);
        }
    }
    let mut files = 0;
    for path in beneath(&scratch.path("school")).into_iter().filter(|path| path.is_file()) {
        let bytes = fs::read(&path).expect("reads");
        files += 1;
        for (secret, kind) in &secrets {
            assert!(!has(&bytes, secret), "{kind} in {}", path.display());
            assert!(!has(path.as_os_str().as_encoded_bytes(), secret), "{kind} names a file");
        }
    }
    assert!(files >= 10, "{files} files");
    for (secret, kind) in &secrets {
        assert!(!has(printed.as_bytes(), secret), "{kind} was printed: {printed}");
    }
    let backups = beneath(&scratch.path("school/backups"));
    println!("{} answers, {files} files, {} backups", answers.len(), backups.len());
    // The search finds what is there.
    let database = fs::read(scratch.path("school/season.db")).expect("reads");
    assert!(has(&database, "argon2id") && has(&database, "bob@example.org"));
}
