//! What both sides said of their positions, ply by ply.

use super::rows::ticks;
use super::scale::Scale;
use super::{Chart, Head, WIDTH};
use crate::language::{Lang, said};
use crate::record::{BySide, Side};
use crate::report::svg::{Element, Picture, TEXT, shortened, width_of};

/// The edges of the plot.
const TOP: f64 = 26.0;
const BOTTOM: f64 = 190.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 8.0;

/// What a side said of a game.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Who it was.
    pub name: String,
    /// The ply, from 1, and what it thought of its position, the higher the better for itself.
    pub values: Vec<(u32, f64)>,
}

/// Both sides' values through a game of so many plies; `None` where nobody said any. `id` must be
/// unique in a page.
pub fn score_curve(id: &str, said_by: &BySide<Said>, plies: u32, lang: Lang) -> Option<Chart> {
    let values = || said_by.iter().flat_map(|said| finite(&said.values).map(|(_, value)| value));
    let most = most(values().map(f64::abs).collect())?;
    let caption = said!(
        "What each side thought of its own position when it moved: above 0 it felt ahead. Values are each program's own; those beyond the edge are drawn at it."
    );
    let head = Head::new(id, "score-curve", &said!("Score curve"), &caption, lang);
    let mut picture = head.picture([WIDTH, BOTTOM + 42.0]);
    let x = Scale::new([1.0, f64::from(plies.max(2))], [LEFT, RIGHT]);
    let y = Scale::new([-most, most], [BOTTOM, TOP]);
    axes(&mut picture, &x, &y, lang);
    let mut left = LEFT;
    for (side, look) in Side::BOTH.into_iter().zip(1..) {
        let points: Vec<_> =
            finite(&said_by[side].values).map(|(ply, v)| [x.at(f64::from(ply)), y.at(v)]).collect();
        picture.draw(Element::polyline(&points).class(&format!("line s{look}")));
        picture.draw_all(points.iter().map(|point| dot(side, *point)));
        left = legend(&mut picture, left, side, &said_by[side].name);
    }
    Some(head.chart(picture))
}

fn finite(values: &[(u32, f64)]) -> impl Iterator<Item = (u32, f64)> {
    values.iter().copied().filter(|(_, value)| value.is_finite())
}

/// How far the scale reaches to both sides: a little beyond all but the last twentieth, so that the
/// huge value of a game that is won leaves the others apart.
fn most(mut sizes: Vec<f64>) -> Option<f64> {
    sizes.sort_by(f64::total_cmp);
    let last = sizes.len().checked_sub(1)?;
    let usual = sizes[last * 19 / 20];
    Some(if usual > 1e-5 { (usual * 1.5).min(sizes[last] * 1.05).min(1e12) } else { 1.0 })
}

fn axes(picture: &mut Picture, x: &Scale, y: &Scale, lang: Lang) {
    for (value, label) in ticks(y, 4, lang) {
        let at = y.at(value);
        let class = if value == 0.0 { "axis" } else { "rule" };
        picture.draw(Element::line([LEFT, at], [RIGHT, at]).class(class));
        let label = shortened(&label, TEXT, LEFT - 8.0);
        picture.draw(Element::label([LEFT - 5.0, at + 4.0], &label).class("end muted"));
    }
    for (value, label) in ticks(x, 8, lang).into_iter().filter(|(value, _)| value.fract() == 0.0) {
        let at = x.at(value);
        picture.draw(Element::line([at, BOTTOM], [at, BOTTOM + 4.0]).class("axis"));
        picture.draw(Element::label([at, BOTTOM + 17.0], &label).class("mid muted"));
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    picture.draw(Element::label([middle, BOTTOM + 34.0], lang.text("ply")).class("mid muted"));
}

/// Player 1's dots are round, player 2's are square.
fn dot(side: Side, [x, y]: [f64; 2]) -> Element {
    match side {
        Side::One => Element::circle([x, y], 2.5).class("f1"),
        Side::Two => Element::rect([x - 2.5, y - 2.5, 5.0, 5.0]).class("f2"),
    }
}

fn legend(picture: &mut Picture, left: f64, side: Side, name: &str) -> f64 {
    let y = 10.0;
    let line = Element::line([left, y], [left + 24.0, y]);
    picture.draw(line.class(&format!("line s{side}")));
    picture.draw(dot(side, [left + 12.0, y]));
    let text = shortened(&format!("{side} {name}"), TEXT, 170.0);
    picture.draw(Element::label([left + 30.0, y + 4.0], &text).title(name));
    left + 30.0 + width_of(&text, TEXT) + 14.0
}
