//! Interactive replay of a game on a terminal.

use std::io::{self, Read as _, Write};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Next,
    Back,
    First,
    Last,
    Digit(usize),
    Enter,
    Quit,
}

/// Key help below every board.
const HELP: &str =
    "→ n space: next   ← p: back   g: start   G: end   a number and Enter: that ply   q: quit";

/// Clears the screen and moves the cursor to its corner.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Current position in a game.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    ply: usize,
    plies: usize,
    /// Number that is being typed.
    typed: Option<usize>,
}

impl Place {
    /// Handles a key. Returns whether the replay continues.
    fn press(&mut self, key: Key) -> bool {
        let typed = self.typed.take();
        match key {
            Key::Next => self.ply = (self.ply + 1).min(self.plies),
            Key::Back => self.ply = self.ply.saturating_sub(1),
            Key::First => self.ply = 0,
            Key::Last => self.ply = self.plies,
            Key::Digit(digit) => {
                self.typed = Some((typed.unwrap_or(0).saturating_mul(10) + digit).min(self.plies));
            }
            Key::Enter => self.ply = typed.unwrap_or((self.ply + 1).min(self.plies)),
            Key::Quit => return false,
        }
        true
    }
}

/// Decodes the keys in terminal input. Unknown input is ignored.
fn keys(mut sent: &[u8]) -> Vec<Key> {
    const LONG: [(&[u8], Key); 8] = [
        (b"\x1b[C", Key::Next),
        (b"\x1b[D", Key::Back),
        (b"\x1bOC", Key::Next),
        (b"\x1bOD", Key::Back),
        (b"\x1b[H", Key::First),
        (b"\x1b[F", Key::Last),
        (b"\x1b[1~", Key::First),
        (b"\x1b[4~", Key::Last),
    ];
    let mut keys = Vec::new();
    while let [first, rest @ ..] = sent {
        if let Some((name, key)) = LONG.iter().find(|(name, _)| sent.starts_with(name)) {
            keys.push(*key);
            sent = &sent[name.len()..];
            continue;
        }
        keys.extend(match first {
            b'n' | b' ' | b'l' => Some(Key::Next),
            b'p' | b'b' | b'h' => Some(Key::Back),
            b'g' => Some(Key::First),
            b'G' => Some(Key::Last),
            b'0'..=b'9' => Some(Key::Digit(usize::from(first - b'0'))),
            b'\r' | b'\n' => Some(Key::Enter),
            // Ctrl-C and Ctrl-D arrive as bytes in this mode.
            b'q' | 3 | 4 => Some(Key::Quit),
            _ => None,
        });
        sent = rest;
    }
    keys
}

/// Terminal mode without line buffering and echo; restored on drop.
struct KeyMode(Termios);

impl KeyMode {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut now = before.clone();
        now.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcsetattr(io::stdin(), OptionalActions::Now, &now)?;
        Ok(Self(before))
    }
}

impl Drop for KeyMode {
    fn drop(&mut self) {
        // Fails only if the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

/// Steps through the plies by keys until the user quits. `page` returns the text of a ply, from 0
/// to the last one.
pub(super) fn step(
    plies: usize,
    page: impl Fn(usize) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let _mode = KeyMode::begin()?;
    let mut place = Place { ply: 0, plies, typed: None };
    let mut sent = [0; 64];
    loop {
        let typed = place.typed.map_or(String::new(), |number| format!("   ply {number}"));
        write!(out, "{CLEAR}{}\n{HELP}{typed}\n", page(place.ply))?;
        out.flush()?;
        let read = io::stdin().read(&mut sent)?;
        if read == 0 || !keys(&sent[..read]).into_iter().all(|key| place.press(key)) {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ply shown after these keys in a game of 20 plies; `None` if the user quit.
    fn after(sent: &str) -> Option<usize> {
        let mut place = Place { ply: 0, plies: 20, typed: None };
        keys(sent.as_bytes()).into_iter().all(|key| place.press(key)).then_some(place.ply)
    }

    #[test]
    fn keys_move_through_the_game() {
        for (sent, ply) in [
            ("", 0),
            ("n", 1),
            (" n\x1b[C\x1bOC", 4),
            ("nnnp\x1b[D", 1),
            ("p", 0),
            ("G", 20),
            ("Gn", 20),
            ("\x1b[F\x1b[D", 19),
            ("Gg", 0),
            ("nn\x1b[H", 0),
            ("12\r", 12),
            ("7\r\r", 8),
            ("999999999999999999999999\r", 20),
            ("1n", 1),
            ("xyz\x1b[A\x07", 0),
        ] {
            assert_eq!(after(sent), Some(ply), "{sent:?}");
        }
        for sent in ["q", "nq", "\x03", "\x04n"] {
            assert_eq!(after(sent), None, "{sent:?}");
        }
    }
}
