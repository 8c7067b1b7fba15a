//! Result bar of wins, draws and losses: wins at full height, draws at half height, losses low.

use pitmaster_core::i18n::{Lang, said};

use super::rows::{Rows, named, percents};
use super::scale::Scale;
use super::{Chart, Drawn, Head};
use crate::svg::{Element, TEXT, width_of};

/// Width and height of a bar in a table cell.
const CELL: [f64; 2] = [96.0, 12.0];

/// A bar for a cell of a table: an `<svg>` styled by [`STYLE`](crate::STYLE) of the page.
pub fn wdl_bar(wins: u32, draws: u32, losses: u32, lang: Lang) -> String {
    let counts = [wins, draws, losses];
    let [width, height] = CELL;
    let words = said!("{} won, {} drawn, {} lost", wins, draws, losses).to(lang);
    let mut bar = Element::new("svg")
        .class("pic wdl")
        .attr("viewBox", &format!("0 0 {width} {height}"))
        .num("width", width)
        .num("height", height)
        .attr("role", "img")
        .attr("aria-label", &words)
        .title(&words);
    for part in parts([0.0, 0.0, width, height], counts) {
        bar = bar.child(part);
    }
    let mut text = String::new();
    bar.write(&mut text);
    text
}

/// The parts of a bar in a rectangle.
pub(super) fn parts([x, y, width, height]: [f64; 4], counts: [u32; 3]) -> Vec<Element> {
    let all: u32 = counts.iter().sum();
    if all == 0 {
        return vec![Element::rect([x, y + height * 0.4, width, height * 0.2]).class("none")];
    }
    let mut left = x;
    let mut part = |(count, (class, high)): (u32, (&str, f64))| {
        let wide = width * f64::from(count) / f64::from(all);
        let top = y + height * (1.0 - high) / 2.0;
        let part = Element::rect([left, top, wide, height * high]).class(class);
        left += wide;
        (count > 0).then_some(part)
    };
    let looks = [("win", 1.0), ("draw", 0.6), ("loss", 0.3)];
    counts.into_iter().zip(looks).filter_map(&mut part).collect()
}

/// All bots, in the order of the standings.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let counted =
        what.standings.rows.iter().map(|row| (row.bot, [row.wins, row.draws, row.losses]));
    let counted: Vec<(u32, [u32; 3])> = counted.collect();
    counted.iter().find(|(_, counts)| counts.iter().sum::<u32>() > 0)?;
    let caption = said!(
        "Shares of each bot's games: wins at full height, draws at half height, losses as a low \
         line. At the right: numbers of wins, draws and losses."
    );
    let head = Head::new(what.key, "results", &said!("Wins, draws, losses"), &caption, lang);
    let bots: Vec<u32> = counted.iter().map(|(bot, _)| *bot).collect();
    let figures = |[wins, draws, losses]: [u32; 3]| format!("{wins}–{draws}–{losses}");
    let widths = counted.iter().map(|(_, counts)| width_of(&figures(*counts), TEXT));
    let widest = widths.fold(60.0, f64::max);
    let mut rows = Rows::new(head, named(&bots, what.names), widest);
    let scale = Scale::new([0.0, 1.0], rows.across());
    rows.axis(&scale, &percents(), lang.text("share of games"));
    let ([left, right], high) = (rows.across(), rows.row() - 6.0);
    for (place, (bot, counts)) in counted.iter().enumerate() {
        let name = what.names.name(*bot);
        rows.label(place, name, &figures(*counts));
        let area = [left, rows.middle(place) - high / 2.0, right - left, high];
        rows.picture.draw_all(parts(area, *counts));
        let [wins, draws, losses] = *counts;
        let words = said!("{} won, {} drawn, {} lost", wins, draws, losses).to(lang);
        rows.hint(place, &format!("{name}: {words}"));
    }
    Some(rows.finish())
}
