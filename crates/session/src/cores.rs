//! Reservation of cores.

use pitmaster_core::MachineLoad;
use pitmaster_runner::{self as runner, Layout, Wish};

use crate::{Error, Observer};

/// Reserves cores, waiting for them if need be. Builds that follow stay off the cores of others.
///
/// # Errors
/// A requested core cannot be used.
pub fn reserve(wish: &Wish, observer: &dyn Observer) -> Result<Layout, Error> {
    let layout = runner::reserve(wish, &|text: &str| observer.note(text));
    let layout = layout.map_err(Error::invalid)?;
    layout.stay_within();
    Ok(layout)
}

/// Reserves one core for a single game at a time, and measures how busy the machine is.
///
/// # Errors
/// The requested core cannot be used.
pub fn reserve_one(wish: &Wish, observer: &dyn Observer) -> Result<(Layout, MachineLoad), Error> {
    let load = load(observer);
    let wish = Wish { lanes: Some(1), ..wish.clone() };
    Ok((reserve(&wish, observer)?, load))
}

/// Measures how busy the machine is, and reports it if it is busy.
pub fn load(observer: &dyn Observer) -> MachineLoad {
    let load = runner::machine_load();
    if let Some(warning) = load.warning() {
        observer.note(&warning);
    }
    load
}
