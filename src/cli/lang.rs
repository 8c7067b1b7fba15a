//! Output language, from a flag or the environment.

use std::env;

use pitmaster_core::i18n::Lang;

/// Output language.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct LangFlag {
    /// Language of output for people, en or fr [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
}

impl LangFlag {
    /// Language of the flag alone.
    pub(super) fn given(self) -> Option<Lang> {
        self.lang
    }

    /// Requested language, or that of the environment.
    pub(super) fn lang(self) -> Lang {
        self.lang.unwrap_or_else(of_environment)
    }
}

/// Language of the environment.
pub(super) fn of_environment() -> Lang {
    chosen(|name| env::var(name).ok())
}

/// Language of the first variable that is not empty, in the order of POSIX.
fn chosen(variable: impl Fn(&str) -> Option<String>) -> Lang {
    let mut set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable);
    set.find(|locale| !locale.is_empty()).map_or(Lang::English, |locale| Lang::of_locale(&locale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_chooses() {
        let of = |set: &[(&str, &str)]| {
            chosen(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[]), Lang::English);
        assert_eq!(of(&[("LANG", "fr_FR.UTF-8")]), Lang::French);
        assert_eq!(of(&[("LANG", "fr_FR.UTF-8"), ("LC_ALL", "C")]), Lang::English);
        assert_eq!(of(&[("LANG", "en_GB"), ("LC_ALL", ""), ("LC_MESSAGES", "fr")]), Lang::French);
    }
}
