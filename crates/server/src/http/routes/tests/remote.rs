//! Client of `pitmaster push`, against a server on this machine.

use pitmaster_season::course::VersionState;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::super::super::listen::{ConnectionLimits, serve};
use super::*;
use crate::client::{ClientError, Remote};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_uploads_a_version() {
    let (school, people) = School::with_groups().await;
    let scopes = [Scope::Upload, Scope::Read];
    let token = school.token(people.bob_id, school.course, &scopes).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (stop, stopping) = watch::channel(false);
    let limits = ConnectionLimits::default();
    let server = tokio::spawn(serve(listener, school.router.clone(), limits, stopping));
    // Blocking, because the client creates its own runtime, as in a program without one.
    let asked = tokio::task::spawn_blocking(move || {
        let remote = Remote::new(&url, token.trim_start_matches("Bearer ")).unwrap();
        let identity = remote.identity().unwrap();
        assert_eq!(
            (identity.name.as_str(), identity.bots.as_slice()),
            ("bob", &["b.one".into()][..])
        );
        let course = identity.course_slug.unwrap();
        let hand_in =
            |bot: &str, key: &str| remote.hand_in(&course, bot, b"\x1f\x8bbot".to_vec(), key, "fr");
        let version = hand_in("b.one", "1").unwrap();
        assert_eq!(
            (version.state.as_str(), version.number, version.is_in_work),
            ("received", 1, true)
        );
        assert_eq!(version.sentence, VersionState::Received.sentence().to(Lang::French));
        assert_eq!(hand_in("b.one", "1").unwrap(), version);
        assert_eq!(remote.version(&version.id, "fr").unwrap(), version);
        let foreign = hand_in("a.one", "2").unwrap_err();
        assert!(matches!(foreign, ClientError::Refused { status: 404, .. }), "{foreign}");
        let unknown = Remote::new(&url, &format!("pm_{}", "0".repeat(52))).unwrap();
        let message = unknown.identity().unwrap_err().to_string();
        assert!(message.contains("run `pitmaster login` again"), "{message}");
        url
    });
    let url = asked.await.unwrap();
    stop.send(true).unwrap();
    server.await.unwrap();
    let away = tokio::task::spawn_blocking(move || {
        let token = format!("pm_{}", "0".repeat(52));
        Remote::new(&url, &token).unwrap().identity().unwrap_err()
    });
    let away = away.await.unwrap();
    assert!(away.is_temporary() && away.to_string().contains("cannot reach"), "{away}");
}
