//! Network that evaluates positions of Coloured Awale, in integers. The module does not know what a
//! feature means.
//!
//! Each feature adds a row of weights to the hidden units. The output sums the squares of the
//! units, clamped between 0 and 1, with weights that depend on how many seeds are on the board; one
//! unit enters as it is. All sums are exact, so that a position has the same value on every machine.

use std::fmt;
use std::sync::LazyLock;

use pitmaster_games::Rules;
use pitmaster_games::coloured_awale::{ColouredAwale, Position};

use super::features::{self, ACTIVE, ROWS};

/// Number of hidden units; the last one is linear.
const HIDDEN: usize = 16;
/// A hidden unit of 1. Its square is the largest that a number of 16 bits holds.
const ONE: i16 = 181;
/// Number of sets of output weights.
const PHASES: usize = 6;
/// Output weight of one hundredth of a seed.
const OUTPUT: i32 = 2;
/// Added to every weight of a row, so that none is negative and sums do not carry into the next
/// unit.
const OFFSET: i16 = 327;
/// Largest weights: with them, no sum overflows.
const MAX_ROW: f32 = 1.8;
const MAX_OUTPUT: f32 = 16.0;

/// Bytes of a network.
const BYTES: usize = 2 * (HIDDEN * (ROWS + 1) + (HIDDEN + 1) * PHASES);

/// Weights of a row, four in a word, each with [`OFFSET`] added. Rows are added word by word, which
/// any compiler makes fast.
type Packed = [u64; HIDDEN / 4];

/// Weights of the network.
pub struct AwaleNetwork {
    rows: Box<[Packed; ROWS]>,
    bias: [i16; HIDDEN],
    output: [[i16; HIDDEN]; PHASES],
    base: [i16; PHASES],
}

impl fmt::Debug for AwaleNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AwaleNetwork").finish_non_exhaustive()
    }
}

const _: () = assert!(MAX_ROW * (ONE as f32) < OFFSET as f32 - 0.5);
const _: () = assert!(2 * OFFSET as usize * ACTIVE <= u16::MAX as usize);
const _: () = assert!(
    (ONE as f64) * (ONE as f64) * (100.0 * OUTPUT as f64 * MAX_OUTPUT as f64) * 15.0
        < i32::MAX as f64 * 0.8
);

static BUILT_IN: LazyLock<AwaleNetwork> =
    LazyLock::new(|| AwaleNetwork::from_bytes(include_bytes!("coloured_awale.net")));

impl AwaleNetwork {
    /// Number of rows of the first layer.
    pub const ROWS: usize = ROWS;
    /// Number of hidden units; the last one is linear.
    pub const HIDDEN: usize = HIDDEN;
    /// Number of sets of output weights.
    pub const PHASES: usize = PHASES;
    /// Largest weights of the first layer and of the output, for which no sum overflows.
    pub const LARGEST: [f32; 2] = [MAX_ROW, MAX_OUTPUT];

    /// Network that comes with the crate.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a network.
    ///
    /// # Panics
    /// Panics if the bytes are not those of a network of this form.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), BYTES, "a network has {BYTES} bytes");
        let (pairs, _) = bytes.as_chunks();
        let mut numbers = pairs.iter().map(|pair| i16::from_le_bytes(*pair));
        let mut next = || numbers.next().unwrap_or_default();
        let mut row = || std::array::from_fn(|_| next());
        let rows: Vec<Packed> = std::iter::repeat_with(|| pack(row())).take(ROWS).collect();
        let rows = rows.try_into().unwrap_or_else(|_| unreachable!("there are that many rows"));
        let (bias, output) = (row(), std::array::from_fn(|_| row()));
        Self { rows, bias, output, base: std::array::from_fn(|_| next()) }
    }

    /// Features of a position, as rows of the first layer.
    pub fn rows(rules: ColouredAwale, position: &Position, left: u32) -> Vec<usize> {
        let mut rows = Vec::with_capacity(ACTIVE);
        features::each(rules, position, left, |row| rows.push(row));
        rows
    }

    /// Value for the side to move beyond the captured seeds, in hundredths of a seed.
    #[inline]
    pub(super) fn value(&self, rules: ColouredAwale, position: &Position, left: u32) -> i32 {
        let mut sums = [0; HIDDEN / 4];
        features::each(rules, position, left, |row| {
            let row = &self.rows[row];
            for word in 0..sums.len() {
                sums[word] += row[word];
            }
        });
        let score = rules.score(position);
        self.output(unpack(sums), Self::phase(score.one + score.two))
    }

    /// Output for the sums of rows.
    fn output(&self, mut hidden: [i16; HIDDEN], phase: usize) -> i32 {
        let weights = &self.output[phase];
        for (unit, bias) in hidden.iter_mut().zip(self.bias) {
            *unit = unit.saturating_add(bias);
        }
        let linear = i32::from(hidden[HIDDEN - 1]) * i32::from(weights[HIDDEN - 1]);
        hidden[HIDDEN - 1] = 0;
        let mut sum = 0;
        for (unit, weight) in hidden.iter().zip(weights) {
            let unit = (*unit).clamp(0, ONE);
            sum += i32::from(unit * unit) * i32::from(*weight);
        }
        let one = i32::from(ONE);
        (sum / (one * one) + linear / one + i32::from(self.base[phase])) / OUTPUT
    }
}

fn pack(row: [i16; HIDDEN]) -> Packed {
    let lane = |unit: usize| {
        assert!(row[unit].abs() < OFFSET, "a weight of a row is below {OFFSET}, not {}", row[unit]);
        u64::from((row[unit] + OFFSET).cast_unsigned()) << (16 * (unit % 4))
    };
    std::array::from_fn(|word| (4 * word..4 * word + 4).map(lane).sum())
}

/// Unpacks the sum of all active rows.
fn unpack(sums: Packed) -> [i16; HIDDEN] {
    let offset = (OFFSET as usize * ACTIVE) as u16;
    std::array::from_fn(|unit| {
        let lane = (sums[unit / 4] >> (16 * (unit % 4))) as u16;
        lane.wrapping_sub(offset).cast_signed()
    })
}

impl AwaleNetwork {
    /// Number of the set of output weights for this many captured seeds of both players.
    #[inline]
    pub fn phase(captured: u32) -> usize {
        (captured as usize / 16).min(PHASES - 1)
    }

    /// Rounds weights to those of a network, and writes them as [`Self::from_bytes`] reads them:
    /// rows and bias with a hidden unit of 1 as unit, then output weights and bases of each phase
    /// in seeds.
    pub fn to_bytes(rows: &[f32], output: &[f32], base: &[f32]) -> Vec<u8> {
        let unit = rows.iter().map(|weight| weight.clamp(-MAX_ROW, MAX_ROW) * f32::from(ONE));
        let seed = (100 * OUTPUT) as f32;
        let output = output.iter().map(|weight| weight.clamp(-MAX_OUTPUT, MAX_OUTPUT) * seed);
        let base = base.iter().map(|weight| weight.clamp(-100.0, 100.0) * seed);
        let numbers = unit.chain(output).chain(base).map(|weight| weight.round() as i16);
        numbers.flat_map(i16::to_le_bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use pitmaster_games::coloured_awale::Both40;
    use pitmaster_games::{MoveList, Turn};
    use rand::Rng as _;

    use super::*;

    const RULES: ColouredAwale = ColouredAwale { both_40: Both40::Score };

    /// Positions of random games.
    fn positions() -> Vec<Position> {
        let (mut rng, mut list, mut all) = (Seed(1).stream("games"), MoveList::default(), vec![]);
        for _ in 0..20 {
            let mut position = RULES.start();
            while let Turn::Player(_) = RULES.turn(&position) {
                all.push(position.clone());
                RULES.moves(&position, &mut list);
                let at = (rng.next_u64() % list.moves.len() as u64) as usize;
                RULES.play(&mut position, &list.moves[at], &mut ());
            }
        }
        all
    }

    /// The board turned by a hole, with the players swapped.
    fn turned(position: &Position) -> Position {
        let text = RULES.position_text(position);
        let [holes, score, side]: [&str; 3] =
            text.split('/').collect::<Vec<_>>().try_into().expect("three parts");
        let mut holes: Vec<&str> = holes.split(',').collect();
        holes.rotate_right(1);
        let (one, two) = score.split_once('-').expect("two scores");
        let side = if side == "1" { 2 } else { 1 };
        let text = format!("{}/{two}-{one}/{side}", holes.join(","));
        RULES.parse_position(&text).expect("a position")
    }

    #[test]
    fn a_turned_board_has_the_same_value() {
        for position in positions() {
            let network = AwaleNetwork::built_in();
            let [value, other] =
                [&position, &turned(&position)].map(|position| network.value(RULES, position, 99));
            assert_eq!(value, other);
        }
    }

    #[test]
    fn every_position_has_as_many_features() {
        for position in positions() {
            let rows = AwaleNetwork::rows(RULES, &position, 400);
            assert_eq!(rows.len(), ACTIVE);
            assert!(rows.iter().all(|row| *row < ROWS));
        }
    }

    /// The sums in integers are those of the formula.
    #[test]
    fn the_value_is_the_sum_of_the_rows() {
        let network = AwaleNetwork::built_in();
        let lane = |row: &Packed, unit: usize| {
            f64::from((row[unit / 4] >> (16 * (unit % 4))) as u16) - f64::from(OFFSET)
        };
        for position in positions() {
            let rows = AwaleNetwork::rows(RULES, &position, 200);
            let score = RULES.score(&position);
            let phase = AwaleNetwork::phase(score.one + score.two);
            let mut value = f64::from(network.base[phase]);
            for unit in 0..HIDDEN {
                let sum: f64 = rows.iter().map(|row| lane(&network.rows[*row], unit)).sum();
                let sum = (sum + f64::from(network.bias[unit])) / f64::from(ONE);
                let part = if unit + 1 == HIDDEN { sum } else { sum.clamp(0.0, 1.0).powi(2) };
                value += part * f64::from(network.output[phase][unit]);
            }
            let exact = f64::from(network.value(RULES, &position, 200));
            assert!((value / f64::from(OUTPUT) - exact).abs() < 2.0, "{value} {exact}");
        }
    }

    /// The same on every platform.
    #[test]
    fn values_are_exact() {
        let network = AwaleNetwork::built_in();
        let values: Vec<i32> =
            positions().iter().step_by(200).map(|one| network.value(RULES, one, 300)).collect();
        assert_eq!(values, [-41, 1223, 261, -404, 669, 509, -482, 688, 573, -41]);
    }
}
