//! Dependencies of the library crates that are usable without the rest of Pitmaster.

use std::process::Command;

/// Independent crates: rules, players, the referee, ratings, and the sandbox.
const LIBRARIES: [&str; 8] =
    ["core", "games", "players", "referee", "ratings", "tournament", "season", "sandbox"];

/// Packages of the command line, the database, the network and the async runtime.
const HEAVY: [&str; 7] =
    ["clap", "indicatif", "rusqlite", "libsqlite3-sys", "tokio", "async-nats", "askama"];

/// Names of all packages that a crate depends on, itself included, without dev-dependencies.
fn dependencies(of: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--offline", "--locked", "--edges=normal", "--prefix=none", "--package", of])
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn heavy(of: &str) -> Vec<String> {
    let mut found = dependencies(of);
    found.retain(|name| HEAVY.contains(&name.as_str()));
    found
}

#[test]
fn libraries_pull_in_no_command_line_and_no_database() {
    for library in LIBRARIES {
        assert_eq!(heavy(&format!("pitmaster-{library}")), [""; 0], "{library}");
    }
    let all = heavy("pitmaster");
    assert!(["clap", "rusqlite", "indicatif"].iter().all(|name| all.iter().any(|it| it == name)));
}
