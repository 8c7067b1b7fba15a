//! Documentation page `docs/refused-calls.md`, which must match the table of refused calls.

use std::fmt::Write as _;

use super::condition::{Case, Test, Word};
use super::refused::REFUSED;
use super::rules::{Group, Whom};
use crate::audit::Class;

const HEAD: &str = "\
# Refused system calls

What the filter of the tiers `portable` and `full` refuses, on Linux. Everything else is allowed,
because runtimes change what they call and a list of what is allowed would break them; which files
are opened is for Landlock to say. A call that is newer than this table fails with `ENOSYS`, as on a
kernel that does not have it.

Arguments are counted from 1, and `own` is the number of the process itself. `EPERM`,
`ENOSYS` and `ENOTSUP` are what a refused call fails with; *nothing* is a call that does nothing and
says that it did. Modes, owners and times of a build's own files are changed by a supervisor for it.
[SECURITY.md](../SECURITY.md) says what all this is for. A test holds this page against the filter.
";

const CLASSES: [Class; 7] = [
    Class::Network,
    Class::ForeignFiles,
    Class::Processes,
    Class::Others,
    Class::Limits,
    Class::Kernel,
    Class::Time,
];

fn page() -> String {
    let mut page = HEAD.to_owned();
    for class in CLASSES {
        let mut name = class.name().to_owned();
        name[..1].make_ascii_uppercase();
        let _ = write!(page, "\n## {name}\n\n| calls | to whom | when | answer | why |\n");
        page.push_str("|---|---|---|---|---|\n");
        for group in REFUSED.iter().filter(|group| group.class == class) {
            page.push_str(&row(group));
        }
    }
    page
}

fn row(group: &Group) -> String {
    let calls: Vec<_> = group.calls.iter().map(|call| format!("`{call}`")).collect();
    let whom = match group.whom {
        Whom::Everyone => "bots and builds",
        Whom::Players => "bots",
        Whom::Builders => "builds",
        Whom::Unsupervised => "builds, but for files in their own folders",
        Whom::OneProcess => "bots, unless `processes` is allowed",
        Whom::Starters => "builds, and bots where `processes` is allowed",
        Whom::NoLandlockTruncate => "bots and builds, before Linux 6.2",
    };
    let when = match group.case {
        Case::Always => "always".to_owned(),
        Case::If(tests) => format!("if {}", all(tests, " or ")),
        Case::IfAll(tests) => format!("if {}", all(tests, " and ")),
        Case::Unless(tests) => format!("unless {}", all(tests, " and ")),
        Case::UnlessAny(tests) => format!("unless {}", all(tests, " or ")),
    };
    let answer = match group.errno {
        0 => "nothing",
        libc::ENOSYS => "`ENOSYS`",
        libc::ENOTSUP => "`ENOTSUP`",
        libc::EPERM => "`EPERM`",
        errno => panic!("no name for {errno}"),
    };
    format!("| {} | {whom} | {when} | {answer} | {} |\n", calls.join(", "), group.why)
}

fn all(tests: &[Test], between: &str) -> String {
    tests.iter().map(test).collect::<Vec<_>>().join(between)
}

fn test(test: &Test) -> String {
    let Test { argument, upper, mask, among } = *test;
    let half = if upper { "the upper half of " } else { "" };
    let mask = if mask == u32::MAX { String::new() } else { format!(" & {mask:#x}") };
    let value = |word: &Word| match *word {
        Word::Is(value) if value < 10 => value.to_string(),
        Word::Is(value) => format!("{value:#x}"),
        Word::OwnPid => "own".to_owned(),
    };
    let values: Vec<_> = among.iter().map(value).collect();
    format!("{half}argument {}{mask} is {}", argument + 1, values.join(" or "))
}

#[test]
fn the_page_says_what_the_table_does() {
    let written = include_str!("../../../../docs/refused-calls.md");
    let right = page();
    if written != right {
        let place = std::env::temp_dir().join("refused-calls.md");
        std::fs::write(&place, right).unwrap();
        panic!("docs/refused-calls.md differs from the filter's table; copy {}", place.display());
    }
}

#[test]
fn no_class_is_left_out() {
    assert!(REFUSED.iter().all(|group| CLASSES.contains(&group.class)));
}
