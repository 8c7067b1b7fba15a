//! Parser from file text to tree: TOML, or JSON followed by the text section.

use pitmaster_core::config::{self, Entry, Kind, Node};
use pitmaster_core::diagnostics::Diagnostics;

use super::json;

/// Maximum number of lines of a JSON file.
const LINES: usize = 200;
/// Maximum number of characters of a JSON file before its text section.
const CHARACTERS: usize = 4000;
/// Maximum size of any file, in bytes.
const BYTES: usize = 1 << 16;
/// Tag that opens the text section, and the key of its text.
const SECTION: &str = "<text_section>";

/// Syntax of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Toml,
}

impl Form {
    /// JSON starts with a brace; TOML cannot.
    pub(super) fn of(text: &str) -> Self {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with('{') { Self::Json } else { Self::Toml }
    }
}

/// Parses the tree. Unreadable parts are reported as findings and left out.
pub(super) fn read(text: &str, findings: &mut Diagnostics<'_>) -> Node {
    if text.len() > BYTES {
        findings.syntax(BYTES, format!("the file is too long; it has at most {BYTES} bytes"));
        return Node::EMPTY;
    }
    match Form::of(text) {
        Form::Json => read_json(text, findings),
        Form::Toml => config::read_toml(text, findings),
    }
}

fn read_json(text: &str, findings: &mut Diagnostics<'_>) -> Node {
    if let Some((at, _)) = text.match_indices('\n').nth(LINES - 1)
        && at + 1 < text.len()
    {
        findings.fault_at(
            at + 1,
            "",
            format!("the file is too long; it has at most {LINES} lines"),
        );
    }
    let json = match json::read(text) {
        Ok(json) => json,
        Err(broken) => {
            findings.syntax(broken.at, broken.message);
            return Node::EMPTY;
        }
    };
    for (key, at) in json.twice {
        findings.fault_at(at, &key, "stands twice in the same table; write it once");
    }
    if let Some((at, _)) = text[..json.end].char_indices().nth(CHARACTERS) {
        let much = "it has at most";
        findings.fault_at(at, "", format!("too much JSON; {much} {CHARACTERS} characters"));
    }
    let mut root = json.root;
    let tags = read_tags(text, json.end, findings);
    put_texts(&mut root, &tags, findings);
    root
}

/// A text of the text section, by its tag.
type Tag = (String, String);

/// Texts after the JSON: `<tag>` and `</tag>` each on a line of its own.
fn read_tags(text: &str, start: usize, findings: &mut Diagnostics<'_>) -> Vec<Tag> {
    let rest = &text[start..];
    if rest.trim().is_empty() {
        return Vec::new();
    }
    let mut lines = rest.split_inclusive('\n').scan(start, |at, line| {
        let here = *at;
        *at += line.len();
        Some((here, line.trim_end_matches(['\n', '\r'])))
    });
    match lines.next() {
        Some((_, line)) if line.trim() == SECTION => {}
        _ => {
            let message = format!("only {SECTION} can follow the JSON, on a line of its own");
            findings.fault_at(start, "", message);
            return Vec::new();
        }
    }
    let mut tags: Vec<Tag> = Vec::new();
    let mut open: Option<(usize, String, Vec<&str>)> = None;
    for (at, line) in lines {
        open = match (open.take(), tag_of(line)) {
            (None, Some("/text_section")) => return tags,
            (None, Some(tag)) => Some((at, tag.to_owned(), Vec::new())),
            (None, None) => {
                if !line.trim().is_empty() {
                    findings.fault_at(at, "", "stands outside of every tag; put it into one");
                }
                None
            }
            (Some((_, name, lines)), Some(tag)) if tag.strip_prefix('/') == Some(&*name) => {
                tags.push((name, lines.join("\n")));
                None
            }
            (Some((at, name, mut lines)), _) => {
                lines.push(line);
                Some((at, name, lines))
            }
        };
    }
    let (at, name) = open.map_or((start, "text_section".into()), |(at, name, _)| (at, name));
    findings.fault_at(at, &name, format!("is never closed; write </{name}> on a line of its own"));
    tags
}

/// The tag that a line is, without its brackets. Lines with markup tags are text.
fn tag_of(line: &str) -> Option<&str> {
    let tag = line.trim().strip_prefix('<')?.strip_suffix('>')?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let marks_up = ["pre", "ol", "ul", "li"].contains(&name);
    (!marks_up && !name.is_empty() && !name.contains(['<', '>'])).then_some(tag)
}

/// Puts the texts in place of `<text_section>`: under `game_info.about`, and under keys of the file
/// that hold texts.
fn put_texts(root: &mut Node, tags: &[Tag], findings: &mut Diagnostics<'_>) {
    let Kind::Table(entries) = &mut root.kind else { return };
    for entry in entries {
        if let ("game_info", Kind::Table(inner)) = (&*entry.key, &mut entry.node.kind) {
            let about = inner.iter_mut().filter(|inner| inner.key == "about");
            about.for_each(|about| put_text(about, tags, findings));
        }
        put_text(entry, tags, findings);
    }
}

fn put_text(entry: &mut Entry, tags: &[Tag], findings: &mut Diagnostics<'_>) {
    if entry.node.text() != Some(SECTION) {
        return;
    }
    match tags.iter().find(|(tag, _)| *tag == entry.key) {
        Some((_, text)) => entry.node.kind = Kind::Text(text.clone()),
        None => {
            let message = format!("the text section has no <{}>", entry.key);
            findings.fault_at(entry.node.at, &entry.key, message);
        }
    }
}
