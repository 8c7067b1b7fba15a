use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (what, about) in [(Deed::Intake, "a.zip"), (Deed::Grade, "cup"), (Deed::Grade, "cup 2")] {
        append(folder.path(), Draft::new(what, about).reason("because")).unwrap();
    }
    folder
}

fn lines(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join(FILE)).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn with(folder: &Path, lines: &[String]) -> Vec<String> {
    fs::write(folder.join(FILE), lines.iter().map(|line| format!("{line}\n")).collect::<String>())
        .unwrap();
    read_log(folder).unwrap().findings
}

#[test]
fn a_log_is_read_as_it_was_written() {
    let folder = folder();
    let log = read_log(folder.path()).unwrap();
    assert_eq!(log.findings, [""; 0]);
    let shown = |entry: &Entry| (entry.number, entry.what.clone(), entry.about.clone());
    assert_eq!(shown(&log.entries[2]), (3, "grade".into(), "cup 2".into()));
    assert!(log.entries[0].at.ends_with('Z') && !log.entries[0].at.contains('.'));
    assert_eq!(log.entries[0].previous, "");
}

#[test]
fn every_removed_changed_or_moved_line_is_noticed() {
    let folder = folder();
    let whole = lines(folder.path());
    assert_eq!(with(folder.path(), &whole), [""; 0]);
    for removed in 0..whole.len() {
        let mut left = whole.clone();
        left.remove(removed);
        assert_ne!(with(folder.path(), &left), [""; 0], "line {removed} removed");
        let mut changed = whole.clone();
        changed[removed] = changed[removed].replace("because", "no reason");
        assert_ne!(with(folder.path(), &changed), [""; 0], "line {removed} changed");
    }
    let mut swapped = whole.clone();
    swapped.swap(0, 1);
    assert_ne!(with(folder.path(), &swapped), [""; 0]);
    assert_ne!(with(folder.path(), &[]), [""; 0]);
    fs::remove_file(folder.path().join(FILE)).unwrap();
    let gone = read_log(folder.path()).unwrap().findings;
    insta::assert_snapshot!(gone.join("\n"), @"the log has 0 lines, but 3 were written: its end was removed");
}

#[test]
fn a_line_after_a_lost_end_does_not_hide_it() {
    let folder = folder();
    let whole = lines(folder.path());
    with(folder.path(), &whole[..1]);
    append(folder.path(), Draft::new(Deed::Grade, "cup 3")).unwrap();
    append(folder.path(), Draft::new(Deed::Grade, "cup 4")).unwrap();
    let findings = read_log(folder.path()).unwrap().findings;
    insta::assert_snapshot!(findings.join("\n"), @"line 2: when it was written, the log has 1 lines, but 3 were written: its end was removed");
}

#[test]
fn a_rewritten_log_is_a_log() {
    let folder = folder();
    let draft = || Draft::new(Deed::Forget, "somebody");
    let change = |entry: Entry| Entry { about: entry.about.replace("cup", "x"), ..entry };
    rewrite(folder.path(), change, draft()).unwrap();
    let log = read_log(folder.path()).unwrap();
    assert_eq!(log.findings, [""; 0]);
    assert_eq!(log.entries[2].about, "x 2");
    // It does not hide earlier errors.
    let whole = lines(folder.path());
    with(folder.path(), &whole[1..]);
    rewrite(folder.path(), |entry| entry, draft()).unwrap();
    assert_ne!(read_log(folder.path()).unwrap().findings, [""; 0]);
}

#[test]
fn half_a_line_is_a_finding_and_stops_nobody() {
    let folder = folder();
    let mut text = fs::read(folder.path().join(FILE)).unwrap();
    text.extend(b"{\"number\":4");
    fs::write(folder.path().join(FILE), text).unwrap();
    append(folder.path(), Draft::new(Deed::Grade, "cup 3")).unwrap();
    let log = read_log(folder.path()).unwrap();
    assert_eq!(log.entries.len(), 4);
    assert_eq!(log.findings, ["line 4: it cannot be read"]);
}
