use pitmaster_core::Seed;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

use super::super::matches::fixtures::game;
use super::*;

/// Adds single games of bot 0 with that pair number: a number with an event and a number without.
fn add_singles(games: &mut Homogeneity, bots: [u32; 2], place: u32, events: u32, others: u32) {
    for number in 0..events + others {
        let number = place * 10_000 + number;
        let game = game(bots[0], bots[1], 'w', number, u64::from(number));
        games.add(place, &game, |side| side == Side::One && number % 10_000 < events);
    }
}

fn residuals(compared: &Deviations) -> Vec<f64> {
    compared.places.iter().map(|place| place.residual.expect("enough games")).collect()
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-3, "{found} and not {expected}");
}

/// Agresti, Categorical Data Analysis (2002), table 3.2: highest degree by religious beliefs. A
/// cell's residual equals that of the table with all other rows combined.
#[test]
fn residuals_are_those_of_the_book() {
    let table = [[178, 138, 108], [570, 648, 442], [138, 252, 252]];
    let published = [[4.5, -2.6, -1.9], [2.6, 1.3, -4.0], [-6.8, 0.7, 6.3]];
    for (row, published) in table.iter().zip(published) {
        let mut games = Homogeneity::default();
        for (place, &events) in (0..).zip(row) {
            let all: u32 = table.iter().map(|row| row[place as usize]).sum();
            add_singles(&mut games, [0, 1], place, events, all - events);
        }
        let rounded = residuals(&games.compare(3)).into_iter().map(|r| (r * 10.0).round() / 10.0);
        for (found, published) in rounded.zip(published) {
            assert!((found - published).abs() < 0.06, "{found} and not {published}");
        }
    }
}

/// Bickel, Hammel and O'Connell (1975): admissions to Berkeley in 1973 by sex and department, as in
/// R. There 1.4269 is the Mantel-Haenszel chi-square with a continuity correction of ½, which is
/// not used here. Without departments Pearson's chi-square is 92.21.
#[test]
fn what_only_seems_so_is_not_taken_for_real() {
    let admitted_and_rejected = [
        [[512, 313], [89, 19]],
        [[353, 207], [17, 8]],
        [[120, 205], [202, 391]],
        [[138, 279], [131, 244]],
        [[53, 138], [94, 299]],
        [[22, 351], [24, 317]],
    ];
    let (mut by_department, mut all) = (Homogeneity::default(), Homogeneity::default());
    let mut total = [[0; 2]; 2];
    for (department, sexes) in (0..).zip(admitted_and_rejected) {
        for (sex, [admitted, rejected]) in (0..).zip(sexes) {
            add_singles(&mut by_department, [department, 9], sex, rejected, admitted);
            total[sex as usize][0] += rejected;
            total[sex as usize][1] += admitted;
        }
    }
    for (sex, [rejected, admitted]) in (0..).zip(total) {
        add_singles(&mut all, [0, 9], sex, rejected, admitted);
    }
    let compared = by_department.compare(2);
    let test = compared.test.unwrap();
    // From (|x| - ½)²/v = 1.4269 and x²/v, with x the excess and v its variance.
    let (excess, residual) = (
        f64::from(compared.places[0].observed) - compared.places[0].expected,
        residuals(&compared)[0],
    );
    let corrected = (residual * (excess.abs() - 0.5) / excess.abs()).powi(2);
    assert_close(corrected, 1.4269);
    assert_close(test.statistic, 1.5246);
    assert_eq!(test.degrees, 1);
    assert_close(test.p_value, 0.2169);
    let applicants = 4526.0;
    let pearson = all.compare(2).test.unwrap().statistic * applicants / (applicants - 1.0);
    assert_close(pearson, 92.205);
}

/// A bot that always forfeits plays on one worker only. The bot causes the forfeits, not the
/// worker.
#[test]
fn a_worker_does_not_answer_for_the_bots_it_got() {
    let mut games = Homogeneity::default();
    add_singles(&mut games, [0, 1], 0, 500, 0);
    add_singles(&mut games, [2, 3], 0, 10, 90);
    add_singles(&mut games, [2, 3], 1, 12, 88);
    let [first, second] = games.compare(2).places[..] else { panic!("two places") };
    assert_eq!((first.observed, second.observed), (510, 12));
    assert_close(first.expected, 511.0);
    assert!(first.residual.unwrap().abs() < 1.0);
}

/// Twenty games of one meeting on one worker are one unit: losing all of them is due to the two
/// bots, which may always play the same game.
#[test]
fn a_meeting_on_one_worker_is_one_unit() {
    let mut games = Homogeneity::default();
    for opponent in 1..=40 {
        let place = opponent % 2;
        let events = if opponent == 1 { 20 } else { u32::from(opponent % 3 == 0) };
        add_singles(&mut games, [0, opponent], place, events, 20 - events);
    }
    let compared = games.compare(2);
    let place = compared.places[1];
    // Thirteen of the opponents are multiples of three, seven of them odd.
    assert_eq!(place.observed, 27);
    assert_close(place.expected, 16.5);
    // By hand: each unit has 20 games of which 33/800 are expected to be forfeited, 0.825.
    let squares = (20.0_f64 - 0.825).powi(2) + 13.0 * 0.175_f64.powi(2) + 26.0 * 0.825_f64.powi(2);
    let expected = 10.5 / (10.0 * squares / 39.0).sqrt();
    assert_close(residuals(&compared)[1], expected);
    assert!(expected < 1.5);
}

#[test]
fn pairs_are_dealt_as_a_whole() {
    let mut games = Homogeneity::default();
    // On each of two workers, forty pairs have both games forfeited or none.
    for (place, lost) in [(0, 20), (1, 10)] {
        for pair in 0..40 {
            for bots in [[0, 1], [1, 0]] {
                let game = game(bots[0], bots[1], 'w', place * 100 + pair, u64::from(pair));
                games.add(place, &game, |side| game.bots[side] == 0 && pair < lost);
            }
        }
    }
    let compared = games.compare(2);
    assert_eq!(compared.places[0].observed, 40);
    // As single yes or no of eighty pairs: (20 - 15) / √(40·40·30·50 / (80²·79)).
    let expected = 5.0 / (40.0 * 40.0 * 30.0 * 50.0 / (6400.0 * 79.0_f64)).sqrt();
    assert_close(residuals(&compared)[0], expected);
}

#[test]
fn too_little_is_not_made_a_number_of() {
    for (events, others) in [(4, 500), (500, 4), (0, 500)] {
        let mut games = Homogeneity::default();
        add_singles(&mut games, [0, 1], 0, events, others);
        add_singles(&mut games, [0, 1], 1, events, others);
        let compared = games.compare(3);
        assert!(compared.places.iter().all(|place| place.residual.is_none()), "{compared:?}");
        assert_eq!(compared.test, None);
    }
    assert_eq!(Homogeneity::default().compare(0).places, []);
}

/// Workers that have no bot in common cannot be compared with each other: two tests of two, with a
/// degree of freedom each.
#[test]
fn degrees_of_freedom_are_counted_where_there_are_some() {
    let mut games = Homogeneity::default();
    for (bots, places) in [([0, 1], [0, 1]), ([2, 3], [2, 3])] {
        add_singles(&mut games, bots, places[0], 30, 70);
        add_singles(&mut games, bots, places[1], 50, 50);
    }
    let compared = games.compare(4);
    let test = compared.test.unwrap();
    assert_eq!(test.degrees, 2);
    let [one, _, two, _] = residuals(&compared)[..] else { panic!("four places") };
    assert_close(test.statistic, one * one + two * two);
}

/// Among equal workers, residuals are beyond 1.96 about five times in a hundred, although bots,
/// opponents and pairs differ widely.
#[test]
fn alike_workers_are_found_alike() {
    let mut rng = Seed(1).stream("homogeneity");
    let (mut beyond, mut rejected, mut seen) = (0, 0, 0);
    for _ in 0..300 {
        let mut games = Homogeneity::default();
        for bot in 0..12 {
            let rate: f64 = rng.random_range(0.0..0.3);
            for opponent in 20..36 {
                let rate = (rate * rng.random_range(0.0..2.0)).min(1.0);
                let mut places = [0, 0, 1, 2];
                places.shuffle(&mut rng);
                let several = opponent % 2 == 0;
                for pair in 0..4 {
                    let place = places[if several { pair as usize } else { 0 }];
                    let does = rng.random_bool(rate);
                    for game in
                        [game(bot, opponent, 'w', pair, 1), game(opponent, bot, 'w', pair, 2)]
                    {
                        games.add(place, &game, |side| does && game.bots[side] == bot);
                    }
                }
            }
        }
        let compared = games.compare(3);
        beyond += residuals(&compared).iter().filter(|residual| residual.abs() > 1.96).count();
        rejected += usize::from(compared.test.unwrap().p_value < 0.05);
        seen += 3;
    }
    let share = beyond as f64 / f64::from(seen);
    assert!((0.03..0.07).contains(&share), "{share}");
    assert!((6..=27).contains(&rejected), "{rejected} of 300");
}
