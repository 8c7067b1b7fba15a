//! Crosstable heat map: each bot's share of the points against each opponent.

use pitmaster_core::i18n::{Lang, said};
use pitmaster_ratings::Tally;

use super::{Chart, Drawn, Head};
use crate::svg::{Element, Path, Picture, SMALL, TEXT, shortened, width_of};

/// Number of bots above which cells contain no text.
const WITH_TEXT: usize = 60;
/// Number of bots above which cells of one color are one path without links: one link per cell
/// would take some megabytes.
const WITH_LINKS: usize = 100;
/// Number of bots above which a cell contains a share, not counts.
const WITH_COUNTS: usize = 16;
/// Number of bots above which cells are not in the tab order.
const WITH_STOPS: usize = 12;

/// Number of colors.
const COLOURS: usize = 9;
const NAME: f64 = 130.0;

/// Positions of the cells.
struct Grid {
    bots: Vec<u32>,
    left: f64,
    top: f64,
    cell: [f64; 2],
    with_counts: bool,
}

/// Rows and columns in the order of the standings.
pub(super) fn draw(what: &Drawn<'_>, lang: Lang) -> Option<Chart> {
    what.matches.iter().next()?;
    let grid = Grid::new(what);
    let head = grid.head(what, lang);
    let size = [grid.right().max(LEGEND) + 4.0, grid.bottom() + 44.0];
    let mut picture = head.picture(size);
    if size[0] > super::WIDTH {
        picture = picture.wide();
    }
    grid.draw_names(&mut picture, what);
    if grid.bots.len() > WITH_LINKS {
        grid.draw_merged(&mut picture, what);
    } else {
        picture = picture.with_links();
        grid.draw_cells(&mut picture, what, lang);
    }
    grid.draw_legend(&mut picture, lang);
    Some(head.chart(picture))
}

impl Grid {
    fn new(what: &Drawn<'_>) -> Self {
        let bots: Vec<u32> = what.standings.rows.iter().map(|row| row.bot).collect();
        let count = bots.len();
        let widest = bots.iter().map(|&bot| width_of(&label(what, bot), TEXT)).fold(0.0, f64::max);
        let most = what
            .matches
            .iter()
            .map(|each| counts(&each.tally()).chars().count())
            .max()
            .unwrap_or(0);
        let with_counts = count <= WITH_COUNTS && most <= 9;
        let cell = match count {
            0..=WITH_TEXT if with_counts => [(most as f64 * SMALL * 0.62 + 8.0).max(34.0), 24.0],
            0..=WITH_TEXT => [30.0, 22.0],
            61..=100 => [12.0, 15.0],
            _ => [6.0, 15.0],
        };
        let number = width_of(&count.to_string(), TEXT) + 6.0;
        Self { bots, left: widest.min(NAME) + number + 8.0, top: 22.0, cell, with_counts }
    }

    fn head(&self, what: &Drawn<'_>, lang: Lang) -> Head {
        let caption = said!(
            "Each cell is the share of the points that the bot of its row took from the bot of \
             its column, in the order of the standings. Darker cells (brighter ones on a dark \
             page) are higher."
        );
        let head = Head::new(what.key, "crosstable", &said!("Cross table"), &caption, lang);
        let more = match self.bots.len() {
            _ if self.with_counts => said!("Numbers: games won–drawn–lost."),
            0..=WITH_TEXT => said!("Numbers: that share in percent."),
            _ => return head,
        };
        head.and(Some(more), lang)
    }

    fn right(&self) -> f64 {
        self.left + self.cell[0] * self.bots.len() as f64
    }

    fn bottom(&self) -> f64 {
        self.top + self.cell[1] * self.bots.len() as f64
    }

    /// The upper left corner of a cell.
    fn corner(&self, row: usize, column: usize) -> [f64; 2] {
        [self.left + self.cell[0] * column as f64, self.top + self.cell[1] * row as f64]
    }

    fn draw_names(&self, picture: &mut Picture, what: &Drawn<'_>) {
        let every = if self.cell[0] < 20.0 { 10 } else { 1 };
        for (place, &bot) in self.bots.iter().enumerate() {
            let name = label(what, bot);
            let short = shortened(&name, TEXT, NAME);
            let y = self.corner(place, 0)[1] + self.cell[1] / 2.0 + TEXT * 0.35;
            let number = (place + 1).to_string();
            let mut text = Element::label([self.left - 6.0 - self.number_width(), y], &short);
            if short != name {
                text = text.title(&name);
            }
            picture.draw(text.class("end"));
            picture.draw(Element::label([self.left - 6.0, y], &number).class("end muted"));
            if (place + 1) % every == 0 {
                let x = self.corner(0, place)[0] + self.cell[0] / 2.0;
                let head = Element::label([x, self.top - 7.0], &number).class("mid muted");
                picture.draw(head.title(&name));
            }
        }
    }

    fn number_width(&self) -> f64 {
        width_of(&self.bots.len().to_string(), TEXT) + 4.0
    }

    fn draw_cells(&self, picture: &mut Picture, what: &Drawn<'_>, lang: Lang) {
        for (row, &one) in self.bots.iter().enumerate() {
            for (column, &two) in self.bots.iter().enumerate() {
                let tally = what.matches.between(one, two);
                let corner = self.corner(row, column);
                if one == two {
                    picture.draw(self.square(corner).class("void"));
                } else if tally.games() > 0 {
                    picture.draw(self.link(what, [one, two], &tally, corner, lang));
                }
            }
        }
    }

    fn square(&self, corner: [f64; 2]) -> Element {
        let mut path = Path::default();
        path.rectangle(corner, self.cell);
        path.element()
    }

    fn link(
        &self,
        what: &Drawn<'_>,
        [one, two]: [u32; 2],
        tally: &Tally,
        corner: [f64; 2],
        lang: Lang,
    ) -> Element {
        let href = what.games_of([one, two]);
        let mut link = Element::new("a").class(&format!("cell h{}", colour(tally)));
        link = link.attr("href", &href);
        if self.bots.len() > WITH_STOPS {
            link = link.attr("tabindex", "-1");
        }
        if self.bots.len() > WITH_TEXT {
            return link.attr("aria-label", &counts(tally)).child(self.square(corner));
        }
        let [x, y] = corner;
        let middle = [x + self.cell[0] / 2.0, y + self.cell[1] / 2.0 + SMALL * 0.35];
        let text = if self.with_counts { counts(tally) } else { percent(tally) };
        let [name, other] = [one, two].map(|bot| what.names.name(bot));
        let words =
            said!("{} against {}: {} ({} %)", name, other, counts(tally), percent(tally)).to(lang);
        let text = Element::label(middle, &text).class("mid small");
        link.child(self.square(corner)).child(text).title(&words)
    }

    /// Draws all cells of one color as one path, with neighbors in a row merged.
    fn draw_merged(&self, picture: &mut Picture, what: &Drawn<'_>) {
        let mut paths = vec![Path::default(); COLOURS];
        for (row, &one) in self.bots.iter().enumerate() {
            let colours: Vec<Option<usize>> = self
                .bots
                .iter()
                .map(|&two| what.matches.between(one, two))
                .map(|tally| (tally.games() > 0).then(|| colour(&tally)))
                .collect();
            let mut column = 0;
            for run in colours.chunk_by(|a, b| a == b) {
                if let Some(colour) = run[0] {
                    let size = [self.cell[0] * run.len() as f64, self.cell[1]];
                    paths[colour - 1].rectangle(self.corner(row, column), size);
                }
                column += run.len();
            }
        }
        for (path, colour) in paths.iter().zip(1..).filter(|(path, _)| !path.is_empty()) {
            picture.draw(path.element().class(&format!("h{colour}")));
        }
    }

    fn draw_legend(&self, picture: &mut Picture, lang: Lang) {
        let top = self.bottom() + 12.0;
        for colour in 1..=COLOURS {
            let x = 4.0 + (colour - 1) as f64 * 24.0;
            let class = format!("h{colour}");
            picture.draw(Element::rect([x, top, 24.0, 12.0]).class(&class));
        }
        let right = 4.0 + COLOURS as f64 * 24.0;
        for (x, class, text) in [
            (4.0, "muted", "0 %"),
            (right / 2.0 + 2.0, "mid muted", "50 %"),
            (right, "end muted", "100 %"),
        ] {
            picture.draw(Element::label([x, top + 25.0], text).class(class));
        }
        let words = lang.text("share of the points");
        picture.draw(Element::label([right + 8.0, top + 10.0], words).class("muted"));
    }
}

/// Width of the legend.
const LEGEND: f64 = 400.0;

fn label(what: &Drawn<'_>, bot: u32) -> String {
    what.names.name(bot).to_owned()
}

fn counts(tally: &Tally) -> String {
    format!("{}–{}–{}", tally.wins, tally.draws, tally.losses + tally.both_lost)
}

/// Share of the points. A draw is half a win.
fn share(tally: &Tally) -> f64 {
    let half = f64::from(tally.wins) + f64::from(tally.draws) / 2.0;
    half / f64::from(tally.games())
}

fn percent(tally: &Tally) -> String {
    format!("{:.0}", share(tally) * 100.0)
}

/// Color from 1 to 9; the fifth for about as many wins as losses.
fn colour(tally: &Tally) -> usize {
    1 + (share(tally) * COLOURS as f64).floor().min(COLOURS as f64 - 1.0) as usize
}
