//! Keys of a tournament file, with their forms, defaults and help. Unknown keys are detected by
//! this list, and `pitmaster help tournament` prints it.

/// A key of a tournament file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Section; empty for keys before all sections.
    pub section: &'static str,
    /// Name.
    pub name: &'static str,
    /// Permitted values.
    pub form: &'static str,
    /// Default as TOML, if there is one.
    pub default: Option<&'static str>,
    /// Help text.
    pub about: &'static str,
}

const fn key(
    section: &'static str,
    name: &'static str,
    form: &'static str,
    default: Option<&'static str>,
    about: &'static str,
) -> Key {
    Key { section, name, form, default, about }
}

/// All keys, in the order in which a file is written. A game's options are further keys of `[game]`,
/// which the game defines.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("", "version", "1", None, "version of the file format; required"),
    key("", "title", "a text", Some("\"\""), "shown above the standings"),
    key("", "seed", "0 or more", Some("1"), "seed of all random choices"),
    key("", "seed_commitment", "64 hexadecimal digits", None, "hash of the seed that was published before the tournament, from `pitmaster seed new`; the seed must match"),
    key("game", "name", "a game, or a path", None, "the game: kalah, weg::weg_10_4, ./my-game.toml; its options are further keys of this section"),
    key("clock", "per_move", "a duration or \"off\"", Some("\"1s\""), "limit on a move"),
    key("clock", "first_move", "a duration or \"off\"", Some("\"5s\""), "limit on a bot's first move if its process had no handshake; unless set, at least per_move, and off if per_move is off"),
    key("clock", "start_up", "a duration", Some("\"10s\""), "limit on each answer to a greeting or a new game"),
    key("clock", "per_game", "a duration or \"off\"", Some("\"3m30s\""), "limit on the wall-clock time of a game; then the score decides"),
    key("clock", "plies", "a number or \"off\"", Some("400"), "limit on the plies of a game; then the score decides"),
    key("clock", "margin", "a duration", Some("\"10ms\""), "grace period added to the move limit"),
    key("clock", "bank", "a duration or \"off\"", Some("\"off\""), "time account of each side; a side whose account is empty loses"),
    key("clock", "increment", "a duration", Some("\"0s\""), "added to the bank after each move"),
    key("clock", "starved_replays", "0 to 100", Some("3"), "most replays of a game in which a bot was late only because other programs used its core (starved); then the game counts"),
    key("format", "kind", "a kind of format", Some("\"round-robin\""), "\"round-robin\": everybody meets everybody; \"gauntlet\": some bots meet all others; \"swiss\": bots with similar points meet; \"knockout\": the loser of a match is out; \"ladder\": the most informative games are played; \"sprt\": two bots meet until it is decided which is stronger; \"sanity\": everybody meets some bots that have to be beaten; \"milestones\": everybody meets some bots until it is decided whether a line is reached against each; \"practice\": a practice server chooses the pairs"),
    key("format", "pairs", "1 to 1000000", Some("10"), "pairs for each meeting of two bots (per round in formats with rounds); a pair is two games with sides swapped; not for ladder, sprt and milestones"),
    key("format", "groups", "1 to 1000", Some("1"), "round-robin: number of groups; bots meet within their group"),
    key("format", "against", "a list of names", None, "gauntlet, sanity and milestones: the bots that meet all others; sprt: the bot that the other one has to beat"),
    key("format", "pass", "0 to 1", Some("0.5"), "sanity: bots with more than this share of the points go on"),
    key("format", "line", "0.01 to 0.99, or a list", Some("0.5"), "milestones: expected score that a bot has to reach; a list has one for each of against"),
    key("format", "error", "0.0001 to 0.2", Some("0.025"), "milestones: probability that a bot on the line is missed, and that it is reached"),
    key("format", "most_games", "2 to 1000000", Some("400"), "milestones: most games of two bots; then the bot is borderline"),
    key("format", "rounds", "1 to 1000", None, "swiss: number of rounds; by default as many as find a winner, and one more"),
    key("format", "third_place", "true or false", Some("true"), "knockout: whether the losers of the semifinals meet"),
    key("format", "extra", "0 to 1000", Some("5"), "knockout: most pairs that are added to a tied match, one at a time; then the higher seed goes on"),
    key("format", "seeding", "\"rating\" or \"drawn\"", Some("\"rating\""), "swiss, knockout, ladder, groups: \"rating\" seeds by the standings of the previous stage, in the first stage by the anchors of [[bot]], the rest by lot; \"drawn\" seeds all by lot"),
    key("format", "games", "2 to 1000000000", Some("10000"), "ladder and sprt: most games"),
    key("format", "precision", "1 to 10000", None, "ladder: ends when no 95 % interval of Elo is wider than this to either side"),
    key("format", "look_ahead", "2 to 100000", None, "ladder and sprt: pairs scheduled ahead of results, independent of the number of lanes; by default one for each bot, 16 in sprt"),
    key("format", "elo0", "-1000 to 1000", Some("0"), "sprt: Elo difference of the null hypothesis"),
    key("format", "elo1", "-1000 to 1000", Some("10"), "sprt: Elo difference of the alternative"),
    key("format", "alpha", "0.0001 to 0.49", Some("0.05"), "sprt: probability of accepting elo1 if elo0 is true"),
    key("format", "beta", "0.0001 to 0.49", Some("0.05"), "sprt: probability of accepting elo0 if elo1 is true"),
    key("format", "model", "\"normalised\" or \"logistic\"", Some("\"logistic\""), "sprt: scale of elo0 and elo1: Elo, or Elo divided by the standard deviation of results"),
    key("format.points", "win", "-1000 to 1000", Some("1"), "points for a win, in whole hundredths"),
    key("format.points", "draw", "-1000 to 1000", Some("0.5"), "points for a draw"),
    key("format.points", "loss", "-1000 to 1000", Some("0"), "points for a loss"),
    key("format", "tie_breaks", "a list of tie-breaks", Some("[\"direct\", \"sonneborn-berger\", \"wins\"]"), "tie-breaks between equal points, in this order; then ranks are shared: \"direct\" encounter, \"buchholz\", \"buchholz-cut-1\", \"sonneborn-berger\", \"wins\". With a Swiss stage, the default is buchholz, buchholz-cut-1, sonneborn-berger, direct, wins"),
    key("stage", "name", "a text", None, "[[stage]] may be repeated: stages are played in order and take every key of [format] except points and tie_breaks"),
    key("stage", "advance", "1 to 1000000", None, "number of bots that go on to the next stage (of each group, if there are groups); sanity: by default all that pass"),
    key("openings", "plies", "1 to 100", None, "number of random plies at the start of each game, chosen so that neither side is far ahead; both games of a pair share them. Bots of the dialects arena and course start from the initial position, because their protocol has no openings"),
    key("openings", "count", "1 to 10000", None, "number of openings; by default as many as pairs, at most 1000. Each is used for one pair of every two bots, then the list repeats"),
    key("openings", "file", "a path", None, "instead of random openings: a file with an opening per line, moves separated by spaces, # for comments"),
    key("bots", "include", "a list of patterns", Some("[]"), "bots that take part: paths, with * and ?, or house:NAME"),
    key("bots", "exclude", "a list of patterns", Some("[]"), "exceptions to include"),
    key("bots", "absent", "\"leave-out\" or \"forfeit\"", Some("\"leave-out\""), "treatment of a bot that cannot be built or started"),
    key("bot", "path", "a path, or house:NAME", None, "one bot; [[bot]] may be repeated"),
    key("bot", "name", "1 to 40 of a-z 0-9 . _ -", None, "replaces the bot's own name"),
    key("bot", "display", "a text", None, "replaces the bot's own display name"),
    key("bot", "anchor", "a number", None, "fixed Elo"),
    key("bot", "in_process", "true or false", None, "runs a house bot inside Pitmaster, without a process of its own; false by default"),
    key("sandbox", "isolation", "\"auto\", \"bare\", \"portable\" or \"full\"", Some("\"auto\""), "isolation of bots; `pitmaster doctor` shows what works on this machine"),
    key("sandbox", "require", "a list of guarantees", Some("[\"official\"]"), "required guarantees: \"official\", \"friendly\", or single ones such as \"net\" and \"mem~\", where ~ accepts limited; a run refuses to start if one is missing"),
    key("sandbox", "memory", "a size", Some("\"512MiB\""), "memory limit of a bot"),
    key("sandbox", "threads", "1 to 10000", Some("64"), "limit on the threads of a bot, where they can be counted"),
    key("sandbox", "file_size", "a size", Some("\"16MiB\""), "limit on the size of a file that a bot writes"),
    key("sandbox", "output", "a size", Some("\"64KiB\""), "limit on a bot's standard output in a turn"),
    key("sandbox", "stderr", "a size", Some("\"16MiB\""), "limit on a bot's standard error in a game"),
    key("sandbox", "cpu", "a duration or \"off\"", Some("\"5m\""), "limit on a bot's CPU time in a game, all threads together; unless set, at least what the clock allows a game"),
    key("sandbox", "idle_cpu_turn", "a duration or \"off\"", Some("\"20ms\""), "limit on a bot's CPU time during an opponent's turn; exceeding it loses the game (stole-time). Not applied if pondering is allowed"),
    key("sandbox", "idle_cpu_game", "a duration or \"off\"", Some("\"200ms\""), "the same for all of the opponent's turns of a game together"),
    key("sandbox", "scratch", "a size", Some("\"0\""), "scratch space of a bot during a game; 0: none"),
    key("sandbox", "processes", "\"forbidden\" or \"allowed\"", Some("\"forbidden\""), "whether a bot may start processes; needs control groups"),
    key("sandbox", "pondering", "\"forbidden\" or \"allowed\"", Some("\"forbidden\""), "whether a bot may compute during its opponent's turns; \"forbidden\" stops it meanwhile"),
    key("store", "durability", "\"normal\" or \"full\"", Some("\"normal\""), "\"normal\" survives a killed program, \"full\" also a power failure"),
];

/// Keys of `[format]` that are not a stage's own.
pub(super) const OF_ALL_STAGES: [&str; 2] = ["points", "tie_breaks"];

/// Names allowed in a section: its keys, and the sections directly inside.
pub(super) fn names_in(section: &str) -> Vec<&'static str> {
    let mut names: Vec<_> = KEYS.iter().filter_map(|key| name_in(section, key)).collect();
    if section == "stage" {
        names.extend(names_in("format").into_iter().filter(|name| !OF_ALL_STAGES.contains(name)));
    }
    names.dedup();
    names
}

fn name_in(section: &str, key: &Key) -> Option<&'static str> {
    if key.section == section {
        return Some(key.name);
    }
    let (parent, last) = key.section.rsplit_once('.').unwrap_or(("", key.section));
    (parent == section).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_listed_twice() {
        for (at, key) in KEYS.iter().enumerate() {
            let same = |other: &&Key| (other.section, other.name) == (key.section, key.name);
            assert_eq!(KEYS.iter().position(|other| same(&other)), Some(at), "{key:?}");
        }
    }

    #[test]
    fn a_stage_takes_the_keys_of_the_format() {
        let names = names_in("stage");
        assert!(["name", "advance", "kind", "elo1"].iter().all(|name| names.contains(name)));
        assert!(!names.contains(&"points"));
    }

    #[test]
    fn sections_are_names_at_the_top() {
        let names = names_in("");
        for name in
            ["version", "game", "clock", "format", "stage", "openings", "bots", "bot", "store"]
        {
            assert_eq!(names.iter().filter(|known| **known == name).count(), 1, "{name}");
        }
        assert_eq!(names_in("store"), ["durability"]);
    }
}
