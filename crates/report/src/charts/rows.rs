//! Row layout shared by charts with one row per bot: names at the left, a plot, figures at the
//! right, an axis below.

use pitmaster_core::i18n::Lang;

use super::scale::{Scale, tick_label};
use super::{Chart, Head, WIDTH};
use crate::names::Names;
use crate::svg::{Element, Picture, TEXT, shortened, width_of};

/// Maximum width of a name.
const NAME: f64 = 140.0;
/// Space above the first row, and below the last one for the axis and its labels.
const ABOVE: f64 = 6.0;
const BELOW: f64 = 40.0;

/// A chart that is being drawn.
#[derive(Debug)]
pub(super) struct Rows {
    head: Head,
    pub(super) picture: Picture,
    count: usize,
    row: f64,
    left: f64,
    right: f64,
}

impl Rows {
    /// Makes rows with these names, and figures of this width.
    pub(super) fn new<'n>(
        head: Head,
        names: impl ExactSizeIterator<Item = &'n str>,
        figures: f64,
    ) -> Self {
        let count = names.len();
        let row = match count {
            0..=40 => 20.0,
            41..=120 => 17.0,
            _ => 15.0,
        };
        let widest = names.map(|name| width_of(name, TEXT)).fold(0.0, f64::max);
        let (left, right) = (widest.min(NAME) + 10.0, WIDTH - figures - 10.0);
        let picture = head.picture([WIDTH, ABOVE + row * count as f64 + BELOW]);
        Self { head, picture, count, row, left, right }
    }

    /// Left and right edges of the plot.
    pub(super) fn across(&self) -> [f64; 2] {
        [self.left, self.right]
    }

    /// The middle of a row.
    pub(super) fn middle(&self, place: usize) -> f64 {
        ABOVE + (place as f64 + 0.5) * self.row
    }

    /// Height of a row.
    pub(super) fn row(&self) -> f64 {
        self.row
    }

    /// The lower edge of the last row.
    fn bottom(&self) -> f64 {
        ABOVE + self.row * self.count as f64
    }

    /// Draws lines at these values through all rows, with labels and a title below.
    pub(super) fn axis(&mut self, scale: &Scale, ticks: &[(f64, String)], words: &str) {
        let bottom = self.bottom();
        for (value, label) in ticks {
            let x = scale.at(*value);
            self.picture.draw(Element::line([x, ABOVE], [x, bottom + 4.0]).class("rule"));
            let label = Element::label([x, bottom + 16.0], label).class("mid muted");
            self.picture.draw(label);
        }
        let middle = f64::midpoint(self.left, self.right);
        let words = Element::label([middle, bottom + 33.0], words).class("mid muted");
        self.picture.draw(words);
    }

    /// The name of a row, and its figures.
    pub(super) fn label(&mut self, place: usize, name: &str, figures: &str) {
        let y = self.middle(place) + TEXT * 0.35;
        let short = shortened(name, TEXT, NAME);
        let mut text = Element::label([self.left - 10.0, y], &short).class("end");
        if short != name {
            text = text.title(name);
        }
        self.picture.draw(text);
        if !figures.is_empty() {
            self.picture.draw(Element::label([WIDTH - 2.0, y], figures).class("end"));
        }
    }

    /// Adds a tooltip for a row's plot.
    pub(super) fn hint(&mut self, place: usize, text: &str) {
        let (y, width) = (self.middle(place) - self.row / 2.0, self.right - self.left);
        let area = Element::rect([self.left, y, width, self.row]).attr("fill-opacity", "0");
        self.picture.draw(area.title(text));
    }

    /// Draws a vertical line through all rows.
    pub(super) fn upright(&mut self, x: f64, class: &str) {
        let line = Element::line([x, ABOVE - 4.0], [x, self.bottom() + 4.0]).class(class);
        self.picture.draw(line);
    }

    pub(super) fn finish(self) -> Chart {
        self.head.chart(self.picture)
    }
}

/// Round values with their labels.
pub(super) fn ticks(scale: &Scale, most: usize, lang: Lang) -> Vec<(f64, String)> {
    let label = |value| (value, lang.number(&tick_label(value)));
    scale.ticks(most).into_iter().map(label).collect()
}

/// Ticks of a percent axis.
pub(super) fn percents() -> Vec<(f64, String)> {
    [0, 25, 50, 75, 100].map(|percent| (f64::from(percent) / 100.0, format!("{percent} %"))).into()
}

/// The names of these bots.
pub(super) fn named<'n>(
    bots: &'n [u32],
    names: &'n Names,
) -> impl ExactSizeIterator<Item = &'n str> {
    bots.iter().map(|&bot| names.name(bot))
}
