//! Trusted paths: only listed files may turn a plain path into a grant of the sandbox.

use std::path::{Path, PathBuf};

/// Files that create grants: from the operator's PATH, and for folders of snapshots.
const ALLOWED: [&str; 3] = [
    "crates/bots/src/submission/snapshot.rs",
    "crates/bots/src/toolchain/machine_path.rs",
    "crates/sandbox/src/grant.rs",
];

/// Functions that create one.
const MAKERS: [&str; 3] = ["ReadGrant::trusted(", "WorkFolder::trusted(", "fn trusted(path"];

fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn only_these_files_make_grants_of_paths() {
    let mut found = Vec::new();
    for folder in ["src", "crates"] {
        collect(&repository(folder), &mut found);
    }
    found.sort();
    assert_eq!(found, ALLOWED, "the sandbox trusts whoever calls `ReadGrant::trusted`");
}

/// Files that create a grant outside of tests.
fn collect(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let is_comment = |line: &&str| line.trim_start().starts_with("//");
            let makes = |line: &str| MAKERS.iter().any(|maker| line.contains(maker));
            if code.lines().filter(|line| !is_comment(line)).any(makes) {
                let path = path.strip_prefix(repository("")).expect("a path within");
                found.push(path.display().to_string());
            }
        }
    }
}
