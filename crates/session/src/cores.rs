//! Core reservation.

use pitmaster_core::MachineLoad;
use pitmaster_runner::{self as runner, Layout, Wish};

use crate::{Error, Observer};

/// Reserves cores, and waits for them if necessary. Later builds stay off cores that others
/// reserved.
///
/// # Errors
/// A requested core cannot be used.
pub fn reserve(wish: &Wish, observer: &dyn Observer) -> Result<Layout, Error> {
    let layout = runner::reserve(wish, &|text: &str| observer.note(text));
    let layout = layout.map_err(Error::invalid)?;
    layout.stay_within();
    Ok(layout)
}

/// Reserves one core for one game at a time, and measures the machine's load.
///
/// # Errors
/// The requested core cannot be used.
pub fn reserve_one(wish: &Wish, observer: &dyn Observer) -> Result<(Layout, MachineLoad), Error> {
    let load = load(observer);
    let wish = Wish { lanes: Some(1), ..wish.clone() };
    Ok((reserve(&wish, observer)?, load))
}

/// Measures the machine's load and reports it if the machine is busy.
pub fn load(observer: &dyn Observer) -> MachineLoad {
    let load = runner::machine_load();
    if let Some(warning) = load.warning() {
        observer.note(&warning);
    }
    load
}
