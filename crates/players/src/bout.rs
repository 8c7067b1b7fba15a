//! Game between two players without processes, clocks or a referee.

use pitmaster_core::{BySide, Seed, Side};
use pitmaster_games::{DynGame, GameState, Outcome, Turn};

use super::{Budget, Player};

/// Conditions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// Number of plies after which the game is adjudicated.
    pub plies: u32,
    /// Number of random plies before the players are asked.
    pub random_plies: u32,
    /// Seed of the random plies and of chance steps.
    pub deal: Seed,
    /// Seed of the players.
    pub dice: Seed,
}

/// Finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bout {
    /// Side that moved first.
    pub first: Side,
    /// Result of the game.
    pub outcome: Outcome,
    /// Whether the limit of plies ended the game.
    pub was_cut: bool,
    /// Number of plies by players, the random ones included.
    pub plies: u32,
    /// Number of available moves and templates, summed over all plies.
    pub choices: u64,
    /// Number of moves that the players made on a board while searching.
    pub nodes: u64,
    /// Fingerprint that is equal for games with the same moves.
    pub fingerprint: u64,
}

/// Plays a game. Each move gets a new `budget`.
///
/// # Panics
/// Panics if a player makes an illegal move, which is a bug in the player's code.
pub fn play_bout<B: Budget>(
    game: &dyn DynGame,
    mut players: BySide<&mut dyn Player>,
    conditions: Conditions,
    budget: impl Fn() -> B,
) -> Bout {
    for side in Side::BOTH {
        players[side].begin(conditions.dice.derive(&format!("player {side}")));
        players[side].limit_plies(Some(conditions.plies));
    }
    let mut board = Board::new(game.begin(), conditions.deal);
    let mut random = conditions.deal.stream("opening");
    loop {
        let side = match board.table.turn() {
            Turn::Over(outcome) => return board.bout(outcome, false),
            Turn::Chance => {
                board.draw(&mut players);
                continue;
            }
            Turn::Player(_) if board.plies == conditions.plies => {
                return board.bout(board.table.adjudicate(), true);
            }
            Turn::Player(side) => side,
        };
        board.choices += board.table.count_choices() as u64;
        let text = if board.plies < conditions.random_plies {
            board.table.play_random(&mut random).expect("it is a player's turn")
        } else {
            let choice = players[side].choose(&mut budget());
            board.nodes += choice.thought.nodes;
            board.play(side, &choice.text)
        };
        board.made(side, &text, &mut players);
    }
}

/// Board of the game by the rules.
struct Board {
    table: Box<dyn GameState>,
    chance: rand_chacha::ChaCha8Rng,
    hasher: blake3::Hasher,
    first: Option<Side>,
    plies: u32,
    choices: u64,
    nodes: u64,
}

impl Board {
    fn new(table: Box<dyn GameState>, deal: Seed) -> Self {
        Self {
            table,
            chance: deal.stream("chance"),
            hasher: blake3::Hasher::new(),
            first: None,
            plies: 0,
            choices: 0,
            nodes: 0,
        }
    }

    fn draw(&mut self, players: &mut BySide<&mut dyn Player>) {
        let text = self.table.draw(&mut self.chance);
        self.announce(&text, players);
    }

    /// Plays a player's move, and returns its canonical text.
    fn play(&mut self, side: Side, text: &str) -> String {
        let mut written = String::new();
        let played = self.table.play(text, &mut written);
        played.unwrap_or_else(|fault| panic!("player {side} played {text}: {fault}"));
        written
    }

    fn made(&mut self, side: Side, text: &str, players: &mut BySide<&mut dyn Player>) {
        self.first.get_or_insert(side);
        self.plies += 1;
        self.announce(text, players);
    }

    fn announce(&mut self, text: &str, players: &mut BySide<&mut dyn Player>) {
        self.hasher.update(text.as_bytes()).update(b" ");
        for side in Side::BOTH {
            let followed = players[side].follow(text);
            followed.unwrap_or_else(|fault| panic!("player {side} hears {text}: {fault}"));
        }
    }

    fn bout(&self, outcome: Outcome, was_cut: bool) -> Bout {
        let mut fingerprint = [0; 8];
        fingerprint.copy_from_slice(&self.hasher.finalize().as_bytes()[..8]);
        Bout {
            first: self.first.unwrap_or(Side::One),
            outcome,
            was_cut,
            plies: self.plies,
            choices: self.choices,
            nodes: self.nodes,
            fingerprint: u64::from_le_bytes(fingerprint),
        }
    }
}
