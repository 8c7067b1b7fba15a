//! Translation of Markdown pages. Headings, cells, items and paragraphs are the messages, code
//! spans fill their placeholders, and fenced blocks stay unchanged.

use std::iter::Peekable;
use std::str::Lines;

use super::Lang;
use super::message::{Fill, filled};
use super::wrap::wrap;

/// Page width in columns.
const WIDTH: usize = 100;

/// Block of a page.
#[derive(Debug, PartialEq, Eq)]
enum Block<'a> {
    /// Line that is the same in every language.
    Line(&'a str),
    /// Cells of a table row.
    Row(Vec<&'a str>),
    /// Text of any number of lines after a marker: `## `, `- `, `1. `, or none.
    Text(&'a str, String),
}

/// Renders a page in a language.
pub fn page(markdown: &str, lang: Lang) -> String {
    if lang == Lang::English {
        return markdown.to_owned();
    }
    blocks(markdown).iter().map(|block| block.to(lang)).collect()
}

/// Messages of a page, as catalogs contain them.
pub fn sentences(markdown: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for block in blocks(markdown) {
        match block {
            Block::Line(_) => {}
            Block::Row(cells) => sentences.extend(cells.into_iter().map(|cell| split(cell).0)),
            Block::Text(_, text) => sentences.push(split(&text).0),
        }
    }
    sentences
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut lines = markdown.lines().peekable();
    let (mut blocks, mut is_fenced) = (Vec::new(), false);
    while let Some(line) = lines.next() {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        blocks.push(if is_fenced || is_fence || line.is_empty() || line.starts_with("|--") {
            Block::Line(line)
        } else if let Some(row) = line.strip_prefix('|') {
            Block::Row(row.trim_end_matches('|').split('|').map(str::trim).collect())
        } else {
            text(line, &mut lines)
        });
    }
    blocks
}

/// Text with its continuation lines.
fn text<'a>(line: &'a str, lines: &mut Peekable<Lines<'a>>) -> Block<'a> {
    let (sign, first) = line.split_at(sign(line));
    let mut text = first.to_owned();
    while !sign.starts_with('#')
        && let Some(next) = lines.next_if(|next| goes_on(next))
    {
        text.push(' ');
        text.push_str(next.trim_start());
    }
    Block::Text(sign, text)
}

/// Whether a line continues the preceding text.
fn goes_on(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('|') && !line.starts_with("```") && sign(line) == 0
}

/// Length of the marker before a heading's or an item's text.
fn sign(line: &str) -> usize {
    let Some((sign, _)) = line.split_once(' ') else { return 0 };
    let number = sign.strip_suffix('.').unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_heading = !sign.is_empty() && sign.bytes().all(|byte| byte == b'#');
    if sign == "-" || is_number || is_heading { sign.len() + 1 } else { 0 }
}

impl Block<'_> {
    fn to(&self, lang: Lang) -> String {
        match self {
            Self::Line(line) => format!("{line}\n"),
            Self::Row(cells) => {
                let cells: Vec<_> = cells.iter().map(|cell| translated(cell, lang)).collect();
                format!("| {} |\n", cells.join(" | "))
            }
            Self::Text(sign, text) => {
                let indent = " ".repeat(sign.len());
                let lines = wrap(&translated(text, lang), WIDTH - sign.len());
                let before = |place| if place == 0 { sign } else { &*indent };
                let lines = lines.iter().enumerate();
                lines.map(|(place, line)| format!("{}{line}\n", before(place))).collect()
            }
        }
    }
}

fn translated(text: &str, lang: Lang) -> String {
    let (message, code) = split(text);
    filled(lang.text(&message), &code, lang)
}

/// Text with `{}` for each code span, and the code spans with their backticks.
fn split(text: &str) -> (String, Vec<Fill>) {
    let (mut message, mut code) = (String::new(), Vec::new());
    for (place, part) in text.split('`').enumerate() {
        if place % 2 == 0 {
            message.push_str(part);
        } else {
            message.push_str("{}");
            code.push(Fill::Text(format!("`{part}`")));
        }
    }
    (message, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# A bot in C

It is `in
two` lines,
`and` more.

| file | what |
|---|---|
| `a`, `b` | {} of {} |

- an item
  on two lines
1. a number

```sh
# it is fenced
pitmaster check my-bot
```
";

    #[test]
    fn a_page_falls_into_its_sentences() {
        assert_eq!(
            sentences(PAGE),
            [
                "A bot in C",
                "It is {} lines, {} more.",
                "file",
                "what",
                "{}, {}",
                "{} of {}",
                "an item on two lines",
                "a number"
            ]
        );
    }

    #[test]
    fn what_has_no_row_stays_as_it_is() {
        assert_eq!(page(PAGE, Lang::English), PAGE);
        insta::assert_snapshot!(page(PAGE, Lang::French), @"
        # Un bot en C

        It is `in two` lines, `and` more.

        | fichier | quoi |
        |---|---|
        | `a`, `b` |  sur  |

        - an item on two lines
        1. a number

        ```sh
        # it is fenced
        pitmaster check my-bot
        ```
        ");
    }
}
