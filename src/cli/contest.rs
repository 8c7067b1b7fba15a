//! What `run` and `match` share: from a checked tournament to results on disk.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pitmaster_bots::Sandbox;
use pitmaster_bots::submission::{Options, shown_path};
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotId, Isolation, Limits, Requirements, Resources};
use pitmaster_report::LeftOut;
use pitmaster_runner::{Crew, Entrant, Event, Finish, Layout, Run, Stopping};
use pitmaster_store::{self as store, BotState, Facts, KnownBot, LocalRun, Reader, Readers, Store};
use pitmaster_tournament::{KeptOpenings, Tournament, fitting_cpu};
use serde::Serialize;
use serde_json::json;

use super::before::{Contest, announcement, try_all};
use super::bots::{self, Gathered};
use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::openings;
use super::progress::{self, Mode, Progress, say_json};
use super::results::{PAGE, Results, Summary};
use super::stale::Stale;
use super::{Exit, Failure, Outcome, guard, isolation, lang, mixed, terminal_width};

/// How a run is made, whatever is played.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Flags {
    /// Where results go: a folder for each tournament
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    /// Start beside results that are there already, instead of going on with them
    #[arg(long)]
    fresh: bool,
    /// Let others read the results, as far as the umask does; without this a new folder of results
    /// is for its owner alone
    #[arg(long)]
    shared: bool,
    /// Games played at once [default: physical cores less one, at least one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) lanes: Option<u16>,
    /// Begin no further cycle of pairs after this time of day
    #[arg(long, value_name = "HH:MM", value_parser = super::until::parse)]
    until: Option<SystemTime>,
    /// Say nothing but errors and the final standings
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Write events for programs on standard output, one a line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// When the side not to move is stopped, unless the tournament lets it ponder
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Stop::Adaptive)]
    pub(super) stop: Stop,
    #[command(flatten)]
    pub(super) cores: CoreFlags,
    #[command(flatten)]
    pub(super) isolation: IsolationFlags,
    /// Add to games that were played under other promises; the table tells
    #[arg(long)]
    pub(super) mix_isolation: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum Stop {
    /// When the other has thought for 0.2 ms; at once for those who have stolen time
    Adaptive,
    /// At the end of every own turn
    Always,
    /// Never
    Never,
}

impl From<Stop> for Stopping {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Adaptive => Self::Adaptive,
            Stop::Always => Self::Always,
            Stop::Never => Self::Never,
        }
    }
}

impl Flags {
    fn mode(&self) -> Mode {
        match (self.quiet, self.json) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Json,
            _ => Mode::People,
        }
    }

    /// The results' folder: with `--fresh` the first of `name`, `name-2`… that is free.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.out.join(name);
        if !self.fresh || !store::is_taken(&folder) {
            return folder;
        }
        let numbered = (2..).map(|number| self.out.join(format!("{name}-{number}")));
        numbered.into_iter().find(|folder| !store::is_taken(folder)).unwrap_or(folder)
    }
}

/// Those who play: bots that can, and who lets them.
pub(super) struct Hands {
    pub(super) gathered: Gathered,
    pub(super) crew: Box<dyn Crew>,
    /// On which cores of this machine, and how busy it is; `None`: others play.
    pub(super) run: Option<LocalRun>,
    /// Games at once, as far as that is known.
    pub(super) lanes: usize,
    /// What contains bots.
    pub(super) isolation: Isolation,
    /// The mean time of a move.
    pub(super) thinking: Duration,
    /// Bots that nobody can play with: their games are left open.
    pub(super) left_open: Vec<BotId>,
    /// Facts about the machine, or the machines, that play.
    pub(super) host: serde_json::Value,
}

/// Where the results of a contest go, and how it is told of.
pub(super) struct Ground<'a> {
    pub(super) flags: &'a Flags,
    pub(super) folder: PathBuf,
    pub(super) store: Arc<Store>,
}

impl Ground<'_> {
    /// A line for people, unless they want to hear nothing.
    pub(super) fn say(&self, text: &str) {
        if !self.flags.quiet {
            progress::say(text);
        }
    }
}

/// Plays a contest to its end on this machine, or what is missing of it.
pub(super) fn play(mut contest: Contest, flags: &Flags, out: &mut dyn Write) -> Outcome {
    let ground = prepare_ground(&mut contest, flags)?;
    // Before anything is built: what builds leave behind comes to this process.
    let _guard = guard::start();
    let hands = hands_here(&contest, &ground)?;
    let finish = play_with(&contest, &ground, hands)?;
    conclude_on(ground, finish, out)
}

/// The folder and the store, with everything in them that what is played must agree with.
pub(super) fn prepare_ground<'a>(
    contest: &mut Contest,
    flags: &'a Flags,
) -> Result<Ground<'a>, Failure> {
    let folder = flags.folder(&contest.name);
    store::probe(&folder, readers(flags.shared))?;
    let store = Store::open(&folder, contest.tournament.durability)?;
    store.reader()?.require_intact()?;
    deal_openings(contest, &store, flags)?;
    refuse_changes(&store, &contest.tournament)?;
    Ok(Ground { flags, folder, store: Arc::new(store) })
}

/// Who may read a new folder, by the flag `--shared`.
pub(super) fn readers(shared: bool) -> Readers {
    if shared { Readers::ByUmask } else { Readers::Owner }
}

/// The bots that can play, and the lanes of this machine.
fn hands_here(contest: &Contest, ground: &Ground<'_>) -> Result<Hands, Failure> {
    let (flags, say) = (ground.flags, |text: &str| ground.say(text));
    let busy = pitmaster_runner::machine_load();
    if let Some(warning) = busy.warning() {
        say(&warning);
    }
    let layout = flags.cores.reserve(flags.lanes, &say)?;
    let sandbox = choose_sandbox(contest, flags, &say)?;
    let mut gathered = gather(contest, ground, &sandbox, "prepared", bots::prepare)?;
    judge_gathered(contest, &gathered, &say)?;
    if !flags.mix_isolation {
        let bots = gathered.entrants.iter().map(Entrant::planned).collect();
        mixed::refuse(&ground.store, &contest.tournament, bots, sandbox.isolation())?;
    }
    for warning in &layout.warnings {
        say(&format!("warning: {warning}"));
    }
    if layout.lanes.len() > 1 && contest.found.iter().any(bots::Found::takes_cores) {
        say("warning: a house bot with threads takes the cores of other lanes; use --lanes 1");
    }
    let thinking = try_all(&mut gathered, contest, &layout, &say);
    Ok(Hands {
        gathered,
        lanes: layout.lanes.len(),
        host: host_facts(&layout),
        run: Some(LocalRun {
            lanes: layout.lanes.clone(),
            shared: layout.shared.clone(),
            load: busy,
        }),
        crew: Box::new(layout),
        isolation: sandbox.isolation().clone(),
        thinking,
        left_open: Vec::new(),
    })
}

/// Says who cannot play, and that there are enough who can.
pub(super) fn judge_gathered(
    contest: &Contest,
    gathered: &Gathered,
    say: &dyn Fn(&str),
) -> Result<(), Failure> {
    for note in &gathered.notes {
        say(note);
    }
    for (place, unfit) in &gathered.unfit {
        progress::say(&contest.unfit(*place, unfit));
    }
    if gathered.entrants.len() < 2 { Err(too_few(gathered)) } else { Ok(()) }
}

/// Plays with those who are there. The inner result is how the run ended; what was played by then
/// is safe.
pub(super) fn play_with(
    contest: &Contest,
    ground: &Ground<'_>,
    hands: Hands,
) -> Result<Result<Finish, Failure>, Failure> {
    if hands.gathered.entrants.len() < 2 {
        return Err(too_few(&hands.gathered));
    }
    contest.judge_format(&hands.gathered.entrants)?;
    keep_facts(&ground.store, contest, &hands)?;
    let Hands { gathered: Gathered { entrants, .. }, lanes, thinking, .. } = &hands;
    ground.say(&announcement(contest, entrants, *lanes, *thinking));
    for note in openings::notes(&contest.tournament, entrants) {
        ground.say(&note);
    }
    Ok(run(contest, ground, hands))
}

/// Closes the store and tells what came of it.
pub(super) fn conclude_on(
    ground: Ground<'_>,
    finish: Result<Finish, Failure>,
    out: &mut dyn Write,
) -> Outcome {
    let Ground { flags, folder, store } = ground;
    drop(store);
    conclude(&folder, finish, flags, out)
}

/// Looking at random openings takes a moment when there are many.
fn deal_openings(contest: &mut Contest, store: &Store, flags: &Flags) -> Result<(), Failure> {
    let kept = store.reader()?.facts()?.map(|facts| facts.openings);
    let wanted = openings::wanted(&contest.tournament);
    let bar = progress::bar(flags.quiet, wanted.into(), "{bar:30} {pos}/{len} openings found");
    let dealt = openings::deal(contest, kept.as_ref(), &|| bar.inc(1));
    bar.finish_and_clear();
    dealt
}

/// Rules, limits and openings are part of every game's key: under changed ones all games would be
/// others.
fn refuse_changes(store: &Store, tournament: &Tournament) -> Result<(), Failure> {
    let changed = changes(&store.reader()?, tournament)?;
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::wrong(format!(
        "{} was played under other rules: {}; change them back, or start beside it with --fresh",
        store.folder().display(),
        changed.join(", ")
    )))
}

/// What is otherwise in a tournament than in the one that was played there, of all that makes
/// other games.
pub(super) fn changes(reader: &Reader, tournament: &Tournament) -> Result<Vec<String>, Failure> {
    let mut changed = Vec::new();
    let Some(there) = reader.facts()? else { return Ok(changed) };
    if there.rules != tournament.game.id() {
        changed.push(format!("game ({} there, {} now)", there.rules, tournament.game.id()));
    }
    changed.extend(changed_limits(&there.limits, &tournament.limits));
    if there.seed != tournament.seed {
        changed.push(format!("seed ({} there, {} now)", there.seed.0, tournament.seed.0));
    }
    if there.format != tournament.fixed_format() {
        changed.push("format (games that were played decided who met whom by it)".to_owned());
    }
    changed.extend(there.openings.change(&tournament.openings));
    Ok(changed)
}

fn changed_limits(there: &Limits, now: &Limits) -> Vec<String> {
    let clock = |limits: &Limits| Limits { resources: Resources::default(), ..limits.clone() };
    let mut resources = now.resources.clone();
    // Where it follows from the clock it is no change of its own.
    if [there, now].iter().all(|limits| limits.resources.cpu == fitting_cpu(limits)) {
        resources.cpu = there.resources.cpu;
    }
    let mut changed = differing("clock", &clock(there), &clock(now));
    changed.extend(differing("sandbox", &there.resources, &resources));
    changed
}

/// The keys of a section under which two things differ.
fn differing(section: &str, there: &impl Serialize, now: &impl Serialize) -> Vec<String> {
    let fields = |of: serde_json::Result<serde_json::Value>| match of {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let [there, now] = [serde_json::to_value(there), serde_json::to_value(now)].map(fields);
    let differ = there.iter().filter(|(key, value)| now.get(*key) != Some(value));
    differ.map(|(key, _)| format!("{section}.{}", key.trim_end_matches("_ns"))).collect()
}

/// Bots of the house need none, but are played as the others are.
fn choose_sandbox(
    contest: &Contest,
    flags: &Flags,
    say: &dyn Fn(&str),
) -> Result<Arc<Sandbox>, Failure> {
    let Tournament { isolation, require, limits, .. } = &contest.tournament;
    let wanted = flags.isolation.wanted(*isolation);
    if contest.found.iter().any(bots::Found::was_handed_in) {
        let require = flags.isolation.required(|| require.clone());
        isolation::choose(wanted, &require, &limits.resources, say)
    } else {
        isolation::choose(wanted, &Requirements::default(), &limits.resources, &|_| {})
    }
}

/// Prepares all bots of a contest, or only copies them, with a bar that says what is done.
pub(super) fn gather(
    contest: &Contest,
    ground: &Ground<'_>,
    sandbox: &Arc<Sandbox>,
    done: &str,
    how: bots::Gathering,
) -> Result<Gathered, Failure> {
    let template = format!("{{bar:30}} {{pos}}/{{len}} bots {done} {{msg}}");
    let bar = progress::bar(ground.flags.quiet, contest.found.len() as u64, &template);
    bar.tick();
    let progress = |name: &str| {
        bar.set_message(name.to_owned());
        bar.inc(1);
    };
    let game = &contest.tournament.game;
    let absent = contest.tournament.bots.absent;
    let options = Options::of_this_machine(sandbox);
    let store = ground.folder.join("bots");
    let gathered = how(&contest.found, game, &store, absent, &options, &progress);
    bar.finish_and_clear();
    gathered
}

fn too_few(gathered: &Gathered) -> Failure {
    let count = gathered.entrants.len();
    Failure::wrong(format!(
        "a tournament needs two bots that can play, and there {}; check `bots` in the file",
        if count == 1 { "is one".to_owned() } else { "are none".to_owned() }
    ))
}

/// Keeps who plays what where.
fn keep_facts(store: &Store, contest: &Contest, hands: &Hands) -> Result<(), Failure> {
    let (tournament, gathered) = (&contest.tournament, &hands.gathered);
    let mut runs = store.reader()?.facts()?.map(|facts| facts.runs).unwrap_or_default();
    runs.extend(hands.run.clone());
    store.put_facts(&Facts {
        file: contest.file.clone(),
        rules: tournament.game.id(),
        limits: tournament.limits.clone(),
        seed: tournament.seed,
        format: tournament.fixed_format(),
        openings: KeptOpenings::of(tournament),
        anchors: gathered.anchors.clone(),
        authors: gathered.authors.clone(),
        hosts: vec![hands.host.clone()],
        runs,
    })?;
    store.put_bots(with_former(store.reader()?.bots()?, &gathered.known))?;
    let file = &store.folder().join("tournament.toml");
    store::create_file(file)?.write_all(contest.file.as_bytes())?;
    Ok(())
}

/// Bots that were there before and are not now keep their games, out of the standings.
fn with_former(before: Vec<KnownBot>, now: &[KnownBot]) -> Vec<KnownBot> {
    let former = before.into_iter().filter(|old| now.iter().all(|bot| bot.id != old.id));
    let former = former.map(|old| {
        let replaced = now.iter().any(|bot| bot.id.name == old.id.name);
        let state = if replaced { BotState::Replaced } else { BotState::Removed };
        KnownBot { state, ..old }
    });
    former.chain(now.iter().cloned()).collect()
}

fn host_facts(layout: &Layout) -> serde_json::Value {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    json!({
        "host": store::host_name(),
        "kernel": store::kernel_release(),
        "processor": model.map(|(_, name)| name),
        "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        "lanes": layout.lanes,
        "reserved": layout.reserved(),
        "shared": layout.shared,
        "pitmaster": env!("CARGO_PKG_VERSION"),
    })
}

fn run(contest: &Contest, ground: &Ground<'_>, hands: Hands) -> Result<Finish, Failure> {
    let (flags, store) = (ground.flags, &*ground.store);
    let left_out = hands.gathered.left_out();
    let entrants = hands.gathered.entrants;
    let ids: Vec<BotId> = entrants.iter().map(|entrant| entrant.id.clone()).collect();
    let left_open = (0..ids.len()).filter(|&bot| hands.left_open.contains(&ids[bot])).collect();
    let ranking = contest.tournament.format.ranking.clone();
    let mut progress = Progress::new(flags.mode(), &ids, ranking);
    store.reader()?.for_each_valid(|attempt| progress.known(&attempt.record))?;
    let run = Run {
        tournament: &contest.tournament,
        entrants,
        store,
        crew: hands.crew,
        isolation: &hands.isolation,
        stopping: flags.stop.into(),
        until: flags.until,
        left_open,
        kept: store.reader()?.decisions()?,
    };
    let stale = Stale::of(store.folder());
    let finish = run.play(&mut |event| {
        if matches!(event, Event::Game { .. } | Event::Superseded { .. }) {
            stale.set();
        }
        progress.hear(event);
        if matches!(event, Event::Started { .. }) {
            for LeftOut { id, why } in &left_out {
                progress.hear(&Event::LeftOut { bot: &id.name, why });
            }
        }
    });
    progress.finish();
    Ok(finish?)
}

/// Writes the files, shows the standings and says how it ended.
fn conclude(
    folder: &Path,
    finish: Result<Finish, Failure>,
    flags: &Flags,
    out: &mut dyn Write,
) -> Outcome {
    let summary = Results::open(folder)
        .and_then(|results| results.write_files(lang::of_environment(), flags.quiet));
    let finish = finish?;
    if flags.json {
        say_json(&json!({"event": "ended", "finish": name(&finish), "results": folder}));
    }
    let shown = summary.and_then(|summary| Ok(show(&summary, folder, flags, out)?));
    match (outcome(&finish), shown) {
        (outcome, Ok(())) => outcome,
        (Ok(_), Err(failure)) => Err(failure),
        // Why it ended comes first: whatever ended it may be the reason for the rest.
        (Err(why), Err(Failure { message, .. })) => {
            Err(Failure { message: format!("{}\n{message}", why.message), ..why })
        }
    }
}

fn show(summary: &Summary, folder: &Path, flags: &Flags, out: &mut dyn Write) -> io::Result<()> {
    if flags.json {
        return Ok(());
    }
    if !flags.quiet && !summary.forfeits.is_empty() {
        writeln!(out, "Forfeits\n{}", summary.forfeits.render(terminal_width(), Lang::English))?;
    }
    write!(out, "{}", summary.table(terminal_width()))?;
    if !flags.quiet {
        let first = if summary.has_page() { PAGE } else { "leaderboard.csv" };
        writeln!(out, "\n{first} and more: {}", folder.display())?;
        if !summary.has_page() {
            let folder = shown_path(folder);
            writeln!(
                out,
                "over 100,000 games: `pitmaster report {folder}` makes the page of them"
            )?;
        }
    }
    Ok(())
}

fn outcome(finish: &Finish) -> Outcome {
    match finish {
        Finish::Complete => Ok(Exit::Done),
        Finish::Interrupted => Err(Failure {
            exit: Exit::Interrupted,
            message: "interrupted; run again to go on".into(),
        }),
        Finish::TimeOver => Err(Failure::stopped("the time given was over; run again to go on")),
        Finish::Incomplete(bots) => {
            let names: Vec<_> = bots.iter().map(ToString::to_string).collect();
            Err(Failure::stopped(format!(
                "games of {} are left open; see above why, and run again",
                names.join(", ")
            )))
        }
        Finish::RefereeFailed(fault) => Err(Failure::fault(format!(
            "stopped after three void games in a row: {fault}; what was finished is safe, run again \
             to go on"
        ))),
    }
}

fn name(finish: &Finish) -> &'static str {
    match finish {
        Finish::Complete => "complete",
        Finish::Interrupted => "interrupted",
        Finish::TimeOver => "time-over",
        Finish::Incomplete(_) => "incomplete",
        Finish::RefereeFailed(_) => "referee-failed",
    }
}
