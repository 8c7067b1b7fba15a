//! Random games in a game, on one core: how many moves a second.
//!
//! A move is listing all legal moves, picking one and playing it; chance steps are played but
//! not counted, layouts are completed. A game goes on to its end, rounds included, or for
//! [`MOST_PLIES`]. Picks come from SplitMix64 (a few instructions, so that the rules are
//! measured), chance and layouts from ChaCha.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pitmaster::core::Seed;
use pitmaster::games::{MoveList, Rules, Turn};
use rand::Rng;

/// A game that has not ended by then is left.
const MOST_PLIES: u64 = 400;
/// How often a game is measured; the median counts.
const SAMPLES: usize = 5;
/// How long one of these takes at least.
const SAMPLE: Duration = Duration::from_millis(20);

/// What random play in a game came to.
pub(crate) struct Measured {
    /// Million moves a second.
    pub(crate) speed: f64,
    /// By players, to the end of a game or where it was left.
    pub(crate) plies: f64,
}

/// Plays random games for as long as it takes.
pub(crate) fn measure<R: Rules>(rules: &R) -> Measured {
    let mut picks = SplitMix(1);
    let mut chance = Seed(1).stream("bench");
    let mut samples: Vec<_> =
        (0..=SAMPLES).map(|_| sample(rules, &mut picks, &mut chance)).collect();
    samples.remove(0); // To warm up.
    samples.sort_by(|one, other| one.speed.total_cmp(&other.speed));
    samples.swap_remove(SAMPLES / 2)
}

/// Plays games for a while.
fn sample<R: Rules>(rules: &R, picks: &mut SplitMix, chance: &mut impl Rng) -> Measured {
    let (mut games, mut plies) = (0_u32, 0_u64);
    let mut list = MoveList::default();
    let began = Instant::now();
    while began.elapsed() < SAMPLE {
        plies += random_game(rules, &mut list, picks, chance);
        games += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    Measured { speed: plies as f64 / seconds / 1e6, plies: plies as f64 / f64::from(games) }
}

/// Plays a game and says how many plies it had.
fn random_game<R: Rules>(
    rules: &R,
    list: &mut MoveList<R::Move, R::Template>,
    picks: &mut SplitMix,
    chance: &mut impl Rng,
) -> u64 {
    let mut position = rules.start();
    let mut plies = 0;
    while plies < MOST_PLIES {
        match rules.turn(&position) {
            Turn::Over(_) => break,
            Turn::Chance => {
                let step = rules.draw(&position, chance);
                rules.play(&mut position, &step, &mut ());
            }
            Turn::Player(_) => {
                rules.moves(&position, list);
                let pick = picks.below(list.moves.len() + list.templates.len());
                match list.moves.get(pick) {
                    Some(mv) => rules.play(&mut position, mv, &mut ()),
                    None => {
                        let template = &list.templates[pick - list.moves.len()];
                        let mv = rules.complete(&position, template, chance);
                        rules.play(&mut position, &mv, &mut ());
                    }
                }
                plies += 1;
            }
        }
    }
    black_box(&position);
    plies
}

/// Sebastiano Vigna's generator: one addition and two multiplications a number.
struct SplitMix(u64);

impl SplitMix {
    /// Uneven by less than one in a million, which changes no speed.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (((mixed >> 32) * count as u64) >> 32) as usize
    }
}
