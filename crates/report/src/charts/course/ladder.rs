//! Ladder chart: places after growing parts of the games.

use pitmaster_core::i18n::{Lang, said};
use pitmaster_ratings::Ratings;

use super::Stage;
use crate::charts::over_time::NAMED;
use crate::charts::prefixes::{checkpoints, fits};
use crate::charts::{Chart, WIDTH};
use crate::svg::{Element, Picture, TEXT, shortened, width_of};

/// Upper bound on the points of a line.
const POINTS: usize = 12;
/// Upper bound on bots that are drawn.
const BOTS: usize = 40;
const ROW: f64 = 20.0;
const TOP: f64 = 10.0;
const LEFT: f64 = 26.0;
const NAME: f64 = 130.0;

/// `None` if there is no change to show.
pub(super) fn draw(stage: &Stage<'_>, lang: Lang) -> Option<Chart> {
    let ends = checkpoints(stage.games.len(), POINTS);
    let orders: Vec<Vec<u32>> = fits(stage.what, &stage.games, &ends).iter().map(order).collect();
    let last = orders.last().filter(|_| ends.len() > 1)?;
    let caption = said!(
        "Order by Elo after growing parts of the games: a line falls where other bots overtook \
         its bot. A line begins where the bot first had a rating."
    );
    let more = said!("The first {} of {} bots are shown.", BOTS, last.len());
    let head = stage.head(said!("Ladder"), &caption, lang);
    let head = head.and((last.len() > BOTS).then_some(more), lang);
    let shown = last.len().min(BOTS);
    let bottom = TOP + ROW * shown as f64;
    let mut picture = head.picture([WIDTH, bottom + 40.0]);
    let names = last[..shown].iter().map(|&bot| width_of(stage.what.names.name(bot), TEXT));
    let right = WIDTH - names.fold(0.0, f64::max).min(NAME) - 14.0;
    let x = |at: usize| LEFT + (right - LEFT) * at as f64 / (ends.len() - 1) as f64;
    for (at, end) in ends.iter().enumerate().filter(|(at, _)| at % 2 == (ends.len() - 1) % 2) {
        let label = Element::label([x(at), bottom + 16.0], &end.to_string());
        picture.draw(label.class("mid small muted"));
    }
    let words =
        Element::label([f64::midpoint(LEFT, right), bottom + 33.0], lang.text("games played"));
    picture.draw(words.class("mid muted"));
    for place in (0..shown).rev() {
        let points = orders.iter().enumerate().filter_map(|(at, order)| {
            let rank = order[..order.len().min(BOTS)].iter().position(|bot| *bot == last[place])?;
            Some([x(at), middle(rank)])
        });
        draw_line(&mut picture, place, &points.collect::<Vec<_>>());
        let number = Element::label([LEFT - 8.0, middle(place) + 4.0], &(place + 1).to_string());
        picture.draw(number.class("end muted"));
        let name = stage.what.names.name(last[place]);
        let text =
            Element::label([right + 10.0, middle(place) + 4.0], &shortened(name, TEXT, NAME));
        picture.draw(text.title(name));
    }
    Some(head.chart(picture))
}

/// The middle of a rank's row.
fn middle(rank: usize) -> f64 {
    TOP + ROW * (rank as f64 + 0.5)
}

/// Bots with a rating, the strongest first.
fn order(ratings: &Ratings) -> Vec<u32> {
    let rated = ratings.bots.iter().zip(0_u32..);
    let mut rated: Vec<(f64, u32)> =
        rated.filter_map(|(rating, bot)| Some((rating.as_ref()?.elo, bot))).collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    rated.into_iter().map(|(_, bot)| bot).collect()
}

fn draw_line(picture: &mut Picture, place: usize, points: &[[f64; 2]]) {
    let (line, dot) = if place < NAMED {
        (format!("line s{}", place + 1), format!("f{}", place + 1))
    } else {
        ("thin".to_owned(), "muted".to_owned())
    };
    picture.draw(Element::polyline(points).class(&line));
    for point in points {
        picture.draw(Element::circle(*point, 2.5).class(&dot));
    }
}
