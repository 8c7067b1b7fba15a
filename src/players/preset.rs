//! The player that a game's own file names, at a level from 0 to 3.

use super::settings::Settings;
use super::{Algorithm, PlayerSpec};
use crate::games::isholo::Kind;
use crate::games::two_row::{file, named};
use crate::games::{AnyRules, Counting, GameSpec, SpecFaults, look_up};

/// How the file of a game plays it; a game without a file of its own is played by the defaults.
pub(super) fn file_of(game: &GameSpec, rules: &AnyRules) -> Result<file::Player, SpecFaults> {
    Ok(match rules {
        AnyRules::ColouredAwale(_) => coloured_awale(),
        AnyRules::Isholo(rules) => isholo(rules.kind),
        AnyRules::TwoRow(_) => {
            named::look_up(game)?.file.map(|file| file.player).unwrap_or_default()
        }
    })
}

/// Coloured Awale has no file.
fn coloured_awale() -> file::Player {
    let ai_params = file::AiParams { mm_depth: [1, 1, 3, 4], ..file::AiParams::default() };
    let scorer = file::Scorer { mx_stores_m: 4, mx_easy_rand_a: 20, ..file::Scorer::default() };
    file::Player {
        algorithm: file::Algorithm::Negamax,
        ai_params,
        scorer,
        ..file::Player::default()
    }
}

/// Nor have the games of Isholo. What counts is what decides them: seeds, in game 3 the holes
/// that they stand in.
fn isholo(kind: Kind) -> file::Player {
    let ai_params = file::AiParams { mm_depth: [1, 2, 3, 4], ..file::AiParams::default() };
    let (mx_seeds_m, mx_empties_m) = if kind == Kind::Three { (0, -4) } else { (4, 0) };
    let scorer =
        file::Scorer { mx_seeds_m, mx_empties_m, mx_easy_rand_a: 20, ..file::Scorer::default() };
    let algorithm = file::Algorithm::Negamax;
    file::Player { algorithm, ai_params, scorer, ..file::Player::default() }
}

/// The algorithm that the file names, with the options of `preset`. Where the file is for a game
/// of alternating turns and the game has been changed, `minimaxer` plays the same otherwise.
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

/// What the player of a game's file goes by at each level, in words: equal texts are equal
/// settings.
///
/// # Errors
/// There is no such game.
pub fn presets(game: &GameSpec) -> Result<[String; 4], SpecFaults> {
    let rules = look_up(game)?.rules;
    let file = file_of(game, &rules)?;
    Ok(match rules {
        AnyRules::ColouredAwale(rules) => levels(&rules, &file),
        AnyRules::Isholo(rules) => levels(&rules, &file),
        AnyRules::TwoRow(rules) => levels(&*rules, &file),
    })
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
