//! Random effects: finite ratings, marks, and shrinkage.

use super::*;

#[test]
fn every_rating_is_finite_and_a_mark_says_what_the_games_alone_bound() {
    // Bot 3 won everything, bot 4 lost everything, and bots 5 and 6 only met each other.
    let list = [
        (0, 1, 'w'),
        (1, 0, 'w'),
        (1, 2, 'w'),
        (2, 1, 'w'),
        (3, 0, 'w'),
        (0, 3, 'l'),
        (4, 2, 'l'),
        (2, 4, 'w'),
        (5, 6, 'w'),
        (6, 5, 'l'),
    ];
    let ratings = fit(7, &games(&list), &Model::default());
    let all: Vec<_> = ratings.bots.iter().flatten().collect();
    assert_eq!(all.len(), 7);
    for rating in &all {
        let (low, high) = (rating.low.unwrap(), rating.high.unwrap());
        assert!(low < rating.elo && rating.elo < high && high - low < 2500.0, "{rating:?}");
    }
    let bounds: Vec<_> = all.iter().map(|rating| rating.bound).collect();
    let both = Bound::Both;
    assert_eq!(bounds[..5], [both, both, both, Bound::Above, Bound::Below]);
    assert_eq!(ratings.groups, 2);
    assert!(all[3].elo > all[0].elo && all[4].elo < all[2].elo && all[5].elo > all[6].elo);
    // The best bot's lower end is closer than its upper end.
    assert!(all[3].high.unwrap() - all[3].elo > all[3].elo - all[3].low.unwrap());
}

#[test]
fn many_games_outweigh_the_population() {
    let rating = |pairs: u32, model: &Model| {
        let won = |n| (0..n).flat_map(|_| [(0, 1, 'w'), (1, 0, 'l')]);
        let lost = |n| (0..n).flat_map(|_| [(0, 1, 'l'), (1, 0, 'w')]);
        let list: Vec<_> = won(3 * pairs).chain(lost(pairs)).collect();
        fit(2, &games(&list), model).of(0).unwrap().elo
    };
    let both = |pairs: u32| {
        [Model::default(), Model::maximum_likelihood()].map(|model| rating(pairs, &model))
    };
    let [random, likely] = both(1000);
    assert!((random - likely).abs() < 1.0, "{random} {likely}");
    let [random, likely] = both(1);
    assert!(random > 1500.0 && random < likely - 5.0, "{random} {likely}");
}

#[test]
fn anchors_hold_in_a_population() {
    let list = [(0, 1, 'w'), (1, 0, 'l'), (2, 1, 'w'), (1, 2, 'l')];
    let anchors = vec![Anchor { bot: 1, elo: 900.0 }];
    let ratings = fit(3, &games(&list), &Model { anchors, ..Model::default() });
    let anchor = ratings.of(1).unwrap();
    assert!((anchor.elo - 900.0).abs() < 1e-9, "{anchor:?}");
    assert_eq!((anchor.low, anchor.high), (Some(anchor.elo), Some(anchor.elo)));
    assert!(elo(&ratings, 0) > 950.0 && (elo(&ratings, 0) - elo(&ratings, 2)).abs() < 1e-6);
}

/// The estimated spread is about that of the drawn strengths.
#[test]
fn a_population_is_as_wide_as_its_games_say() {
    let spread = |odds: usize| {
        let meetings = (0..8_u32).flat_map(|b| (0..b).map(move |a| (a, b)));
        let list: Vec<_> = meetings
            .flat_map(|(a, b)| (0..40).map(move |n| (b, a, if n % 10 < odds { 'w' } else { 'l' })))
            .collect();
        let ratings = fit(8, &games(&list), &Model::default());
        elo(&ratings, 7) - elo(&ratings, 0)
    };
    assert!(spread(9) > 2.0 * spread(6) && spread(5).abs() < 60.0);
}

/// Thirty anchors with a deviation of 100 determine the width of the population, even with few
/// estimated members.
#[test]
fn anchors_are_members_of_their_population() {
    let deviation =
        |bot: u32| 100.0 * Normal::standard().inverse_cdf((f64::from(bot) + 0.5) / 30.0);
    let anchors = (0..30).map(|bot| Anchor { bot, elo: 1500.0 + deviation(bot) }).collect();
    let model = Model { anchors, ..Model::default() };
    let ratings = fit(31, &games(&[(30, 14, 'w'), (15, 30, 'l')]), &model);
    let rating = ratings.of(30).unwrap();
    assert!((1500.0..1650.0).contains(&rating.elo), "{rating:?}");
    assert!(rating.high.unwrap() - rating.low.unwrap() < 800.0, "{rating:?}");
}

/// Two bots that only met each other: their ratings are opposite, so that the error of the
/// difference is the sum of their errors.
#[test]
fn the_errors_of_two_bots_add_up() {
    let list = [(0, 1, 'w'), (1, 0, 'l'), (0, 1, 'w'), (1, 0, 'l')];
    let ratings = fit(2, &games(&list), &Model::default());
    let [winner, loser] = [0, 1].map(|bot| ratings.of(bot).unwrap());
    let half_width = winner.elo - winner.low.unwrap() + loser.high.unwrap() - loser.elo;
    let expected = Normal::standard().cdf((winner.elo - loser.elo) / half_width * z());
    let superiority = ratings.superiority(0, 1).unwrap();
    assert!((superiority - expected).abs() < 1e-6, "{superiority} {expected}");
}

#[test]
fn little_is_rated_without_a_panic() {
    assert!(fit(0, &[], &Model::default()).bots.is_empty());
    assert_eq!(fit(3, &[], &Model::default()).bots, [None; 3]);
    let draws = vec![(0, 1, 'd'); 40];
    let equal = fit(2, &games(&draws), &Model::default());
    assert!((elo(&equal, 0) - elo(&equal, 1)).abs() < 1e-6);
    let one = fit(2, &games(&[(0, 1, 'w')]), &Model::default());
    let [winner, loser] = [0, 1].map(|bot| one.of(bot).unwrap());
    assert!(winner.elo > loser.elo && winner.bound == Bound::Above && loser.bound == Bound::Below);
}
