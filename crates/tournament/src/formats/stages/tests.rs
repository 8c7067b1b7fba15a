//! Tests of stages with simulated results.

use pitmaster_core::{BotHash, BotId, Dialect, Mark};

use super::super::fixtures::{play, play_by};
use super::*;

fn bots(names: &[&str]) -> Vec<PlannedBot> {
    let bot = |name: &&str| {
        let id = BotId { name: name.parse().unwrap(), hash: BotHash::of(name.as_bytes()) };
        PlannedBot { id, dialect: Dialect::default(), anchor: None }
    };
    names.iter().map(bot).collect()
}

const EIGHT: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn plan(text: &str) -> FormatPlan {
    let file = format!("version = 1\ngame = \"kalah\"\nbots.include = [\"house:random\"]\n{text}");
    crate::read(&file).expect("a tournament").format
}

fn begin(plan: &FormatPlan, bots: &[PlannedBot], kept: &[KeptDecision]) -> Box<dyn Format> {
    start(&Start { plan, seed: Seed(3), bots }, kept)
}

const STAGES: &str = "[[stage]]\nkind = \"sanity\"\nagainst = [\"h\"]\npass = 0.4\npairs = 1\n\
                      [[stage]]\nkind = \"round-robin\"\ngroups = 2\npairs = 1\nadvance = 2\n\
                      [[stage]]\nkind = \"knockout\"\npairs = 1\n";

/// Names of the bots in each stage.
fn fields(pairings: &[Pairing]) -> Vec<String> {
    let of = |stage: u32| {
        let here = pairings.iter().filter(|pairing| pairing.stage == stage);
        let mut names: Vec<_> = here.flat_map(|p| p.bots.map(|bot| EIGHT[bot])).collect();
        names.sort_unstable();
        names.dedup();
        names.concat()
    };
    (1..=3).map(of).collect()
}

#[test]
fn who_passes_comes_into_groups_and_the_first_of_these_into_the_final() {
    // The first letter wins; "a" to "f" beat "h", and "g" loses to it.
    let better = |a: u32, b: u32| (a < b) != (a.min(b) == 6 && a.max(b) == 7);
    let played = play_by(begin(&plan(STAGES), &bots(&EIGHT), &[]), |game| {
        let (win, loss) = (Mark::Win, Mark::Loss);
        let BySide { one, two } = game.bots;
        if better(one, two) { BySide::new(win, loss) } else { BySide::new(loss, win) }
    });
    assert_eq!(fields(&played.pairings), ["abcdefgh", "abcdef", "abcd"]);
    // By the final, then by the groups, then by the first stage.
    let tiers = played.format.places().tiers;
    assert_eq!(tiers[..4], [0, 1, 2, 3]);
    assert!(tiers[4].min(tiers[5]) > 3 && tiers[6] > tiers[4].max(tiers[5]), "{tiers:?}");
    assert!(tiers[7] > 3 && tiers[7] <= tiers[6], "{tiers:?}");
}

#[test]
fn as_many_pairings_as_expected() {
    for text in [
        "[format]\nkind = \"swiss\"\npairs = 2\n",
        "[format]\nkind = \"ladder\"\ngames = 100\n",
        "[format]\nkind = \"knockout\"\nextra = 0\npairs = 3\n",
        "[format]\nkind = \"gauntlet\"\nagainst = [\"c\", \"d\"]\n",
    ] {
        let (plan, bots) = (plan(text), bots(&EIGHT));
        let expected = begin(&plan, &bots, &[]).expected();
        let played = play(begin(&plan, &bots, &[]), 5);
        assert_eq!(expected, Expected { pairs: played.pairings.len() as u64, bound: Bound::Exact });
    }
}

/// All decisions and pairings.
fn decided(
    format: Box<dyn Format>,
    bots: &[PlannedBot],
    seed: u64,
) -> (Vec<KeptDecision>, Vec<Pairing>) {
    let mut played = play(format, seed);
    let kept = played.format.decided().iter().map(|one| KeptDecision::new(one, bots)).collect();
    (kept, played.pairings)
}

#[test]
fn what_was_decided_stays_whatever_the_results_are_now() {
    for text in [STAGES, "[format]\nkind = \"swiss\"\npairs = 1\n"] {
        let (plan, bots) = (plan(text), bots(&EIGHT));
        let (kept, pairings) = decided(begin(&plan, &bots, &[]), &bots, 1);
        let (news, again) = decided(begin(&plan, &bots, &kept), &bots, 2);
        assert_eq!((news, again), (Vec::new(), pairings));
    }
}

#[test]
fn a_decision_is_read_as_it_was_written() {
    let (plan, bots) = (plan(STAGES), bots(&EIGHT));
    let (kept, _) = decided(begin(&plan, &bots, &[]), &bots, 1);
    let text = serde_json::to_string(&kept).unwrap();
    assert_eq!(serde_json::from_str::<Vec<KeptDecision>>(&text).unwrap(), kept);
    insta::assert_snapshot!(serde_json::to_string(&kept[0]).unwrap(), @r#"{"stage":2,"field":["g","e","b","c","f"]}"#);
    insta::assert_snapshot!(serde_json::to_string(&kept[1]).unwrap(), @r#"{"stage":3,"field":["g","b","f","e"]}"#);
}

#[test]
fn who_would_have_met_somebody_who_is_gone_has_a_bye() {
    let swiss = plan("[format]\nkind = \"swiss\"\npairs = 1\nrounds = 2\n");
    let all = bots(&EIGHT);
    let (kept, before) = decided(begin(&swiss, &all, &[]), &all, 1);
    let left = bots(&EIGHT[1..]);
    let played = play(begin(&swiss, &left, &kept), 1);
    let byes = played.format.places().byes;
    assert_eq!(byes.iter().filter(|&&byes| byes == 2).count(), 2);
    assert_eq!(played.pairings.len(), before.len() - 2);
}

#[test]
fn newcomers_take_part_from_the_next_round_on() {
    let swiss =
        |rounds| plan(&format!("[format]\nkind = \"swiss\"\npairs = 1\nrounds = {rounds}\n"));
    let six = bots(&EIGHT[..6]);
    let (kept, _) = decided(begin(&swiss(2), &six, &[]), &six, 1);
    let played = play(begin(&swiss(3), &bots(&EIGHT), &kept), 1);
    let new = |pairing: &&Pairing| pairing.bots.iter().any(|&bot| bot > 5);
    let rounds: Vec<_> = played.pairings.iter().filter(new).map(|p| p.round).collect();
    assert!(!rounds.is_empty() && rounds.iter().all(|&round| round == 3), "{rounds:?}");
}

#[test]
fn anchors_seed_and_the_others_are_drawn() {
    let mut all = bots(&EIGHT);
    all[5].anchor = Some(2000.0);
    all[2].anchor = Some(1000.0);
    let cup = plan("[format]\nkind = \"knockout\"\npairs = 1\n");
    // The higher seed wins: the first seed meets the second in the final.
    let strength = |bot: u32| all[bot as usize].anchor.unwrap_or(-f64::from(bot));
    let played = play_by(begin(&cup, &all, &[]), |game| {
        let (win, loss) = (Mark::Win, Mark::Loss);
        let first = strength(game.bots.one) > strength(game.bots.two);
        if first { BySide::new(win, loss) } else { BySide::new(loss, win) }
    });
    let tiers = played.format.places().tiers;
    assert_eq!((tiers[5], tiers[2]), (0, 1));
}
