//! Pages: what all of them share, and how errors look.

use std::borrow::Borrow;

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use pitmaster_core::i18n::Lang;
use pitmaster_core::is_hidden;
use pitmaster_season::course::Utc;

use super::asset;
use super::problem::{Kind, Problem};

/// What all pages share.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The reader's language.
    pub lang: Lang,
    /// Name of the site: the school or the course.
    pub site: String,
    /// Address of the style sheet.
    pub style: &'static str,
    /// Address of the script.
    pub script: &'static str,
    /// Who reads it.
    pub reader: Reader,
}

/// Who reads a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reader {
    /// Nobody asked: the page of an error.
    Unknown,
    /// Nobody is logged in.
    Guest,
    /// The person of this name.
    Person(String),
}

impl Layout {
    /// The layout in a language for a reader.
    pub(super) fn new(lang: Lang, site: &str, reader: Reader) -> Self {
        let (style, script) = (&asset::style().address, &asset::script().address);
        Self { lang, site: site.to_owned(), style, script, reader }
    }

    /// A text in the reader's language.
    pub(super) fn t<'t>(&self, english: &'t str) -> &'t str {
        self.lang.text(english)
    }
}

/// An instant to the minute, in UTC.
pub(super) fn minute(at: impl Borrow<Utc>) -> String {
    let text = at.borrow().to_string();
    text.chars().take("2026-11-20T22:59".len()).collect::<String>().replace('T', " ")
}

/// What somebody typed, for the same field again: without characters that nobody sees or that are
/// not allowed in a page.
pub(super) fn typed(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !is_hidden(*c)).collect()
}

/// The answer with a page.
pub(super) fn answer(page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => Html(html).into_response(),
        // A template fails only if a value cannot be written.
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
    /// Address of the form to log in, if that helps.
    log_in: Option<String>,
    /// Address of the page whose form was refused.
    back: Option<String>,
    status: u16,
}

/// What somebody asked for, to be gone back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The page of this path.
    Page(String),
    /// What a form does; with the path of its page, if the browser tells it.
    Form(Option<String>),
}

/// Address of the form to log in, which leads back to the page that was wanted.
fn log_in(wanted: &Wanted) -> String {
    let path = match wanted {
        Wanted::Page(path) => Some(path),
        Wanted::Form(page) => page.as_ref(),
    };
    let Some(wanted) = path.filter(|path| !path.is_empty() && path.len() <= LONGEST_WAY_BACK)
    else {
        return "/login".into();
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escaped = wanted.bytes().map(|byte| match byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    });
    format!("/login?next={}", escaped.collect::<String>())
}

/// Longest address that is gone back to after a login, in bytes.
const LONGEST_WAY_BACK: usize = 500;

/// The answer with the page of an error, from which one goes back to what was wanted.
pub(super) fn problem(problem: &Problem, layout: Layout, wanted: &Wanted) -> Response {
    let lang = layout.lang;
    let page = ProblemPage {
        title: problem.title().to(lang),
        detail: problem.detail().map(|detail| detail.to(lang)),
        log_in: (problem.kind() == Kind::LogIn).then(|| log_in(wanted)),
        back: match wanted {
            Wanted::Form(from) => from.clone(),
            Wanted::Page(_) => None,
        },
        status: problem.status().as_u16(),
        layout,
    };
    let mut response = answer(&page);
    *response.status_mut() = problem.status();
    problem.add_headers(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_again_has_no_characters_that_act() {
        assert_eq!(typed("Éva\u{7}\r\nLu\0 \u{202e}x\u{1b}[31m"), "ÉvaLu x[31m");
        assert_eq!(typed("/c/school?bot=g1.x"), "/c/school?bot=g1.x");
    }
}
