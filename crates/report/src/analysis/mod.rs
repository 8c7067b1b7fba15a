//! Analysis of one game by a search: the value of every position, and the worst mistakes.
//!
//! The module does not know how positions are searched.

mod json;
mod text;

pub use json::analysis_json;
pub use text::analysis_text;

use pitmaster_core::{BySide, Side};
use pitmaster_players::Verdict;

/// Losses below this many seeds are not listed: two searches of neighboring positions differ by as
/// much.
const SMALLEST: f64 = 0.5;

/// Maximum number of listed moves.
const MOST: usize = 5;

/// Analyzed position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PositionAnalysis {
    /// Value for player 1 in seeds; `None` if no search gave one.
    pub seeds: Option<f64>,
    /// Result, if it is proven.
    pub verdict: Option<Verdict>,
    /// Best move found; `None` if no player is to move.
    pub best: Option<String>,
    /// Depth in plies that was searched completely.
    pub depth: Option<u32>,
    /// Number of moves made on a board while searching.
    pub nodes: u64,
}

/// Analyzed game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GameAnalysis {
    /// Analyzing player and its time per position.
    pub by: String,
    /// Mover and text of each ply; `None` for a step of chance.
    pub plies: Vec<(Option<Side>, String)>,
    /// Every position: the start, then the one after each ply.
    pub positions: Vec<PositionAnalysis>,
    /// For each ply that was not the best move found: the position after that move, searched with
    /// the same settings as the one after the ply, so that their values are comparable.
    pub alternatives: Vec<Option<PositionAnalysis>>,
}

/// Heading of an analysis: the game and the analyzing player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisHead {
    /// Name of the game with its options.
    pub game: String,
    /// Id of the played game, if it has one.
    pub id: Option<String>,
    /// Names of the players.
    pub names: BySide<String>,
    /// Ending of the game for people. Empty if unknown.
    pub ending: String,
}

/// Move that lost seeds or changed the proven result.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// Number of the ply, from 1.
    pub ply: usize,
    /// Side that moved.
    pub by: Side,
    /// Value after the better move, for the mover in seeds.
    pub best: f64,
    /// Value after the move that was played.
    pub played: f64,
    /// Change of the proven result, if there is one.
    pub change: Option<Change>,
    /// Better move.
    pub better: String,
}

/// Change of a proven result by a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A win became a draw.
    WinToDraw,
    /// A draw became a loss.
    DrawToLoss,
    /// A win became a loss.
    WinToLoss,
}

impl Change {
    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::WinToDraw => "win-to-draw",
            Self::WinToLoss => "win-to-loss",
            Self::DrawToLoss => "draw-to-loss",
        }
    }
}

impl Mistake {
    /// Seeds that the move lost.
    pub fn lost(&self) -> f64 {
        self.best - self.played
    }
}

impl GameAnalysis {
    /// Returns what a ply lost, counted from 1; `None` if no player made it, if it was the best
    /// move found, or if a value is missing. A move with a higher value in a later search lost
    /// nothing.
    pub fn mistake(&self, ply: usize) -> Option<Mistake> {
        let place = ply.checked_sub(1)?;
        let by = self.plies.get(place)?.0?;
        let better = self.positions.get(place)?.best.clone()?;
        let best = self.alternatives.get(place)?.as_ref()?;
        let played = self.positions.get(ply)?;
        let seen = |seeds: f64| if by == Side::One { seeds } else { -seeds };
        let change = change(by, best.verdict, played.verdict);
        let (best, played) = (seen(best.seeds?), seen(played.seeds?));
        (best > played || change.is_some()).then_some(Mistake {
            ply,
            by,
            best,
            played,
            change,
            better,
        })
    }

    /// Returns the worst mistakes in order: moves that changed a proven result, then those that
    /// lost the most seeds.
    pub fn worst(&self) -> Vec<Mistake> {
        let counts = |one: &Mistake| one.change.is_some() || one.lost() >= SMALLEST;
        let mut worst: Vec<_> =
            (1..=self.plies.len()).filter_map(|ply| self.mistake(ply)).filter(counts).collect();
        worst.sort_by(|a, b| b.change.cmp(&a.change).then(b.lost().total_cmp(&a.lost())));
        worst.truncate(MOST);
        worst
    }
}

/// Change of a proven result for the worse, from the mover's view.
fn change(by: Side, best: Option<Verdict>, played: Option<Verdict>) -> Option<Change> {
    let rank = |verdict: Verdict| verdict.winner.map_or(1, |winner| 2 * u8::from(winner == by));
    match (rank(best?), rank(played?)) {
        (2, 1) => Some(Change::WinToDraw),
        (2, 0) => Some(Change::WinToLoss),
        (1, 0) => Some(Change::DrawToLoss),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn verdict(winner: Option<Side>, margin: i32) -> Verdict {
        Verdict { winner, margin: Some(margin) }
    }

    /// Five plies, the third by chance.
    pub(crate) fn analysis() -> GameAnalysis {
        let position = |seeds, verdict, best: &str| PositionAnalysis {
            seeds: Some(seeds),
            verdict,
            best: (!best.is_empty()).then(|| best.to_owned()),
            depth: Some(9),
            nodes: 5000,
        };
        let (one, two) = (Some(Side::One), Some(Side::Two));
        let ply = |by, text: &str| (by, text.to_owned());
        GameAnalysis {
            by: "house:expert, 200ms per ply".into(),
            plies: vec![
                ply(one, "1"),
                ply(two, "8"),
                ply(None, "die=3"),
                ply(one, "2"),
                ply(two, "9"),
            ],
            positions: vec![
                position(1.25, None, "1"),
                position(0.75, None, "7"),
                position(4.0, Some(verdict(one, 4)), ""),
                position(4.0, Some(verdict(one, 4)), "3"),
                position(0.0, Some(verdict(None, 0)), "9"),
                position(0.0, Some(verdict(None, 0)), ""),
            ],
            alternatives: vec![
                None,
                Some(position(0.5, None, "")),
                None,
                Some(position(4.0, Some(verdict(one, 4)), "")),
                None,
            ],
        }
    }

    #[test]
    fn a_changed_result_is_worse_than_lost_seeds() {
        let worst = analysis().worst();
        let plies: Vec<_> = worst.iter().map(|one| (one.ply, one.change, one.lost())).collect();
        assert_eq!(plies, [(4, Some(Change::WinToDraw), 4.0), (2, None, 3.5)]);
        assert_eq!(worst[1].better, "7");
        assert_eq!((worst[1].best, worst[1].played), (-0.5, -4.0));
    }

    #[test]
    fn the_best_move_lost_nothing_and_neither_did_chance() {
        let analysis = analysis();
        for ply in [0, 1, 3, 5, 6] {
            assert_eq!(analysis.mistake(ply), None, "{ply}");
        }
    }

    #[test]
    fn a_missing_value_is_no_loss() {
        let mut analysis = analysis();
        analysis.positions[2].seeds = None;
        assert_eq!(analysis.mistake(2), None);
    }
}
