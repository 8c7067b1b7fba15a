//! List of all or selected games, one line each, with the most popular games first.

use std::fmt::Write as _;

use pitmaster_core::diagnostics::hint;
use pitmaster_games::two_row::catalogue::{self, Entry, slug};
use pitmaster_games::two_row::file::GameFile;
use pitmaster_games::two_row::params::{Class, Goal};
use pitmaster_games::{Description, descriptions};
use unicode_width::UnicodeWidthStr as _;

/// Filter of games; all criteria are optional.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Filter {
    /// Only games with all these words in their name or description
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only games of a region or of a part of one: africa, "western africa", americas
    #[arg(long)]
    region: Option<String>,
    /// Only games of a class: Mancala, ZigZag, Diffusion…
    #[arg(long, value_parser = class)]
    class: Option<Class>,
    /// Only games with a goal: MAX_SEEDS, TERRITORY, CLEAR…
    #[arg(long, value_parser = goal)]
    goal: Option<Goal>,
    /// Only games with N holes on each side
    #[arg(long, value_name = "N")]
    holes: Option<i32>,
}

fn class(text: &str) -> Result<Class, String> {
    named(text, Class::ALL, Class::name)
}

fn goal(text: &str) -> Result<Goal, String> {
    named(text, Goal::ALL, Goal::name)
}

/// Finds a value by its name, ignoring case.
fn named<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let same = |one: &&T| slug(name(**one)) == slug(text);
    all.iter().find(same).copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|one| name(*one)).collect();
        hint("expected one of", text, names, None)
    })
}

/// Games of the catalogue that are listed first.
const FIRST: [&str; 4] = ["kalah", "kalah_empty", "oware", "congkak"];

/// Line of the list.
struct Line {
    name: String,
    /// Holes on each side and seeds in each: `6×4`.
    size: String,
    about: String,
    region: String,
}

/// The list, or a sentence if no game matches.
pub(super) fn list(filter: &Filter, width: usize) -> String {
    let own = descriptions().filter(|_| filter.takes_any()).map(own_line);
    let known = FIRST.iter().filter_map(|name| catalogue::find(name));
    let first: Vec<_> = own.chain(known.filter_map(|entry| line(entry, filter))).collect();
    let rest = catalogue::ENTRIES.iter().filter(|entry| !FIRST.contains(&entry.slug));
    let rest = rest.filter_map(|entry| line(entry, filter)).collect();
    let parts = [first, rest].map(|mut lines| {
        lines.retain(|line: &Line| filter.words.iter().all(|word| line.has(word)));
        lines
    });
    if parts.iter().all(Vec::is_empty) {
        return "no game matches; `pitmaster games` lists all\n".into();
    }
    written(&parts, width)
}

fn own_line(Description { name, size, about, .. }: Description) -> Line {
    Line { name: name.into(), size: size.into(), about: about.into(), region: String::new() }
}

/// The line of a game, if it matches the filter.
fn line(entry: &Entry, filter: &Filter) -> Option<Line> {
    let file = entry.file();
    let size = format!("{}×{}", file.params.holes, file.params.nbr_start);
    let asked = filter.takes(&file);
    let GameFile { about, region, .. } = file;
    asked.then(|| Line { name: entry.slug.to_owned(), size, about, region })
}

impl Filter {
    /// Whether the filter has no criteria other than words.
    fn takes_any(&self) -> bool {
        let Self { words: _, region, class, goal, holes } = self;
        region.is_none() && class.is_none() && goal.is_none() && holes.is_none()
    }

    fn takes(&self, file: &GameFile) -> bool {
        let params = &file.params;
        self.region.as_ref().is_none_or(|part| slug(&file.region).contains(&slug(part)))
            && self.class.is_none_or(|class| class == params.game_class)
            && self.goal.is_none_or(|goal| goal == params.goal)
            && self.holes.is_none_or(|holes| holes == params.holes)
    }
}

impl Line {
    fn has(&self, word: &str) -> bool {
        let text = format!("{} {} {}", self.name, self.about, self.region);
        slug(&text).contains(&slug(word))
    }
}

/// Renders a table in parts, with the last column cut to the width of the terminal.
fn written(parts: &[Vec<Line>], width: usize) -> String {
    let lines = || parts.iter().flatten();
    let longest = |column: fn(&Line) -> &str| {
        lines().map(|line| column(line).width()).max().unwrap_or_default()
    };
    let (names, sizes) = (longest(|line| &line.name), longest(|line| &line.size));
    let mut text = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        for Line { name, size, about, .. } in part {
            let about = cut(about, width.saturating_sub(names + sizes + 4).max(20));
            let _ = writeln!(text, "{name:<names$}  {size:<sizes$}  {about}");
        }
        text.push('\n');
    }
    let count = lines().count();
    let games = if count == 1 { "game" } else { "games" };
    let _ = writeln!(
        text,
        "{count} {games}, with holes on each side × seeds in each; `pitmaster games show GAME` \
         shows the rules."
    );
    text
}

/// Cuts a text to this width at a word, with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for word in text.split_inclusive(' ') {
        if cut.width() + word.width() > width {
            break;
        }
        cut.push_str(word);
    }
    format!("{}…", cut.trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(filter: &Filter) -> String {
        list(filter, 80)
    }

    #[test]
    fn all_games_are_listed_within_the_width() {
        let text = asked(&Filter::default());
        let first: Vec<_> = text.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(first.len(), FIRST.len() + descriptions().count(), "{text}");
        assert!(first[0].starts_with("coloured-awale "), "{text}");
        assert_eq!(text.lines().count(), catalogue::ENTRIES.len() + descriptions().count() + 3);
        assert!(text.lines().all(|line| line.width() <= 105), "{text}");
    }

    #[test]
    fn only_those_that_are_asked_for() {
        let zigzag = Filter { class: class("zigzag").ok(), ..Filter::default() };
        insta::assert_snapshot!(asked(&zigzag), @"
        zigzag  6×5  the path crosses from row to row in laps that go on from the own…

        1 game, with holes on each side × seeds in each; `pitmaster games show GAME` shows the rules.
        ");
        let africa = Filter {
            region: Some("northern africa".into()),
            goal: goal("territory").ok(),
            holes: Some(6),
            ..Filter::default()
        };
        insta::assert_snapshot!(asked(&africa), @"
        weg  6×4  laps that make wegs of fours in the opponent's holes, raided for…

        1 game, with holes on each side × seeds in each; `pitmaster games show GAME` shows the rules.
        ");
        let words = Filter { words: vec!["three".into(), "colours".into()], ..Filter::default() };
        insta::assert_snapshot!(asked(&words), @"
        coloured-awale  8×6  sixteen holes and seeds of three colours; who captures 49…

        1 game, with holes on each side × seeds in each; `pitmaster games show GAME` shows the rules.
        ");
        let none = Filter { holes: Some(20), goal: goal("CLEAR").ok(), ..Filter::default() };
        insta::assert_snapshot!(asked(&none), @"no game matches; `pitmaster games` lists all");
    }

    #[test]
    fn names_of_classes_and_goals_are_told() {
        insta::assert_snapshot!(class("Zigzig").unwrap_err(), @"did you mean ZigZag?");
        insta::assert_snapshot!(goal("win").unwrap_err(), @"expected one of MAX_SEEDS, DEPRIVE, TERRITORY, CLEAR, RND_WIN_COUNT_MAX, RND_SEED_COUNT, RND_EXTRA_SEEDS, RND_POINTS, RND_WIN_COUNT_CLR, RND_WIN_COUNT_DEP, IMMOBILIZE, RND_WIN_COUNT_IMB");
    }
}
