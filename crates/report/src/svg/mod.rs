//! SVG writer: elements, attributes, escaped text. The same picture gives the same bytes.
//!
//! Must not depend on what the pictures show. A picture is readable on its own: it contains a
//! title, a description and a style. The style is the same in every picture, and a page may
//! override its colors with variables.

mod element;
mod path;
mod style;

pub(super) use element::Element;
pub(super) use path::Path;
pub use style::STYLE;

use super::number::fixed;

/// A picture: its size in its own units, and what is drawn in it.
#[derive(Debug)]
pub(super) struct Picture {
    /// Unique in a page; the ids of its parts begin with it.
    id: String,
    /// Short description of the picture.
    title: String,
    /// Explanation of how to read it.
    about: String,
    width: f64,
    height: f64,
    is_wide: bool,
    has_links: bool,
    drawn: String,
}

/// Magnification of a picture if there is room.
const ZOOM: f64 = 1.2;

/// Size of text, in a picture's units, and of small text. The style sheet has the same values.
pub(super) const TEXT: f64 = 13.0;
pub(super) const SMALL: f64 = 11.0;

impl Picture {
    /// Creates an empty picture.
    pub(super) fn new(id: &str, title: &str, about: &str, [width, height]: [f64; 2]) -> Self {
        let (id, title, about) = (id.to_owned(), title.to_owned(), about.to_owned());
        let (is_wide, has_links, drawn) = (false, false, String::new());
        Self { id, title, about, width, height, is_wide, has_links, drawn }
    }

    /// The same picture, scrolled instead of shrunk on narrow pages.
    #[must_use]
    pub(super) fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    /// The same picture with links, which the `img` role would hide from screen readers.
    #[must_use]
    pub(super) fn with_links(self) -> Self {
        Self { has_links: true, ..self }
    }

    /// Draws an element above all earlier ones.
    pub(super) fn draw(&mut self, element: Element) {
        element.write(&mut self.drawn);
        self.drawn.push('\n');
    }

    /// Draws all of them.
    pub(super) fn draw_all(&mut self, elements: impl IntoIterator<Item = Element>) {
        elements.into_iter().for_each(|element| self.draw(element));
    }

    /// The complete SVG file.
    pub(super) fn finish(self) -> String {
        let (title, about) = (format!("{}-title", self.id), format!("{}-about", self.id));
        let [width, height] = [self.width, self.height].map(number);
        let zoom = if self.is_wide { 1.0 } else { ZOOM };
        let mut open = String::new();
        Element::new("svg")
            .attr("xmlns", "http://www.w3.org/2000/svg")
            .class(if self.is_wide { "pic wide" } else { "pic" })
            .attr("viewBox", &format!("0 0 {width} {height}"))
            .num("width", self.width * zoom)
            .num("height", self.height * zoom)
            .attr("role", if self.has_links { "group" } else { "img" })
            .attr("aria-labelledby", &format!("{title} {about}"))
            .open(&mut open);
        let mut head = String::new();
        Element::new("title").attr("id", &title).text(&self.title).write(&mut head);
        Element::new("desc").attr("id", &about).text(&self.about).write(&mut head);
        format!("{open}{head}<style>{STYLE}</style>\n{}</svg>\n", self.drawn)
    }
}

/// A number with at most two decimals. NaN and infinity become 0.
pub(super) fn number(value: f64) -> String {
    debug_assert!(value.is_finite(), "{value} is drawn");
    let value = if value.is_finite() { value } else { 0.0 };
    let text = fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Approximate upper bound on the width of a text of that size, in the widest common font.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    let columns = unicode_width::UnicodeWidthStr::width(text);
    columns as f64 * size * 0.62
}

/// Text cut to a maximum width if necessary.
pub(super) fn shortened(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        let longer = format!("{short}{character}");
        if width_of(&longer, size) + width_of("…", size) > width {
            break;
        }
        short = longer;
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_picture_stands_alone() {
        let mut picture = Picture::new("t1-x", "A <title>", "How & why", [100.0, 20.5]);
        picture.draw(Element::rect([1.0, 2.0, 3.25, 1.0 / 3.0]).class("win").title("\"é\" <3"));
        let text = picture.finish().replace(STYLE, "…");
        insta::assert_snapshot!(text, @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="pic" viewBox="0 0 100 20.5" width="120" height="24.6" role="img" aria-labelledby="t1-x-title t1-x-about"><title id="t1-x-title">A &lt;title&gt;</title><desc id="t1-x-about">How &amp; why</desc><style>…</style>
        <rect x="1" y="2" width="3.25" height="0.33" class="win"><title>&quot;é&quot; &lt;3</title></rect>
        </svg>
        "#);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.001, 1.0, 100.0, 2.5, -3.126].map(number);
        assert_eq!(shown, ["0", "0", "1", "100", "2.5", "-3.13"]);
    }

    #[test]
    fn a_long_text_loses_its_end() {
        assert_eq!(shortened("short", 10.0, 100.0), "short");
        assert_eq!(shortened("a very long name", 10.0, 62.0), "a very lo…");
        assert_eq!(shortened("日本語日本語日本語", 10.0, 62.0), "日本語日…");
    }

    proptest! {
        #[test]
        fn any_text_is_well_formed(text in "\\PC*|[\\x00-\\x20<>&\"'\u{fffe}]*") {
            let mut picture = Picture::new("p", &text, &text, [10.0, 10.0]);
            picture.draw(Element::label([1.0, 2.0], &text).attr("href", &text).title(&text));
            let svg = picture.finish();
            let document = roxmltree::Document::parse(&svg).expect("well-formed");
            prop_assert_eq!(document.descendants().filter(|node| node.has_tag_name("script")).count(), 0);
        }
    }
}
