//! JSON that is safe to show on a terminal.
//!
//! JSON escapes only control characters below 32. Other control, bidirectional and invisible
//! characters would act on a terminal or be hidden there. Escaping them does not change the meaning
//! of a string.

use std::fmt::Write as _;

use serde::Serialize;

use super::text::is_hidden;

/// Serializes a value as one line of JSON, without a line end.
///
/// # Errors
/// Fails if the value cannot be represented as JSON.
pub fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(escaped)
}

/// Serializes a value as indented JSON, without a final line end.
///
/// # Errors
/// Fails if the value cannot be represented as JSON.
pub fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(escaped)
}

/// Escapes active and hidden characters. They occur only inside strings, where they can be escaped.
/// Line ends between values are kept.
fn escaped(json: String) -> String {
    let acts = |c: char| is_hidden(c) && c != '\n';
    if !json.contains(acts) {
        return json;
    }
    let mut text = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if acts(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_means_the_same() {
        let text =
            "é\u{1b}[2J \u{7f}\u{9b}31m \u{202e}x\u{2066} \u{2028}\u{200b}\u{feff}\u{e0041} \\\"\n";
        let value = serde_json::json!({ "said": text, text: [1, 2] });
        for json in [json_line(&value).unwrap(), json_text(&value).unwrap()] {
            assert!(!json.contains(|c| is_hidden(c) && c != '\n'), "{json}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
        }
        let json = json_line(&"é\u{7f}\u{9b}\u{202e}\u{e0041}\u{1b}").unwrap();
        assert_eq!(json, r#""é\u007f\u009b\u202e\udb40\udc41\u001b""#);
        assert_eq!(json_line(&[1]).unwrap(), "[1]");
    }
}
