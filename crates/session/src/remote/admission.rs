//! Admission of workers: what each has to promise, and what the store remembers of those that were
//! let in.

use std::sync::{Arc, Mutex, PoisonError};

use pitmaster_cluster::{self as cluster, About, Gate};
use pitmaster_core::{Isolation, Requirements, Untrusted};
use pitmaster_runner::Machine;
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{KnownIsolation, Reader, Store, StoreError};

use crate::Error;
use crate::isolation::unmet;

/// The promises under which all games are played: those of the games that are there already, or
/// those of the first worker.
#[derive(Debug, Clone)]
pub(crate) struct Reference(Arc<Mutex<Option<Isolation>>>);

impl Reference {
    pub(crate) fn of(store: &Store) -> Result<Self, Error> {
        let reader = store.reader()?;
        let numbers = reader.isolations_of_valid()?;
        let known = reader.isolations()?;
        let last = known.into_iter().rev().find(|known| numbers.contains(&Some(known.number)));
        Ok(Self(Arc::new(Mutex::new(last.map(|known| known.isolation)))))
    }

    /// That a worker's promises are like those of all others.
    ///
    /// # Errors
    /// What differs.
    fn hold_against(&self, isolation: &Isolation, mix: bool) -> Result<(), String> {
        let mut reference = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = reference.get_or_insert_with(|| isolation.clone());
        if mix || first.is_like(isolation) {
            return Ok(());
        }
        Err(format!(
            "its games would be played under {isolation} and all others under {first}, which differ \
             in {}; see `pitmaster doctor` there, or start the tournament with --mix-isolation",
            cluster::differing_promises(first, isolation)
        ))
    }

    pub(crate) fn isolation(&self) -> Isolation {
        let reference = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reference.clone().unwrap_or_else(|| {
            Sandbox::open(&pitmaster_core::Resources::default()).isolation().clone()
        })
    }
}

/// Who is let in.
pub(crate) struct Admission {
    /// What must hold for each worker.
    pub(crate) require: Requirements,
    /// Workers may differ in what contains bots.
    pub(crate) mix: bool,
    pub(crate) reference: Reference,
}

impl Admission {
    /// The gate of a contest whose results are in this store.
    ///
    /// # Errors
    /// What is wrong with the store; or the system has no randomness.
    pub(crate) fn gate(self, store: &Arc<Store>) -> Result<Gate, Error> {
        let key = key(store)?;
        let reader = Arc::new(Mutex::new(store.reader()?));
        let workers = Workers { store: Arc::clone(store), reader: Arc::clone(&reader) };
        let (known, dismiss) = (workers.clone(), workers.clone());
        let admit = move |about: &About, isolation: &Isolation| {
            self.judge(about, isolation)?;
            workers.keep(about, isolation)
        };
        let has = move |id: &pitmaster_core::GameId| {
            let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            reader.has_valid(id).unwrap_or(false)
        };
        Ok(Gate {
            admit: Box::new(admit),
            known: Box::new(move |instance| known.find(instance)?.machine()),
            has: Box::new(has),
            dismiss: Box::new(move |instance, why| dismiss.dismiss(instance, why)),
            key,
        })
    }

    fn judge(&self, about: &About, isolation: &Isolation) -> Result<(), String> {
        if !is_a_name(&about.name) {
            return Err(
                "its name is not 1 to 64 letters, digits, dots and dashes; give it another \
                        one with --name"
                    .into(),
            );
        }
        if let Some(fault) = unmet(isolation, &self.require, || false) {
            return Err(fault);
        }
        self.reference.hold_against(isolation, self.mix)
    }
}

/// The key of the contest's tickets, drawn for the first coordinator.
fn key(store: &Store) -> Result<[u8; 32], Error> {
    if let Some(key) = store.reader()?.ticket_key()? {
        return Ok(key);
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| {
        Error::stopped(format!("the system has no randomness to draw a key from: {error}"))
    })?;
    store.put_ticket_key(&key)?;
    Ok(key)
}

/// The workers that the store knows, so that what each has played is known for its own even when
/// another coordinator takes it.
#[derive(Clone)]
struct Workers {
    store: Arc<Store>,
    reader: Arc<Mutex<Reader>>,
}

/// A worker as the store knows it, by its instance: that is its public key, and nobody else can
/// sign for it.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct KeptWorker {
    name: String,
    isolation: u32,
    about: About,
    /// Why it was dismissed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dismissed: Option<String>,
}

impl KeptWorker {
    fn machine(self) -> Option<Machine> {
        let machine = Machine { name: self.name, isolation: Some(self.isolation) };
        self.dismissed.is_none().then_some(machine)
    }
}

impl Workers {
    fn find(&self, instance: &str) -> Option<KeptWorker> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.worker(instance).ok()?
    }

    fn keep(&self, about: &About, isolation: &Isolation) -> Result<Machine, String> {
        let known = self.find(&about.instance).and_then(|known| known.dismissed);
        if let Some(why) = known {
            return Err(format!("it was dismissed: {why}"));
        }
        let number = self.store.keep_isolation(KnownIsolation {
            number: 0,
            isolation: isolation.clone(),
            host: about.host.clone(),
            kernel: about.kernel.clone(),
        });
        let isolation = number.map_err(|error| error.to_string())?;
        let (name, about) = (about.name.clone(), about.clone());
        let kept = KeptWorker { name: name.clone(), isolation, about, dismissed: None };
        self.put(&kept).map_err(|error| error.to_string())?;
        Ok(Machine { name, isolation: Some(isolation) })
    }

    fn put(&self, kept: &KeptWorker) -> Result<(), StoreError> {
        self.store.put_worker(&kept.about.instance, kept)
    }

    /// Its games are refused from now on, by coordinators to come as well.
    fn dismiss(&self, instance: &str, why: &str) {
        let why = Untrusted::new(why).shown(400);
        let kept = self.find(instance).map(|kept| KeptWorker { dismissed: Some(why), ..kept });
        if let Some(kept) = kept {
            // A store that cannot be written to ends the run by itself.
            let _ = self.put(&kept);
        }
    }
}

/// Whether a text may name a worker: it stands in tables and files.
pub fn is_a_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}
