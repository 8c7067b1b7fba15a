//! Core reservation, so that no two processes play on the same core.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::holders::{Holder, holder_of};
use super::locks::{self, Lock, Tried};
use super::{Layout, Machine};

/// Interval of checks for a free core.
const LOOK: Duration = Duration::from_millis(500);

/// Requested cores.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Number of concurrent games. `None` for as many as this machine can run fairly, or fewer
    /// while other processes play.
    pub lanes: Option<usize>,
    /// Exactly these cores; `None` for any.
    pub cores: Option<CoreList>,
    /// Use cores that others have reserved if no others are free.
    pub share: bool,
}

/// Logical cores, written `1,4-6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreList(pub Vec<usize>);

/// Highest valid core number.
const HIGHEST: usize = 1023;

impl FromStr for CoreList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("cores are written 1,4-6 (0 to {HIGHEST}), not {text:?}");
        let number = |text: &str| text.parse().ok().filter(|&number: &usize| number <= HIGHEST);
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = number(first).zip(number(last)).ok_or_else(wrong)?;
            cores.extend(first..=last);
        }
        let count = cores.len();
        cores.sort_unstable();
        cores.dedup();
        if cores.is_empty() || cores.len() < count { Err(wrong()) } else { Ok(Self(cores)) }
    }
}

/// Reason why cores can never be reserved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// Requested cores do not exist.
    #[error("this process may not use core {core}, only {allowed}; name others with --cores")]
    NotHere {
        /// A core that does not exist.
        core: usize,
        /// The cores that exist.
        allowed: String,
    },
}

/// A core of this machine and its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The core: the first of its siblings.
    pub core: usize,
    /// Whether the core is reserved.
    pub is_held: bool,
    /// The holder, as far as it is visible.
    pub holder: Option<Holder>,
}

/// All cores of this machine with their holders.
///
/// # Errors
/// Returns why cores cannot be reserved on this machine.
pub fn held() -> Result<Vec<Held>, String> {
    let Some(folder) = locks::folder()? else { return Ok(Vec::new()) };
    let held = |core| {
        let path = locks::path(&folder, core);
        let holder = holder_of(&path);
        // A process of another container is invisible, but its lock still blocks.
        let is_held = holder.is_some()
            || path.is_file() && matches!(locks::try_lock(&folder, core), Tried::Held);
        Held { core, is_held, holder }
    };
    Ok(Machine::here().cores.iter().map(|core| held(core.name)).collect())
}

/// Reserves cores for lanes until the layout and all its copies are dropped. Waits while too few
/// are free, and reports the wait.
///
/// # Errors
/// A core named in the request cannot be used.
pub fn reserve(wish: &Wish, say: &dyn Fn(&str)) -> Result<Layout, WishError> {
    let machine = Machine::here();
    let places = machine.places(wish)?;
    let folder = match locks::folder() {
        Ok(Some(folder)) => folder,
        Ok(None) => return Ok(Layout { shared: Vec::new(), ..machine.unreserved(places) }),
        Err(why) => {
            say(&unreserved(&why));
            return Ok(machine.unreserved(places));
        }
    };
    let mut has_waited = false;
    loop {
        match machine.try_reserve(&places, wish.share, &folder) {
            Ok((layout, broken)) => {
                for why in &broken {
                    say(&unreserved(why));
                }
                if !layout.shared.is_empty() && broken.is_empty() {
                    say(&format!(
                        "warning: playing on {}, reserved by another process: times mean less",
                        plural("core", &layout.shared)
                    ));
                }
                return Ok(layout);
            }
            Err(held) => {
                if !std::mem::replace(&mut has_waited, true) {
                    say(&waiting(&held, &folder));
                }
                std::thread::sleep(LOOK);
            }
        }
    }
}

fn unreserved(why: &str) -> String {
    format!(
        "warning: cores cannot be reserved, and others may play on the same ones: {why}; \
         `pitmaster doctor` tells more"
    )
}

fn plural(noun: &str, numbers: &[usize]) -> String {
    let list: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    let s = if numbers.len() == 1 { "" } else { "s" };
    format!("{noun}{s} {}", list.join(", "))
}

fn waiting(held: &[usize], folder: &Path) -> String {
    let holder_text = |core: &usize| match holder_of(&locks::path(folder, *core)) {
        Some(holder) => format!("core {core} is reserved by {holder}"),
        None => format!("core {core} is reserved by a process that is not visible from here"),
    };
    let holders: Vec<_> = held.iter().map(holder_text).collect();
    format!(
        "waiting for a free core: {}; --share-cores plays at once, on cores of others",
        holders.join("; ")
    )
}

/// Logical cores for lanes in order of preference, and the number of lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    order: Vec<usize>,
    lanes: usize,
    /// Minimum number of physical cores.
    least: usize,
    /// Whether fewer lanes are acceptable, because the request names no number.
    may_be_fewer: bool,
}

impl Machine {
    fn places(&self, wish: &Wish) -> Result<Places, WishError> {
        let Some(CoreList(cores)) = &wish.cores else {
            let lanes = self.lanes(wish.lanes);
            let may_be_fewer = wish.lanes.is_none();
            let least = if may_be_fewer { 1 } else { lanes.min(self.cores.len()) };
            return Ok(Places { order: self.order(), lanes, least, may_be_fewer });
        };
        if let Some(&core) = cores.iter().find(|&&core| self.core_of(core).is_none()) {
            let mut allowed = self.order();
            allowed.sort_unstable();
            return Err(WishError::NotHere { core, allowed: plural("core", &allowed) });
        }
        let lanes = wish.lanes.unwrap_or(cores.len());
        let order = cores.clone();
        let mut physical: Vec<_> = order.iter().map(|&core| self.name(core)).collect();
        physical.sort_unstable();
        physical.dedup();
        let least = lanes.min(physical.len());
        Ok(Places { order, lanes, least, may_be_fewer: false })
    }

    /// Name of the physical core of a logical core.
    fn name(&self, logical: usize) -> usize {
        self.core_of(logical).map_or(logical, |core| core.name)
    }

    /// Layout without reserved cores, if there is no folder for locks.
    fn unreserved(&self, places: Places) -> Layout {
        let Places { order, lanes, .. } = places;
        let lanes: Vec<_> = (0..lanes).map(|lane| order[lane % order.len()]).collect();
        let shared = distinct(&lanes);
        Layout { shared, ..self.layout(lanes, &[]) }
    }

    /// Returns the layout with warnings about unreservable cores, or the cores that other processes
    /// hold.
    fn try_reserve(
        &self,
        places: &Places,
        share: bool,
        folder: &Path,
    ) -> Result<(Layout, Vec<String>), Vec<usize>> {
        let mut got = Got::default();
        for &core in &places.order {
            let name = self.name(core);
            if !got.has_tried(name) && got.locked.len() < places.lanes {
                got.try_lock(name, folder);
            }
        }
        // Waiting for unreservable cores is pointless, so they are used unreserved.
        let mut usable: Vec<usize> = got.locked.iter().map(|(name, _)| *name).collect();
        if usable.len() < places.least {
            usable.extend(got.broken.iter().map(|(name, _)| *name));
        }
        if share && usable.len() < places.least {
            usable.extend(&got.held);
        }
        if usable.len() < places.least {
            return Err(got.held);
        }
        // Unneeded locks are released here.
        usable.truncate(places.lanes);
        Ok(self.layout_of(places, &usable, got, folder))
    }

    fn layout_of(
        &self,
        places: &Places,
        usable: &[usize],
        got: Got,
        folder: &Path,
    ) -> (Layout, Vec<String>) {
        let order: Vec<_> =
            places.order.iter().filter(|core| usable.contains(&self.name(**core))).collect();
        let lanes = places.lanes;
        let lanes = if places.may_be_fewer { lanes.min(usable.len()) } else { lanes };
        let lanes: Vec<_> = (0..lanes).map(|lane| *order[lane % order.len()]).collect();
        let is_locked = |core: &usize| {
            let name = self.name(*core);
            got.locked.iter().any(|(locked, _)| *locked == name)
        };
        let shared = distinct(&lanes).into_iter().filter(|core| !is_locked(core)).collect();
        let used = |name: &usize| lanes.iter().any(|&core| self.name(core) == *name);
        let why = got.broken.iter().filter(|(name, _)| used(name)).map(|(_, why)| why.clone());
        let why = why.collect();
        let foreign = self.foreign(&got, folder);
        let reserved: Vec<Lock> = got.locked.into_iter().map(|(_, lock)| lock).collect();
        let layout = self.layout(lanes, &foreign);
        (Layout { shared, reserved: Arc::new(reserved), ..layout }, why)
    }

    /// Logical cores reserved by other processes.
    fn foreign(&self, got: &Got, folder: &Path) -> Vec<usize> {
        let is_foreign = |name: usize| {
            got.held.contains(&name)
                || !got.has_tried(name) && holder_of(&locks::path(folder, name)).is_some()
        };
        let foreign = self.cores.iter().filter(|core| is_foreign(core.name));
        foreign.flat_map(|core| &core.logical).copied().collect()
    }
}

/// Result of the attempts to reserve cores, by their names.
#[derive(Debug, Default)]
struct Got {
    locked: Vec<(usize, Lock)>,
    held: Vec<usize>,
    broken: Vec<(usize, String)>,
}

impl Got {
    fn try_lock(&mut self, name: usize, folder: &Path) {
        match locks::try_lock(folder, name) {
            Tried::Locked(lock) => self.locked.push((name, lock)),
            Tried::Held => self.held.push(name),
            Tried::Broken(why) => self.broken.push((name, why)),
        }
    }

    fn has_tried(&self, name: usize) -> bool {
        self.held.contains(&name)
            || self.locked.iter().any(|(locked, _)| *locked == name)
            || self.broken.iter().any(|(broken, _)| *broken == name)
    }
}

fn distinct(cores: &[usize]) -> Vec<usize> {
    let mut cores = cores.to_vec();
    cores.sort_unstable();
    cores.dedup();
    cores
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    fn wish(lanes: Option<usize>, cores: &str, share: bool) -> Wish {
        let cores = (!cores.is_empty()).then(|| cores.parse().unwrap());
        Wish { lanes, cores, share }
    }

    /// Layout of a machine of four cores, or the cores held by others.
    fn tried(wish: &Wish, folder: &Path) -> Result<Layout, Vec<usize>> {
        let machine = machine(4, 4, None);
        let places = machine.places(wish).unwrap();
        machine.try_reserve(&places, wish.share, folder).map(|(layout, _)| layout)
    }

    #[test]
    fn the_second_process_gets_other_cores() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(Some(2), "", false), dir.path()).unwrap();
        assert_eq!((&first.lanes[..], &first.shared[..]), (&[3, 2][..], &[][..]));
        let second = tried(&wish(Some(1), "", false), dir.path()).unwrap();
        assert_eq!(second.lanes, [1]);
        assert_eq!(second.rest, [0, 4, 5], "off the cores and siblings of the first");
        drop(first);
        assert_eq!(tried(&wish(Some(1), "", false), dir.path()).unwrap().lanes, [3]);
    }

    #[test]
    fn who_named_no_number_makes_do_with_fewer() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(None, "", false), dir.path()).unwrap();
        assert_eq!(first.lanes, [3, 2, 1]);
        let second = tried(&wish(None, "", false), dir.path()).unwrap();
        assert_eq!((second.lanes, second.rest), (vec![0], vec![4]), "the sibling of its own core");
    }

    #[test]
    fn who_named_a_number_waits_for_it_and_holds_nothing_meanwhile() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(Some(3), "", false), dir.path()).unwrap();
        assert_eq!(tried(&wish(Some(2), "", false), dir.path()).unwrap_err(), [3, 2, 1]);
        let third = tried(&wish(Some(1), "", false), dir.path()).unwrap();
        assert_eq!(third.lanes, [0], "the one that waits does not have it");
        drop(first);
        assert_eq!(tried(&wish(Some(2), "", false), dir.path()).unwrap().lanes, [3, 2]);
    }

    #[test]
    fn who_shares_plays_on_what_is_free_first_and_says_what_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(Some(3), "", false), dir.path()).unwrap();
        let second = tried(&wish(Some(2), "", true), dir.path()).unwrap();
        assert_eq!((second.lanes, second.shared), (vec![3, 0], vec![3]));
        drop(first);
    }

    #[test]
    fn several_lanes_on_one_named_core_are_as_many_as_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(tried(&wish(Some(3), "2", false), dir.path()).unwrap().lanes, [2, 2, 2]);
    }

    #[test]
    fn named_cores_are_taken_and_siblings_are_one_core() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(None, "1", false), dir.path()).unwrap();
        assert_eq!(first.lanes, [1]);
        assert_eq!(tried(&wish(None, "5", false), dir.path()).unwrap_err(), [1], "its sibling");
        let both = tried(&wish(None, "2,6", false), dir.path()).unwrap();
        assert_eq!((&both.lanes[..], both.reserved()), (&[2, 6][..], 1));
        let missing = machine(4, 4, None).places(&wish(None, "2,9", false)).unwrap_err();
        insta::assert_snapshot!(missing, @"this process may not use core 9, only cores 0, 1, 2, 3, 4, 5, 6, 7; name others with --cores");
    }

    #[test]
    fn more_lanes_than_cores_need_every_core() {
        let dir = tempfile::tempdir().unwrap();
        let all = tried(&wish(Some(6), "", false), dir.path()).unwrap();
        assert_eq!(all.lanes, [3, 2, 1, 0, 4, 5]);
        assert_eq!(all.reserved(), 4);
    }

    #[test]
    fn what_nobody_can_reserve_is_used_and_told() {
        let dir = tempfile::tempdir().unwrap();
        for core in 0..4 {
            std::fs::create_dir(locks::path(dir.path(), core)).unwrap();
        }
        let machine = machine(4, 0, None);
        let places = machine.places(&wish(Some(1), "", false)).unwrap();
        let (layout, why) = machine.try_reserve(&places, false, dir.path()).unwrap();
        assert_eq!((layout.lanes, layout.shared), (vec![3], vec![3]));
        assert!(why.len() == 1 && why[0].contains("no plain file"), "{why:?}");
    }

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!("1,4-6".parse(), Ok(CoreList(vec![1, 4, 5, 6])));
        for wrong in ["", "x", "1,,2", "3-", "6-4", "1,1", "99999"] {
            assert!(wrong.parse::<CoreList>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn who_waits_is_told_for_whom() {
        let dir = tempfile::tempdir().unwrap();
        let first = tried(&wish(None, "2", false), dir.path()).unwrap();
        let text = waiting(&[2], dir.path());
        let start = format!(
            "waiting for a free core: core 2 is reserved by process {} of ",
            std::process::id()
        );
        assert!(text.starts_with(&start), "{text}");
        assert!(text.ends_with("; --share-cores plays at once, on cores of others"), "{text}");
        drop(first);
    }
}
