//! Opening files: one opening per line, checked against the rules.

use std::collections::HashMap;

use pitmaster_games::{DynGame, Turn};

/// Reason why an opening cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// One of its steps is invalid.
    #[error("step {number}, {text:?}: {why}")]
    Step {
        /// Number of the step, from 1.
        number: usize,
        /// Text of the step.
        text: String,
        /// Reason.
        why: String,
    },
    /// The game ends with it.
    #[error("the game is over after it; leave out its last moves")]
    Over,
    /// The limit of plies ends the game with it.
    #[error("it has {plies} plies, and a game ends after {limit}; leave out its last moves")]
    PlyLimit {
        /// Number of its plies, chance steps not counted.
        plies: u32,
        /// Limit of plies.
        limit: u32,
    },
    /// It leads to the same position as another opening.
    #[error("it leads to the same position as line {line}; leave one of them out")]
    Again {
        /// Line of the other opening.
        line: usize,
    },
}

/// Opening that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Steps in the game's notation, separated by blanks.
    pub text: String,
    /// Resulting position.
    pub position: String,
}

/// Plays the steps of an opening, chance steps included.
///
/// # Errors
/// Fails at the first step that cannot be made, or if the opening ends the game.
pub fn play_opening(
    game: &dyn DynGame,
    steps: &str,
    limit: Option<u32>,
) -> Result<Opening, OpeningError> {
    let mut table = game.begin();
    let (mut text, mut plies) = (String::new(), 0);
    for (at, step) in steps.split_ascii_whitespace().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        let fault = |why: String| OpeningError::Step { number: at + 1, text: step.to_owned(), why };
        if matches!(table.turn(), Turn::Over(_)) {
            return Err(fault("the game is over there".into()));
        }
        plies += u32::from(matches!(table.turn(), Turn::Player(_)));
        table.follow(step, &mut text).map_err(|why| fault(why.to_string()))?;
        // Chance steps in the line are accepted, as far as they lead to a position of the game.
        game.resume(&table.position()).map_err(|why| fault(why.to_string()))?;
    }
    match limit.filter(|&limit| plies >= limit) {
        _ if matches!(table.turn(), Turn::Over(_)) => Err(OpeningError::Over),
        Some(limit) => Err(OpeningError::PlyLimit { plies, limit }),
        None => Ok(Opening { text, position: table.position() }),
    }
}

/// Parses an opening file: one opening per line, its steps separated by blanks. A `#` starts a
/// comment. `limit` is the limit of plies of a game.
///
/// # Errors
/// Returns all errors, with line numbers.
pub fn read_openings(
    game: &dyn DynGame,
    text: &str,
    limit: Option<u32>,
) -> Result<Vec<String>, Vec<(usize, OpeningError)>> {
    let (mut openings, mut faults) = (Vec::new(), Vec::new());
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (line, steps) in (1..).zip(text.lines().map(without_comment)) {
        if steps.is_empty() {
            continue;
        }
        let played = play_opening(game, steps, limit);
        match played.and_then(|opening| match lines.get(&opening.position) {
            Some(&line) => Err(OpeningError::Again { line }),
            None => Ok(opening),
        }) {
            Ok(Opening { text, position }) => {
                openings.push(text);
                lines.insert(position, line);
            }
            Err(fault) => faults.push((line, fault)),
        }
    }
    if faults.is_empty() { Ok(openings) } else { Err(faults) }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use pitmaster_games::{find, game_of, toy::Toy};

    use super::*;

    fn read(game: &str, text: &str) -> Result<Vec<String>, String> {
        let game = find(&game.parse().unwrap()).unwrap();
        read_openings(&*game, text, Some(6)).map_err(|faults| {
            faults.iter().map(|(line, fault)| format!("{line}: {fault}\n")).collect()
        })
    }

    #[test]
    fn openings_are_read_in_any_form_and_written_in_one() {
        let read = read("coloured-awale", "# mine\n1r 2tb\r\n\n  3R\t4b  # a good one\n").unwrap();
        assert_eq!(read, ["1R 2TB", "3R 4B"]);
    }

    #[test]
    fn all_that_is_wrong_is_told_with_its_line() {
        let text = "1\n2 x\n\n1 1 1\n1 7 2 8 3 9\n1 # again\n7 8\n";
        insta::assert_snapshot!(read("oware", text).unwrap_err(), @r#"
        2: step 2, "x": a move is a hole from 1 to 12, or one of the words that are listed (pass, swap, fill=1:4,2:4, own=3,5, s2)
        4: step 2, "1": not a legal move here
        5: it has 6 plies, and a game ends after 6; leave out its last moves
        6: it leads to the same position as line 1; leave one of them out
        7: step 1, "7": not a legal move here
        "#);
    }

    #[test]
    fn what_chance_did_is_a_step_of_it() {
        let toy = game_of(Toy);
        let played = play_opening(&*toy, "FILL=1:3 die=2 t1 die=1", None).unwrap();
        assert_eq!(played.text, "fill=1:3 die=2 T1 die=1");
        let fault = |steps| play_opening(&*toy, steps, None).unwrap_err().to_string();
        insta::assert_snapshot!(fault("fill=1:3 two"), @r#"step 2, "two": a move is T1, T2, T3 or a layout like fill=1:2,2:1"#);
        insta::assert_snapshot!(fault("fill=2:3 die=3 T3 T1 T1"), @r#"step 5, "T1": the game is over there"#);
    }
}
