//! Strict encoder of the server's KGP lines: writes only lines that every client can handle.

use std::fmt::Write as _;

use pitmaster_games::KgpBoard;

use super::TEXT_LIMIT;

/// Command of the server. There are no others in freeplay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Version of the protocol; the first line.
    Kgp,
    /// Confirms a command.
    Ok,
    /// Reason why the connection ends, for people.
    Error(&'a str),
    /// Asks for a `pong`.
    Ping,
    /// Sets an option.
    Set(&'a str, Value<'a>),
    /// Asks for a move.
    State(&'a KgpBoard),
    /// Ends a turn.
    Stop,
    /// Ends the connection.
    Goodbye,
}

/// Value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Always written as a quoted string.
    Text(&'a str),
    /// Whole seconds.
    Seconds(u64),
}

/// Writes a line with its end. A reference is written only with an ID.
pub(super) fn line(id: Option<u64>, reference: Option<u64>, command: &Command<'_>) -> String {
    let mut out = String::new();
    if let Some(id) = id {
        let _ = write!(out, "{id}");
        if let Some(reference) = reference {
            let _ = write!(out, "@{reference}");
        }
        out.push(' ');
    }
    match command {
        Command::Kgp => out.push_str("kgp 1 0 1"),
        Command::Ok => out.push_str("ok"),
        Command::Error(why) => {
            out.push_str("error ");
            quote(why, &mut out);
        }
        Command::Ping => out.push_str("ping"),
        Command::Set(option, value) => {
            let _ = write!(out, "set {option} ");
            match value {
                Value::Text(text) => quote(text, &mut out),
                Value::Seconds(seconds) => {
                    let _ = write!(out, "{seconds}");
                }
            }
        }
        Command::State(board) => {
            let _ = write!(out, "state {board}");
        }
        Command::Stop => out.push_str("stop"),
        Command::Goodbye => out.push_str("goodbye"),
    }
    out.push_str("\r\n");
    out
}

/// Writes a quoted string on one line, within the length limit.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    let end = text.floor_char_boundary(TEXT_LIMIT);
    for c in text[..end].chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
}
