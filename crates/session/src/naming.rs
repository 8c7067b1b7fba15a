//! Bot naming, before anything is built.
//!
//! A name comes from the tournament file, from the bot itself, or from its folders if several bots
//! share a name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{self, Naming, PrepareError, shown_path};
use pitmaster_core::{BotName, Untrusted};
use rayon::prelude::*;

use pitmaster_season::{Class, Member};

use crate::bots::{Found, Source};
use crate::{Error, intake};

/// Maximum number of names shown at once.
const SHOWN: usize = 5;

/// Maximum number of parent folders in a bot's name.
const FOLDERS: usize = 4;

/// Names all bots, in their order, and returns remarks about the names.
///
/// # Errors
/// The tournament itself assigns a name twice, or no folder distinguishes two bots.
pub fn name_all(found: &[Found]) -> Result<(Vec<Naming>, Vec<String>), Error> {
    let members = members(found);
    let key = |member: &Option<Member>| member.as_ref().map(|member| member.key.clone());
    let bots = found.par_iter().zip(&members);
    let own: Vec<BotName> =
        bots.map(|(bot, member)| key(member).unwrap_or_else(|| own_name(bot))).collect();
    let is_fixed = |(bot, member): (&Found, &Option<Member>)| {
        member.is_some() || folder_name(bot, 1).is_none()
    };
    let fixed: Vec<bool> = found.iter().zip(&members).map(is_fixed).collect();
    let mut names = own.clone();
    for folders in 1..=FOLDERS {
        let shared: Vec<usize> = shared(&names).into_values().flatten().collect();
        for at in shared.into_iter().filter(|&at| !fixed[at]) {
            names[at] = folder_name(&found[at], folders).unwrap_or_else(|| names[at].clone());
        }
    }
    let left = shared(&names);
    if !left.is_empty() {
        return Err(Error::invalid(refusal(found, &left)));
    }
    let notes = notes(&own, &names);
    let entry = |bot: &Found| Some(Untrusted::new(bot.entry.as_ref()?.display.clone()?));
    let naming = |((bot, member), name): ((&Found, &Option<Member>), BotName)| {
        let display = member.as_ref().map(|member| Untrusted::new(member.name.as_str()));
        Naming { name: Some(name), display: entry(bot).or(display) }
    };
    Ok((found.iter().zip(&members).zip(names).map(naming).collect(), notes))
}

/// Class members of these bots. A bot in `CLASS/bots/KEY` is named by its key, regardless of its
/// manifest, and displayed by its author's name.
fn members(found: &[Found]) -> Vec<Option<Member>> {
    let mut classes = Classes::default();
    let member = |bot: &Found| match &bot.source {
        Source::Path(path) if bot.entry.as_ref().is_none_or(|entry| entry.name.is_none()) => {
            classes.member(path)
        }
        _ => None,
    };
    found.iter().map(member).collect()
}

/// Classes by folder, each read once.
#[derive(Debug, Default)]
struct Classes(BTreeMap<PathBuf, Option<Class>>);

impl Classes {
    fn member(&mut self, path: &Path) -> Option<Member> {
        let bots = path.parent().filter(|bots| bots.ends_with("bots"))?;
        let read = |folder: &PathBuf| intake::read_class(folder).ok();
        let class = self.0.entry(bots.parent()?.to_owned()).or_insert_with_key(read).as_ref()?;
        class.member(&path.file_name()?.to_str()?.parse().ok()?).cloned()
    }
}

/// Naming of a bot of a class. Empty for any other bot.
pub(crate) fn in_class(path: &Path) -> Naming {
    let member = path.canonicalize().ok().and_then(|path| Classes::default().member(&path));
    let naming = |member: Member| Naming {
        name: Some(member.key),
        display: Some(Untrusted::new(member.name)),
    };
    member.map(naming).unwrap_or_default()
}

/// The name from the tournament file or from the bot itself. A bot without a readable name is named
/// after its folder.
fn own_name(bot: &Found) -> BotName {
    let given = bot.entry.as_ref().and_then(|entry| entry.name.as_ref());
    match (given, &bot.source) {
        (Some(name), _) => name.value.clone(),
        (None, Source::House(house)) => house.name(),
        (None, Source::Path(path)) => match submission::called(path) {
            Ok(name) => name,
            Err(PrepareError::Bot(unfit)) => unfit.name,
            Err(PrepareError::Store(_)) => submission::name_of(path),
        },
    }
}

/// Name from that many last components of the bot's path. `None` if the name is fixed.
fn folder_name(bot: &Found, folders: usize) -> Option<BotName> {
    let is_given = bot.entry.as_ref().is_some_and(|entry| entry.name.is_some());
    let path = match &bot.source {
        Source::Path(path) if !is_given => path,
        _ => return None,
    };
    let above = path.ancestors().skip(1).take(folders - 1).filter_map(Path::file_name);
    let mut parts: Vec<_> = above.map(|part| shown_path(Path::new(part))).collect();
    parts.reverse();
    parts.push(submission::name_of(path).to_string());
    Some(BotName::tamed(&parts.join("-")))
}

/// Positions of bots that share a name.
fn shared(names: &[BotName]) -> BTreeMap<&BotName, Vec<usize>> {
    let mut bearers = BTreeMap::<_, Vec<_>>::new();
    for (at, name) in names.iter().enumerate() {
        bearers.entry(name).or_default().push(at);
    }
    bearers.retain(|_, bearers| bearers.len() > 1);
    bearers
}

fn refusal(found: &[Found], shared: &BTreeMap<&BotName, Vec<usize>>) -> String {
    let one = |(name, bearers): (&&BotName, &Vec<usize>)| {
        let paths: Vec<_> = bearers.iter().map(|&at| found[at].shown()).collect();
        format!("{} bots are called {name}: {}", paths.len(), few(&paths))
    };
    let mut lines: Vec<_> = shared.iter().take(SHOWN).map(one).collect();
    if shared.len() > SHOWN {
        lines.push(format!("and {} more names are shared", shared.len() - SHOWN));
    }
    lines.push(
        "give all but one of each another name, by `name` in a [[bot]] of the tournament file"
            .into(),
    );
    lines.join("\n")
}

fn notes(own: &[BotName], names: &[BotName]) -> Vec<String> {
    let shared = shared(own);
    let one = |(name, bearers): (&&BotName, &Vec<usize>)| {
        let now: Vec<_> = bearers.iter().map(|&at| names[at].to_string()).collect();
        let count = bearers.len();
        format!("{count} bots are called {name}; by their folders they are {}", few(&now))
    };
    let mut notes: Vec<_> = shared.iter().take(SHOWN).map(one).collect();
    if shared.len() > SHOWN {
        notes.push(format!("and so it is with {} more names", shared.len() - SHOWN));
    }
    notes
}

fn few(all: &[String]) -> String {
    let more = match all.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    all[..all.len().min(SHOWN)].join(", ") + &more
}
