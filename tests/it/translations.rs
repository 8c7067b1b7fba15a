//! The French pages of the book against their English originals: each section has the same
//! headings, commands, numbers, table rows and links, so that no page changes alone.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// English pages, and their translations.
const PAGES: [(&str, &str); 7] = [
    ("docs/student.md", "docs/fr/etudiant.md"),
    ("docs/teacher.md", "docs/fr/enseignant.md"),
    ("docs/class.md", "docs/fr/classe.md"),
    ("protocol.md", "docs/fr/protocole.md"),
    ("docs/games.md", "docs/fr/jeux.md"),
    ("docs/statistics.md", "docs/fr/statistiques.md"),
    ("docs/ratings.md", "docs/fr/elo.md"),
];

#[derive(Clone, Copy, PartialEq)]
enum Language {
    English,
    French,
}

/// The language-independent content of a section.
#[derive(Debug)]
struct Section {
    heading: String,
    level: usize,
    /// Fenced blocks verbatim, without the comments of shell commands.
    blocks: Vec<String>,
    /// Everything in backticks.
    code: BTreeSet<String>,
    /// Numbers outside of code, sorted, with duplicates.
    numbers: Vec<String>,
    /// Number of cells of each row of a table.
    rows: Vec<usize>,
    /// Addresses, as written.
    links: Vec<String>,
}

/// A page as shown to readers; `path` is relative to the root of the project.
struct Page<'a> {
    path: &'a str,
    sections: Vec<Section>,
}

impl<'a> Page<'a> {
    fn new(path: &'a str, text: &str, language: Language) -> Self {
        let sections = split(text).iter().map(|lines| Section::new(lines, language)).collect();
        Self { path, sections }
    }

    fn read(path: &'a str, language: Language) -> Self {
        Self::new(path, &read(path), language)
    }

    /// Index of a heading.
    fn heading(&self, anchor: &str) -> Option<usize> {
        self.sections.iter().position(|section| anchor_of(&section.heading) == anchor)
    }

    /// Target page in English and index of the heading of an address.
    fn aim(&self, address: &str) -> Result<String, String> {
        if address.contains("://") {
            return Ok(address.to_owned());
        }
        let (file, anchor) = address.split_once('#').unwrap_or((address, ""));
        let path = if file.is_empty() { self.path.to_owned() } else { beside(self.path, file)? };
        if self.path.starts_with("docs/fr/") && PAGES.iter().any(|(english, _)| *english == path) {
            return Err(format!("{address} is translated: link to the French page"));
        }
        let translated = PAGES.iter().find(|(_, french)| *french == path);
        let english = translated.map_or(path.as_str(), |(english, _)| english);
        if anchor.is_empty() {
            return Ok(english.to_owned());
        }
        let heading = if file.is_empty() {
            self.heading(anchor)
        } else {
            Page::read(&path, Language::English).heading(anchor)
        };
        let heading = heading.ok_or_else(|| format!("{address}: there is no such heading"))?;
        Ok(format!("{english}, heading {heading}"))
    }

    fn aims(&self, section: &Section) -> BTreeSet<String> {
        let aim = |address: &String| self.aim(address).unwrap_or_else(|fault| fault);
        section.links.iter().map(aim).collect()
    }
}

impl Section {
    fn new(lines: &[&str], language: Language) -> Self {
        let (blocks, prose) = blocks_and_prose(lines);
        let (code, rest) = code_and_rest(&prose);
        let marks = lines[0].len() - lines[0].trim_start_matches('#').len();
        Self {
            heading: lines[0][marks..].trim().to_owned(),
            level: marks,
            blocks,
            code: code.into_iter().collect(),
            numbers: numbers(&rest, language),
            rows: prose.lines().filter_map(cells).collect(),
            links: rest
                .split("](")
                .skip(1)
                .filter_map(|it| it.split_once(')'))
                .map(first)
                .collect(),
        }
    }
}

fn first(pair: (&str, &str)) -> String {
    pair.0.to_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines of each section; its heading is the first one.
fn split(page: &str) -> Vec<Vec<&str>> {
    let mut sections: Vec<Vec<&str>> = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && line.starts_with('#') {
            sections.push(Vec::new());
        }
        sections.last_mut().expect("a page begins with a heading").push(line);
    }
    sections
}

fn blocks_and_prose(lines: &[&str]) -> (Vec<String>, String) {
    let (mut blocks, mut prose) = (Vec::new(), String::new());
    let mut block: Option<String> = None;
    for line in lines {
        let fence = line.starts_with("```");
        match &mut block {
            None if fence => block = Some(format!("{line}\n")),
            None => prose = prose + line + "\n",
            Some(_) if fence => blocks.extend(block.take()),
            Some(text) if text.starts_with("```sh\n") => *text += &(without_words(line) + "\n"),
            Some(text) => *text = format!("{text}{line}\n"),
        }
    }
    assert_eq!(block, None, "a block without an end");
    (blocks, prose)
}

/// A shell command with its comment reduced to the comment sign.
fn without_words(line: &str) -> String {
    line.split_once(" #").map_or(line.to_owned(), |(command, _)| format!("{command} #"))
}

/// The texts in backticks, and the rest.
fn code_and_rest(prose: &str) -> (Vec<String>, String) {
    let (mut code, mut rest) = (Vec::new(), String::new());
    for (at, part) in prose.split('`').enumerate() {
        if at % 2 == 0 {
            rest += part;
        } else {
            code.push(part.replace('\n', " "));
            rest.push('`');
        }
    }
    (code, rest)
}

fn numbers(text: &str, language: Language) -> Vec<String> {
    let text = if language == Language::French { join_thousands(text) } else { text.to_owned() };
    let decimals = |number: &str| match language {
        Language::English => number.replace(',', ""),
        Language::French => number.replace(',', "."),
    };
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let trimmed = parts.map(|part| part.trim_matches(['.', ',']));
    let mut found: Vec<_> = trimmed.filter(|part| !part.is_empty()).map(decimals).collect();
    found.sort_unstable();
    found
}

/// `2 000` with a no-break space as `2000`.
fn join_thousands(text: &str) -> String {
    let parts: Vec<_> = text.split('\u{a0}').collect();
    let mut joined = parts[0].to_owned();
    for pair in parts.windows(2) {
        let digits = pair[1].chars().take_while(char::is_ascii_digit).count();
        if digits != 3 || !pair[0].ends_with(|c: char| c.is_ascii_digit()) {
            joined.push('\u{a0}');
        }
        joined += pair[1];
    }
    joined
}

/// Number of cells, if the line is a row of a table.
fn cells(line: &str) -> Option<usize> {
    line.starts_with('|').then(|| line.matches('|').count() - 1)
}

/// Anchor of a heading in addresses.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// A file that a page links to, relative to the root of the project.
fn beside(page: &str, file: &str) -> Result<String, String> {
    let folder = root().join(page);
    let path = folder.parent().expect("a folder").join(file);
    let whole = path.canonicalize().map_err(|_| format!("{file}: there is no such file"))?;
    let within = whole.strip_prefix(root().canonicalize().expect("a root"));
    let within = within.map_err(|_| format!("{file} is outside of the project"))?;
    Ok(within.to_str().expect("UTF-8").to_owned())
}

/// Differences between two pages; the first one of each section.
fn differences(english: &Page, french: &Page) -> Vec<String> {
    let levels = |page: &Page| page.sections.iter().map(|it| it.level).collect::<Vec<_>>();
    if let Some(fault) = unequal("levels of headings", &levels(english), &levels(french)) {
        return vec![format!("{}: {fault}", french.path)];
    }
    let pairs = english.sections.iter().zip(&french.sections);
    let faults = pairs.filter_map(|(ours, theirs)| {
        let fault = unequal("blocks", &ours.blocks, &theirs.blocks)
            .or_else(|| unequal("in backticks", &ours.code, &theirs.code))
            .or_else(|| unequal("cells of rows", &ours.rows, &theirs.rows))
            .or_else(|| unequal("numbers", &ours.numbers, &theirs.numbers))
            .or_else(|| unequal("links", &english.aims(ours), &french.aims(theirs)))?;
        Some(format!("{}: {}: {fault}", french.path, theirs.heading))
    });
    faults.collect()
}

fn unequal<T: PartialEq + Debug>(what: &str, english: &T, french: &T) -> Option<String> {
    (english != french).then(|| format!("{what}: English {english:?}, French {french:?}"))
}

/// Violations of French punctuation.
fn typography(path: &str, page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for lines in split(page) {
        let (_, prose) = blocks_and_prose(&lines);
        let (_, rest) = code_and_rest(&prose);
        let apostrophe = rest.contains('\'').then(|| "an apostrophe is ’".to_owned());
        let spaces = [" :", " ;", " ?", " !", " %", " »", "« "];
        let spaces = spaces.into_iter().filter(|mark| rest.contains(mark));
        let spaces = spaces.map(|mark| format!("the space of {mark:?} is a no-break space"));
        let found = apostrophe.into_iter().chain(spaces);
        faults.extend(found.map(|fault| format!("{path}: {}: {fault}", lines[0])));
    }
    faults
}

#[test]
fn french_pages_have_what_the_english_ones_have() {
    let pairs = PAGES.iter().map(|(english, french)| {
        (Page::read(english, Language::English), Page::read(french, Language::French))
    });
    let faults: Vec<_> =
        pairs.flat_map(|(english, french)| differences(&english, &french)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn french_pages_have_french_punctuation() {
    let faults: Vec<_> =
        PAGES.iter().flat_map(|(_, french)| typography(french, &read(french))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_french_page_translates_a_page() {
    let entries = fs::read_dir(root().join("docs/fr")).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let found: BTreeSet<_> =
        names.map(|name| format!("docs/fr/{}", name.into_string().expect("UTF-8"))).collect();
    assert_eq!(found, PAGES.iter().map(|(_, french)| (*french).to_owned()).collect());
}

#[test]
fn each_difference_is_found() {
    let english = "# Page\n\nSee `a b` [here](games.md).\n\n## More\n\n| 2,000 | 0.5 |\n\n\
                   ```sh\nrun x  # now\n```\n";
    let french = "# Page\n\nVoir `a\nb` [ici](jeux.md).\n\n## Plus\n\n| 2\u{a0}000 | 0,5 |\n\n\
                  ```sh\nrun x  # ici\n```\n";
    let of = |french: &str| {
        let english = Page::new("docs/class.md", english, Language::English);
        differences(&english, &Page::new("docs/fr/classe.md", french, Language::French))
    };
    assert_eq!(of(french), [""; 0]);
    let changes = [
        ("## Plus", "### Plus", "levels of headings"),
        ("`a\nb`", "`a c`", "in backticks"),
        ("run x", "run y", "blocks"),
        ("  # ici", "", "blocks"),
        ("| 0,5 |", "| 0,5 | |", "cells of rows"),
        ("0,5", "0,6", "numbers"),
        ("2\u{a0}000", "3\u{a0}000", "numbers"),
        ("(jeux.md)", "(../games.md)", "is translated"),
        ("(jeux.md)", "(elo.md)", "links"),
        ("(jeux.md)", "(jeux.md#rien)", "no such heading"),
        ("(jeux.md)", "(rien.md)", "no such file"),
    ];
    for (from, to, fault) in changes {
        let found = of(&french.replace(from, to));
        assert!(found.len() == 1 && found[0].contains(fault), "{from} -> {to}: {found:?}");
    }
}

#[test]
fn wrong_punctuation_is_found() {
    let page = "# L’un\n\n`l'a : b`\n\n```sh\nl'a : b\n```\n\n## L'autre : « oui »\n";
    let found = typography("page", page);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.iter().all(|fault| fault.starts_with("page: ## L'autre")), "{found:?}");
}
