//! Wire protocol: conversion between bytes, lines and messages, for every dialect.
//!
//! The module knows neither pipes nor clocks. `protocol.md` documents the protocol for people.

mod answer;
mod encode;
mod framer;
mod parse;
mod referee_message;

pub use answer::{answer, greet_back, info, ready};
pub use encode::{
    GO, Opened, QUIT, Remaining, answer_line, asks_for_move, farewell, greeting, new_game,
    turn_block,
};
pub use framer::{Framed, Framer};
pub use parse::{BotMessage, Claimed, Handshake, Want, hear_answer, hear_handshake};
pub use referee_message::{RefereeMessage, hear_referee, position_in};

/// Version of the `pitmaster` dialect.
pub const VERSION: u32 = 1;

/// Maximum length of a line in bytes, without its end.
pub const LINE_LIMIT: usize = 4096;

/// Default for the maximum bytes that a bot may write from being asked to its answer.
pub const TURN_LIMIT: usize = 64 * 1024;

/// Maximum bytes that a bot may write on standard output in a game.
pub const GAME_LIMIT: usize = 4 * 1024 * 1024;
