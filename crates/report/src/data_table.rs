//! Data table that is written to a terminal or as CSV, JSON or Markdown.
//!
//! A column is defined in one place: its name in files, its title on the screen and its cells.
//! Every output format is made from that definition.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_core::i18n::{Fill, Lang, Message, said};
use pitmaster_core::json_text;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::csv_tables::{CsvForm, Sheet};
use super::table::{Align, Column, Table};

/// Version of the JSON form, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// A table value, in its form for files and its form for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    file: String,
    shown: Fill,
    is_number: bool,
}

/// Header of a column.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    name: Cow<'static, str>,
    title: Message,
    align: Align,
    importance: u8,
    on_screen: bool,
    in_files: bool,
}

/// A column: its header, and a function from a row's subject to the cell.
pub(super) struct Field<'a, T> {
    heading: Heading,
    cell: Box<dyn Fn(&T) -> Cell + 'a>,
}

/// A table: columns, rows with as many cells, and notes below it.
#[derive(Debug, Clone)]
pub struct Listing {
    kind: &'static str,
    headings: Vec<Heading>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<Message>,
    /// Indexes of requested columns. `None` for the default columns.
    wanted: Option<Vec<usize>>,
}

/// Header of a column in the reader's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head<'a> {
    /// Name in files.
    pub name: &'a str,
    /// Title for people.
    pub title: String,
    /// Whether its cells are right-aligned and sorted by value.
    pub is_number: bool,
    /// Whether it is shown by default.
    pub on_screen: bool,
}

/// A value in the reader's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'a> {
    /// Text for people.
    pub shown: String,
    /// Text in files: numbers with a decimal point, empty if unknown.
    pub file: &'a str,
}

/// Requested columns that a table does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct UnknownColumns {
    unknown: Vec<String>,
    known: Vec<String>,
}

impl Cell {
    /// Text that is safe to show.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let file = text.into();
        Self { shown: Fill::Text(file.clone()), file, is_number: false }
    }

    /// A number, displayed as in files.
    #[expect(clippy::needless_pass_by_value, reason = "numbers are copied, and read better so")]
    pub(super) fn number(number: impl ToString) -> Self {
        Self { is_number: true, ..Self::text(number.to_string()) }
    }

    /// Empty cell, for an unknown or inapplicable value.
    pub(super) fn nothing() -> Self {
        Self::text("")
    }

    /// The same cell with a different display text.
    #[must_use]
    pub(super) fn shown(self, text: impl Into<Fill>) -> Self {
        Self { shown: text.into(), ..self }
    }

    /// Text of the cell in a language.
    fn to(&self, lang: Lang) -> String {
        let shown = self.shown.to(lang);
        if self.is_number { lang.number(&shown) } else { shown }
    }

    fn json(&self) -> Value {
        match serde_json::from_str(&self.file) {
            _ if self.file.is_empty() => Value::Null,
            Ok(number) if self.is_number => number,
            _ => Value::String(self.file.clone()),
        }
    }
}

impl Heading {
    /// Makes a column of numbers: its name in files, its title on the screen, and its importance
    /// there.
    pub(super) fn number(name: &'static str, title: Message, importance: u8) -> Self {
        Self::new(name, title, Align::Right, importance)
    }

    /// Makes a column of text.
    pub(super) fn text(name: &'static str, title: Message, importance: u8) -> Self {
        Self::new(name, title, Align::Left, importance)
    }

    /// Makes a column of numbers for one bot: its name in files, and a short title for tables with
    /// many columns.
    pub(super) fn of_bot(name: String, title: u32) -> Self {
        Self::new(name, said!("{}", title), Align::Right, 9)
    }

    fn new(
        name: impl Into<Cow<'static, str>>,
        title: Message,
        align: Align,
        importance: u8,
    ) -> Self {
        Self { name: name.into(), title, align, importance, on_screen: true, in_files: true }
    }

    /// Column as shown in a language.
    fn column(&self, lang: Lang) -> Column {
        let Self { align, importance, .. } = *self;
        Column { title: self.title.to(lang).into(), align, importance }
    }

    /// The same column, only in files unless requested.
    #[must_use]
    pub(super) fn in_files(self) -> Self {
        Self { on_screen: false, ..self }
    }

    /// The same column, only on screen unless requested.
    #[must_use]
    pub(super) fn on_screen(self) -> Self {
        Self { in_files: false, ..self }
    }

    /// The same column, hidden unless requested.
    #[must_use]
    pub(super) fn if_asked(self) -> Self {
        Self { on_screen: false, in_files: false, ..self }
    }

    /// The same column, on screen only if `seen` or requested.
    #[must_use]
    pub(super) fn on_screen_if(self, seen: bool) -> Self {
        Self { on_screen: seen, ..self }
    }
}

impl<'a, T> Field<'a, T> {
    pub(super) fn new(heading: Heading, cell: impl Fn(&T) -> Cell + 'a) -> Self {
        Self { heading, cell: Box::new(cell) }
    }
}

impl Listing {
    /// A table of that kind, with one row per item.
    pub(super) fn new<'t, T: 't>(
        kind: &'static str,
        fields: Vec<Field<'_, T>>,
        things: impl IntoIterator<Item = &'t T>,
        notes: Vec<Message>,
    ) -> Self {
        let row = |thing: &T| fields.iter().map(|field| (field.cell)(thing)).collect();
        let rows = things.into_iter().map(row).collect();
        let headings = fields.into_iter().map(|field| field.heading).collect();
        Self { kind, headings, rows, notes, wanted: None }
    }

    /// Restricts the table to these columns, in this order, in every form.
    ///
    /// # Errors
    /// The columns that it does not have.
    pub fn select(self, columns: &[String]) -> Result<Self, UnknownColumns> {
        let place = |column: &String| self.headings.iter().position(|h| h.name == *column);
        let unknown: Vec<_> = columns.iter().filter(|c| place(c).is_none()).cloned().collect();
        if !unknown.is_empty() {
            let known = self.headings.iter().map(|heading| heading.name.to_string()).collect();
            return Err(UnknownColumns { unknown, known });
        }
        let wanted = Some(columns.iter().filter_map(place).collect());
        Ok(Self { wanted, ..self })
    }

    /// Adds a row. `cell` maps a column's name in files to its cell.
    pub(super) fn add_row(&mut self, cell: impl Fn(&str) -> Cell) {
        self.rows.push(self.headings.iter().map(|heading| cell(&heading.name)).collect());
    }

    /// Adds a note below the table.
    pub fn note(&mut self, note: Message) {
        self.notes.push(note);
    }

    /// Columns, for a page.
    pub fn heads(&self, lang: Lang) -> Vec<Head<'_>> {
        let heads = self.headings.iter().map(|heading| Head {
            name: &heading.name,
            title: heading.title.to(lang),
            is_number: heading.align == Align::Right,
            on_screen: heading.on_screen,
        });
        heads.collect()
    }

    /// Rows, with a cell for each of [`Listing::heads`].
    pub fn rows<'a>(&'a self, lang: Lang) -> impl Iterator<Item = Vec<Shown<'a>>> {
        let shown = move |row: &'a Vec<Cell>| {
            row.iter().map(|cell| Shown { shown: cell.to(lang), file: &cell.file }).collect()
        };
        self.rows.iter().map(shown)
    }

    /// Notes below the table.
    pub fn notes(&self, lang: Lang) -> impl Iterator<Item = String> {
        self.notes.iter().map(move |note| note.to(lang))
    }

    /// Formats the table for a terminal of that many columns. If the space is insufficient, columns
    /// that were not requested are left out. Notes follow. Ends with a line feed.
    pub fn render(&self, width: usize, lang: Lang) -> String {
        let places = self.places(|heading| heading.on_screen);
        let column = |&place: &usize| {
            let column = self.headings[place].column(lang);
            let importance = if self.wanted.is_some() { 9 } else { column.importance };
            Column { importance, ..column }
        };
        let mut table = Table::new(places.iter().map(column).collect());
        for row in &self.rows {
            table.row(places.iter().map(|&place| row[place].to(lang)).collect());
        }
        self.notes.iter().fold(table.render(width), |text, note| text + &note.to(lang) + "\n")
    }

    /// Writes the table as CSV.
    pub fn csv(&self, form: CsvForm, out: impl Write) -> io::Result<()> {
        let places = self.places(|heading| heading.in_files);
        let names = places.iter().map(|&place| &*self.headings[place].name);
        let mut sheet = Sheet::in_form(form, out, names)?;
        for row in &self.rows {
            for cell in places.iter().map(|&place| &row[place]) {
                if cell.is_number { sheet.number(&cell.file)? } else { sheet.text(&cell.file)? }
            }
            sheet.end_row()?;
        }
        sheet.finish()
    }

    /// Writes the table as one JSON object: `version`, `table`, `title`, `rows`, each an object
    /// with the columns of the CSV form, and `notes`. Always in English.
    pub fn json(&self, title: &str, mut out: impl Write) -> io::Result<()> {
        let places = self.places(|heading| heading.in_files);
        let rows = self.rows.iter().map(|cells| JsonRow { listing: self, places: &places, cells });
        let document = Document {
            version: VERSION,
            table: self.kind,
            title,
            rows: rows.collect(),
            notes: self.notes.iter().map(ToString::to_string).collect(),
        };
        writeln!(out, "{}", json_text(&document)?)
    }

    /// Writes the table as Markdown, with the notes below it.
    pub fn markdown(&self, title: &str, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
        if !title.is_empty() {
            writeln!(out, "**{}**\n", escaped(title))?;
        }
        let places = self.places(|heading| heading.on_screen);
        let columns: Vec<_> =
            places.iter().map(|&place| self.headings[place].column(lang)).collect();
        markdown_line(out, columns.iter().map(|column| escaped(&column.title)))?;
        markdown_line(out, columns.iter().map(|column| rule(column.align).to_owned()))?;
        for row in &self.rows {
            markdown_line(out, places.iter().map(|&place| escaped(&row[place].to(lang))))?;
        }
        self.notes.iter().try_for_each(|note| write!(out, "\n{}\n", escaped(&note.to(lang))))
    }

    fn places(&self, is_in: impl Fn(&Heading) -> bool) -> Vec<usize> {
        let usual = || (0..self.headings.len()).filter(|&place| is_in(&self.headings[place]));
        self.wanted.clone().unwrap_or_else(|| usual().collect())
    }
}

/// The order of the fields is the order in the file.
#[derive(serde::Serialize)]
struct Document<'a> {
    version: u32,
    table: &'a str,
    title: &'a str,
    rows: Vec<JsonRow<'a>>,
    notes: Vec<String>,
}

struct JsonRow<'a> {
    listing: &'a Listing,
    places: &'a [usize],
    cells: &'a [Cell],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.places.len()))?;
        for &place in self.places {
            map.serialize_entry(&self.listing.headings[place].name, &self.cells[place].json())?;
        }
        map.end()
    }
}

fn markdown_line(out: &mut dyn Write, mut cells: impl Iterator<Item = String>) -> io::Result<()> {
    cells.try_for_each(|cell| write!(out, "| {cell} "))?;
    out.write_all(b"|\n")
}

const fn rule(align: Align) -> &'static str {
    match align {
        Align::Left => ":--",
        Align::Right => "--:",
    }
}

/// Escapes text for Markdown. A `_` inside a word needs no escape.
fn escaped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let in_word = |at: usize| chars.get(at).is_some_and(|c| c.is_alphanumeric());
    let mut escaped = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let is_sign = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' => true,
            '_' => !(at > 0 && in_word(at - 1) && in_word(at + 1)),
            '#' => at == 0 && chars.len() > 1,
            _ => false,
        };
        if is_sign {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

impl fmt::Display for UnknownColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in &self.unknown {
            let meant = did_you_mean(column, self.known.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            writeln!(f, "there is no column {column:?}{meant}")?;
        }
        write!(f, "this table has {}", self.known.join(", "))
    }
}

impl<T> fmt::Debug for Field<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("heading", &self.heading).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::csv;
    use super::*;

    fn example() -> Listing {
        let fields = vec![
            Field::new(Heading::text("bot", said!("bot"), 9), |(name, _): &(&str, f64)| {
                Cell::text(*name)
            }),
            Field::new(Heading::number("rate", said!("win rate"), 4), |(_, rate)| {
                let shown = format!("{:.0} %", rate * 100.0);
                Cell::number(format!("{rate:.4}")).shown(shown)
            }),
            Field::new(Heading::text("kind", said!("kind"), 1).in_files(), |_| Cell::nothing()),
        ];
        let rows = [("Élise | *x*", 0.5), ("my_bot", -0.25)];
        Listing::new("example", fields, &rows, vec![said!("> {}", "at least.")])
    }

    fn wanted(columns: &[&str]) -> Result<Listing, UnknownColumns> {
        let columns: Vec<_> = columns.iter().map(|&column| column.to_owned()).collect();
        example().select(&columns)
    }

    fn json(listing: &Listing) -> String {
        csv(|out| listing.json("The cup", out))
    }

    fn markdown(listing: &Listing) -> String {
        csv(|out| listing.markdown("The cup", Lang::English, out))
    }

    #[test]
    fn one_table_has_four_forms() {
        insta::assert_snapshot!(example().render(80, Lang::English), @"
        bot          win rate
        Élise | *x*      50 %
        my_bot          -25 %
        > at least.
        ");
        insta::assert_snapshot!(csv(|out| example().csv(CsvForm::Plain, out)), @"
        bot,rate,kind
        Élise | *x*,0.5000,
        my_bot,-0.2500,
        ");
        insta::assert_snapshot!(csv(|out| example().csv(CsvForm::ExcelFr, out)), @"
        ﻿bot;rate;kind
        Élise | *x*;0,5000;
        my_bot;-0,2500;
        ");
        insta::assert_snapshot!(json(&example()), @r#"
        {
          "version": 1,
          "table": "example",
          "title": "The cup",
          "rows": [
            {
              "bot": "Élise | *x*",
              "rate": 0.5,
              "kind": null
            },
            {
              "bot": "my_bot",
              "rate": -0.25,
              "kind": null
            }
          ],
          "notes": [
            "> at least."
          ]
        }
        "#);
        insta::assert_snapshot!(markdown(&example()), @r"
        **The cup**

        | bot | win rate |
        | :-- | --: |
        | Élise \| \*x\* | 50 % |
        | my_bot | -25 % |

        \> at least.
        ");
    }

    #[test]
    fn a_page_has_its_heads_cells_and_notes() {
        let listing = example();
        let heads = listing.heads(Lang::French);
        let seen: Vec<_> = heads
            .iter()
            .map(|head| (head.name, &*head.title, head.is_number, head.on_screen))
            .collect();
        assert_eq!(
            seen,
            [
                ("bot", "bot", false, true),
                ("rate", "% victoires", true, true),
                ("kind", "kind", false, false)
            ]
        );
        let rows: Vec<_> = listing.rows(Lang::French).collect();
        assert_eq!(rows[1][0], Shown { shown: "my_bot".into(), file: "my_bot" });
        assert_eq!(rows[1][1], Shown { shown: "-25 %".into(), file: "-0.2500" });
        assert_eq!(listing.notes(Lang::French).collect::<Vec<_>>(), ["> at least."]);
    }

    #[test]
    fn columns_that_are_asked_for_stand_in_every_form_in_that_order() {
        let listing = wanted(&["kind", "bot"]).unwrap();
        insta::assert_snapshot!(listing.render(3, Lang::English), @"
        kind  bot
              Élise | *x*
              my_bot
        > at least.
        ");
        insta::assert_snapshot!(csv(|out| listing.csv(CsvForm::Plain, out)), @"
        kind,bot
        ,Élise | *x*
        ,my_bot
        ");
        assert!(json(&listing).contains("\"kind\": null,\n      \"bot\": \"my_bot\""));
        insta::assert_snapshot!(markdown(&listing), @r"
        **The cup**

        | kind | bot |
        | :-- | :-- |
        |  | Élise \| \*x\* |
        |  | my_bot |

        \> at least.
        ");
    }

    #[test]
    fn all_unknown_columns_are_told() {
        let fault = wanted(&["bots", "rate", "colour"]).unwrap_err();
        insta::assert_snapshot!(fault, @r#"
        there is no column "bots"; did you mean bot?
        there is no column "colour"
        this table has bot, rate, kind
        "#);
    }
}
