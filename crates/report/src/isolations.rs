//! Isolation note below a table: how the bots of the counted games were isolated.

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Isolation, Level, Promise, Tier};

/// Number of games by isolation. Isolations with the same guarantees count as one.
#[derive(Debug, Default)]
pub struct Isolations(Vec<(Option<Isolation>, u64)>);

impl Isolations {
    /// Counts a game.
    pub fn add(&mut self, isolation: Option<&Isolation>) {
        let is_same = |known: Option<&Isolation>| match (known, isolation) {
            (Some(known), Some(this)) => known.is_like(this),
            (known, this) => known.is_none() && this.is_none(),
        };
        match self.0.iter_mut().find(|(known, _)| is_same(known.as_ref())) {
            Some((_, games)) => *games += 1,
            None => self.0.push((isolation.cloned(), 1)),
        }
    }

    /// Note for a table; `None` if nothing is known.
    pub fn note(&self) -> Option<Message> {
        match &self.0[..] {
            [] | [(None, _)] => None,
            [(Some(isolation), _)] if isolation.tier == Tier::Bare => {
                Some(said!("Isolation: {}; the bots were not contained.", isolation.describe()))
            }
            [(Some(isolation), _)] => Some(said!("Isolation: {}.", isolation.describe())),
            several => Some(mixed(several)),
        }
    }
}

fn mixed(several: &[(Option<Isolation>, u64)]) -> Message {
    let part = |(isolation, games): &(Option<Isolation>, u64)| {
        let kind = isolation.as_ref().map_or_else(|| said!("unknown"), Isolation::describe);
        if *games == 1 { said!("1 game {}", kind) } else { said!("{} games {}", *games, kind) }
    };
    let parts: Vec<_> = several.iter().map(part).collect();
    let known: Vec<_> = several.iter().filter_map(|(isolation, _)| isolation.as_ref()).collect();
    let differ: Vec<_> = differing(&known).map(Promise::name).collect();
    if differ.is_empty() {
        return said!("Isolation is mixed: {}. They differ: compare with care.", parts);
    }
    let differ = differ.join(", ");
    said!("Isolation is mixed: {}. They differ in {}: compare with care.", parts, differ)
}

/// Guarantees that differ between isolations.
fn differing(all: &[&Isolation]) -> impl Iterator<Item = Promise> {
    let levels = |promise| -> Vec<Level> { all.iter().map(|one| one.level(promise)).collect() };
    Promise::ALL
        .iter()
        .copied()
        .filter(move |&promise| levels(promise).windows(2).any(|pair| pair[0] != pair[1]))
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Kept;

    use super::*;

    fn isolation(tier: Tier, net: Level, how: &str) -> Isolation {
        let promises = [(Promise::Net, Kept { level: net, how: how.into() })].into();
        Isolation { tier, cgroup: false, promises }
    }

    fn note(games: &[Option<&Isolation>]) -> Option<Message> {
        let mut isolations = Isolations::default();
        for game in games {
            isolations.add(*game);
        }
        isolations.note()
    }

    #[test]
    fn what_is_known_is_said() {
        let portable = isolation(Tier::Portable, Level::Enforced, "1 ms");
        let again = isolation(Tier::Portable, Level::Enforced, "2 ms");
        let bare = isolation(Tier::Bare, Level::Absent, "");
        assert_eq!(note(&[]), None);
        assert_eq!(note(&[None, None]), None);
        let said = [
            note(&[Some(&portable), Some(&again)]),
            note(&[Some(&bare)]),
            note(&[Some(&portable), Some(&bare), None, Some(&again)]),
            note(&[Some(&portable), None]),
        ];
        insta::assert_snapshot!(said.map(|note| note.unwrap().to_string()).join("\n"), @"
        Isolation: portable.
        Isolation: bare; the bots were not contained.
        Isolation is mixed: 2 games portable, 1 game bare, 1 game unknown. They differ in net: compare with care.
        Isolation is mixed: 1 game portable, 1 game unknown. They differ: compare with care.
        ");
    }

    #[test]
    fn the_same_tier_can_promise_less_on_another_machine() {
        let [here, there] =
            [Level::Enforced, Level::Limited].map(|level| isolation(Tier::Portable, level, ""));
        let said = note(&[Some(&here), Some(&there)]).unwrap().to_string();
        assert!(said.contains("1 game portable, 1 game portable. They differ in net"), "{said}");
    }
}
