//! Rating history chart.

use pitmaster_core::i18n::{Lang, said};
use pitmaster_ratings::{Rating, Ratings};

use super::prefixes::{checkpoints, fits};
use super::rows::ticks;
use super::scale::Scale;
use super::{Chart, Drawn, Head, WIDTH};
use crate::svg::{Element, Picture, TEXT, shortened, width_of};

/// Upper bound on the points of a line.
const POINTS: usize = 24;
/// Number of bots with a line, a band and a name.
pub(super) const NAMED: usize = 8;
/// Number of bots with at least a thin line.
const LINES: usize = 20;
/// Maximum width of a name.
const NAME: f64 = 120.0;
/// The plot's upper and lower edge, and its left one.
const TOP: f64 = 10.0;
const BOTTOM: f64 = 280.0;
const LEFT: f64 = 40.0;

/// The lines of all bots that have one, by the points at which ratings were fitted.
struct Lines<'a> {
    what: &'a Drawn<'a>,
    bots: Vec<u32>,
    ends: Vec<usize>,
    fits: Vec<Ratings>,
}

/// Draws the top bots with bands, and others as thin lines.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let lines = Lines::of(what)?;
    let caption = said!(
        "Elo, refitted after growing parts of the games in the order of the plan. Band: 95 % \
         interval, on the sides where the games bound it. The first {} of the standings are \
         named; thin lines are the others.",
        lines.bots.len().min(NAMED)
    );
    let title = said!("Rating over time");
    let head = Head::new(what.key, "rating-over-time", &title, &caption, lang);
    let mut picture = head.picture([WIDTH, BOTTOM + 38.0]);
    let names = lines.bots.iter().take(NAMED).map(|&bot| width_of(what.names.name(bot), TEXT));
    let right = WIDTH - names.fold(0.0, f64::max).min(NAME) - 14.0;
    let last = *lines.ends.last()? as f64;
    let x = Scale::new([lines.ends[0] as f64, last], [LEFT, right]);
    let y = Scale::new(lines.range()?, [BOTTOM, TOP]);
    axes(&mut picture, (&x, right), &y, lang);
    lines.draw(&mut picture, &x, &y);
    lines.draw_names(&mut picture, right, &y);
    Some(head.chart(picture))
}

fn axes(picture: &mut Picture, (x, right): (&Scale, f64), y: &Scale, lang: Lang) {
    for (value, label) in ticks(y, 6, lang) {
        let at = y.at(value);
        picture.draw(Element::line([LEFT, at], [right, at]).class("rule"));
        picture.draw(Element::label([LEFT - 5.0, at + 4.0], &label).class("end muted"));
    }
    for (value, label) in ticks(x, 4, lang) {
        let at = x.at(value);
        picture.draw(Element::line([at, BOTTOM], [at, BOTTOM + 4.0]).class("axis"));
        picture.draw(Element::label([at, BOTTOM + 16.0], &label).class("mid muted"));
    }
    picture.draw(Element::line([LEFT, BOTTOM], [right, BOTTOM]).class("axis"));
    let middle = f64::midpoint(LEFT, right);
    let words = lang.text("games played");
    picture.draw(Element::label([middle, BOTTOM + 32.0], words).class("mid muted"));
}

impl<'a> Lines<'a> {
    /// `None` if there is no change to show.
    fn of(what: &'a Drawn<'a>) -> Option<Self> {
        let games = what.played.games();
        let mut ends = checkpoints(games.len(), POINTS);
        let mut fits = fits(what, games, &ends);
        // Elo is meaningless while there are more disconnected groups than at the end.
        let groups = fits.last()?.groups;
        let apart = fits.iter().rposition(|fit| fit.groups > groups).map_or(0, |last| last + 1);
        ends.drain(..apart);
        fits.drain(..apart);
        if ends.len() < 3 {
            return None;
        }
        let rated = what.standings.rows.iter().filter(|row| row.elo.is_some());
        let bots: Vec<u32> = rated.map(|row| row.bot).take(LINES).collect();
        (!bots.is_empty()).then_some(Self { what, bots, ends, fits })
    }

    /// A bot's rating after each part.
    fn ratings(&self, bot: u32) -> impl Iterator<Item = Option<&Rating>> {
        self.fits.iter().map(move |fit| fit.of(bot))
    }

    /// Range of the ratings that are drawn, except for the first quarter, in which ratings
    /// fluctuate.
    fn range(&self) -> Option<[f64; 2]> {
        let quarter = self.ends.len() / 4;
        let all = self.bots.iter().flat_map(|&bot| self.ratings(bot).skip(quarter).flatten());
        let elos: Vec<f64> = all.map(|rating| rating.elo).collect();
        let low = elos.iter().copied().reduce(f64::min)?;
        let high = elos.iter().copied().reduce(f64::max)?;
        let margin = ((high - low) * 0.08).max(25.0);
        Some([low - margin, high + margin])
    }

    fn draw(&self, picture: &mut Picture, x: &Scale, y: &Scale) {
        for &bot in self.bots.iter().skip(NAMED) {
            let name = self.what.names.name(bot);
            for run in self.runs(bot) {
                let line = Element::polyline(&places(&run, x, y));
                picture.draw(line.class("thin").title(name));
            }
        }
        for (&bot, look) in self.bots.iter().take(NAMED).zip(1..) {
            for run in self.runs(bot) {
                let edge = |(at, rating): &(usize, &Rating), end: Option<f64>| {
                    [x.at(*at as f64), y.at(end.unwrap_or(rating.elo))]
                };
                let low = run.iter().map(|point| edge(point, point.1.low));
                let high = run.iter().map(|point| edge(point, point.1.high));
                let corners: Vec<_> = low.chain(high.rev()).collect();
                picture.draw(Element::polygon(&corners).class(&format!("band f{look}")));
            }
        }
        for (&bot, look) in self.bots.iter().take(NAMED).zip(1..) {
            for run in self.runs(bot) {
                let line = Element::polyline(&places(&run, x, y)).class(&format!("line s{look}"));
                picture.draw(line.title(self.what.names.name(bot)));
            }
        }
    }

    /// Contiguous segments of a bot's line.
    fn runs(&self, bot: u32) -> Vec<Vec<(usize, &Rating)>> {
        let points: Vec<_> = self.ends.iter().copied().zip(self.ratings(bot)).collect();
        let runs = points.split(|(_, rating)| rating.is_none());
        runs.map(|run| run.iter().filter_map(|(at, rating)| Some((*at, (*rating)?))).collect())
            .filter(|run: &Vec<_>| !run.is_empty())
            .collect()
    }

    /// Draws names at the right ends of the lines, spread out if lines end close together.
    fn draw_names(&self, picture: &mut Picture, right: f64, y: &Scale) {
        let ends = self.bots.iter().take(NAMED).zip(1..);
        let mut ends: Vec<(f64, u32, i32)> = ends
            .filter_map(|(&bot, look)| {
                let rating = self.ratings(bot).last().flatten()?;
                Some((y.at(rating.elo), bot, look))
            })
            .collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let wanted: Vec<f64> = ends.iter().map(|end| end.0).collect();
        let apart = apart(&wanted, TEXT + 2.0, [TOP, BOTTOM]);
        for ((end, bot, look), at) in ends.into_iter().zip(apart) {
            let name = self.what.names.name(bot);
            let dot = Element::circle([right, end], 3.0).class(&format!("f{look}"));
            picture.draw(dot);
            let short = shortened(name, TEXT, NAME);
            let text = Element::label([right + 10.0, at + TEXT * 0.35], &short);
            picture.draw(text.title(name));
            let leader = Element::line([right, end], [right + 8.0, at]);
            picture.draw(leader.class(&format!("line s{look}")));
        }
    }
}

fn places(run: &[(usize, &Rating)], x: &Scale, y: &Scale) -> Vec<[f64; 2]> {
    run.iter().map(|(at, rating)| [x.at(*at as f64), y.at(rating.elo)]).collect()
}

/// Positions near the wanted ones (ascending), at least `distance` apart and inside the range if
/// they all fit.
pub(super) fn apart(wanted: &[f64], distance: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    let mut places = wanted.to_vec();
    let mut least = top;
    for place in &mut places {
        *place = place.max(least);
        least = *place + distance;
    }
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - distance;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_inside() {
        assert_eq!(apart(&[10.0, 11.0, 50.0], 10.0, [0.0, 60.0]), [10.0, 20.0, 50.0]);
        assert_eq!(apart(&[58.0, 59.0, 60.0], 10.0, [0.0, 60.0]), [40.0, 50.0, 60.0]);
    }
}
