//! Invariants of every position: the slow rules, the law of legality, round trips.

use pitmaster_core::{Seed, Side, below};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::super::reference::{Slow, name};
use super::{is_legal, listed};
use crate::isholo::{Isholo, Kind, Position};
use crate::{MoveList, Rules, Spot, Step, Steps, Turn};

type Game = (Kind, Position);

/// A random move, or a template completed at random.
fn any_move(rules: Isholo, position: &Position, rng: &mut dyn rand::Rng) -> super::super::Move {
    let mut list = MoveList::default();
    rules.moves(position, &mut list);
    let pick = below(rng, (list.moves.len() + list.templates.len()) as u64) as usize;
    match list.moves.get(pick) {
        Some(mv) => *mv,
        None => rules.complete(position, &list.templates[pick - list.moves.len()], rng),
    }
}

/// Game after random moves.
fn played() -> impl Strategy<Value = Game> {
    (select(&Kind::ALL[..]), any::<u64>(), 0..120u32).prop_map(|(kind, seed, plies)| {
        let (rules, mut rng) = (Isholo { kind }, Seed(seed).stream("play"));
        let mut position = rules.start();
        for _ in 0..plies {
            if !matches!(rules.turn(&position), Turn::Player(_)) {
                break;
            }
            let mv = any_move(rules, &position, &mut rng);
            rules.play(&mut position, &mv, &mut ());
        }
        (kind, position)
    })
}

/// Random seeds, either in few holes, so that sowings go around more than once, or in all holes.
fn fixtures() -> impl Strategy<Value = Game> {
    let places = prop::collection::vec(0..32usize, 1..20);
    let seeds = prop::collection::vec(any::<Index>(), 64);
    (select(&Kind::ALL[..]), places, seeds, any::<bool>(), 0..2usize).prop_filter_map(
        "the game has no such numbers of seeds",
        |(kind, places, seeds, full, side)| {
            let least = u8::from(full);
            let mut slow = Slow { kind, rows: [[least; 16]; 2], side };
            let mut left = [32 - 16 * usize::from(least); 2];
            for seed in seeds {
                let place = *seed.get(&places);
                let (owner, hole) = (place / 16, place % 16);
                let from = match kind {
                    // Each player has 32 seeds.
                    Kind::One | Kind::Three => owner,
                    Kind::TwoA | Kind::TwoB => usize::from(left[0] == 0),
                };
                if left[from] > 0 {
                    left[from] -= 1;
                    slow.rows[owner][hole] += 1;
                }
            }
            if kind == Kind::Three {
                (0..2).for_each(|owner| slow.rows[owner][places[0] % 16] += left[owner] as u8);
            }
            Some((kind, Isholo { kind }.parse_position(&slow.write()).ok()?))
        },
    )
}

fn any_game() -> impl Strategy<Value = Game> {
    prop_oneof![played(), fixtures()]
}

fn slow((kind, position): &Game) -> Slow {
    Slow::read(*kind, &Isholo { kind: *kind }.position_text(position))
}

/// The texts of the slow rules, concrete moves first, as moves are listed.
fn slow_texts(slow: &Slow) -> Vec<String> {
    if slow.over().is_some() {
        return Vec::new();
    }
    let texts = slow.moves().into_iter().map(|(text, _)| text);
    let (templates, moves): (Vec<_>, Vec<_>) = texts.partition(|text| text.contains('*'));
    moves.into_iter().chain(templates).collect()
}

/// Whether a text is listed or completes a listed template.
fn follows_the_law(text: &str, texts: &[String]) -> bool {
    let Some((hole, layout)) = text.split_once('=') else {
        return texts.iter().any(|listed| listed == text);
    };
    let mut holes = Vec::new();
    let mut total = 0;
    for part in layout.split(',') {
        let Some((hole, seeds)) = part.split_once(':') else { return false };
        let Ok(seeds @ 1..=64) = seeds.parse::<u32>() else { return false };
        holes.push(hole);
        total += seeds;
    }
    let in_holes = holes.iter().all(|hole| (0..16).any(|other| name(other) == *hole));
    holes.sort_unstable();
    let distinct = holes.windows(2).all(|pair| pair[0] != pair[1]);
    in_holes && distinct && texts.iter().any(|listed| *listed == format!("{hole}=*{total}"))
}

/// Board after applying the steps.
fn told(slow: &Slow, steps: &Steps) -> [[u8; 16]; 2] {
    let mut rows = slow.rows;
    let mut hand = 0;
    let at = |spot| match spot {
        Spot::Hole(hole) => (usize::from(hole) / 16, usize::from(hole) % 16),
        Spot::Store(_) | Spot::Away => panic!("{spot:?} has no seeds"),
    };
    for step in &steps.0 {
        match *step {
            Step::Lift { from, seeds } => {
                let (owner, hole) = at(from);
                assert_eq!(u16::from(rows[owner][hole]), seeds);
                rows[owner][hole] = 0;
                hand += seeds;
            }
            Step::Sow { to, kind: 0 } => {
                let (owner, hole) = at(to);
                rows[owner][hole] += 1;
                hand -= 1;
            }
            Step::Lap { from } => assert_eq!(at(from).0, slow.side),
            Step::Capture { from, seeds, to: Spot::Away } => {
                let (owner, hole) = at(from);
                assert_eq!(u16::from(std::mem::take(&mut rows[owner][hole])), seeds);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(hand, 0, "every lifted seed is sown or laid out");
    rows
}

proptest! {
    #[test]
    fn moves_and_ends_are_those_of_the_slow_rules(game in any_game()) {
        let (kind, position) = &game;
        let (rules, slow) = (Isholo { kind: *kind }, slow(&game));
        prop_assert_eq!(listed(*kind, position), slow_texts(&slow));
        let side = |index: usize| Side::BOTH[index];
        match (rules.turn(position), slow.over()) {
            (Turn::Over(outcome), Some((clause, winner))) => {
                prop_assert_eq!((outcome.clause, outcome.winner), (clause, winner.map(side)));
            }
            (turn, over) => {
                prop_assert_eq!(turn, Turn::Player(side(slow.side)));
                prop_assert_eq!(over, None);
            }
        }
        let score = rules.score(position);
        prop_assert_eq!([score.one, score.two], slow.score());
    }

    #[test]
    fn moves_lead_where_the_slow_rules_lead(game in any_game(), seed in any::<u64>()) {
        let (kind, position) = &game;
        let (rules, slow) = (Isholo { kind: *kind }, slow(&game));
        let mut rng = Seed(seed).stream("layouts");
        let mut list = MoveList::default();
        rules.moves(position, &mut list);
        let layouts = list.templates.iter().map(|one| rules.complete(position, one, &mut rng));
        let moves: Vec<_> = list.moves.iter().copied().chain(layouts).collect();
        for mv in moves {
            let text = mv.to_string();
            let of = |(made, _): &(String, Slow)| match made.split_once("=*") {
                Some((hole, _)) => text.starts_with(&format!("{hole}=")),
                None => *made == text,
            };
            let (_, mut expected) = slow.moves().into_iter().find(of).expect("it is listed");
            if let Some((_, layout)) = text.split_once('=') {
                expected.lay(1 - slow.side, layout);
            }
            let (mut unseen, mut seen) = (position.clone(), position.clone());
            let mut steps = Steps::default();
            rules.play(&mut unseen, &mv, &mut ());
            rules.play(&mut seen, &mv, &mut steps);
            prop_assert_eq!(rules.position_text(&unseen), expected.write(), "{}", text);
            prop_assert_eq!(&unseen, &seen);
            prop_assert_eq!(told(&slow, &steps), expected.rows, "{}: {:?}", text, steps.0);
            let seeds = |rows: [[u8; 16]; 2]| rows.as_flattened().iter().map(|&n| u32::from(n)).sum::<u32>();
            prop_assert!(seeds(expected.rows) == seeds(slow.rows) || *kind == Kind::One);
        }
    }

    #[test]
    fn a_text_is_legal_if_and_only_if_it_is_listed_or_completes_a_template(
        game in any_game(),
        odd in "[ab][1-8](@[ab][1-8]){1,3}|[ab][1-8]=([ab][1-8]:[1-9],){0,2}[ab][1-8]:[1-9]|[abAB0-9@=:,*]{0,9}",
        seed in any::<u64>(),
    ) {
        let (kind, position) = &game;
        let texts = listed(*kind, position);
        let mut expressible = texts.clone();
        expressible.push(odd);
        for one in 0..16 {
            expressible.push(name(one));
            expressible.extend((0..16).map(|two| format!("{}@{}", name(one), name(two))));
            expressible.extend([1, 2, 3].map(|n| format!("{}=a{n}:{n}", name(one))));
        }
        let mut rng = Seed(seed).stream("layouts");
        let mut list = MoveList::default();
        Isholo { kind: *kind }.moves(position, &mut list);
        for template in list.templates {
            let mv = Isholo { kind: *kind }.complete(position, &template, &mut rng);
            expressible.extend([mv.to_string(), format!("{mv},a1:1"), format!("{mv},b8:2")]);
        }
        for text in expressible {
            let lower = text.to_ascii_lowercase();
            let lawful = follows_the_law(&lower, &texts) && !text.contains('*');
            prop_assert_eq!(is_legal(*kind, position, &text), lawful, "{}", &text);
            prop_assert_eq!(is_legal(*kind, position, &text.to_uppercase()), lawful, "{}", &text);
        }
    }

    #[test]
    fn moves_are_read_as_they_are_written(game in any_game(), seed in any::<u64>()) {
        let (kind, position) = game;
        let rules = Isholo { kind };
        if let Turn::Player(_) = rules.turn(&position) {
            let mv = any_move(rules, &position, &mut Seed(seed).stream("move"));
            let text = rules.move_text(&position, &mv);
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{}", text);
            prop_assert_eq!(rules.parse_move(&position, &text), Ok(mv));
            prop_assert_eq!(rules.parse_move(&position, &text.to_uppercase()), Ok(mv));
            if let Some((hole, layout)) = text.split_once('=') {
                let turned: Vec<_> = layout.rsplit(',').collect();
                let turned = format!("{hole}={}", turned.join(","));
                prop_assert_eq!(rules.parse_move(&position, &turned), Ok(mv));
            }
        }
    }

    #[test]
    fn positions_are_read_as_they_are_written(game in any_game()) {
        let (kind, position) = game;
        let rules = Isholo { kind };
        let text = rules.position_text(&position);
        prop_assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{}", text);
        prop_assert_eq!(rules.parse_position(&text), Ok(position));
    }

    /// A mutated position text is rejected, or is a position that can be played and settled.
    #[test]
    fn what_is_nearly_a_position_can_be_played(
        game in any_game(),
        changes in prop::collection::vec((any::<Index>(), "[0-9.,/+ -]{0,2}"), 1..3),
        seed in any::<u64>(),
    ) {
        let (kind, position) = game;
        let rules = Isholo { kind };
        let mut text = rules.position_text(&position);
        for (at, with) in changes {
            let at = at.index(text.len());
            text.replace_range(at..=at, &with);
        }
        let Ok(mut position) = rules.parse_position(&text) else { return Ok(()) };
        prop_assert_eq!(rules.position_text(&position), text);
        let mut rng = Seed(seed).stream("play");
        for _ in 0..40 {
            let outcome = rules.adjudicate(&position);
            prop_assert_eq!(outcome.score, rules.score(&position));
            prop_assert!(rules.board(&position).lines().count() == 8);
            let Turn::Player(_) = rules.turn(&position) else { break };
            let mv = any_move(rules, &position, &mut rng);
            prop_assert!(rules.is_legal(&position, &mv));
            rules.play(&mut position, &mv, &mut ());
        }
    }
}

#[test]
fn every_layout_comes_as_often_as_any_other() {
    let rules = Isholo { kind: Kind::Three };
    let template = super::super::Template { hole: super::Hole::ALL[0], seeds: 2 };
    let mut rng = Seed(1).stream("layouts");
    let mut times = std::collections::BTreeMap::new();
    for _ in 0..13_600 {
        let mv = rules.complete(&rules.start(), &template, &mut rng);
        *times.entry(mv.to_string()).or_insert(0) += 1;
    }
    // Two seeds in one hole, or one in each of two holes.
    assert_eq!(times.len(), 16 + 16 * 15 / 2);
    // A hundred each on average, with a tolerance of six standard deviations.
    assert!(times.values().all(|times| (40..=160).contains(times)), "{times:?}");
}

/// The effect of an illegal move is unspecified, but it must not change the position.
#[test]
fn an_illegal_move_changes_nothing() {
    for kind in Kind::ALL {
        let rules = Isholo { kind };
        for text in ["a1@a1@b2", "a1=b1:64,b2:64,b3:64,b4:64,b5:64"] {
            let mut position = rules.start();
            let mv = rules.parse_move(&position, text).expect("a move");
            rules.play(&mut position, &mv, &mut ());
            assert_eq!(position, rules.start());
        }
    }
}
