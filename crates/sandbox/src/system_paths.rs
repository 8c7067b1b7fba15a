//! System paths visible to every bot, because programs need them to run.

use std::path::{Path, PathBuf};

use crate::SYSTEM_FOLDERS;

/// Settings and machine facts that programs need in addition to the system's folders.
const SETTINGS: [&str; 9] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
];

/// Devices that are read-only or ignore writes.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// For builds only, because a shared mapping of it is not counted by process limits.
const ZEROS: &str = "/dev/zero";

/// System paths that every bot may read.
pub(crate) fn system() -> Vec<PathBuf> {
    let fixed = SYSTEM_FOLDERS.iter().chain(&SETTINGS).map(PathBuf::from);
    fixed.chain(java_settings()).filter(|path| path.exists()).collect()
}

/// Devices that a bot or a build may open.
pub(crate) fn devices(builds: bool) -> Vec<PathBuf> {
    let zeros = builds.then_some(&ZEROS);
    DEVICES.iter().chain(zeros).map(PathBuf::from).filter(|path| path.exists()).collect()
}

/// Debian stores Java settings separately: `/etc/java-17-openjdk`.
fn java_settings() -> Vec<PathBuf> {
    let Ok(found) = glob::glob("/etc/java-*") else { return Vec::new() };
    found.flatten().collect()
}

/// Returns whether another user's program could reach a path: every parent folder is searchable by
/// others.
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(real) = path.canonicalize() else { return false };
    real.ancestors()
        .skip(1)
        .all(|folder| folder.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o001 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_closed_folder_anywhere_above_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        let (closed, inner) = (dir.path().join("closed"), dir.path().join("closed/inner"));
        fs::create_dir_all(&inner).unwrap();
        let open = dir.path().ancestors().skip(1).all(is_open_to_others);
        assert_eq!(is_open_to_others(&inner), open);
        fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
        assert!(!is_open_to_others(&inner));
        assert_eq!(is_open_to_others(&closed), open, "its own door is not on the way to it");
        assert!(!is_open_to_others(&dir.path().join("nothing")));
    }

    #[test]
    fn programs_find_their_system() {
        let system = system();
        assert!(system.contains(&"/usr".into()));
        assert!(
            !system.iter().any(|path| ["/", "/etc", "/home"].contains(&path.to_str().unwrap()))
        );
    }
}
