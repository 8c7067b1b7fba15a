//! Time per move of level 3.

use std::time::Duration;

use pitmaster_core::Seed;
use pitmaster_games::{GameSpec, GameState, Turn, find};
use pitmaster_players::{Player, Unlimited, build};
use rustix::time::{ClockId, clock_gettime};

use super::Outcome;

/// Time after which no further move is measured.
const ENOUGH: Duration = Duration::from_secs(1);
/// Maximum number of games.
const GAMES: u64 = 20;
/// Random plies before the player takes over.
const OPENING: u32 = 4;
/// Number of plies after which a game is abandoned.
const PLIES: u32 = 600;

/// Prints mean and maximum of the time per move of level 3 against itself.
pub(crate) fn print(games: &[GameSpec]) -> Outcome<()> {
    println!("game             ms a move  longest  nodes a move");
    for game in games {
        let Pace { moves, time, longest, nodes } = pace(game)?;
        let [mean, longest] = [time / moves, longest].map(|time| time.as_secs_f64() * 1000.0);
        let game = game.to_string();
        println!("{game:<16} {mean:>9.3} {longest:>8.1} {:>13}", nodes / u64::from(moves));
    }
    Ok(())
}

#[derive(Default)]
struct Pace {
    moves: u32,
    time: Duration,
    longest: Duration,
    nodes: u64,
}

fn pace(game: &GameSpec) -> Outcome<Pace> {
    let mut player = build(game, &"preset,level=3".parse()?)?;
    let known = find(game)?;
    let mut pace = Pace::default();
    for seed in 0..GAMES {
        pace.play(&mut *known.begin(), &mut *player, Seed(seed))?;
    }
    Ok(pace)
}

impl Pace {
    fn play(
        &mut self,
        table: &mut dyn GameState,
        player: &mut dyn Player,
        seed: Seed,
    ) -> Outcome<()> {
        let mut random = seed.stream("pace");
        player.begin(seed);
        let mut plies = 0;
        while self.time < ENOUGH && plies < PLIES {
            let step = match table.turn() {
                Turn::Over(_) => break,
                Turn::Chance => table.draw(&mut random),
                Turn::Player(_) if plies < OPENING => {
                    table.play_random(&mut random).ok_or("a player has no move")?
                }
                Turn::Player(_) => self.choose(table, player)?,
            };
            player.follow(&step)?;
            plies += 1;
        }
        Ok(())
    }

    fn choose(&mut self, table: &mut dyn GameState, player: &mut dyn Player) -> Outcome<String> {
        let before = processor_time();
        let choice = player.choose(&mut Unlimited);
        let took = processor_time().saturating_sub(before);
        self.time += took;
        self.longest = self.longest.max(took);
        self.moves += 1;
        self.nodes += choice.thought.nodes;
        let mut written = String::new();
        table.play(&choice.text, &mut written)?;
        Ok(written)
    }
}

/// CPU time, so that other work on the machine does not count.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
