//! CSV writer whose output is safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

/// Characters that make a spreadsheet run a cell that begins with one as a formula, including their
/// full-width forms.
const STARTS_FORMULA: &[char] = &['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Maximum length of text in a cell, in characters.
pub(super) const LONGEST: usize = 300;

/// CSV dialect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CsvForm {
    /// Comma-separated cells and decimal points, for programs.
    #[default]
    Plain,
    /// Form for French versions of Excel: a byte order mark, semicolons between cells, decimal
    /// commas.
    ExcelFr,
}

/// A CSV writer, row by row.
#[derive(Debug)]
pub struct Sheet<W: Write> {
    csv: csv::Writer<W>,
    form: CsvForm,
}

impl<W: Write> Sheet<W> {
    /// Creates a file with this header.
    pub fn new<'a>(out: W, columns: impl IntoIterator<Item = &'a str>) -> io::Result<Self> {
        Self::in_form(CsvForm::Plain, out, columns)
    }

    /// Creates a file in a given CSV dialect.
    pub(crate) fn in_form<'a>(
        form: CsvForm,
        mut out: W,
        columns: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Self> {
        let separator = match form {
            CsvForm::Plain => b',',
            CsvForm::ExcelFr => {
                out.write_all("\u{feff}".as_bytes())?;
                b';'
            }
        };
        let csv = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        let mut sheet = Self { csv, form };
        columns.into_iter().try_for_each(|column| sheet.text(column))?;
        sheet.end_row()?;
        Ok(sheet)
    }

    /// Writes a cell of text. A cell that a spreadsheet would evaluate gets a leading apostrophe.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.csv.write_field(neutral(text).as_bytes())?)
    }

    /// Writes a cell with a number formatted by this program, which may have a sign.
    #[expect(clippy::needless_pass_by_value, reason = "numbers are copied, and read better so")]
    pub fn number(&mut self, number: impl ToString) -> io::Result<()> {
        let text = number.to_string();
        let text = match self.form {
            CsvForm::Plain => text,
            CsvForm::ExcelFr => text.replace('.', ","),
        };
        Ok(self.csv.write_field(text)?)
    }

    /// Writes a number, or an empty cell.
    pub fn maybe(&mut self, number: Option<impl ToString>) -> io::Result<()> {
        self.number(number.map(|number| number.to_string()).unwrap_or_default())
    }

    /// Ends the row.
    pub fn end_row(&mut self) -> io::Result<()> {
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    /// Writes all buffered data.
    pub fn finish(mut self) -> io::Result<()> {
        self.csv.flush()
    }
}

fn neutral(text: &str) -> Cow<'_, str> {
    if text.starts_with(STARTS_FORMULA) { format!("'{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_neutralised_and_numbers_are_not() {
        let mut bytes = Vec::new();
        let mut sheet = Sheet::new(&mut bytes, ["a", "b", "c"]).unwrap();
        for text in ["=HYPERLINK(\"http://x\",\"y\")", "@SUM(A1)", "\tx", "＝1", "a=b", ","] {
            sheet.text(text).unwrap();
            sheet.number(-1).unwrap();
            sheet.maybe(None::<u8>).unwrap();
            sheet.end_row().unwrap();
        }
        sheet.finish().unwrap();
        insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
        a,b,c
        "'=HYPERLINK(""http://x"",""y"")",-1,
        '@SUM(A1),-1,
        '	x,-1,
        '＝1,-1,
        a=b,-1,
        ",",-1,
        "#);
    }

    #[test]
    fn a_french_excel_reads_it_by_a_double_click() {
        let mut bytes = Vec::new();
        let mut sheet = Sheet::in_form(CsvForm::ExcelFr, &mut bytes, ["bot", "Elo"]).unwrap();
        for (bot, elo) in [("Élise, 2.0", -12.5), ("a;b", 1500.0)] {
            sheet.text(bot).unwrap();
            sheet.number(format!("{elo:.1}")).unwrap();
            sheet.end_row().unwrap();
        }
        sheet.finish().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "\u{feff}bot;Elo\nÉlise, 2.0;-12,5\n\"a;b\";1500,0\n");
    }

    proptest! {
        #[test]
        fn no_text_becomes_a_formula_and_none_is_lost(text in "[=+@\\-\t\r\n＝ -~]{0,6}") {
            let mut bytes = Vec::new();
            let mut sheet = Sheet::new(&mut bytes, ["text", "end"]).unwrap();
            sheet.text(&text).unwrap();
            sheet.number(1).unwrap();
            sheet.end_row().unwrap();
            sheet.finish().unwrap();
            let row = csv::Reader::from_reader(&bytes[..]).records().next().unwrap().unwrap();
            prop_assert!(!row[0].starts_with(STARTS_FORMULA));
            prop_assert!(row[0] == text || row[0][1..] == text);
            prop_assert_eq!(&row[1], "1");
        }
    }
}
