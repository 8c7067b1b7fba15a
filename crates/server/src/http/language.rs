//! Language negotiation.

use axum::http::{HeaderMap, header};
use pitmaster_core::i18n::Lang;

/// Supported language that `Accept-Language` prefers (RFC 9110, section 12.5.4); English by
/// default.
pub(super) fn preferred(headers: &HeaderMap) -> Lang {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let ranges = accepted.unwrap_or_default().split(',').filter_map(range);
    // The first of several equal ones, as most browsers order them.
    ranges.rev().max_by_key(|(_, quality)| *quality).map_or(Lang::English, |(lang, _)| lang)
}

/// Parses a supported language with its quality in thousandths; `None` if it is unsupported or
/// unacceptable.
fn range(text: &str) -> Option<(Lang, u32)> {
    let mut parts = text.split(';').map(str::trim);
    let code = parts.next()?.split('-').next()?.to_ascii_lowercase();
    let lang = if code == "*" { Lang::English } else { code.parse().ok()? };
    let quality =
        parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok());
    let quality: f64 = quality.filter(|q| (0.0..=1.0).contains(q))?;
    (quality > 0.0).then_some((lang, (quality * 1000.0) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_supported_language_is_chosen() {
        for (accepted, lang) in [
            ("fr-CA,fr;q=0.9,en;q=0.8", Lang::French),
            ("en-US,en;q=0.9,fr;q=0.8", Lang::English),
            ("de,fr;q=0.5,en;q=0.3", Lang::French),
            ("de", Lang::English),
            ("fr;q=0,en;q=0.1", Lang::English),
            ("*;q=0.1,fr;q=0.2", Lang::French),
            ("", Lang::English),
            (";;;q=x,fr;q=nan,\u{7f}", Lang::English),
        ] {
            let mut headers = HeaderMap::new();
            headers
                .insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap_or("".parse().unwrap()));
            assert_eq!(preferred(&headers), lang, "{accepted}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Lang::English);
    }
}
