//! Bracket chart of a knockout: who met whom, and who advanced.

use pitmaster_core::i18n::{Lang, Message, said};

use super::{Meeting, Stage, points};
use crate::charts::Chart;
use crate::svg::{Element, Path, Picture, TEXT, shortened};

/// Maximum number of matches in a displayed round.
const MATCHES: usize = 32;
/// Size of a match's box, and the gaps between boxes.
const BOX: [f64; 2] = [158.0, 38.0];
const GAP: f64 = 26.0;
/// Height of a match, including the gap.
const SLOT: f64 = 48.0;
const EMPTY: f64 = 26.0;
const TOP: f64 = 26.0;

/// Match of the bracket, with its position and the matches that its bots come from.
#[derive(Debug, Clone)]
struct Match {
    meeting: Meeting,
    /// Index of the winner among its bots.
    winner: Option<usize>,
    is_for_third: bool,
    /// Vertical center of its box. `None` until it is placed.
    y: Option<f64>,
}

/// The rounds that are drawn.
struct Bracket {
    rounds: Vec<Vec<Match>>,
    /// Number of rounds before them.
    skipped: usize,
    /// Number of rounds in all.
    total: usize,
    /// Lower edge of the drawing.
    bottom: f64,
}

pub(super) fn draw(stage: &Stage<'_>, extra: u32, lang: Lang) -> Chart {
    let mut bracket = Bracket::of(stage, extra);
    bracket.place();
    let caption = said!(
        "Each box is a match with the points of both bots; the winner is in bold and advances to \
         the right. A bot without a box in a round had a bye."
    );
    let head = stage.head(said!("Knockout"), &caption, lang);
    let more = said!("The first rounds are omitted.");
    let head = head.and((bracket.skipped > 0).then_some(more), lang);
    let columns = bracket.rounds.len() as f64;
    let width = columns * (BOX[0] + GAP) - GAP + 8.0;
    let size = [width.max(super::super::WIDTH), bracket.bottom + 6.0];
    let mut picture = head.picture(size).with_links();
    if width > super::super::WIDTH {
        picture = picture.wide();
    }
    bracket.draw(&mut picture, stage, lang);
    head.chart(picture)
}

impl Bracket {
    fn of(stage: &Stage<'_>, extra: u32) -> Self {
        let rounds = stage.rounds();
        let full = 2 * (stage.plan.pairs + extra);
        let mut played: Vec<Vec<Match>> = Vec::new();
        for (at, meetings) in rounds.iter().enumerate() {
            let next = rounds.get(at + 1).map(Vec::as_slice);
            let round = meetings.iter().map(|meeting| {
                let lost = |bot: &u32| played.last().is_some_and(|last| has_lost(last, *bot));
                let is_for_third = meeting.bots.iter().all(lost);
                let winner = winner(meeting, next, full);
                Match { meeting: meeting.clone(), winner, is_for_third, y: None }
            });
            let round = round.collect();
            played.push(round);
        }
        let main = |round: &Vec<Match>| round.iter().filter(|each| !each.is_for_third).count();
        let field = stage.what.names.len();
        let total = match played.last() {
            Some(last) if played.len() > 1 => {
                played.len() + main(last).next_power_of_two().trailing_zeros() as usize
            }
            _ if stage.number == 1 => field.next_power_of_two().trailing_zeros() as usize,
            _ => rounds[0].len().next_power_of_two().trailing_zeros() as usize + 1,
        };
        let skipped = played.iter().take_while(|round| main(round) > MATCHES).count();
        let skipped = skipped.min(played.len().saturating_sub(1));
        Self { rounds: played.split_off(skipped), skipped, total, bottom: TOP }
    }

    /// Positions every match, from the last round back to its feeders.
    fn place(&mut self) {
        for round in (0..self.rounds.len()).rev() {
            for place in 0..self.rounds[round].len() {
                let each = &self.rounds[round][place];
                if each.y.is_none() && !each.is_for_third {
                    self.place_match(round, place);
                }
            }
        }
        self.place_third();
    }

    fn place_match(&mut self, round: usize, place: usize) -> f64 {
        let bots = self.rounds[round][place].meeting.bots;
        let y = if round == 0 {
            self.slot(SLOT)
        } else {
            let before = bots.map(|bot| match self.feeder(round, bot) {
                Some(feeder) => self.place_match(round - 1, feeder),
                None => self.slot(EMPTY),
            });
            f64::midpoint(before[0], before[1])
        };
        self.rounds[round][place].y = Some(y);
        y
    }

    /// Center of the next free slot of that height.
    fn slot(&mut self, height: f64) -> f64 {
        let middle = self.bottom + height / 2.0;
        self.bottom += height;
        middle
    }

    /// Match of the previous round that a bot won.
    fn feeder(&self, round: usize, bot: u32) -> Option<usize> {
        self.rounds[round - 1].iter().position(|each| {
            let place = each.meeting.place(bot);
            place.is_some() && each.winner == place && !each.is_for_third
        })
    }

    /// Places the match for the third place below the final.
    fn place_third(&mut self) {
        let Some(last) = self.rounds.last_mut() else { return };
        let lowest = last.iter().filter_map(|each| each.y).fold(TOP, f64::max);
        if let Some(third) = last.iter_mut().find(|each| each.is_for_third) {
            let y = lowest + SLOT + 18.0;
            third.y = Some(y);
            self.bottom = self.bottom.max(y + SLOT / 2.0);
        }
    }

    fn draw(&self, picture: &mut Picture, stage: &Stage<'_>, lang: Lang) {
        for (at, round) in self.rounds.iter().enumerate() {
            let x = 4.0 + at as f64 * (BOX[0] + GAP);
            let title = self.round_title(at).to(lang);
            let title = Element::label([x + BOX[0] / 2.0, 15.0], &title).class("mid muted");
            picture.draw(title);
            for each in round {
                self.draw_lines(picture, at, each, x);
                draw_box(picture, stage, each, x, lang);
            }
        }
    }

    fn round_title(&self, at: usize) -> Message {
        let round = self.skipped + at + 1;
        match self.total.saturating_sub(round) {
            0 => said!("Final"),
            1 => said!("Semifinals"),
            2 => said!("Quarterfinals"),
            _ => said!("Round {}", round as u32),
        }
    }

    /// Draws the lines from a match's feeders.
    fn draw_lines(&self, picture: &mut Picture, at: usize, each: &Match, x: f64) {
        let Some(y) = each.y.filter(|_| at > 0 && !each.is_for_third) else { return };
        for (bot, line) in each.meeting.bots.iter().zip([-1.0, 1.0]) {
            let feeder = self.feeder(at, *bot).and_then(|feeder| self.rounds[at - 1][feeder].y);
            if let Some(from) = feeder {
                let to = y + line * BOX[1] / 4.0;
                let mut path = Path::default();
                path.begin([x - GAP, from]);
                path.across(x - GAP / 2.0);
                path.upright(to);
                path.across(x);
                picture.draw(path.element().class("axis"));
            }
        }
    }
}

fn draw_box(picture: &mut Picture, stage: &Stage<'_>, each: &Match, x: f64, lang: Lang) {
    let Some(y) = each.y else { return };
    let top = y - BOX[1] / 2.0;
    let Meeting { bots, points: made, .. } = &each.meeting;
    let names = bots.map(|bot| stage.what.names.name(bot));
    let made = made.map(|hundredths| points(hundredths, lang));
    let words = format!("{} {} – {} {}", names[0], made[0], made[1], names[1]);
    let frame = Element::rect([x, top, BOX[0], BOX[1]]).class("box").attr("rx", "3");
    let mut link =
        Element::new("a").class("cell").attr("href", &stage.what.games_of(each.meeting.bots));
    link = link.child(frame);
    for place in 0..2 {
        let base = top + BOX[1] * (0.25 + 0.5 * place as f64) + TEXT * 0.35;
        let class = if each.winner == Some(place) { "strong" } else { "" };
        // Bold text is wider.
        let name = shortened(names[place], TEXT * 1.1, BOX[0] - 50.0);
        link = link.child(Element::label([x + 6.0, base], &name).class(class));
        let figure = Element::label([x + BOX[0] - 6.0, base], &made[place]);
        link = link.child(figure.class(&format!("end {class}")));
    }
    picture.draw(link.title(&words));
    if each.is_for_third {
        let words = lang.text("Third place");
        let middle = [x + BOX[0] / 2.0, top - 6.0];
        picture.draw(Element::label(middle, words).class("mid muted"));
    }
}

/// Winner of a match: the bot with more points; if tied, the one that advanced; if neither has yet
/// and all extra pairs are played, the one seeded higher, which began.
fn winner(meeting: &Meeting, next: Option<&[Meeting]>, full: u32) -> Option<usize> {
    let [one, two] = meeting.points;
    if one != two {
        return Some(usize::from(two > one));
    }
    let goes_on = |place: &usize| {
        let bot = meeting.bots[*place];
        next.is_some_and(|next| next.iter().any(|meeting| meeting.place(bot).is_some()))
    };
    let went_on = (0..2).find(goes_on);
    went_on.or((meeting.games >= full).then_some(0))
}

fn has_lost(round: &[Match], bot: u32) -> bool {
    round.iter().any(|each| {
        let place = each.meeting.place(bot);
        place.is_some() && each.winner.is_some() && each.winner != place
    })
}
