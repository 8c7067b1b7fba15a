//! Homogeneity test: whether an event, such as a forfeit, is equally frequent on all workers.
//!
//! Workers do not play the same games: one without Java never plays the bots in Java, and some bots
//! forfeit everywhere. So the comparison is stratified. A meeting of two bots that several workers
//! played is a stratum, and its pairs are the units. All other meetings of a bot are units of one
//! stratum, the bot's. The expectation for a worker is the sum over the strata of the expectation
//! if the same units had been dealt to the workers at random (Mantel and Haenszel 1959; for units
//! that are not binary Landis, Heyman and Koch 1978, with the variance of a sum under random
//! dealing). Games of a pair, or of a meeting on one worker, depend on each other, so they are
//! dealt together.

use std::collections::{BTreeMap, HashMap};

use pitmaster_core::Side;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Game, PairId};

/// Games grouped by the two bots and by place. Its size grows with the meetings, not with the
/// games.
#[derive(Debug, Clone, Default)]
pub struct Homogeneity {
    /// Number of pairs per unit type, by bot and opponent.
    pairs: BTreeMap<([u32; 2], Unit), u32>,
    /// Pairs with only one game so far: number of the bot's events there.
    halves: HashMap<([u32; 2], PairId, u32), u32>,
}

/// Games that go to a worker together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    place: u32,
    games: u32,
    /// Number of these games with an event of the bot.
    events: u32,
}

/// Deviation of one place from all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// Observed number of events.
    pub observed: u32,
    /// Expected number of events if they were as frequent there as elsewhere with the same bots.
    pub expected: f64,
    /// Standardized deviation from the expectation: the adjusted standardized Pearson residual of
    /// the chi-square test of homogeneity (Agresti, Categorical Data Analysis, 2.4.5; exactly that
    /// times √(1 - 1/units) if there is one stratum of single games). It is about standard normal
    /// if the places do not differ, so values beyond 3 indicate a problem. `None` if there is too
    /// little to compare: the criterion of Mantel and Fleiss (1980).
    pub residual: Option<f64>,
}

/// Comparison of all places.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviations {
    /// Deviations by place number.
    pub places: Vec<Deviation>,
    /// Chi-square test over all places that have a residual; `None` if none has.
    pub test: Option<ChiSquareTest>,
}

/// Chi-square test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquareTest {
    /// Test statistic.
    pub statistic: f64,
    /// Degrees of freedom.
    pub degrees: u32,
    /// Probability of a statistic at least as large if the places do not differ.
    pub p_value: f64,
}

/// Minimum room: by how much the number of units with an event at a place must be able to fall
/// below and exceed the expectation (Mantel and Fleiss 1980, American Journal of Epidemiology 112).
const LEAST_ROOM: f64 = 5.0;

impl Homogeneity {
    /// Adds a game that was played at a place. `did` returns whether a side had the event.
    pub fn add(&mut self, place: u32, game: &Game, did: impl Fn(Side) -> bool) {
        for side in Side::BOTH {
            let bots = [game.bots[side], game.bots[side.other()]];
            let (half, events) = ((bots, game.pair, place), u32::from(did(side)));
            match self.halves.remove(&half) {
                Some(first) => {
                    let unit = Unit { place, games: 2, events: first + events };
                    *self.pairs.entry((bots, unit)).or_default() += 1;
                }
                None => drop(self.halves.insert(half, events)),
            }
        }
    }

    /// Compares this many places.
    pub fn compare(&self, places: u32) -> Deviations {
        let mut sums = Sums::new(places as usize);
        self.strata().iter().for_each(|stratum| sums.add(stratum));
        sums.deviations()
    }

    /// Strata, each as units with their numbers.
    fn strata(&self) -> Vec<Vec<(Unit, u32)>> {
        let mut pairs = self.pairs.clone();
        for (&(bots, _, place), &events) in &self.halves {
            let unit = Unit { place, games: 1, events };
            *pairs.entry((bots, unit)).or_default() += 1;
        }
        let pairs: Vec<_> = pairs.into_iter().collect();
        let (mut strata, mut of_bots) = (Vec::new(), BTreeMap::<u32, Vec<_>>::new());
        for meeting in pairs.chunk_by(|a, b| a.0.0 == b.0.0) {
            let units: Vec<_> = meeting.iter().map(|&((_, unit), times)| (unit, times)).collect();
            let (([bot, _], first), _) = meeting[0];
            if units.iter().all(|(unit, _)| unit.place == first.place) {
                of_bots.entry(bot).or_default().push((together(&units), 1));
            } else {
                strata.push(units);
            }
        }
        strata.extend(of_bots.into_values());
        strata
    }
}

/// Combines units of the same place into one.
fn together(units: &[(Unit, u32)]) -> Unit {
    let sum = |of: fn(&Unit) -> u32| units.iter().map(|(unit, times)| of(unit) * times).sum();
    Unit { place: units[0].0.place, games: sum(|u| u.games), events: sum(|u| u.events) }
}

/// Sums over strata.
struct Sums {
    observed: Vec<u32>,
    expected: Vec<f64>,
    /// Covariance of the observed numbers, by two places.
    covariance: Vec<Vec<f64>>,
    /// Room of each place: how far the number of units with an event could have been below the
    /// expectation, and above.
    room: Vec<[f64; 2]>,
}

/// Share of one place in a stratum.
#[derive(Clone, Copy, Default)]
struct Part {
    units: f64,
    games: f64,
    events: u32,
}

impl Sums {
    fn new(places: usize) -> Self {
        Self {
            observed: vec![0; places],
            expected: vec![0.0; places],
            covariance: vec![vec![0.0; places]; places],
            room: vec![[0.0; 2]; places],
        }
    }

    fn add(&mut self, stratum: &[(Unit, u32)]) {
        let mut parts = BTreeMap::<usize, Part>::new();
        let mut eventful = 0.0;
        for (unit, times) in stratum {
            let part = parts.entry(unit.place as usize).or_default();
            part.units += f64::from(*times);
            part.games += f64::from(unit.games * times);
            part.events += unit.events * times;
            eventful += if unit.events > 0 { f64::from(*times) } else { 0.0 };
        }
        let games: f64 = parts.values().map(|part| part.games).sum();
        let units: f64 = parts.values().map(|part| part.units).sum();
        let rate = f64::from(parts.values().map(|part| part.events).sum::<u32>()) / games;
        for (&place, part) in &parts {
            self.observed[place] += part.events;
            self.expected[place] += part.games * rate;
            let expected = eventful * part.units / units;
            let (least, most) =
                ((eventful + part.units - units).max(0.0), eventful.min(part.units));
            let room = &mut self.room[place];
            *room = [room[0] + expected - least, room[1] + most - expected];
        }
        self.vary(&parts, units, variance(stratum, rate));
    }

    /// Adds the covariances of sums over units that are dealt at random without replacement.
    fn vary(&mut self, parts: &BTreeMap<usize, Part>, units: f64, variance: f64) {
        for (&place, part) in parts {
            for (&other, others) in parts {
                let left = if place == other { units } else { 0.0 } - others.units;
                self.covariance[place][other] += part.units * left / units * variance;
            }
        }
    }

    fn deviations(&self) -> Deviations {
        let place = |place: usize| Deviation {
            observed: self.observed[place],
            expected: self.expected[place],
            residual: self.has_enough_data(place).then(|| self.excess(place) / self.error(place)),
        };
        Deviations { places: (0..self.observed.len()).map(place).collect(), test: self.test() }
    }

    fn has_enough_data(&self, place: usize) -> bool {
        self.room[place].iter().all(|room| *room >= LEAST_ROOM) && self.error(place) > 0.0
    }

    fn excess(&self, place: usize) -> f64 {
        f64::from(self.observed[place]) - self.expected[place]
    }

    fn error(&self, place: usize) -> f64 {
        self.covariance[place][place].max(0.0).sqrt()
    }

    /// Statistic d'V⁻d over the places with enough data, where d is the deviation from the
    /// expectation and V its covariance. V is singular, because the deviations sum to zero.
    fn test(&self) -> Option<ChiSquareTest> {
        let places: Vec<_> =
            (0..self.observed.len()).filter(|place| self.has_enough_data(*place)).collect();
        let row = |&place: &usize| places.iter().map(move |&at| self.covariance[place][at]);
        let matrix = places.iter().map(|place| row(place).collect()).collect();
        let excess = places.iter().map(|&place| self.excess(place)).collect();
        let (statistic, degrees) = quadratic_form(matrix, excess);
        let law = ChiSquared::new(f64::from(degrees)).ok().filter(|_| degrees > 0)?;
        Some(ChiSquareTest { statistic, degrees, p_value: law.sf(statistic) })
    }
}

/// Sample variance of a unit around its expectation at this rate.
fn variance(stratum: &[(Unit, u32)], rate: f64) -> f64 {
    let units: u32 = stratum.iter().map(|(_, times)| times).sum();
    let beyond = |unit: &Unit| f64::from(unit.events) - f64::from(unit.games) * rate;
    let squares = stratum.iter().map(|(unit, times)| f64::from(*times) * beyond(unit).powi(2));
    if units > 1 { squares.sum::<f64>() / f64::from(units - 1) } else { 0.0 }
}

/// Factor relative to the largest value below which a value is a rounding error of zero.
const ZERO: f64 = 1e-9;

/// Computes x'A⁻x for a positive semidefinite matrix whose range contains x, and the rank of A, by
/// elimination with the largest remaining pivot.
fn quadratic_form(mut a: Vec<Vec<f64>>, mut x: Vec<f64>) -> (f64, u32) {
    let largest = (0..x.len()).map(|at| a[at][at]).fold(0.0, f64::max);
    let (mut form, mut rank) = (0.0, 0);
    let mut left: Vec<usize> = (0..x.len()).collect();
    while let Some(at) = (0..left.len()).max_by(|&i, &j| {
        let diagonal = |at: usize| a[left[at]][left[at]];
        diagonal(i).total_cmp(&diagonal(j))
    }) {
        let pivot = left.swap_remove(at);
        let size = a[pivot][pivot];
        if size <= largest * ZERO {
            break;
        }
        form += x[pivot].powi(2) / size;
        rank += 1;
        let (row, value) = (a[pivot].clone(), x[pivot]);
        for &other in &left {
            let factor = row[other] / size;
            x[other] -= factor * value;
            for &column in &left {
                a[other][column] -= factor * row[column];
            }
        }
    }
    (form, rank)
}

#[cfg(test)]
mod tests;
