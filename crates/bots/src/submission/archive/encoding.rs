//! Text encodings of names in archives.
//!
//! A zip archive declares a name as UTF-8, has the UTF-8 name in an extra field (0x7075), or uses
//! the code page of its author's machine. The code page is guessed by plausibility.

/// Decodes the name of a zip entry. Windows may have written backslashes.
pub(super) fn of_zip(name: &[u8]) -> String {
    let name = of_bytes(name);
    if name.contains('/') { name } else { name.replace('\\', "/") }
}

/// Decodes a name without any hint.
pub(super) fn of_bytes(name: &[u8]) -> String {
    if let Ok(text) = str::from_utf8(name) {
        return text.to_owned();
    }
    let decoded = PAGES.map(|page| page.decode(name));
    // The first one wins a tie.
    let best = decoded.iter().rev().max_by_key(|text| plausibility(text));
    best.cloned().unwrap_or_default()
}

/// The upper half of a code page.
struct Page(&'static str);

/// cp850 of Western Europe, cp437 of DOS, cp866 of Cyrillic DOS, and Windows-1252.
const PAGES: [Page; 4] = [
    Page(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    Page(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    Page(
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{a0}",
    ),
    Page(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    ),
];

impl Page {
    fn decode(&self, name: &[u8]) -> String {
        let upper: Vec<char> = self.0.chars().collect();
        let char_of = |&byte: &u8| match byte {
            0..=0x7f => char::from(byte),
            _ => upper.get(usize::from(byte) - 0x80).copied().unwrap_or('\u{fffd}'),
        };
        name.iter().map(char_of).collect()
    }
}

/// Plausibility score of a name: letters where letters are expected.
fn plausibility(text: &str) -> i32 {
    let mut before = ' ';
    let mut score = 0;
    let is_cyrillic = |c: char| ('А'..='ё').contains(&c);
    for c in text.chars() {
        score += match c {
            _ if c.is_ascii() => 0,
            _ if is_cyrillic(c) && is_cyrillic(before) => 2,
            // A Cyrillic letter among Latin ones suggests a wrong guess.
            _ if is_cyrillic(c) => -1,
            'Þ' | 'þ' | 'Ð' | 'ð' | '¥' | 'ƒ' | 'ÿ' | 'µ' => -1,
            _ if c.is_lowercase() && is_latin(c) => 2,
            _ if c.is_uppercase() && is_latin(c) && before.is_lowercase() => -2,
            _ if c.is_uppercase() && is_latin(c) => 1,
            '’' | '–' => 1,
            _ => -3,
        };
        before = c;
    }
    score
}

fn is_latin(c: char) -> bool {
    ('\u{c0}'..='\u{17f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_complete() {
        assert!(PAGES.iter().all(|page| page.0.chars().count() == 128));
    }

    #[test]
    fn names_are_decoded_in_the_code_page_that_makes_words() {
        for (bytes, name) in [
            (&b"\x85 lire.txt"[..], "à lire.txt"),
            (b"projet awal\x82.zip", "projet awalé.zip"),
            (b"projet awal\xe9.zip", "projet awalé.zip"),
            (b"\xb7 rendre.txt", "À rendre.txt"),
            (b"\xe0 lire.txt", "à lire.txt"),
            (b"\x8f\xe0\xae\xa5\xaa\xe2.zip", "Проект.zip"),
            ("à lire.txt".as_bytes(), "à lire.txt"),
        ] {
            assert_eq!(of_bytes(bytes), name);
        }
    }
}
