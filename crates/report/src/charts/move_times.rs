//! Move time chart, one strip per bot.

use std::time::Duration;

use pitmaster_core::i18n::{Lang, said};

use super::rows::{Rows, named};
use super::scale::{Scale, tick_label};
use super::{Chart, Drawn, Head};
use crate::svg::{Element, Path};
use crate::times::Spread;

/// Width of figures like `12.5 ms`.
const FIGURES: f64 = 64.0;
/// Number of segments of a strip.
const STRETCHES: usize = 64;
/// Minimum drawn time, near the resolution of the clock.
const SHORTEST: Duration = Duration::from_micros(1);

/// Draws the bots that made a move, in the order of the standings.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let rows = what.standings.rows.iter();
    let spreads: Vec<(u32, &Spread)> =
        rows.filter_map(|row| Some((row.bot, what.times.spread(row.bot)?))).collect();
    let [low, high] = range(&spreads, what.move_limit)?;
    let caption = said!(
        "Distribution of each bot's times per move, on a logarithmic scale. Tall mark: median, \
         also printed at the right. Dot: 95 % of the moves took at most this time."
    );
    let limit = what.move_limit.map(|limit| time(limit, lang));
    let more = limit.map(|limit| said!("The dashed line is the limit of {}.", limit));
    let head = Head::new(what.key, "move-times", &said!("Time per move"), &caption, lang);
    let bots: Vec<u32> = spreads.iter().map(|(bot, _)| *bot).collect();
    let mut chart = Rows::new(head.and(more, lang), named(&bots, what.names), FIGURES);
    let scale = Scale::new([low, high], chart.across());
    chart.axis(&scale, &decades(&scale, lang), lang.text("time for a move"));
    for (place, (bot, spread)) in spreads.iter().enumerate() {
        draw_strip(&mut chart, &scale, place, spread);
        let name = what.names.name(*bot);
        let [median, most] = [0.5, 0.95].map(|share| time(quantile(spread, share), lang));
        chart.label(place, name, &median);
        let words = said!("{}: median {}, 95 % within {}", name, median, most);
        chart.hint(place, &words.to(lang));
    }
    if let Some(limit) = what.move_limit {
        chart.upright(scale.at(log(limit)), "limit");
    }
    Some(chart.finish())
}

/// Range of the axis: from the decade of the shortest time to a little beyond the longest, or the
/// limit.
fn range(spreads: &[(u32, &Spread)], limit: Option<Duration>) -> Option<[f64; 2]> {
    let shortest = spreads.iter().map(|(_, spread)| log(quantile(spread, 0.0)));
    let longest = spreads.iter().map(|(_, spread)| log(quantile(spread, 1.0)));
    let (low, high) = (shortest.reduce(f64::min)?, longest.reduce(f64::max)?);
    let high = limit.map_or(high, |limit| high.max(log(limit)));
    Some([low.floor(), (high + 0.1).max(low.floor() + 1.0)])
}

fn quantile(spread: &Spread, share: f64) -> Duration {
    spread.quantile(share).unwrap_or_default()
}

/// Position on the scale: the decimal logarithm of seconds.
fn log(time: Duration) -> f64 {
    time.max(SHORTEST).as_secs_f64().log10()
}

/// A tick for every power of ten.
fn decades(scale: &Scale, lang: Lang) -> Vec<(f64, String)> {
    let label = |power: f64| (power, time(Duration::from_secs_f64(10_f64.powf(power)), lang));
    let all = scale.ticks(20).into_iter().filter(|power| power.fract() == 0.0);
    all.map(label).collect()
}

/// `12 ms`, `1.5 s`.
fn time(time: Duration, lang: Lang) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        short if short < 0.999_5e-3 => (short * 1e6, "µs"),
        middle if middle < 0.999_5 => (middle * 1e3, "ms"),
        long => (long, "s"),
    };
    let rounded = if value < 9.95 { (value * 10.0).round() / 10.0 } else { value.round() };
    format!("{} {unit}", lang.number(&tick_label(rounded)))
}

fn draw_strip(chart: &mut Rows, scale: &Scale, place: usize, spread: &Spread) {
    let [left, right] = chart.across();
    let wide = (right - left) / STRETCHES as f64;
    let mut counts = [0_f64; STRETCHES];
    for (time, count) in spread.counts() {
        let stretch = ((scale.at(log(time)) - left) / wide) as usize;
        counts[stretch.min(STRETCHES - 1)] += f64::from(count);
    }
    let most = counts.iter().copied().fold(1.0, f64::max);
    let (middle, half) = (chart.middle(place), chart.row() / 2.0 - 1.0);
    let (floor, high) = (middle + half, 2.0 * half);
    let mut outline = Path::default();
    for run in runs(&counts) {
        let x = |stretch: usize| left + wide * stretch as f64;
        outline.begin([x(run.start), floor]);
        for stretch in run {
            outline.upright(floor - (counts[stretch] / most * high).max(1.0));
            outline.across(x(stretch + 1));
        }
        outline.upright(floor);
        outline.close();
    }
    chart.picture.draw(outline.element().class("bar"));
    let [median, most] = [0.5, 0.95].map(|share| scale.at(log(quantile(spread, share))));
    let mark = Element::line([median, middle - half], [median, floor]).class("ink-line");
    chart.picture.draw(mark);
    chart.picture.draw(Element::circle([most, floor - 3.0], 2.5).class("ink"));
}

/// Contiguous ranges of nonzero counts.
fn runs(counts: &[f64]) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut begin = 0;
    for run in counts.chunk_by(|a, b| (*a > 0.0) == (*b > 0.0)) {
        if run[0] > 0.0 {
            runs.push(begin..begin + run.len());
        }
        begin += run.len();
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_a_unit_that_fits() {
        let shown = |micros| time(Duration::from_micros(micros), Lang::French);
        let texts = [2, 15, 1000, 1500, 99_400, 1_000_000, 2_540_000].map(shown);
        assert_eq!(texts, ["2 µs", "15 µs", "1 ms", "1,5 ms", "99 ms", "1 s", "2,5 s"]);
    }

    #[test]
    fn strips_have_gaps_where_nothing_was_counted() {
        assert_eq!(runs(&[0.0, 1.0, 2.0, 0.0, 3.0]), [1..3, 4..5]);
        assert!(runs(&[0.0]).is_empty());
    }
}
