//! Game between two players without processes, clocks or a referee.

use pitmaster_core::{BySide, Seed, Side};
use pitmaster_games::{DynGame, GameState, Outcome, Turn};

use super::{Budget, Player};

/// What is asked of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// After so many plies the game is settled as it stands.
    pub plies: u32,
    /// So many plies are random before the players are asked.
    pub random_plies: u32,
    /// Where the random plies and what chance does come from.
    pub deal: Seed,
    /// Where the players' dice come from.
    pub dice: Seed,
}

/// A game that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bout {
    /// Who moved first.
    pub first: Side,
    /// What it came to.
    pub outcome: Outcome,
    /// Whether the limit of plies ended it.
    pub was_cut: bool,
    /// Plies by players, the random ones included.
    pub plies: u32,
    /// Over all plies, how many moves and templates there were to choose from.
    pub choices: u64,
    /// The same for games in which the same was played.
    pub fingerprint: u64,
}

/// Plays a game. `budget` is made anew for each move.
///
/// # Panics
/// If a player makes a move that is not legal: a fault of the player's code.
pub fn play_bout<B: Budget>(
    game: &dyn DynGame,
    mut players: BySide<&mut dyn Player>,
    conditions: Conditions,
    budget: impl Fn() -> B,
) -> Bout {
    for side in Side::BOTH {
        players[side].begin(conditions.dice.derive(&format!("player {side}")));
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
            board.play(side, &choice.text)
        };
        board.made(side, &text, &mut players);
    }
}

/// The game as nobody but the rules sees it.
struct Board {
    table: Box<dyn GameState>,
    chance: rand_chacha::ChaCha8Rng,
    hasher: blake3::Hasher,
    first: Option<Side>,
    plies: u32,
    choices: u64,
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
        }
    }

    fn draw(&mut self, players: &mut BySide<&mut dyn Player>) {
        let text = self.table.draw(&mut self.chance);
        self.tell(&text, players);
    }

    /// Plays a player's move, and says its text in the form that the game writes.
    fn play(&mut self, side: Side, text: &str) -> String {
        let mut written = String::new();
        let played = self.table.play(text, &mut written);
        played.unwrap_or_else(|fault| panic!("player {side} played {text}: {fault}"));
        written
    }

    fn made(&mut self, side: Side, text: &str, players: &mut BySide<&mut dyn Player>) {
        self.first.get_or_insert(side);
        self.plies += 1;
        self.tell(text, players);
    }

    fn tell(&mut self, text: &str, players: &mut BySide<&mut dyn Player>) {
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
            fingerprint: u64::from_le_bytes(fingerprint),
        }
    }
}
