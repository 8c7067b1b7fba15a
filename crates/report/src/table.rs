//! Terminal tables, aligned and fitted to the available width.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Number of spaces between two columns.
const GAP: usize = 2;
/// Minimum width of a text column.
const NARROWEST: usize = 12;

/// Alignment of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left, for text.
    Left,
    /// Right, for numbers.
    Right,
}

/// Header of a column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Title of the column.
    pub title: Cow<'static, str>,
    /// Alignment of its cells.
    pub align: Align,
    /// Importance. If space is insufficient, the least important columns are left out first.
    /// Columns of importance 9 are always shown.
    pub importance: u8,
}

/// A table of text cells, row by row.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Column {
    /// A column of numbers.
    pub const fn number(title: &'static str, importance: u8) -> Self {
        Self { title: Cow::Borrowed(title), align: Align::Right, importance }
    }

    /// A column of text.
    pub const fn text(title: &'static str, importance: u8) -> Self {
        Self { title: Cow::Borrowed(title), align: Align::Left, importance }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row with as many cells as there are columns. Each cell is one line of text that is
    /// safe to show.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Formats the table in at most `width` terminal columns, if possible. Texts are cut and, if
    /// that is not enough, the least important columns are left out. Every line ends with a line
    /// feed.
    pub fn render(&self, width: usize) -> String {
        let (kept, widths) = self.layout(width);
        let titles: Vec<_> = self.columns.iter().map(|column| column.title.to_string()).collect();
        let lines = std::iter::once(&titles).chain(&self.rows);
        lines.map(|cells| self.line(cells, &kept, &widths)).collect()
    }

    fn layout(&self, width: usize) -> (Vec<usize>, Vec<usize>) {
        let mut kept: Vec<_> = (0..self.columns.len()).collect();
        let mut widths: Vec<_> = kept.iter().map(|&c| self.width_of(c)).collect();
        let is_text = |c: usize| self.columns[c].align == Align::Left;
        let narrowest = |&c: &usize| if is_text(c) { NARROWEST.min(widths[c]) } else { widths[c] };
        let least: Vec<_> = kept.iter().map(narrowest).collect();
        let total = |kept: &[usize], widths: &[usize]| {
            kept.iter().map(|&c| widths[c] + GAP).sum::<usize>().saturating_sub(GAP)
        };
        while total(&kept, &least) > width {
            let droppable = kept.iter().copied().filter(|&c| self.columns[c].importance < 9);
            let Some(next) = droppable.min_by_key(|&c| self.columns[c].importance) else { break };
            kept.retain(|&c| c != next);
        }
        let mut excess = total(&kept, &widths).saturating_sub(width);
        for &c in kept.iter().filter(|&&c| is_text(c)) {
            let cut = excess.min(widths[c] - least[c]);
            widths[c] -= cut;
            excess -= cut;
        }
        (kept, widths)
    }

    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].width());
        cells.chain([self.columns[column].title.width()]).max().unwrap_or(0)
    }

    fn line(&self, cells: &[String], kept: &[usize], widths: &[usize]) -> String {
        let mut line = String::new();
        for (place, &c) in kept.iter().enumerate() {
            let cell = fit_width(&cells[c], widths[c]);
            let space = " ".repeat(widths[c].saturating_sub(cell.width()));
            if place > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            match self.columns[c].align {
                Align::Left => line.extend([cell.as_str(), space.as_str()]),
                Align::Right => line.extend([space.as_str(), cell.as_str()]),
            }
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    }
}

/// The text, cut with `…` if it is wider than `width` terminal columns.
pub fn fit_width(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut left = width.saturating_sub(1);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if wide > left {
            break;
        }
        left -= wide;
        cut.push(c);
    }
    if width > 0 {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let columns =
            vec![Column::text("name", 9), Column::number("games", 1), Column::number("Elo", 5)];
        let mut table = Table::new(columns);
        table.row(vec!["a-rather-long-name".into(), "12".into(), "1500".into()]);
        table.row(vec!["名前".into(), "7".into(), ">1612".into()]);
        table
    }

    #[test]
    fn numbers_stand_at_the_right() {
        insta::assert_snapshot!(example().render(80), @"
        name                games    Elo
        a-rather-long-name     12   1500
        名前                    7  >1612
        ");
    }

    #[test]
    fn text_is_cut_first() {
        insta::assert_snapshot!(example().render(27), @"
        name           games    Elo
        a-rather-lon…     12   1500
        名前               7  >1612
        ");
    }

    #[test]
    fn then_the_least_important_column_goes() {
        insta::assert_snapshot!(example().render(25), @"
        name                  Elo
        a-rather-long-name   1500
        名前                >1612
        ");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(fit_width("名前です", 5), "名前…");
        assert_eq!(fit_width("名前です", 8), "名前です");
        assert_eq!(fit_width("ab", 0), "");
    }
}
