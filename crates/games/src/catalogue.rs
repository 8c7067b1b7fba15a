//! Lookup of all games by name.

use std::sync::Arc;

use super::coloured_awale::ColouredAwale;
use super::dyn_game::game_named;
use super::family::{Description, Family};
use super::isholo::Isholo;
use super::two_row::{TwoRow, named};
use super::{DynGame, GameSpec, SpecError, SpecErrors};

/// Makes the enum of all families, and the code that differs between families only by a type.
macro_rules! families {
    (($d:tt) $($(#[$doc:meta])* $family:ident,)*) => {
        /// Rules of any game, for code that is generic over games and looks one up by name. The
        /// macro [`with_rules!`](crate::with_rules) continues with the type of the rules.
        #[derive(Debug, Clone)]
        #[expect(clippy::large_enum_variant, reason = "one at a time")]
        pub enum AnyRules {
            $($(#[$doc])* $family($family),)*
        }

        /// Evaluates an expression with the rules in [`AnyRules`], for any type of rules:
        /// `with_rules!(any, rules => perft(&rules, 3))`.
        #[macro_export]
        macro_rules! with_rules {
            ($d any:expr, $d rules:ident => $d value:expr) => {
                match $d any {
                    $($crate::AnyRules::$family($d rules) => $d value,)*
                }
            };
        }

        /// Looks a game up in one family after the other.
        fn look_up_in_families(spec: &GameSpec) -> Option<Result<Known, SpecErrors>> {
            $(if let Some(found) = $family::look_up(spec) {
                return Some(found.map(|(rules, spec)| {
                    Known { rules: AnyRules::$family(rules), spec }
                }));
            })*
            None
        }

        /// Names of all games; any of them may have variants.
        pub fn names() -> impl Iterator<Item = &'static str> {
            [$($family::names()),*].into_iter().flatten()
        }

        /// Descriptions of the games with rules of their own.
        pub fn descriptions() -> impl Iterator<Item = Description> {
            [$($family::descriptions()),*].into_iter().flatten()
        }
    };
}

families! { ($)
    /// Coloured Awale.
    ColouredAwale,
    /// One of the games of Isholo.
    Isholo,
    /// Game described by parameters.
    TwoRow,
}

/// Game that was looked up by name.
#[derive(Debug, Clone)]
pub struct Known {
    /// Rules of the game.
    pub rules: AnyRules,
    /// Canonical text of its name and options.
    pub spec: String,
}

impl Known {
    /// Erases the type of the rules, for the referee.
    pub fn game(self) -> Arc<dyn DynGame> {
        with_rules!(self.rules, rules => erased(rules, self.spec))
    }
}

fn erased<R: Family>(rules: R, spec: String) -> Arc<dyn DynGame> {
    game_named(rules, spec, R::VERSION)
}

/// Looks a game up and sets its options.
///
/// # Errors
/// Returns all errors in the name and the options.
pub fn look_up(spec: &GameSpec) -> Result<Known, SpecErrors> {
    if spec.is_file() {
        return Err(SpecError::not_here(&spec.name).into());
    }
    look_up_in_families(spec).unwrap_or_else(|| Err(unknown_game(&spec.name).into()))
}

/// Looks a game up, for the referee.
///
/// # Errors
/// Returns all errors in the name and the options.
pub fn find(spec: &GameSpec) -> Result<Arc<dyn DynGame>, SpecErrors> {
    look_up(spec).map(Known::game)
}

/// Error for a game name that does not exist.
pub(super) fn unknown_game(name: &str) -> SpecError {
    let known: Vec<_> = names().map(str::to_owned).chain(named::variants()).collect();
    SpecError::unknown_game(name, known.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> String {
        find(&text.parse().expect(text)).expect(text).spec()
    }

    fn faults(text: &str) -> String {
        find(&text.parse().expect(text)).map(|game| game.spec()).expect_err(text).to_string()
    }

    #[test]
    fn every_writing_of_a_game_has_one_name() {
        for (writing, name) in [
            ("kalah", "kalah"),
            ("KALAH", "kalah"),
            ("Sàn Yáo", "san_yao"),
            ("Weg::Weg_10_4", "weg::weg_10_4"),
            ("weg::weg", "weg"),
            ("weg::weg_10_4,goal_param=14", "weg,holes=10,goal_param=14"),
            ("weg,holes=10,goal_param=14", "weg,holes=10,goal_param=14"),
            ("weg,goal_param=16,HOLES=10", "weg::weg_10_4"),
            ("weg::weg_10_4,holes=6,goal_param=10", "weg"),
            ("kalah,quitter=0,nbr_start=5", "kalah,nbr_start=5,quitter=HOLE_OWNER"),
            ("kalah::6x5,quitter=0", "kalah,nbr_start=5,quitter=HOLE_OWNER"),
            ("kalah,Seeds=5", "kalah::6x5"),
            ("kalah::6x6,seeds=4", "kalah"),
            ("kalah-empty,seeds=6", "kalah_empty::6x6"),
            ("Kalah Empty,seeds=7", "kalah_empty,nbr_start=7"),
            ("congkak,holes=6,nbr_start=4", "congkak::6x4"),
            ("congkak,seeds=6", "congkak::7x6"),
            ("coloured-awale,both_40=score", "coloured-awale"),
            ("isholo-1", "isholo-1"),
            ("Isholo-2A", "isholo-2a"),
        ] {
            assert_eq!(spec(writing), name, "{writing}");
            assert_eq!(spec(name), name);
        }
    }

    #[test]
    fn all_that_is_wrong_is_told() {
        insta::assert_snapshot!(faults("kalh"), @r#"there is no game "kalh"; did you mean kalah?"#);
        insta::assert_snapshot!(faults("chess"), @r#"there is no game "chess"; `pitmaster games` lists all"#);
        insta::assert_snapshot!(faults("isholo1"), @r#"there is no game "isholo1"; did you mean isholo-1?"#);
        insta::assert_snapshot!(faults("isholo2b"), @r#"there is no game "isholo2b"; did you mean isholo-2b?"#);
        insta::assert_snapshot!(faults("isholo"), @r#"there is no game "isholo"; did you mean isholo-1?"#);
        insta::assert_snapshot!(faults("isholo-3,max_moves=9"), @r#"isholo-3 has no option "max_moves"; it has none"#);
        insta::assert_snapshot!(faults("weg::weg_10_5"), @r#"there is no game "weg::weg_10_5"; there is weg, weg::weg_4_2, weg::weg_6_3, weg::weg_10_4"#);
        insta::assert_snapshot!(faults("kalah,hoels=7,crosscapt=ALL,nbr_start=many,zzz=1"), @r#"
        crosscapt is NONE 0, ONE_ZEROS 1, ANY 2, ONE_ANY 3, not "ALL"
        kalah has no option "hoels"; did you mean holes?
        nbr_start is a whole number, not "many"
        kalah has no option "zzz"; `pitmaster games show two-row` lists all
        "#);
        insta::assert_snapshot!(faults("two-row"), @"
        a side has 2 to 21 holes, not 0: set holes (invalid_holes)
        there must be seeds to play with, and nbr_start is 0: set it to 1 or more (invalid_nbr_start)
        min_move 1 is out of range: set it from 1 to 5, and to no more than the 0 holes of a side (high_min_moves)
        ");
        insta::assert_snapshot!(faults("kalah,min_move=9,mustpass=on,sow_start=yes"), @"
        min_move 9 is out of range: set it from 1 to 5, and to no more than the 6 holes of a side (high_min_moves)
        CLEARED_OWN ends the game before anybody has to pass: set mustpass to false (clear_no_pass)
        ");
        insta::assert_snapshot!(faults("kalah,seeds=many"), @r#"seeds is a whole number, not "many""#);
        insta::assert_snapshot!(faults("kalah,seeds=5,holes=6,NBR_START=4"), @"NBR_START and seeds are the same option; give it once");
        insta::assert_snapshot!(faults("kalah-6x5"), @r#"there is no game "kalah-6x5"; did you mean kalah::6x5?"#);
        insta::assert_snapshot!(faults("kalah::6x4"), @r#"there is no game "kalah::6x4"; there is kalah, kalah::6x5, kalah::6x6"#);
        insta::assert_snapshot!(faults("./kalah.toml"), @r#""./kalah.toml" is a file; one can be named on the command line and in tournament files only"#);
    }

    #[test]
    fn every_game_of_the_catalogue_and_every_variant_can_be_played() {
        let mut refused = Vec::new();
        for entry in super::super::two_row::catalogue::ENTRIES {
            let file = entry.file();
            let variants = file.variants.iter().map(|v| format!("{}::{}", entry.slug, v.name));
            for name in std::iter::once(entry.slug.to_owned()).chain(variants) {
                match find(&GameSpec::plain(&name)) {
                    Ok(game) => assert_eq!(spec(&game.spec()), game.spec()),
                    Err(faults) => refused.push(format!("{name}: {faults}")),
                }
            }
        }
        assert_eq!(refused, [""; 0]);
    }
}
