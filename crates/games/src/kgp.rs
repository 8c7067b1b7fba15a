//! Board notation of the Kalah Game Protocol (KGP), for the games that its clients support.
//!
//! A KGP client always plays south: its own holes and store come first, and both rows are written
//! from their owner's left. So player 2 gets a mirrored board, and both count their holes from 1.

use std::fmt;
use std::str::FromStr;

use pitmaster_core::{BySide, Side};

use crate::two_row::params::Params;
use crate::{AnyRules, Contents, GameSpec, TextError, look_up};

/// Maximum number of seeds of a hole or store in a parsed board.
const MOST_SEEDS: u16 = 30_000;

/// Maximum number of holes of a row in a parsed board.
const MOST_HOLES: usize = 255;

/// Board in the notation of KGP: `<size,south store,north store,south holes,north holes>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KgpBoard {
    /// Seeds in the store of the player to move.
    pub south_store: u16,
    /// Seeds in the other player's store.
    pub north_store: u16,
    /// Holes of the player to move, from that player's left.
    pub south: Vec<u16>,
    /// Holes of the other player, from that other player's left. Has as many holes as `south`.
    pub north: Vec<u16>,
}

impl KgpBoard {
    /// Board of a two-row game from this side's view.
    pub fn of(contents: &Contents, south: Side) -> Self {
        let (one, two) = contents.seeds.split_at(contents.seeds.len() / 2);
        let rows = BySide::new(one, two);
        Self {
            south_store: contents.stores[south],
            north_store: contents.stores[south.other()],
            south: rows[south].to_vec(),
            north: rows[south.other()].to_vec(),
        }
    }

    /// The position in the notation of the game, with this side as south and to move.
    pub fn position(&self, south: Side) -> String {
        let own = (&self.south, self.south_store);
        let other = (&self.north, self.north_store);
        let (one, two) = if south == Side::One { (own, other) } else { (other, own) };
        let seeds: Vec<_> = one.0.iter().chain(two.0).map(ToString::to_string).collect();
        format!("{};{},{};{south}", seeds.join(","), one.1, two.1)
    }

    /// Number of holes of a row.
    pub fn size(&self) -> usize {
        self.south.len()
    }
}

impl fmt::Display for KgpBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{},{},{}", self.size(), self.south_store, self.north_store)?;
        self.south.iter().chain(&self.north).try_for_each(|seeds| write!(f, ",{seeds}"))?;
        f.write_str(">")
    }
}

impl FromStr for KgpBoard {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        parse(text).ok_or_else(|| {
            TextError("a KGP board is <size,own store,other store,own holes,other holes>".into())
        })
    }
}

fn parse(text: &str) -> Option<KgpBoard> {
    let numbers = text.strip_prefix('<')?.strip_suffix('>')?.split(',');
    let number = |text: &str| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|seeds| is_plain && *seeds <= MOST_SEEDS)
    };
    let numbers: Vec<u16> = numbers.map(number).collect::<Option<_>>()?;
    let [size, south_store, north_store, holes @ ..] = &numbers[..] else { return None };
    let size = usize::from(*size);
    if !(1..=MOST_HOLES).contains(&size) || holes.len() != 2 * size {
        return None;
    }
    let (south, north) = holes.split_at(size);
    Some(KgpBoard {
        south_store: *south_store,
        north_store: *north_store,
        south: south.to_vec(),
        north: north.to_vec(),
    })
}

/// Number of holes of a row, if KGP supports the rules: Kalah with any number of holes and seeds,
/// otherwise unmodified.
pub fn kgp_size(game: &GameSpec) -> Option<u8> {
    let rules = kalah_like(game)?;
    let kalah = kalah_like(&GameSpec::plain("kalah"))?;
    let Params { holes, nbr_start, .. } = rules;
    let is_kalah = rules == Params { holes, nbr_start, ..kalah };
    u8::try_from(holes).ok().filter(|_| is_kalah)
}

fn kalah_like(game: &GameSpec) -> Option<Params> {
    match look_up(game).ok()?.rules {
        AnyRules::TwoRow(rules) => Some(rules.params().clone()),
        _ => None,
    }
}

/// Text of the move from a hole of one side, counted from 1 as in KGP. A hole outside the row gives
/// the text of an illegal move.
pub fn kgp_move(pit: i64, size: u8, side: Side) -> String {
    match side {
        Side::One => pit.to_string(),
        Side::Two => pit.saturating_add(i64::from(size)).to_string(),
    }
}

/// Hole of a move's text, counted from 1 as in KGP. `None` if it is not a hole of that side.
pub fn kgp_pit(text: &str, size: u8, side: Side) -> Option<i64> {
    let before = if side == Side::One { 0 } else { i64::from(size) };
    let pit = text.parse::<i64>().ok()? - before;
    (1..=i64::from(size)).contains(&pit).then_some(pit)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use proptest::prelude::*;

    use super::*;
    use crate::{GameState, Turn, find};

    fn size(game: &str) -> Option<u8> {
        kgp_size(&game.parse().expect(game))
    }

    fn south(state: &dyn GameState) -> Option<Side> {
        match state.turn() {
            Turn::Player(side) => Some(side),
            _ => None,
        }
    }

    #[test]
    fn clients_know_kalah_of_any_size() {
        for (game, expected) in [
            ("kalah", Some(6)),
            ("kalah::6x6", Some(6)),
            ("kalah,holes=8,nbr_start=8", Some(8)),
            ("kalah,quitter=0", None),
            ("kalah_empty", None),
            ("kalah_late", None),
            ("oware", None),
            ("coloured-awale", None),
            ("nothing", None),
        ] {
            assert_eq!(size(game), expected, "{game}");
        }
    }

    #[test]
    fn the_player_to_move_is_south() {
        let game = find(&"kalah".parse().unwrap()).unwrap();
        let mut state = game.resume("1,2,3,4,5,6,7,8,9,0,1,2;10,20;1").unwrap();
        let seen = |state: &dyn GameState, side| KgpBoard::of(&state.contents(), side).to_string();
        assert_eq!(seen(&*state, Side::One), "<6,10,20,1,2,3,4,5,6,7,8,9,0,1,2>");
        assert_eq!(seen(&*state, Side::Two), "<6,20,10,7,8,9,0,1,2,1,2,3,4,5,6>");
        // The first hole of player 2 is the one after player 1's store.
        state.play("6", &mut String::new()).expect("legal");
        assert_eq!(south(&*state), Some(Side::Two));
        assert_eq!(seen(&*state, Side::Two), "<6,20,11,8,9,10,1,2,2,1,2,3,4,5,0>");
        state.play(&kgp_move(1, 6, Side::Two), &mut String::new()).expect("legal");
        assert_eq!(seen(&*state, Side::One), "<6,11,21,2,3,3,4,5,0,0,10,11,2,3,3>");
    }

    #[test]
    fn moves_count_from_one_for_both() {
        assert_eq!(
            (kgp_move(1, 6, Side::One), kgp_move(1, 6, Side::Two)),
            ("1".into(), "7".into())
        );
        assert_eq!((kgp_pit("12", 6, Side::Two), kgp_pit("6", 6, Side::One)), (Some(6), Some(6)));
        for text in ["6", "13", "x", ""] {
            assert_eq!(kgp_pit(text, 6, Side::Two), None, "{text}");
        }
        let game = find(&"kalah".parse().unwrap()).unwrap();
        for pit in [i64::MIN, -7, -6, -1, 0, 7, 13, i64::MAX] {
            for (side, position) in
                [(1, "4,4,4,4,4,4,4,4,4,4,4,4;0,0;1"), (2, "4,4,4,4,4,4,4,4,4,4,4,4;0,0;2")]
            {
                let mut state = game.resume(position).unwrap();
                let text = kgp_move(pit, 6, Side::from_number(side).unwrap());
                assert!(state.play(&text, &mut String::new()).is_err(), "{side}: {pit} is {text}");
            }
        }
    }

    #[test]
    fn what_is_no_board_is_refused() {
        for text in [
            "",
            "<>",
            "<0,0,0>",
            "<1,0,0,1>",
            "<1,0,0,1,1,1>",
            "<1,0,0,1,-1>",
            "<1,0,0,1,+1>",
            "<1, 0,0,1,1>",
            "1,0,0,1,1",
            "<1,0,0,1,1",
            "<1,0,0,1,99999>",
            "<1,0,0,1,>",
            "<256,0,0>",
        ] {
            assert!(text.parse::<KgpBoard>().is_err(), "{text}");
        }
        let board: KgpBoard = "<1,2,3,4,5>".parse().unwrap();
        assert_eq!((board.size(), board.to_string()), (1, "<1,2,3,4,5>".to_owned()));
    }

    proptest! {
        #[test]
        fn positions_and_moves_are_the_same_in_both_notations(
            seed in any::<u64>(), holes in 1_u8..12, seeds in 1_u8..9,
        ) {
            let game = find(&format!("kalah,holes={holes},nbr_start={seeds}").parse().unwrap());
            let Ok(game) = game else { return Ok(()) };
            let mut state = game.begin();
            let mut rng = Seed(seed).stream("kgp");
            while let Some(side) = south(&*state) {
                let board = KgpBoard::of(&state.contents(), side);
                prop_assert_eq!(&board.to_string().parse::<KgpBoard>().unwrap(), &board);
                // South can always move.
                prop_assert!(board.south.iter().any(|seeds| *seeds > 0));
                let other = KgpBoard::of(&state.contents(), side.other());
                prop_assert_eq!((other.south, other.south_store), (board.north.clone(), board.north_store));
                let mut twin = game.resume(&board.position(side)).unwrap();
                prop_assert_eq!(twin.contents(), state.contents());
                let mut listed = String::new();
                twin.list_moves(&mut listed);
                for text in listed.split_ascii_whitespace() {
                    let pit = kgp_pit(text, holes, side).expect("an own hole");
                    prop_assert!(board.south[pit as usize - 1] > 0);
                    prop_assert_eq!(kgp_move(pit, holes, side), text);
                }
                let text = state.play_random(&mut rng).expect("a move");
                twin.play(&text, &mut String::new()).expect("legal");
                prop_assert_eq!(twin.contents(), state.contents());
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "[<>0-9,+ -]{0,60}") {
            if let Ok(board) = text.parse::<KgpBoard>() {
                prop_assert_eq!(board.to_string().parse::<KgpBoard>().unwrap(), board);
            }
        }
    }
}
