//! Writer of tournament files. Defaults are written too, so that the file keeps its meaning when a
//! default changes.

use std::fmt::Write as _;
use std::time::Duration;

use pitmaster_core::{BotName, Limits, Requirements, Resources};
use pitmaster_games::GameSpec;
use pitmaster_ratings::Ranking;

use super::model::Permission;
use super::{
    BotEntry, Located, OpeningSource, Seeding, StagePlan, Tournament, show_duration, show_size,
};

impl Tournament {
    /// Writes the file of this tournament.
    pub fn to_toml(&self) -> String {
        let mut out = String::from("version = 1\n");
        line(&mut out, "title", &quoted(&self.title));
        line(&mut out, "seed", &self.seed.0.to_string());
        if let Some(commitment) = &self.seed_commitment {
            line(&mut out, "seed_commitment", &quoted(commitment));
        }
        write_game(&mut out, &self.game.spec());
        write_clock(&mut out, &self.limits);
        line(&mut out, "starved_replays", &self.starved_replays.to_string());
        self.write_format(&mut out);
        write_openings(&mut out, &self.openings.source);
        self.write_bots(&mut out);
        self.write_sandbox(&mut out);
        out += "\n[store]\n";
        line(&mut out, "durability", &quoted(self.durability));
        out
    }

    /// Text of the settings that must not change while a tournament that pairs by results is in
    /// progress: all except the end condition. `None`: game keys alone are enough.
    pub fn fixed_format(&self) -> Option<String> {
        const MAY_CHANGE: [&str; 4] = ["name = ", "rounds = ", "games = ", "precision = "];
        let stage = |stage: &StagePlan| {
            let mut out = String::new();
            write_stage(&mut out, stage);
            out
        };
        let text: String = self.format.stages.iter().map(stage).collect();
        let fixed = text.lines().filter(|line| !MAY_CHANGE.iter().any(|key| line.starts_with(key)));
        self.format.depends_on_results().then(|| fixed.collect::<Vec<_>>().join("\n"))
    }

    fn write_format(&self, out: &mut String) {
        let Ranking { points, tie_breaks } = &self.format.ranking;
        *out += "\n[format]\n";
        let [stages @ .., last] = &self.format.stages[..] else { return };
        if stages.is_empty() {
            write_stage(out, last);
        }
        let _ = writeln!(
            out,
            "points = {{ win = {}, draw = {}, loss = {} }}",
            f64::from(points.win),
            f64::from(points.draw),
            f64::from(points.loss)
        );
        line(out, "tie_breaks", &list(tie_breaks));
        if !stages.is_empty() {
            for stage in &self.format.stages {
                *out += "\n[[stage]]\n";
                write_stage(out, stage);
            }
        }
    }

    fn write_sandbox(&self, out: &mut String) {
        *out += "\n[sandbox]\n";
        line(out, "isolation", &self.isolation.map_or(quoted("auto"), quoted));
        line(out, "require", &list(words(&self.require)));
        write_resources(out, &self.limits.resources);
    }

    fn write_bots(&self, out: &mut String) {
        let bots = &self.bots;
        *out += "\n[bots]\n";
        line(out, "include", &list(bots.include.iter().map(|pattern| &pattern.value)));
        line(out, "exclude", &list(bots.exclude.iter().map(|pattern| &pattern.value)));
        line(out, "absent", &quoted(bots.absent));
        bots.entries.iter().for_each(|entry| write_bot(out, entry));
    }
}

fn write_game(out: &mut String, spec: &str) {
    let spec: GameSpec = spec.parse().expect("a game writes its own name as it reads it");
    *out += "\n[game]\n";
    line(out, "name", &quoted(&spec.name));
    for (option, value) in &spec.options {
        line(out, &key(option), &quoted(value));
    }
}

fn write_openings(out: &mut String, source: &OpeningSource) {
    if *source != OpeningSource::None {
        *out += "\n[openings]\n";
    }
    match source {
        OpeningSource::None => {}
        OpeningSource::Random { plies, count } => {
            line(out, "plies", &plies.to_string());
            if let Some(count) = count {
                line(out, "count", &count.to_string());
            }
        }
        OpeningSource::File(path) => line(out, "file", &quoted(path)),
    }
}

fn write_clock(out: &mut String, limits: &Limits) {
    *out += "\n[clock]\n";
    line(out, "per_move", &time(limits.per_move));
    line(out, "first_move", &time(limits.first_move));
    line(out, "start_up", &time(Some(limits.start_up)));
    line(out, "per_game", &time(limits.per_game));
    line(out, "plies", &limits.plies.map_or("\"off\"".into(), |plies| plies.to_string()));
    line(out, "margin", &time(Some(limits.margin)));
    line(out, "bank", &time(limits.bank.map(|bank| bank.initial)));
    if let Some(bank) = limits.bank {
        line(out, "increment", &time(Some(bank.increment)));
    }
}

/// Group names of requirements if possible, otherwise single requirements.
fn words(require: &Requirements) -> Vec<String> {
    let named = [("official", Requirements::official()), ("friendly", Requirements::friendly())];
    match named.iter().find(|(_, all)| all == require) {
        Some((name, _)) => vec![(*name).to_owned()],
        None => require.0.iter().map(ToString::to_string).collect(),
    }
}

fn write_resources(out: &mut String, resources: &Resources) {
    let size = |size| quoted(show_size(size));
    let permission =
        |is_allowed| quoted(if is_allowed { Permission::Allowed } else { Permission::Forbidden });
    line(out, "memory", &size(resources.memory));
    line(out, "threads", &resources.threads.to_string());
    line(out, "file_size", &size(resources.file_size));
    line(out, "output", &size(resources.output));
    line(out, "stderr", &size(resources.stderr));
    line(out, "cpu", &time(resources.cpu));
    line(out, "idle_cpu_turn", &time(resources.idle_cpu_turn));
    line(out, "idle_cpu_game", &time(resources.idle_cpu_game));
    line(out, "scratch", &size(resources.scratch));
    line(out, "processes", &permission(resources.processes));
    line(out, "pondering", &permission(resources.pondering));
}

fn write_stage(out: &mut String, stage: &StagePlan) {
    if !stage.name.is_empty() {
        line(out, "name", &quoted(&stage.name));
    }
    line(out, "kind", &quoted(&stage.kind));
    stage.kind.kind().write(out);
    if stage.kind.has_key("pairs") {
        line(out, "pairs", &stage.pairs.to_string());
    }
    if stage.is_seeded() {
        let word = if stage.seeding == Seeding::Drawn { "drawn" } else { "rating" };
        line(out, "seeding", &quoted(word));
    }
    maybe(out, "advance", stage.advance);
}

pub(crate) fn names(against: &[Located<BotName>]) -> String {
    list(against.iter().map(|name| &name.value))
}

pub(crate) fn maybe(out: &mut String, key: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        line(out, key, &value.to_string());
    }
}

fn write_bot(out: &mut String, entry: &BotEntry) {
    *out += "\n[[bot]]\n";
    line(out, "path", &quoted(&entry.path.value));
    if let Some(Located { value, .. }) = &entry.name {
        line(out, "name", &quoted(value));
    }
    if let Some(display) = &entry.display {
        line(out, "display", &quoted(display));
    }
    if let Some(anchor) = entry.anchor {
        line(out, "anchor", &format!("{anchor:?}"));
    }
    if entry.in_process {
        line(out, "in_process", "true");
    }
}

pub(crate) fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

fn time(limit: Option<Duration>) -> String {
    quoted(limit.map_or("off".to_owned(), show_duration))
}

fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let quoted: Vec<String> = items.into_iter().map(quoted).collect();
    format!("[{}]", quoted.join(", "))
}

/// Text in quotes, escaped for TOML.
pub(crate) fn quoted(text: impl std::fmt::Display) -> String {
    toml::Value::String(text.to_string()).to_string()
}

/// Key, quoted if TOML requires it.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(plain) { name.to_owned() } else { quoted(name) }
}
