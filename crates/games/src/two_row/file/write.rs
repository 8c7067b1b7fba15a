//! Writer of games as TOML files for people. Values that equal the defaults are left out.

use std::fmt::Write as _;

use toml::Value as Toml;

use super::player::{FOURS, Player, SCORES, Scorer};
use super::read::is_top_level_text;
use super::{AiParams, Choices, GameFile};
use crate::two_row::params::{Parameter, Params, Value};

impl GameFile {
    /// The game as TOML, which reads as the same game. Notes are not included.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        line(&mut text, "name", &Toml::String(self.name.clone()));
        let texts = [("about", &self.about), ("region", &self.region), ("origin", &self.origin)];
        let alone = self.texts.iter().filter(|(key, _)| is_top_level_text(key));
        let others = alone.map(|(key, text)| (key.as_str(), text));
        for (key, value) in texts.into_iter().chain(others).filter(|(_, text)| !text.is_empty()) {
            line(&mut text, key, &Toml::String(value.clone()));
        }
        text.push('\n');
        line(&mut text, "holes", &Toml::Integer(self.params.holes.into()));
        line(&mut text, "nbr_start", &Toml::Integer(self.params.nbr_start.into()));
        let Params { holes, nbr_start, .. } = self.params;
        let given = Params { holes, nbr_start, ..Params::default() };
        write_changes(&mut text, &given, &self.params);
        for variant in &self.variants {
            let _ = write!(text, "\n[variants.{}]\n", key(&variant.name));
            write_changes(&mut text, &self.params, &variant.params);
        }
        self.write_vari_params(&mut text);
        write_player(&mut text, &self.player);
        self.write_texts(&mut text);
        text
    }

    fn write_texts(&self, text: &mut String) {
        let others: Vec<_> = self.texts.iter().filter(|(key, _)| !is_top_level_text(key)).collect();
        if !others.is_empty() {
            text.push_str("\n[texts]\n");
            for (key, value) in others {
                line(text, key, &Toml::String(value.clone()));
            }
        }
    }

    fn write_vari_params(&self, text: &mut String) {
        if self.vari_params.is_empty() {
            return;
        }
        text.push_str("\n[vari_params]\n");
        for choice in &self.vari_params {
            let value = match &choice.choices {
                Choices::Any => Toml::String("any".into()),
                Choices::These(values) => Toml::Array(values.iter().map(toml).collect()),
            };
            line(text, choice.name, &value);
        }
    }
}

fn line(text: &mut String, name: &str, value: &Toml) {
    let _ = writeln!(text, "{} = {value}", key(name));
}

/// Key, quoted if TOML requires it.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        return name.to_owned();
    }
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escaped).collect::<String>())
}

fn toml(value: &Value) -> Toml {
    match value {
        Value::Bool(is) => Toml::Boolean(*is),
        Value::Number(number) => Toml::Integer(*number),
        Value::Text(text) => Toml::String(text.clone()),
        Value::List(list) => Toml::Array(list.iter().copied().map(Toml::Integer).collect()),
    }
}

fn write_changes(text: &mut String, from: &Params, to: &Params) {
    let changed = |parameter: &&Parameter| parameter.get(from) != parameter.get(to);
    for parameter in Params::ALL.iter().filter(changed) {
        line(text, parameter.name, &toml(&parameter.get(to)));
    }
}

fn write_player(text: &mut String, player: &Player) {
    let default = Player::default();
    if *player == default {
        return;
    }
    text.push_str("\n[player]\n");
    if player.algorithm != default.algorithm {
        line(text, "algorithm", &Toml::String(player.algorithm.name().into()));
    }
    if player.difficulty != default.difficulty {
        line(text, "difficulty", &Toml::Integer(player.difficulty.0.into()));
    }
    let flags = [("ai_active", player.ai_active), ("mm_score_counts", player.mm_score_counts)];
    for (name, _) in flags.into_iter().filter(|(_, is)| *is) {
        line(text, name, &Toml::Boolean(true));
    }
    write_ai_params(text, &player.ai_params);
    write_scorer(text, &player.scorer);
}

fn write_ai_params(text: &mut String, params: &AiParams) {
    let (mut params, mut default) = (params.clone(), AiParams::default());
    let mut written = Vec::new();
    for (name, field) in FOURS {
        // The keys written so far determine the default, as for the reader.
        default.random_moves = AiParams::default_random_moves(written.iter().copied());
        let values = *field(&mut params);
        if values != *field(&mut default) {
            let _ = writeln!(text, "ai_params.{name} = {values:?}");
            written.push(*name);
        }
    }
}

fn write_scorer(text: &mut String, scorer: &Scorer) {
    let mut scorer = scorer.clone();
    for (name, _, field) in SCORES {
        let value = *field(&mut scorer);
        if value != 0 {
            let _ = writeln!(text, "scorer.{name} = {value}");
        }
    }
}
