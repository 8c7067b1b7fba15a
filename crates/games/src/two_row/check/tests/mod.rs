mod breakers;

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::Value as Json;

use super::*;
use crate::two_row::catalogue;
use crate::two_row::params::{Parameter, Value};
use breakers::BREAKERS;

/// The value of a parameter, from JSON.
fn value(json: &Json) -> Value {
    match json {
        Json::Bool(is) => Value::Bool(*is),
        Json::Number(number) => Value::Number(number.as_i64().expect("a whole number")),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => {
            Value::List(list.iter().map(|one| one.as_i64().expect("a whole number")).collect())
        }
        other => panic!("{other} is no value"),
    }
}

/// A configuration written flat: the class, the sizes, then the parameters by name.
fn params(cfg: &Json) -> Params {
    let mut params = Params::default();
    for (name, json) in cfg.as_object().expect("an object") {
        let name = if name == "class" { "game_class" } else { name };
        let parameter = Parameter::find(name).expect(name);
        assert!(parameter.set(&mut params, &value(json)), "{name} {json}");
    }
    params
}

/// The rule of the first fatal finding, or of the first warning.
fn verdict(params: &Params) -> Option<&'static str> {
    let findings = check(params);
    let first = |fatal| {
        findings
            .iter()
            .find(|one| one.severity.is_fatal() == fatal && one.severity != Severity::Hint)
    };
    first(true).or_else(|| first(false)).map(|finding| finding.rule)
}

/// Rule names for messages that the other program wrote without a name.
fn ours(rule: &str) -> &str {
    match rule {
        "raised:Don't know who collector should be in TakeAllUnclaimedSeeds" => {
            "quitter_last_mover"
        }
        raised if raised.starts_with("raised:") => "quitter_unfed",
        rule => rule,
    }
}

#[test]
fn configurations_of_no_game_are_refused_for_the_rule_they_break() {
    let packed = include_bytes!("../../../../../../tests/golden/two_row/rejected.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("it unpacks");
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in text.lines() {
        let line: Json = serde_json::from_str(line).expect("JSON");
        let expected = ours(line["rule"].as_str().expect("a name"));
        let seen = verdict(&params(&line["cfg"]));
        if seen != Some(expected) {
            wrong.push(format!("{expected}, not {seen:?}: {}", line["cfg"]));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 200);
}

/// A game that breaks no rule, and with that the parameters of a text.
fn with(text: &str) -> Params {
    let mut params =
        Params { holes: 6, nbr_start: 4, stores: true, evens: true, ..Params::default() };
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("a name and a value");
        let parameter = Parameter::find(name).expect(name);
        assert!(parameter.set(&mut params, &Value::Text(value.into())), "{pair}");
    }
    params
}

/// All rules, each table once.
fn all_rules() -> impl Iterator<Item = &'static Rule> {
    let common = tables(Class::Mancala);
    common.into_iter().chain([diffusion::RULES]).flatten()
}

#[test]
fn every_rule_can_be_broken() {
    for line in BREAKERS {
        let (rule, text) = line.split_once(' ').expect("a rule and parameters");
        let found: Vec<_> = check(&with(text)).into_iter().map(|finding| finding.rule).collect();
        assert!(found.contains(&rule), "{line}: {found:?}");
    }
    for rule in all_rules() {
        let breaks = |line: &&&str| line.split(' ').next() == Some(rule.name);
        assert!(BREAKERS.iter().any(|line| breaks(&line)), "nothing breaks {}", rule.name);
    }
}

#[test]
fn a_rule_names_parameters_and_says_their_values() {
    for line in BREAKERS {
        let (_, text) = line.split_once(' ').expect("a rule and parameters");
        for finding in check(&with(text)) {
            let known = |name: &&&str| Parameter::find(name).is_some();
            assert!(finding.parameters.iter().all(|name| known(&name)), "{finding}");
            assert!(!finding.message.contains(['{', '}']), "{finding}");
            assert!(!finding.message.ends_with('.'), "{finding}");
        }
    }
}

#[test]
fn all_findings_are_told_and_in_order() {
    let found: Vec<_> = check(&with("holes=2 min_move=3 start_pattern=GAMACHA mlap_cont=OWN_SIDE"))
        .into_iter()
        .map(|finding| finding.rule)
        .collect();
    assert_eq!(found, ["high_min_moves", "pattern_1_req_size", "mlap_cont"]);
    assert_eq!(check(&with("")), []);
}

/// Rules that reject these parameters.
fn refusals(text: &str) -> Vec<&'static str> {
    let fatal = check(&with(text)).into_iter().filter(|finding| finding.severity.is_fatal());
    fatal.map(|finding| finding.rule).collect()
}

/// Rules are as narrow as possible: these games resemble rejected ones but are accepted.
#[test]
fn what_has_rules_is_not_refused() {
    for text in [
        "holes=9 nbr_start=4 start_pattern=AZIGO",
        "mlaps=LAPPER sow_rule=LAP_CAPT crosscapt=ONE_ANY capt_rturn=ONCE",
        "mlaps=LAPPER sow_rule=LAP_CAPT crosscapt=ONE_ANY xc_sown=true",
        "mlaps=LAPPER sow_rule=LAP_CAPT_OPP_GETS sow_param=4 capt_rturn=ALWAYS",
        "mlaps=LAPPER sow_rule=LAP_CAPT capt_type=NEXT crosscapt=ONE_ZEROS xc_sown=true",
        "game_class=EastWestCycle no_sides=true sow_stores=OWN",
        "game_class=NorthSouthCycle allow_rule=NOT_XFROM_1S",
        "child_type=NORMAL child_locs=FIXED_ONE_RIGHT",
        "game_class=Diffusion no_sides=true goal=CLEAR evens=false presowcapt=CAPT_ONE",
    ] {
        assert_eq!(refusals(text), [""; 0], "{text}");
    }
}

#[test]
fn a_diffusion_game_has_its_own_sowing() {
    for more in ["mustshare=true", "mustpass=true", "moveunlock=true", "xc_sown=true"] {
        for class in ["Diffusion", "DiffusionV2"] {
            let text = format!("game_class={class} no_sides=true goal=CLEAR evens=false {more}");
            assert_eq!(refusals(&text), ["no_sow_changes"], "{text}");
        }
    }
}

#[test]
fn a_finding_is_a_sentence_for_people() {
    let found = check(&with("nbr_start=6000"));
    assert_eq!(
        found[0].to_string(),
        "error: a game has 30000 seeds at most, and nbr_start 6000 could make more on 6 holes a \
         side: set a smaller nbr_start (too_many_seeds)"
    );
}

#[test]
fn the_catalogue_breaks_no_rule() {
    for entry in catalogue::ENTRIES {
        let file = entry.file();
        let variants = file.variants.iter().map(|variant| &variant.params);
        for params in std::iter::once(&file.params).chain(variants) {
            let found = check(params);
            let weighty = found.iter().find(|finding| finding.severity > Severity::Hint);
            assert_eq!(weighty, None, "{}", entry.slug);
        }
    }
}
