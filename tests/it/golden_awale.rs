//! Coloured Awale compared with moves, games and counts computed by other programs.

use pitmaster::core::{Score, Side};
use pitmaster::games::coloured_awale::{Both40, ColouredAwale};
use pitmaster::games::{DynGame, Outcome, Rules, Spot, Step, Steps, Turn, find};
use serde::Deserialize;

const MOVES: &str = include_str!("../golden/awale/moves.jsonl");
const GAMES: &str = include_str!("../golden/awale/games.jsonl");
const PERFT: &str = include_str!("../golden/awale/perft.txt");

/// Without the clause about forty seeds.
const LONG: ColouredAwale = ColouredAwale { both_40: Both40::Off };

/// Red, blue and transparent seeds of holes 1 to 16.
type Holes = [[u8; 3]; 16];

/// A move, and its result if it is legal.
#[derive(Deserialize)]
struct Single {
    id: u32,
    side: u8,
    holes: Holes,
    score: [u32; 2],
    #[serde(rename = "move")]
    text: String,
    legal: bool,
    #[serde(flatten)]
    result: Option<Played>,
}

#[derive(Deserialize)]
struct Played {
    after: Holes,
    score_after: [u32; 2],
    captured: u32,
    sweep: u32,
    /// Holes from 1, in the order of their captures.
    chain: Vec<u8>,
    last: u8,
    /// Without the clause about forty seeds.
    over: Option<String>,
    winner: Option<u8>,
    /// With that clause, if it makes a difference.
    over_if_40_40: Option<(String, u8)>,
}

/// A whole game, without the clause about forty seeds.
#[derive(Deserialize)]
struct Whole {
    moves: Vec<String>,
    plies: usize,
    after: Holes,
    score: [u32; 2],
    over: String,
    winner: u8,
}

fn lines<T: for<'a> Deserialize<'a>>(file: &str) -> Vec<T> {
    file.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn game(spec: &str) -> std::sync::Arc<dyn DynGame> {
    find(&spec.parse().expect("a game")).expect("it exists")
}

fn position_text(holes: &Holes, score: [u32; 2], side: u8) -> String {
    let holes = holes.map(|[red, blue, transparent]| format!("{red}.{blue}.{transparent}"));
    format!("{}/{}-{}/{side}", holes.join(","), score[0], score[1])
}

fn expected_turn(over: Option<(&str, u8)>, score: [u32; 2], mover: u8) -> Turn {
    let [one, two] = score;
    match over {
        None => Turn::Player(Side::from_number(3 - mover).expect("a side")),
        Some((clause, winner)) => {
            let clause = ["49+", "40-40", "<10"].into_iter().find(|known| *known == clause);
            Turn::Over(Outcome {
                winner: Side::from_number(winner),
                score: Score::new(one, two),
                clause: clause.expect("a known clause"),
            })
        }
    }
}

fn check_board(single: &Single, played: &Played) {
    let id = single.id;
    let text = position_text(&single.holes, single.score, single.side);
    let mut position = LONG.parse_position(&text).expect(&text);
    let mv = LONG.parse_move(&position, &single.text).expect(&single.text);
    // Three of the moves are made where the game would be over.
    let is_over = matches!(LONG.turn(&position), Turn::Over(_));
    assert_eq!(LONG.is_legal(&position, &mv), !is_over, "move {id}");
    let mut steps = Steps::default();
    LONG.play(&mut position, &mv, &mut steps);
    let after = position_text(&played.after, played.score_after, 3 - single.side);
    assert_eq!(LONG.position_text(&position), after, "move {id}");
    let mut last = 0;
    let (mut chain, mut captured, mut sweep) = (Vec::new(), 0, 0);
    for step in steps.0 {
        match step {
            Step::Sow { to: Spot::Hole(hole), .. } => last = hole + 1,
            Step::Capture { from: Spot::Hole(hole), seeds, .. } => {
                chain.push(hole + 1);
                captured += u32::from(seeds);
            }
            Step::Sweep { seeds, .. } => sweep += u32::from(seeds),
            Step::Lift { .. } => {}
            other => panic!("move {id}: {other:?}"),
        }
    }
    assert_eq!(
        (last, chain, captured, sweep),
        (played.last, played.chain.clone(), played.captured, played.sweep),
        "move {id}"
    );
}

fn check_end(single: &Single, played: &Played) {
    let after = position_text(&played.after, played.score_after, 3 - single.side);
    let off = played.over.as_deref().zip(played.winner);
    let on = played.over_if_40_40.as_ref().map(|(clause, winner)| (clause.as_str(), *winner));
    for (spec, over) in [("coloured-awale,both_40=off", off), ("coloured-awale", on.or(off))] {
        let table = game(spec).resume(&after).expect(&after);
        let turn = expected_turn(over, played.score_after, single.side);
        assert_eq!(table.turn(), turn, "move {} of {spec}", single.id);
    }
}

fn check_illegal(single: &Single) {
    let text = position_text(&single.holes, single.score, single.side);
    let mut table = game("coloured-awale").resume(&text).expect(&text);
    assert!(table.play(&single.text, &mut String::new()).is_err(), "move {}", single.id);
    assert_eq!(table.position(), text, "move {}", single.id);
}

#[test]
fn every_single_move() {
    let moves: Vec<Single> = lines(MOVES);
    assert_eq!(moves.len(), 89);
    for single in &moves {
        assert_eq!(single.legal, single.result.is_some(), "move {}", single.id);
        match &single.result {
            Some(played) => {
                check_board(single, played);
                check_end(single, played);
            }
            None => check_illegal(single),
        }
    }
}

#[test]
fn every_whole_game() {
    let games: Vec<Whole> = lines(GAMES);
    assert_eq!(games.len(), 12);
    for whole in &games {
        let mut table = game("coloured-awale,both_40=off").begin();
        let mut written = String::new();
        for text in &whole.moves {
            assert!(matches!(table.turn(), Turn::Player(_)), "over before {text}");
            table.play(text, &mut written).expect(text);
        }
        assert_eq!(written, whole.moves.concat());
        assert_eq!(whole.moves.len(), whole.plies);
        let mover = if whole.plies % 2 == 1 { 1 } else { 2 };
        assert_eq!(table.position(), position_text(&whole.after, whole.score, 3 - mover));
        let over = Some((whole.over.as_str(), whole.winner));
        assert_eq!(table.turn(), expected_turn(over, whole.score, mover));
    }
}

#[test]
fn every_count_of_sequences() {
    let game = game("coloured-awale");
    let counts: Vec<_> = PERFT.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(counts.len(), 6);
    for line in counts {
        let depth = line.split(' ').next().and_then(|depth| depth.parse().ok()).expect(line);
        let leaves = game.perft(None, depth).expect("the start").leaves;
        assert_eq!(format!("{depth} {leaves}"), line);
    }
}
