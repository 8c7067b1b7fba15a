//! Grades of a class, each number with its reason.

use std::fmt::Write as _;

use pitmaster_ratings::MilestoneVerdict;

use super::evidence::{BotEvidence, Evidence};
use super::scheme::{Borderline, MilestoneRule, Scheme};
use super::{Parts, Points};
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
    /// Why the bot cannot play, in lines; empty if it can.
    pub cannot_play: String,
}

/// Reason of a part of a grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Name of the part.
    pub what: String,
    /// Points; `None` for a condition.
    pub points: Option<Points>,
    /// Explanation.
    pub why: String,
}

/// Why a class cannot be graded.
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
    let ranks = evidence.ranks();
    let of = |member: &Member| {
        let rank = ranks.iter().find(|(name, _)| **name == member.key).map(|(_, rank)| *rank);
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
        let bot = bot.filter(|_| cannot_play.is_empty());
        if self.gate(bot, &cannot_play)
            && let Some(bot) = bot
        {
            self.milestones(bot);
            self.bands(bot);
            self.ranking();
        }
        self.by_hand();
        self.penalties(bot);
        let sum: Points = self.reasons.iter().filter_map(|reason| reason.points).sum();
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

    fn add(&mut self, what: &str, points: impl Into<Option<Points>>, why: String) {
        self.reasons.push(Reason { what: what.to_owned(), points: points.into(), why });
    }

    fn cannot_play(&self, bot: Option<&BotEvidence>) -> String {
        match (bot, self.member.state) {
            (Some(bot), _) => bot.cannot_play.clone(),
            (None, State::Missing) => "nothing was handed in".into(),
            (None, State::Ready) => "the bot took no part in the tournament".into(),
            (None, state) if self.member.why.is_empty() => state.name().into(),
            (None, _) => self.member.why.clone(),
        }
    }

    /// Whether the bot gets points for its play.
    fn gate(&mut self, bot: Option<&BotEvidence>, cannot_play: &str) -> bool {
        let Some(bot) = bot else {
            let first = cannot_play.lines().next().unwrap_or_default();
            self.add("gate", None, format!("no points for play: {first}"));
            return !self.scheme.gate.builds;
        };
        let forfeits = bot.forfeited();
        let games = games(u64::from(bot.games));
        let Some(most) = self.scheme.gate.forfeits else { return true };
        let passed = forfeits <= most;
        let verdict = if passed { "passed" } else { "no points for play" };
        let kinds = kinds(bot);
        self.add(
            "gate",
            None,
            format!("{verdict}: {forfeits} of {games} forfeited, at most {most} allowed{kinds}"),
        );
        passed
    }

    fn milestones(&mut self, bot: &BotEvidence) {
        for rule in &self.scheme.milestones {
            if let Some(given) = self.parts.points(&self.member.key, &rule.name) {
                self.add(&rule.name, given, "decided by the teacher".into());
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
            let why = format!("open: no complete pair of games against {}", rule.against);
            self.add(&rule.name, Points::ZERO, why);
            return;
        };
        let result = rule.test.judge(pairs);
        let student = rule.borderline == Borderline::Student;
        let (verdict, earned) = match result.verdict {
            MilestoneVerdict::Reached => ("reached", true),
            MilestoneVerdict::Missed => ("missed", false),
            MilestoneVerdict::Borderline if student => ("borderline, counts as reached", true),
            MilestoneVerdict::Borderline => ("borderline, the teacher decides", false),
        };
        self.open |= result.verdict == MilestoneVerdict::Borderline && !student;
        let score = result.score.map_or(0.0, |score| score.value);
        let why = format!(
            "{verdict}: {:.1} % against {} in {}, {:.0} % required",
            100.0 * score,
            rule.against,
            distinct_games(result.games()),
            100.0 * rule.test.line,
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
            let why = format!("open: no game compares the bot with {over}");
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
        let mut why = format!(
            "{:+.0} Elo over {over} (95 %: {} to {})",
            elo.value - house,
            end(elo.low, house),
            end(elo.high, house),
        );
        let mut points = possible;
        if sure < possible && *bands_borderline == Borderline::Student {
            why.push_str("; the band within the interval counts as reached");
        } else if sure < possible {
            points = sure;
            self.open = true;
            let _ = write!(why, "; {sure} to {possible} points are possible, the teacher decides");
        }
        self.add("Elo", points, why);
    }

    fn ranking(&mut self) {
        let most = self.scheme.rank;
        let (Some(rank), true) = (self.rank, most > Points::ZERO) else { return };
        let bots = self.evidence.ladder.len() as u32;
        let points = if bots > 1 { most - most.share(rank - 1, bots - 1) } else { most };
        let together = self.evidence.ranks().iter().filter(|(_, other)| *other == rank).count();
        let shared = match together {
            1 => String::new(),
            _ => format!(", shared by {together} bots that the games cannot tell apart"),
        };
        self.add("rank", points, format!("place {rank} of {bots}{shared}"));
    }

    fn by_hand(&mut self) {
        for part in &self.scheme.parts {
            let Some(points) = self.parts.points(&self.member.key, &part.name) else {
                self.open = true;
                let why = format!("open: not graded yet, at most {} points", part.points);
                self.add(&part.name, Points::ZERO, why);
                continue;
            };
            let limited = points.min(part.points);
            let note =
                if limited < points { format!(", limited from {points}") } else { String::new() };
            self.add(&part.name, limited, format!("of {}, graded by hand{note}", part.points));
        }
    }

    fn penalties(&mut self, bot: Option<&BotEvidence>) {
        let penalty = self.scheme.penalty;
        let late = &self.member.late;
        if !late.is_empty() && penalty.late > Points::ZERO {
            self.add("late", Points::ZERO - penalty.late, format!("handed in late: {late}"));
        }
        let forfeits = bot.map_or(0, BotEvidence::forfeited);
        if let Some(bot) = bot.filter(|_| forfeits > 0 && penalty.forfeit > Points::ZERO) {
            let all = penalty.forfeit.times(forfeits);
            let limited = penalty.forfeits_at_most.map_or(all, |most| all.min(most));
            let at_most = if limited < all { ", limited" } else { "" };
            let why = format!("{forfeits} × {}{at_most}{}", penalty.forfeit, kinds(bot));
            self.add("forfeits", Points::ZERO - limited, why);
        }
    }
}

fn end(end: Option<f64>, house: f64) -> String {
    end.map_or("open".into(), |end| format!("{:+.0}", end - house))
}

fn kinds(bot: &BotEvidence) -> String {
    let kinds: Vec<_> =
        bot.forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) }
}

fn games(count: u64) -> String {
    if count == 1 { "1 game".into() } else { format!("{count} games") }
}

fn distinct_games(count: u64) -> String {
    format!("{count} distinct games")
}

impl Reason {
    /// One line: `greedy: 4; reached: …`.
    pub fn line(&self) -> String {
        match self.points {
            Some(points) => format!("{}: {points}; {}", self.what, self.why),
            None => format!("{}: {}", self.what, self.why),
        }
    }
}

impl Grade {
    /// Comment in one line, for cells of tables.
    pub fn comment(&self) -> String {
        let reasons: Vec<_> = self.reasons.iter().map(Reason::line).collect();
        let open = if self.open { " (provisional)" } else { "" };
        let total = format!("{} of {}{open}", self.points, self.maximum);
        [total].into_iter().chain(reasons).collect::<Vec<_>>().join(" | ")
    }
}
