//! Static evaluation from player 1's view: a sum of counts, each with a factor. The module does not
//! know how positions are searched.

use std::fmt;

use pitmaster_core::{Side, below};
use pitmaster_games::two_row::file;
use pitmaster_games::{Count, Counting, Turn};
use rand::Rng;

/// Value of a won game or round, added to the counts.
const WON: i64 = 1000;
/// Value of a drawn game for the side that would be to move.
const DRAWN: i64 = 5;

/// Counts and the names of their factors.
pub(super) const FACTORS: &[(Count, &str)] = &[
    (Count::Stores, "mx_stores_m"),
    (Count::Children, "mx_child_cnt_m"),
    (Count::Seeds, "mx_seeds_m"),
    (Count::Empties, "mx_empties_m"),
    (Count::Evens, "mx_evens_m"),
    (Count::Reach, "mx_access_m"),
];

/// Addend for another turn.
pub(super) const ANOTHER_TURN: &str = "mx_rturn_a";

/// Addend for randomness.
const NOISE: &str = "mx_easy_rand_a";

/// Static evaluator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scorer {
    factors: Vec<(Count, i64)>,
    another_turn: i64,
    noise: i64,
    whole_board: bool,
}

impl Scorer {
    /// Makes a scorer from the factors of a file, at a difficulty from 0 to 3: randomness counts at
    /// 0 only, reach from 2 on. `whole_board` is `mm_score_counts`.
    pub(super) fn new(scorer: &file::Scorer, difficulty: u8, whole_board: bool) -> Self {
        let mut scorer = scorer.clone();
        let mut value = |name| scorer.value(name).map_or(0, |value| i64::from(*value));
        let counts = |what: Count| what != Count::Reach || difficulty >= 2;
        let factors = FACTORS.iter().map(|&(what, name)| (what, value(name)));
        Self {
            factors: factors.filter(|&(what, factor)| factor != 0 && counts(what)).collect(),
            another_turn: scorer.mx_rturn_a.into(),
            noise: if difficulty == 0 { scorer.mx_easy_rand_a.into() } else { 0 },
            whole_board,
        }
    }

    /// Factors and addends by option name, including those that are 0.
    pub(super) fn options(&self) -> impl Iterator<Item = (&'static str, i64)> {
        let value = |what| self.factors.iter().find(|(known, _)| *known == what);
        let factors =
            FACTORS.iter().map(move |&(what, name)| (name, value(what).map_or(0, |it| it.1)));
        let whole_board = ("mm_score_counts", i64::from(self.whole_board));
        factors.chain([(ANOTHER_TURN, self.another_turn), (NOISE, self.noise), whole_board])
    }

    /// Value of a position for player 1. `turn` is its turn.
    pub(super) fn score<R: Counting>(
        &self,
        rules: &R,
        position: &R::Position,
        turn: Turn,
        rng: &mut dyn Rng,
    ) -> i64 {
        let on_turn = sign(rules.on_turn(position));
        let factors = self.factors.iter();
        let counts = factors.map(|&(what, factor)| factor * self.lead(rules, position, what));
        let granted = rules.granted_turn(position);
        counts.sum::<i64>()
            + ended(rules, position, turn)
            + if granted { on_turn * self.another_turn } else { 0 }
            + self.by_chance(rng)
    }

    /// Difference of a count between player 1 and player 2. If the whole board counts, it is the sum
    /// of both players' counts, positive if player 1 is to move.
    fn lead<R: Counting>(&self, rules: &R, position: &R::Position, what: Count) -> i64 {
        let [one, two] = Side::BOTH.map(|side| i64::from(rules.count(position, what, side)));
        match what {
            Count::Seeds | Count::Empties | Count::Evens if self.whole_board => {
                sign(rules.on_turn(position)) * (one + two)
            }
            _ => one - two,
        }
    }

    /// Random number from `-noise` to `noise - 1`.
    fn by_chance(&self, rng: &mut dyn Rng) -> i64 {
        match self.noise {
            ..=0 => 0,
            noise => below(rng, 2 * noise as u64).cast_signed() - noise,
        }
    }
}

/// Factors by name.
impl fmt::Display for Scorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |what| FACTORS.iter().find(|(known, _)| *known == what).map(|(_, name)| *name);
        let factors = self.factors.iter().filter_map(|&(what, value)| Some((name(what)?, value)));
        let addends = [(ANOTHER_TURN, self.another_turn), (NOISE, self.noise)];
        let all = factors.chain(addends.into_iter().filter(|(_, value)| *value != 0));
        let all: Vec<_> = all.map(|(name, value)| format!("{name} {value}")).collect();
        f.write_str(&if all.is_empty() { "nothing but wins".into() } else { all.join(", ") })
    }
}

/// Value of the end of the game or the round.
fn ended<R: Counting>(rules: &R, position: &R::Position, turn: Turn) -> i64 {
    let won = match turn {
        Turn::Player(_) => return 0,
        Turn::Over(outcome) => Some(outcome.winner),
        Turn::Chance => rules.round_won(position),
    };
    match won {
        Some(Some(side)) => WON * sign(side),
        Some(None) => DRAWN * sign(rules.on_turn(position)),
        None => 0,
    }
}

const fn sign(side: Side) -> i64 {
    match side {
        Side::One => 1,
        Side::Two => -1,
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use pitmaster_games::two_row::TwoRow;
    use pitmaster_games::{AnyRules, Rules, look_up};

    use super::*;

    fn two_row(game: &str) -> TwoRow {
        match look_up(&game.parse().expect(game)).expect(game).rules {
            AnyRules::TwoRow(rules) => rules,
            other => unreachable!("a two-row game, not {other:?}"),
        }
    }

    fn score(game: &str, scorer: &Scorer, position: &str) -> i64 {
        let rules = two_row(game);
        let position = rules.parse_position(position).expect(position);
        let mut rng = Seed(1).stream("noise");
        scorer.score(&rules, &position, rules.turn(&position), &mut rng)
    }

    #[test]
    fn counts_are_weighed_and_added() {
        let file = file::Scorer {
            mx_stores_m: 6,
            mx_seeds_m: 1,
            mx_empties_m: -3,
            mx_rturn_a: 15,
            ..file::Scorer::default()
        };
        let scorer = Scorer::new(&file, 1, false);
        let kalah = |position: &str| score("kalah", &scorer, position);
        assert_eq!(kalah("4,4,4,4,4,4,4,4,4,4,4,4;0,0;1"), 0);
        // Hole 3 was sown into the store, and player 1 moves again: 6 - 1 - 3 + 15.
        let again = "4,4,0,5,5,5,4,4,4,4,4,4;1,0;1;moves=2;repeats=1;last=1:2:-1:4:0:0";
        assert_eq!(kalah(again), 17);
        assert_eq!(kalah("4,4,0,5,5,5,4,4,4,4,4,4;1,0;2;moves=2;turns=1"), 2);
    }

    #[test]
    fn an_end_is_added_to_what_is_counted() {
        let stores = file::Scorer { mx_stores_m: 2, ..file::Scorer::default() };
        let oware = |end: &str| {
            let position = format!("0,0,0,0,0,0,0,0,0,0,0,0;{end}");
            score("oware", &Scorer::new(&stores, 1, false), &position)
        };
        assert_eq!(oware("28,20;2;phase=over:1:goal"), 1016);
        assert_eq!(oware("20,28;1;phase=over:2:goal"), -1016);
        assert_eq!(oware("24,24;1;phase=over:0:goal"), 5, "player 1 would be to move");
        assert_eq!(oware("24,24;2;phase=over:0:goal"), -5);
    }

    #[test]
    fn reach_counts_for_the_better_players_and_chance_for_the_worst() {
        let file = file::Scorer { mx_access_m: 1, mx_easy_rand_a: 10, ..file::Scorer::default() };
        // Player 1 reaches three of the holes on the other side, player 2 none.
        let oware = "0,0,0,1,2,6,1,0,0,0,0,0;10,28;1";
        let at = |level| score("oware", &Scorer::new(&file, level, false), oware);
        assert_eq!([at(1), at(2), at(3)], [0, 2, 2]);
        let scorer = Scorer::new(&file, 0, false);
        let mut rng = Seed(1).stream("noise");
        let noise: Vec<_> = (0..1000).map(|_| scorer.by_chance(&mut rng)).collect();
        assert_eq!((noise.iter().min(), noise.iter().max()), (Some(&-10), Some(&9)));
    }

    #[test]
    fn the_whole_board_may_count_for_who_is_on_turn() {
        let file = file::Scorer { mx_seeds_m: 1, ..file::Scorer::default() };
        let scorer = Scorer::new(&file, 1, true);
        let at = |side| score("oware", &scorer, &format!("1,0,0,1,2,6,1,0,0,0,0,0;9,28;{side}"));
        assert_eq!([at(1), at(2)], [11, -11]);
    }
}
