//! The page for teachers, followed exactly: from the archive of 40 submissions to the filled
//! worksheet.

use std::fs;
use std::time::{Duration, Instant};

use crate::generator::{ClassOptions, Form, Language, archive_of, generate};
use crate::scratch::Scratch;

const PAGE: &str = include_str!("../../docs/class.md");

/// Maximum number of commands that a teacher types for a class, so that 15 minutes suffice.
const COMMANDS: usize = 12;

/// Fenced blocks in a language, between the headings for submissions and grades.
fn blocks(language: &str) -> impl Iterator<Item = &'static str> {
    let (page, _) = PAGE.split_once("\n## 5.").unwrap_or((PAGE, ""));
    let start = format!("```{language}\n");
    let parts: Vec<_> = page.split(&start).skip(1).collect();
    parts.into_iter().filter_map(|part| Some(part.split_once("```")?.0))
}

/// The scheme that `pitmaster help grade` shows.
fn scheme(scratch: &Scratch) -> String {
    let help = scratch.run("help grade").done().stdout;
    let (_, after) = help.split_once("A scheme:\n").expect("a scheme");
    let lines = after.lines().take_while(|line| line.is_empty() || line.starts_with("  "));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn the_page_for_teachers_is_followed_to_the_letter() {
    let scratch = Scratch::new();
    let (form, language) = (Form::Moodle, Language::French);
    let class = generate(&ClassOptions { people: 40, form, seed: 4, language });
    scratch.write("awale.zip", archive_of(&class.files)).write("worksheet.csv", &class.people_csv);
    let file = blocks("toml").find(|block| block.contains("[bots]")).expect("a tournament file");
    // Fewer games than a teacher plays; the steps are the same.
    scratch.write("cup.toml", file.replace("pairs = 20", "pairs = 1"));
    let scheme = scheme(&scratch);
    scratch.write("scheme.toml", &scheme);
    scratch.write("other.toml", scheme.replace("line = 0.9", "line = 0.8"));
    let commands: Vec<_> = blocks("sh").flat_map(str::lines).collect();
    assert!((5..=COMMANDS).contains(&commands.len()), "{commands:#?}");
    for command in commands {
        let args = command.strip_prefix("pitmaster ").unwrap_or_else(|| panic!("{command}"));
        let args: Vec<_> = args.split(" #").next().unwrap_or(args).split_whitespace().collect();
        let began = Instant::now();
        let ran = scratch.run_within(Duration::from_hours(1), &args);
        println!("{:6.1} s  {command}", began.elapsed().as_secs_f64());
        let finds = ["check", "verify"].contains(&args[0]);
        assert!(ran.code == Some(0) || (finds && ran.code == Some(1)), "{command}\n{}", ran.all());
    }
    let rows = |path: &str| {
        let text = fs::read(scratch.path(path)).expect(path);
        csv::Reader::from_reader(&*text).records().flatten().count()
    };
    assert_eq!(rows("grades/worksheet.csv"), rows("worksheet.csv"));
    assert_eq!(rows("grades/grades.csv"), 40);
    let [before, after] = ["worksheet.csv", "grades/worksheet.csv"].map(|path| scratch.read(path));
    assert_ne!(before, after, "grades are filled in");
    assert!(scratch.path("grades/feedback.zip").is_file());
}
