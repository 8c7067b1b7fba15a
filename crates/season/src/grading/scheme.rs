//! Grading scheme: `scheme.toml`, read and validated.

use pitmaster_core::config::{Field, Section, read_toml};
use pitmaster_core::diagnostics::{Diagnostic, Diagnostics};

use super::Points;

/// Rules by which a class is graded.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheme {
    /// Maximum grade.
    pub maximum: Points,
    /// Step to which grades are rounded.
    pub round: Points,
    /// Conditions without which a bot gets no points for its play.
    pub gate: Gate,
    /// Milestones against house bots.
    pub milestones: Vec<MilestoneRule>,
    /// House bot over which Elo is counted for bands.
    pub over: String,
    /// Bands by Elo over the house bot, in the order of the file.
    pub bands: Vec<Band>,
    /// Treatment of a band whose line is within a bot's interval.
    pub bands_borderline: Borderline,
    /// Points for the first place; zero if ranks do not count.
    pub rank: Points,
    /// Deductions.
    pub penalty: Penalty,
    /// Parts graded by hand.
    pub parts: Vec<Part>,
}

/// Conditions without which a bot gets no points for its play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// The bot must build and start.
    pub builds: bool,
    /// Maximum number of forfeits; `None` if any number is accepted.
    pub forfeits: Option<u32>,
}

/// A score to reach against a house bot.
#[derive(Debug, Clone, PartialEq)]
pub struct MilestoneRule {
    /// Name in grades.
    pub name: String,
    /// House bot.
    pub against: String,
    /// The test.
    pub test: pitmaster_ratings::Milestone,
    /// Points if it is reached.
    pub points: Points,
    /// Treatment of a borderline verdict.
    pub borderline: Borderline,
}

/// Treatment of a borderline verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Borderline {
    /// It counts as reached.
    #[default]
    Student,
    /// The teacher decides; until then it counts as missed.
    Teacher,
}

/// Points for an Elo difference over the house bot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Elo over the house bot.
    pub elo: f64,
    /// Points.
    pub points: Points,
}

/// Deductions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Penalty {
    /// For a late submission.
    pub late: Points,
    /// For each started day of a late submission, in addition.
    pub late_per_day: Points,
    /// For each forfeit.
    pub forfeit: Points,
    /// Maximum for all forfeits together; `None` without a maximum.
    pub forfeits_at_most: Option<Points>,
}

/// A part graded by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of its column in the file of parts.
    pub name: String,
    /// Maximum points.
    pub points: Points,
}

/// Largest number of points in a scheme.
const MOST: f64 = 100_000.0;

fn known_keys(section: &str) -> Option<Vec<&'static str>> {
    Some(match section {
        "" => vec!["maximum", "round", "gate", "milestone", "elo", "rank", "penalty", "part"],
        "gate" => vec!["builds", "forfeits"],
        "milestone" => {
            vec!["name", "against", "line", "error", "points", "borderline", "most_games"]
        }
        "elo" => vec!["over", "borderline", "band"],
        "elo.band" => vec!["elo", "points"],
        "rank" => vec!["points"],
        "penalty" => vec!["late", "late_per_day", "forfeit", "forfeits_at_most"],
        "part" => vec!["name", "points"],
        _ => return None,
    })
}

impl Scheme {
    /// Reads a scheme.
    ///
    /// # Errors
    /// All errors of the file, with line and column.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Diagnostics::on(text);
        let root = read_toml(text, &mut notes);
        let top = Section::top(&root, known_keys, &mut notes);
        let scheme = Self::read(top, &mut notes);
        notes.finish().map(|_| scheme)
    }

    fn read(top: Section<'_>, notes: &mut Diagnostics<'_>) -> Self {
        let maximum = points(top, "maximum", notes);
        if top.field("maximum", notes).is_none() {
            notes.missing(top.place, "maximum", "is missing; write `maximum = 20`");
        }
        let elo = top.section("elo", notes);
        let over = elo.and_then(|elo| text(elo, "over", notes)).unwrap_or_default();
        if let Some(elo) = elo.filter(|_| over.is_empty()) {
            notes.missing(
                elo.place,
                "elo.over",
                "is missing; name a house bot, such as \"greedy\"",
            );
        }
        let bands_borderline = elo.map(|elo| borderline(elo, notes)).unwrap_or_default();
        let bands = elo.map(|elo| tables(elo, "band", "elo.band", notes)).unwrap_or_default();
        let rank = top.section("rank", notes);
        Self {
            maximum: maximum.unwrap_or_default(),
            round: points(top, "round", notes).unwrap_or(Points::from_number(0.01)),
            gate: gate(top, notes),
            milestones: tables(top, "milestone", "milestone", notes)
                .into_iter()
                .map(|table| milestone(table, notes))
                .collect(),
            over,
            bands: bands.into_iter().map(|table| band(table, notes)).collect(),
            bands_borderline,
            rank: rank.and_then(|rank| points(rank, "points", notes)).unwrap_or_default(),
            penalty: penalty(top, notes),
            parts: tables(top, "part", "part", notes)
                .into_iter()
                .map(|table| part(table, notes))
                .collect(),
        }
    }
}

fn tables<'a>(
    within: Section<'a>,
    key: &str,
    name: &'static str,
    notes: &mut Diagnostics<'_>,
) -> Vec<Section<'a>> {
    let list = within.field(key, notes).map(|field| field.list(notes)).unwrap_or_default();
    list.iter().filter_map(|item: &Field<'a>| within.inside(name, item, notes)).collect()
}

fn gate(top: Section<'_>, notes: &mut Diagnostics<'_>) -> Gate {
    let gate = top.section("gate", notes);
    let field = |key, notes: &mut Diagnostics<'_>| gate.and_then(|gate| gate.field(key, notes));
    let builds = field("builds", notes).and_then(|field| field.truth(notes));
    let forfeits =
        field("forfeits", notes).and_then(|field| field.integer_or_off(0..=1_000_000, None, notes));
    Gate { builds: builds.unwrap_or(true), forfeits: forfeits.map(|most| most as u32) }
}

fn milestone(table: Section<'_>, notes: &mut Diagnostics<'_>) -> MilestoneRule {
    let default = pitmaster_ratings::Milestone::default();
    let number = |key: &str, range, notes: &mut Diagnostics<'_>| {
        table.field(key, notes).and_then(|field| field.number(range, notes))
    };
    let line = number("line", 0.01..=0.99, notes);
    let most_games = table.field("most_games", notes);
    let against = required(table, "against", "a house bot, such as \"greedy\"", notes);
    if table.field("line", notes).is_none() {
        notes.missing(table.place, "milestone.line", "is missing; write a score, such as 0.9");
    }
    MilestoneRule {
        name: text(table, "name", notes).unwrap_or_else(|| against.clone()),
        against,
        test: pitmaster_ratings::Milestone {
            line: line.unwrap_or(default.line),
            error: number("error", 0.001..=0.2, notes).unwrap_or(default.error),
            most_games: most_games
                .and_then(|field| field.integer(20..=1_000_000, notes))
                .map_or(default.most_games, |most| most as u32),
        },
        points: required_points(table, notes),
        borderline: borderline(table, notes),
    }
}

fn band(table: Section<'_>, notes: &mut Diagnostics<'_>) -> Band {
    let elo = table.field("elo", notes);
    if elo.is_none() {
        notes.missing(table.place, "elo.band.elo", "is missing; write a difference, such as 100");
    }
    let elo = elo.and_then(|field| field.number(-4000.0..=4000.0, notes));
    Band { elo: elo.unwrap_or_default(), points: required_points(table, notes) }
}

fn penalty(top: Section<'_>, notes: &mut Diagnostics<'_>) -> Penalty {
    let Some(penalty) = top.section("penalty", notes) else { return Penalty::default() };
    Penalty {
        late: points(penalty, "late", notes).unwrap_or_default(),
        late_per_day: points(penalty, "late_per_day", notes).unwrap_or_default(),
        forfeit: points(penalty, "forfeit", notes).unwrap_or_default(),
        forfeits_at_most: points(penalty, "forfeits_at_most", notes),
    }
}

fn part(table: Section<'_>, notes: &mut Diagnostics<'_>) -> Part {
    let name = required(table, "name", "a name, such as \"report\"", notes);
    Part { name, points: required_points(table, notes) }
}

fn borderline(table: Section<'_>, notes: &mut Diagnostics<'_>) -> Borderline {
    let words = [("student", Borderline::Student), ("teacher", Borderline::Teacher)];
    let field = table.field("borderline", notes);
    field.and_then(|field| field.word(&words, notes)).unwrap_or_default()
}

fn text(table: Section<'_>, key: &str, notes: &mut Diagnostics<'_>) -> Option<String> {
    let field = table.field(key, notes)?;
    field.some_text(notes).map(|text| text.value)
}

fn required(table: Section<'_>, key: &str, such: &str, notes: &mut Diagnostics<'_>) -> String {
    if table.field(key, notes).is_none() {
        notes.missing(table.place, &table.key(key), format!("is missing; write {such}"));
    }
    text(table, key, notes).unwrap_or_default()
}

fn points(table: Section<'_>, key: &str, notes: &mut Diagnostics<'_>) -> Option<Points> {
    let number = table.field(key, notes)?.number(0.0..=MOST, notes);
    number.map(Points::from_number)
}

fn required_points(table: Section<'_>, notes: &mut Diagnostics<'_>) -> Points {
    if table.field("points", notes).is_none() {
        notes.missing(table.place, &table.key("points"), "is missing; write a number, such as 4");
    }
    points(table, "points", notes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_errors_are_reported_with_their_places() {
        let text = "maximun = 20\n[gate]\nforfeits = -1\n[[milestone]]\nagainst = \"greedy\"\n\
                    line = 1.5\nborderline = \"studnet\"\n[elo]\nband = [{ elo = 1 }]\n";
        let faults = Scheme::parse(text).unwrap_err();
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(faults.join("\n"));
    }
}
