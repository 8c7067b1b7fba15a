//! Tests of file access beneath a folder: links, pipes, closed and deep folders.

use super::*;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

/// `in/file` and `in/folder/file` beneath the folder, `secret` next to it.
fn place() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("in/folder")).unwrap();
    for name in ["in/file", "in/folder/file", "secret"] {
        fs::write(dir.path().join(name), name).unwrap();
    }
    let folder = Folder::open(&dir.path().join("in")).unwrap();
    (dir, folder)
}

fn text(file: io::Result<File>) -> String {
    let mut text = String::new();
    file.unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn no_link_is_followed_unless_it_stays_beneath() {
    let (dir, folder) = place();
    let put = |target: &str, name: &str| symlink(target, dir.path().join("in").join(name));
    put("../secret", "out").unwrap();
    put("/etc/passwd", "absolute").unwrap();
    put("..", "up").unwrap();
    put("file", "inner").unwrap();
    put("folder", "way").unwrap();
    put("loop", "loop").unwrap();
    for path in ["out", "absolute", "up/secret", "up/in/file", "loop", "missing"] {
        let path = Path::new(path);
        assert!(folder.file(path).is_err(), "{path:?}");
        assert!(folder.file_by_links(path).is_err(), "{path:?}");
        assert!(!folder.leads_inside(path), "{path:?}");
    }
    for path in ["inner", "way/file"] {
        let path = Path::new(path);
        assert!(folder.file(path).is_err(), "{path:?}");
        assert!(folder.file_by_links(path).is_ok() && folder.leads_inside(path), "{path:?}");
    }
    assert!(folder.folder(Path::new("way")).is_err());
    assert_eq!(text(folder.file(Path::new("folder/file"))), "in/folder/file");
}

#[test]
fn paths_are_plain_names() {
    let (dir, folder) = place();
    for path in ["", ".", "..", "../secret", "folder/../file", "/etc/passwd"] {
        assert!(folder.file(Path::new(path)).is_err(), "{path:?}");
        assert!(folder.create_file(Path::new(path), false).is_err(), "{path:?}");
        assert!(folder.remove(Path::new(path)).is_err(), "{path:?}");
    }
    assert!(dir.path().join("secret").exists());
}

#[test]
fn a_pipe_is_told_at_once() {
    let (dir, folder) = place();
    let pipe = dir.path().join("in/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let error = folder.file(Path::new("pipe")).unwrap_err().to_string();
    assert_eq!(error, "it is a named pipe and not a file");
    assert!(folder.file_by_links(Path::new("pipe")).is_err());
    assert!(folder.lock_file(Path::new("pipe")).is_err());
}

#[test]
fn nothing_that_exists_is_written_to() {
    let (dir, folder) = place();
    symlink("../secret", dir.path().join("in/out")).unwrap();
    symlink("../new", dir.path().join("in/dangling")).unwrap();
    for path in ["file", "out", "dangling", "folder"] {
        let path = Path::new(path);
        assert!(folder.create_file(path, false).is_err(), "{path:?}");
        assert!(folder.create_log(path).is_err(), "{path:?}");
        assert!(folder.create_folder(path).is_err(), "{path:?}");
    }
    assert!(folder.lock_file(Path::new("dangling")).is_err());
    assert!(!dir.path().join("new").exists());
    assert_eq!(fs::read_to_string(dir.path().join("secret")).unwrap(), "secret");
    folder.create_file(Path::new("folder/new"), true).unwrap().write_all(b"x").unwrap();
    assert_eq!(folder.kind(Path::new("folder/new")).unwrap(), EntryKind::File { executable: true });
}

#[test]
fn a_folder_is_removed_however_deep_and_closed() {
    let (dir, folder) = place();
    // A path of more than 4096 bytes cannot be opened in one call.
    let mut here = Folder::open(&dir.path().join("in/folder")).unwrap();
    let name = "d".repeat(200);
    for _ in 0..60 {
        here.create_folder(Path::new(&name)).unwrap();
        here.create_file(Path::new("beside"), false).unwrap();
        here = here.folder(Path::new(&name)).unwrap();
    }
    symlink("/etc", dir.path().join("in/folder/link")).unwrap();
    let closed = dir.path().join("in/folder/closed/inner");
    fs::create_dir_all(&closed).unwrap();
    for path in [&closed, closed.parent().unwrap()] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    folder.remove(Path::new("folder")).unwrap();
    assert!(!folder.has(Path::new("folder")));
    folder.remove(Path::new("folder")).unwrap();
    assert!(folder.has(Path::new("file")) && Path::new("/etc/passwd").exists());
}

/// As root this proves nothing; the hostile bot `build-closes-its-folders` tests it as an ordinary
/// user.
#[test]
fn what_its_owner_has_closed_is_opened() {
    let (dir, folder) = place();
    let closed = |name: &str, mode| {
        let path = dir.path().join("in/folder").join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    fs::write(dir.path().join("in/folder/shut"), "read").unwrap();
    fs::create_dir(dir.path().join("in/folder/shut-folder")).unwrap();
    let (file, inner) = (closed("shut", 0o010), closed("shut-folder", 0o000));
    symlink("shut", dir.path().join("in/folder/to-shut")).unwrap();
    let at = |name: &str| Path::new("folder").join(name);
    assert_eq!(text(folder.file_though_closed(&at("shut"))), "read");
    folder.folder_though_closed(&at("shut-folder")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(&inner)), (0o410, 0o700));
    assert!(folder.file_though_closed(&at("to-shut")).is_err());
    assert!(folder.file_though_closed(&at("shut-folder")).is_err());
}

#[test]
fn a_removed_link_leaves_what_it_leads_to() {
    let (dir, folder) = place();
    symlink("folder", dir.path().join("in/link")).unwrap();
    folder.remove(Path::new("link")).unwrap();
    assert!(!folder.has(Path::new("link")) && folder.has(Path::new("folder/file")));
}

#[test]
fn walking_name_by_name_refuses_the_same() {
    let (dir, folder) = place();
    symlink("folder", dir.path().join("in/way")).unwrap();
    symlink("../secret", dir.path().join("in/out")).unwrap();
    assert!(folder.descend(Path::new("folder/file"), FOR_READING).is_ok());
    assert!(folder.descend(Path::new("way/file"), FOR_READING).is_err());
    assert!(folder.descend(Path::new("out"), FOR_READING).is_err());
    assert!(folder.follow_by_path(Path::new("way/file"), FOR_READING).is_ok());
    assert!(folder.follow_by_path(Path::new("out"), FOR_READING).is_err());
}
