//! Properties of every fit, on arbitrary games.

use proptest::prelude::*;

use super::intervals::bootstrap;
use super::*;

fn any_games() -> impl Strategy<Value = (usize, Vec<Game>)> {
    (2_u32..9).prop_flat_map(|bots| {
        let one = (0..bots, 1..bots, 0_usize..16, 0_u32..4, 0_u64..3);
        let games = proptest::collection::vec(one, 0..40).prop_map(move |list| {
            let mark = |dice: usize| b"wwwwwwwlllllldd-"[dice] as char;
            let to_game = |(a, step, dice, pair, moves): (u32, u32, usize, u32, u64)| {
                game(a, (a + step) % bots, mark(dice), pair, moves)
            };
            list.into_iter().map(to_game).collect()
        });
        (Just(bots as usize), games)
    })
}

fn any_model() -> impl Strategy<Value = Model> {
    let halves = |rate: f64| Draws::HalfWins { between_equals: Some(rate) };
    let draws = prop_oneof![
        Just(Draws::Davidson { between_equals: None }),
        (0.0..=1.0).prop_map(|rate| Draws::Davidson { between_equals: Some(rate) }),
        Just(Draws::HalfWins { between_equals: None }),
        (0.0..=1.0).prop_map(halves),
    ];
    let first_move = prop_oneof![
        Just(FirstMove::Estimated { within: 400.0 }),
        Just(FirstMove::Estimated { within: 1e5 }),
        (-3000.0..3000.0).prop_map(FirstMove::Given),
    ];
    let anchor = (0_u32..2, -1e6..1e6).prop_map(|(bot, elo)| Anchor { bot, elo });
    let anchors = proptest::collection::vec(anchor, 0..3);
    let prior = prop_oneof![Just(0.0), Just(2.0)];
    let intervals =
        prop_oneof![Just(Intervals::Information), Just(Intervals::Profile), Just(bootstrap(5, 1))];
    let likelihood = (prior, intervals)
        .prop_map(|(prior, intervals)| Method::MaximumLikelihood { prior, intervals });
    let method = prop_oneof![
        2 => Just(Method::RandomEffects),
        2 => likelihood,
        1 => Just(Method::BayesElo { prior: 2.0 }),
    ];
    let all = (draws, first_move, anchors, method);
    all.prop_map(|(draws, first_move, anchors, method)| Model {
        draws,
        first_move,
        method,
        anchors,
        ..Model::default()
    })
}

proptest! {
    #[test]
    fn every_number_is_finite_and_in_order((bots, games) in any_games(), model in any_model()) {
        let ratings = fit(bots, &games, &model);
        for rating in ratings.bots.iter().flatten() {
            prop_assert!(rating.elo.is_finite(), "{rating:?}");
            prop_assert!(rating.low.is_none_or(|low| low.is_finite() && low <= rating.elo));
            prop_assert!(rating.high.is_none_or(|high| high.is_finite() && high >= rating.elo));
        }
        prop_assert!(ratings.first_move.value.is_finite() && ratings.first_move.error.is_finite());
        prop_assert!((0.0..=1.0).contains(&ratings.draw_rate));
    }

    /// Property of the maximum: every bot's points equal their expectation.
    #[test]
    fn expected_points_are_points((bots, games) in any_games()) {
        let model = Model::maximum_likelihood();
        let matches = Matches::new(&games);
        let cells = Cell::all(&matches, 0.0);
        let blocks = Blocks::new(bots, &cells, &[]);
        let fit = Fit::new(&cells, &blocks, &model);
        let mut surplus = vec![0.0; bots];
        for cell in cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]) {
            let chances = fit.chances(cell.one, cell.two);
            let games = cell.wins + cell.draws + cell.losses;
            let points = cell.wins + cell.draws / 2.0 - games * (chances.win + chances.draw / 2.0);
            surplus[cell.one] += points;
            surplus[cell.two] -= points;
        }
        prop_assert!(surplus.iter().all(|points| points.abs() < 1e-6), "{surplus:?}");
    }

    /// Mirrored results: a bot that loses each game that another wins has the mirrored rating.
    #[test]
    fn mirrored_results_mirror_ratings((bots, games) in any_games()) {
        let mirrored: Vec<Game> =
            games.iter().map(|game| Game { marks: game.marks.swapped(), ..*game }).collect();
        let model = Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() };
        let (plain, mirrored) = (fit(bots, &games, &model), fit(bots, &mirrored, &model));
        for (a, b) in plain.bots.iter().zip(&mirrored.bots) {
            let (Some(a), Some(b)) = (a, b) else {
                prop_assert_eq!(a, b);
                continue;
            };
            prop_assert!((a.elo + b.elo - 3000.0).abs() < 1e-4, "{a:?} {b:?}");
            prop_assert_eq!((a.low.is_some(), a.high.is_some()), (b.high.is_some(), b.low.is_some()));
        }
    }

    /// Order by Elo and order by points agree in a round-robin.
    #[test]
    fn elo_goes_with_points(marks in proptest::collection::vec(0_usize..3, 30)) {
        let meetings = (0..6).flat_map(|a| (0..6).filter(move |&b| a != b).map(move |b| (a, b)));
        let list: Vec<_> =
            meetings.zip(marks).map(|((a, b), mark)| (a, b, b"wdl"[mark] as char)).collect();
        let ranking = crate::Ranking::default();
        let standings =
            crate::Standings::rated(6, &games(&list), &ranking, &Model::maximum_likelihood());
        let all = standings.rows.iter().map(|row| row.elo.unwrap().elo);
        for (above, below) in all.clone().zip(all.skip(1)) {
            prop_assert!(above > below - 1e-4, "{:?}", standings.rows);
        }
    }
}
