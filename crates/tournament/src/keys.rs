//! The one list of all keys of a tournament file: what they may be, their defaults, what
//! they mean. Unknown keys are found by it, and the help is written from it.

/// A key of a tournament file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The section it stands in; empty: before all sections.
    pub section: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub form: &'static str,
    /// What it is when it is not written, as it would be written; `None`: nothing.
    pub default: Option<&'static str>,
    /// What it means.
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

/// All keys, in the order in which a file is written. A game's options stand in `[game]`
/// beside its name; which there are, the game says.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("", "version", "1", None, "the version of this form of file; must be there"),
    key("", "title", "a text", Some("\"\""), "shown above the standings"),
    key("", "seed", "0 or more", Some("1"), "all randomness of the tournament follows from it"),
    key("game", "name", "a game, or a path", None, "what is played: kalah, weg::weg_10_4, ./my-game.toml; its options stand beside it"),
    key("clock", "per_move", "a duration or \"off\"", Some("\"1s\""), "for each move"),
    key("clock", "first_move", "a duration or \"off\"", Some("\"5s\""), "for a bot's first move when its process had no handshake; at least per_move unless written, off when per_move is"),
    key("clock", "start_up", "a duration", Some("\"10s\""), "for each answer to a greeting or a new game"),
    key("clock", "per_game", "a duration or \"off\"", Some("\"3m30s\""), "wall clock of a whole game; then the score decides"),
    key("clock", "plies", "a number or \"off\"", Some("400"), "plies of a whole game; then the score decides"),
    key("clock", "margin", "a duration", Some("\"10ms\""), "by so much more a move must take before it is late"),
    key("clock", "bank", "a duration or \"off\"", Some("\"off\""), "a time account for each side; empty is lost"),
    key("clock", "increment", "a duration", Some("\"0s\""), "added to the bank after each move"),
    key("clock", "starved_replays", "0 to 100", Some("3"), "a game is void and replayed so many times at most if a bot was late only because other programs had its core (starved); then it counts"),
    key("format", "kind", "a kind of format", Some("\"round-robin\""), "\"round-robin\": everybody meets everybody; \"gauntlet\": some meet all others; \"swiss\": those meet who have as many points; \"knockout\": who loses a match is out; \"ladder\": those meet whose game tells most; \"sprt\": two meet until it is decided which is stronger; \"sanity\": everybody meets some that are to be beaten"),
    key("format", "pairs", "1 to 1000000", Some("10"), "how often two bots meet (in each round, where there are rounds), two games each time with sides swapped; not for ladder and sprt"),
    key("format", "groups", "1 to 1000", Some("1"), "round-robin: so many groups; everybody meets its own"),
    key("format", "against", "a list of names", None, "gauntlet and sanity: who meets all others; sprt: who is to be beaten by the other"),
    key("format", "pass", "0 to 1", Some("0.5"), "sanity: who has more than this share of the points goes on"),
    key("format", "rounds", "1 to 1000", None, "swiss: how many; as many as find a winner and one more, if it is left out"),
    key("format", "third_place", "true or false", Some("true"), "knockout: whether those who lose the semifinals meet"),
    key("format", "extra", "0 to 1000", Some("5"), "knockout: a tied match goes on for so many pairs at most, one at a time; then who is seeded higher goes on"),
    key("format", "seeding", "\"rating\" or \"drawn\"", Some("\"rating\""), "swiss, knockout, ladder, groups: by the standings of the stage before, in the first by the anchors of [[bot]], the others drawn; or all drawn"),
    key("format", "games", "2 to 1000000000", Some("10000"), "ladder and sprt: at most so many games"),
    key("format", "precision", "1 to 10000", None, "ladder: it ends when no 95 % interval of Elo reaches farther to one side"),
    key("format", "look_ahead", "2 to 100000", None, "ladder and sprt: so many pairs are given out ahead of results, whatever the number of lanes; one for each bot, 16 in sprt, if it is left out"),
    key("format", "elo0", "-1000 to 1000", Some("0"), "sprt: the difference that is not worth it"),
    key("format", "elo1", "-1000 to 1000", Some("10"), "sprt: the difference that is"),
    key("format", "alpha", "0.0001 to 0.49", Some("0.05"), "sprt: how often it may accept elo1 though elo0 is true"),
    key("format", "beta", "0.0001 to 0.49", Some("0.05"), "sprt: how often it may accept elo0 though elo1 is true"),
    key("format", "model", "\"normalised\" or \"logistic\"", Some("\"logistic\""), "sprt: what elo0 and elo1 are: differences in Elo, or in Elo divided by how much results vary"),
    key("format.points", "win", "-1000 to 1000", Some("1"), "what a win is worth, in whole hundredths"),
    key("format.points", "draw", "-1000 to 1000", Some("0.5"), "what a draw is worth"),
    key("format.points", "loss", "-1000 to 1000", Some("0"), "what a loss is worth"),
    key("format", "tie_breaks", "a list of tie-breaks", Some("[\"direct\", \"sonneborn-berger\", \"wins\"]"), "what decides between equal points, in this order, then ranks are shared: \"direct\" encounter, \"buchholz\", \"buchholz-cut-1\", \"sonneborn-berger\", \"wins\". With a Swiss stage the default is buchholz, buchholz-cut-1, sonneborn-berger, direct, wins"),
    key("stage", "name", "a text", None, "[[stage]] may be repeated: stages are played one after the other and take every key of [format] but points and tie_breaks"),
    key("stage", "advance", "1 to 1000000", None, "how many go on to the next stage, of each group where there are groups; sanity: all that pass, if it is left out"),
    key("openings", "plies", "1 to 100", None, "games begin with so many random plies, that leave neither side far ahead; the two games of a pair with the same. Bots of the dialects arena and course cannot be told of them and begin at the plain start"),
    key("openings", "count", "1 to 10000", None, "how many openings; as many as pairs but at most 1000, if it is left out. Each is used for one pair of every two bots, then again from the first"),
    key("openings", "file", "a path", None, "in place of random ones: an opening a line, moves separated by blanks, # for comments"),
    key("bots", "include", "a list of patterns", Some("[]"), "bots that take part: paths with * and ?, or house:NAME"),
    key("bots", "exclude", "a list of patterns", Some("[]"), "bots among them that do not"),
    key("bots", "absent", "\"leave-out\" or \"forfeit\"", Some("\"leave-out\""), "what becomes of a bot that cannot be built or started"),
    key("bot", "path", "a path, or house:NAME", None, "one bot; [[bot]] may be repeated"),
    key("bot", "name", "1 to 40 of a-z 0-9 . _ -", None, "in place of the bot's own name"),
    key("bot", "display", "a text", None, "in place of the bot's own display name"),
    key("bot", "anchor", "a number", None, "its Elo, held fixed"),
    key("bot", "in_process", "true or false", None, "a house bot plays inside of Pitmaster, without a process of its own; false if it is left out"),
    key("sandbox", "isolation", "\"auto\", \"bare\", \"portable\" or \"full\"", Some("\"auto\""), "what keeps bots from the machine and from each other; pitmaster doctor tells what works here"),
    key("sandbox", "require", "a list of promises", Some("[\"official\"]"), "what must be promised before a game is played: \"official\", \"friendly\", or promises such as \"net\" and \"mem~\", where ~ makes do with limited; a run without one of them ends before its first game"),
    key("sandbox", "memory", "a size", Some("\"512MiB\""), "memory of a bot"),
    key("sandbox", "threads", "1 to 10000", Some("64"), "threads of a bot, where they can be counted"),
    key("sandbox", "file_size", "a size", Some("\"16MiB\""), "the largest file that a bot may write"),
    key("sandbox", "output", "a size", Some("\"64KiB\""), "what a bot may write on standard output in a turn"),
    key("sandbox", "stderr", "a size", Some("\"16MiB\""), "what a bot may write on standard error in a game"),
    key("sandbox", "cpu", "a duration or \"off\"", Some("\"5m\""), "CPU time of a bot with all its threads in a game; unless written at least what the clock leaves a game"),
    key("sandbox", "idle_cpu_turn", "a duration or \"off\"", Some("\"20ms\""), "CPU time of a bot from its move to its next turn, while it should rest; more loses the game (stole-time). Not judged if pondering is allowed"),
    key("sandbox", "idle_cpu_game", "a duration or \"off\"", Some("\"200ms\""), "the same in all of the opponent's turns of a game together"),
    key("sandbox", "scratch", "a size", Some("\"0\""), "space for files of a bot's own during a game; 0: it can write none"),
    key("sandbox", "processes", "\"forbidden\" or \"allowed\"", Some("\"forbidden\""), "whether a bot may start processes; allowed needs control groups"),
    key("sandbox", "pondering", "\"forbidden\" or \"allowed\"", Some("\"forbidden\""), "whether a bot may think on its opponent's time; forbidden stops it meanwhile"),
    key("store", "durability", "\"normal\" or \"full\"", Some("\"normal\""), "normal survives a killed program, full also a power cut"),
];

/// Keys of `[format]` that are not a stage's own.
pub(super) const OF_ALL_STAGES: [&str; 2] = ["points", "tie_breaks"];

/// The names that may stand in a section: its keys, and the sections directly inside.
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
