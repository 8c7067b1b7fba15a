//! Parser of game files: returns a game, or all errors.

use pitmaster_core::config::{Entry, Kind, Node};
use pitmaster_core::diagnostics::{Diagnostic, Diagnostics, did_you_mean};

use super::findings::{has_fault_of, is_true, missing, wrong};
use super::legacy::{Ages, FileVersion, Item, Layer, ages_of, is_old_flag, old_names, translate};
use super::player::{self, Player};
use super::source::{self, Form};
use super::vary;
use super::{GameFile, Variant};
use crate::two_row::params::{Parameter, Params, Value, refusal};

/// Keys of a file that are neither parameters nor texts.
const SECTIONS: &[&str] =
    &["age", "game_constants", "game_info", "name", "player", "texts", "vari_params", "variants"];
/// Texts that TOML may contain directly; others go into `texts`, or into JSON.
const TEXTS: &[&str] = &[
    "about",
    "comment",
    "deviation",
    "deviations",
    "help_file",
    "lagniappe",
    "note",
    "notes",
    "origin",
    "reference",
    "references",
    "region",
    "rules",
];

/// Reads a file. Without an explicit version, its names determine it; the default is the present
/// one.
///
/// # Errors
/// All errors in the file, in order.
pub fn read(text: &str, age: Option<FileVersion>) -> Result<GameFile, Vec<Diagnostic>> {
    read_file(text, age, true)
}

/// The same for parameters alone, which need no name.
///
/// # Errors
/// All errors in the file, in order.
pub fn read_nameless(text: &str, age: Option<FileVersion>) -> Result<GameFile, Vec<Diagnostic>> {
    read_file(text, age, false)
}

fn read_file(
    text: &str,
    age: Option<FileVersion>,
    wants_name: bool,
) -> Result<GameFile, Vec<Diagnostic>> {
    let mut findings = Diagnostics::on(text);
    let root = source::read(text, &mut findings);
    let mut draft = Draft::new(Form::of(text));
    draft.read_top(&root, &mut findings);
    if let Some(age) = age.or(draft.age) {
        draft.ages = Ages::only(age);
    }
    if wants_name && draft.name.is_empty() && !has_fault_of(&findings, "name") {
        missing(&mut findings, "name", "is missing; every game has a name");
    }
    let mut file = draft.into_file(&mut findings);
    file.notes = findings.finish()?;
    Ok(file)
}

/// Parameters read so far, not yet translated.
struct Draft {
    form: Form,
    age: Option<FileVersion>,
    ages: Ages,
    name: String,
    layer: Layer,
    texts: Vec<(String, String)>,
    player: Player,
    variants: Vec<(String, Layer)>,
    vari_params: Vec<Entry>,
}

impl Draft {
    fn new(form: Form) -> Self {
        Self {
            form,
            age: None,
            ages: Ages::ANY,
            name: String::new(),
            layer: Layer::new(),
            texts: Vec::new(),
            player: Player::default(),
            variants: Vec::new(),
            vari_params: Vec::new(),
        }
    }

    fn read_top(&mut self, root: &Node, findings: &mut Diagnostics<'_>) {
        for entry in entries(root, "", findings) {
            let node = &entry.node;
            match entry.key.as_str() {
                "age" => self.read_age(entry, findings),
                "name" => self.read_name(entry, "name", findings),
                "class" => self.read_param("game_class", entry, "class", findings),
                "game_constants" => self.read_constants(node, findings),
                "game_info" => self.read_info(node, findings),
                "player" => {
                    let (player, ages) = player::read(node, findings);
                    self.player = player;
                    self.ages = self.ages.and(ages);
                }
                "vari_params" => {
                    self.vari_params = entries(node, "vari_params", findings).to_vec();
                }
                "variants" => self.read_variants(node, findings),
                "texts" if node.text().is_none() => self.read_texts(node, findings),
                "filename" => findings.fault_at(entry.at, "filename", "is reserved; leave it out"),
                key if is_param(key) => self.read_param(key, entry, key, findings),
                _ => self.read_text(entry, findings),
            }
        }
    }

    fn read_age(&mut self, entry: &Entry, findings: &mut Diagnostics<'_>) {
        self.age = entry.node.text().and_then(FileVersion::find);
        if self.age.is_none() {
            let names: Vec<_> =
                FileVersion::ALL.iter().map(|age| format!("{:?}", age.name())).collect();
            wrong(findings, "age", &entry.node, &names.join(" or "));
        }
    }

    fn read_name(&mut self, entry: &Entry, key: &str, findings: &mut Diagnostics<'_>) {
        let name = entry.node.text().map(str::trim).unwrap_or_default();
        if !is_name(name) {
            wrong(findings, key, &entry.node, "the name of the game, without :: and on one line");
        } else if !self.name.is_empty() && self.name != name {
            let other = &self.name;
            findings.fault_at(entry.at, key, format!("the game is called {other:?} already"));
        } else {
            name.clone_into(&mut self.name);
        }
    }

    fn read_constants(&mut self, node: &Node, findings: &mut Diagnostics<'_>) {
        for entry in entries(node, "game_constants", findings) {
            let key = format!("game_constants.{}", entry.key);
            if entry.key == "holes" || entry.key == "nbr_start" {
                self.read_param(&entry.key, entry, &key, findings);
            } else {
                let message = "there is no such constant; there is holes and nbr_start";
                findings.fault_at(entry.at, &key, message);
            }
        }
    }

    fn read_info(&mut self, node: &Node, findings: &mut Diagnostics<'_>) {
        for entry in entries(node, "game_info", findings) {
            let key = format!("game_info.{}", entry.key);
            match entry.key.as_str() {
                "name" => self.read_name(entry, &key, findings),
                "about" | "help_file" => self.read_text(entry, findings),
                "mlength" | "udirect" => {
                    findings.fault_at(entry.at, &key, "follows from the others; leave it out");
                }
                name if is_param(name) => self.read_param(name, entry, &key, findings),
                name => findings.fault_at(entry.at, &key, unknown(name, false)),
            }
        }
    }

    fn read_param(&mut self, name: &str, entry: &Entry, key: &str, findings: &mut Diagnostics<'_>) {
        let Some(item) = item(self.form, name, entry, key, findings) else { return };
        self.ages = self.ages.and(ages_of(name, &item.value));
        if let Some(other) = self.layer.get(name) {
            let place = findings.place(other.at);
            findings.fault_at(item.at, key, format!("is given already, at {place}; write it once"));
        } else {
            self.layer.insert(name.to_owned(), item);
        }
    }

    fn read_texts(&mut self, node: &Node, findings: &mut Diagnostics<'_>) {
        for entry in entries(node, "texts", findings) {
            match entry.node.text() {
                Some(text) => self.add_text(entry, text, findings),
                None => {
                    let key = format!("texts.{}", entry.key);
                    wrong(findings, &key, &entry.node, "a text in quotes");
                }
            }
        }
    }

    fn add_text(&mut self, entry: &Entry, text: &str, findings: &mut Diagnostics<'_>) {
        if self.texts.iter().any(|(key, _)| *key == entry.key) {
            findings.fault_at(entry.at, &entry.key, "is given already; write it once");
        }
        self.texts.push((entry.key.clone(), text.trim().to_owned()));
    }

    fn read_text(&mut self, entry: &Entry, findings: &mut Diagnostics<'_>) {
        let key = &entry.key;
        let known = is_top_level_text(key);
        match entry.node.text() {
            Some(text) if known || self.form == Form::Json => self.add_text(entry, text, findings),
            None if known => wrong(findings, key, &entry.node, "a text in quotes"),
            None if self.form == Form::Json && unknown_near(key).is_none() => {
                findings.note(format!("{key} is no parameter and no text; it says nothing here"));
            }
            _ => findings.fault_at(entry.at, key, unknown(key, true)),
        }
    }

    fn read_variants(&mut self, node: &Node, findings: &mut Diagnostics<'_>) {
        for entry in entries(node, "variants", findings) {
            let path = format!("variants.{}", entry.key);
            if !is_name(&entry.key) {
                findings.fault_at(
                    entry.at,
                    &path,
                    "a variant has a name, without :: and on one line",
                );
            }
            let mut layer = Layer::new();
            for inner in entries(&entry.node, &path, findings) {
                let key = format!("{path}.{}", inner.key);
                if !is_param(&inner.key) {
                    findings.fault_at(inner.at, &key, unknown(&inner.key, false));
                } else if let Some(item) = item(self.form, &inner.key, inner, &key, findings) {
                    self.ages = self.ages.and(ages_of(&inner.key, &item.value));
                    layer.insert(inner.key.clone(), item);
                }
            }
            self.variants.push((entry.key.clone(), layer));
        }
    }

    fn into_file(mut self, findings: &mut Diagnostics<'_>) -> GameFile {
        let params = self.params(&Layer::new(), findings);
        if !self.layer.contains_key("holes") && !has_fault_of(findings, "holes") {
            missing(findings, "holes", "is missing; write how many holes each side has");
        }
        if !self.layer.contains_key("nbr_start") && !has_fault_of(findings, "nbr_start") {
            missing(
                findings,
                "nbr_start",
                "is missing; write how many seeds each hole starts with",
            );
        }
        let variants = self.finished_variants(findings);
        let overlay = |layer: &Layer, findings: &mut Diagnostics<'_>| self.params(layer, findings);
        let vari_params = vary::read(&self.vari_params, &params, overlay, findings);
        let mut take = |key: &str| {
            let at = self.texts.iter().position(|(name, _)| name == key);
            at.map(|at| self.texts.remove(at).1).unwrap_or_default()
        };
        GameFile {
            name: std::mem::take(&mut self.name),
            about: take("about"),
            region: take("region"),
            origin: take("origin"),
            params,
            variants,
            vari_params,
            player: self.player,
            texts: self.texts,
            notes: Vec::new(),
        }
    }

    /// The parameters with overrides.
    fn params(&self, over: &Layer, findings: &mut Diagnostics<'_>) -> Params {
        let mut layer = self.layer.clone();
        layer.extend(over.iter().map(|(name, item)| (name.clone(), item.clone())));
        let mut params = Params::default();
        for (name, item) in translate(layer, self.ages, findings) {
            let Some(parameter) = Parameter::find(&name) else { continue };
            if !parameter.set(&mut params, &item.value) {
                findings.fault_at(item.at, &item.key, refusal(parameter, &item.value));
            }
        }
        params
    }

    /// The first variant, with the game's own name, changes nothing and is left out.
    fn finished_variants(&self, findings: &mut Diagnostics<'_>) -> Vec<Variant> {
        let mut variants = Vec::new();
        for (name, layer) in &self.variants {
            if *name != self.name {
                let params = self.params(layer, findings);
                variants.push(Variant { name: name.clone(), params });
            } else if let Some(item) = layer.values().next() {
                let message =
                    "the variant with the game's own name is the game and changes nothing";
                findings.fault_at(item.at, &item.key, message);
            }
        }
        variants
    }
}

/// Whether a text is a valid name of a game or variant.
fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains("::") && !name.contains(char::is_control)
}

/// Whether TOML may contain a text with that key directly, such as `deviation 1`.
pub(super) fn is_top_level_text(key: &str) -> bool {
    TEXTS.contains(&key.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '))
}

/// Entries of a node that should be a table.
pub(super) fn entries<'n>(
    node: &'n Node,
    key: &str,
    findings: &mut Diagnostics<'_>,
) -> &'n [Entry] {
    if let Kind::Table(entries) = &node.kind {
        return entries;
    }
    wrong(findings, key, node, "a table");
    &[]
}

/// Whether that is a parameter of any version.
fn is_param(name: &str) -> bool {
    Params::ALL.iter().any(|parameter| parameter.name == name) || is_old_flag(name)
}

fn is_bool(name: &str) -> bool {
    let value = Parameter::find(name).map(|parameter| parameter.get(&Params::default()));
    is_old_flag(name) || matches!(value, Some(Value::Bool(_)))
}

/// Parameter as written in the file. In JSON any value can be a bool, and is true unless it is
/// empty.
fn item(
    form: Form,
    name: &str,
    entry: &Entry,
    key: &str,
    findings: &mut Diagnostics<'_>,
) -> Option<Item> {
    let value = if form == Form::Json && is_bool(name) {
        let falsely = ["false", "no", "off", "0"];
        let text = entry.node.text().map(str::to_ascii_lowercase);
        if text.is_some_and(|text| falsely.contains(&&*text)) {
            findings.note(format!("{key}: a text that is not empty is true in JSON"));
        }
        Some(Value::Bool(is_true(&entry.node)))
    } else {
        value_of(&entry.node)
    };
    if value.is_none() {
        let allowed = Parameter::find(name).map_or("true or false".into(), |one| (one.allowed)());
        wrong(findings, key, &entry.node, &wanted(allowed, &entry.node));
    }
    Some(Item { value: value?, at: entry.node.at, key: key.to_owned() })
}

/// Value of a node; `None` if no parameter has such values. A quoted number is invalid, because
/// texts are names.
pub(super) fn value_of(node: &Node) -> Option<Value> {
    match &node.kind {
        Kind::Text(text) if is_quoted(text) => None,
        Kind::Bool(is) => Some(Value::Bool(*is)),
        Kind::Integer { value, .. } => value.map(Value::Number),
        Kind::Text(text) => Some(Value::Text(text.clone())),
        Kind::List(list) => {
            list.iter().map(Node::integer).collect::<Option<Vec<_>>>().map(Value::List)
        }
        Kind::Null | Kind::Float { .. } | Kind::Date | Kind::Table(_) => None,
    }
}

/// Whether a text is a number or several, joined as in options.
fn is_quoted(text: &str) -> bool {
    text.split('+').all(|one| one.trim().parse::<i64>().is_ok())
}

/// Expected kind of value, with a correction of the probable mistake.
pub(super) fn wanted(allowed: String, node: &Node) -> String {
    match node.text() {
        Some(text) if text.contains('+') && is_quoted(text) => {
            format!("{allowed}: write [{}]", text.replace('+', ", "))
        }
        Some(text) if is_quoted(text) => format!("{allowed}: write {} without quotes", text.trim()),
        _ => allowed,
    }
}

fn unknown_near(name: &str) -> Option<&'static str> {
    let params = Params::ALL.iter().map(|parameter| parameter.name);
    did_you_mean(name, params.chain(old_names()).chain(SECTIONS.iter().copied()))
}

pub(super) fn unknown(name: &str, is_top: bool) -> String {
    let what = if is_top { "key" } else { "parameter" };
    match unknown_near(name) {
        Some(meant) => format!("there is no such {what}; did you mean {meant}?"),
        None => format!("there is no such {what}"),
    }
}
