//! Page writer: assembles a page and writes it.

use std::fs;
use std::io;
use std::path::Path;

use askama::Template as _;
use pitmaster_core::GameId;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_store::Attempt;

use super::chunks::{self, Packs, unless_absent};
use super::data::{Data, TournamentData, words};
use super::html::{Course, Drawing, Html, LeftOut, Reason, Tournament, Workers};
use super::overview::Standing;
use super::redaction::Audience;
use super::standings;
use super::tournament_section::Chapter;
use super::view::TournamentView;
use crate::{Chart, GameAnalysis};

/// Style sheet of the page, shared with the pages of a server.
pub const PAGE_STYLE: &str = include_str!("page.css");

/// Scripts of the page: the first defines what the others use, the last starts the page.
const SCRIPTS: [&str; 12] = [
    include_str!("start.js"),
    include_str!("data.js"),
    include_str!("links.js"),
    include_str!("tables.js"),
    include_str!("positions.js"),
    include_str!("drawing.js"),
    include_str!("curve.js"),
    include_str!("moves.js"),
    include_str!("replay.js"),
    include_str!("games.js"),
    include_str!("bots.js"),
    include_str!("main.js"),
];

/// A page, assembled tournament by tournament.
#[derive(Debug)]
pub struct Page {
    title: String,
    lang: Lang,
    for_whom: Audience,
    packs: Packs,
    /// Name of the folder for its games, if there is one.
    beside: String,
    tournaments: Vec<Tournament>,
    data: Vec<TournamentData>,
    standing: Standing,
    days: Option<[u64; 2]>,
}

impl Page {
    /// Creates an empty page for `path`. If there are too many games, they go into a folder next to
    /// it.
    pub fn new(path: &Path, title: String, lang: Lang, for_whom: Audience) -> Self {
        let beside = beside(path);
        Self {
            title,
            lang,
            for_whom,
            packs: Packs::new(&path.with_file_name(&beside)),
            beside: beside + "/",
            tournaments: Vec::new(),
            data: Vec::new(),
            standing: Standing::default(),
            days: None,
        }
    }

    /// Adds a tournament whose games have been added to its section. `load` fetches a game from the
    /// store, and `analysis` finds its analysis, if there is one.
    ///
    /// # Errors
    /// Errors of `load`, or the page cannot be written.
    pub fn add<'a, E: From<io::Error>>(
        &mut self,
        mut chapter: Chapter,
        told: &TournamentView<'_>,
        mut load: impl FnMut(&GameId) -> Result<Option<Attempt>, E>,
        analysis: impl Fn(&GameId) -> Option<&'a GameAnalysis>,
    ) -> Result<(), E> {
        let days = &mut self.days;
        let load = |id: &GameId| {
            let attempt = load(id)?;
            if let Some(Attempt { started_at, .. }) = attempt {
                let [first, last] = days.unwrap_or([started_at; 2]);
                *days = Some([first.min(started_at), last.max(started_at)]);
            }
            Ok::<_, E>(attempt)
        };
        chapter.pack(&self.for_whom, self.lang, &mut self.packs, load, analysis)?;
        self.standing.add(told);
        self.data.push(chapter.data(told, self.lang, self.for_whom.may_download()));
        let index = chapter.packed_index(told)?;
        let charts = chapter.charts(told, self.lang);
        self.packs.keep(format!("{}-index", chapter.key()), index);
        let shown = self.shown(&chapter, told, charts).map_err(io::Error::other)?;
        self.tournaments.push(shown);
        Ok(())
    }

    fn shown(
        &self,
        chapter: &Chapter,
        told: &TournamentView<'_>,
        charts: Vec<Chart>,
    ) -> askama::Result<Tournament> {
        let (lang, key) = (self.lang, chapter.key());
        let (course, charts): (Vec<_>, Vec<_>) =
            charts.into_iter().partition(|chart| chart.name.starts_with("course"));
        let (crosstable, charts): (Vec<_>, Vec<_>) =
            charts.into_iter().partition(|chart| chart.name == "crosstable");
        let drawings = |charts: Vec<Chart>| -> Vec<_> {
            charts.into_iter().map(|chart| Drawing::of(key, chart)).collect()
        };
        let (by_standings, charts): (Vec<_>, Vec<_>) =
            charts.into_iter().partition(|chart| matches!(&*chart.name, "elo"));
        let course = (!course.is_empty())
            .then(|| Course { title: said!("Course").to(lang), charts: drawings(course) });
        Ok(Tournament {
            key: key.to_owned(),
            title: told.title.to_owned(),
            facts: told.facts(lang),
            standings: standings::table(key, told, lang).render()?,
            standings_charts: drawings(by_standings),
            standings_notes: told.standings_notes(lang),
            left_out: shown_left_out(told, lang)?,
            course,
            crosstable: drawings(crosstable).pop(),
            charts: drawings(charts),
            bots: told.bots(lang),
            workers: told.workers.map(|workers| shown_workers(workers, lang)).transpose()?,
            game_count: chapter.games().to_string(),
        })
    }

    /// Writes the page and the files next to it.
    ///
    /// # Errors
    /// The page cannot be written.
    pub fn write(mut self, out: &mut dyn io::Write) -> io::Result<()> {
        let script = SCRIPTS.concat();
        let beside = self.packs.are_beside().then(|| self.beside.clone());
        self.data.iter_mut().for_each(|data| data.beside.clone_from(&beside));
        let data = Data {
            lang: self.lang.code(),
            words: words(self.lang, &script),
            tournaments: self.data,
        };
        let html = Html {
            lang: self.lang,
            script_sources: if beside.is_some() {
                "'unsafe-inline' 'self' file:"
            } else {
                "'unsafe-inline'"
            },
            title: &self.title,
            dated: dated(self.days, self.lang),
            version: env!("CARGO_PKG_VERSION"),
            style: PAGE_STYLE,
            data: data.to_json()?,
            script,
            overview: self.standing.shown(self.lang).map_err(io::Error::other)?,
            tournaments: self.tournaments,
            packed: self.packs.inside().collect(),
        };
        let html = html.render().map_err(io::Error::other)?;
        out.write_all(html.as_bytes())?;
        // Flushed first, so that a write error leaves an existing page unchanged.
        out.flush()?;
        self.packs.settle()
    }

    /// Removes a page and the games next to it, if they exist.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn remove(path: &Path) -> io::Result<()> {
        let removed = fs::remove_file(path);
        removed.or_else(unless_absent)?;
        chunks::remove(&path.with_file_name(beside(path)))
    }
}

fn shown_workers(workers: &crate::Workers, lang: Lang) -> askama::Result<Workers> {
    let listing = workers.listing();
    let table = standings::plain(said!("Workers").to(lang), &listing, lang).render()?;
    Ok(Workers { table, notes: listing.notes(lang).collect() })
}

fn shown_left_out(told: &TournamentView<'_>, lang: Lang) -> askama::Result<Option<LeftOut>> {
    let Some(without_games) = told.without_games(lang) else { return Ok(None) };
    let table = standings::left_out(told.left_out, lang).render()?;
    let reason = |bot: &crate::LeftOut| {
        let why = bot.why();
        (why.lines().count() > 1).then(|| Reason { bot: bot.id.name.to_string(), why })
    };
    let reasons = told.left_out.iter().filter_map(reason).collect();
    Ok(Some(LeftOut { table, reasons, without_games }))
}

/// Name of the folder of a page's games.
fn beside(page: &Path) -> String {
    format!("{}-games", page.file_stem().unwrap_or_default().to_string_lossy())
}

/// First and last day of the games.
fn dated(days: Option<[u64; 2]>, lang: Lang) -> String {
    let Some(days) = days else { return said!("No game has been played yet.").to(lang) };
    let [first, last] = days.map(day);
    if first == last {
        said!("Played on {}.", first).to(lang)
    } else {
        said!("Played from {} to {}.", first, last).to(lang)
    }
}

/// The day of a time in milliseconds since 1970, in UTC.
fn day(millis: u64) -> String {
    let at = jiff::Timestamp::from_millisecond(i64::try_from(millis).unwrap_or(i64::MAX));
    at.map_or_else(|_| "?".into(), |at| at.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writer that accepts all data and fails at the end, like a full disk.
    struct Full;

    impl io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    /// Page with its games in a folder next to it.
    fn large(path: &Path) -> Page {
        let mut page = Page::new(path, "Cup".into(), Lang::English, Audience::default());
        page.packs = Packs::with_limit(&path.with_file_name(&page.beside), 0);
        page.packs.add("t1-games-0".into(), "new".into()).unwrap();
        page
    }

    #[test]
    fn a_full_disk_leaves_the_games_beside_the_page_that_was_there() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("report.html");
        let games = scratch.path().join("report-games/t1-games-0.js");
        large(&path).write(&mut io::sink()).unwrap();
        fs::write(&games, "old").unwrap();
        assert!(large(&path).write(&mut Full).is_err());
        assert_eq!(fs::read_to_string(&games).unwrap(), "old");
        large(&path).write(&mut io::sink()).unwrap();
        assert!(fs::read_to_string(&games).unwrap().contains("new"));
    }

    #[test]
    fn a_page_goes_with_its_games_and_with_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("report.html");
        let games = scratch.path().join("report-games");
        Page::remove(&path).unwrap();
        for own in ["notes.txt", "t1-mine.js"] {
            large(&path).write(&mut io::sink()).unwrap();
            fs::write(&path, "page").unwrap();
            fs::write(games.join(own), "own").unwrap();
            Page::remove(&path).unwrap();
            assert!(!path.exists() && !games.join("t1-games-0.js").exists());
            assert!(games.join(own).exists());
            fs::remove_file(games.join(own)).unwrap();
        }
        large(&path).write(&mut io::sink()).unwrap();
        Page::remove(&path).unwrap();
        assert!(!games.exists());
    }
}
