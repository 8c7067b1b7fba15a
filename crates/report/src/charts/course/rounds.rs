//! Swiss table: the opponents, results and points of every bot, round by round.

use pitmaster_core::i18n::{Lang, said};

use super::{Meeting, Stage, points};
use crate::charts::{Chart, Head, WIDTH};
use crate::svg::{Element, Picture, TEXT, shortened, width_of};

/// Upper bound on bots that are drawn.
const BOTS: usize = 64;
const ROW: f64 = 32.0;
const COLUMN: f64 = 74.0;
const TOP: f64 = 22.0;
const NAME: f64 = 120.0;

/// Result of a bot in a round.
enum Cell<'a> {
    Played {
        meeting: &'a Meeting,
        place: usize,
    },
    /// No opponent, which counts as won.
    Bye,
    /// No result yet.
    Open,
}

/// A bot's line.
struct Line<'a> {
    bot: u32,
    cells: Vec<Cell<'a>>,
    /// Points after each round, in hundredths.
    sums: Vec<i64>,
}

pub(super) fn draw(stage: &Stage<'_>, lang: Lang) -> Chart {
    let rounds = stage.rounds();
    let lines = lines(stage, &rounds);
    let head = head(stage, lines.len(), lang);
    let shown = lines.len().min(BOTS);
    let names = lines[..shown].iter().map(|line| stage.what.names.name(line.bot));
    let widest = names.map(|name| width_of(name, TEXT)).fold(0.0, f64::max).min(NAME);
    let left = widest + 38.0;
    let width = left + COLUMN * rounds.len() as f64 + 4.0;
    let size = [width.max(WIDTH), TOP + ROW * shown as f64 + 6.0];
    let mut picture = head.picture(size).with_links();
    if width > WIDTH {
        picture = picture.wide();
    }
    for round in 0..rounds.len() {
        let x = left + COLUMN * (round as f64 + 0.5);
        let title = said!("Round {}", round as u32 + 1).to(lang);
        picture.draw(Element::label([x, 14.0], &title).class("mid muted"));
    }
    for place in 0..shown {
        draw_line(&mut picture, stage, &lines, place, left, lang);
    }
    head.chart(picture)
}

fn head(stage: &Stage<'_>, count: usize, lang: Lang) -> Head {
    let caption = said!(
        "Each cell shows the opponent's number in this table and the points of both; below them, \
         the bot's points so far. The bar at the left is high for a win, medium for a draw, low \
         for a loss."
    );
    let more = said!("The first {} of {} bots are shown.", BOTS, count);
    let head = stage.head(said!("Rounds"), &caption, lang);
    head.and((count > BOTS).then_some(more), lang)
}

/// Lines of all bots that took part, most points first.
fn lines<'a>(stage: &Stage<'_>, rounds: &'a [Vec<Meeting>]) -> Vec<Line<'a>> {
    let plays = |bot: u32| stage.games.iter().any(|game| game.bots.iter().any(|one| *one == bot));
    let rows = stage.what.standings.rows.iter().map(|row| row.bot);
    let field: Vec<u32> = rows.filter(|&bot| plays(bot)).collect();
    let byes: Vec<Option<u32>> = rounds.iter().map(|round| bye(&field, round)).collect();
    let mut lines: Vec<Line<'a>> =
        field.iter().map(|&bot| line(stage, bot, rounds, &byes)).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.sums.last().copied()));
    lines
}

/// Bot of an odd number without an opponent in a round, if all others had one.
fn bye(field: &[u32], round: &[Meeting]) -> Option<u32> {
    let meets = |bot: u32| round.iter().any(|meeting| meeting.place(bot).is_some());
    let mut without = field.iter().copied().filter(|&bot| !meets(bot));
    let first = without.next()?;
    (without.next().is_none() && field.len() % 2 == 1).then_some(first)
}

fn line<'a>(
    stage: &Stage<'_>,
    bot: u32,
    rounds: &'a [Vec<Meeting>],
    byes: &[Option<u32>],
) -> Line<'a> {
    let (mut cells, mut sums, mut sum) = (Vec::new(), Vec::new(), 0);
    let for_bye = stage.what.standings_points().win * (2 * stage.plan.pairs);
    for (round, bye) in rounds.iter().zip(byes) {
        let met = round.iter().find_map(|meeting| Some((meeting, meeting.place(bot)?)));
        let cell = match met {
            Some((meeting, place)) => Cell::Played { meeting, place },
            None if *bye == Some(bot) => Cell::Bye,
            None => Cell::Open,
        };
        sum += match &cell {
            Cell::Played { meeting, place } => meeting.points[*place],
            Cell::Bye => for_bye.in_hundredths(),
            Cell::Open => 0,
        };
        cells.push(cell);
        sums.push(sum);
    }
    Line { bot, cells, sums }
}

fn draw_line(
    picture: &mut Picture,
    stage: &Stage<'_>,
    lines: &[Line<'_>],
    place: usize,
    left: f64,
    lang: Lang,
) {
    let line = &lines[place];
    let (top, name) = (TOP + ROW * place as f64, stage.what.names.name(line.bot));
    let base = top + ROW / 2.0 + TEXT * 0.35;
    let number = (place + 1).to_string();
    picture.draw(Element::label([22.0, base], &number).class("end muted"));
    let short = shortened(name, TEXT, NAME);
    let text = Element::label([29.0, base], &short);
    picture.draw(if short == name { text } else { text.title(name) });
    for (round, (cell, sum)) in line.cells.iter().zip(&line.sums).enumerate() {
        let corner = [left + COLUMN * round as f64, top];
        let sum = points(*sum, lang);
        match cell {
            Cell::Played { meeting, place } => {
                let other = meeting.bots[1 - place];
                let number = lines.iter().position(|line| line.bot == other).map_or(0, |at| at + 1);
                let [own, others] = [meeting.points[*place], meeting.points[1 - place]];
                let result = format!("{}–{}", points(own, lang), points(others, lang));
                let other = stage.what.names.name(other);
                let hint = format!("{name} {result} {other}");
                let link = stage.what.games_of(meeting.bots);
                let texts = [&*format!("{number}: {result}"), &sum];
                let cell = cell_of(corner, texts, Some(own.cmp(&others)));
                let link = Element::new("a").class("cell").attr("href", &link).child(cell);
                picture.draw(link.title(&hint));
            }
            Cell::Bye => picture.draw(cell_of(corner, [lang.text("bye"), &sum], None)),
            Cell::Open => picture.draw(cell_of(corner, ["–", &sum], None)),
        }
    }
}

/// Cell with two lines of text, and a bar at its left that shows the result of the match.
fn cell_of(
    [x, y]: [f64; 2],
    [upper, lower]: [&str; 2],
    result: Option<std::cmp::Ordering>,
) -> Element {
    let frame = Element::rect([x + 1.0, y + 1.0, COLUMN - 2.0, ROW - 2.0]).class("box");
    let (class, share) = match result {
        Some(std::cmp::Ordering::Greater) => ("win", 1.0),
        Some(std::cmp::Ordering::Equal) => ("draw", 0.6),
        Some(std::cmp::Ordering::Less) => ("loss", 0.3),
        None => ("none", 0.0),
    };
    let high = (ROW - 2.0) * share;
    let bar = Element::rect([x + 1.0, y + ROW - 1.0 - high, 4.0, high]).class(class);
    let middle = x + COLUMN / 2.0 + 2.0;
    Element::new("g")
        .child(frame)
        .child(bar)
        .child(Element::label([middle, y + 14.0], upper).class("mid small"))
        .child(Element::label([middle, y + 27.0], lower).class("mid small muted"))
}
