//! Player of a game's own file, at a level from 0 to 3.

use pitmaster_games::two_row::file;
use pitmaster_games::{Counting, GameSpec, SpecErrors, look_up, with_rules};

use super::settings::{Settings, spelled_out};
use super::{Algorithm, BuildError, Judged, PlayerSpec};

/// The algorithm of the file, with the options of `preset`. If the file assumes alternating turns
/// and the game was changed, `minimaxer` replaces `negamaxer`.
pub(super) fn named<R: Counting>(
    rules: &R,
    file: &file::Player,
    preset: &PlayerSpec,
) -> PlayerSpec {
    let algorithm = match file.algorithm {
        file::Algorithm::Negamax if rules.breaks_alternation().is_none() => Algorithm::Negamaxer,
        file::Algorithm::Minimax | file::Algorithm::Negamax => Algorithm::Minimaxer,
        file::Algorithm::MonteCarlo => Algorithm::MonteCarlo,
    };
    PlayerSpec { algorithm, options: preset.options.clone() }
}

/// Resolves a house bot for a game that is known only by its parameters when it is played. `preset`
/// becomes the player that the game's file names, with the file's settings as options. Players that
/// the file does not configure stay unchanged.
///
/// # Errors
/// Fails if the game does not exist, or if an option is a factor that has no effect in it.
pub fn by_file(
    game: &GameSpec,
    file: &file::Player,
    player: &PlayerSpec,
) -> Result<PlayerSpec, BuildError> {
    with_rules!(look_up(game)?.rules, rules => by_file_of(&rules, file, player))
}

fn by_file_of<R: Counting>(
    rules: &R,
    file: &file::Player,
    player: &PlayerSpec,
) -> Result<PlayerSpec, BuildError> {
    match player.algorithm {
        Algorithm::Random | Algorithm::Greedy | Algorithm::Expert => Ok(player.clone()),
        Algorithm::Preset => spelled_out(rules, file, &named(rules, file, player)),
        _ => spelled_out(rules, file, player),
    }
}

/// Settings of the player of a game's file at each level, as text. Equal texts mean equal settings.
///
/// # Errors
/// Fails if the game does not exist.
pub fn presets(game: &GameSpec) -> Result<[String; 4], SpecErrors> {
    with_rules!(look_up(game)?.rules, rules => Ok(levels(&rules, &rules.preset(game)?)))
}

fn levels<R: Counting>(rules: &R, file: &file::Player) -> [String; 4] {
    [0, 1, 2, 3].map(|level: u8| {
        let options = [("level".to_owned(), level.to_string())].into();
        let spec = named(rules, file, &PlayerSpec { algorithm: Algorithm::Preset, options });
        match Settings::new(rules, file, &spec) {
            Ok(settings) => format!("{}: {}", spec.algorithm.name(), settings.text(spec.algorithm)),
            Err(fault) => unreachable!("no factor is among the options: {fault}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use pitmaster_games::two_row::TwoRow;
    use pitmaster_games::two_row::catalogue::ENTRIES;

    use pitmaster_games::two_row::named::nameless;

    use super::*;

    /// Tests every game of the catalogue as a separate file, at every level.
    #[test]
    fn a_player_that_is_spelled_out_goes_by_the_same_numbers() {
        let nothing = file::Player::default();
        let mut longest = 0;
        for entry in ENTRIES {
            let (file, name) = (entry.file(), entry.slug);
            let rules = TwoRow::new(file.params.clone());
            let game = nameless(&file.params, &std::collections::BTreeMap::new());
            for asked in ["preset", "preset,level=0", "preset,level=2", "montecarlo_ts"] {
                let asked = asked.parse().expect(asked);
                let spelled = by_file(&game, &file.player, &asked).expect(name);
                let meant = if asked.algorithm == Algorithm::Preset {
                    named(&rules, &file.player, &asked)
                } else {
                    asked
                };
                let numbers = |file, spec: &PlayerSpec| {
                    let settings = Settings::new(&rules, file, spec).expect(name);
                    settings.options(spec.algorithm)
                };
                let with = numbers(&file.player, &meant);
                assert_eq!(numbers(&nothing, &spelled), with, "{name} {spelled}");
                assert_eq!(spelled.algorithm, meant.algorithm);
                // The preset can be written and read again.
                assert_eq!(spelled.to_string().parse(), Ok(spelled.clone()));
                longest = longest.max(spelled.options.len());
            }
        }
        assert!(longest > 3, "some file says something");
    }

    #[test]
    fn what_was_asked_for_goes_before_what_the_file_says() {
        let scorer = file::Scorer { mx_seeds_m: 3, ..file::Scorer::default() };
        let ai_params = file::AiParams { mm_depth: [2, 4, 6, 8], ..file::AiParams::default() };
        let file = file::Player { ai_params, scorer, ..file::Player::default() };
        let game = "two-row,holes=6,nbr_start=4,stores=true".parse().expect("a game");
        let by_file = |player: &str| {
            let player = player.parse().expect(player);
            by_file(&game, &file, &player).map(|player| player.to_string())
        };
        let shown = |player: &str| by_file(player).expect(player);
        insta::assert_snapshot!(shown("preset,level=2"), @"minimaxer,level=2,mm_depth=6,mx_seeds_m=3,mx_stores_m=0,random_moves=6");
        insta::assert_snapshot!(shown("minimaxer,mm_depth=3"), @"minimaxer,level=1,mm_depth=3,mx_seeds_m=3,mx_stores_m=0");
        insta::assert_snapshot!(shown("expert,nodes=5"), @"expert,nodes=5");
        let fault = by_file("minimaxer,mx_child_cnt_m=2").expect_err("there are no children");
        insta::assert_snapshot!(fault, @"mx_child_cnt_m says nothing here: the game has no children; leave it out");
    }
}
