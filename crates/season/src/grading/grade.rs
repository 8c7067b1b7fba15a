//! Grades of a class, each number with its reason.

use pitmaster_core::i18n::{Fill, Lang, Message, said};
use pitmaster_ratings::MilestoneVerdict;
use serde::{Deserialize, Serialize};

use super::evidence::{BotEvidence, Evidence};
use super::scheme::{Borderline, MilestoneRule, Scheme};
use super::{Parts, Points};
use crate::time::days_late;
use crate::{Class, Member, State};

/// Grade of a person or a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// The person.
    pub member: Member,
    /// The grade.
    pub points: Points,
    /// Maximum grade.
    pub maximum: Points,
    /// Reasons, in the order of the scheme. Their points sum up to the grade before it is limited
    /// and rounded.
    pub reasons: Vec<Reason>,
    /// Whether a borderline verdict or a part waits for the teacher.
    pub open: bool,
    /// Reason why the bot cannot play, in lines. `None` if it can.
    pub cannot_play: Option<Fill>,
}

/// Reason of a part of a grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Name of the part.
    pub what: Fill,
    /// Points; `None` for a condition.
    pub points: Option<Points>,
    /// Explanation.
    pub why: Message,
}

/// A grade as shown to its person, in a storable and translatable form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownGrade {
    /// The grade.
    pub points: Points,
    /// Maximum grade.
    pub maximum: Points,
    /// Whether a borderline verdict or a part waits for the teacher.
    pub open: bool,
    /// Reasons, in the order of the scheme.
    pub reasons: Vec<Reason>,
}

/// Reason why a class cannot be graded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GradeError {
    /// The scheme names a house bot that did not play.
    #[error(
        "{what}: no house bot {name:?} took part; {}",
        if .there.is_empty() {
            "add house bots to the tournament's `bots`".to_owned()
        } else {
            format!("the house bots are {}", .there.join(", "))
        }
    )]
    NoHouseBot {
        /// Key of the scheme.
        what: &'static str,
        /// Name in the scheme.
        name: String,
        /// House bots of the tournament.
        there: Vec<String>,
    },
}

/// Grades a class. The same input gives the same grades.
///
/// # Errors
/// The scheme names a house bot that did not play.
pub fn grade(
    scheme: &Scheme,
    class: &Class,
    evidence: &Evidence,
    parts: &Parts,
) -> Result<Vec<Grade>, GradeError> {
    check_house_bots(scheme, evidence)?;
    let of = |member: &Member| {
        let rank = evidence.ranks.get(&member.key).copied();
        Grader { scheme, evidence, parts, member, rank, open: false, reasons: Vec::new() }.grade()
    };
    Ok(class.members.iter().map(of).collect())
}

fn check_house_bots(scheme: &Scheme, evidence: &Evidence) -> Result<(), GradeError> {
    let against = scheme.milestones.iter().map(|rule| ("milestone.against", &rule.against));
    let over = (!scheme.bands.is_empty()).then_some(("elo.over", &scheme.over));
    for (what, name) in against.chain(over) {
        if evidence.house_bot(name).is_none() {
            let there = evidence.house.keys().map(ToString::to_string).collect();
            return Err(GradeError::NoHouseBot { what, name: name.clone(), there });
        }
    }
    Ok(())
}

struct Grader<'a> {
    scheme: &'a Scheme,
    evidence: &'a Evidence,
    parts: &'a Parts,
    member: &'a Member,
    rank: Option<u32>,
    open: bool,
    reasons: Vec<Reason>,
}

impl Grader<'_> {
    fn grade(mut self) -> Grade {
        let bot = self.evidence.bots.get(&self.member.key);
        let cannot_play = self.cannot_play(bot);
        let bot = bot.filter(|_| cannot_play.is_none());
        if self.gate(bot, cannot_play.clone())
            && let Some(bot) = bot
        {
            self.milestones(bot);
            self.bands(bot);
            self.ranking();
        }
        self.by_hand();
        self.penalties(bot);
        let sum = sum(&self.reasons);
        let Scheme { maximum, round, .. } = *self.scheme;
        Grade {
            member: self.member.clone(),
            points: sum.rounded(round).clamp(Points::ZERO, maximum),
            maximum,
            reasons: self.reasons,
            open: self.open,
            cannot_play,
        }
    }

    fn add(&mut self, what: impl Into<Fill>, points: impl Into<Option<Points>>, why: Message) {
        self.reasons.push(Reason { what: what.into(), points: points.into(), why });
    }

    fn cannot_play(&self, bot: Option<&BotEvidence>) -> Option<Fill> {
        Some(match (bot, self.member.state) {
            (Some(bot), _) if bot.cannot_play.is_empty() => return None,
            (Some(bot), _) => Fill::from(&bot.cannot_play),
            (None, State::Missing) => said!("nothing was handed in").into(),
            (None, State::Ready) => said!("the bot took no part in the tournament").into(),
            (None, state) if self.member.why.is_empty() => state.name().into(),
            (None, _) => Fill::from(&self.member.why),
        })
    }

    /// Applies the gate: whether the bot gets points for its play.
    fn gate(&mut self, bot: Option<&BotEvidence>, cannot_play: Option<Fill>) -> bool {
        let Some(bot) = bot else {
            let why = match cannot_play {
                Some(Fill::Text(lines)) => Fill::from(lines.lines().next().unwrap_or_default()),
                other => other.unwrap_or_else(|| "".into()),
            };
            self.add(said!("gate"), None, said!("no points for play: {}", why));
            return !self.scheme.gate.builds;
        };
        let forfeits = bot.forfeited();
        let Some(most) = self.scheme.gate.forfeits else { return true };
        let passed = forfeits <= most;
        let verdict = if passed { said!("passed") } else { said!("no points for play") };
        let why = said!(
            "{}: {} of {} games forfeited, at most {} allowed{}",
            verdict,
            forfeits,
            bot.games,
            most,
            kinds(bot)
        );
        self.add(said!("gate"), None, why);
        passed
    }

    fn milestones(&mut self, bot: &BotEvidence) {
        for rule in &self.scheme.milestones {
            if let Some(given) = self.parts.points(self.member, &rule.name) {
                self.add(&rule.name, given, said!("decided by the teacher"));
                continue;
            }
            self.milestone(rule, bot);
        }
    }

    fn milestone(&mut self, rule: &MilestoneRule, bot: &BotEvidence) {
        let house = self.evidence.house_bot(&rule.against);
        let pairs = house.and_then(|house| bot.pairs.get(house));
        let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else {
            self.open = true;
            let why = said!("open: no complete pair of games against {}", &rule.against);
            self.add(&rule.name, Points::ZERO, why);
            return;
        };
        let planned = self.evidence.planned_pairs.map_or(pairs.len(), |planned| planned as usize);
        let result = rule.test.judge_first(pairs, planned);
        let student = rule.borderline == Borderline::Student;
        let (verdict, earned) = match result.verdict {
            MilestoneVerdict::Reached => (said!("reached"), true),
            MilestoneVerdict::Missed => (said!("missed"), false),
            MilestoneVerdict::Borderline if student => {
                (said!("borderline, counts as reached"), true)
            }
            MilestoneVerdict::Borderline => (said!("borderline, the teacher decides"), false),
        };
        self.open |= result.verdict == MilestoneVerdict::Borderline && !student;
        let score = result.score.map_or(0.0, |score| score.value);
        let why = said!(
            "{}: {} % against {} in {} distinct games, {} % required",
            verdict,
            Fill::number(format!("{:.1}", 100.0 * score)),
            &rule.against,
            result.games(),
            format!("{:.0}", 100.0 * rule.test.line),
        );
        self.add(&rule.name, if earned { rule.points } else { Points::ZERO }, why);
    }

    fn bands(&mut self, bot: &BotEvidence) {
        let Scheme { bands, over, bands_borderline, .. } = self.scheme;
        if bands.is_empty() {
            return;
        }
        let house = self.evidence.house_bot(over).and_then(|house| self.evidence.house[house]);
        let (Some(elo), Some(house)) = (bot.elo, house) else {
            let why = said!("open: no game compares the bot with {}", over);
            self.open = true;
            self.add("Elo", Points::ZERO, why);
            return;
        };
        let best = |end: Option<f64>| {
            let reached = bands.iter().filter(|band| end.is_none_or(|end| end - house >= band.elo));
            reached.map(|band| band.points).max().unwrap_or_default()
        };
        let sure = elo.low.map_or(Points::ZERO, |low| best(Some(low)));
        let possible = best(elo.high);
        let is_open = sure < possible;
        let student = *bands_borderline == Borderline::Student;
        let points = if is_open && !student { sure } else { possible };
        let note = match (is_open, student) {
            (false, _) => "".into(),
            (true, true) => Fill::from(said!("; the band within the interval counts as reached")),
            (true, false) => {
                let [sure, possible] = [sure, possible].map(Points::fill);
                said!("; {} to {} points are possible, the teacher decides", sure, possible).into()
            }
        };
        self.open |= is_open && !student;
        let why = said!(
            "{} Elo over {} (95 %: {} to {}){}",
            format!("{:+.0}", elo.value - house),
            over,
            end(elo.low, house),
            end(elo.high, house),
            note
        );
        self.add("Elo", points, why);
    }

    fn ranking(&mut self) {
        let most = self.scheme.rank;
        let (Some(rank), true) = (self.rank, most > Points::ZERO) else { return };
        let bots = self.evidence.ranks.len() as u32;
        let points = if bots > 1 { most - most.share(rank - 1, bots - 1) } else { most };
        let why = match rank - 1 {
            0 => said!("place 1 of {}: no bot is significantly stronger", bots),
            1 => said!("place 2 of {}: one bot is significantly stronger", bots),
            stronger => {
                said!("place {} of {}: {} bots are significantly stronger", rank, bots, stronger)
            }
        };
        self.add(said!("rank"), points, why);
    }

    fn by_hand(&mut self) {
        for part in &self.scheme.parts {
            let Some(points) = self.parts.points(self.member, &part.name) else {
                self.open = true;
                let why = said!("open: not graded yet, at most {} points", part.points.fill());
                self.add(&part.name, Points::ZERO, why);
                continue;
            };
            let limited = points.min(part.points);
            let note: Fill = if limited < points {
                said!(", limited from {}", points.fill()).into()
            } else {
                "".into()
            };
            let why = said!("of {}, graded by hand{}", part.points.fill(), note);
            self.add(&part.name, limited, why);
        }
    }

    fn penalties(&mut self, bot: Option<&BotEvidence>) {
        let penalty = self.scheme.penalty;
        let late = &self.member.late;
        let days = days_late(late);
        let all = penalty.late + penalty.late_per_day.times(days);
        if !late.is_empty() && all > Points::ZERO {
            let each = penalty.late_per_day;
            let why = if each > Points::ZERO {
                said!("handed in late: {}; {} × {} a day", late, days, each.fill())
            } else {
                said!("handed in late: {}", late)
            };
            self.add(said!("late"), Points::ZERO - all, why);
        }
        let forfeits = bot.map_or(0, BotEvidence::forfeited);
        if let Some(bot) = bot.filter(|_| forfeits > 0 && penalty.forfeit > Points::ZERO) {
            let all = penalty.forfeit.times(forfeits);
            let limited = penalty.forfeits_at_most.map_or(all, |most| all.min(most));
            let at_most: Fill = if limited < all { said!(", limited").into() } else { "".into() };
            let count = format!("{forfeits} ×");
            let each = penalty.forfeit.fill();
            let why =
                Message::new("{} {}{}{}", vec![count.into(), each, at_most, kinds(bot).into()]);
            self.add(said!("forfeits"), Points::ZERO - limited, why);
        }
    }
}

fn end(end: Option<f64>, house: f64) -> Fill {
    end.map_or_else(|| said!("open").into(), |end| format!("{:+.0}", end - house).into())
}

fn kinds(bot: &BotEvidence) -> String {
    let kinds: Vec<_> =
        bot.forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) }
}

impl Reason {
    /// One line: `greedy: 4; reached: …`.
    pub fn line(&self, lang: Lang) -> String {
        let (what, why) = (self.what.to(lang), self.why.to(lang));
        match self.points {
            Some(points) => format!("{what}: {}; {why}", points.fill().to(lang)),
            None => format!("{what}: {why}"),
        }
    }
}

fn sum(reasons: &[Reason]) -> Points {
    reasons.iter().filter_map(|reason| reason.points).sum()
}

fn total(points: Points, maximum: Points, open: bool, lang: Lang) -> String {
    let [points, maximum] = [points, maximum].map(Points::fill);
    let open: Fill = if open { said!(" (provisional)").into() } else { "".into() };
    Message::new("{}{}", vec![said!("{} of {}", points, maximum).into(), open]).to(lang)
}

impl ShownGrade {
    /// Points of the maximum, and whether they are provisional.
    pub fn total(&self, lang: Lang) -> String {
        total(self.points, self.maximum, self.open, lang)
    }

    /// Sum of the reasons' points: the grade before it is limited and rounded.
    pub fn sum(&self) -> Points {
        sum(&self.reasons)
    }
}

impl Grade {
    /// Points of the maximum, and whether they are provisional.
    pub fn total(&self, lang: Lang) -> String {
        total(self.points, self.maximum, self.open, lang)
    }

    /// Sum of the reasons' points: the grade before it is limited and rounded.
    pub fn sum(&self) -> Points {
        sum(&self.reasons)
    }

    /// The grade as shown to its person.
    pub fn shown(&self) -> ShownGrade {
        let Self { points, maximum, open, .. } = *self;
        ShownGrade { points, maximum, open, reasons: self.reasons.clone() }
    }

    /// Comment in one line, for cells of tables.
    pub fn comment(&self, lang: Lang) -> String {
        let reasons = self.reasons.iter().map(|reason| reason.line(lang));
        [self.total(lang)].into_iter().chain(reasons).collect::<Vec<_>>().join(" | ")
    }
}
