//! Toy game for tests, with features that coloured Awale lacks. Player 2 begins, with a layout. A
//! die is drawn by chance whenever the turn passes. A player who takes as many seeds as the die
//! shows moves again.

use std::fmt::Write as _;

use pitmaster_core::{BySide, Score, Side, below};
use rand::Rng;

use super::{
    Contents, HoleShape, MoveList, Named, ONE_KIND, Observer, Outcome, Rules, Shape, Spot, Step,
    TextError, Turn,
};

/// Rules of the toy game, without options.
#[derive(Debug, Clone)]
pub struct Toy;

/// Three seeds are laid out in two holes; those in the first enlarge the pile of four.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    layout: Option<[u8; 2]>,
    pile: u8,
    die: Option<u8>,
    score: BySide<u8>,
    side: Side,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Move {
    /// Seeds of the layout.
    Fill([u8; 2]),
    /// Number shown by the die.
    Die(u8),
    /// Seeds taken from the pile.
    Take(u8),
}

/// Template of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fill;

const LAID_OUT: u8 = 3;
const SIDES_OF_DIE: u8 = 3;

impl Named for Toy {
    const VERSION: u32 = 1;

    fn spec(&self) -> String {
        "toy".into()
    }
}

impl Rules for Toy {
    type Position = Position;
    type Move = Move;
    type Template = Fill;

    fn start(&self) -> Position {
        Position { layout: None, pile: 4, die: None, score: BySide::default(), side: Side::Two }
    }

    fn turn(&self, position: &Position) -> Turn {
        match position {
            Position { layout: None, side, .. } => Turn::Player(*side),
            Position { pile: 0, .. } => Turn::Over(outcome(position, "empty")),
            Position { die: None, .. } => Turn::Chance,
            Position { side, .. } => Turn::Player(*side),
        }
    }

    fn moves(&self, position: &Position, list: &mut MoveList<Move, Fill>) {
        list.clear();
        match self.turn(position) {
            Turn::Player(_) if position.layout.is_none() => list.templates.push(Fill),
            Turn::Player(_) => list.moves.extend((1..=position.pile.min(3)).map(Move::Take)),
            Turn::Chance | Turn::Over(_) => {}
        }
    }

    fn is_legal(&self, position: &Position, mv: &Move) -> bool {
        match (self.turn(position), mv) {
            (Turn::Player(_), Move::Fill([one, two])) => {
                position.layout.is_none() && one + two == LAID_OUT
            }
            (Turn::Player(_), Move::Take(seeds)) => {
                position.layout.is_some() && (1..=position.pile.min(3)).contains(seeds)
            }
            _ => false,
        }
    }

    fn play<O: Observer>(&self, position: &mut Position, mv: &Move, observer: &mut O) {
        match *mv {
            Move::Fill(layout) => {
                position.layout = Some(layout);
                position.pile += layout[0];
                position.side = Side::One;
            }
            Move::Die(die) => position.die = Some(die),
            Move::Take(seeds) => {
                let to = Spot::Store(position.side);
                observer.step(Step::Capture { from: Spot::Hole(0), seeds: seeds.into(), to });
                position.pile -= seeds;
                position.score[position.side] += seeds;
                if position.die != Some(seeds) {
                    position.side = position.side.other();
                    position.die = None;
                }
            }
        }
    }

    fn complete(&self, _: &Position, _: &Fill, rng: &mut dyn Rng) -> Move {
        let one = below(rng, u64::from(LAID_OUT) + 1) as u8;
        Move::Fill([one, LAID_OUT - one])
    }

    fn draw(&self, _: &Position, rng: &mut dyn Rng) -> Move {
        Move::Die(below(rng, u64::from(SIDES_OF_DIE)) as u8 + 1)
    }

    fn adjudicate(&self, position: &Position) -> Outcome {
        outcome(position, "score")
    }

    fn score(&self, position: &Position) -> Score {
        position.score.map(u32::from)
    }

    fn move_text(&self, _: &Position, mv: &Move) -> String {
        match mv {
            Move::Fill([one, two]) => {
                let holes = [(1, *one), (2, *two)].into_iter().filter(|(_, seeds)| *seeds > 0);
                let holes: Vec<_> = holes.map(|(hole, seeds)| format!("{hole}:{seeds}")).collect();
                format!("fill={}", holes.join(","))
            }
            Move::Die(die) => format!("die={die}"),
            Move::Take(seeds) => format!("T{seeds}"),
        }
    }

    fn template_text(&self, _: &Position, _: &Fill) -> String {
        format!("fill=*{LAID_OUT}")
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<Move, TextError> {
        let text = text.to_ascii_uppercase();
        let fault = || TextError("a move is T1, T2, T3 or a layout like fill=1:2,2:1".into());
        if let Some(die) = text.strip_prefix("DIE=") {
            return die.parse().map(Move::Die).map_err(|_| fault());
        }
        match (text.strip_prefix("FILL="), text.strip_prefix('T')) {
            (Some(holes), _) => layout(holes).map(Move::Fill).ok_or_else(fault),
            (_, Some(seeds)) => seeds.parse().map(Move::Take).map_err(|_| fault()),
            (None, None) => Err(fault()),
        }
    }

    fn position_text(&self, position: &Position) -> String {
        let mut text = match position.layout {
            Some([one, two]) => format!("{one}.{two}"),
            None => "-".into(),
        };
        let Position { pile, die, score, side, .. } = position;
        let die = die.unwrap_or_default();
        let _ = write!(text, "/{pile}/{die}/{}-{}/{side}", score.one, score.two);
        text
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        read(text).ok_or_else(|| TextError("a position is like 2.1/6/3/0-0/1".into()))
    }

    fn board(&self, position: &Position) -> String {
        format!("{} seeds\n", position.pile)
    }

    fn shape(&self) -> Shape {
        let pile = HoleShape { label: "pile".into(), owner: Side::One, row: 0, column: 0 };
        Shape { rows: 1, columns: 1, kinds: ONE_KIND, stores: true, holes: vec![pile] }
    }

    fn contents(&self, position: &Position) -> Contents {
        let Position { pile, score, .. } = *position;
        Contents { seeds: vec![pile.into()], stores: score.map(u16::from), marks: Vec::new() }
    }
}

fn outcome(position: &Position, clause: &'static str) -> Outcome {
    let score = position.score.map(u32::from);
    Outcome { winner: score.leader(), score, clause }
}

/// Parses a layout: holes in any order, without zeros or repeats.
fn layout(holes: &str) -> Option<[u8; 2]> {
    let mut layout = [0; 2];
    for pair in holes.split(',') {
        let (hole, seeds) = pair.split_once(':')?;
        let hole: &mut u8 = layout.get_mut(hole.parse::<usize>().ok()?.checked_sub(1)?)?;
        match seeds.parse().ok()? {
            seeds @ 1..=LAID_OUT if *hole == 0 => *hole = seeds,
            _ => return None,
        }
    }
    Some(layout)
}

fn read(text: &str) -> Option<Position> {
    let [layout, pile, die, score, side] = text.split('/').collect::<Vec<_>>().try_into().ok()?;
    let pair = |text: &str, by| {
        let (one, two) = text.split_once(by)?;
        Some([one.parse::<u8>().ok()?, two.parse().ok()?])
    };
    let [one, two] = pair(score, '-')?;
    Some(Position {
        layout: if layout == "-" { None } else { Some(pair(layout, '.')?) },
        pile: pile.parse().ok()?,
        die: die.parse().ok().map(|die| (die > 0).then_some(die))?,
        score: BySide::new(one, two),
        side: Side::from_number(side.parse().ok()?)?,
    })
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;

    use super::*;
    use crate::{GameState, game_of};

    fn resume(position: &str) -> Box<dyn GameState> {
        game_of(Toy).resume(position).expect(position)
    }

    #[test]
    fn a_template_is_listed_and_completed_in_any_order() {
        let mut text = String::new();
        game_of(Toy).begin().list_moves(&mut text);
        assert_eq!(text, " fill=*3");
        for (layout, written) in
            [("fill=2:1,1:2", Some("fill=1:2,2:1")), ("FILL=2:3", Some("fill=2:3"))]
                .into_iter()
                .chain(
                    ["fill=1:2", "fill=1:3,2:0", "fill=1:1,1:2", "fill=*3", "T1"]
                        .map(|t| (t, None)),
                )
        {
            let mut text = String::new();
            let played = game_of(Toy).begin().play(layout, &mut text);
            assert_eq!(played.ok().map(|()| text.as_str()), written, "{layout}");
        }
    }

    #[test]
    fn whoever_takes_what_the_die_shows_moves_again() {
        let mut table = resume("2.1/6/2/0-0/1");
        table.play("t2", &mut String::new()).expect("legal");
        assert_eq!(table.turn(), Turn::Player(Side::One));
        table.play("T3", &mut String::new()).expect("legal");
        assert_eq!(table.turn(), Turn::Chance);
        assert!(table.play("T1", &mut String::new()).is_err(), "nobody moves before chance");
    }

    #[test]
    fn perft_follows_repeats_but_neither_chance_nor_templates() {
        let count =
            |position, depth| game_of(Toy).perft(position, depth).expect("a position").leaves;
        let position = Some("2.1/3/2/0-0/1");
        assert_eq!([0, 1, 2, 3].map(|depth| count(position, depth)), [1, 3, 1, 0]);
        assert_eq!([0, 1].map(|depth| count(None, depth)), [1, 0]);
    }

    #[test]
    fn random_play_completes_templates_waits_for_chance_and_ends() {
        let mut layouts = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let mut rng = Seed(seed).stream("toy");
            let mut table = game_of(Toy).begin();
            layouts.extend(table.play_random(&mut rng));
            loop {
                let text = table.position();
                assert_eq!(resume(&text).position(), text);
                match table.turn() {
                    Turn::Chance => {
                        assert_eq!(table.play_random(&mut rng), None);
                        assert!(table.draw(&mut rng).starts_with("die="));
                    }
                    Turn::Player(_) => assert!(table.play_random(&mut rng).is_some()),
                    Turn::Over(outcome) => break assert_eq!(outcome.score, table.score()),
                }
            }
            assert_eq!(table.play_random(&mut rng), None);
        }
        assert_eq!(layouts.len(), usize::from(LAID_OUT) + 1, "every layout can come");
    }

    #[test]
    fn the_law_of_legality() {
        let texts = ["T1", "T2", "T3", "T4", "fill=1:3", "fill=1:1,2:2"];
        for position in ["-/4/0/0-0/2", "2.1/2/3/4-0/1", "2.1/6/0/0-0/1", "2.1/0/0/3-3/1"] {
            let mut listed = String::new();
            resume(position).list_moves(&mut listed);
            for text in texts {
                let completes = listed.contains("fill=*") && text.starts_with("fill=");
                let legal = completes || listed.split(' ').any(|word| word == text);
                let played = resume(position).play(text, &mut String::new());
                assert_eq!(played.is_ok(), legal, "{text} in {position}");
            }
        }
    }
}
