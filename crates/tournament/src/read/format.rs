//! `[format]` and `[[stage]]`: who meets whom, how often, for what.

use pitmaster_core::BotName;
use pitmaster_ratings::{Points, PointsFor, Ranking, Sprt, SprtModel, TieBreak};
use toml::de::DeValue;

use super::bots::read_participant;
use crate::config_reader::{Diagnostics, Entry, Section};
use crate::keys::OF_ALL_STAGES;
use crate::model::Word;
use crate::{FormatKind, FormatPlan, Located, Seeding, SprtPlan, StagePlan};

/// Keys that only some kinds have.
const ONLY_FOR: [(&str, &[&str]); 16] = [
    ("pairs", &["round-robin", "gauntlet", "sanity", "swiss", "knockout"]),
    ("groups", &["round-robin"]),
    ("against", &["gauntlet", "sanity", "sprt"]),
    ("pass", &["sanity"]),
    ("rounds", &["swiss"]),
    ("third_place", &["knockout"]),
    ("extra", &["knockout"]),
    ("seeding", &["round-robin", "swiss", "knockout", "ladder"]),
    ("games", &["ladder", "sprt"]),
    ("precision", &["ladder"]),
    ("look_ahead", &["ladder", "sprt"]),
    ("elo0", &["sprt"]),
    ("elo1", &["sprt"]),
    ("alpha", &["sprt"]),
    ("beta", &["sprt"]),
    ("model", &["sprt"]),
];

/// The kinds by their words; what they hold is read later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    Ladder,
    Sprt,
    Sanity,
}

impl Word for Kind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("round-robin", Self::RoundRobin),
        ("gauntlet", Self::Gauntlet),
        ("swiss", Self::Swiss),
        ("knockout", Self::Knockout),
        ("ladder", Self::Ladder),
        ("sprt", Self::Sprt),
        ("sanity", Self::Sanity),
    ];
}

impl Word for Seeding {
    const WORDS: &'static [(&'static str, Self)] =
        &[("rating", Self::Rating), ("drawn", Self::Drawn)];
}

impl Word for SprtModel {
    const WORDS: &'static [(&'static str, Self)] =
        &[(Self::Logistic.name(), Self::Logistic), (Self::Normalised.name(), Self::Normalised)];
}

pub(super) fn read_format(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> FormatPlan {
    let format = top.section("format", notes);
    let stages = read_stages(top, format.as_ref(), notes);
    let mut ranking = Ranking::default();
    if stages.iter().any(|stage| matches!(stage.kind, FormatKind::Swiss { .. })) {
        ranking.tie_breaks = TieBreak::OF_SWISS.to_vec();
    }
    let Some(format) = format else { return FormatPlan { stages, ranking } };
    if let Some(points) = format.section("format.points", notes) {
        ranking.points = read_points(&points, notes);
    }
    if let Some(entry) = format.entry("tie_breaks", notes) {
        ranking.tie_breaks = read_tie_breaks(&entry, notes);
    }
    FormatPlan { stages, ranking }
}

fn read_stages(
    top: &Section<'_>,
    format: Option<&Section<'_>>,
    notes: &mut Diagnostics<'_>,
) -> Vec<StagePlan> {
    let Some(list) = top.entry("stage", notes) else {
        return vec![format.map_or_else(StagePlan::default, |format| read_stage(format, notes))];
    };
    if let Some(format) = format {
        refuse_stage_keys(format, notes);
    }
    let entries = if matches!(list.value, DeValue::Table(_)) {
        list.wrong("[[stage]] with two brackets, so that there can be several", notes);
        Vec::new()
    } else {
        list.list(notes)
    };
    let mut stages = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some(section) = Section::inside("stage", entry, notes) else { continue };
        let stage = read_stage(&section, notes);
        judge_stage(&stage, number + 1 == entries.len(), entries.len(), notes);
        stages.push(stage);
    }
    if stages.is_empty() { vec![StagePlan::default()] } else { stages }
}

/// What is said of stages is not said beside them.
fn refuse_stage_keys(format: &Section<'_>, notes: &mut Diagnostics<'_>) {
    for (name, value) in format.table {
        if !OF_ALL_STAGES.contains(&name.get_ref().as_ref()) {
            let entry = format.entry_at(name.get_ref(), value, notes);
            let message = "here are several stages; write it in the [[stage]] it is meant for";
            notes.fault(entry.place, &entry.key, message);
        }
    }
}

fn judge_stage(stage: &StagePlan, is_last: bool, count: usize, notes: &mut Diagnostics<'_>) {
    if matches!(stage.kind, FormatKind::Sprt(_)) && count > 1 {
        let message = "sprt is a test of two bots and cannot be one of several stages";
        notes.fault(stage.place, "stage.kind", message);
    }
    if is_last && stage.advance.is_some() {
        let message = "nothing follows this stage; leave it out";
        notes.fault(stage.place, "stage.advance", message);
    }
    let needs_number = !matches!(stage.kind, FormatKind::Sanity { .. } | FormatKind::Sprt(_));
    if !is_last && needs_number && stage.advance.is_none() {
        let message = "it is missing; write advance = 4, or how many go on to the next stage";
        notes.missing(stage.place, "stage.advance", message);
    }
}

fn read_stage(section: &Section<'_>, notes: &mut Diagnostics<'_>) -> StagePlan {
    let default = StagePlan::default();
    let entry = section.entry("kind", notes);
    let kind = entry.and_then(|entry| entry.word(notes)).unwrap_or(Kind::RoundRobin);
    refuse_keys_of_others(section, kind, notes);
    let reader = Reader { section };
    StagePlan {
        name: section
            .entry("name", notes)
            .and_then(|entry| entry.text(notes))
            .map_or_else(String::new, |name| name.value),
        place: section.place,
        kind: reader.kind(kind, notes),
        pairs: reader.integer("pairs", 1, 1_000_000, default.pairs.into(), notes) as u32,
        seeding: section
            .entry("seeding", notes)
            .and_then(|entry| entry.word(notes))
            .unwrap_or_default(),
        advance: reader.maybe_integer("advance", 1, 1_000_000, notes).map(|number| number as u32),
    }
}

fn refuse_keys_of_others(section: &Section<'_>, kind: Kind, notes: &mut Diagnostics<'_>) {
    let word = Kind::WORDS.iter().find(|(_, other)| *other == kind).map_or("", |(word, _)| word);
    for (name, kinds) in ONLY_FOR {
        if let Some(entry) = section.entry(name, notes)
            && !is_for(name, word)
        {
            let message =
                format!("{word} has no such key, only {}; leave it out", kinds.join(", "));
            notes.fault(entry.place, &entry.key, message);
        }
    }
}

/// Whether a key of a stage is one of this kind.
pub(super) fn is_for(name: &str, kind: &str) -> bool {
    ONLY_FOR.iter().find(|(key, _)| *key == name).is_none_or(|(_, kinds)| kinds.contains(&kind))
}

/// Reads what stands in a section, and its defaults.
struct Reader<'a> {
    section: &'a Section<'a>,
}

impl Reader<'_> {
    fn kind(&self, kind: Kind, notes: &mut Diagnostics<'_>) -> FormatKind {
        match kind {
            Kind::RoundRobin => {
                FormatKind::RoundRobin { groups: self.integer("groups", 1, 1000, 1, notes) as u32 }
            }
            Kind::Gauntlet => FormatKind::Gauntlet { against: self.some_against(notes) },
            Kind::Sanity => FormatKind::Sanity {
                against: self.some_against(notes),
                pass: self.number("pass", 0.0, 1.0, 0.5, notes),
            },
            Kind::Swiss => FormatKind::Swiss {
                rounds: self.maybe_integer("rounds", 1, 1000, notes).map(|rounds| rounds as u32),
            },
            Kind::Knockout => FormatKind::Knockout {
                third_place: self
                    .section
                    .entry("third_place", notes)
                    .and_then(|entry| entry.truth(notes))
                    .unwrap_or(true),
                extra: self.integer("extra", 0, 1000, 5, notes) as u32,
            },
            Kind::Ladder => FormatKind::Ladder {
                games: self.games(notes),
                precision: self.maybe_number("precision", 1.0, 10_000.0, notes),
                look_ahead: self.look_ahead(notes),
            },
            Kind::Sprt => FormatKind::Sprt(self.sprt(notes)),
        }
    }

    fn sprt(&self, notes: &mut Diagnostics<'_>) -> SprtPlan {
        let usual = Sprt::default();
        let model = self.section.entry("model", notes).and_then(|entry| entry.word(notes));
        let sprt = Sprt {
            elo0: self.number("elo0", -1000.0, 1000.0, usual.elo0, notes),
            elo1: self.number("elo1", -1000.0, 1000.0, usual.elo1, notes),
            alpha: self.number("alpha", 0.0001, 0.49, usual.alpha, notes),
            beta: self.number("beta", 0.0001, 0.49, usual.beta, notes),
            model: model.unwrap_or(usual.model),
        };
        if let Err(fault) = sprt.checked() {
            notes.fault(self.section.place, &self.section.key("elo1"), fault.to_string());
        }
        let mut against = self.against(notes);
        if against.len() > 1 {
            let message = "a test has one bot that is to be beaten";
            notes.fault(against[1].place, &self.section.key("against"), message);
        }
        let against = (!against.is_empty()).then(|| against.swap_remove(0));
        if against.is_none() {
            let message = "it is missing; write against = [\"old\"], the name of the bot that is \
                           to be beaten";
            notes.missing(self.section.place, &self.section.key("against"), message);
        }
        let look_ahead = self.look_ahead(notes).unwrap_or(SprtPlan::LOOK_AHEAD);
        SprtPlan { against, sprt, games: self.games(notes), look_ahead }
    }

    fn games(&self, notes: &mut Diagnostics<'_>) -> u64 {
        let default = SprtPlan::GAMES.cast_signed();
        self.integer("games", 2, 1_000_000_000, default, notes).cast_unsigned()
    }

    fn look_ahead(&self, notes: &mut Diagnostics<'_>) -> Option<u32> {
        self.maybe_integer("look_ahead", 2, 100_000, notes).map(|pairs| pairs as u32)
    }

    fn some_against(&self, notes: &mut Diagnostics<'_>) -> Vec<Located<BotName>> {
        let against = self.against(notes);
        if against.is_empty() {
            let message = "it is missing; write against = [\"random\"], the names of bots";
            notes.missing(self.section.place, &self.section.key("against"), message);
        }
        against
    }

    fn against(&self, notes: &mut Diagnostics<'_>) -> Vec<Located<BotName>> {
        let Some(entry) = self.section.entry("against", notes) else { return Vec::new() };
        entry.list(notes).iter().filter_map(|item| read_participant(item, notes)).collect()
    }

    fn integer(
        &self,
        name: &str,
        least: i64,
        most: i64,
        default: i64,
        notes: &mut Diagnostics<'_>,
    ) -> i64 {
        self.maybe_integer(name, least, most, notes).unwrap_or(default)
    }

    fn maybe_integer(
        &self,
        name: &str,
        least: i64,
        most: i64,
        notes: &mut Diagnostics<'_>,
    ) -> Option<i64> {
        self.section.entry(name, notes)?.integer(least..=most, notes)
    }

    fn number(
        &self,
        name: &str,
        least: f64,
        most: f64,
        default: f64,
        notes: &mut Diagnostics<'_>,
    ) -> f64 {
        self.maybe_number(name, least, most, notes).unwrap_or(default)
    }

    fn maybe_number(
        &self,
        name: &str,
        least: f64,
        most: f64,
        notes: &mut Diagnostics<'_>,
    ) -> Option<f64> {
        self.section.entry(name, notes)?.number(least..=most, notes)
    }
}

fn read_points(section: &Section<'_>, notes: &mut Diagnostics<'_>) -> PointsFor {
    let mut points = PointsFor::default();
    for (name, worth) in
        [("win", &mut points.win), ("draw", &mut points.draw), ("loss", &mut points.loss)]
    {
        if let Some(entry) = section.entry(name, notes) {
            *worth = read_worth(&entry, notes).unwrap_or(*worth);
        }
    }
    if points.win <= points.loss || points.draw < points.loss || points.win < points.draw {
        let message = format!(
            "a win ({}), a draw ({}) and a loss ({}) must be worth less in this order, and a win \
             more than a loss; write {{ win = 1, draw = 0.5, loss = 0 }}",
            points.win, points.draw, points.loss
        );
        notes.fault(section.place, "format.points", message);
    }
    points
}

fn read_worth(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Option<Points> {
    let worth = Points::try_from(entry.number(-1000.0..=1000.0, notes)?);
    if worth.is_err() {
        entry.wrong("a number with at most two decimals", notes);
    }
    worth.ok()
}

fn read_tie_breaks(entry: &Entry<'_>, notes: &mut Diagnostics<'_>) -> Vec<TieBreak> {
    let mut breaks = Vec::new();
    for item in entry.list(notes) {
        match item.word(notes) {
            Some(word) if breaks.contains(&word) => {
                notes.fault(
                    item.place,
                    &item.key,
                    format!("\"{word}\" stands here twice; once is enough"),
                );
            }
            Some(word) => breaks.push(word),
            None => {}
        }
    }
    breaks
}
