//! A results' folder, read: standings and files out of its store.

mod file;
mod page;

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use file::NewFile;
pub(super) use page::NewPage;
use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::{BotName, BySide, GameId, GameKey, Isolation, Record, Untrusted};
use pitmaster_games::GameSpec;
use pitmaster_ratings::{Anchor, Game, Matches, Model, Places, Ratings, Roster, Standings};
use pitmaster_report::{
    self as report, Audience, Chapter, Chart, Circumstances, CsvForm, Drawn, Forfeits, GamesCsv,
    Isolations, LeftOut, Listing, MovesJsonl, Names, Page, Played, Times, TimingCsv, Workers,
    course_notes, crosstable_csv, leaderboard, two_bots,
};
use pitmaster_store::{Attempt, BotState, Facts, KnownBot, Reader};
use pitmaster_tournament::{self as tournament, Format, PlannedBot, Tournament};

use super::stale::Stale;
use super::{Failure, bots, mixed};

/// What the page of a tournament is called in its folder.
pub(super) const PAGE: &str = "report.html";

/// With more games a run leaves the page to `pitmaster report`.
const MOST_GAMES: u32 = 100_000;

/// How much of a title or an author's name is shown, in characters.
const TITLE: usize = 120;

/// The results of a tournament.
#[derive(Debug)]
pub(super) struct Results {
    folder: PathBuf,
    reader: Reader,
    tournament: Tournament,
    bots: Vec<PlannedBot>,
    displays: Vec<Untrusted>,
    left_out: Vec<LeftOut>,
    /// What the store keeps beside the games.
    facts: Facts,
    /// By bot: who wrote it, as far as that is known.
    authors: Vec<String>,
    /// Bots of the house.
    house: Vec<BotName>,
    isolations: mixed::Known,
}

/// What is told about results in one pass.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) roster: Roster,
    pub(super) standings: Standings,
    pub(super) matches: Matches,
    pub(super) names: Names,
    pub(super) played: Played,
    pub(super) times: Times,
    pub(super) forfeits: Forfeits,
    pub(super) model: Model,
    /// What the format knows of bots beyond their games.
    pub(super) places: Places,
    isolations: Isolations,
    circumstances: Circumstances,
    /// Bots that take no part because they cannot play.
    pub(super) left_out: Vec<LeftOut>,
    /// The machines. Not everybody may know them.
    pub(super) workers: Workers,
    /// What is to be said of machines, if its readers may know them.
    warning: Option<Message>,
    /// What is to be said of the format.
    course: Vec<Message>,
}

/// A game as its readers may know it.
struct Told<'t> {
    /// Under which id the store has it.
    kept_as: GameId,
    record: &'t Record,
    roster: &'t Roster,
    isolation: Option<&'t Isolation>,
}

/// What came of looking for a game of the plan: its result, or that nothing more is to be found.
type Visited = ControlFlow<Result<(), Failure>, Option<Game>>;

impl Results {
    /// Opens a results' folder.
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        Self::of(folder, Reader::open(folder)?)
    }

    /// The same beside a store that is being written.
    pub(super) fn of(folder: &Path, reader: Reader) -> Result<Self, Failure> {
        let unreadable = || {
            Failure::wrong(format!(
                "{} holds no tournament that was begun by `pitmaster run` or `match`",
                folder.display()
            ))
        };
        let facts = reader.facts()?.ok_or_else(unreadable)?;
        let Facts { file, rules, openings, authors: named, .. } = &facts;
        // A game that came from a file is the one that was played, whatever the file says now.
        let mut played = |_: &GameSpec| Ok(rules.split('@').next().unwrap_or_default().parse()?);
        let reading = tournament::check_with(file, &mut played);
        let mut tournament = reading.tournament.ok_or_else(|| {
            let faults: Vec<_> = reading.faults.iter().map(ToString::to_string).collect();
            Failure::wrong(format!(
                "the tournament in {} cannot be read by this version:\n{}",
                folder.display(),
                faults.join("\n")
            ))
        })?;
        let mut known = reader.bots()?;
        let mut left_out: Vec<_> = known.iter().filter_map(bots::left_out).collect();
        known.retain(|bot| bot.state == BotState::Active);
        // Of shares that were merged, another may have had a version that plays.
        left_out.retain(|out| known.iter().all(|bot| bot.id.name != out.id.name));
        known.sort_by(|a, b| a.id.cmp(&b.id));
        tournament.openings.list = openings.list.as_slice().into();
        let authors = authors(&known, named);
        let house = known.iter().filter(|bot| bot.path.starts_with("house:"));
        let house = house.map(|bot| bot.id.name.clone()).collect();
        let planned = |bot: KnownBot| {
            let anchor = facts.anchors.iter().find(|(name, _)| *name == bot.id.name);
            (
                PlannedBot {
                    id: bot.id,
                    dialect: bot.dialect,
                    anchor: anchor.map(|(_, elo)| *elo),
                },
                bot.display,
            )
        };
        let (bots, displays) = known.into_iter().map(planned).unzip();
        let (folder, isolations) = (folder.to_owned(), mixed::known(&reader)?);
        Ok(Self {
            folder,
            reader,
            tournament,
            bots,
            displays,
            left_out,
            facts,
            authors,
            house,
            isolations,
        })
    }

    /// What the store keeps beside the games.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What is played.
    pub(super) fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Hands out every valid game in the plan's order; the format as it stands after them. Not one
    /// is handed out if any record is damaged: what is left of them would be other results.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(Attempt) -> Result<(), Failure>,
    ) -> Result<Option<Box<dyn Format>>, Failure> {
        self.reader.require_intact()?;
        let mut left: HashSet<GameId> = self.reader.valid_ids()?;
        let needs_all = self.tournament.format.depends_on_results();
        let mut visit = |key: &GameKey, bots: BySide<usize>| -> Result<Visited, Failure> {
            if left.is_empty() && !needs_all {
                return Ok(ControlFlow::Break(Ok(())));
            }
            let id = key.id();
            let attempt = if left.remove(&id) { self.reader.load(&id)? } else { None };
            let Some(attempt) = attempt else { return Ok(ControlFlow::Continue(None)) };
            let game = Game::between(&attempt.record, bots.map(|bot| bot as u32));
            each(attempt)?;
            Ok(ControlFlow::Continue(game))
        };
        let kept = self.reader.decisions()?;
        let walked = self.tournament.walk(self.bots.clone(), &kept, |key, bots| {
            visit(key, bots).unwrap_or_else(|failure| ControlFlow::Break(Err(failure)))
        });
        match walked {
            ControlFlow::Continue(format) => Ok(Some(format)),
            ControlFlow::Break(Ok(())) => Ok(None),
            ControlFlow::Break(Err(failure)) => Err(failure),
        }
    }

    /// How many games of the plan are not there, and how many there are in all, where that does
    /// not depend on results.
    pub(super) fn missing(&self) -> Result<(u64, u64), Failure> {
        let played = self.reader.valid_ids()?;
        let (mut missing, mut all) = (0, 0);
        let walked = self.tournament.walk(self.bots.clone(), &[], |key, _| {
            missing += u64::from(!played.contains(&key.id()));
            all += 1;
            ControlFlow::<Infallible, _>::Continue(None)
        });
        drop(walked);
        Ok((missing, all))
    }

    /// Standings and forfeits.
    pub(super) fn summary(&self) -> Result<Summary, Failure> {
        self.summarise(&Audience::default(), |_| Ok(()))
    }

    /// Everything as its readers may know it, and every game so too for `also`.
    fn summarise(
        &self,
        for_whom: &Audience,
        mut also: impl FnMut(&Told<'_>) -> Result<(), Failure>,
    ) -> Result<Summary, Failure> {
        let roster = Roster::new(self.bots.iter().map(|bot| for_whom.bot(&bot.id)));
        let (mut played, mut times) = (Played::default(), Times::default());
        let (mut forfeits, mut isolations) = (Forfeits::new(), Isolations::default());
        let (mut workers, mut circumstances) = (Workers::default(), self.circumstances()?);
        let format = self.for_each(|Attempt { record, isolation, dialects, host, .. }| {
            let kept_as = record.id();
            let record = &for_whom.disguised(record);
            let isolation = isolation.and_then(|number| self.isolations.get(&number));
            isolations.add(isolation);
            circumstances.add(record);
            played.add_record(record, &roster);
            times.add(record, dialects, &roster);
            forfeits.add(record);
            workers.add(&host, record, &roster);
            also(&Told { kept_as, record, roster: &roster, isolation })
        })?;
        let ranking = &self.tournament.format.ranking;
        let (games, bots) = (played.games(), roster.len());
        let matches = Matches::new(games);
        let places = format.as_deref().map(Format::places).unwrap_or_default();
        let mut standings = Standings::placed(bots, games, &matches, ranking, &places);
        let model = self.model(&roster);
        standings.rate(Ratings::fit(bots, games, &matches, &model));
        let test = format.as_ref().and_then(|format| format.test());
        let mut course = course_notes(&self.tournament.format, &standings, &roster, test);
        course.extend(two_bots(&standings, &matches, &roster));
        let heard = self.bots.iter().zip(&self.displays).map(|(bot, display)| {
            if for_whom.hears(&bot.id.name) { display.clone() } else { Untrusted::default() }
        });
        let names = Names::of(&roster, &heard.collect::<Vec<_>>());
        let left_out = self.left_out.iter().map(|bot| for_whom.left_out(bot)).collect();
        Ok(Summary {
            roster,
            standings,
            matches,
            names,
            played,
            times,
            forfeits,
            model,
            places,
            isolations,
            circumstances,
            left_out,
            warning: workers.warning().filter(|_| for_whom.runs_it()),
            workers,
            course,
        })
    }

    /// What is known of the machine beside the games that count.
    fn circumstances(&self) -> Result<Circumstances, Failure> {
        let runs = &self.facts.runs;
        let much = runs.iter().filter(|run| run.load.is_much());
        let stalled = much.filter_map(|run| run.load.stalled).reduce(f64::max);
        let shared = runs.iter().any(|run| !run.shared.is_empty());
        Ok(Circumstances::new(stalled, shared, self.reader.all_starved()?))
    }

    /// How ratings are fitted: what the tournament anchors.
    pub(super) fn model(&self, roster: &Roster) -> Model {
        let number = |name: &BotName| {
            let place = self.bots.iter().position(|bot| bot.id.name == *name)?;
            (place < roster.len()).then_some(place as u32)
        };
        let anchors = self.facts.anchors.iter();
        let anchors =
            anchors.filter_map(|(name, elo)| Some(Anchor { bot: number(name)?, elo: *elo }));
        Model { anchors: anchors.collect(), ..Model::default() }
    }

    /// Writes every file anew, each whole or not at all; the page last, with a bar if it takes long.
    pub(super) fn write_files(&self, lang: Lang, quiet: bool) -> Result<Summary, Failure> {
        let mut games = NewFile::create(&self.folder, "games.csv", GamesCsv::new)?;
        let mut timing = NewFile::create(&self.folder, "timing.csv", TimingCsv::new)?;
        let mut moves =
            NewFile::create(&self.folder, "moves.jsonl", |out| Ok(MovesJsonl::new(out)))?;
        let (for_whom, mut chapter) = (Audience::default(), self.chapter(1));
        let summary = self.summarise(&for_whom, |told| {
            games.writer.add(told.record, told.isolation)?;
            timing.writer.add(told.record)?;
            moves.writer.add(told.record)?;
            told.put_into(&mut chapter, &for_whom);
            Ok(())
        })?;
        games.finish(GamesCsv::finish)?;
        timing.finish(TimingCsv::finish)?;
        moves.finish(MovesJsonl::finish)?;
        let Summary { roster, standings, matches, names, .. } = &summary;
        let points = &self.tournament.format.ranking.points;
        let mut ranking = leaderboard(standings, names);
        ranking.add_left_out(&summary.left_out);
        self.write("leaderboard.csv", |out| ranking.csv(CsvForm::Plain, out))?;
        self.write("crosstable.csv", |out| {
            crosstable_csv(standings, matches, points, roster, out)
        })?;
        let page = self.folder.join(PAGE);
        if summary.has_page() {
            let title = self.title(&for_whom);
            let mut page = NewPage::new(&page, title, lang, for_whom, quiet);
            page.add(self, chapter, &summary)?;
            page.finish()?;
        } else {
            // It would show other games than the tables beside it.
            Page::remove(&page)?;
        }
        Stale::of(&self.folder).clear();
        Ok(summary)
    }

    /// What is shown above its standings. The folder's name is not for everybody: `match` makes
    /// it of the bots' names.
    pub(super) fn title(&self, for_whom: &Audience) -> String {
        let title = match &self.tournament.title {
            title if !title.is_empty() => title.clone(),
            _ if for_whom.everybody.is_some() => self.tournament.game.spec(),
            _ => self.folder_name(),
        };
        Untrusted::new(title).shown(TITLE)
    }

    fn folder_name(&self) -> String {
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Bots of the house, whose names are nobody's secret.
    pub(super) fn house(&self) -> &[BotName] {
        &self.house
    }

    /// The names of all bots.
    pub(super) fn bot_names(&self) -> impl Iterator<Item = &BotName> {
        self.bots.iter().map(|bot| &bot.id.name)
    }

    /// All pictures of it.
    pub(super) fn charts(
        &self,
        chapter: &Chapter,
        summary: &Summary,
        for_whom: &Audience,
        lang: Lang,
    ) -> Vec<Chart> {
        self.tell(chapter.key(), summary, for_whom, |told| chapter.charts(told, lang))
    }

    /// Hands out what the chapter of that key tells of it beside its games.
    fn tell<T>(
        &self,
        key: &str,
        summary: &Summary,
        for_whom: &Audience,
        tell: impl FnOnce(&report::Told<'_>) -> T,
    ) -> T {
        let Tournament { game, limits, format, .. } = &self.tournament;
        let heard = self.bot_names().map(|name| for_whom.hears(name));
        let author = |(authors, heard): (&String, bool)| {
            if heard { authors.clone() } else { String::new() }
        };
        let authors: Vec<_> = self.authors.iter().zip(heard).map(author).collect();
        let own: Vec<_> = self.bot_names().map(|name| for_whom.may_look_at(name)).collect();
        let drawn = Drawn {
            key,
            standings: &summary.standings,
            matches: &summary.matches,
            played: &summary.played,
            names: &summary.names,
            times: &summary.times,
            plan: format,
            model: &summary.model,
            move_limit: limits.per_move,
        };
        tell(&report::Told {
            title: &self.title(for_whom),
            rules: &game.id(),
            limits,
            drawn,
            tie_breaks: &summary.standings.tie_breaks(
                &summary.matches,
                &format.ranking,
                &summary.places,
            ),
            authors: &authors,
            own: &own,
            workers: Some(&summary.workers)
                .filter(|workers| for_whom.runs_it() && workers.are_several()),
            left_out: &summary.left_out,
            notes: &summary.notes(),
        })
    }

    fn chapter(&self, number: usize) -> Chapter {
        Chapter::new(number, Arc::clone(&self.tournament.game))
    }

    /// Everything for the chapter of that number, and the chapter with all games in it.
    pub(super) fn read_for(
        &self,
        number: usize,
        for_whom: &Audience,
    ) -> Result<(Summary, Chapter), Failure> {
        let mut chapter = self.chapter(number);
        let summary = self.summarise(for_whom, |told| {
            told.put_into(&mut chapter, for_whom);
            Ok(())
        })?;
        Ok((summary, chapter))
    }

    fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut file = NewFile::create(&self.folder, name, Ok)?;
        write(&mut file.writer)?;
        file.finish(|mut out| out.flush())
    }
}

impl Told<'_> {
    fn put_into(&self, chapter: &mut Chapter, for_whom: &Audience) {
        chapter.add(&self.kept_as, self.record, self.roster, for_whom);
    }
}

/// Who wrote each of the bots, with commas between.
fn authors(bots: &[KnownBot], known: &[(BotName, Vec<Untrusted>)]) -> Vec<String> {
    let of = |bot: &KnownBot| {
        let authors = known.iter().find(|(name, _)| *name == bot.id.name);
        let shown = authors.into_iter().flat_map(|(_, authors)| authors);
        shown.map(|author| author.shown(TITLE)).collect::<Vec<_>>().join(", ")
    };
    bots.iter().map(of).collect()
}

impl Summary {
    /// The leaderboard, and what contained the bots.
    pub(super) fn leaderboard(&self) -> Listing {
        let mut table = leaderboard(&self.standings, &self.names);
        table.add_left_out(&self.left_out);
        self.notes().into_iter().for_each(|note| table.note(note));
        table
    }

    /// Whether the page is made without being asked for: it is not where that takes a minute.
    pub(super) fn has_page(&self) -> bool {
        self.standings.games <= MOST_GAMES
    }

    /// What stands below every table: how the format stands, what contained the bots, how busy
    /// the machine was, and machines that are suspect.
    pub(super) fn notes(&self) -> Vec<Message> {
        let more = self.isolations.note().into_iter().chain(self.circumstances.notes());
        self.course.iter().cloned().chain(more).chain(self.warning.clone()).collect()
    }

    /// The same for a terminal of that many columns, in English.
    pub(super) fn table(&self, width: usize) -> String {
        self.leaderboard().render(width, Lang::English)
    }
}
