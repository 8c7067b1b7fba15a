//! Bots that behave play unchanged in every tier: those of `bots/`, and those of `tests/honest/`
//! that use what programs in their language commonly use.

use std::fs;
use std::path::Path;

use crate::hostile::tiers::{Around, Tier, tiers};
use crate::hostile::{is_at_hand, on_two_cores};
use crate::scratch::Scratch;

/// Limits that no machine exceeds.
const PATIENT: &str = "--per-move 1m --per-game 30m";

/// All of both folders.
fn all() -> Vec<(&'static str, String)> {
    let folders = ["bots", "tests/honest"];
    let bots = folders.into_iter().flat_map(|folder| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(path).expect("bots").flatten();
        let bots = entries.filter(|entry| entry.path().join("bot.toml").is_file());
        bots.map(move |entry| (folder, entry.file_name().to_string_lossy().into_owned()))
    });
    bots.collect()
}

/// Plays a pair against random moves; no game may be forfeited.
fn plays(folder: &str, bot: &str, tier: &Tier) -> Result<(), String> {
    let scratch = Scratch::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(bot);
    let bot_path = path.display();
    let args = format!("match {bot_path} house:random --pairs 1 --name cup -q {PATIENT}");
    let ran = scratch.run(&format!("{args} {}", tier.args()));
    let forfeits = || scratch.column("results/cup/games.csv", "forfeited_by");
    if ran.code == Some(0) && forfeits() == [""; 2] {
        return Ok(());
    }
    Err(format!("{folder}/{bot} in {}: {}", tier.name, ran.all()))
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn they_play_unchanged_in_every_tier() {
    let (offered, lacking) = tiers(Around::NOTHING);
    for one in lacking {
        eprintln!("skipped: all in {one}");
    }
    let here: Vec<_> = all().into_iter().filter(|(folder, bot)| is_at_hand(folder, bot)).collect();
    assert!(here.len() >= 6, "{here:?}");
    for tier in &offered {
        on_two_cores(&here, |(folder, bot)| plays(folder, bot, tier));
    }
}

/// One is enough to see at once that a tier lets no honest bot play.
#[test]
fn threads_play_in_every_tier() {
    for tier in tiers(Around::NOTHING).0 {
        plays("tests/honest", "python", &tier).expect("no forfeit");
    }
}
