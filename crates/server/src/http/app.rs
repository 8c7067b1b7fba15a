//! State that handlers share.

use std::fmt;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use pitmaster_season::course::{PersonId, Utc};

use super::cookie::Transport;
use super::metrics::ResponseCounts;
use super::problem::{Kind, Problem};
use super::readers::LadderReaders;
use super::throttle::{Rate, Throttle};
use super::upload::UploadSlots;
use crate::database::{Database, DatabaseError, Examinations, Refusal};
use crate::exchange::Exchange;
use crate::kgp::Context;
use crate::live::Hub;
use crate::play::HumanGames;
use crate::standings::Standings;
use crate::uploads::Uploads;

/// Log sink for the operator of the server.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Settings of the pages.
#[derive(Clone)]
pub struct AppSettings {
    /// Name of the site.
    pub site: String,
    /// Whether browsers reach the site over TLS.
    pub transport: Transport,
    /// Free bytes of the disk below which uploads are refused, so that the database can still
    /// commit.
    pub reserve: u64,
    /// Clock.
    pub now: fn() -> Utc,
    /// Log sink for the operator of the server.
    pub log: Log,
    /// Whether remote players are accepted.
    pub kgp: bool,
    /// Whether bots play in this process. If not, finals are played by hand, and people play
    /// against house bots only.
    pub plays_here: bool,
}

impl fmt::Debug for AppSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppSettings").field("site", &self.site).finish_non_exhaustive()
    }
}

/// State that handlers share. Clones are cheap.
#[derive(Debug, Clone)]
pub struct App(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    database: Database,
    uploads: Uploads,
    exchange: Exchange,
    upload_slots: UploadSlots,
    settings: AppSettings,
    requests: Mutex<Throttle<PersonId>>,
    guests: Mutex<Throttle<IpAddr>>,
    response_counts: ResponseCounts,
    readers: LadderReaders,
    /// Cached waiting times, with the number of database changes before them.
    examinations: Mutex<Option<(u64, Examinations)>>,
}

impl App {
    /// Creates the state from the database, the uploads, and the exchange with the player.
    pub fn new(
        database: Database,
        uploads: Uploads,
        exchange: Exchange,
        settings: AppSettings,
    ) -> Self {
        let upload_slots = UploadSlots::default();
        let requests = Mutex::new(Throttle::new(Rate::PER_ACCOUNT));
        let guests = Mutex::new(Throttle::new(Rate::PER_ADDRESS));
        let response_counts = ResponseCounts::default();
        Self(Arc::new(Shared {
            database,
            uploads,
            exchange,
            upload_slots,
            settings,
            requests,
            guests,
            response_counts,
            readers: LadderReaders::default(),
            examinations: Mutex::default(),
        }))
    }

    /// Publishes frames of the running games for as long as it is polled.
    pub fn frames(&self) -> impl Future<Output = ()> + Send + use<> {
        self.0.exchange.live.clone().run()
    }

    /// Closes the readers of the ladders' stores. Must be called before the stores are closed.
    pub fn close_readers(&self) {
        self.0.readers.close();
    }

    pub(super) fn readers(&self) -> &LadderReaders {
        &self.0.readers
    }

    pub(super) fn database(&self) -> &Database {
        &self.0.database
    }

    /// Waiting times for verdicts. All requests between two changes of the database share one
    /// result.
    pub(super) async fn examinations(&self) -> Result<Examinations, DatabaseError> {
        // Read before the query, whose result may then be newer than the number.
        let changes = *self.database().changes().borrow();
        let known = *self.0.examinations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, known)) = known
            && at == changes
        {
            return Ok(known);
        }
        let found = self.database().examinations().await?;
        *self.0.examinations.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((changes, found));
        Ok(found)
    }

    pub(super) fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    pub(super) fn standings(&self) -> &Standings {
        &self.0.exchange.standings
    }

    pub(super) fn live(&self) -> &Hub {
        &self.0.exchange.live
    }

    pub(super) fn people(&self) -> &HumanGames {
        &self.0.exchange.people
    }

    pub(super) fn upload_slots(&self) -> &UploadSlots {
        &self.0.upload_slots
    }

    pub(super) fn response_counts(&self) -> &ResponseCounts {
        &self.0.response_counts
    }

    /// Context for connections of remote players, if they are accepted.
    pub(crate) fn kgp(&self) -> Option<Context> {
        let AppSettings { now, log, kgp, .. } = &self.0.settings;
        if !kgp {
            return None;
        }
        let (lobby, database) = (self.0.exchange.lobby.clone(), self.0.database.clone());
        Some(Context { lobby, database, now: *now, log: Arc::clone(log) })
    }

    /// Whether bots play in this process.
    pub(super) fn plays_here(&self) -> bool {
        self.0.settings.plays_here
    }

    pub(super) fn site(&self) -> &str {
        &self.0.settings.site
    }

    pub(super) fn transport(&self) -> Transport {
        self.0.settings.transport
    }

    pub(super) fn reserve(&self) -> u64 {
        self.0.settings.reserve
    }

    pub(super) fn now(&self) -> Utc {
        (self.0.settings.now)()
    }

    pub(super) fn log(&self) -> Log {
        Arc::clone(&self.0.settings.log)
    }

    /// Counts a request of an account.
    pub(super) fn count(&self, person: PersonId, now: Utc) -> Result<(), Problem> {
        counted(&self.0.requests, person, now)
    }

    /// Counts a request of a guest. Requests from this machine come through a proxy, which has its
    /// own limits and appears as a single address.
    pub(super) fn count_guest(&self, address: Option<IpAddr>, now: Utc) -> Result<(), Problem> {
        match address {
            Some(address) if !address.is_loopback() => counted(&self.0.guests, address, now),
            _ => Ok(()),
        }
    }
}

fn counted<K: Hash + Eq>(by: &Mutex<Throttle<K>>, key: K, now: Utc) -> Result<(), Problem> {
    // A panic while counting leaves a usable count.
    let mut throttle = by.lock().unwrap_or_else(PoisonError::into_inner);
    throttle.count(key, now).map_err(Problem::too_many)
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Refused(refusal) => refusal.into(),
            DatabaseError::Busy | DatabaseError::Closed => Self::new(Kind::Unavailable),
            DatabaseError::Full { .. } => Self::no_space().caused_by(error.to_string()),
            error => Self::new(Kind::Internal).caused_by(error.to_string()),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let kind = match &refusal {
            Refusal::Absent(_) => return Self::new(Kind::NotFound),
            Refusal::Quota { wait } => {
                return Self::too_many(*wait).because(super::refusal::message(&refusal));
            }
            Refusal::Exists(_)
            | Refusal::State(_)
            | Refusal::TooMany { .. }
            | Refusal::Conflict(_)
            | Refusal::LeaseLost => Kind::Conflict,
            Refusal::Invalid { .. }
            | Refusal::Passphrase(_)
            | Refusal::UnknownInvite
            | Refusal::UsedInvite
            | Refusal::ExpiredInvite => Kind::Refused,
        };
        Self::new(kind).because(super::refusal::message(&refusal))
    }
}
