//! Properties of all files.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::two_row::params::{Parameter, Value, apply};

/// A value that the parameter can have.
fn value_for(parameter: &Parameter, seed: i64) -> Value {
    match parameter.get(&Params::default()) {
        Value::Bool(_) => Value::Bool(seed % 2 == 0),
        Value::Number(_) => Value::Number(seed),
        Value::List(_) => Value::List((0..seed.rem_euclid(4)).map(|n| n * seed).collect()),
        Value::Text(_) => {
            let allowed = (parameter.allowed)();
            let names: Vec<_> =
                allowed.split(", ").filter_map(|one| one.split(' ').next()).collect();
            Value::Text(names[seed.unsigned_abs() as usize % names.len()].to_owned())
        }
    }
}

fn any_params() -> impl Strategy<Value = Params> {
    prop::collection::vec(prop::option::of(-1000..1000_i64), Params::ALL.len()).prop_map(|seeds| {
        let mut params = Params::default();
        for (parameter, seed) in Params::ALL.iter().zip(seeds) {
            if let Some(seed) = seed {
                assert!(parameter.set(&mut params, &value_for(parameter, seed)));
            }
        }
        params
    })
}

proptest! {
    #[test]
    fn params_round_trip(params in any_params()) {
        let mut read_back = Params::default();
        let options = options(&params);
        let given = options.iter().map(|(name, value)| (*name, value.as_str()));
        prop_assert_eq!(apply(&mut read_back, given), []);
        prop_assert_eq!(&read_back, &params);
    }

    #[test]
    fn files_round_trip(
        params in any_params(),
        variant in any_params(),
        about in "(?s).*",
        deepest in 5..7,
        most_random in prop::sample::select(vec![0, 40, 50]),
    ) {
        let mut file = good("name = \"x\"\nholes = 1\nnbr_start = 1", None);
        let about = about.trim().to_owned();
        file.about.clone_from(&about);
        file.params = params;
        file.texts = vec![("note 2".into(), "x".into()), ("a \"tag\"\t".into(), about)];
        file.variants = vec![Variant { name: "a \"b\"".into(), params: variant }];
        file.player.scorer.mx_access_m = -3;
        file.player.ai_params.mcts_pouts = [4, 3, 2, 1];
        file.player.ai_params.mm_depth = [1, 2, 3, deepest];
        file.player.ai_params.random_moves = [most_random, 20, 6, 0].map(|it| it.min(most_random));
        file.player.difficulty = player::Difficulty(3);
        let text = file.to_toml();
        prop_assert_eq!(good(&text, None), file, "{}", text);
    }

    #[test]
    fn no_text_breaks_the_reader(text in ".*", info in "[a-z_\"\\[\\]{}:, 0-9<>/\\\\é\n]*") {
        let _ = read(&text, None);
        let _ = read(&json(&info), None);
        let _ = read(&info, Some(FileVersion::Nov2024));
        let _ = read(&format!("{{{info}"), None);
        let section = format!("{}\n<text_section>\n{info}", json("\"about\": \"<text_section>\""));
        let _ = read(&section, Some(FileVersion::Sep2025));
    }

    #[test]
    fn no_parameters_break_the_reader(params in any_params(), age in 0..3_usize) {
        let mut info = String::new();
        for parameter in &Params::ALL[3..] {
            if let Value::Number(number) = parameter.get(&params) {
                let _ = write!(info, "\"{}\": {number},", parameter.name);
            }
        }
        let flags = "\"capttwoout\": 1, \"sow_rule\": 4, \"pickextra\": 2, \"child_type\": 3";
        let _ = read(&json(&(info + flags)), Some(FileVersion::ALL[age]));
    }
}
