//! Encoder of referee messages. Appends bytes to a buffer and writes LF only.

use std::io::Write as _;
use std::time::Duration;

use pitmaster_core::{Dialect, Ending, Limits, Mark, Seed, Side};

use super::{VERSION, Want};

/// Contents of a `newgame` block.
#[derive(Debug)]
pub struct Opened<'a> {
    /// Game with its options.
    pub game: &'a str,
    /// Side of the bot.
    pub side: Side,
    /// Limits of the game.
    pub limits: &'a Limits,
    /// Seed of the bot for this game.
    pub seed: Seed,
    /// Moves already played, each preceded by a space.
    pub opening: &'a str,
}

/// Remaining time of a side, for each limit that applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remaining {
    /// Limit of this move.
    pub per_move: Option<Duration>,
    /// Until the game's time limit.
    pub per_game: Option<Duration>,
    /// Time left in the side's own account, then in the opponent's.
    pub banks: Option<(Duration, Duration)>,
}

/// Writing to a vector cannot fail.
macro_rules! say {
    ($out:expr, $($arg:tt)*) => {
        let _ = writeln!($out, $($arg)*);
    };
}

/// Message that ends a process (dialect `pitmaster`).
pub const QUIT: &[u8] = b"quit\n";

/// End of every block that asks for a move (dialect `pitmaster`).
pub const GO: &[u8] = b"go\n";

/// Whether these bytes, which the referee sends in one piece, ask a bot of that dialect for a move.
pub fn asks_for_move(dialect: Dialect, bytes: &[u8]) -> bool {
    !dialect.has_handshake() || bytes.ends_with(GO)
}

/// Writes the first line to a new process (dialect `pitmaster`).
pub fn greeting(out: &mut Vec<u8>) {
    say!(out, "pitmaster {VERSION}");
}

/// Writes the block that opens a game (dialect `pitmaster`).
pub fn new_game(out: &mut Vec<u8>, opened: &Opened<'_>) {
    let limits = opened.limits;
    say!(out, "game {}", opened.game);
    say!(out, "side {}", opened.side);
    if let Some(limit) = limits.per_move {
        say!(out, "limit move {}", limit.as_millis());
    }
    if let Some(limit) = limits.per_game {
        say!(out, "limit game {}", limit.as_millis());
    }
    if let Some(plies) = limits.plies {
        say!(out, "limit plies {plies}");
    }
    if let Some(bank) = limits.bank {
        say!(out, "limit bank {} {}", bank.initial.as_millis(), bank.increment.as_millis());
    }
    say!(out, "seed {}", opened.seed.0);
    if !opened.opening.is_empty() {
        say!(out, "opening{}", opened.opening);
    }
    say!(out, "newgame");
}

/// Writes a request for a move (dialect `pitmaster`). `played` and `moves` contain texts, each
/// preceded by a space. `position` is called only for bots that want it.
pub fn turn_block(
    out: &mut Vec<u8>,
    want: Want,
    played: &str,
    remaining: Remaining,
    moves: &str,
    position: impl FnOnce() -> String,
) {
    if !played.is_empty() {
        say!(out, "played{played}");
    }
    if want == Want::Position {
        say!(out, "position {}", position());
    }
    if want != Want::Nothing {
        time_line(out, remaining);
        say!(out, "moves{moves}");
    }
    out.extend_from_slice(GO);
}

fn time_line(out: &mut Vec<u8>, remaining: Remaining) {
    if remaining == Remaining::default() {
        return;
    }
    out.extend_from_slice(b"time");
    if let Some(left) = remaining.per_move {
        let _ = write!(out, " move {}", left.as_millis());
    }
    if let Some(left) = remaining.per_game {
        let _ = write!(out, " game {}", left.as_millis());
    }
    if let Some((own, other)) = remaining.banks {
        let _ = write!(out, " bank {} {}", own.as_millis(), other.as_millis());
    }
    out.push(b'\n');
}

/// Writes the opponent's moves, one per line (the contest's dialects); `START` if there are none.
pub fn answer_line(out: &mut Vec<u8>, played: &str) {
    if played.is_empty() {
        out.extend_from_slice(b"START\n");
    }
    for word in played.split_ascii_whitespace() {
        out.extend_from_slice(word.as_bytes());
        out.push(b'\n');
    }
}

/// Writes the final message of a game to a side. In the contest's dialects: the opponent's last
/// moves, then `END` if the dialect has it. In `pitmaster`: the result.
pub fn farewell(out: &mut Vec<u8>, dialect: Dialect, side: Side, played: &str, ending: &Ending) {
    match dialect {
        Dialect::Pitmaster => {
            let result = match ending.mark(side) {
                Some(Mark::Win) => "win",
                Some(Mark::Loss) => "loss",
                Some(Mark::Draw) | None => "draw",
            };
            let score = ending.score();
            say!(out, "end {result} {} {} {}", score.one, score.two, ending.name());
        }
        Dialect::Arena | Dialect::Course => {
            if !played.is_empty() {
                answer_line(out, played);
            }
            if dialect == Dialect::Arena {
                out.extend_from_slice(b"END\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Bank, Score};

    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("the referee writes UTF-8")
    }

    #[test]
    fn a_game_is_opened_with_all_that_is_limited() {
        let limits = Limits {
            bank: Some(Bank {
                initial: Duration::from_mins(1),
                increment: Duration::from_millis(100),
            }),
            ..Limits::default()
        };
        let opened = Opened {
            game: "coloured-awale",
            side: Side::Two,
            limits: &limits,
            seed: Seed(7),
            opening: " 1R 2B",
        };
        insta::assert_snapshot!(text(|out| new_game(out, &opened)), @r"
        game coloured-awale
        side 2
        limit move 1000
        limit game 210000
        limit plies 400
        limit bank 60000 100
        seed 7
        opening 1R 2B
        newgame
        ");
    }

    #[test]
    fn a_turn_says_what_the_bot_wants() {
        let remaining = Remaining {
            per_move: Some(Duration::from_secs(1)),
            per_game: Some(Duration::from_millis(1500)),
            banks: Some((Duration::from_secs(2), Duration::from_secs(3))),
        };
        let turn =
            |want| text(|out| turn_block(out, want, " 4TR", remaining, " 1R 1B", || "P".into()));
        insta::assert_snapshot!(turn(Want::Position), @r"
        played 4TR
        position P
        time move 1000 game 1500 bank 2000 3000
        moves 1R 1B
        go
        ");
        insta::assert_snapshot!(turn(Want::Nothing), @r"
        played 4TR
        go
        ");
    }

    #[test]
    fn farewells_say_the_last_move_and_the_end() {
        let ending = Ending::Rules {
            clause: "49+".into(),
            winner: Some(Side::Two),
            score: Score::new(9, 49),
        };
        let say = |dialect| text(|out| farewell(out, dialect, Side::One, " 14B", &ending));
        assert_eq!(say(Dialect::Arena), "14B\nEND\n");
        assert_eq!(say(Dialect::Course), "14B\n");
        assert_eq!(say(Dialect::Pitmaster), "end loss 9 49 rules:49+\n");
    }
}
