//! Network that evaluates positions of a game, in integers. The module does not know what a feature
//! means.
//!
//! Each feature adds a row of weights to the hidden units. The output sums the squares of the
//! units, clamped between 0 and 1, with weights that depend on how many seeds are on the board; one
//! unit is linear. All sums are exact, so that a position has the same value on every machine.

use std::fmt;

/// Number of hidden units; the last one is linear.
const HIDDEN: usize = 16;
/// A hidden unit of 1. Its square is the largest that a number of 16 bits holds.
const ONE: i16 = 181;
/// Number of sets of output weights.
const PHASES: usize = 6;
/// Output weight of one hundredth of a seed.
const OUTPUT: i32 = 2;
/// Added to every weight of a row, so that sums are never negative and do not carry into the next
/// unit.
const OFFSET: i16 = 327;
/// Largest weights for which no sum overflows.
const MAX_ROW: f32 = 1.8;
const MAX_OUTPUT: f32 = 16.0;

/// Weights of a row, four in a word, each with [`OFFSET`] added. Rows are added word by word, which
/// every compiler optimizes.
type Packed = [u64; HIDDEN / 4];

/// Weights of a network with `ROWS` rows, of which `ACTIVE` are active in each position.
pub struct Network<const ROWS: usize, const ACTIVE: usize> {
    rows: Box<[Packed; ROWS]>,
    bias: [i16; HIDDEN],
    output: [[i16; HIDDEN]; PHASES],
    base: [i16; PHASES],
}

impl<const ROWS: usize, const ACTIVE: usize> fmt::Debug for Network<ROWS, ACTIVE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

const _: () = assert!(MAX_ROW * (ONE as f32) < OFFSET as f32 - 0.5);
const _: () = assert!(
    (ONE as f64) * (ONE as f64) * (100.0 * OUTPUT as f64 * MAX_OUTPUT as f64) * 15.0
        < i32::MAX as f64 * 0.8
);

impl<const ROWS: usize, const ACTIVE: usize> Network<ROWS, ACTIVE> {
    /// Number of rows of the first layer.
    pub const ROWS: usize = ROWS;
    /// Number of hidden units; the last one is linear.
    pub const HIDDEN: usize = HIDDEN;
    /// Number of sets of output weights.
    pub const PHASES: usize = PHASES;
    /// Largest weights of the first layer and of the output, for which no sum overflows.
    pub const LARGEST: [f32; 2] = [MAX_ROW, MAX_OUTPUT];

    /// Bytes of a network.
    const BYTES: usize = {
        assert!(2 * OFFSET as usize * ACTIVE <= u16::MAX as usize);
        2 * (HIDDEN * (ROWS + 1) + (HIDDEN + 1) * PHASES)
    };

    /// Reads a network.
    ///
    /// # Panics
    /// Panics if the bytes are not those of a network of this form.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), Self::BYTES, "this network has {} bytes", Self::BYTES);
        let (pairs, _) = bytes.as_chunks();
        let mut numbers = pairs.iter().map(|pair| i16::from_le_bytes(*pair));
        let mut next = || numbers.next().unwrap_or_default();
        let mut row = || std::array::from_fn(|_| next());
        let rows: Vec<Packed> = std::iter::repeat_with(|| pack(row())).take(ROWS).collect();
        let rows = rows.try_into().unwrap_or_else(|_| unreachable!("there are that many rows"));
        let (bias, output) = (row(), std::array::from_fn(|_| row()));
        Self { rows, bias, output, base: std::array::from_fn(|_| next()) }
    }

    /// Begins the value of a position.
    #[inline]
    pub(super) fn sums(&self) -> Sums<'_, ROWS, ACTIVE> {
        Sums { network: self, sums: [0; HIDDEN / 4] }
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
fn unpack<const ACTIVE: usize>(sums: Packed) -> [i16; HIDDEN] {
    let offset = (OFFSET as usize * ACTIVE) as u16;
    std::array::from_fn(|unit| {
        let lane = (sums[unit / 4] >> (16 * (unit % 4))) as u16;
        lane.wrapping_sub(offset).cast_signed()
    })
}

impl<const ROWS: usize, const ACTIVE: usize> Network<ROWS, ACTIVE> {
    /// Rounds weights to those of a network, and writes them as [`Self::from_bytes`] reads them:
    /// rows and bias in units of a hidden unit of 1, then output weights and bases of each phase in
    /// seeds.
    pub fn to_bytes(rows: &[f32], output: &[f32], base: &[f32]) -> Vec<u8> {
        let unit = rows.iter().map(|weight| weight.clamp(-MAX_ROW, MAX_ROW) * f32::from(ONE));
        let seed = (100 * OUTPUT) as f32;
        let output = output.iter().map(|weight| weight.clamp(-MAX_OUTPUT, MAX_OUTPUT) * seed);
        let base = base.iter().map(|weight| weight.clamp(-100.0, 100.0) * seed);
        let numbers = unit.chain(output).chain(base).map(|weight| weight.round() as i16);
        numbers.flat_map(i16::to_le_bytes).collect()
    }
}

/// Sums of the rows of a position.
pub(super) struct Sums<'n, const ROWS: usize, const ACTIVE: usize> {
    network: &'n Network<ROWS, ACTIVE>,
    sums: Packed,
}

impl<const ROWS: usize, const ACTIVE: usize> Sums<'_, ROWS, ACTIVE> {
    /// Adds an active row.
    #[inline]
    pub(super) fn add(&mut self, row: usize) {
        let row = &self.network.rows[row];
        for (sum, weight) in self.sums.iter_mut().zip(row) {
            *sum += weight;
        }
    }

    /// Value after all active rows, with the output weights of a phase, in hundredths of a seed.
    #[inline]
    pub(super) fn value(self, phase: usize) -> i32 {
        self.network.output(unpack::<ACTIVE>(self.sums), phase)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use rand::Rng as _;

    use super::*;

    const ROWS: usize = 20;
    const ACTIVE: usize = 9;

    /// The integer sums equal the formula.
    #[test]
    fn the_value_is_the_sum_of_the_rows() {
        let mut rng = Seed(1).stream("network");
        let mut weights = |count: usize, largest: f32| -> Vec<f32> {
            let one = |_| ((rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0) * largest;
            (0..count).map(one).collect()
        };
        let rows = weights((ROWS + 1) * HIDDEN, 0.4);
        let (output, base) = (weights(PHASES * HIDDEN, MAX_OUTPUT), weights(PHASES, 10.0));
        let bytes = Network::<ROWS, ACTIVE>::to_bytes(&rows, &output, &base);
        let network = Network::<ROWS, ACTIVE>::from_bytes(&bytes);
        for case in 0..200 {
            let phase = case % PHASES;
            let active = [(); ACTIVE].map(|()| (rng.next_u64() % ROWS as u64) as usize);
            let mut sums = network.sums();
            let mut value = f64::from(base[phase]);
            for row in active {
                sums.add(row);
            }
            for unit in 0..HIDDEN {
                let weight = |row: usize| f64::from(rows[row * HIDDEN + unit]);
                let sum: f64 = active.iter().chain([&ROWS]).map(|row| weight(*row)).sum();
                let part = if unit + 1 == HIDDEN { sum } else { sum.clamp(0.0, 1.0).powi(2) };
                value += part * f64::from(output[phase * HIDDEN + unit]);
            }
            // Weights are rounded to 181st parts.
            let error = 100.0 * value - f64::from(sums.value(phase));
            assert!(error.abs() < 250.0, "{value} differs by {error} hundredths");
        }
    }
}
