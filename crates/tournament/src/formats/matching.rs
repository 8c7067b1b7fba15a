//! Swiss pairing by minimum-cost matching.
//!
//! The field is divided from the top into windows: a score group, or a part of one that is too
//! large. A window is matched by the blossom algorithm (Edmonds 1965; the crate integer-blossom).
//! If a window cannot be matched without a rematch, it is widened: first downwards, at the end of
//! the field upwards, and finally to the whole field. So a rematch occurs only if no pairing of the
//! whole field avoids it.
//!
//! Within a window, costs have this priority: rematches, squared score differences, then the
//! distance from the pairing of the upper half of a score group with the lower half, the first with
//! the first (as in the Dutch system).

use integer_blossom::min_weight_perfect_matching;

/// Maximum number of bots of a score group that are matched at once, unless more are required: the
/// algorithm takes cubic time.
const WINDOW: usize = 64;

/// Cost of a rematch, for each earlier meeting.
const REMATCH: i128 = 1 << 100;
/// Cost of a score difference of one, squared.
const LEVEL: i128 = 1 << 40;

/// Field to be paired.
pub(super) struct Field<'a> {
    /// Bots to be paired, an even number of them, in order; equal scores together.
    pub(super) order: &'a [usize],
    /// Score level of each bot: 0 for the highest, 1 for the next one, and so on.
    pub(super) level: &'a [u32],
    /// Number of earlier meetings of two bots.
    pub(super) met: &'a dyn Fn(usize, usize) -> u32,
}

/// Pairs the bots from the top. The first of a pair is ranked higher.
pub(super) fn pair_field(field: &Field<'_>) -> Vec<[usize; 2]> {
    let mut settled: Vec<Vec<[usize; 2]>> = Vec::new();
    let mut window: Vec<usize> = Vec::new();
    let units = units(field);
    for (number, unit) in units.iter().enumerate() {
        window.extend(unit);
        let is_last = number + 1 == units.len();
        if let Some((pairs, left)) = field.try_window(&window, is_last) {
            settled.push(pairs);
            window = left;
        }
    }
    while !window.is_empty() {
        // Bots left at the end cannot be paired without a rematch: they need partners from above.
        let Some(above) = settled.pop() else {
            settled.push(field.match_all(&window));
            break;
        };
        window.extend(above.into_iter().flatten());
        field.sort(&mut window);
        if let Some((pairs, _)) = field.try_window(&window, true) {
            settled.push(pairs);
            window.clear();
        }
    }
    let mut pairs: Vec<_> = settled.into_iter().flatten().collect();
    let place = field.places();
    pairs.sort_by_key(|pair| place[pair[0]].min(place[pair[1]]));
    pairs
}

/// Score groups from the top, large ones in parts. Each part contains a section of the upper half
/// and the same section of the lower half.
fn units(field: &Field<'_>) -> Vec<Vec<usize>> {
    let same = |a: &usize, b: &usize| field.level[*a] == field.level[*b];
    let mut units = Vec::new();
    for group in field.order.chunk_by(same) {
        let (upper, lower) = group.split_at(group.len() / 2);
        let parts = group.len().div_ceil(WINDOW);
        for part in 0..parts {
            let stretch = |half: &[usize]| {
                let at = |part: usize| half.len() * part / parts;
                half[at(part)..at(part + 1)].to_vec()
            };
            units.push([stretch(upper), stretch(lower)].concat());
        }
    }
    units
}

impl Field<'_> {
    /// Pairs without a rematch, and the bots left over: none, or one of an odd number.
    fn try_window(&self, window: &[usize], is_last: bool) -> Option<(Vec<[usize; 2]>, Vec<usize>)> {
        let odd = window.len() % 2 == 1;
        debug_assert!(!(odd && is_last), "the field is even");
        let mate = self.matching(window, odd);
        let mut pairs = Vec::new();
        let mut left = Vec::new();
        for (a, &b) in mate.iter().enumerate().take(window.len()) {
            if b == window.len() {
                left.push(window[a]);
            } else if a < b {
                pairs.push([window[a], window[b]]);
            }
        }
        let rematch = pairs.iter().any(|&[a, b]| (self.met)(a, b) > 0);
        (!rematch).then_some((pairs, left))
    }

    /// Pairs with as many rematches as necessary.
    fn match_all(&self, window: &[usize]) -> Vec<[usize; 2]> {
        let mate = self.matching(window, false);
        let pair = |(a, &b): (usize, &usize)| (a < b).then(|| [window[a], window[b]]);
        mate.iter().enumerate().filter_map(pair).collect()
    }

    /// Mates by index in the window. In a window of odd size, one bot has the index after the last
    /// as its mate, preferably a low-ranked one.
    fn matching(&self, window: &[usize], odd: bool) -> Vec<usize> {
        let n = window.len() + usize::from(odd);
        let groups = self.groups(window);
        let mut cost = vec![0; n * n];
        for a in 0..window.len() {
            for b in a + 1..window.len() {
                cost[a * n + b] = self.cost([window[a], window[b]], [groups[a], groups[b]], b - a);
            }
            if odd {
                let down = (window.len() - 1 - a) as i128;
                cost[a * n + n - 1] = LEVEL * down + down;
            }
        }
        min_weight_perfect_matching(&cost, n)
    }

    /// Index of each bot in a window among those with its score, and their number.
    fn groups(&self, window: &[usize]) -> Vec<(usize, usize)> {
        let level = |bot: &usize| self.level[*bot];
        let mut seen = std::collections::HashMap::new();
        let mut place = |bot| {
            let count = seen.entry(level(bot)).or_insert(0);
            *count += 1;
            *count - 1
        };
        let places: Vec<usize> = window.iter().map(&mut place).collect();
        window.iter().zip(places).map(|(bot, place)| (place, seen[&level(bot)])).collect()
    }

    fn cost(
        &self,
        [a, b]: [usize; 2],
        [group_a, group_b]: [(usize, usize); 2],
        apart: usize,
    ) -> i128 {
        let levels = i128::from(self.level[a].abs_diff(self.level[b]));
        let off = if levels == 0 { (group_b.0 - group_a.0).abs_diff(group_a.1 / 2) } else { apart };
        let met = i128::from((self.met)(a, b));
        REMATCH * met + LEVEL * levels * levels + (off as i128) * (off as i128)
    }

    /// Index of each bot in the order.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![usize::MAX; self.level.len()];
        for (place, &bot) in self.order.iter().enumerate() {
            places[bot] = place;
        }
        places
    }

    fn sort(&self, window: &mut [usize]) {
        let places = self.places();
        window.sort_unstable_by_key(|&bot| places[bot]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn pair(levels: &[u32], met: &HashSet<[usize; 2]>) -> Vec<[usize; 2]> {
        let order: Vec<usize> = (0..levels.len()).collect();
        let met = |a: usize, b: usize| u32::from(met.contains(&[a.min(b), a.max(b)]));
        pair_field(&Field { order: &order, level: levels, met: &met })
    }

    #[test]
    fn the_upper_half_of_a_score_group_meets_the_lower_half() {
        assert_eq!(pair(&[0; 6], &HashSet::new()), [[0, 3], [1, 4], [2, 5]]);
        let big = pair(&[0; 200], &HashSet::new());
        assert!(big.iter().enumerate().all(|(at, &pair)| pair == [at, at + 100]), "{big:?}");
    }

    #[test]
    fn the_lowest_of_an_odd_group_meets_the_next_group() {
        assert_eq!(pair(&[0, 0, 0, 1, 1, 1], &HashSet::new()), [[0, 1], [2, 3], [4, 5]]);
    }

    #[test]
    fn who_has_met_does_not_meet_again() {
        let met = HashSet::from([[0, 2], [1, 3]]);
        assert_eq!(pair(&[0; 4], &met), [[0, 1], [2, 3]]);
    }

    #[test]
    fn the_end_of_the_field_takes_partners_from_above() {
        // The last two have met, so the window above them must be reopened.
        let met = HashSet::from([[4, 5], [3, 4], [3, 5], [2, 4], [2, 5]]);
        let pairs = pair(&[0, 0, 1, 1, 2, 2], &met);
        assert!(pairs.iter().all(|pair| !met.contains(pair)), "{pairs:?}");
    }

    #[test]
    fn a_rematch_comes_only_where_nothing_else_is_left() {
        let met: HashSet<_> = (1..4).map(|other| [0, other]).collect();
        let pairs = pair(&[0; 4], &met);
        let again = pairs.iter().filter(|pair| met.contains(*pair)).count();
        assert_eq!((pairs.len(), again), (2, 1));
    }

    /// Whether all bots can be paired without a rematch, by exhaustive search.
    fn can_do_without(left: &[usize], met: &HashSet<[usize; 2]>) -> bool {
        let [first, others @ ..] = left else { return true };
        others.iter().any(|&other| {
            let rest: Vec<_> = others.iter().copied().filter(|&bot| bot != other).collect();
            !met.contains(&[*first, other]) && can_do_without(&rest, met)
        })
    }

    proptest! {
        #[test]
        fn no_rematch_while_it_can_be_avoided(
            half in 1_usize..6,
            steps in proptest::collection::vec(0_u32..2, 10),
            met in proptest::collection::vec(any::<bool>(), 45),
        ) {
            let n = half * 2;
            let mut level = 0;
            let levels: Vec<u32> = steps.iter().take(n).map(|step| { level += step; level }).collect();
            let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
            let met: HashSet<_> = all.zip(&met).filter(|(_, met)| **met).map(|(pair, _)| pair).collect();
            let pairs = pair(&levels, &met);
            let bots: HashSet<_> = pairs.iter().flatten().copied().collect();
            prop_assert_eq!((pairs.len(), bots.len()), (half, n));
            let again = pairs.iter().any(|pair| met.contains(pair));
            let everybody: Vec<_> = (0..n).collect();
            prop_assert_eq!(again, !can_do_without(&everybody, &met));
        }
    }
}
