//! Sessions: a new secret at each login, idle and absolute timeouts, only hashes in the database,
//! and planted secrets that give no access.

use super::*;
use crate::database::dump::dump;
use crate::database::{SESSION_ABSOLUTE, SESSION_IDLE, database_path};

/// Clock of a test, with an atomic number of added milliseconds.
macro_rules! clock {
    ($now:ident, $added:ident) => {
        static $added: AtomicI64 = AtomicI64::new(0);
        fn $now() -> Utc {
            Utc(NOW.0 + $added.load(Ordering::Relaxed))
        }
    };
}

fn login_form(login: &str, passphrase: &str) -> String {
    format!("login={login}&passphrase={}", passphrase.replace(' ', "+"))
}

async fn log_in(school: &School, login: &str, cookie: &str) -> Response {
    let form = login_form(login, PASSPHRASE);
    let response = school.ask("POST", "/login", cookie, &form).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    response
}

async fn opens(school: &School, cookie: &str) -> bool {
    let status = school.ask("GET", "/account", cookie, "").await.status();
    // The use of a session is not awaited. This write comes after it.
    school.database.mark_notes_seen(PersonId::of([0; 12]), 0, NOW).await.unwrap();
    match status {
        StatusCode::OK => true,
        StatusCode::UNAUTHORIZED => false,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn every_login_has_a_new_secret_and_ends_the_session_before() {
    let school = School::with_clock(ticking).await;
    school.person("ada", Role::Student).await;
    let mut secrets = vec![cookie(&log_in(&school, "ada", "").await).unwrap()];
    for _ in 0..3 {
        let before = secrets.last().unwrap().clone();
        secrets.push(cookie(&log_in(&school, "ada", &before).await).unwrap());
        assert!(!opens(&school, &before).await, "the session before is alive");
    }
    let last = secrets.last().unwrap().clone();
    assert!(opens(&school, &last).await);
    secrets.sort();
    secrets.dedup();
    assert_eq!(secrets.len(), 4);
    // 256 bits in base 32.
    assert!(secrets.iter().all(|secret| secret.len() == "session=".len() + 52), "{secrets:?}");
    school.ask("POST", "/logout", &last, "").await;
    assert!(!opens(&school, &last).await, "alive after logout");
}

#[tokio::test]
async fn planted_secrets_give_no_access() {
    let school = School::with_clock(ticking).await;
    school.person("ada", Role::Student).await;
    let (_, mallory) = school.person("mallory", Role::Student).await;
    let invented = format!("session={}", "0".repeat(52));
    for planted in [&invented, &mallory] {
        let given = cookie(&log_in(&school, "ada", planted).await).unwrap();
        assert_ne!(&given, planted);
        assert!(!opens(&school, planted).await, "{planted} is a session of ada");
        let page = text(school.ask("GET", "/account", &given, "").await).await;
        assert!(page.contains("ada"), "{page}");
    }
    // A person who joins with a planted secret gets a new one too.
    let form = format!(
        "code={}&name=Zoe&login=zoe&passphrase=correct+horse+battery",
        school.code(Role::Student).await.reveal()
    );
    let joined = school.ask("POST", "/join", &invented, &form).await;
    let given = cookie(&joined).expect("a session");
    assert_ne!(given, invented);
    assert!(!opens(&school, &invented).await);
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle() {
    clock!(now, ADDED);
    let school = School::with_clock(now).await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let idle = SESSION_IDLE.as_millis() as i64;
    ADDED.store(idle - 1, Ordering::Relaxed);
    assert!(opens(&school, &ada).await);
    // That request was a use, which restarted the idle timeout.
    ADDED.store(2 * idle - 2, Ordering::Relaxed);
    assert!(opens(&school, &ada).await);
    ADDED.store(3 * idle - 2, Ordering::Relaxed);
    assert!(!opens(&school, &ada).await);
    // The session remains ended if the clock goes back.
    school.database.tidy(now()).await.unwrap();
    ADDED.store(0, Ordering::Relaxed);
    assert!(!opens(&school, &ada).await);
}

#[tokio::test]
async fn a_session_ends_however_much_it_is_used() {
    clock!(now, ADDED);
    let school = School::with_clock(now).await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let (step, end) = (SESSION_IDLE.as_millis() as i64 / 2, SESSION_ABSOLUTE.as_millis() as i64);
    let mut at = 0;
    while at + step < end {
        at += step;
        ADDED.store(at, Ordering::Relaxed);
        assert!(opens(&school, &ada).await, "{at}");
    }
    ADDED.store(end - 1, Ordering::Relaxed);
    assert!(opens(&school, &ada).await);
    ADDED.store(end, Ordering::Relaxed);
    assert!(!opens(&school, &ada).await);
}

#[tokio::test]
async fn a_changed_passphrase_ends_all_sessions_and_gives_a_new_one() {
    let school = School::with_clock(ticking).await;
    let (_, elsewhere) = school.person("ada", Role::Student).await;
    let here = cookie(&log_in(&school, "ada", "").await).unwrap();
    let form = format!("old={}&new=another+row+of+seeds", PASSPHRASE.replace(' ', "+"));
    let changed = school.ask("POST", "/account/passphrase", &here, &form).await;
    let given = cookie(&changed).expect("a session");
    for (cookie, alive) in [(&elsewhere, false), (&here, false), (&given, true)] {
        assert_eq!(opens(&school, cookie).await, alive, "{cookie}");
    }
}

#[tokio::test]
async fn every_cookie_has_its_flags() {
    for (transport, name, secure) in
        [(Transport::Plain, "session=", false), (Transport::Tls, "__Host-session=", true)]
    {
        let school = School::with(ticking, 0, transport).await;
        let form = format!(
            "code={}&name=Ada&login=ada&passphrase={}",
            school.code(Role::Student).await.reveal(),
            PASSPHRASE.replace(' ', "+")
        );
        let joined = school.ask("POST", "/join", "", &form).await;
        let entered = log_in(&school, "ada", "").await;
        let own = cookie(&entered).unwrap();
        let form = format!("old={}&new=another+row+of+seeds", PASSPHRASE.replace(' ', "+"));
        let changed = school.ask("POST", "/account/passphrase", &own, &form).await;
        let own = cookie(&changed).unwrap();
        let left = school.ask("POST", "/logout", &own, "").await;
        for response in [joined, entered, changed, left] {
            let lines: Vec<_> = response.headers().get_all(header::SET_COOKIE).iter().collect();
            let [line] = lines[..] else { panic!("{lines:?}") };
            let line = line.to_str().unwrap();
            assert!(line.starts_with(name), "{line}");
            let flags: Vec<_> = line.split("; ").skip(1).collect();
            for flag in ["HttpOnly", "SameSite=Lax", "Path=/"] {
                assert!(flags.contains(&flag), "{line}: {flag}");
            }
            assert_eq!(flags.contains(&"Secure"), secure, "{line}");
            assert!(flags.iter().all(|flag| !flag.starts_with("Domain")), "{line}");
        }
        // No other response sets a cookie.
        for path in ["/", "/login", "/join", "/absent", "/api/v1/openapi.json"] {
            let response = school.ask("GET", path, "", "").await;
            assert!(!response.headers().contains_key(header::SET_COOKIE), "{path}");
        }
    }
}

#[tokio::test]
async fn the_database_has_hashes_of_secrets_only() {
    let school = School::with_clock(ticking).await;
    let (ada, session) = school.person("ada", Role::Student).await;
    let token = school.token(ada, school.course, &[Scope::Read]).await;
    let code = school.code(Role::Student).await;
    let session = session.trim_start_matches("session=").to_owned();
    let token = token.trim_start_matches("Bearer ").to_owned();
    let plain_code = code.reveal().replace('-', "");
    let all = format!("{:?}", dump(&database_path(school.database.folder())));
    assert!(all.contains("argon2id"), "{all}");
    for secret in [&*session, &*token, code.reveal(), &*plain_code, PASSPHRASE] {
        let bare = secret.trim_start_matches("pm_").to_lowercase();
        assert!(!all.to_lowercase().contains(&bare), "{secret}");
    }
    // The dump contains the hash, so it covers the right tables.
    let hash = blake3::hash(session.as_bytes());
    let hash = format!("{:02x?}", hash.as_bytes());
    assert!(all.contains(&hash), "{all}");
}

/// Response without the parts that it repeats from the request.
async fn login_response(school: &School, login: &str, passphrase: &str) -> (StatusCode, String) {
    let response = school.ask("POST", "/login", "", &login_form(login, passphrase)).await;
    let status = response.status();
    (status, text(response).await.replace(login, "LOGIN"))
}

#[tokio::test]
async fn wrong_logins_are_slowed_by_account_and_tell_nothing() {
    clock!(now, ADDED);
    let school = School::with_clock(now).await;
    school.person("ada", Role::Student).await;
    school.person("bob", Role::Student).await;
    for _ in 0..crate::database::FREE_ATTEMPTS {
        let known = login_response(&school, "ada", "wrong").await;
        let unknown = login_response(&school, "eve", "wrong").await;
        assert_eq!(known.0, StatusCode::FORBIDDEN);
        assert_eq!(known, unknown);
    }
    // Now both are blocked with the same message, even with the correct passphrase.
    for seconds in [1, 2, 4, 8, 16] {
        let known = login_response(&school, "ada", PASSPHRASE).await;
        let unknown = login_response(&school, "eve", PASSPHRASE).await;
        assert_eq!(known.0, StatusCode::TOO_MANY_REQUESTS);
        assert!(known.1.contains(&format!("try again in {seconds} s")), "{}", known.1);
        assert_eq!(known, unknown);
        // Others can log in at the same time.
        log_in(&school, "bob", "").await;
        ADDED.fetch_add(seconds * 1000, Ordering::Relaxed);
        let known = login_response(&school, "ada", "wrong").await;
        assert_eq!(known.0, StatusCode::FORBIDDEN);
        assert_eq!(known, login_response(&school, "eve", "wrong").await);
    }
    ADDED.fetch_add(32_000, Ordering::Relaxed);
    log_in(&school, "ada", "").await;
}
