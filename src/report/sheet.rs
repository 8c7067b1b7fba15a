//! CSV that is safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

/// Characters that make a spreadsheet run a cell as a formula when it starts with one,
/// their full-width forms included.
const STARTS_FORMULA: &[char] = &['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// How much of a text a cell shows, in characters.
pub(super) const LONGEST: usize = 300;

/// A CSV file, row by row.
#[derive(Debug)]
pub(crate) struct Sheet<W: Write>(csv::Writer<W>);

impl<W: Write> Sheet<W> {
    /// Starts with the names of the columns.
    pub(crate) fn new<'a>(out: W, columns: impl IntoIterator<Item = &'a str>) -> io::Result<Self> {
        let mut sheet = Self(csv::Writer::from_writer(out));
        columns.into_iter().try_for_each(|column| sheet.text(column))?;
        sheet.end_row()?;
        Ok(sheet)
    }

    /// A cell of text. One that a spreadsheet would run gets an apostrophe in front.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.0.write_field(neutral(text).as_bytes())?)
    }

    /// A cell of a number that was formatted here, so that a sign may stand in front.
    #[expect(clippy::needless_pass_by_value, reason = "numbers are copied, and read better so")]
    pub(crate) fn number(&mut self, number: impl ToString) -> io::Result<()> {
        Ok(self.0.write_field(number.to_string())?)
    }

    /// A number, or an empty cell.
    pub(crate) fn maybe(&mut self, number: Option<impl ToString>) -> io::Result<()> {
        let text = number.map(|number| number.to_string()).unwrap_or_default();
        Ok(self.0.write_field(text)?)
    }

    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        Ok(self.0.write_record(None::<&[u8]>)?)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.0.flush()
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
