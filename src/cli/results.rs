//! A results' folder, read: standings and files out of its store.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::openings::Kept;
use super::{Failure, mixed};
use crate::games::GameSpec;
use crate::ratings::{Anchor, Game, Matches, Model, Roster, Standings};
use crate::record::{BotName, GameId, Isolation, Record, Untrusted};
use crate::report::{
    Forfeits, GamesCsv, Isolations, MovesJsonl, TimingCsv, crosstable_csv, leaderboard_csv,
    leaderboard_table, two_bots,
};
use crate::store::{Attempt, BotState, KnownBot, Reader};
use crate::tournament::{self, PlannedBot, Tournament};

/// The names under which facts about a tournament stand in its store.
pub(super) mod meta {
    /// The tournament file's text.
    pub(in crate::cli) const FILE: &str = "tournament";
    /// The rules' id.
    pub(in crate::cli) const RULES: &str = "rules";
    /// The limits.
    pub(in crate::cli) const LIMITS: &str = "limits";
    /// The seed.
    pub(in crate::cli) const SEED: &str = "seed";
    /// How games begin.
    pub(in crate::cli) const OPENINGS: &str = "openings";
    /// Bots whose Elo is held, with it.
    pub(in crate::cli) const ANCHORS: &str = "anchors";
    /// The machine and the program.
    pub(in crate::cli) const HOST: &str = "host";
}

/// The results of a tournament.
#[derive(Debug)]
pub(super) struct Results {
    folder: PathBuf,
    reader: Reader,
    tournament: Tournament,
    bots: Vec<PlannedBot>,
    displays: Vec<Untrusted>,
    anchors: Vec<(BotName, f64)>,
    isolations: mixed::Known,
}

/// What is told about results in one pass.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) roster: Roster,
    pub(super) standings: Standings,
    pub(super) matches: Matches,
    pub(super) forfeits: Forfeits,
    /// How the two compare, if there are only two.
    two_bots: String,
    isolations: Isolations,
}

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
        let text: String = reader.meta(meta::FILE)?.ok_or_else(unreadable)?;
        // A game that came from a file is the one that was played, whatever the file says now.
        let rules: String = reader.meta(meta::RULES)?.unwrap_or_default();
        let mut played = |_: &GameSpec| Ok(rules.split('@').next().unwrap_or_default().parse()?);
        let reading = tournament::check_with(&text, &mut played);
        let mut tournament = reading.tournament.ok_or_else(|| {
            let faults: Vec<_> = reading.faults.iter().map(ToString::to_string).collect();
            Failure::wrong(format!(
                "the tournament in {} cannot be read by this version:\n{}",
                folder.display(),
                faults.join("\n")
            ))
        })?;
        let mut known = reader.bots()?;
        known.retain(|bot| bot.state == BotState::Active);
        known.sort_by(|a, b| a.id.cmp(&b.id));
        let kept: Option<Kept> = reader.meta(meta::OPENINGS)?;
        tournament.openings.list = kept.unwrap_or_else(Kept::none).list.into();
        let planned = |bot: KnownBot| {
            let dialect = bot.dialect.parse().unwrap_or_default();
            (PlannedBot { id: bot.id, dialect }, bot.display)
        };
        let (bots, displays) = known.into_iter().map(planned).unzip();
        let anchors = reader.meta(meta::ANCHORS)?.unwrap_or_default();
        let (folder, isolations) = (folder.to_owned(), mixed::known(&reader)?);
        Ok(Self { folder, reader, tournament, bots, displays, anchors, isolations })
    }

    /// What is played.
    pub(super) fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Hands out every valid game in the plan's order.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(Attempt) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut left: HashSet<GameId> = self.reader.valid_ids()?;
        for key in self.tournament.plan(self.bots.clone()) {
            if left.is_empty() {
                break;
            }
            let id = key.id();
            if left.remove(&id)
                && let Some(attempt) = self.reader.load(&id)?
            {
                each(attempt)?;
            }
        }
        Ok(())
    }

    /// Standings and forfeits.
    pub(super) fn summary(&self) -> Result<Summary, Failure> {
        self.summarise(|_, _| Ok(()))
    }

    fn summarise(
        &self,
        mut also: impl FnMut(&Record, Option<&Isolation>) -> Result<(), Failure>,
    ) -> Result<Summary, Failure> {
        let roster = Roster::new(self.bots.iter().map(|bot| bot.id.clone()));
        let (mut games, mut forfeits) = (Vec::new(), Forfeits::new());
        let mut isolations = Isolations::default();
        self.for_each(|Attempt { record, isolation, .. }| {
            let record = &record;
            let isolation = isolation.and_then(|number| self.isolations.get(&number));
            isolations.add(isolation);
            games.extend(Game::of(record, &roster));
            forfeits.add(record);
            also(record, isolation)
        })?;
        let ranking = &self.tournament.format.ranking;
        let standings = Standings::rated(roster.len(), &games, ranking, &self.model(&roster));
        let matches = Matches::new(&games);
        let two_bots = two_bots(&standings, &games, &matches, &roster);
        Ok(Summary { roster, standings, matches, forfeits, two_bots, isolations })
    }

    fn model(&self, roster: &Roster) -> Model {
        let number = |name: &BotName| {
            let bot = self.bots.iter().find(|bot| bot.id.name == *name)?;
            roster.number(&bot.id)
        };
        let anchors = self.anchors.iter();
        let anchors =
            anchors.filter_map(|(name, elo)| Some(Anchor { bot: number(name)?, elo: *elo }));
        Model { anchors: anchors.collect(), ..Model::default() }
    }

    /// Writes every file anew, each whole or not at all.
    pub(super) fn write_files(&self) -> Result<Summary, Failure> {
        let mut games = NewFile::create(&self.folder, "games.csv", GamesCsv::new)?;
        let mut timing = NewFile::create(&self.folder, "timing.csv", TimingCsv::new)?;
        let mut moves =
            NewFile::create(&self.folder, "moves.jsonl", |out| Ok(MovesJsonl::new(out)))?;
        let summary = self.summarise(|record, isolation| {
            games.writer.add(record, isolation)?;
            timing.writer.add(record)?;
            moves.writer.add(record)?;
            Ok(())
        })?;
        games.finish(GamesCsv::finish)?;
        timing.finish(TimingCsv::finish)?;
        moves.finish(MovesJsonl::finish)?;
        let Summary { roster, standings, matches, .. } = &summary;
        let points = &self.tournament.format.ranking.points;
        let displays = &self.displays;
        self.write("leaderboard.csv", |out| leaderboard_csv(standings, roster, displays, out))?;
        self.write("crosstable.csv", |out| {
            crosstable_csv(standings, matches, points, roster, out)
        })?;
        Ok(summary)
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

impl Summary {
    /// The leaderboard for a terminal of that many columns, and what contained the bots.
    pub(super) fn table(&self, width: usize) -> String {
        let table = leaderboard_table(&self.standings, &self.roster, width) + &self.two_bots;
        match self.isolations.note() {
            Some(note) => format!("{table}{note}\n"),
            None => table,
        }
    }
}

/// A file that takes its name when it is whole, so that nobody ever reads half of it.
struct NewFile<W> {
    writer: W,
    part: PathBuf,
    path: PathBuf,
}

impl<W> NewFile<W> {
    fn create(
        folder: &Path,
        name: &str,
        wrap: impl FnOnce(BufWriter<File>) -> io::Result<W>,
    ) -> Result<Self, Failure> {
        let part = folder.join(format!(".{name}.part"));
        let file = File::create(&part)?;
        Ok(Self { writer: wrap(BufWriter::new(file))?, part, path: folder.join(name) })
    }

    fn finish(self, end: impl FnOnce(W) -> io::Result<()>) -> Result<(), Failure> {
        end(self.writer)?;
        Ok(std::fs::rename(self.part, self.path)?)
    }
}
