//! Game names as used in commands and files.

/// Converts a name to lowercase, folds accents, and replaces every run of other characters by one
/// `_`, without `_` at the ends.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match fold(c) {
            Some("") => {}
            Some(letters) => slug.push_str(letters),
            None if c.is_alphanumeric() => slug.push(c),
            None if slug.is_empty() || slug.ends_with('_') => {}
            None => slug.push('_'),
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    slug
}

/// Plain letters for a lowercase letter with an accent. Empty for a combining accent.
const fn fold(c: char) -> Option<&'static str> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ḍ' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' | 'ḥ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => "i",
        'ł' | 'ĺ' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ṅ' | 'ṇ' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' | 'ṛ' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṣ' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' | 'ṭ' => "t",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_slugs() {
        for (name, expected) in [
            ("Adji Kui I", "adji_kui_i"),
            ("Sàn Yáo", "san_yao"),
            ("Sa\u{300}n Ya\u{301}o", "san_yao"),
            ("J'Odu", "j_odu"),
            ("Leab El-ákil", "leab_el_akil"),
            ("Meusuëb", "meusueb"),
            ("SANDWICH", "sandwich"),
            ("--a  b__", "a_b"),
            ("ọ̀wàrẹ́", "oware"),
            ("İ", "i"),
            ("日本", "日本"),
            ("", ""),
        ] {
            assert_eq!(slug(name), expected, "{name}");
            assert_eq!(slug(expected), expected);
        }
    }
}
