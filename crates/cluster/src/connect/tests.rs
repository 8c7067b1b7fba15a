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
    Access::new(urls, Login::Anonymous, Tls::default()).unwrap()
}

async fn connect(url: &str, login: Login, tls: Tls) -> Result<Client, AccessError> {
    Access::new(url, login, tls)?.connect("test").await
}

/// Message of a connection error, with the address replaced.
async fn error_message(server: &Server, scheme: &str, login: Login, tls: Tls) -> String {
    let url = server.url(scheme);
    let error = connect(&url, login, tls).await.unwrap_err();
    error.to_string().replace(&url, "SERVER")
}

#[test]
fn addresses_are_parsed_and_never_shown_with_their_logins() {
    let read = access("nats://ada:p%40ss%3A%zz@host,tls://ada:p%40ss%3A%zz@[::1]:7, other");
    assert_eq!(read.shown(), "nats://host:4222,tls://[::1]:7,nats://other:4222");
    assert!(read.login == password("ada", "p@ss:%zz"));
    assert!(!format!("{read:?}").contains("ss%3A") && !format!("{read:?}").contains("p@ss"));
    assert!(access("tok%2Fen@host").login == Login::Token("tok/en".into()));
    assert!(access("host").login == Login::Anonymous);
    for wrong in ["", "http://host", "ws://host", "nats://", "a b", "host:99999", "a,,b"] {
        let error = Access::new(wrong, Login::Anonymous, Tls::default()).unwrap_err();
        assert_eq!(error, AccessError::Address, "{wrong}");
    }
    let two = Access::new("x@host", Login::Token("y".into()), Tls::default()).unwrap_err();
    assert_eq!(two, AccessError::TwoLogins);
    assert!(Access::new("x@host", Login::Token("x".into()), Tls::default()).is_ok());
}

#[test]
fn unencrypted_passwords_to_other_machines_are_detected() {
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
    assert!(!Access::new("token@lab", Login::Anonymous, tls).unwrap().is_readable());
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
    for wrong in [password("ada", &x), password("alan", &p_w), Login::Anonymous, Login::Token(p_w)]
    {
        let error = connect(&url, wrong, Tls::default()).await.unwrap_err();
        assert_eq!(error, AccessError::Login { at: url.clone() });
    }
}

#[tokio::test]
async fn a_server_without_logins_requires_consent() {
    let users = "accounts { a { users: [{user: ada, password: x}], jetstream: enabled } }\n";
    for lines in [String::new(), format!("{users}no_auth_user: ada\n")] {
        let Some(server) = Server::with(&lines) else { return };
        let url = server.url("nats");
        for login in [Login::Anonymous, password("ada", "x")] {
            let error = connect(&url, login.clone(), Tls::default()).await.unwrap_err();
            assert_eq!(error, AccessError::Open { at: url.clone() }, "{lines}");
            let open = Access::new(&url, login, Tls::default()).unwrap().accepting_open(true);
            assert!(open.connect("test").await.is_ok(), "{lines}");
        }
    }
    let Some(server) = Server::with(users) else { return };
    assert!(connect(&server.url("nats"), password("ada", "x"), Tls::default()).await.is_ok());
}

#[tokio::test]
async fn an_embedded_server_requires_its_token() {
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
    for login in [wrong, Login::Anonymous] {
        let error = connect(&server.shown(), login, Tls::default()).await.unwrap_err();
        assert_eq!(error, AccessError::Login { at: server.shown() });
    }
}

#[tokio::test]
async fn an_unreachable_server_differs_from_an_unknown_host() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = access(&free.to_string()).connect("test").await.unwrap_err().to_string();
    insta::assert_snapshot!(error.replace(&free.to_string(), "ADDRESS"), @"no server answers at nats://ADDRESS: Connection refused (os error 111); check that nats-server is running there and no firewall blocks it");
    let error = access("no-such-machine.invalid").connect("test").await.unwrap_err();
    assert!(matches!(error, AccessError::UnknownHost { .. }), "{error}");
}

#[tokio::test]
async fn a_server_without_jetstream_is_reported() {
    let Some(server) = Server::with("jetstream: false\n") else { return };
    insta::assert_snapshot!(error_message(&server, "nats", Login::Anonymous, Tls::default()).await, @"SERVER has no JetStream for this login; start nats-server with -js or `jetstream {}` in its configuration, and enable it for the login's account");
    let accounts = "accounts {
        A { jetstream: enabled, users: [{ user: a, password: a }] }
        B { users: [{ user: b, password: b }] }
    }\n";
    let Some(server) = Server::with(accounts) else { return };
    assert!(connect(&server.url("nats"), password("a", "a"), Tls::default()).await.is_ok());
    insta::assert_snapshot!(error_message(&server, "nats", password("b", "b"), Tls::default()).await, @"SERVER has no JetStream for this login: JetStream not enabled for account; start nats-server with -js or `jetstream {}` in its configuration, and enable it for the login's account");
}

/// Starts a server that sends one line and answers one ping.
fn server_sending(info: &str) -> std::net::SocketAddr {
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
async fn an_old_server_or_another_program_is_reported() {
    for (info, expected) in [
        (r#"INFO {"version":"2.8.4","jetstream":true}"#, "2.8.4"),
        (r#"INFO {"version":"\u001b[2J","jetstream":true}"#, "\\u{1b}[2J"),
        (r#"INFO {"jetstream":true}"#, ""),
    ] {
        let address = server_sending(info);
        let error = access(&address.to_string()).connect("test").await.unwrap_err();
        let at = format!("nats://{address}");
        assert_eq!(error, AccessError::TooOld { at, version: expected.into() });
    }
    for garbage in ["SSH-2.0-OpenSSH_9.2", "", "INFO {", "\u{1b}[2J"] {
        let error = access(&server_sending(garbage).to_string()).connect("test").await.unwrap_err();
        assert!(matches!(error, AccessError::Other { .. }), "{error:?}");
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
}

// Credentials files.

/// A signed JWT claim.
fn jwt(signer: &nkeys::KeyPair, info: &nkeys::KeyPair, kind: &serde_json::Value) -> String {
    let encode = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = encode(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let claims = json!({
        "jti": "X", "iat": 1, "iss": signer.public_key(), "sub": info.public_key(),
        "name": "test", "nats": kind,
    });
    let signed = format!("{head}.{}", encode(&claims));
    let signature = URL_SAFE_NO_PAD.encode(signer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}

/// Text of a credentials file, as `nsc` writes it.
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
async fn a_credentials_file_must_be_signed_by_the_account() {
    let operator = nkeys::KeyPair::new_operator();
    let [account, system, unknown_authority] = [(); 3].map(|()| nkeys::KeyPair::new_account());
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
    let wrong = Login::Credentials(credentials(&unknown_authority));
    let error = connect(&server.url("nats"), wrong, Tls::default()).await.unwrap_err();
    assert!(matches!(error, AccessError::Login { .. }), "{error:?}");
    let none = Login::Credentials("no credentials".into());
    let error = connect(&server.url("nats"), none, Tls::default()).await.unwrap_err();
    assert_eq!(error, AccessError::Credentials);
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

    /// Creates a key and a certificate, self-signed or signed by another: `NAME.key` and `NAME.pem`.
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

    /// Issues a certificate for a name. Returns the paths of the certificate and its key.
    fn issue(&self, name: &str) -> (PathBuf, PathBuf) {
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

    /// TLS configuration of a server with a certificate of this authority.
    fn lines(&self, name: &str, more: &str) -> String {
        let (certificate, key) = self.issue(name);
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
async fn a_server_needs_a_trusted_certificate() {
    let authority = Authority::new();
    let Some(server) = Server::with(&authority.lines("127.0.0.1", "timeout: 5")) else { return };
    for scheme in ["nats", "tls"] {
        let access = Access::new(&server.url(scheme), Login::Anonymous, authority.trusted());
        access.unwrap().accepting_open(true).connect("test").await.unwrap();
    }
    let unknown_authority = Authority::new();
    insta::assert_snapshot!(error_message(&server, "nats", Login::Anonymous, Tls::default()).await, @"TLS with SERVER failed: invalid peer certificate: UnknownIssuer; use a server name in its certificate and give its authority with --tls-ca; if it requires a client certificate, give --tls-cert and --tls-key");
    let missing = Tls { authority: Some("/no/such/file.pem".into()), own: None };
    insta::assert_snapshot!(error_message(&server, "nats", Login::Anonymous, missing).await, @"TLS with SERVER failed: No such file or directory (os error 2); use a server name in its certificate and give its authority with --tls-ca; if it requires a client certificate, give --tls-cert and --tls-key");
    let error = connect(&server.url("tls"), Login::Anonymous, unknown_authority.trusted())
        .await
        .unwrap_err();
    assert!(matches!(error, AccessError::Trust { .. }), "{error:?}");

    let Some(other) = Server::with(&authority.lines("other.example", "timeout: 5")) else { return };
    insta::assert_snapshot!(error_message(&other, "tls", Login::Anonymous, authority.trusted()).await, @r#"TLS with SERVER failed: invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("other.example"); use a server name in its certificate and give its authority with --tls-ca; if it requires a client certificate, give --tls-cert and --tls-key"#);
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_is_required() {
    let Some(server) = Server::with("") else { return };
    let url = server.url("tls");
    let error = connect(&url, Login::Anonymous, Tls::default()).await.unwrap_err();
    assert_eq!(error, AccessError::NoTls { at: url });
    let (url, authority) = (server.url("nats"), Authority::new());
    let error = connect(&url, Login::Anonymous, authority.trusted()).await.unwrap_err();
    assert_eq!(error, AccessError::NoTls { at: url });
}

#[tokio::test]
async fn a_server_may_require_a_client_certificate() {
    let (authority, unknown_authority) = (Authority::new(), Authority::new());
    let lines = authority.lines("127.0.0.1", "verify: true, timeout: 5");
    let Some(server) = Server::with(&lines) else { return };
    let with = |own| Tls { own, ..authority.trusted() };
    let right = with(Some(authority.issue("worker")));
    connect(&server.url("tls"), Login::Anonymous, right).await.unwrap();
    for wrong in [with(None), with(Some(unknown_authority.issue("worker")))] {
        let error = connect(&server.url("tls"), Login::Anonymous, wrong).await.unwrap_err();
        assert!(matches!(error, AccessError::Trust { .. }), "{error:?}");
    }
}
