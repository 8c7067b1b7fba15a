//! Maximum likelihood computed by hand, with given parameters and excluded games.

use super::*;

#[test]
fn three_wins_to_one_are_their_odds() {
    let list = [(0, 1, 'w'), (1, 0, 'l'), (0, 1, 'w'), (1, 0, 'w')];
    let ratings = fit(
        2,
        &games(&list),
        &Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() },
    );
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((difference - 400.0 * 3.0_f64.log10()).abs() < 1e-6, "{difference}");
    assert!((elo(&ratings, 0) + elo(&ratings, 1) - 3000.0).abs() < 1e-6);
}

#[test]
fn davidson_has_its_closed_form() {
    // Of two bots with W wins, D draws and L losses: odds W : L, ν = D / √(W L).
    let list = [vec![(0, 1, 'w'); 8], vec![(0, 1, 'd'); 6], vec![(0, 1, 'l'); 2]].concat();
    let model = Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() };
    let ratings = fit(2, &games(&list), &model);
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((difference - 400.0 * 4.0_f64.log10()).abs() < 0.1, "{difference}");
    let nu = 6.0 / 16.0_f64.sqrt();
    assert!((ratings.draw_rate - nu / (2.0 + nu)).abs() < 0.001);
}

#[test]
fn the_first_move_is_told_from_strength() {
    // Equals; player 1 wins three games in four.
    let half = |one, two| [vec![(one, two, 'w'); 30], vec![(one, two, 'l'); 10]].concat();
    let ratings = fit(2, &games(&[half(0, 1), half(1, 0)].concat()), &Model::maximum_likelihood());
    assert!((elo(&ratings, 0) - 1500.0).abs() < 1e-6);
    assert!((ratings.first_move.value - 400.0 * 3.0_f64.log10()).abs() < 3.0);
}

#[test]
fn when_player_1_always_wins_everything_stays_finite() {
    let ratings = fit(2, &games(&[(0, 1, 'w'), (1, 0, 'w')]), &Model::maximum_likelihood());
    let first = ratings.of(0).unwrap();
    assert!((first.elo - 1500.0).abs() < 1e-6);
    assert_eq!(first.bound, Bound::Both);
    assert!(ratings.first_move.value > 100.0);
}

#[test]
fn perfect_scores_are_bounded_where_such_a_row_has_a_chance_of_one_half() {
    let ratings = fit(2, &games(&[(0, 1, 'w'); 3]), &Model::maximum_likelihood());
    let [first, second] = [0, 1].map(|bot| *ratings.of(bot).unwrap());
    let chance = 0.5_f64.powf(1.0 / 3.0);
    let expected = 400.0 * (chance / (1.0 - chance)).log10();
    assert!((first.elo - second.elo - expected).abs() < 1e-6);
    assert!((first.elo + second.elo - 3000.0).abs() < 1e-6);
    assert_eq!((first.bound, first.high), (Bound::Above, None));
    assert_eq!((second.bound, second.low), (Bound::Below, None));
    assert!(first.low.unwrap() < first.elo && second.high.unwrap() > second.elo);
}

#[test]
fn a_chain_is_peeled_again_and_again() {
    let list = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let list: Vec<_> = list.iter().flat_map(|&(a, b)| [(a, b, 'w'), (b, a, 'l')]).collect();
    let ratings = fit(5, &games(&list), &Model::maximum_likelihood());
    let bounds: Vec<_> = ratings.bots.iter().map(|rating| rating.unwrap().bound.mark()).collect();
    assert_eq!(bounds, [">", ">", "", "<", "<"]);
    assert!((0..4).all(|bot| elo(&ratings, bot) > elo(&ratings, bot + 1) + 100.0));
    assert!((elo(&ratings, 2) - 1500.0).abs() < 1e-6);
}

#[test]
fn a_block_that_beat_everybody_is_bounded_as_one() {
    let within = [(0, 1, 'w'), (1, 0, 'w'), (2, 3, 'w'), (3, 4, 'w'), (4, 2, 'w')];
    let across = [(0, 2, 'w'), (1, 3, 'w')];
    let ratings = fit(5, &games(&[&within[..], &across].concat()), &Model::maximum_likelihood());
    let bounds: Vec<_> = ratings.bots.iter().map(|rating| rating.unwrap().bound.mark()).collect();
    assert_eq!(bounds, [">", ">", "", "", ""]);
}

#[test]
fn groups_that_never_met_are_centred_apart() {
    let list = [(0, 1, 'w'), (1, 0, 'w'), (2, 3, 'd'), (2, 3, 'w')];
    let ratings = fit(5, &games(&list), &Model::maximum_likelihood());
    assert_eq!(ratings.groups, 2);
    assert_eq!(ratings.of(3).unwrap().group, 1);
    for (a, b) in [(0, 1), (2, 3)] {
        assert!((elo(&ratings, a) + elo(&ratings, b) - 3000.0).abs() < 1e-6);
    }
    assert_eq!(ratings.of(4), None);
}

#[test]
fn several_anchors_hold() {
    let anchors = vec![Anchor { bot: 0, elo: 1800.0 }, Anchor { bot: 2, elo: 1200.0 }];
    let list = [(0, 1, 'w'), (1, 2, 'w'), (1, 0, 'l'), (2, 1, 'l')];
    let ratings = fit(3, &games(&list), &Model { anchors, ..Model::maximum_likelihood() });
    assert!((elo(&ratings, 0) - 1800.0).abs() < 1e-9);
    assert!((elo(&ratings, 1) - 1500.0).abs() < 1e-6);
    let between = ratings.of(1).unwrap();
    assert_eq!(between.bound, Bound::Both);
    assert!(between.low.unwrap() < 1400.0 && between.high.unwrap() > 1600.0);
    assert_eq!(ratings.of(2).unwrap().low, Some(1200.0));
}

#[test]
fn games_that_both_forfeited_change_nothing() {
    let list = [(0, 1, 'w'), (1, 0, 'w'), (0, 1, 'd')];
    let with = [&list[..], &[(0, 1, '-'), (0, 2, '-')]].concat();
    let (without, with) = (
        fit(3, &games(&list), &Model::maximum_likelihood()),
        fit(3, &games(&with), &Model::maximum_likelihood()),
    );
    assert_eq!(without.bots, with.bots);
    assert_eq!(with.of(2), None);
}

#[test]
fn repeated_pairs_narrow_no_interval() {
    let pairs = |times: u32, moves: &dyn Fn(u32) -> u64| -> Vec<Game> {
        let pair = |n: u32| {
            let mark = |lost| if n % 6 == lost { 'l' } else { 'w' };
            let [one, two] = [mark(0), mark(1)];
            let turned = if two == 'w' { 'l' } else { 'w' };
            [game(0, 1, one, n, moves(n)), game(1, 0, turned, n, moves(n) + 1000)]
        };
        (0..12 * times).flat_map(pair).collect()
    };
    let width = |games: &[Game]| {
        let rating = fit(2, games, &Model::maximum_likelihood()).bots[0].unwrap();
        rating.high.unwrap() - rating.low.unwrap()
    };
    let once = width(&pairs(1, &u64::from));
    let repeated = width(&pairs(9, &|n| u64::from(n % 12)));
    let fresh = width(&pairs(9, &u64::from));
    assert!((repeated / once - 1.0).abs() < 0.01, "{repeated} {once}");
    assert!(fresh < once / 2.5, "{fresh} {once}");
}

#[test]
fn a_prior_of_virtual_games_rates_perfect_scores_too() {
    let method = Method::MaximumLikelihood { prior: 2.0, intervals: Intervals::Information };
    let model = Model { method, ..Model::default() };
    let ratings = fit(2, &games(&[(0, 1, 'w'), (1, 0, 'l')]), &model);
    let first = ratings.of(0).unwrap();
    assert_eq!(first.bound, Bound::Both);
    assert!(first.elo > 1550.0 && first.elo < 1800.0, "{first:?}");
}

#[test]
fn a_rate_of_draws_can_be_given() {
    let list = [vec![(0, 1, 'w'); 8], vec![(0, 1, 'd'); 6], vec![(0, 1, 'l'); 2]].concat();
    let given = |rate| {
        let draws = Draws::Davidson { between_equals: Some(rate) };
        fit(2, &games(&list), &Model { draws, ..Model::maximum_likelihood() })
    };
    assert!((given(0.2).draw_rate - 0.2).abs() < 1e-12);
    let estimated = fit(2, &games(&list), &Model::maximum_likelihood());
    let same = given(estimated.draw_rate);
    assert!((elo(&same, 0) - elo(&estimated, 0)).abs() < 1e-6);
    // Without draws the model counts each as half a win.
    let halves = Draws::HalfWins { between_equals: Some(0.0) };
    let halved = fit(2, &games(&list), &Model { draws: halves, ..Model::maximum_likelihood() });
    assert!((elo(&given(0.0), 0) - elo(&halved, 0)).abs() < 1e-6);
}

#[test]
fn a_rate_of_draws_is_at_most_one_however_far_anchors_are_apart() {
    let list = [vec![(0, 1, 'w'); 23], vec![(0, 1, 'd'); 8]].concat();
    let method = Method::MaximumLikelihood { prior: 2.0, intervals: Intervals::Information };
    for far in (1..400).map(|step| f64::from(step) * -1000.0) {
        let anchors = vec![Anchor { bot: 0, elo: 0.0 }, Anchor { bot: 1, elo: far }];
        let ratings = fit(2, &games(&list), &Model { method, anchors, ..Model::default() });
        assert!((0.0..=1.0).contains(&ratings.draw_rate), "{far}: {}", ratings.draw_rate);
    }
}

#[test]
fn forfeits_can_be_left_out_of_the_fit() {
    let mut list = games(&[(0, 1, 'w'), (1, 0, 'w'), (0, 1, 'd'), (1, 2, 'w'), (2, 1, 'w')]);
    let without = fit(3, &list, &Model::maximum_likelihood());
    let forfeit = game(0, 1, 'w', 99, 99);
    list.push(Game { faults: BySide::new(None, Some(3)), ..forfeit });
    let model = Model { without_forfeits: true, ..Model::maximum_likelihood() };
    assert_eq!(fit(3, &list, &model).bots, without.bots);
    assert_ne!(fit(3, &list, &Model::maximum_likelihood()).bots, without.bots);
}
