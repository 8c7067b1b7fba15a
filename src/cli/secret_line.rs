//! Reader of a secret: a line of standard input, without echo on a terminal.

use std::io::{self, BufRead as _, IsTerminal as _};

use pitmaster_core::i18n::Lang;
use pitmaster_core::i18n::Message;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::progress::say;

/// Reads a line without its end. On a terminal, prompts first and disables echo.
///
/// # Errors
/// Standard input cannot be read.
pub(super) fn read(question: &Message, lang: Lang) -> io::Result<String> {
    let stdin = io::stdin();
    let mut line = String::new();
    if stdin.is_terminal() {
        say(&question.to(lang));
        let shown = tcgetattr(&stdin)?;
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Flush, &hidden)?;
        let read = stdin.lock().read_line(&mut line);
        tcsetattr(&stdin, OptionalActions::Flush, &shown)?;
        read?;
    } else {
        stdin.lock().read_line(&mut line)?;
    }
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
