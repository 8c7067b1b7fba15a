//! The four levels of a game as they are tuned.

use pitmaster_games::two_row::file;
use pitmaster_games::{GameSpec, look_up, with_rules};
use pitmaster_players::{Algorithm, Judged, PlayerSpec, by_file};

use super::Outcome;

/// Levels of a game.
#[derive(Clone)]
pub(crate) struct Levels {
    algorithm: Algorithm,
    /// Depth in plies, or number of nodes, of each level.
    pub(crate) sizes: [i32; 4],
    /// Percentage of random moves of each level.
    pub(crate) random: [i32; 4],
}

impl Levels {
    /// Levels of the game's own file.
    pub(crate) fn of(game: &GameSpec) -> Outcome<Self> {
        let file: file::Player =
            with_rules!(look_up(game)?.rules, rules => Judged::preset(&rules, game))?;
        let algorithm = by_file(game, &file, &"preset".parse()?)?.algorithm;
        let ai = file.ai_params;
        let sizes = if algorithm == Algorithm::MonteCarlo { ai.mcts_nodes } else { ai.mm_depth };
        Ok(Self { algorithm, sizes, random: ai.random_moves })
    }

    /// Name of the sizes in files and as an option.
    fn size_name(&self) -> &'static str {
        if self.algorithm == Algorithm::MonteCarlo { "mcts_nodes" } else { "mm_depth" }
    }

    /// Next larger size.
    pub(crate) fn larger(&self, size: i32) -> i32 {
        if self.algorithm == Algorithm::MonteCarlo { 2 * size } else { size + 1 }
    }

    /// House bot of a level.
    pub(crate) fn player(&self, level: usize) -> PlayerSpec {
        let options = [
            ("level", level.to_string()),
            (self.size_name(), self.sizes[level].to_string()),
            ("random_moves", self.random[level].to_string()),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value)).into();
        PlayerSpec { algorithm: self.algorithm, options }
    }

    /// Lines of a game's file.
    pub(crate) fn lines(&self) -> String {
        let (name, sizes, random) = (self.size_name(), self.sizes, self.random);
        format!("ai_params.{name} = {sizes:?}\nai_params.random_moves = {random:?}\n")
    }
}
