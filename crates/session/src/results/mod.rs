//! Results folders: standings, files and pages from the store.

mod new_file;
mod outdated;
mod page;

use std::collections::HashSet;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use new_file::NewFile;
pub(crate) use outdated::Outdated;
pub use page::{NewPage, PUBLIC_PAGE};
use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_core::{BotName, BySide, GameId, GameKey, Isolation, Record, Seed, Untrusted};
use pitmaster_games::GameSpec;
use pitmaster_ratings::{Anchor, Game, Matches, Model, Places, Ratings, Roster, Standings};
use pitmaster_report::{
    self as report, Audience, Chapter, Chart, Circumstances, CsvForm, Drawn, Forfeits, GameSample,
    GamesCsv, Isolations, LeftOut, Listing, MovesJsonl, Names, Page, Times, TimingCsv, Workers,
    course_notes, crosstable_csv, leaderboard, two_bots,
};
use pitmaster_store::{Attempt, BotState, Counts, Facts, KnownBot, Reader};
use pitmaster_tournament::{
    self as tournament, Format, FormatKind, KeptDecision, PlannedBot, StagePlan, Tournament,
};

use crate::log::{Digest, Games};
use crate::{Analyses, Error, Observer, isolation_mismatch, lineup};

/// File name of a tournament's page in its folder.
pub const PAGE: &str = "report.html";

/// Maximum number of games for which a run writes the page. `pitmaster report` writes larger ones.
const MOST_GAMES: u32 = 100_000;

/// Length limit of titles and authors' names, in characters.
const TITLE: usize = 120;

/// A results folder, opened for reading.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    reader: Reader,
    tournament: Tournament,
    bots: Vec<PlannedBot>,
    displays: Vec<Untrusted>,
    left_out: Vec<LeftOut>,
    /// Stored facts other than games.
    facts: Facts,
    /// Authors, by bot; empty if unknown.
    authors: Vec<String>,
    /// Names of house bots.
    house: Vec<BotName>,
    isolations: isolation_mismatch::Known,
}

/// Standings and statistics, gathered in one pass over the games.
#[derive(Debug)]
pub struct Summary {
    /// The bots, in the order of the plan.
    pub roster: Roster,
    /// Standings by the format's points and ratings.
    pub standings: Standings,
    /// Results by pair of bots.
    pub matches: Matches,
    /// Names for tables.
    pub names: Names,
    /// Samples of the played games.
    pub played: GameSample,
    /// Times of moves, by bot.
    pub times: Times,
    /// Forfeits, with evidence.
    pub forfeits: Forfeits,
    /// The rating model.
    pub model: Model,
    /// Placement by the format.
    pub places: Places,
    isolations: Isolations,
    circumstances: Circumstances,
    /// Bots that were left out because they cannot play.
    pub left_out: Vec<LeftOut>,
    /// Machines that played; confidential.
    pub workers: Workers,
    /// Warning about machines, if the readers may see them.
    warning: Option<Message>,
    /// Notes about the format.
    course: Vec<Message>,
    /// Numbers of attempts, and a digest of the games that count.
    pub attempts: Games,
    /// The seed and the commitment to it that was published, if one was.
    pub commitment: Option<(Seed, String)>,
}

/// A redacted game.
struct RedactedGame<'t> {
    /// Its id in the store.
    kept_as: GameId,
    record: &'t Record,
    roster: &'t Roster,
    isolation: Option<&'t Isolation>,
}

/// Result of a visit: the result of a planned game if it has one, or the end of the walk.
type Visited = ControlFlow<Result<(), Error>, Option<Game>>;

impl Results {
    /// Opens a results folder.
    ///
    /// # Errors
    /// The folder contains no tournament, or one that this version cannot read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::of(folder, Reader::open(folder)?)
    }

    /// Opens a results folder with an existing reader.
    ///
    /// # Errors
    /// The folder contains no tournament, or one that this version cannot read.
    pub fn of(folder: &Path, reader: Reader) -> Result<Self, Error> {
        let unreadable = || {
            Error::invalid(format!(
                "{} holds no tournament that was begun by `pitmaster run` or `match`",
                folder.display()
            ))
        };
        let facts = reader.facts()?.ok_or_else(unreadable)?;
        let Facts { file, rules, openings, authors: named, .. } = &facts;
        // A game from a file is the one that was played, even if the file has changed.
        let mut played = |_: &GameSpec| Ok(rules.split('@').next().unwrap_or_default().parse()?);
        let reading = tournament::check_with(file, &mut played);
        let mut tournament = reading.tournament.ok_or_else(|| {
            let faults: Vec<_> = reading.faults.iter().map(ToString::to_string).collect();
            Error::invalid(format!(
                "the tournament in {} cannot be read by this version:\n{}",
                folder.display(),
                faults.join("\n")
            ))
        })?;
        let mut known = reader.bots()?;
        let mut left_out: Vec<_> = known.iter().filter_map(lineup::left_out).collect();
        known.retain(|bot| bot.state == BotState::Active);
        // In merged shards, another shard may have a version that plays.
        left_out.retain(|out| known.iter().all(|bot| bot.id.name != out.id.name));
        known.sort_by_cached_key(|bot| (place(&facts.order, &bot.id.name), bot.id.clone()));
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
        let (folder, isolations) = (folder.to_owned(), isolation_mismatch::known(&reader)?);
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

    /// Stored facts other than games.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The tournament.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Calls `each` with every valid game, in the plan's order. Returns the format's state after
    /// the last one.
    ///
    /// # Errors
    /// A record is damaged (`each` is then never called, because the remaining games would give
    /// wrong results), `each` fails, or the store cannot be read.
    pub fn for_each(
        &self,
        mut each: impl FnMut(Attempt) -> Result<(), Error>,
    ) -> Result<Option<Box<dyn Format>>, Error> {
        self.reader.require_intact()?;
        let mut left: HashSet<GameId> = self.reader.valid_ids()?;
        let needs_all = self.tournament.format.depends_on_results();
        let mut visit = |key: &GameKey, bots: BySide<usize>| -> Result<Visited, Error> {
            if left.is_empty() && !needs_all {
                return Ok(ControlFlow::Break(Ok(())));
            }
            let id = key.id();
            let attempt = if left.remove(&id) { self.reader.load(&id)? } else { None };
            let Some(attempt) = attempt else { return Ok(ControlFlow::Continue(None)) };
            let (record, bots) = (&attempt.record, bots.map(|bot| bot as u32));
            let game = Game::between(key, &record.ending, || record.fingerprint(), bots);
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

    /// Number of missing games, and number of games in the plan. Only for formats that do not pair
    /// by results.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn missing(&self) -> Result<(u64, u64), Error> {
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

    /// Computes standings and statistics.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn summary(&self) -> Result<Summary, Error> {
        self.summarise(&Audience::default(), |_| Ok(()))
    }

    /// Computes the summary for those readers, and calls `also` with every redacted game.
    fn summarise(
        &self,
        for_whom: &Audience,
        mut also: impl FnMut(&RedactedGame<'_>) -> Result<(), Error>,
    ) -> Result<Summary, Error> {
        let roster = Roster::new(self.bots.iter().map(|bot| for_whom.bot(&bot.id)));
        let (mut played, mut times) = (GameSample::default(), Times::default());
        let (mut forfeits, mut isolations) = (Forfeits::new(), Isolations::default());
        let (mut workers, mut circumstances) = (Workers::default(), self.circumstances()?);
        let mut digest = Digest::default();
        let format = self.for_each(|Attempt { record, isolation, dialects, host, .. }| {
            digest.add(&record);
            let kept_as = record.id();
            let record = &for_whom.disguised(record);
            let isolation = isolation.and_then(|number| self.isolations.get(&number));
            isolations.add(isolation);
            circumstances.add(record);
            played.add_record(record, &roster);
            times.add(record, dialects, &roster);
            forfeits.add(record);
            workers.add(&host, record, &roster);
            also(&RedactedGame { kept_as, record, roster: &roster, isolation })
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
            attempts: self.attempts(&digest)?,
            commitment: self.commitment(),
        })
    }

    /// The seed and the commitment to it that was published, if one was.
    pub fn commitment(&self) -> Option<(Seed, String)> {
        Some((self.facts.seed, self.facts.commitment.clone()?))
    }

    /// Numbers of attempts, with a digest of the games that count.
    pub(crate) fn attempts(&self, digest: &Digest) -> Result<Games, Error> {
        let Counts { valid, void, surplus } = self.reader.counts()?;
        Ok(Games { valid, void, surplus, digest: Some(digest.finish()) })
    }

    /// Circumstances of the runs: load of the machine, shared cores, replayed games.
    fn circumstances(&self) -> Result<Circumstances, Error> {
        let runs = &self.facts.runs;
        let much = runs.iter().filter(|run| run.load.is_much());
        let stalled = much.filter_map(|run| run.load.stalled).reduce(f64::max);
        let shared = runs.iter().any(|run| !run.shared.is_empty());
        Ok(Circumstances::new(stalled, shared, self.reader.all_starved()?))
    }

    /// Bots and decisions of the plan with one bot renamed.
    pub(crate) fn renamed(
        &self,
        from: &BotName,
        to: &BotName,
    ) -> Result<(Vec<PlannedBot>, Vec<KeptDecision>), Error> {
        let mut bots = self.bots.clone();
        for bot in bots.iter_mut().filter(|bot| bot.id.name == *from) {
            bot.id.name.clone_from(to);
        }
        let text = serde_json::to_string(&self.reader.decisions()?).map_err(io::Error::from)?;
        let text = text.replace(&format!("\"{from}\""), &format!("\"{to}\""));
        Ok((bots, serde_json::from_str(&text).map_err(io::Error::from)?))
    }

    /// The rating model of the tournament, with its anchors.
    pub fn model(&self, roster: &Roster) -> Model {
        let number = |name: &BotName| {
            let place = self.bots.iter().position(|bot| bot.id.name == *name)?;
            (place < roster.len()).then_some(place as u32)
        };
        let anchors = self.facts.anchors.iter();
        let anchors =
            anchors.filter_map(|(name, elo)| Some(Anchor { bot: number(name)?, elo: *elo }));
        Model { anchors: anchors.collect(), ..Model::default() }
    }

    /// Writes all files atomically, the page last.
    ///
    /// # Errors
    /// The store cannot be read, or a file cannot be written.
    pub fn write_files(&self, lang: Lang, observer: &dyn Observer) -> Result<Summary, Error> {
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
            let mut page = NewPage::new(&page, title, lang, for_whom, observer);
            page.add(self, chapter, &summary, &Analyses::default())?;
            page.finish()?;
        } else {
            // The page would be inconsistent with the tables next to it.
            Page::remove(&page)?;
        }
        Outdated::of(&self.folder).clear();
        Ok(summary)
    }

    /// Title above the standings. The folder's name is confidential: `match` derives it from the
    /// bots' names.
    pub fn title(&self, for_whom: &Audience) -> String {
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

    /// House bots, whose names are public.
    pub fn house(&self) -> &[BotName] {
        &self.house
    }

    /// Maximum number of pairs of a meeting, if meetings end when their milestone is decided.
    pub fn planned_pairs(&self) -> Option<u32> {
        match &self.tournament.format.stages[..] {
            [StagePlan { kind: FormatKind::Milestones(plan), .. }] => Some(plan.most_pairs()),
            _ => None,
        }
    }

    /// Submitted bots with their display names, including bots that were left out.
    pub fn submissions(&self) -> impl Iterator<Item = (&BotName, String)> {
        let playing = self.bots.iter().zip(&self.displays);
        let playing = playing.map(|(bot, display)| (&bot.id.name, display.shown(TITLE)));
        let left_out = self.left_out.iter().map(|bot| (&bot.id.name, String::new()));
        playing.chain(left_out).filter(|(name, _)| !self.house.contains(name))
    }

    /// Names of the bots that play.
    pub(crate) fn bot_names(&self) -> impl Iterator<Item = &BotName> {
        self.bots.iter().map(|bot| &bot.id.name)
    }

    /// Draws all charts.
    pub fn charts(
        &self,
        chapter: &Chapter,
        summary: &Summary,
        for_whom: &Audience,
        lang: Lang,
    ) -> Vec<Chart> {
        self.with_view(chapter.key(), summary, for_whom, |view| chapter.charts(view, lang))
    }

    /// Calls `use_view` with the data of a chapter except its games.
    fn with_view<T>(
        &self,
        key: &str,
        summary: &Summary,
        for_whom: &Audience,
        use_view: impl FnOnce(&report::TournamentView<'_>) -> T,
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
        use_view(&report::TournamentView {
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

    /// Computes the summary and the chapter of that number, with all games.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read_for(
        &self,
        number: usize,
        for_whom: &Audience,
    ) -> Result<(Summary, Chapter), Error> {
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
    ) -> Result<(), Error> {
        let mut file = NewFile::create(&self.folder, name, Ok)?;
        write(&mut file.writer)?;
        file.finish(|mut out| out.flush())
    }
}

impl RedactedGame<'_> {
    fn put_into(&self, chapter: &mut Chapter, for_whom: &Audience) {
        chapter.add(&self.kept_as, self.record, self.roster, for_whom);
    }
}

/// Position of a bot in a stored order. Equal for all bots outside of it, so that names decide.
fn place(order: &[BotName], name: &BotName) -> usize {
    order.iter().position(|other| other == name).unwrap_or(order.len())
}

/// Authors by bot, separated by commas.
fn authors(bots: &[KnownBot], known: &[(BotName, Vec<Untrusted>)]) -> Vec<String> {
    let of = |bot: &KnownBot| {
        let authors = known.iter().find(|(name, _)| *name == bot.id.name);
        let shown = authors.into_iter().flat_map(|(_, authors)| authors);
        shown.map(|author| author.shown(TITLE)).collect::<Vec<_>>().join(", ")
    };
    bots.iter().map(of).collect()
}

impl Summary {
    /// The leaderboard with its notes.
    pub fn leaderboard(&self) -> Listing {
        let mut table = leaderboard(&self.standings, &self.names);
        table.add_left_out(&self.left_out);
        self.notes().into_iter().for_each(|note| table.note(note));
        table
    }

    /// Returns whether a run writes the page. Not for so many games that it would take a minute.
    pub fn has_page(&self) -> bool {
        self.standings.games <= MOST_GAMES
    }

    /// Notes below every table: state of the format, isolation, load of the machine, suspect
    /// machines.
    pub fn notes(&self) -> Vec<Message> {
        let more = self.isolations.note().into_iter().chain(self.circumstances.notes());
        let seed = self.commitment.as_ref().map(|(seed, hash)| {
            said!("seed {}, committed to in advance by the hash {}", seed.0, hash.clone())
        });
        let course = self.course.iter().cloned();
        course.chain(more).chain(seed).chain(self.warning.clone()).collect()
    }

    /// The leaderboard for a terminal of that many columns, in English.
    pub fn table(&self, width: usize) -> String {
        self.leaderboard().render(width, Lang::English)
    }
}
