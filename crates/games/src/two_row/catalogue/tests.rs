//! Tests of the whole catalogue.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::*;
use crate::two_row::params::options;

#[test]
fn the_table_is_in_order_and_every_game_reads() {
    assert_eq!(ENTRIES.len(), 144);
    assert!(ENTRIES.is_sorted_by(|a, b| a.slug < b.slug));
    for entry in ENTRIES {
        let file = entry.file();
        assert_eq!(slug(&file.name), entry.slug);
        assert_eq!(file.notes, Vec::<String>::new(), "{}", entry.slug);
        assert_eq!(file::read(&file.to_toml(), None).as_ref(), Ok(&file), "{}", entry.slug);
        let slugs: BTreeSet<_> = file.variants.iter().map(|one| slug(&one.name)).collect();
        assert_eq!(slugs.len(), file.variants.len(), "{}", entry.slug);
    }
}

#[test]
fn every_game_is_described_in_a_line_of_its_own() {
    let mut lines = BTreeSet::new();
    for entry in ENTRIES {
        let about = entry.file().about;
        let length = about.chars().count();
        assert!((30..=130).contains(&length) && !about.contains('\n'), "{}: {about}", entry.slug);
        assert!(lines.insert(about), "{} is described like another game", entry.slug);
    }
}

/// Guards the parameters against accidental changes. After an intended change, copy the digest that
/// the failing test prints.
#[test]
fn the_parameters_are_what_they_were() {
    let mut all = String::new();
    let mut add = |name: &str, params: &Params| {
        all.push_str(name);
        for (option, value) in options(params) {
            let _ = write!(all, ",{option}={value}");
        }
        all.push('\n');
    };
    for entry in ENTRIES {
        let file = entry.file();
        add(entry.slug, &file.params);
        for variant in &file.variants {
            add(&format!("{}::{}", entry.slug, slug(&variant.name)), &variant.params);
        }
    }
    assert_eq!(all.lines().count(), 144 + 71);
    insta::assert_snapshot!(blake3::hash(all.as_bytes()).to_string(), @"9eadf3bef919453801f35aa2377ba3bfb5f7d207f36f5477774aa21e6104898a");
}

#[test]
fn games_are_found_in_any_writing() {
    for name in ["san_yao", "Sàn Yáo", "SAN-YAO", " sàn yáo "] {
        assert_eq!(find(name).map(|entry| entry.slug), Some("san_yao"), "{name}");
    }
    assert!(find("").is_none());
    let found = look_up("Weg::weg 10-4").expect("a variant");
    assert_eq!(
        (&*found.slug, found.params.holes, found.file.name.as_str()),
        ("weg::weg_10_4", 10, "Weg")
    );
    assert_eq!(look_up("weg::Weg").expect("the game itself").slug, "weg");
    assert_eq!(look_up("weg").expect("a game").params.holes, 6);
}

#[test]
fn names_that_are_not_there_are_answered() {
    let answer = |name: &str| look_up(name).expect_err(name).to_string();
    insta::assert_snapshot!(answer("kala"), @r#"the catalogue has no game "kala"; did you mean kalah?"#);
    insta::assert_snapshot!(answer("chess and more"), @r#"the catalogue has no game "chess and more""#);
    insta::assert_snapshot!(answer("weg::weg_9"), @r#"weg has no variant "weg_9"; it has weg_4_2, weg_6_3, weg_10_4"#);
    insta::assert_snapshot!(answer("oware::big"), @r#"oware has no variant "big"; it has 6x5, 6x6"#);
}
