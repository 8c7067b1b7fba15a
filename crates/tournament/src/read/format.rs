//! Reader of `[format]` and `[[stage]]`: format, number of games and stages.

use pitmaster_core::BotName;
use pitmaster_core::config::{Field, Section};
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Points, PointsFor, Ranking, SprtModel, TieBreak};

use super::bots::read_participant;
use crate::keys::OF_ALL_STAGES;
use crate::kind::KindName;
use crate::model::Word;
use crate::{FormatPlan, Located, Location, Seeding, SprtPlan, StagePlan};

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
    if let Some(usual) = stages.iter().find_map(|stage| stage.kind.kind().tie_breaks()) {
        ranking.tie_breaks = usual.to_vec();
    }
    let Some(format) = format else { return FormatPlan { stages, ranking } };
    if let Some(points) = format.section("format.points", notes) {
        ranking.points = read_points(&points, notes);
    }
    if let Some(entry) = format.field("tie_breaks", notes) {
        ranking.tie_breaks = read_tie_breaks(&entry, notes);
    }
    FormatPlan { stages, ranking }
}

fn read_stages(
    top: &Section<'_>,
    format: Option<&Section<'_>>,
    notes: &mut Diagnostics<'_>,
) -> Vec<StagePlan> {
    let Some(list) = top.field("stage", notes) else {
        return vec![format.map_or_else(StagePlan::default, |format| read_stage(format, notes))];
    };
    if let Some(format) = format {
        refuse_stage_keys(format, notes);
    }
    let entries = if list.node.table().is_some() {
        list.wrong("[[stage]] with two brackets, so that there can be several", notes);
        Vec::new()
    } else {
        list.list(notes)
    };
    let mut stages = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some(section) = top.inside("stage", entry, notes) else { continue };
        let stage = read_stage(&section, notes);
        judge_stage(&stage, number + 1 == entries.len(), entries.len(), notes);
        stages.push(stage);
    }
    if stages.is_empty() { vec![StagePlan::default()] } else { stages }
}

/// Rejects keys of a stage next to a list of stages.
fn refuse_stage_keys(format: &Section<'_>, notes: &mut Diagnostics<'_>) {
    for entry in format.entries() {
        if !OF_ALL_STAGES.contains(&entry.key.as_str()) {
            let entry = format.field_at(&entry.key, &entry.node, notes);
            let message = "here are several stages; write it in the [[stage]] it is meant for";
            notes.fault(entry.place, &entry.key, message);
        }
    }
}

fn judge_stage(stage: &StagePlan, is_last: bool, count: usize, notes: &mut Diagnostics<'_>) {
    let kind = stage.kind.kind();
    if !kind.can_be_followed() && count > 1 {
        let message =
            format!("{} is a test of two bots and cannot be one of several stages", stage.kind);
        notes.fault(stage.place, "stage.kind", message);
    }
    if is_last && stage.advance.is_some() {
        let message = "nothing follows this stage; leave it out";
        notes.fault(stage.place, "stage.advance", message);
    }
    if !is_last && kind.needs_advance() && stage.advance.is_none() {
        let message = "it is missing; write advance = 4, or how many go on to the next stage";
        notes.missing(stage.place, "stage.advance", message);
    }
}

fn read_stage(section: &Section<'_>, notes: &mut Diagnostics<'_>) -> StagePlan {
    let default = StagePlan::default();
    let entry = section.field("kind", notes);
    let kind: KindName = entry.and_then(|entry| Word::of(&entry, notes)).unwrap_or_default();
    refuse_keys_of_others(section, kind, notes);
    let keys = StageKeys { section };
    StagePlan {
        name: section
            .field("name", notes)
            .and_then(|entry| entry.text(notes))
            .map_or_else(String::new, |name| name.value),
        place: section.place,
        kind: kind.read(&keys, notes),
        pairs: keys.integer("pairs", 1, 1_000_000, default.pairs.into(), notes) as u32,
        seeding: section
            .field("seeding", notes)
            .and_then(|entry| Word::of(&entry, notes))
            .unwrap_or_default(),
        advance: keys.maybe_integer("advance", 1, 1_000_000, notes).map(|number| number as u32),
    }
}

fn refuse_keys_of_others(section: &Section<'_>, kind: KindName, notes: &mut Diagnostics<'_>) {
    for name in section.entries().iter().map(|entry| entry.key.as_str()) {
        if let Some(kinds) = KindName::with_key(name)
            && !kinds.contains(&kind.name())
            && let Some(entry) = section.field(name, notes)
        {
            let (kind, kinds) = (kind.name(), kinds.join(", "));
            let message = format!("{kind} has no such key, only {kinds}; leave it out");
            notes.fault(entry.place, &entry.key, message);
        }
    }
}

/// Whether a key of a stage is one of this kind.
#[cfg(test)]
pub(super) fn is_for(name: &str, kind: &str) -> bool {
    KindName::with_key(name).is_none_or(|kinds| kinds.contains(&kind))
}

/// Keys of a stage that its kind reads.
pub(crate) struct StageKeys<'a> {
    section: &'a Section<'a>,
}

impl StageKeys<'_> {
    /// Reports an error of a key.
    pub(crate) fn fault(&self, key: &str, message: String, notes: &mut Diagnostics<'_>) {
        notes.fault(self.section.place, &self.section.key(key), message);
    }

    /// Reports an error of a key at a location.
    pub(crate) fn fault_at(
        &self,
        place: Location,
        key: &str,
        message: &str,
        notes: &mut Diagnostics<'_>,
    ) {
        notes.fault(place, &self.section.key(key), message);
    }

    /// Reports a missing key.
    pub(crate) fn missing(&self, key: &str, message: &str, notes: &mut Diagnostics<'_>) {
        notes.missing(self.section.place, &self.section.key(key), message);
    }

    pub(crate) fn word<W: Word>(&self, name: &str, notes: &mut Diagnostics<'_>) -> Option<W> {
        self.section.field(name, notes).and_then(|entry| Word::of(&entry, notes))
    }

    pub(crate) fn truth(&self, name: &str, default: bool, notes: &mut Diagnostics<'_>) -> bool {
        let entry = self.section.field(name, notes);
        entry.and_then(|entry| entry.truth(notes)).unwrap_or(default)
    }

    pub(crate) fn games(&self, notes: &mut Diagnostics<'_>) -> u64 {
        let default = SprtPlan::GAMES.cast_signed();
        self.integer("games", 2, 1_000_000_000, default, notes).cast_unsigned()
    }

    pub(crate) fn look_ahead(&self, notes: &mut Diagnostics<'_>) -> Option<u32> {
        self.maybe_integer("look_ahead", 2, 100_000, notes).map(|pairs| pairs as u32)
    }

    pub(crate) fn some_against(&self, notes: &mut Diagnostics<'_>) -> Vec<Located<BotName>> {
        let against = self.against(notes);
        if against.is_empty() {
            let message = "it is missing; write against = [\"random\"], the names of bots";
            notes.missing(self.section.place, &self.section.key("against"), message);
        }
        against
    }

    pub(crate) fn against(&self, notes: &mut Diagnostics<'_>) -> Vec<Located<BotName>> {
        let Some(entry) = self.section.field("against", notes) else { return Vec::new() };
        entry.list(notes).iter().filter_map(|item| read_participant(item, notes)).collect()
    }

    pub(crate) fn integer(
        &self,
        name: &str,
        least: i64,
        most: i64,
        default: i64,
        notes: &mut Diagnostics<'_>,
    ) -> i64 {
        self.maybe_integer(name, least, most, notes).unwrap_or(default)
    }

    pub(crate) fn maybe_integer(
        &self,
        name: &str,
        least: i64,
        most: i64,
        notes: &mut Diagnostics<'_>,
    ) -> Option<i64> {
        self.section.field(name, notes)?.integer(least..=most, notes)
    }

    pub(crate) fn number(
        &self,
        name: &str,
        least: f64,
        most: f64,
        default: f64,
        notes: &mut Diagnostics<'_>,
    ) -> f64 {
        self.maybe_number(name, least, most, notes).unwrap_or(default)
    }

    /// Reads a number, or a list of numbers.
    pub(crate) fn numbers(
        &self,
        name: &str,
        least: f64,
        most: f64,
        notes: &mut Diagnostics<'_>,
    ) -> Vec<f64> {
        let Some(field) = self.section.field(name, notes) else { return Vec::new() };
        let items = if field.is_list() { field.list(notes) } else { vec![field] };
        items.iter().filter_map(|item| item.number(least..=most, notes)).collect()
    }

    pub(crate) fn maybe_number(
        &self,
        name: &str,
        least: f64,
        most: f64,
        notes: &mut Diagnostics<'_>,
    ) -> Option<f64> {
        self.section.field(name, notes)?.number(least..=most, notes)
    }
}

fn read_points(section: &Section<'_>, notes: &mut Diagnostics<'_>) -> PointsFor {
    let mut points = PointsFor::default();
    for (name, worth) in
        [("win", &mut points.win), ("draw", &mut points.draw), ("loss", &mut points.loss)]
    {
        if let Some(entry) = section.field(name, notes) {
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

fn read_worth(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Option<Points> {
    let worth = Points::try_from(entry.number(-1000.0..=1000.0, notes)?);
    if worth.is_err() {
        entry.wrong("a number with at most two decimals", notes);
    }
    worth.ok()
}

fn read_tie_breaks(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Vec<TieBreak> {
    let mut breaks = Vec::new();
    for item in entry.list(notes) {
        match Word::of(&item, notes) {
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
