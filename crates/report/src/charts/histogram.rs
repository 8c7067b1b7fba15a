//! Histograms of game lengths and winning margins.

use std::collections::BTreeMap;

use pitmaster_core::i18n::{Lang, said};

use super::rows::ticks;
use super::scale::{Scale, round_step, tick_label};
use super::{Chart, Head, WIDTH};
use crate::svg::{Element, Picture, TEXT};

/// The edges of the plot.
const TOP: f64 = 22.0;
const BOTTOM: f64 = 190.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = WIDTH - 8.0;
/// Approximate upper bound on columns.
const COLUMNS: f64 = 40.0;

/// Columns of equal width: start of the first one, and counts by part.
struct Columns {
    begin: i64,
    width: i64,
    counts: Vec<[u32; 3]>,
}

impl Columns {
    /// Histogram of values by their parts; `None` without values. A column begins at a multiple of
    /// the width.
    fn of(parts: [&BTreeMap<i64, u32>; 3]) -> Option<Self> {
        let ends = |of: &&BTreeMap<i64, u32>| Some([*of.keys().next()?, *of.keys().next_back()?]);
        let ends: Vec<[i64; 2]> = parts.iter().filter_map(ends).collect();
        let low = ends.iter().map(|end| end[0]).min()?;
        let high = ends.iter().map(|end| end[1]).max()?;
        let width = round_step(((high - low + 1) as f64 / COLUMNS).max(1.0)) as i64;
        let begin = low.div_euclid(width) * width;
        let mut counts = vec![[0; 3]; ((high - begin) / width + 1) as usize];
        for (part, values) in parts.into_iter().enumerate() {
            for (value, count) in values {
                counts[((value - begin) / width) as usize][part] += count;
            }
        }
        Some(Self { begin, width, counts })
    }

    /// The first value of each, and its parts.
    fn iter(&self) -> impl Iterator<Item = (i64, &[u32; 3])> {
        (0..).zip(&self.counts).map(|(place, parts)| (self.begin + self.width * place, parts))
    }

    /// End of the range, exclusive.
    fn end(&self) -> i64 {
        self.begin + self.width * i64::from(self.counts.len() as u32)
    }

    fn highest(&self) -> u32 {
        self.counts.iter().map(|parts| parts.iter().sum()).max().unwrap_or(0)
    }

    /// Draws axes and columns, each part in its style.
    fn draw(&self, picture: &mut Picture, looks: [&str; 3], words: &str, lang: Lang) {
        // If a column contains a single value, its label is centered.
        let shift = if self.width == 1 { 0.5 } else { 0.0 };
        let (begin, end) = (self.begin as f64, self.end() as f64);
        let x = Scale::new([begin, end], [LEFT, RIGHT]);
        let y = Scale::new([0.0, f64::from(self.highest())], [BOTTOM, TOP]);
        for value in y.whole_ticks(4) {
            let at = y.at(value);
            picture.draw(Element::line([LEFT, at], [RIGHT, at]).class("rule"));
            let label = Element::label([LEFT - 5.0, at + 4.0], &tick_label(value));
            picture.draw(label.class("end muted"));
        }
        let wide = x.at(begin + self.width as f64) - LEFT;
        for (from, parts) in self.iter() {
            let column = [x.at(from as f64) + wide * 0.06, wide * 0.88];
            draw_column(picture, column, &y, parts, looks, &hint(from, self.width, parts));
        }
        picture.draw(Element::line([LEFT, BOTTOM], [RIGHT, BOTTOM]).class("axis"));
        for (value, label) in ticks(&x, 8, lang) {
            let at = value + shift;
            if value.fract() == 0.0 && at <= end {
                let label = Element::label([x.at(at), BOTTOM + 16.0], &label);
                picture.draw(label.class("mid muted"));
            }
        }
        let middle = f64::midpoint(LEFT, RIGHT);
        picture.draw(Element::label([middle, BOTTOM + 34.0], words).class("mid muted"));
        let games = Element::label([4.0, TOP - 10.0], lang.text("games"));
        picture.draw(games.class("muted"));
    }
}

/// `10–14: 31`.
fn hint(from: i64, width: i64, parts: &[u32; 3]) -> String {
    let all: u32 = parts.iter().sum();
    let last = from + width - 1;
    if width == 1 { format!("{from}: {all}") } else { format!("{from}…{last}: {all}") }
}

fn draw_column(
    picture: &mut Picture,
    [left, width]: [f64; 2],
    y: &Scale,
    parts: &[u32; 3],
    looks: [&str; 3],
    hint: &str,
) {
    let mut below = 0;
    for (&count, look) in parts.iter().zip(looks).filter(|(count, _)| **count > 0) {
        let [low, high] = [below, below + count].map(|count| y.at(f64::from(count)));
        let part = Element::rect([left, high, width, low - high]).class(look).title(hint);
        picture.draw(part);
        below += count;
    }
}

/// Draws a swatch and its meaning; returns the position of the next one.
fn legend(picture: &mut Picture, x: f64, look: &str, words: &str) -> f64 {
    picture.draw(Element::rect([x, TOP - 19.0, 10.0, 10.0]).class(look));
    picture.draw(Element::label([x + 15.0, TOP - 10.0], words).class("muted"));
    x + 15.0 + crate::svg::width_of(words, TEXT) + 12.0
}

/// Lengths in plies of finished and forfeited games.
pub(super) fn lengths(key: &str, lengths: &[BTreeMap<i64, u32>; 2], lang: Lang) -> Option<Chart> {
    let [played, forfeited] = lengths;
    let columns = Columns::of([played, forfeited, &BTreeMap::new()])?;
    let caption =
        said!("Number of games by number of plies (moves of both sides, including the opening).");
    let more = said!("Hollow: games that ended by a forfeit.");
    let head = Head::new(key, "game-length", &said!("Game length"), &caption, lang);
    let head = head.and((!forfeited.is_empty()).then_some(more), lang);
    let mut picture = head.picture([WIDTH, BOTTOM + 42.0]);
    if !forfeited.is_empty() {
        let next = legend(&mut picture, 100.0, "bar", lang.text("played out"));
        legend(&mut picture, next, "hollow", lang.text("forfeited"));
    }
    columns.draw(&mut picture, ["bar", "hollow", "bar"], lang.text("plies"), lang);
    Some(head.chart(picture))
}

/// Player 1's score minus player 2's.
pub(super) fn leads(key: &str, leads: &BTreeMap<i64, u32>, lang: Lang) -> Option<Chart> {
    let part = |is_in: fn(i64) -> bool| -> BTreeMap<i64, u32> {
        leads
            .iter()
            .filter(|(lead, _)| is_in(**lead))
            .map(|(lead, count)| (*lead, *count))
            .collect()
    };
    let (behind, even, ahead) =
        (part(|lead| lead < 0), part(|lead| lead == 0), part(|lead| lead > 0));
    let columns = Columns::of([&behind, &even, &ahead])?;
    let caption = said!(
        "Player 1's final score minus player 2's, for games that were played out: right of 0 \
         player 1 had more, left of 0 player 2."
    );
    let head = Head::new(key, "score-difference", &said!("Score difference"), &caption, lang);
    let mut picture = head.picture([WIDTH, BOTTOM + 42.0]);
    let next = legend(&mut picture, 60.0, "loss", lang.text("player 2 has more"));
    legend(&mut picture, next, "win", lang.text("player 1 has more"));
    let words = lang.text("score of player 1 minus score of player 2");
    columns.draw(&mut picture, ["loss", "draw", "win"], words, lang);
    Some(head.chart(picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: &[(i64, u32)]) -> BTreeMap<i64, u32> {
        values.iter().copied().collect()
    }

    #[test]
    fn columns_hold_all_values() {
        let (few, none) = (map(&[(-3, 1), (0, 2), (4, 1)]), BTreeMap::new());
        let columns = Columns::of([&few, &none, &none]).unwrap();
        assert_eq!((columns.begin, columns.width, columns.counts.len()), (-3, 1, 8));
        let (many, more) = (map(&[(-96, 1), (-1, 1)]), map(&[(0, 5), (96, 1)]));
        let columns = Columns::of([&many, &none, &more]).unwrap();
        assert_eq!((columns.begin, columns.width, columns.end()), (-100, 5, 100));
        let sum: u32 = columns.counts.iter().flatten().sum();
        assert_eq!((sum, columns.highest()), (8, 5));
        assert!(Columns::of([&none, &none, &none]).is_none());
    }
}
