//! Elo chart with confidence intervals, one row per bot.

use pitmaster_core::i18n::{Lang, said};
use pitmaster_ratings::{Bound, Rating};

use super::rows::{Rows, named, ticks};
use super::scale::Scale;
use super::{Chart, Drawn, Head};
use crate::number::fixed;
use crate::svg::Element;

/// Width of figures like `>1562 ±311`.
const FIGURES: f64 = 92.0;

/// Bots in the order of the standings.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let bots: Vec<u32> = what.standings.rows.iter().map(|row| row.bot).collect();
    let ratings: Vec<Rating> = what.standings.rows.iter().filter_map(|row| row.elo).collect();
    let values = range(&ratings)?;
    let mut rows = Rows::new(head(what, lang), named(&bots, what.names), FIGURES);
    let scale = Scale::new(values, rows.across());
    rows.axis(&scale, &ticks(&scale, 5, lang), "Elo");
    for (place, row) in what.standings.rows.iter().enumerate() {
        let name = what.names.name(row.bot);
        let figures = row.elo.as_ref().map_or("–".into(), figures);
        rows.label(place, name, &figures);
        if let Some(rating) = &row.elo {
            let is_anchor = what.model.anchors.iter().any(|anchor| anchor.bot == row.bot);
            draw_rating(&mut rows, &scale, place, rating, is_anchor);
            rows.hint(place, &format!("{name}: {figures}"));
        }
    }
    Some(rows.finish())
}

fn head(what: &Drawn<'_>, lang: Lang) -> Head {
    let caption = said!(
        "Dot: rating. Line: 95 % interval, with an arrow if the games set no bound on that side. \
         Hollow dot: only a bound. Diamond: anchor, whose rating is given."
    );
    let groups = what.standings.ratings.as_ref().map_or(1, |ratings| ratings.groups);
    let more = said!("{} groups of bots never met: Elo compares bots of one group only.", groups);
    let head = Head::new(what.key, "elo", &said!("Elo with 95 % intervals"), &caption, lang);
    head.and((groups > 1).then_some(more), lang)
}

/// Range of the axis: all ratings, and as much of their intervals as keeps the ratings
/// distinguishable.
fn range(ratings: &[Rating]) -> Option<[f64; 2]> {
    let elos = ratings.iter().map(|rating| rating.elo);
    let (low, high) = (elos.clone().reduce(f64::min)?, elos.reduce(f64::max)?);
    let most = ((high - low) / 2.0).max(200.0);
    let end = |end: Option<f64>, elo: f64| end.unwrap_or(elo).clamp(elo - most, elo + most);
    let lowest = ratings.iter().map(|rating| end(rating.low, rating.elo)).fold(low, f64::min);
    let highest = ratings.iter().map(|rating| end(rating.high, rating.elo)).fold(high, f64::max);
    let margin = ((highest - lowest) * 0.04).max(20.0);
    Some([lowest - margin, highest + margin])
}

/// `1562 ±311`, `<610`.
fn figures(rating: &Rating) -> String {
    let elo = format!("{}{}", rating.bound.mark(), fixed(rating.elo, 0));
    let half = |(low, high): (f64, f64)| (rating.elo - low).max(high - rating.elo);
    match rating.low.zip(rating.high).map(half) {
        Some(half) if half > 0.0 => format!("{elo} ±{}", fixed(half, 0)),
        _ => elo,
    }
}

fn draw_rating(rows: &mut Rows, scale: &Scale, place: usize, rating: &Rating, is_anchor: bool) {
    let (x, y) = (scale.at(rating.elo), rows.middle(place));
    let [left, right] = rows.across();
    for (end, edge, towards) in [(rating.low, left, -1.0), (rating.high, right, 1.0)] {
        let inside = end.filter(|end| scale.holds(*end));
        let to = inside.map_or(edge, |end| scale.at(end));
        rows.picture.draw(Element::line([x, y], [to, y]).class("bar-line"));
        if inside.is_none() {
            let tip = [to, y];
            let back = to - towards * 6.0;
            let arrow = Element::polygon(&[tip, [back, y - 4.0], [back, y + 4.0]]).class("bar");
            rows.picture.draw(arrow);
        } else if (to - x).abs() > 5.0 {
            rows.picture.draw(Element::line([to, y - 3.0], [to, y + 3.0]).class("bar-line"));
        }
    }
    let dot = match (is_anchor, rating.bound) {
        (true, _) => {
            let corners = [[x, y - 6.0], [x + 6.0, y], [x, y + 6.0], [x - 6.0, y]];
            Element::polygon(&corners).class("bar")
        }
        (false, Bound::Both) => Element::circle([x, y], 4.0).class("bar"),
        (false, _) => Element::circle([x, y], 4.0).class("open"),
    };
    rows.picture.draw(dot);
}
