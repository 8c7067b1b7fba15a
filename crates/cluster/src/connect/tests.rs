use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::super::testing::Server;
use super::*;

fn password(user: &str, password: &str) -> Login {
    Login::Password { user: user.into(), password: password.into() }
}

fn access(urls: &str) -> Access {
    Access::new(urls, Login::Nobody, Tls::default()).unwrap()
}

async fn connect(url: &str, login: Login, tls: Tls) -> Result<Client, AccessError> {
    Access::new(url, login, tls)?.connect("test").await
}

/// Message of a connection error, without the port.
async fn told(server: &Server, scheme: &str, login: Login, tls: Tls) -> String {
    let url = server.url(scheme);
    let fault = connect(&url, login, tls).await.unwrap_err();
    fault.to_string().replace(&url, "SERVER")
}

#[test]
fn addresses_are_read_and_never_shown_with_their_logins() {
    let read = access("nats://ada:p%40ss%3A%zz@host,tls://ada:p%40ss%3A%zz@[::1]:7, other");
    assert_eq!(read.shown(), "nats://host:4222,tls://[::1]:7,nats://other:4222");
    assert!(read.login == password("ada", "p@ss:%zz"));
    assert!(!format!("{read:?}").contains("ss%3A") && !format!("{read:?}").contains("p@ss"));
    assert!(access("tok%2Fen@host").login == Login::Token("tok/en".into()));
    assert!(access("host").login == Login::Nobody);
    for wrong in ["", "http://host", "ws://host", "nats://", "a b", "host:99999", "a,,b"] {
        let fault = Access::new(wrong, Login::Nobody, Tls::default()).unwrap_err();
        assert_eq!(fault, AccessError::Address, "{wrong}");
    }
    let two = Access::new("x@host", Login::Token("y".into()), Tls::default()).unwrap_err();
    assert_eq!(two, AccessError::TwoLogins);
    assert!(Access::new("x@host", Login::Token("x".into()), Tls::default()).is_ok());
}

#[test]
fn it_is_known_whether_a_password_could_be_read_on_its_way() {
    for (urls, is_readable) in [
        ("token@lab", true),
        ("ada:x@10.0.0.7", true),
        ("token@localhost,token@lab", true),
        ("token@127.0.0.1,token@[::1],token@localhost", false),
        ("tls://token@lab", false),
        ("lab", false),
    ] {
        assert_eq!(access(urls).is_readable(), is_readable, "{urls}");
    }
    let tls = Tls { authority: Some("ca.pem".into()), own: None };
    assert!(!Access::new("token@lab", Login::Nobody, tls).unwrap().is_readable());
}

#[tokio::test]
async fn a_user_needs_the_right_password() {
    let Some(server) = Server::with("authorization { user: ada, password: \"p w\" }\n") else {
        return;
    };
    let url = server.url("nats");
    assert!(connect(&url, password("ada", "p w"), Tls::default()).await.is_ok());
    assert!(access(&url.replace("//", "//ada:p%20w@")).connect("test").await.is_ok());
    let [x, p_w] = ["x", "p w"].map(str::to_owned);
    for wrong in [password("ada", &x), password("alan", &p_w), Login::Nobody, Login::Token(p_w)] {
        let fault = connect(&url, wrong, Tls::default()).await.unwrap_err();
        assert_eq!(fault, AccessError::Login { at: url.clone() });
    }
}

#[tokio::test]
async fn a_server_that_lets_in_anybody_is_accepted_by_name_only() {
    let users = "accounts { a { users: [{user: ada, password: x}], jetstream: enabled } }\n";
    for lines in [String::new(), format!("{users}no_auth_user: ada\n")] {
        let Some(server) = Server::with(&lines) else { return };
        let url = server.url("nats");
        for login in [Login::Nobody, password("ada", "x")] {
            let fault = connect(&url, login.clone(), Tls::default()).await.unwrap_err();
            assert_eq!(fault, AccessError::Open { at: url.clone() }, "{lines}");
            let open = Access::new(&url, login, Tls::default()).unwrap().accepting_open(true);
            assert!(open.connect("test").await.is_ok(), "{lines}");
        }
    }
    let Some(server) = Server::with(users) else { return };
    assert!(connect(&server.url("nats"), password("ada", "x"), Tls::default()).await.is_ok());
}

#[tokio::test]
async fn an_embedded_server_lets_in_whoever_holds_its_token() {
    if super::super::testing::program().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let server = super::super::Embedded::start(dir.path(), None).unwrap();
    assert!(access(&server.url()).connect("test").await.is_ok());
    let token = fs::read_to_string(dir.path().join("token")).unwrap();
    let login = Login::Token(token);
    assert!(connect(&server.shown(), login, Tls::default()).await.is_ok());
    let wrong = Login::Token("0".repeat(64));
    for login in [wrong, Login::Nobody] {
        let fault = connect(&server.shown(), login, Tls::default()).await.unwrap_err();
        assert_eq!(fault, AccessError::Login { at: server.shown() });
    }
}

#[tokio::test]
async fn nobody_there_and_nobody_known_are_two_things() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fault = access(&free.to_string()).connect("test").await.unwrap_err().to_string();
    insta::assert_snapshot!(fault.replace(&free.to_string(), "ADDRESS"), @"no server answers at nats://ADDRESS: Connection refused (os error 111); is nats-server running there, and does no firewall stand between?");
    let fault = access("no-such-machine.invalid").connect("test").await.unwrap_err();
    assert!(matches!(fault, AccessError::UnknownHost { .. }), "{fault}");
}

#[tokio::test]
async fn a_server_without_jetstream_is_told() {
    let Some(server) = Server::with("jetstream: false\n") else { return };
    insta::assert_snapshot!(told(&server, "nats", Login::Nobody, Tls::default()).await, @"SERVER has no JetStream for this login; start nats-server with -js, or with `jetstream {}` in its configuration, and allow it for the login's account");
    let accounts = "accounts {
        A { jetstream: enabled, users: [{ user: a, password: a }] }
        B { users: [{ user: b, password: b }] }
    }\n";
    let Some(server) = Server::with(accounts) else { return };
    assert!(connect(&server.url("nats"), password("a", "a"), Tls::default()).await.is_ok());
    insta::assert_snapshot!(told(&server, "nats", password("b", "b"), Tls::default()).await, @"SERVER has no JetStream for this login: JetStream not enabled for account; start nats-server with -js, or with `jetstream {}` in its configuration, and allow it for the login's account");
}

/// Server that sends one line and answers one ping.
fn saying(info: &str) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let first = format!("{info}\r\n");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(first.as_bytes()).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        if lines.map_while(Result::ok).any(|line| line == "PING") {
            let _ = stream.write_all(b"PONG\r\n");
        }
    });
    address
}

#[tokio::test]
async fn a_server_of_another_time_or_kind_is_told() {
    for (info, expected) in [
        (r#"INFO {"version":"2.8.4","jetstream":true}"#, "2.8.4"),
        (r#"INFO {"version":"\u001b[2J","jetstream":true}"#, "\\u{1b}[2J"),
        (r#"INFO {"jetstream":true}"#, ""),
    ] {
        let address = saying(info);
        let fault = access(&address.to_string()).connect("test").await.unwrap_err();
        let at = format!("nats://{address}");
        assert_eq!(fault, AccessError::TooOld { at, version: expected.into() });
    }
    for garbage in ["SSH-2.0-OpenSSH_9.2", "", "INFO {", "\u{1b}[2J"] {
        let fault = access(&saying(garbage).to_string()).connect("test").await.unwrap_err();
        assert!(matches!(fault, AccessError::Other { .. }), "{fault:?}");
        assert!(!fault.to_string().contains('\u{1b}'), "{fault}");
    }
}

// Credentials files.

/// A claim signed by somebody.
fn jwt(signer: &nkeys::KeyPair, about: &nkeys::KeyPair, kind: &serde_json::Value) -> String {
    let encode = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = encode(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let claims = json!({
        "jti": "X", "iat": 1, "iss": signer.public_key(), "sub": about.public_key(),
        "name": "test", "nats": kind,
    });
    let signed = format!("{head}.{}", encode(&claims));
    let signature = URL_SAFE_NO_PAD.encode(signer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}

/// The text of a credentials file, as `nsc` writes it.
fn credentials(account: &nkeys::KeyPair) -> String {
    let user = nkeys::KeyPair::new_user();
    let claims = json!({
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2,
    });
    format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        jwt(account, &user, &claims),
        user.seed().unwrap()
    )
}

#[tokio::test]
async fn a_credentials_file_lets_in_whom_its_account_vouches_for() {
    let operator = nkeys::KeyPair::new_operator();
    let [account, system, stranger] = [(); 3].map(|()| nkeys::KeyPair::new_account());
    let of_account = |disk: i64| {
        json!({
            "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1,
                "wildcards": true, "conn": -1, "leaf": -1, "mem_storage": disk,
                "disk_storage": disk, "streams": disk, "consumer": disk,
            },
            "type": "account", "version": 2,
        })
    };
    let lines = format!(
        "operator: \"{}\"\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}: \"{}\"\n{}: \"{}\"\n}}\n",
        jwt(&operator, &operator, &json!({ "type": "operator", "version": 2 })),
        system.public_key(),
        account.public_key(),
        jwt(&operator, &account, &of_account(-1)),
        system.public_key(),
        jwt(&operator, &system, &of_account(0)),
    );
    let Some(server) = Server::with(&lines) else { return };
    let right = Login::Credentials(credentials(&account));
    connect(&server.url("nats"), right, Tls::default()).await.unwrap();
    let wrong = Login::Credentials(credentials(&stranger));
    let fault = connect(&server.url("nats"), wrong, Tls::default()).await.unwrap_err();
    assert!(matches!(fault, AccessError::Login { .. }), "{fault:?}");
    let none = Login::Credentials("no credentials".into());
    let fault = connect(&server.url("nats"), none, Tls::default()).await.unwrap_err();
    assert_eq!(fault, AccessError::Credentials);
}

// TLS.

/// Certificate authority, with its files in a folder.
struct Authority {
    dir: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("empty.cnf"), "[req]\ndistinguished_name = dn\n[dn]\n").unwrap();
        let authority = Self { dir };
        authority.sign("ca", &["basicConstraints=critical,CA:TRUE"], &[]);
        authority
    }

    /// Makes a key, and a certificate by itself or by another: `NAME.key` and `NAME.pem`.
    fn sign(&self, name: &str, extensions: &[&str], by: &[&str]) {
        let mut openssl = std::process::Command::new("openssl");
        openssl.current_dir(self.dir.path()).args(["req", "-x509", "-config", "empty.cnf"]);
        openssl.args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
        openssl.args(["-subj", &format!("/CN={name}"), "-days", "2"]).args(by);
        openssl.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
        for extension in extensions {
            openssl.args(["-addext", extension]);
        }
        let output = openssl.output().expect("openssl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// A certificate for a name, and its key.
    fn vouch(&self, name: &str) -> (PathBuf, PathBuf) {
        let is_address = name.parse::<std::net::IpAddr>().is_ok();
        let kind = if is_address { "IP" } else { "DNS" };
        let named = format!("subjectAltName={kind}:{name}");
        let extensions =
            [&named, "basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth"];
        self.sign(name, &extensions, &["-CA", "ca.pem", "-CAkey", "ca.key"]);
        ["pem", "key"].map(|ending| self.dir.path().join(format!("{name}.{ending}"))).into()
    }

    fn ca(&self) -> PathBuf {
        self.dir.path().join("ca.pem")
    }

    /// The lines of a server that this one vouches for.
    fn lines(&self, name: &str, more: &str) -> String {
        let (certificate, key) = self.vouch(name);
        let [certificate, key, ca] = [certificate, key, self.ca()].map(|p| p.display().to_string());
        format!(
            "tls {{ cert_file: \"{certificate}\", key_file: \"{key}\", ca_file: \"{ca}\", {more} }}\n"
        )
    }

    fn trusted(&self) -> Tls {
        Tls { authority: Some(self.ca()), own: None }
    }
}

#[tokio::test]
async fn a_server_must_be_vouched_for() {
    let authority = Authority::new();
    let Some(server) = Server::with(&authority.lines("127.0.0.1", "timeout: 5")) else { return };
    for scheme in ["nats", "tls"] {
        let access = Access::new(&server.url(scheme), Login::Nobody, authority.trusted());
        access.unwrap().accepting_open(true).connect("test").await.unwrap();
    }
    let stranger = Authority::new();
    insta::assert_snapshot!(told(&server, "nats", Login::Nobody, Tls::default()).await, @"no trust between us and SERVER: invalid peer certificate: UnknownIssuer; name the server as its certificate does, and who vouches for it with --tls-ca; where it asks for our certificate, give --tls-cert and --tls-key");
    let missing = Tls { authority: Some("/no/such/file.pem".into()), own: None };
    insta::assert_snapshot!(told(&server, "nats", Login::Nobody, missing).await, @"no trust between us and SERVER: No such file or directory (os error 2); name the server as its certificate does, and who vouches for it with --tls-ca; where it asks for our certificate, give --tls-cert and --tls-key");
    let fault = connect(&server.url("tls"), Login::Nobody, stranger.trusted()).await.unwrap_err();
    assert!(matches!(fault, AccessError::Trust { .. }), "{fault:?}");

    let Some(other) = Server::with(&authority.lines("other.example", "timeout: 5")) else { return };
    insta::assert_snapshot!(told(&other, "tls", Login::Nobody, authority.trusted()).await, @r#"no trust between us and SERVER: invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("other.example"); name the server as its certificate does, and who vouches for it with --tls-ca; where it asks for our certificate, give --tls-cert and --tls-key"#);
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_is_required() {
    let Some(server) = Server::with("") else { return };
    let url = server.url("tls");
    let fault = connect(&url, Login::Nobody, Tls::default()).await.unwrap_err();
    assert_eq!(fault, AccessError::NoTls { at: url });
    let (url, authority) = (server.url("nats"), Authority::new());
    let fault = connect(&url, Login::Nobody, authority.trusted()).await.unwrap_err();
    assert_eq!(fault, AccessError::NoTls { at: url });
}

#[tokio::test]
async fn a_server_can_ask_who_we_are() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let lines = authority.lines("127.0.0.1", "verify: true, timeout: 5");
    let Some(server) = Server::with(&lines) else { return };
    let with = |own| Tls { own, ..authority.trusted() };
    let right = with(Some(authority.vouch("worker")));
    connect(&server.url("tls"), Login::Nobody, right).await.unwrap();
    for wrong in [with(None), with(Some(stranger.vouch("worker")))] {
        let fault = connect(&server.url("tls"), Login::Nobody, wrong).await.unwrap_err();
        assert!(matches!(fault, AccessError::Trust { .. }), "{fault:?}");
    }
}
