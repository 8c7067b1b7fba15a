//! SVG paths of straight lines.

use super::{Element, number};

/// A path that is being written: any number of outlines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    /// Begins an outline there.
    pub(crate) fn begin(&mut self, [x, y]: [f64; 2]) {
        self.step('M', x);
        self.0.push(' ');
        self.0.push_str(&number(y));
    }

    /// Draws a horizontal line to `x`.
    pub(crate) fn across(&mut self, x: f64) {
        self.step('H', x);
    }

    /// Draws a vertical line to `y`.
    pub(crate) fn upright(&mut self, y: f64) {
        self.step('V', y);
    }

    /// Closes the outline.
    pub(crate) fn close(&mut self) {
        self.0.push('z');
    }

    /// A whole rectangle by its left and upper edge, width and height.
    pub(crate) fn rectangle(&mut self, corner: [f64; 2], [width, height]: [f64; 2]) {
        self.begin(corner);
        self.step('h', width);
        self.step('v', height);
        self.step('h', -width);
        self.close();
    }

    fn step(&mut self, letter: char, to: f64) {
        self.0.push(letter);
        self.0.push_str(&number(to));
    }

    /// Whether nothing was drawn.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Path as an element.
    pub(crate) fn element(&self) -> Element {
        Element::new("path").attr("d", &self.0)
    }
}
