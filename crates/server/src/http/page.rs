//! Layout of pages, and error pages.

use std::borrow::Borrow;

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use pitmaster_core::i18n::Lang;
use pitmaster_core::is_hidden;
use pitmaster_season::course::Utc;

use super::asset;
use super::problem::{Kind, Problem};

/// Data that all pages share.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// Language of the page.
    pub lang: Lang,
    /// Name of the site: the school or the course.
    pub site: String,
    /// URL path of the style sheet.
    pub style: &'static str,
    /// URL path of the script.
    pub script: &'static str,
    /// Reader of the page.
    pub reader: Reader,
}

/// Reader of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reader {
    /// Unknown, on an error page.
    Unknown,
    /// Not logged in.
    Guest,
    /// Person of this name.
    Person(String),
}

impl Layout {
    /// Creates a layout in a language for a reader.
    pub(super) fn new(lang: Lang, site: &str, reader: Reader) -> Self {
        let (style, script) = (&asset::style().address, &asset::script().address);
        Self { lang, site: site.to_owned(), style, script, reader }
    }

    /// Translates a text into the reader's language.
    pub(super) fn t<'t>(&self, english: &'t str) -> &'t str {
        self.lang.text(english)
    }
}

/// An instant to the minute, in UTC.
pub(super) fn minute(at: impl Borrow<Utc>) -> String {
    let text = at.borrow().to_string();
    text.chars().take("2026-11-20T22:59".len()).collect::<String>().replace('T', " ")
}

/// Sanitizes a typed text for display in the same field: removes invisible characters and those
/// that are not allowed in a page.
pub(super) fn typed(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !is_hidden(*c)).collect()
}

/// Response with a page.
pub(super) fn render(page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => Html(html).into_response(),
        // A template fails only if a value cannot be formatted.
        Err(_) => Problem::new(Kind::Internal).into_response(),
    }
}

/// Page of an error.
#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    layout: Layout,
    title: String,
    detail: Option<String>,
    /// URL of the login form, if logging in may help.
    log_in: Option<String>,
    /// URL path of the page with the refused form.
    back: Option<String>,
    status: u16,
}

/// Target of a refused request, for a link back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReturnTarget {
    /// Page of this path.
    Page(String),
    /// Action of a form, with the path of its page if the browser sends it.
    Form(Option<String>),
}

/// URL of the login form, which leads back to the target.
fn log_in(target: &ReturnTarget) -> String {
    let path = match target {
        ReturnTarget::Page(path) => Some(path),
        ReturnTarget::Form(page) => page.as_ref(),
    };
    let Some(target) = path.filter(|path| !path.is_empty() && path.len() <= MAX_RETURN_PATH) else {
        return "/login".into();
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escaped = target.bytes().map(|byte| match byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    format!("/login?next={}", escaped.collect::<String>())
}

/// Maximum length of a path to return to after a login, in bytes.
const MAX_RETURN_PATH: usize = 500;

/// Response with the page of an error, which links back to the target.
pub(super) fn problem(problem: &Problem, layout: Layout, target: &ReturnTarget) -> Response {
    let lang = layout.lang;
    let page = ProblemPage {
        title: problem.title().to(lang),
        detail: problem.detail().map(|detail| detail.to(lang)),
        log_in: (problem.kind() == Kind::LogIn).then(|| log_in(target)),
        back: match target {
            ReturnTarget::Form(from) => from.clone(),
            ReturnTarget::Page(_) => None,
        },
        status: problem.status().as_u16(),
        layout,
    };
    let mut response = render(&page);
    *response.status_mut() = problem.status();
    problem.add_headers(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_is_sanitized() {
        assert_eq!(typed("Éva\u{7}\r\nLu\0 \u{202e}x\u{1b}[31m"), "ÉvaLu x[31m");
        assert_eq!(typed("/c/school?bot=g1.x"), "/c/school?bot=g1.x");
    }
}
