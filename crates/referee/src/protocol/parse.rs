//! Parser of bot messages.

use pitmaster_core::{Dialect, Fault, Score, Side};

/// Message of a bot that has been asked for a move.
#[derive(Debug, PartialEq, Eq)]
pub enum BotMessage<'a> {
    /// Move in the bot's own notation, with its comment.
    Move {
        /// Word that should be a move.
        text: &'a str,
        /// Text after `#`, if any.
        comment: Option<&'a str>,
    },
    /// Claim that the game is over. It is no answer unless it contains a move of the bot's own.
    Claim {
        /// Move played with the claim, if it is the bot's own by the parity of its hole.
        own_move: Option<&'a str>,
        /// Claimed end of the game.
        claim: Claimed,
    },
    /// Information about the bot's thinking.
    Info(&'a str),
    /// Permitted line without content.
    Skip,
}

/// End of the game as claimed by a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claimed {
    /// Whether a limit has ended the game, not the rules.
    pub limit: bool,
    /// Final scores, if they can be parsed.
    pub scores: Option<Score>,
}

/// Lines that a bot wants to receive at each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Want {
    /// Legal moves and clocks.
    #[default]
    Moves,
    /// Legal moves, clocks and the position.
    Position,
    /// No lines besides the moves played.
    Nothing,
}

/// Message between a greeting or `newgame` and `ready`.
#[derive(Debug, PartialEq, Eq)]
pub enum Handshake {
    /// `ready`.
    Ready,
    /// `want …`.
    Want(Want),
    /// Anything else: discarded and counted.
    Other,
}

/// Parses the answer to a turn.
///
/// # Errors
/// The fault by which the bot forfeits: the line is not text, or not exactly one move.
pub fn hear_answer(
    dialect: Dialect,
    lenient: bool,
    side: Side,
    line: &[u8],
) -> Result<BotMessage<'_>, Fault> {
    let text = std::str::from_utf8(line).map_err(|_| Fault::NotUtf8)?;
    let said = match dialect {
        Dialect::Arena => one_word(text),
        Dialect::Course => claim(text, side).or_else(|| one_word(text)),
        Dialect::Pitmaster => info(text).or_else(|| pitmaster_move(text)),
    };
    match said {
        // A line that leniency skips is never a move, so the order is irrelevant.
        Some(BotMessage::Move { .. }) | None if lenient && is_chatter(text) => Ok(BotMessage::Skip),
        Some(said) => Ok(said),
        None => Err(Fault::MalformedLine),
    }
}

/// Parses a line that arrives before `ready`.
pub fn hear_handshake(line: &[u8]) -> Handshake {
    match std::str::from_utf8(line).unwrap_or("").split(' ').collect::<Vec<_>>()[..] {
        ["ready", ..] => Handshake::Ready,
        ["want", "position"] => Handshake::Want(Want::Position),
        ["want", "nothing"] => Handshake::Want(Want::Nothing),
        ["want", "moves"] => Handshake::Want(Want::Moves),
        _ => Handshake::Other,
    }
}

fn one_word(text: &str) -> Option<BotMessage<'_>> {
    let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_word.then_some(BotMessage::Move { text, comment: None })
}

fn info(text: &str) -> Option<BotMessage<'_>> {
    let rest = text.strip_prefix("info")?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| BotMessage::Info(rest.trim_ascii()))
}

fn pitmaster_move(text: &str) -> Option<BotMessage<'_>> {
    let rest = text.strip_prefix("move ")?;
    let (word, comment) = match rest.split_once(" #") {
        Some((word, comment)) => (word, Some(comment.trim_ascii())),
        None => (rest, None),
    };
    match one_word(word.trim_end_matches(' '))? {
        BotMessage::Move { text, .. } => Some(BotMessage::Move { text, comment }),
        other => Some(other),
    }
}

/// Parses `RESULT <move> <s1> <s2>` or `RESULT LIMIT …`. A malformed claim still counts as a claim.
fn claim(text: &str, side: Side) -> Option<BotMessage<'_>> {
    let rest = text.strip_prefix("RESULT").or_else(|| text.strip_prefix("result"))?;
    if !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let mut words = rest.split_ascii_whitespace();
    let first = words.next();
    let own_move = first.filter(|word| owner(word) == Some(side));
    let limit = first.is_some_and(|word| word.eq_ignore_ascii_case("LIMIT"));
    let scores: Vec<u32> = words.map_while(|word| word.parse().ok()).collect();
    let scores = match scores[..] {
        [one, two] => Some(Score::new(one, two)),
        _ => None,
    };
    Some(BotMessage::Claim { own_move, claim: Claimed { limit, scores } })
}

/// Owner of a move by the parity of its hole: odd holes are player 1's.
fn owner(word: &str) -> Option<Side> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let hole: u32 = word[..digits].parse().ok()?;
    Some(if hole % 2 == 1 { Side::One } else { Side::Two })
}

/// Whether a lenient manifest permits a line: blank lines, `OK`, comments and `info`.
fn is_chatter(text: &str) -> bool {
    let text = text.trim_ascii();
    text.is_empty()
        || text.eq_ignore_ascii_case("ok")
        || text.starts_with('#')
        || text == "info"
        || text.starts_with("info ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hear(dialect: Dialect, line: &str) -> Result<BotMessage<'_>, Fault> {
        hear_answer(dialect, false, Side::One, line.as_bytes())
    }

    #[test]
    fn arena_takes_exactly_one_word() {
        let said = hear(Dialect::Arena, "4tr").expect("a move");
        assert_eq!(said, BotMessage::Move { text: "4tr", comment: None });
        for line in ["", " 4TR", "4TR ", "4TR 5B", "move: 4TR", "4TR\0", "\u{202e}4TR"] {
            assert_eq!(hear(Dialect::Arena, line), Err(Fault::MalformedLine), "{line:?}");
        }
        let raw = hear_answer(Dialect::Arena, true, Side::One, b"\xff");
        assert_eq!(raw, Err(Fault::NotUtf8));
    }

    #[test]
    fn pitmaster_takes_move_with_a_comment_and_info() {
        let said = hear(Dialect::Pitmaster, "move 4TR # looks good").expect("a move");
        assert_eq!(said, BotMessage::Move { text: "4TR", comment: Some("looks good") });
        let said = hear(Dialect::Pitmaster, "info score 3").expect("info");
        assert_eq!(said, BotMessage::Info("score 3"));
        for line in ["4TR", "move", "move ", "move 4TR 5B", "Move 4TR", "information", "ready"] {
            assert_eq!(hear(Dialect::Pitmaster, line), Err(Fault::MalformedLine), "{line:?}");
        }
    }

    #[test]
    fn course_claims_carry_a_move_where_its_parity_is_the_bots_own() {
        let hear = |line| hear_answer(Dialect::Course, false, Side::One, line);
        let claim = |own_move, limit, scores| {
            Ok(BotMessage::Claim { own_move, claim: Claimed { limit, scores } })
        };
        let scores = Some(Score::new(49, 12));
        assert_eq!(hear(b"RESULT 3R 49 12"), claim(Some("3R"), false, scores));
        assert_eq!(hear(b"RESULT 14B 49 12"), claim(None, false, scores));
        assert_eq!(hear(b"RESULT LIMIT 49 12"), claim(None, true, scores));
        assert_eq!(hear(b"RESULT LIMIT"), claim(None, true, None));
        assert_eq!(hear(b"RESULT 3R 49"), claim(Some("3R"), false, None));
        assert_eq!(hear(b"RESULTS"), Ok(BotMessage::Move { text: "RESULTS", comment: None }));
    }

    #[test]
    fn leniency_skips_chatter_and_nothing_else() {
        let lenient = |line| hear_answer(Dialect::Arena, true, Side::One, line);
        for line in [&b""[..], b"OK", b"# thinking", b"info x"] {
            assert_eq!(lenient(line), Ok(BotMessage::Skip));
            assert!(hear_answer(Dialect::Arena, false, Side::One, line) != Ok(BotMessage::Skip));
        }
        assert_eq!(lenient(b"your move?"), Err(Fault::MalformedLine));
    }

    #[test]
    fn a_handshake_is_ready_or_want_or_noise() {
        assert_eq!(hear_handshake(b"ready My Bot"), Handshake::Ready);
        assert_eq!(hear_handshake(b"want position"), Handshake::Want(Want::Position));
        for noise in [&b"readyy"[..], b"", b"\xff", b"want it all", b"Loading model..."] {
            assert_eq!(hear_handshake(noise), Handshake::Other);
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in prop::collection::vec(any::<u8>(), 0..60)) {
            for dialect in Dialect::ALL {
                for side in Side::BOTH {
                    let _ = hear_answer(dialect, line.len() % 2 == 0, side, &line);
                }
            }
            let _ = hear_handshake(&line);
        }
    }
}
