//! Keeper thread: synchronizes the ladders with the database, so that lanes find work and play only
//! what is allowed.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pitmaster_season::course::{Action, CourseState, EntryId, LadderId, Utc, VersionId};
use pitmaster_session::Error;
use pitmaster_session::practice::{PracticeBot, PracticeLadder, UnreadLadder, Workshop};
use pitmaster_store::{Readers, create_file, make_folder};

use super::history::{History, newcomer};
use super::ladders::{OpenLadder, PlayingVersion, RemoteEntrants};
use super::remote::remote_players;
use super::{LEASE, LogObserver, PlayerError, Shared, catch_panic, server};
use crate::database::{Bot, Course, Database, Ladder, LadderState, Version};
use crate::kgp::OPEN_LADDER;
use crate::standings::LadderRules;

/// Polling interval of the database. A replaced version gets new pairs for at most this time.
const INTERVAL: Duration = Duration::from_millis(200);

/// Interval of lease extensions.
const EXTEND_INTERVAL: Duration = Duration::from_secs(30);

/// Delay before a retry of a version that could not be prepared.
const RETRY_DELAY: Duration = Duration::from_mins(1);

/// Folder of a ladder in the course's folder.
pub fn ladder_folder(folder: &Path, course: &str, ladder: &str) -> PathBuf {
    // Slugs have no dots, so two ladders never share a folder.
    folder.join("ladders").join(format!("{course}.{ladder}"))
}

/// Folder of a ladder, relative to a folder in a folder of the course's folder.
pub(crate) fn relative_ladder_folder(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("../../ladders/{name}")
}

/// Tournament file of the first ladder on which versions play. Creates the file for a new ladder.
pub(super) fn first_file(
    database: &Database,
    folder: &Path,
) -> Result<Option<PathBuf>, PlayerError> {
    let see = Action::ViewResults;
    let courses = database.courses().wait()?.into_iter();
    for course in courses.filter_map(|course| course.open(&server(), see).ok()) {
        let ladders = database.ladders(course.facts.id).wait()?.into_iter();
        let mut ladders = ladders.filter_map(|ladder| ladder.open(&server(), see).ok());
        let is_it =
            |ladder: &Ladder| ladder.slug != OPEN_LADDER && ladder.state != LadderState::Closed;
        if let Some(ladder) = ladders.find(is_it) {
            let folder = ladder_folder(folder, &course.slug, &ladder.slug);
            write_file(&folder, &ladder.tournament_file).map_err(Error::from)?;
            return Ok(Some(folder.join("tournament.toml")));
        }
    }
    Ok(None)
}

/// Follows the database until the player stops.
pub(super) fn run(shared: &Shared) {
    let (mut extended, mut last) = (Instant::now(), String::new());
    let mut failed = HashMap::new();
    while !shared.is_stopping() {
        let done = catch_panic(|| {
            shared.sync_ladders()?;
            shared.sync_versions(&mut failed)?;
            shared.sync_requests(&mut failed)?;
            shared.lease_validations()
        });
        if extended.elapsed() >= EXTEND_INTERVAL {
            extended = Instant::now();
            shared.extend_leases();
        }
        let said = done.err().map_or_else(String::new, |error| error.to_string());
        if !said.is_empty() && said != last {
            shared.log(&said);
        }
        last = said;
        shared.pause(INTERVAL);
    }
}

impl Shared {
    /// Leases all waiting validations.
    fn lease_validations(&self) -> Result<(), PlayerError> {
        while !self.is_stopping() && self.lease_validation()? {}
        Ok(())
    }

    /// Opens new ladders, and updates which ladders play.
    pub(super) fn sync_ladders(&self) -> Result<(), PlayerError> {
        let see = Action::ViewResults;
        let courses = self.database.courses().wait()?.into_iter();
        for course in courses.filter_map(|course| course.open(&server(), see).ok()) {
            let ladders = self.database.ladders(course.facts.id).wait()?.into_iter();
            for ladder in ladders.filter_map(|ladder| ladder.open(&server(), see).ok()) {
                let plays = plays(&course, &ladder);
                if let Some(open) = self.lock().get_mut(ladder.id) {
                    let is_fit = !open.is_remote() || open.folder.is_for_kgp();
                    (open.plays, open.frozen_view_at) = (plays && is_fit, ladder.frozen_view_at);
                    continue;
                }
                if ladder.state != LadderState::Closed {
                    let open = self.open_ladder(&course, &ladder, plays)?;
                    self.lock().open.push(open);
                }
            }
        }
        Ok(())
    }

    /// Opens the results folder of a ladder, and creates it for a new ladder.
    fn open_folder(&self, course: &Course, ladder: &Ladder) -> Result<UnreadLadder, PlayerError> {
        let root = &self.settings.folder;
        let folder = ladder_folder(root, &course.slug, &ladder.slug);
        write_file(&folder, &ladder.tournament_file).map_err(Error::from)?;
        let observer = LogObserver(std::sync::Arc::clone(&self.settings.log));
        let isolation = &self.settings.isolation;
        let bots = root.join("bots");
        let workers = self.workers.as_ref();
        let (layout, bots) = (&self.layout, &bots);
        Ok(PracticeLadder::open(&folder, bots, layout, isolation, workers, &observer)?)
    }

    /// Opens a ladder, and rebuilds its pairing state from the stored games.
    fn open_ladder(
        &self,
        course: &Course,
        ladder_row: &Ladder,
        plays: bool,
    ) -> Result<OpenLadder, PlayerError> {
        let folder = self.open_folder(course, ladder_row)?;
        let is_remote = ladder_row.slug == OPEN_LADDER;
        let mut history = if is_remote {
            History::of_remote(folder.seed(), folder.marks())
        } else {
            History::new(folder.seed(), folder.marks(), self.all_versions(course.facts.id)?)
        };
        let mut games = 0;
        let mut folder = folder.read(|outcome| {
            games += 1;
            history.add(outcome);
        })?;
        let next_pair = history.next_pair();
        let (ladder, players) = history.finish();
        let (game, per_move) = folder.rules();
        self.exchange.standings.set_rules(ladder_row.id, LadderRules { game, per_move });
        let is_played = !is_remote || folder.is_for_kgp();
        if !is_played {
            let slug = &ladder_row.slug;
            self.log(&format!(
                "ladder {slug} is not played: KGP clients know kalah with any number of holes and \
                 seeds only; change the game in its tournament.toml"
            ));
        }
        let remote = is_remote.then(|| {
            let bots = remote_players(&players, &folder);
            RemoteEntrants { bots, next_pair }
        });
        if let Some(remote) = &remote {
            folder.set_bots(&remote.bots)?;
        }
        Ok(OpenLadder {
            id: ladder_row.id,
            slug: ladder_row.slug.clone(),
            course: course.facts.id,
            course_slug: course.slug.clone(),
            plays: plays && is_played,
            remote,
            requests: None,
            frozen_view_at: ladder_row.frozen_view_at,
            folder,
            ladder,
            players,
            playing: Vec::new(),
            games,
            is_complete: false,
            is_dirty: true,
        })
    }

    /// Makes exactly the active versions of the database play. New versions are prepared first,
    /// while the others continue.
    fn sync_versions(&self, failed: &mut HashMap<VersionId, Instant>) -> Result<(), PlayerError> {
        let open: Vec<_> = {
            let ladders = self.lock();
            let versions = ladders.open.iter().filter(|open| !open.is_remote());
            versions.map(|open| (open.id, open.course)).collect()
        };
        for (ladder, course) in open {
            let active = self.database.active_versions(course).wait()?;
            let bots = self.bots(course)?.into_iter();
            let bots: HashMap<_, _> = bots.map(|bot| (bot.id, bot)).collect();
            let missing = self.keep_playing(ladder, &active, &bots)?;
            let prepared = self.prepare(ladder, &active, &missing, failed);
            if prepared.is_empty() {
                continue;
            }
            let now = self.now();
            let mut ladders = self.lock();
            // A check takes minutes, and a newcomer's first games come first.
            ladders.interrupt_checks();
            if let Some(open) = ladders.get_mut(ladder) {
                for (version, prepared) in prepared {
                    if let Some(bot) = bots.get(&version.bot) {
                        open.add(version, bot, prepared, now);
                    }
                }
                open.publish_bots()?;
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    /// Removes versions that no longer play. Returns the missing ones.
    fn keep_playing(
        &self,
        ladder: LadderId,
        active: &[Version],
        bots: &HashMap<EntryId, Bot>,
    ) -> Result<Vec<VersionId>, PlayerError> {
        let now = self.now();
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(ladder) else { return Ok(Vec::new()) };
        let mut has_changed = !open.is_complete;
        for playing in std::mem::take(&mut open.playing) {
            let version = active.iter().find(|version| version.id == playing.id());
            let Some((version, bot)) = version.and_then(|it| Some((it, bots.get(&it.bot)?))) else {
                open.ladder.remove(playing.id());
                has_changed = true;
                continue;
            };
            let newcomer = newcomer(version, bot.is_ranked);
            if newcomer != playing.newcomer {
                open.ladder.add(now, newcomer);
                has_changed = true;
            }
            let plays_people = bot.plays_people;
            open.playing.push(PlayingVersion { newcomer, plays_people, ..playing });
        }
        if has_changed {
            open.publish_bots()?;
        }
        let is_missing = |id: &VersionId| open.playing.iter().all(|playing| playing.id() != *id);
        Ok(active.iter().map(|version| version.id).filter(is_missing).collect())
    }

    /// Prepares versions for playing. They are already built, so this is fast unless the snapshot
    /// has changed.
    fn prepare<'v>(
        &self,
        ladder: LadderId,
        active: &'v [Version],
        missing: &[VersionId],
        failed: &mut HashMap<VersionId, Instant>,
    ) -> Vec<(&'v Version, PracticeBot)> {
        let mut prepared = Vec::new();
        if missing.is_empty() {
            return prepared;
        }
        let workshop = self.lock().get_mut(ladder).map(|open| open.folder.workshop().clone());
        let Some(workshop) = workshop else { return prepared };
        for version in active.iter().filter(|version| missing.contains(&version.id)) {
            if let Some(bot) = self.prepare_version(&workshop, version, failed) {
                prepared.push((version, bot));
            }
        }
        prepared
    }

    /// Prepares a version for playing; `None` if it cannot play for now.
    pub(super) fn prepare_version(
        &self,
        workshop: &Workshop,
        version: &Version,
        failed: &mut HashMap<VersionId, Instant>,
    ) -> Option<PracticeBot> {
        let is_recent = |at: &Instant| at.elapsed() < RETRY_DELAY;
        let hash = version.hash.as_ref().filter(|_| !self.is_stopping())?;
        if failed.get(&version.id).is_some_and(is_recent) {
            return None;
        }
        let has_more_games = || !self.is_stopping();
        let why = match workshop.build(hash, &version.name, &has_more_games) {
            Ok(Ok(bot)) => return Some(bot),
            Ok(Err(why)) => why.to_string(),
            Err(error) => error.to_string(),
        };
        let (name, number) = (&version.name, version.number);
        self.log(&format!("{name}, version {number}, cannot play for now: {why}"));
        failed.insert(version.id, Instant::now());
        None
    }

    fn extend_leases(&self) {
        let leases = self.lock().leases.clone();
        for lease in leases {
            // A holder of a lost lease notices when it ends the job.
            let _ = self.database.extend_lease(lease, LEASE, self.now()).wait();
        }
    }
}

impl OpenLadder {
    /// Adds a version to the players.
    fn add(&mut self, version: &Version, of: &Bot, bot: PracticeBot, now: Utc) {
        let newcomer = newcomer(version, of.is_ranked);
        let player = self.ladder.add(now, newcomer);
        self.players.insert(player, bot.id().clone());
        let (number, plays_people) = (version.number, of.plays_people);
        self.playing.push(PlayingVersion { newcomer, number, plays_people, bot });
    }

    /// Publishes the playing versions to the results folder.
    pub(super) fn publish_bots(&mut self) -> Result<(), Error> {
        // Remains false after a failure, which causes a retry.
        self.is_complete = false;
        let versions = self.playing.iter().map(|playing| &playing.bot);
        let bots: Vec<_> =
            versions.chain(self.remote.iter().flat_map(|remote| &remote.bots)).cloned().collect();
        self.folder.set_bots(&bots)?;
        self.is_dirty = true;
        self.is_complete = true;
        Ok(())
    }
}

/// Whether a ladder's pairs are played.
fn plays(course: &Course, ladder: &Ladder) -> bool {
    let has_more_games = !matches!(course.facts.state, CourseState::Paused | CourseState::Closed);
    has_more_games && ladder.state == LadderState::Open
}

/// Writes the tournament file of a new ladder.
pub(super) fn write_file(folder: &Path, text: &str) -> std::io::Result<()> {
    let file = folder.join("tournament.toml");
    if file.exists() {
        return Ok(());
    }
    make_folder(folder.parent().unwrap_or(folder), Readers::Owner)?;
    make_folder(folder, Readers::Owner)?;
    // Written atomically: a truncated file would keep the ladder closed.
    let new = folder.join("tournament.toml.new");
    let mut out = create_file(&new)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    fs::rename(new, file)
}
