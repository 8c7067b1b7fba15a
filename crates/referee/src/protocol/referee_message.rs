//! Parser of referee messages in the `pitmaster` dialect, for the bot's side.

use std::time::Duration;

use pitmaster_core::{Seed, Side};

use super::Remaining;

/// Message of the referee to a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefereeMessage<'l> {
    /// `pitmaster 1`.
    Greeting,
    /// `game …`: opens this game.
    Game(&'l str),
    /// `side …`: the side whose moves the bot is asked for.
    Side(Side),
    /// `limit bank …`: time added to the time account after each move.
    Increment(Duration),
    /// `limit plies …`: plies of both sides after which the score decides.
    Plies(u32),
    /// `seed …`.
    Seed(Seed),
    /// `opening …`: the moves.
    Opening(&'l str),
    /// `newgame`.
    NewGame,
    /// `played …`: the moves.
    Played(&'l str),
    /// `position …`.
    Position(&'l str),
    /// `time …`.
    Time(Remaining),
    /// `go`.
    Go,
    /// `quit`.
    Quit,
    /// Any other line, which the bot can ignore.
    Other,
}

/// Parses a line of the referee, without its end.
pub fn hear_referee(line: &[u8]) -> RefereeMessage<'_> {
    let text = std::str::from_utf8(line).unwrap_or("");
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let message = match word {
        "pitmaster" => Some(RefereeMessage::Greeting),
        "game" => Some(RefereeMessage::Game(rest)),
        "side" => rest.parse().ok().and_then(Side::from_number).map(RefereeMessage::Side),
        "limit" => {
            let increment = || increment(rest).map(RefereeMessage::Increment);
            plies(rest).map(RefereeMessage::Plies).or_else(increment)
        }
        "seed" => rest.parse().ok().map(|seed| RefereeMessage::Seed(Seed(seed))),
        "opening" => Some(RefereeMessage::Opening(rest)),
        "newgame" => Some(RefereeMessage::NewGame),
        "played" => Some(RefereeMessage::Played(rest)),
        "position" => Some(RefereeMessage::Position(rest)),
        "time" => Some(RefereeMessage::Time(remaining(rest))),
        "go" => Some(RefereeMessage::Go),
        "quit" => Some(RefereeMessage::Quit),
        _ => None,
    };
    message.unwrap_or(RefereeMessage::Other)
}

/// The first position in lines of the referee.
pub fn position_in(lines: &[u8]) -> Option<&str> {
    lines.split(|&byte| byte == b'\n').find_map(|line| match hear_referee(line) {
        RefereeMessage::Position(text) => Some(text),
        _ => None,
    })
}

fn plies(limit: &str) -> Option<u32> {
    limit.strip_prefix("plies ")?.parse().ok()
}

fn increment(limit: &str) -> Option<Duration> {
    millis(limit.strip_prefix("bank ")?.split_once(' ')?.1)
}

/// Skips anything that a later version may add to the line.
fn remaining(text: &str) -> Remaining {
    let mut left = Remaining::default();
    let mut words = text.split(' ');
    while let Some(word) = words.next() {
        match word {
            "move" => left.per_move = words.next().and_then(millis),
            "game" => left.per_game = words.next().and_then(millis),
            "bank" => left.banks = words.next().and_then(millis).zip(words.next().and_then(millis)),
            _ => {}
        }
    }
    left
}

fn millis(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Bank, Limits};
    use proptest::prelude::*;

    use super::super::{Opened, Want, greeting, new_game, turn_block};
    use super::*;

    fn heard(said: &[u8]) -> Vec<RefereeMessage<'_>> {
        let lines = said.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(hear_referee).collect()
    }

    const ALL: Remaining = Remaining {
        per_move: Some(Duration::from_millis(1)),
        per_game: Some(Duration::from_millis(2)),
        banks: Some((Duration::from_millis(3), Duration::from_millis(4))),
    };

    #[test]
    fn what_is_said_is_heard() {
        let bank = Bank { initial: Duration::from_mins(1), increment: Duration::from_millis(100) };
        let limits = Limits { bank: Some(bank), ..Limits::default() };
        let (game, opening) = ("kalah,holes=5", " 1 2");
        let mut out = Vec::new();
        greeting(&mut out);
        let opened = Opened { game, side: Side::Two, limits: &limits, seed: Seed(7), opening };
        new_game(&mut out, &opened);
        turn_block(&mut out, Want::Position, " 4 5", ALL, " 1", || "x;y".into());
        let messages: Vec<_> =
            heard(&out).into_iter().filter(|message| *message != RefereeMessage::Other).collect();
        assert_eq!(
            messages,
            [
                RefereeMessage::Greeting,
                RefereeMessage::Game("kalah,holes=5"),
                RefereeMessage::Side(Side::Two),
                RefereeMessage::Plies(400),
                RefereeMessage::Increment(bank.increment),
                RefereeMessage::Seed(Seed(7)),
                RefereeMessage::Opening("1 2"),
                RefereeMessage::NewGame,
                RefereeMessage::Played("4 5"),
                RefereeMessage::Position("x;y"),
                RefereeMessage::Time(ALL),
                RefereeMessage::Go,
            ]
        );
    }

    #[test]
    fn what_is_not_known_is_passed_over() {
        for line in
            ["", "gone", "hint 3", "limit plies -1", "limit bank 5", "side 3", "seed x", " go"]
        {
            assert_eq!(hear_referee(line.as_bytes()), RefereeMessage::Other, "{line:?}");
        }
        assert_eq!(hear_referee(b"\xff"), RefereeMessage::Other);
        let longer = b"time rest 9 move 1 game 2 bank 3 4 more";
        assert_eq!(hear_referee(longer), RefereeMessage::Time(ALL));
        assert_eq!(hear_referee(b"time bank 3"), RefereeMessage::Time(Remaining::default()));
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = hear_referee(&line);
        }
    }
}
