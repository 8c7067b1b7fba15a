//! Games of remote players: KGP clients that answer over the network, on no lane.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use pitmaster_bots::{Contender, LaunchError, Remote, RemoteReply, RemoteTurn};
use pitmaster_core::{BotHash, BotId, BotName, BySide, Dialect, GameKey, Ply, Side, Untrusted};
use pitmaster_games::{KgpBoard, kgp_size};
use pitmaster_referee::kgp::{Answer, KgpSeat};
use pitmaster_runner::{
    Batch, Entrant, OneGame, Place, Played, Players, ScheduledGame, Start, Stopping, Table,
};
use pitmaster_store::{BotState, KnownBot};

use super::{PracticeBot, PracticeLadder};

/// Takes the hole of a client's last move, if there was one, and its comment.
type Respond = dyn FnOnce(Option<i64>, Option<&str>) + Send;

/// Turn of a KGP client. Dropping it without an answer leaves the game.
pub struct KgpTurn {
    /// The board, as the client sees it.
    pub board: KgpBoard,
    answer: Box<Respond>,
}

impl KgpTurn {
    /// Answers with the hole of the client's last move, if there was one, and its comment.
    pub fn answer(self, pit: Option<i64>, comment: Option<&str>) {
        (self.answer)(pit, comment);
    }
}

impl std::fmt::Debug for KgpTurn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KgpTurn").field("board", &self.board).finish_non_exhaustive()
    }
}

/// Takes the turns of a client, without waiting for its answers.
pub type AskClient = Arc<dyn Fn(KgpTurn) + Send + Sync>;

/// A remote player as an entrant of a ladder. Its identity is its name.
pub fn remote_bot(name: &BotName) -> PracticeBot {
    let id = BotId { name: name.clone(), hash: remote_hash(name) };
    let entrant = Entrant {
        id: id.clone(),
        dialect: Dialect::Pitmaster,
        lenient: false,
        start: Start::Elsewhere,
        absent: None,
        anchor: None,
    };
    let known = KnownBot {
        id,
        display: Untrusted::default(),
        path: "kgp".to_owned(),
        dialect: Dialect::Pitmaster,
        build: serde_json::Value::Null,
        state: BotState::Active,
    };
    PracticeBot { entrant, known, language: None, tools: Vec::new() }
}

fn remote_hash(name: &BotName) -> BotHash {
    BotHash::of(format!("kgp {name}").as_bytes())
}

impl PracticeLadder {
    /// Whether KGP clients know the game.
    pub fn is_for_kgp(&self) -> bool {
        self.game().spec().parse().is_ok_and(|spec| kgp_size(&spec).is_some())
    }

    /// Two games of a guest against a house bot. They belong to no ladder and cannot be kept.
    /// `None` if there is no such house bot.
    pub fn guest_games(&self, house: &BotId, number: u64) -> Option<Batch> {
        let guest = remote_bot(&BotName::tamed("guest")).entrant;
        let entrants = vec![guest, self.house_bot(house)?.entrant.clone()];
        let task = |[one, two]: [usize; 2]| {
            let bots = BySide::new(one, two);
            let key = GameKey {
                rules: self.game().id(),
                limits: self.limits().clone(),
                stage: 1,
                round: 0,
                bots: bots.map(|bot| entrants[bot].id.clone()),
                opening: String::new(),
                pair: 1,
            };
            ScheduledGame { number: 0, key, bots }
        };
        let tasks = [[0, 1], [1, 0]].map(task).to_vec();
        let (game, seed, stopping) = (Arc::clone(self.game()), self.seed(), Stopping::Adaptive);
        let table = Arc::new(Table { game, seed, stopping, entrants });
        Some(Batch { number, table, tasks })
    }
}

/// Plays a game with these clients on this thread. Whoever is no client is started here. `watch` gets
/// the plies so far.
pub fn play_remote(
    batch: &Batch,
    task: &ScheduledGame,
    clients: BySide<Option<AskClient>>,
    watch: impl Fn(&[Ply]),
) -> Played {
    let (started_at, began) = (SystemTime::now(), Instant::now());
    let table = &batch.table;
    let game = OneGame {
        key: task.key.clone(),
        game: &table.game,
        seed: table.seed,
        entrants: task.bots.map(|bot| &table.entrants[bot]),
        stopping: table.stopping,
    };
    let mut players = Clients { clients, game: &game };
    let record = game.play_once(&mut players, |referee| watch(referee.plies()));
    let (task, place) = (task.clone(), Place { lane: 0, machine: None });
    Played { task, record, place, started_at, took: began.elapsed(), void: None }
}

struct Clients<'a> {
    clients: BySide<Option<AskClient>>,
    game: &'a OneGame<'a>,
}

impl Players for Clients<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let OneGame { key, seed, entrants, game, .. } = self.game;
        let seed = key.seed(*seed);
        let Some(ask) = self.clients[side].clone() else {
            return entrants[side].start(side, seed, key);
        };
        // Only ladders whose game clients know have clients.
        let seat = KgpSeat::new(game, side, seed).expect("a game that KGP clients know");
        let seat = Arc::new(Mutex::new(seat));
        Ok(Box::new(Remote::new(side, move |turn| pass_on(turn, &seat, &ask))))
    }
}

/// Passes a turn on to a client, and its answer back.
fn pass_on(turn: RemoteTurn, seat: &Arc<Mutex<KgpSeat>>, ask: &AskClient) {
    let RemoteTurn { position, answer, .. } = turn;
    // The position is the referee's own, so it is one.
    let Ok(board) = locked(seat).board(&position) else { return };
    let seat = Arc::clone(seat);
    let answer = move |pit: Option<i64>, comment: Option<&str>| {
        let reply = match locked(&seat).answer(&position, pit, comment) {
            Ok(Answer::Move { text, note }) => RemoteReply { text: Some(text), note },
            Ok(Answer::Leave { note }) => RemoteReply { text: None, note: Some(note) },
            Err(_) => return,
        };
        // Fails only if the game is over.
        let _ = answer.send(reply);
    };
    ask(KgpTurn { board, answer: Box::new(answer) });
}

fn locked(seat: &Mutex<KgpSeat>) -> MutexGuard<'_, KgpSeat> {
    // A panic leaves the seat as it was.
    seat.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Ending, Fault, Limits, Seed};

    use super::*;

    /// A pair of games of two clients.
    fn batch() -> Batch {
        let game = pitmaster_games::find(&"kalah".parse().unwrap()).unwrap();
        let entrants: Vec<_> =
            ["g1.a", "g2.b"].map(|name| remote_bot(&name.parse().unwrap()).entrant).to_vec();
        let bots = BySide::new(0, 1);
        let key = GameKey {
            rules: game.id(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: bots.map(|bot: usize| entrants[bot].id.clone()),
            opening: String::new(),
            pair: 1,
        };
        let (seed, stopping) = (Seed(1), Stopping::Adaptive);
        let table = Arc::new(Table { game, seed, stopping, entrants });
        Batch { number: 1, table, tasks: vec![ScheduledGame { number: 0, key, bots }] }
    }

    fn first_hole(turn: KgpTurn) {
        let mut pits = (1..).zip(&turn.board.south).filter(|(_, seeds)| **seeds > 0);
        let pit = pits.next().map(|(pit, _)| pit);
        turn.answer(pit, Some("hello"));
    }

    type Client = fn(KgpTurn);

    fn play(one: Client, two: Client) -> pitmaster_core::Record {
        let batch = batch();
        let clients =
            BySide::new(Some(Arc::new(one) as AskClient), Some(Arc::new(two) as AskClient));
        play_remote(&batch, &batch.tasks[0], clients, |_| {}).record
    }

    #[test]
    fn clients_play_a_game_that_is_verified() {
        let record = play(first_hole, first_hole);
        assert!(matches!(record.ending, Ending::Rules { .. }), "{:?}", record.ending);
        assert_eq!(record.remarks.len(), record.plies.len());
        assert_eq!(record.remarks[0].text.shown(10), "hello");
        let rules = pitmaster_referee::rules_of(&record).unwrap();
        assert_eq!(pitmaster_referee::verify(&record, &*rules), Ok(()));
    }

    #[test]
    fn an_illegal_move_loses_and_the_record_says_so() {
        let illegal: [(Client, &str); 3] = [
            (|turn| turn.answer(Some(0), None), "move 1 # hole 0 is not on the board"),
            (|turn| turn.answer(Some(-3), None), "move 1 # hole -3 is not on the board"),
            (|turn| turn.answer(Some(7), None), "move 1 # hole 7 is not on the board"),
        ];
        for (client, line) in illegal {
            let record = play(first_hole, client);
            let fault = record.ending.fault_of(Side::Two).expect("a fault");
            assert!(matches!(fault, Fault::IllegalMove), "{line}: {fault}");
            let evidence = record.evidence.two.expect("evidence");
            assert_eq!(evidence.line.expect("the judged line").shown(99), line);
        }
    }

    #[test]
    fn silence_is_a_random_move_and_then_the_end() {
        let record = play(|turn| turn.answer(None, None), first_hole);
        let fault = record.ending.fault_of(Side::One).expect("a fault");
        assert!(matches!(fault, Fault::Exited { .. }), "{fault}");
        let remarks: Vec<_> = record.remarks.iter().map(|remark| remark.text.shown(99)).collect();
        assert!(remarks.iter().filter(|text| text.contains("random move")).count() == 2);
        let evidence = record.evidence.one.expect("evidence");
        assert_eq!(evidence.stderr.shown(99), "no move in time, 3 times in a row");
        let gone = play(first_hole, drop);
        assert!(matches!(gone.ending.fault_of(Side::Two), Some(Fault::Exited { .. })));
    }
}
