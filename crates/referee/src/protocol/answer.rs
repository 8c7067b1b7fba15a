//! Encoder of bot messages, for bots that are part of this program. Appends bytes to a buffer.

use std::io::Write as _;

use pitmaster_core::Dialect;

/// Answers the greeting and asks for every position.
pub fn greet_back(out: &mut Vec<u8>, name: &str) {
    let _ = writeln!(out, "want position\nready {name}");
}

/// Answers `newgame`.
pub fn ready(out: &mut Vec<u8>) {
    out.extend_from_slice(b"ready\n");
}

/// Reports how a move was found: plies searched, moves made on a board meanwhile, the value of the
/// position for the mover in seeds, and its result if that is proven.
pub fn info(
    out: &mut Vec<u8>,
    depth: Option<u32>,
    nodes: u64,
    seeds: Option<f64>,
    verdict: Option<&str>,
) {
    out.extend_from_slice(b"info");
    if let Some(depth) = depth {
        let _ = write!(out, " depth {depth}");
    }
    let _ = write!(out, " nodes {nodes}");
    if let Some(seeds) = seeds {
        let _ = write!(out, " value {seeds:.2}");
    }
    if let Some(verdict) = verdict {
        let _ = write!(out, " ({verdict})");
    }
    out.push(b'\n');
}

/// Answers with a move.
pub fn answer(out: &mut Vec<u8>, dialect: Dialect, text: &str) {
    let word = if dialect == Dialect::Pitmaster { "move " } else { "" };
    let _ = writeln!(out, "{word}{text}");
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Side;

    use super::super::{BotMessage, Handshake, Want, hear_answer, hear_handshake};
    use super::*;

    fn lines(write: impl FnOnce(&mut Vec<u8>)) -> Vec<String> {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_referee_understands_it() {
        let shakes = lines(|out| {
            greet_back(out, "house:random");
            ready(out);
        });
        let shakes: Vec<_> = shakes.iter().map(|line| hear_handshake(line.as_bytes())).collect();
        assert_eq!(shakes, [Handshake::Want(Want::Position), Handshake::Ready, Handshake::Ready]);
        for dialect in Dialect::ALL {
            let line = lines(|out| answer(out, dialect, "fill=1:4")).remove(0);
            let said = hear_answer(dialect, false, Side::One, line.as_bytes());
            assert_eq!(said, Ok(BotMessage::Move { text: "fill=1:4", comment: None }));
        }
    }

    #[test]
    fn what_is_known_of_a_move_is_said() {
        let said = lines(|out| {
            info(out, Some(4), 60124, Some(-1.5), None);
            info(out, Some(9), 800, Some(3.0), Some("player 1 wins by 3"));
            info(out, None, 7, None, None);
        });
        insta::assert_snapshot!(said.join("\n"), @"
        info depth 4 nodes 60124 value -1.50
        info depth 9 nodes 800 value 3.00 (player 1 wins by 3)
        info nodes 7
        ");
    }
}
