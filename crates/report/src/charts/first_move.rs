//! First-move advantage chart.

use pitmaster_core::Side;
use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_ratings::{Tally, wilson};

use super::results::parts;
use super::rows::percents;
use super::scale::Scale;
use super::{Chart, Drawn, Head, WIDTH};
use crate::number::fixed;
use crate::svg::{Element, Picture, TEXT, shortened, width_of};

/// Space above the bots' rows for the bar of all games and its labels.
const ABOVE: f64 = 92.0;
const BELOW: f64 = 40.0;
const NAME: f64 = 130.0;

/// Chart of all games, and of each bot's score as player 1 and as player 2.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    let scores = Scores::of(what);
    let tally = scores.all;
    (tally.wins + tally.draws + tally.losses > 0).then_some(())?;
    let caption = said!(
        "Above: player 1's wins, draws and losses in all games. Below: the share of the points \
         that each bot took as player 1 (filled dot) and as player 2 (hollow dot)."
    );
    let head = Head::new(what.key, "first-move", &said!("First-move advantage"), &caption, lang);
    let bots: Vec<u32> = what.standings.rows.iter().map(|row| row.bot).collect();
    let row = if bots.len() > 60 { 15.0 } else { 18.0 };
    let bottom = ABOVE + row * bots.len() as f64;
    let mut picture = head.picture([WIDTH, bottom + BELOW]);
    draw_all(&mut picture, &scores, what, lang);
    let widest = bots.iter().map(|&bot| width_of(what.names.name(bot), TEXT)).fold(0.0, f64::max);
    let left = widest.min(NAME) + 12.0;
    let scale = Scale::new([0.0, 1.0], [left, WIDTH - 22.0]);
    for (value, label) in percents() {
        let x = scale.at(value);
        picture.draw(Element::line([x, ABOVE - 4.0], [x, bottom + 4.0]).class("rule"));
        picture.draw(Element::label([x, bottom + 16.0], &label).class("mid muted"));
    }
    let words = Element::label([scale.at(0.5), bottom + 33.0], lang.text("share of the points"));
    picture.draw(words.class("mid muted"));
    for (place, &bot) in bots.iter().enumerate() {
        let y = ABOVE + row * (place as f64 + 0.5);
        scores.draw_bot(&mut picture, [left, y], &scale, (bot, what.names.name(bot)), lang);
    }
    Some(head.chart(picture))
}

/// Results by side.
struct Scores {
    /// All games, from player 1's point of view.
    all: Tally,
    distinct: u32,
    /// Games by bot: as player 1 and as player 2.
    bots: Vec<[Tally; 2]>,
}

impl Scores {
    fn of(what: &Drawn<'_>) -> Self {
        let bots = vec![[Tally::default(); 2]; what.names.len()];
        let mut scores = Self { all: Tally::default(), distinct: 0, bots };
        for (game, &is_distinct) in what.played.games().iter().zip(what.matches.distinct()) {
            scores.all.count(game.marks.one, game.marks.two);
            scores.distinct += u32::from(is_distinct && game.compares());
            for side in Side::BOTH {
                let tally = &mut scores.bots[game.bots[side] as usize][side.index()];
                tally.count(game.marks[side], game.marks[side.other()]);
            }
        }
        scores
    }

    fn draw_bot(
        &self,
        picture: &mut Picture,
        [left, y]: [f64; 2],
        scale: &Scale,
        (bot, name): (u32, &str),
        lang: Lang,
    ) {
        let short = shortened(name, TEXT, NAME);
        let text = Element::label([left - 10.0, y + TEXT * 0.35], &short).class("end");
        picture.draw(if short == name { text } else { text.title(name) });
        let [first, second] = self.bots[bot as usize].map(|tally| rate(&tally));
        if let (Some(first), Some(second)) = (first, second) {
            let [from, to] = [first, second].map(|rate| [scale.at(rate), y]);
            picture.draw(Element::line(from, to).class("bar-line"));
        }
        for (rate, class, side) in [(second, "open", 2_u32), (first, "bar", 1)] {
            if let Some(rate) = rate {
                let words = said!("{} as player {}: {} %", name, side, fixed(rate * 100.0, 0));
                let dot = Element::circle([scale.at(rate), y], 4.0).class(class);
                picture.draw(dot.title(&words.to(lang)));
            }
        }
    }
}

/// Share of the points. `None` without games other than those that both lost.
fn rate(tally: &Tally) -> Option<f64> {
    let games = tally.wins + tally.draws + tally.losses;
    let half = f64::from(tally.wins) + f64::from(tally.draws) / 2.0;
    (games > 0).then(|| half / f64::from(games))
}

fn draw_all(picture: &mut Picture, scores: &Scores, what: &Drawn<'_>, lang: Lang) {
    let Tally { wins, draws, losses, .. } = scores.all;
    let games = f64::from(wins + draws + losses);
    let percent = |count: u32| fixed(f64::from(count) / games * 100.0, 0);
    let words = [
        (2.0, "start", said!("player 1 won {} ({} %)", wins, percent(wins))),
        (WIDTH / 2.0, "mid", said!("{} draws ({} %)", draws, percent(draws))),
        (WIDTH - 2.0, "end", said!("player 2 won {} ({} %)", losses, percent(losses))),
    ];
    let size = if games > 9999.0 { "small" } else { "" };
    for (x, class, words) in words {
        let class = format!("{class} {size}");
        picture.draw(Element::label([x, 14.0], &words.to(lang)).class(&class));
    }
    let area = [2.0, 22.0, WIDTH - 4.0, 20.0];
    picture.draw_all(parts(area, [wins, draws, losses]));
    for (words, y) in sentences(scores, what).iter().zip([60.0, 76.0]) {
        picture.draw(Element::label([2.0, y], &words.to(lang)));
    }
}

/// Sentences about all games together.
fn sentences(scores: &Scores, what: &Drawn<'_>) -> Vec<Message> {
    let mut sentences = Vec::new();
    let rate = rate(&scores.all).unwrap_or(0.5);
    if let Some(share) = wilson(rate, scores.distinct) {
        let [value, low, high] = [share.value, share.low, share.high].map(|share| share * 100.0);
        let ends = [fixed(low, 1), fixed(high, 1)].map(pitmaster_core::i18n::Fill::number);
        let [low, high] = ends;
        let value = pitmaster_core::i18n::Fill::number(fixed(value, 1));
        sentences.push(said!(
            "Player 1 took {} % of the points (95 %: {} to {}).",
            value,
            low,
            high
        ));
    }
    let first = what.standings.ratings.as_ref().map(|ratings| ratings.first_move);
    if let Some(first) = first.filter(|first| first.error > 0.0) {
        let (value, half) = (fixed(first.value, 0), fixed(first.half_width(), 0));
        sentences.push(said!("Being player 1 is worth {} ±{} Elo.", value, half));
    }
    sentences
}
