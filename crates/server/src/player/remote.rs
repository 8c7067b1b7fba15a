//! Remote entrants: pairs the clients in the lobby, and plays their games on separate threads,
//! because a remote client needs no lane.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use pitmaster_core::{BotId, BySide, Side};
use pitmaster_runner::{Batch, ScheduledGame};
use pitmaster_season::course::{CourseId, EntryId, GroupId, LadderId, Utc, VersionId};
use pitmaster_season::ladder::{Class, Newcomer, Pair, Player, Task};
use pitmaster_session::practice::kgp::GameFacts;
use pitmaster_session::practice::{
    AskClient, PracticeBot, PracticeLadder, play_remote, remote_bot,
};

use super::ladders::{Ladders, OpenLadder, RemoteEntrants, Running};
use super::{PlayerError, Shared, catch_panic};
use crate::http::game_name;
use crate::kgp::{Order, Waiting};

/// Polling interval of the lobby.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Time after which a waiting client is paired with a house bot.
const HOUSE_BOT_DELAY: Duration = Duration::from_secs(3);

/// Delay after an error of the database or the store.
const ERROR_DELAY: Duration = Duration::from_secs(5);

/// Pairing of a client with an opponent.
#[derive(Debug)]
struct Pairing {
    ladder: LadderId,
    client: Waiting,
    opponent: Opponent,
}

#[derive(Debug)]
enum Opponent {
    Client(Waiting),
    House(BotId),
}

/// Pairs clients until the player stops, and waits for their games.
pub(super) fn run(shared: &Arc<Shared>) {
    let mut games: Vec<JoinHandle<()>> = Vec::new();
    while !shared.is_stopping() {
        games.retain(|game| !game.is_finished());
        match shared.next_pairing() {
            Some(pairing) => {
                pairing.set_playing(shared, true);
                let own = Arc::clone(shared);
                let thread = std::thread::Builder::new().name("remote game".into());
                match thread.spawn(move || own.run_pairing(&pairing)) {
                    Ok(game) => games.push(game),
                    Err(error) => {
                        shared.log(&format!("remote game: {error}"));
                        shared.pause(ERROR_DELAY);
                    }
                }
            }
            None => shared.pause(POLL_INTERVAL),
        }
    }
    for game in games {
        // A panic is already reported.
        let _ = game.join();
    }
}

impl Pairing {
    fn clients(&self) -> impl Iterator<Item = &Waiting> {
        let other = match &self.opponent {
            Opponent::Client(other) => Some(other),
            Opponent::House(_) => None,
        };
        std::iter::once(&self.client).chain(other)
    }

    fn set_playing(&self, shared: &Shared, is_playing: bool) {
        let numbers = self.clients().map(|client| client.number);
        numbers.for_each(|number| shared.exchange.lobby.set_playing(number, is_playing));
    }

    /// Client with this identity.
    fn client(&self, bot: &BotId) -> Option<&Waiting> {
        self.clients().find(|client| client.entrant.name == bot.name)
    }
}

impl Shared {
    /// Next pairing. The client with the longest wait comes first, and is paired with the
    /// longest-waiting client that it may play against.
    fn next_pairing(&self) -> Option<Pairing> {
        let waiting = self.exchange.lobby.waiting();
        if waiting.is_empty() {
            return None;
        }
        let connected = self.exchange.lobby.entrants();
        let ladders = self.lock();
        for (at, client) in waiting.iter().enumerate() {
            let Some(open) = ladders.open_for(client.entrant.course) else { continue };
            let (ladder, client) = (open.id, client.clone());
            let may_meet = |other: &crate::kgp::RemoteEntrant| {
                let own = &client.entrant;
                let are_rated = own.token.is_some() && other.token.is_some();
                are_rated && own.course == other.course && own.group != other.group
            };
            if let Some(other) = waiting[at + 1..].iter().find(|other| may_meet(&other.entrant)) {
                return Some(Pairing { ladder, opponent: Opponent::Client(other.clone()), client });
            }
            let is_alone = !connected.iter().any(may_meet);
            if (is_alone || client.since.elapsed() >= HOUSE_BOT_DELAY)
                && let Some(house) = open.next_house(&client)
            {
                return Some(Pairing { ladder, opponent: Opponent::House(house), client });
            }
        }
        None
    }

    /// Plays a pair of games, unless a client is gone.
    fn run_pairing(&self, pairing: &Pairing) {
        let alive = std::thread::scope(|scope| {
            let checks = pairing.clients().map(|client| scope.spawn(|| client.is_alive()));
            let checks: Vec<_> = checks.collect();
            checks.into_iter().all(|check| check.join().unwrap_or(false))
        });
        if alive && !self.is_stopping() {
            let done = catch_panic(|| self.play_pairing(pairing));
            if let Err(error) = done {
                self.log(&format!("remote game: {error}"));
                self.pause(ERROR_DELAY);
            }
        }
        pairing.set_playing(self, false);
    }

    fn play_pairing(&self, pairing: &Pairing) -> Result<(), PlayerError> {
        // A final waits until the work ends, and no work begins while one is played.
        let Some(_work) = self.begin_work() else { return Ok(()) };
        if pairing.client.entrant.token.is_none() {
            self.play_as_guest(pairing);
            return Ok(());
        }
        let Some(mut batch) = self.begin_pairing(pairing)? else { return Ok(()) };
        loop {
            self.play_batch(pairing, &batch);
            if self.is_stopping() {
                self.drop_batch(batch.number);
                return Ok(());
            }
            match self.settle(batch.number) {
                Some(again) => batch = again,
                None => return Ok(()),
            }
        }
    }

    /// Plays the games of a batch. Games of clients that disconnect take no time, and are lost.
    fn play_batch(&self, pairing: &Pairing, batch: &Batch) {
        let mut live = self.live_pair(batch);
        for task in &batch.tasks {
            if self.is_stopping() {
                return;
            }
            let live_pair = std::cell::RefCell::new(live.as_mut());
            let played = self.play_game(pairing, batch, task, |plies| {
                if let Some(live) = live_pair.borrow_mut().as_mut() {
                    live.watch(task, plies, self.settings.now);
                }
            });
            if let Some(live) = &mut live {
                live.end(&played.record.plies);
            }
            if let Some(Running::Pair(pair)) = self.lock().running.get_mut(&batch.number) {
                pair.played.push(played);
            }
        }
    }

    fn play_game(
        &self,
        pairing: &Pairing,
        batch: &Batch,
        task: &ScheduledGame,
        watch: impl Fn(&[pitmaster_core::Ply]),
    ) -> pitmaster_runner::Played {
        let bots = &task.key.bots;
        let address = self.address(pairing, task);
        let clients = BySide::from_fn(|side: Side| {
            let client = pairing.client(&bots[side])?.clone();
            let (id, uri) = address.clone();
            let opponent = bots[side.other()].name.to_string();
            client.order(Order::Begin(GameFacts { id, uri, opponent }));
            let ask: AskClient = Arc::new(move |turn| {
                // A disconnected client drops the turn, which forfeits the game.
                client.order(Order::Ask(turn));
            });
            Some(ask)
        });
        let played = play_remote(batch, task, clients, watch);
        for client in pairing.clients() {
            client.order(Order::EndGame);
        }
        played
    }

    /// Id and URL of a game for the clients. A guest's game has no page.
    fn address(&self, pairing: &Pairing, task: &ScheduledGame) -> (String, String) {
        let id = task.key.id();
        if pairing.client.entrant.token.is_none() {
            return (id.to_string(), String::new());
        }
        let mut ladders = self.lock();
        let Some(open) = ladders.get_mut(pairing.ladder) else { return Default::default() };
        let name = game_name(&open.slug, &id);
        let uri = format!("/c/{}/games/{name}", open.course_slug);
        (name, uri)
    }

    /// Plays the games of a guest without storing them.
    fn play_as_guest(&self, pairing: &Pairing) {
        let Opponent::House(house) = &pairing.opponent else { return };
        let batch = {
            let mut ladders = self.lock();
            let number = ladders.next_batch();
            let open = ladders.get_mut(pairing.ladder);
            open.and_then(|open| open.folder.guest_games(house, number))
        };
        for task in batch.iter().flat_map(|batch| &batch.tasks) {
            if !self.is_stopping()
                && let Some(batch) = &batch
            {
                self.play_game(pairing, batch, task, |_| {});
            }
        }
    }

    /// Starts a pairing on the ladder and stores it; `None` if the ladder is gone.
    fn begin_pairing(&self, pairing: &Pairing) -> Result<Option<Batch>, PlayerError> {
        let now = self.now();
        let mut ladders = self.lock();
        let Some(at) = ladders.open.iter().position(|open| open.id == pairing.ladder) else {
            return Ok(None);
        };
        let open = &mut ladders.open[at];
        let own = open.add_client(&pairing.client, now)?;
        let other = match &pairing.opponent {
            Opponent::Client(other) => Some(open.add_client(other, now)?),
            Opponent::House(house) => open.player_of(house),
        };
        let Some(other) = other else { return Ok(None) };
        let Some(remote) = &mut open.remote else { return Ok(None) };
        let number = remote.next_pair;
        remote.next_pair += 1;
        let names = [own, other].map(|player| open.players[&player].name.clone());
        let met = open.folder.pairs_of([&names[0], &names[1]]);
        let (meeting, class) = (met + 1, Class::Everybody);
        let pair = Pair { number, a: own, b: other, meeting, class };
        open.ladder.resume(Task::Pair(pair), now);
        ladders.begin_pair(at, pair)
    }

    /// Discards a batch that was not finished because the player stops.
    fn drop_batch(&self, number: u64) {
        let mut ladders = self.lock();
        let Some(Running::Pair(pair)) = ladders.running.remove(&number) else { return };
        if let Some(open) = ladders.get_mut(pair.ladder) {
            open.record_failed(&pair.task);
        }
        for task in &pair.batch.tasks {
            self.exchange.live.void(&task.key.id());
        }
    }
}

impl Ladders {
    /// Open ladder of a course, if pairs are played on it.
    fn open_for(&self, course: CourseId) -> Option<&OpenLadder> {
        let is_it = |open: &&OpenLadder| open.is_remote() && open.plays && open.course == course;
        self.open.iter().find(is_it).filter(|_| !self.on_hold)
    }
}

impl OpenLadder {
    /// House bot that a client has played least.
    fn next_house(&self, client: &Waiting) -> Option<BotId> {
        let name = &client.entrant.name;
        let marks = self.folder.marks().map(|(id, _)| id);
        marks.min_by_key(|id| self.folder.pairs_of([name, &id.name])).cloned()
    }

    fn player_of(&self, bot: &BotId) -> Option<Player> {
        self.players.iter().find(|(_, id)| *id == bot).map(|(player, _)| *player)
    }

    /// Adds a client to this ladder.
    fn add_client(&mut self, client: &Waiting, now: Utc) -> Result<Player, PlayerError> {
        let bot = remote_bot(&client.entrant.name);
        let player = self.ladder.add(now, remote_newcomer(bot.id()));
        let is_new = self.players.insert(player, bot.id().clone()).is_none();
        let field =
            self.remote.get_or_insert_with(|| RemoteEntrants { bots: Vec::new(), next_pair: 1 });
        let is_known = field.bots.iter().any(|known| known.id() == bot.id());
        if !is_known {
            field.bots.push(bot);
        }
        if is_new || !is_known || !self.is_complete {
            self.publish_bots()?;
        }
        Ok(player)
    }
}

/// Converts a remote entrant for the ladder. Its ids are derived from its name, because the
/// database has none.
pub(super) fn remote_newcomer(id: &BotId) -> Newcomer {
    let number = |of: &str| {
        let mut bytes = [0; 12];
        bytes.copy_from_slice(&blake3::hash(of.as_bytes()).as_bytes()[..12]);
        bytes
    };
    let name = id.name.as_str();
    let group = name.split_once('.').map_or(name, |(group, _)| group);
    Newcomer {
        version: VersionId::of(number(name)),
        entry: EntryId::of(number(name)),
        group: GroupId::of(number(group)),
        is_ranked: true,
    }
}

/// Remote entrants among the players of a ladder.
pub(super) fn remote_players(
    players: &BTreeMap<Player, BotId>,
    folder: &PracticeLadder,
) -> Vec<PracticeBot> {
    let is_house = |id: &BotId| folder.marks().any(|(house, _)| house == id);
    let remote = players.values().filter(|id| !is_house(id));
    remote.map(|id| remote_bot(&id.name)).collect()
}
