//! Comparison of bots by their answers to the same quiz: evidence of common origin, never a
//! verdict.

use std::collections::HashMap;

/// An answer: a move in a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Answer {
    /// Text of the position.
    pub position: String,
    /// The move.
    pub text: String,
}

/// Answers of a bot by game. Incomplete games are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// The answers in each game of the quiz; `None` if the game was not played to its end.
    pub games: Vec<Option<Vec<Answer>>>,
}

/// Similarity of two bots.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Likeness {
    /// Number of games that both completed.
    pub games: u32,
    /// Number of games with identical answers.
    pub identical: u32,
    /// Number of positions that both met.
    pub met: u32,
    /// Number of positions in which both always gave the same answer.
    pub agreed: u32,
    /// First answer that differs: number of the game and of the answer in it, from 1.
    pub first_difference: Option<(u32, u32)>,
}

/// Maximum share of identical games that is attributed to chance.
const IDENTICAL: f64 = 0.5;
/// Share of the positions that both met in which twins agree.
const AGREED: f64 = 0.97;
/// Minimum number of common positions for a meaningful comparison.
const ENOUGH: u32 = 50;

impl Answers {
    /// Number of answers.
    pub fn len(&self) -> usize {
        self.games.iter().flatten().map(Vec::len).sum()
    }

    /// Returns whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Compares two bots.
    pub fn likeness(&self, other: &Self) -> Likeness {
        let mut likeness = Likeness::default();
        for (number, games) in (1..).zip(self.games.iter().zip(&other.games)) {
            let (Some(one), Some(two)) = games else { continue };
            likeness.games += 1;
            let differs = one.iter().zip(two).position(|(one, two)| one != two);
            let shorter = (one.len() != two.len()).then(|| one.len().min(two.len()));
            match differs.or(shorter) {
                None => likeness.identical += 1,
                Some(at) => {
                    let place = (number, u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1));
                    likeness.first_difference.get_or_insert(place);
                }
            }
        }
        let (one, two) = (self.by_position(), other.by_position());
        for (position, answers) in &one {
            if let Some(others) = two.get(position) {
                likeness.met += 1;
                likeness.agreed += u32::from(answers == others);
            }
        }
        likeness
    }

    /// The distinct answers to each position, sorted.
    fn by_position(&self) -> HashMap<&str, Vec<&str>> {
        let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
        for answer in self.games.iter().flatten().flatten() {
            all.entry(&answer.position).or_default().push(&answer.text);
        }
        for answers in all.values_mut() {
            answers.sort_unstable();
            answers.dedup();
        }
        all
    }
}

impl Likeness {
    /// Returns whether the similarity justifies a look at their sources: half of the games are
    /// identical, or nearly all answers in many common positions.
    pub fn is_striking(&self) -> bool {
        let identical = f64::from(self.identical) >= IDENTICAL * f64::from(self.games);
        let agree = self.met >= ENOUGH && f64::from(self.agreed) >= AGREED * f64::from(self.met);
        self.games > 0 && (identical || agree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Vec<Answer> {
        let answer = |(place, c): (usize, char)| Answer {
            position: format!("{} {place}", &text[..place]),
            text: c.to_string(),
        };
        text.char_indices().map(answer).collect()
    }

    fn answers(games: &[&str]) -> Answers {
        Answers { games: games.iter().map(|text| Some(game(text))).collect() }
    }

    #[test]
    fn copies_are_identical() {
        let one = answers(&["abc", "bcd"]);
        let likeness = one.likeness(&one.clone());
        let expected =
            Likeness { games: 2, identical: 2, met: 5, agreed: 5, first_difference: None };
        assert_eq!(likeness, expected);
        assert!(likeness.is_striking());
    }

    #[test]
    fn the_first_difference_is_found() {
        let likeness = answers(&["abc", "bcd", "x"]).likeness(&answers(&["abc", "bxd", "y"]));
        assert_eq!((likeness.identical, likeness.games), (1, 3));
        assert_eq!(likeness.first_difference, Some((2, 2)));
        // Afterward their positions differ.
        assert_eq!((likeness.met, likeness.agreed), (4, 2));
        assert!(!likeness.is_striking());
    }

    #[test]
    fn a_longer_game_is_another_game() {
        let likeness = answers(&["abc"]).likeness(&answers(&["abcd"]));
        assert_eq!((likeness.identical, likeness.first_difference), (0, Some((1, 4))));
    }

    #[test]
    fn unfinished_games_prove_nothing() {
        let unfinished = Answers { games: vec![None, Some(game("ab"))] };
        let likeness = unfinished.likeness(&answers(&["ab", "ab"]));
        assert_eq!((likeness.games, likeness.identical), (1, 1));
        let nothing = Answers::default().likeness(&answers(&["ab"]));
        assert!(!nothing.is_striking());
    }

    #[test]
    fn a_bot_that_contradicts_itself_does_not_agree() {
        let unsteady = answers(&["a", "b"]);
        let likeness = unsteady.likeness(&answers(&["a", "a"]));
        assert_eq!((likeness.met, likeness.agreed), (1, 0));
    }
}
