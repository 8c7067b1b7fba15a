//! Move diagnosis: why a line is not a move, or a move is not legal, found by trying moves on the
//! board.
//!
//! Must not depend on any particular game.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Dialect, Side};
use pitmaster_games::{GameState, Turn};
use pitmaster_referee::{board_after, refused_in};

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;

fn legal_on(table: &mut dyn GameState) -> Vec<String> {
    let mut text = String::new();
    table.list_moves(&mut text);
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// Legal moves after a number of plies.
fn legal(case: &Case<'_>, plies: usize) -> Vec<String> {
    let table = board_after(case.game, &case.met.record, plies);
    table.map_or_else(Vec::new, |mut table| legal_on(&mut *table))
}

fn has(moves: &[String], text: &str) -> bool {
    moves.iter().any(|legal| legal.eq_ignore_ascii_case(text))
}

/// Whether the opponent could play it right after some legal move.
fn is_the_others(case: &Case<'_>, text: &str) -> bool {
    let plies = case.met.record.plies.len();
    legal(case, plies).iter().any(|own| {
        let Some(mut table) = board_after(case.game, &case.met.record, plies) else { return false };
        table.play(own, &mut String::new()).is_ok()
            && table.turn() == Turn::Player(case.met.side.other())
            && has(&legal_on(&mut *table), text)
    })
}

/// Whether the move was legal at the bot's previous turn.
fn was_legal(case: &Case<'_>, text: &str) -> bool {
    let plies = &case.met.record.plies;
    let last = plies.iter().rposition(|ply| ply.by == Some(case.met.side));
    last.is_some_and(|last| has(&legal(case, last), text))
}

/// First number in a text, and the text with that number incremented.
fn one_higher(text: &str) -> Option<(u32, String)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let number: u32 = text[start..start + digits].parse().ok()?;
    let higher = number.checked_add(1)?;
    Some((number, format!("{}{higher}{}", &text[..start], &text[start + digits..])))
}

/// The word of a line that should be a move.
fn word(case: &Case<'_>) -> String {
    let line = case.line().shown(SHOWN);
    let text = line.strip_prefix("move ").unwrap_or(&line);
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn some_of(moves: &[String]) -> String {
    let more = if moves.len() > 4 { " …" } else { "" };
    format!("{}{more}", moves[..moves.len().min(4)].join(" "))
}

/// Finding for an illegal move.
pub(super) fn illegal(case: &Case<'_>) -> Found {
    let text = word(case);
    let moves = legal(case, case.met.record.plies.len());
    let expected = said!("one of the {} legal moves ({})", moves.len(), some_of(&moves));
    let came = said!("{} as player {}", &text, case.met.side.number());
    let came = match reason(case) {
        Some(why) => said!("{}: {}", came, why),
        None => came,
    };
    let (what, advice) = why_illegal(case, &text, &moves);
    Found { what, expected, came, advice }
}

/// Rule that forbids its move.
fn reason(case: &Case<'_>) -> Option<Message> {
    let mut table = board_after(case.game, &case.met.record, case.met.record.plies.len())?;
    refused_in(&mut *table, case.line().as_bytes())
}

fn why_illegal(case: &Case<'_>, text: &str, moves: &[String]) -> (What, Message) {
    let from_zero = one_higher(text).filter(|(_, higher)| has(moves, higher));
    if from_zero.as_ref().is_some_and(|(number, _)| *number == 0) {
        return (What::CountsFromZero, counts_from_zero(text));
    }
    if is_the_others(case, text) {
        return (What::WrongSide, wrong_side(case, from_zero.map(|(_, higher)| higher)));
    }
    if was_legal(case, text) {
        let advice = said!(
            "it was legal in its previous turn. Either its board was not updated: play its own \
             move and then the opponent's on it, in every turn, with captures. Or its search \
             returns an old move, for example when its time is up: check what it prints then"
        );
        return (What::LostTrack, advice);
    }
    if from_zero.is_some() {
        return (What::CountsFromZero, counts_from_zero(text));
    }
    let advice = match case.dialect {
        Dialect::Pitmaster => said!("choose from the line `moves`, which lists all legal moves"),
        _ => said!(
            "either its board differs from the game's (a rule of sowing or capturing), or the \
             board is right and its search returns a move that it has not checked. To find out \
             which, print its board on standard error before each move and compare it with the \
             board that `pitmaster play` draws; if they are the same, it is the search"
        ),
    };
    (What::IllegalMove, advice)
}

fn counts_from_zero(text: &str) -> Message {
    said!("holes are numbered from 1: {} with a number one higher would be legal", text)
}

fn wrong_side(case: &Case<'_>, from_zero: Option<String>) -> Message {
    let own = match case.dialect {
        Dialect::Pitmaster => said!("the line `side 1` or `side 2` says whose moves to play"),
        Dialect::Arena => said!("the argument {n} in `run` says whether it is player 1 or 2"),
        Dialect::Course => {
            said!("the argument Joueur{J} in `run` says whether it is JoueurA or JoueurB")
        }
    };
    match from_zero {
        None => said!("that move is its opponent's: {}", own),
        Some(higher) => said!(
            "that move is its opponent's: {}; or it numbers the holes from 0, then it meant {}",
            own,
            higher
        ),
    }
}

/// Finding for a line that is not exactly one move.
pub(super) fn malformed(case: &Case<'_>) -> Found {
    let line = case.line();
    let moves = legal(case, case.met.record.plies.len());
    let example = moves.first().map_or_else(|| said!("a move"), |example| said!("{}", example));
    let expected = match case.dialect {
        Dialect::Pitmaster => said!("a line like `move {}`, and nothing else", example),
        Dialect::Arena | Dialect::Course => said!("a line like `{}`, and nothing else", example),
    };
    let (what, advice) = why_malformed(case.dialect, case.met.side, line.as_bytes(), &moves);
    let came =
        if line.is_empty() { said!("an empty line") } else { said!("\"{}\"", line.shown(SHOWN)) };
    Found { what, expected, came, advice }
}

fn why_malformed(dialect: Dialect, side: Side, line: &[u8], moves: &[String]) -> (What, Message) {
    let text = String::from_utf8_lossy(line);
    let separators = |c: char| !c.is_ascii_alphanumeric() && !"+-*=@".contains(c);
    let named: Vec<&str> = text.split(separators).filter(|word| has(moves, word)).collect();
    let suggestion = || {
        let alone = |name: &&str| said!(": `{}` alone is right", *name).into();
        named.first().map_or(Fill::from(""), alone)
    };
    if line.contains(&0) {
        let advice = said!(
            "the line contains a NUL byte: print the text up to its end, not the whole \
                   buffer"
        );
        return (What::NotAMove, advice);
    }
    if has(moves, &text) && dialect == Dialect::Pitmaster {
        let advice = said!(
            "in the dialect pitmaster write `move {}`; or write dialect = \"arena\" in its \
             bot.toml if it is started with its player's number, {} here",
            &*text,
            side.number()
        );
        return (What::OtherDialect, advice);
    }
    if dialect != Dialect::Pitmaster && is_pitmaster(&text) {
        let advice = said!(
            "in the dialect {} the line is the move alone{}",
            dialect.to_string(),
            suggestion()
        );
        return (What::OtherDialect, advice);
    }
    let from_zero = one_higher(text.strip_prefix("move ").unwrap_or(&text));
    if from_zero.is_some_and(|(number, higher)| number == 0 && has(moves, &higher)) {
        return (What::CountsFromZero, counts_from_zero(&text));
    }
    if text.starts_with("RESULT") {
        return (What::OtherDialect, said!("only the dialect course announces the end"));
    }
    let asks = text.trim_end().ends_with([':', '>', '?']) || text.contains(": ");
    if asks {
        let advice = said!("print no prompt{}; prompts are for people", suggestion());
        return (What::Prompt, advice);
    }
    if named.len() > 1 || !named.is_empty() && text.split_ascii_whitespace().count() > 1 {
        return (What::MoreThanAMove, said!("print one move in a line{}", suggestion()));
    }
    let advice = if named.is_empty() {
        said!("print nothing but the move; debugging output belongs on standard error")
    } else {
        said!("print no blanks or signs around the move{}", suggestion())
    };
    (What::NotAMove, advice)
}

fn is_pitmaster(text: &str) -> bool {
    text.starts_with("move ") || text.starts_with("ready") || text.starts_with("want ")
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Fault;
    use pitmaster_core::i18n::Lang;
    use proptest::prelude::*;

    use super::super::fixtures::{case, forfeited, game};
    use super::*;

    #[test]
    fn an_illegal_move_is_told_by_where_it_would_be_legal() {
        let game = game();
        for (side, moves, line, what) in [
            (Side::One, &[][..], "2R", What::WrongSide),
            (Side::Two, &["1R"], "1B", What::WrongSide),
            (Side::One, &[], "0R", What::CountsFromZero),
            (Side::One, &["1R", "2R"], "1R", What::LostTrack),
            (Side::One, &[], "1X", What::IllegalMove),
        ] {
            let met = forfeited(side, moves, Fault::IllegalMove, line.as_bytes());
            let found = illegal(&case(&met, &*game, Dialect::Arena));
            assert_eq!(found.what, what, "{moves:?} {line}: {found:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_was_written_is_safe_to_show(line in prop::collection::vec(any::<u8>(), 0..80)) {
            let game = game();
            for dialect in Dialect::ALL {
                for fault in [Fault::MalformedLine, Fault::IllegalMove, Fault::NotUtf8] {
                    let met = forfeited(Side::One, &[], fault, &line);
                    let found = super::super::diagnose::forfeit(&case(&met, &*game, dialect));
                    let found = found.expect("a forfeit is a finding");
                    for text in [found.expected, found.came, found.advice] {
                        for shown in Lang::ALL.map(|lang| text.to(lang)) {
                            prop_assert!(!shown.contains(|c: char| c.is_control()), "{shown:?}");
                        }
                    }
                }
            }
        }
    }

    fn why(dialect: Dialect, line: &str) -> What {
        let moves = ["1R", "1TB", "3R"].map(str::to_owned);
        why_malformed(dialect, Side::One, line.as_bytes(), &moves).0
    }

    #[test]
    fn a_line_that_is_no_move_is_told_by_its_look() {
        for (line, what) in [
            ("Your move: 1R", What::Prompt),
            ("Your move?", What::Prompt),
            ("1R 3R", What::MoreThanAMove),
            ("move 1R", What::OtherDialect),
            ("RESULT 1R 49 0", What::OtherDialect),
            (" 1R", What::NotAMove),
            ("1R\0", What::NotAMove),
            ("evaluating", What::NotAMove),
            ("0R", What::CountsFromZero),
            ("", What::NotAMove),
        ] {
            assert_eq!(why(Dialect::Arena, line), what, "{line:?}");
        }
        assert_eq!(why(Dialect::Pitmaster, "1R"), What::OtherDialect);
        assert_eq!(why(Dialect::Pitmaster, "move 1R 3R"), What::MoreThanAMove);
    }

    #[test]
    fn numbers_are_raised_where_they_stand() {
        assert_eq!(one_higher("9TR"), Some((9, "10TR".into())));
        assert_eq!(one_higher("a0=b"), Some((0, "a1=b".into())));
        assert_eq!(one_higher("pass"), None);
        assert_eq!(one_higher("99999999999"), None);
    }
}
