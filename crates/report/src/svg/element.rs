//! SVG element with its content.

use super::number;

/// An element: its attributes, then its content, in insertion order.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    /// Creates an empty element.
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new(), content: String::new() }
    }

    /// A rectangle by its left and upper edge, width and height.
    pub(crate) fn rect([x, y, width, height]: [f64; 4]) -> Self {
        let place = Self::new("rect").num("x", x).num("y", y);
        place.num("width", width.max(0.0)).num("height", height.max(0.0))
    }

    /// A straight line.
    pub(crate) fn line(from: [f64; 2], to: [f64; 2]) -> Self {
        let line = Self::new("line").num("x1", from[0]).num("y1", from[1]);
        line.num("x2", to[0]).num("y2", to[1])
    }

    /// A circle.
    pub(crate) fn circle([x, y]: [f64; 2], radius: f64) -> Self {
        Self::new("circle").num("cx", x).num("cy", y).num("r", radius)
    }

    /// A line through points.
    pub(crate) fn polyline(points: &[[f64; 2]]) -> Self {
        let pairs: Vec<_> =
            points.iter().map(|[x, y]| format!("{},{}", number(*x), number(*y))).collect();
        Self::new("polyline").attr("points", &pairs.join(" "))
    }

    /// An area with these corners.
    pub(crate) fn polygon(points: &[[f64; 2]]) -> Self {
        Self { name: "polygon", ..Self::polyline(points) }
    }

    /// A line of text anchored (at its start, middle or end, by class) at a point of its baseline.
    pub(crate) fn label([x, y]: [f64; 2], text: &str) -> Self {
        Self::new("text").num("x", x).num("y", y).text(text)
    }

    /// Adds an attribute.
    #[must_use]
    pub(crate) fn attr(mut self, name: &str, value: &str) -> Self {
        self.attributes.push(' ');
        self.attributes.push_str(name);
        self.attributes.push_str("=\"");
        escape(value, &mut self.attributes);
        self.attributes.push('"');
        self
    }

    /// Adds a numeric attribute.
    #[must_use]
    pub(crate) fn num(self, name: &str, value: f64) -> Self {
        self.attr(name, &number(value))
    }

    /// Adds any number of style classes.
    #[must_use]
    pub(crate) fn class(self, names: &str) -> Self {
        let names = names.trim();
        if names.is_empty() { self } else { self.attr("class", names) }
    }

    /// Adds a text.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Self {
        escape(text, &mut self.content);
        self
    }

    /// Adds a child element.
    #[must_use]
    pub(crate) fn child(mut self, child: Self) -> Self {
        child.write(&mut self.content);
        self
    }

    /// Adds a tooltip; it precedes all other content.
    #[must_use]
    pub(crate) fn title(mut self, text: &str) -> Self {
        let mut title = String::new();
        Self::new("title").text(text).write(&mut title);
        self.content.insert_str(0, &title);
        self
    }

    /// Writes its start tag.
    pub(super) fn open(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        out.push_str(&self.attributes);
        out.push('>');
    }

    /// Writes the element.
    pub(crate) fn write(self, out: &mut String) {
        self.open(out);
        if self.content.is_empty() {
            out.truncate(out.len() - 1);
            out.push_str("/>");
            return;
        }
        out.push_str(&self.content);
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }
}

/// Text for content and attributes. Characters that XML forbids are replaced.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\x1f' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            plain => out.push(plain),
        }
    }
}
