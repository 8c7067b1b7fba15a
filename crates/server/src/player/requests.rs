//! Requested pairs: games that groups ask for, played on a ladder's lanes and rated nowhere.
//!
//! They have a results folder of their own, whose bots are those of the running requests. The round
//! of a game is the number of its request, so that after a restart the folder tells which pairs
//! remain.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pitmaster_core::{BotId, BotName};
use pitmaster_runner::Batch;
use pitmaster_season::course::{AskId, LadderId, VersionId};
use pitmaster_season::ladder::{Ask, Recorded, Task};
use pitmaster_session::practice::{
    LadderPath, PracticeBot, PracticeLadder, Workshop, requested_file,
};
use pitmaster_store::GamesOf;

use super::keeper::{ladder_folder, relative_ladder_folder, write_file};
use super::ladders::{Ladders, OpenLadder};
use super::{LogObserver, PlayerError, Shared};
use crate::database::{DatabaseError, GameRequest, GameRequestState, Opponent};

/// Folder of the games that groups ask for on a ladder, in the course's folder.
pub fn requested_folder(folder: &Path, course: &str, ladder: &str) -> PathBuf {
    folder.join("requested").join(format!("{course}.{ladder}"))
}

/// Requests that are being played on a ladder.
#[derive(Debug)]
pub(super) struct OpenRequests {
    /// Results folder.
    pub(super) folder: PracticeLadder,
    running: BTreeMap<AskId, OpenRequest>,
}

/// Request that is being played.
#[derive(Debug)]
struct OpenRequest {
    round: u32,
    /// The requested version and its opponent.
    bots: [BotId; 2],
    /// Those of them that are no house bots.
    versions: Vec<PracticeBot>,
}

impl OpenRequests {
    /// Number of pairs of a request that were played.
    fn pairs_played(&self, request: &GameRequest) -> Result<u32, PlayerError> {
        let reader = self.folder.reader()?;
        let most = 2 * request.facts.pairs as usize;
        let games = reader.latest(&GamesOf::Round(request.number), None, most);
        let mut pairs = HashMap::new();
        for game in games.map_err(pitmaster_session::Error::from)? {
            *pairs.entry(game.outcome.key.pair).or_insert(0) += 1;
        }
        Ok(pairs.values().filter(|games| **games == 2).count() as u32)
    }

    /// Makes the versions of all requests play.
    fn publish_bots(&mut self) -> Result<(), PlayerError> {
        let mut bots: BTreeMap<&BotId, &PracticeBot> = BTreeMap::new();
        for version in self.running.values().flat_map(|request| &request.versions) {
            bots.insert(version.id(), version);
        }
        let bots: Vec<_> = bots.into_values().cloned().collect();
        Ok(self.folder.set_bots(&bots)?)
    }
}

impl Shared {
    /// Makes exactly the waiting requests of the database play.
    pub(super) fn sync_requests(
        &self,
        failed: &mut HashMap<VersionId, Instant>,
    ) -> Result<(), PlayerError> {
        let ladders: Vec<LadderId> = {
            let ladders = self.lock();
            let of_versions = ladders.open.iter().filter(|open| !open.is_remote());
            of_versions.map(|open| open.id).collect()
        };
        for ladder in ladders {
            let waiting = self.database.waiting_game_requests(ladder).wait()?;
            for request in self.missing_requests(ladder, &waiting)? {
                self.begin_request(ladder, request, failed)?;
            }
        }
        Ok(())
    }

    /// Drops requests that do not wait any more. Returns those that are not known yet.
    fn missing_requests<'r>(
        &self,
        ladder: LadderId,
        waiting: &'r [GameRequest],
    ) -> Result<Vec<&'r GameRequest>, PlayerError> {
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(ladder) else { return Ok(Vec::new()) };
        let Some(requests) = &mut open.requests else { return Ok(waiting.iter().collect()) };
        let before = requests.running.len();
        requests.running.retain(|id, _| {
            let still_waits = waiting.iter().any(|request| request.id == *id);
            if !still_waits {
                open.ladder.cancel(*id);
            }
            still_waits
        });
        if requests.running.len() < before {
            requests.publish_bots()?;
        }
        Ok(waiting.iter().filter(|request| !requests.running.contains_key(&request.id)).collect())
    }

    /// Prepares the bots of a request, and queues its remaining pairs.
    fn begin_request(
        &self,
        ladder: LadderId,
        request: &GameRequest,
        failed: &mut HashMap<VersionId, Instant>,
    ) -> Result<(), PlayerError> {
        let Some((workshop, house)) = self.of_request(ladder, request) else { return Ok(()) };
        let mut bots = Vec::new();
        let mut versions = Vec::new();
        let opponent = match request.facts.opponent {
            Opponent::Version(version) => Some(version),
            Opponent::House(_) => None,
        };
        for version in [Some(request.facts.version), opponent].into_iter().flatten() {
            let Some(bot) = self.requested_version(&workshop, version, failed)? else {
                return Ok(());
            };
            bots.push(bot.id().clone());
            versions.push(bot);
        }
        bots.extend(house);
        let Ok(bots) = bots.try_into() else {
            // The house bot is not on this ladder any more.
            return self.end_request(request.id, GameRequestState::Canceled);
        };
        self.open_requests(ladder)?;
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(ladder) else { return Ok(()) };
        let Some(requests) = &mut open.requests else { return Ok(()) };
        let left = request.facts.pairs.saturating_sub(requests.pairs_played(request)?);
        if left == 0 {
            drop(ladders);
            return self.end_request(request.id, GameRequestState::Done);
        }
        let round = request.number;
        requests.running.insert(request.id, OpenRequest { round, bots, versions });
        if let Err(error) = requests.publish_bots() {
            requests.running.remove(&request.id);
            return Err(error);
        }
        open.ladder.ask(Ask { id: request.id, group: request.group, pairs: left });
        drop(ladders);
        self.changed.notify_all();
        Ok(())
    }

    /// Workshop of a ladder, and its house bot in a request.
    fn of_request(
        &self,
        ladder: LadderId,
        request: &GameRequest,
    ) -> Option<(Workshop, Option<BotId>)> {
        let mut ladders = self.lock();
        let open = ladders.get_mut(ladder)?;
        let house = match &request.facts.opponent {
            Opponent::House(house) => open.house(house),
            Opponent::Version(_) => None,
        };
        Some((open.folder.workshop().clone(), house))
    }

    /// A version of a request, ready to play; `None` if it cannot play for now.
    fn requested_version(
        &self,
        workshop: &Workshop,
        id: VersionId,
        failed: &mut HashMap<VersionId, Instant>,
    ) -> Result<Option<PracticeBot>, PlayerError> {
        let version = self.version(id)?;
        Ok(version.and_then(|version| self.prepare_version(workshop, &version, failed)))
    }

    /// Opens the folder of a ladder's requests, and creates it for the first one.
    fn open_requests(&self, ladder: LadderId) -> Result<(), PlayerError> {
        let names = {
            let mut ladders = self.lock();
            let open = ladders.get_mut(ladder).filter(|open| open.requests.is_none());
            open.map(|open| (open.course_slug.clone(), open.slug.clone()))
        };
        let Some((course, slug)) = names else { return Ok(()) };
        let root = &self.settings.folder;
        let observer = LogObserver(std::sync::Arc::clone(&self.settings.log));
        let folder = requested_folder(root, &course, &slug);
        if !folder.join("tournament.toml").exists() {
            let of = ladder_folder(root, &course, &slug);
            let of = LadderPath { folder: &of, relative: &relative_ladder_folder(&of) };
            let text = requested_file(of, &observer)?;
            write_file(&folder, &text).map_err(pitmaster_session::Error::from)?;
        }
        let isolation = &self.settings.isolation;
        let bots = root.join("bots");
        let workers = self.workers.as_ref();
        let unread =
            PracticeLadder::open(&folder, &bots, &self.layout, isolation, workers, &observer)?;
        let folder = unread.read(|_| ())?;
        if let Some(open) = self.lock().get_mut(ladder) {
            open.requests = Some(OpenRequests { folder, running: BTreeMap::new() });
        }
        Ok(())
    }

    /// Ends the request that a recorded pair completes, or that is given up.
    pub(super) fn end_recorded_request(&self, recorded: &Recorded) -> Result<(), PlayerError> {
        if let Some(id) = recorded.answered {
            return self.end_request(id, GameRequestState::Done);
        }
        match recorded.given_up {
            Some(id) => self.end_request(id, GameRequestState::Canceled),
            None => Ok(()),
        }
    }

    fn end_request(&self, id: AskId, state: GameRequestState) -> Result<(), PlayerError> {
        match self.database.end_game_request(id, state, self.now()).wait() {
            // The group canceled it meanwhile.
            Ok(()) | Err(DatabaseError::Refused(_)) => Ok(()),
            Err(error) => {
                self.lock().open.iter_mut().for_each(|open| open.forget_request(id));
                Err(error.into())
            }
        }
    }
}

impl Ladders {
    /// Issues the next pair of a request to a lane.
    pub(super) fn begin_requested(
        &mut self,
        at: usize,
        task: u64,
        id: AskId,
    ) -> Result<Option<Batch>, PlayerError> {
        let number = self.next_batch();
        let open = &mut self.open[at];
        let begun = open.requests.as_mut().and_then(|requests| {
            let OpenRequest { round, bots: [a, b], .. } = requests.running.get(&id)?;
            Some(requests.folder.pair([a, b], *round, number))
        });
        self.issue(at, Task::Asked { number: task, id }, begun.unwrap_or(Ok(None)))
    }
}

impl OpenLadder {
    /// Records that a task was not played because of this server. A request that has lost too many
    /// pairs is begun again by the keeper.
    pub(super) fn record_failed(&mut self, task: &Task) {
        if let Some(id) = self.record_lost(task).given_up {
            self.forget_request(id);
        }
    }

    /// Forgets a request, so that the keeper begins it again if it still waits.
    fn forget_request(&mut self, id: AskId) {
        if let Some(requests) = &mut self.requests
            && requests.running.remove(&id).is_some()
        {
            self.ladder.cancel(id);
        }
    }

    /// House bot of this ladder, by its name.
    fn house(&self, name: &BotName) -> Option<BotId> {
        self.folder.marks().map(|(id, _)| id).find(|id| id.name == *name).cloned()
    }
}
