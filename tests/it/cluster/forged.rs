//! Results of games that nobody played, from strangers and from an admitted worker: none of them
//! counts.

use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ed25519_dalek::{Signer as _, SigningKey};
use futures_util::StreamExt as _;
use pitmaster::core::Side;
use pitmaster::core::{BotId, BySide, Ending, GameKey, Limits, Ply, Record, Score};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::faults::{dismiss, field};
use super::harness::Server;
use super::safety::{block_on, connect, unsigned};

const READY: &str = "pitmaster.ready";

/// Signs as a worker does, with a separate key.
struct Forger(SigningKey);

impl Forger {
    fn new(seed: u8) -> Self {
        Self(SigningKey::from_bytes(&[seed; 32]))
    }

    fn instance(&self) -> String {
        hex(self.0.verifying_key().as_bytes())
    }

    fn seal(&self, subject: &str, message: &Value) -> Vec<u8> {
        let message = message.to_string();
        let mut hasher = blake3::Hasher::new_derive_key("pitmaster cluster 2026-11 message");
        hasher.update(subject.as_bytes()).update(&[0]).update(message.as_bytes());
        let signature = self.0.sign(hasher.finalize().as_bytes()).to_bytes();
        format!("{} {}\n{message}", self.instance(), hex(&signature)).into_bytes()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A card as sent by the server.
async fn card(client: &async_nats::Client, contest: &str) -> Value {
    use tokio::io::AsyncReadExt as _;
    let store = async_nats::jetstream::new(client.clone()).get_object_store("pitmaster").await;
    let object = store.expect("a store").get(&format!("contest-{contest}")).await;
    let mut bytes = Vec::new();
    object.expect("a card").read_to_end(&mut bytes).await.expect("reads");
    serde_json::from_slice(&bytes).expect("a short card is plain")
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("as it is on the card")
}

fn is_trial(job: &Value) -> bool {
    job["games"].as_array().is_some_and(Vec::is_empty)
}

/// Fabricated games of a job, each won at once by the second bot of the job, with moves like this
/// one.
fn fixtures(card: &Value, job: &Value, text: &str) -> Value {
    let bot = |at: usize| -> BotId {
        let number = job["bots"][at].as_u64().expect("a number") as usize;
        read(&card["bots"][number]["id"])
    };
    let limits: Limits = read(&card["limits"]);
    let game = |game: &Value| {
        let swapped = game["swapped"] == true;
        let bots = BySide::new(bot(0), bot(1));
        let key = GameKey {
            rules: read(&card["rules"]),
            limits: limits.clone(),
            stage: read(&game["stage"]),
            round: read(&game["round"]),
            bots: if swapped { bots.swapped() } else { bots },
            opening: game.get("opening").map(read).unwrap_or_default(),
            pair: read(&game["pair"]),
        };
        let winner = if swapped { Side::One } else { Side::Two };
        let score = if swapped { Score::new(49, 0) } else { Score::new(0, 49) };
        let ending = Ending::Rules { clause: "49+".into(), winner: Some(winner), score };
        let mut record = Record::unplayed(key, read(&card["seed"]), ending);
        record.plies = vec![Ply::new(Some(Side::One), text, Duration::from_millis(1))];
        json!({ "record": record, "lane": 0, "started_at_ms": 1, "took_ns": 1,
                "ticket": game["ticket"] })
    };
    let games: Vec<Value> = job["games"].as_array().expect("games").iter().map(game).collect();
    let pairs: Vec<Value> = games.chunks(2).map(|pair| Value::from(pair.to_vec())).collect();
    json!({ "pairs": pairs })
}

/// Answers every posted job before it can be played, under its own name and under the overheard
/// name of a worker.
struct Stranger {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<usize>,
}

impl Stranger {
    fn start(server: &Server) -> Self {
        let (url, (stop, mut stopped)) = (server.url(), oneshot::channel());
        let (tell, listening) = channel();
        let thread = thread::spawn(move || {
            block_on(async {
                let client = connect(&url).await;
                let mut jobs = client.subscribe("pitmaster.jobs.>").await.expect("subscribes");
                let mut pulses = client.subscribe("pitmaster.pulse").await.expect("subscribes");
                client.flush().await.expect("it is there");
                tell.send(()).expect("somebody waits");
                let (own, mut overheard, mut count) = (Forger::new(7), None, 0);
                loop {
                    tokio::select! {
                        _ = &mut stopped => return count,
                        Some(pulse) = pulses.next() => {
                            overheard = Some(pulse.payload[..64].to_vec());
                        }
                        Some(message) = jobs.next() => {
                            count += forge(&client, &own, overheard.as_deref(), &message).await;
                        }
                    }
                }
            })
        });
        listening.recv().expect("it listens");
        Self { stop, thread }
    }

    /// Number of results that it has forged.
    fn count(self) -> usize {
        drop(self.stop);
        self.thread.join().expect("it ends")
    }
}

/// Sends all possible forgeries of a job. Returns the number of messages.
async fn forge(
    client: &async_nats::Client,
    own: &Forger,
    overheard: Option<&[u8]>,
    message: &async_nats::Message,
) -> usize {
    let Ok(job) = serde_json::from_slice::<Value>(&message.payload) else { return 0 };
    let contest = job["contest"].as_str().expect("a contest");
    let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
    let id = id.expect("an id").as_str();
    let is_trial = is_trial(&job);
    let whats = if is_trial {
        let fault = json!({ "fault": "did-not-build" });
        let unfit = json!({ "tried": { "unfit": { "fault": fault, "why": "says a stranger" } } });
        vec![unfit, json!("given-up"), json!({ "unable": { "why": "says a stranger" } })]
    } else {
        let card = card(client, contest).await;
        let fixtures = ["1R", "=cmd|x"].map(|text| fixtures(&card, &job, text));
        fixtures.into_iter().chain([json!("given-up"), json!("back")]).collect()
    };
    let subject = format!("pitmaster.results.{contest}");
    let mut count = 0;
    for (what, (job, delivery)) in whats.iter().flat_map(|what| {
        [(id, 1), (id, 4), ("a job that was never given", 1)].map(|claim| (what, claim))
    }) {
        let outcome = json!({ "claim": { "job": job, "delivery": delivery }, "what": what });
        let sealed = own.seal(&subject, &outcome);
        let in_name_of_another = overheard.map(|name| [name, &sealed[64..]].concat());
        let bare = outcome.to_string().into_bytes();
        for payload in [Some(sealed), in_name_of_another, Some(bare)].into_iter().flatten() {
            client.publish(subject.clone(), payload.into()).await.expect("publishes");
            count += 1;
        }
    }
    count
}

#[test]
fn games_that_strangers_make_up_count_for_nobody() {
    let Some(server) = Server::start() else { return };
    let scratch = field(4);
    let stranger = Stranger::start(&server);
    let worker = scratch.worker(&server, "one");
    let ran = scratch.coordinate(&server, 1).done(&scratch);
    dismiss(worker);
    assert!(stranger.count() >= 60);
    assert!(ran.stderr.contains("a result is refused"), "{}", ran.all());
    assert!(!ran.stderr.contains("says a stranger"), "{}", ran.all());
    assert!(!ran.stderr.contains("is dismissed"), "the honest one has done nothing: {}", ran.all());
    assert_eq!(scratch.attempts("far/cup", "void"), 0);
    scratch.assert_as_local();
}

/// Joins as a second worker and forges the games of the first job that has any. Returns the answer
/// that finally rejects it.
fn lie(server: &Server) -> JoinHandle<Value> {
    let url = server.url();
    let (tell, listening) = channel();
    let thread = thread::spawn(move || {
        block_on(async {
            let client = connect(&url).await;
            let mut jobs = client.subscribe("pitmaster.jobs.>").await.expect("subscribes");
            let mut readies = client.subscribe(READY).await.expect("subscribes");
            client.flush().await.expect("it is there");
            tell.send(()).expect("somebody waits");
            let other = readies.next().await.expect("another worker").payload;
            let other: Value = serde_json::from_slice(unsigned(&other)).expect("JSON");
            let (liar, isolation) = (Forger::new(9), &other["isolation"]);
            assert_eq!(join(&client, &liar, isolation, 1).await, json!("go"));
            while let Some(message) = jobs.next().await {
                let job: Value = serde_json::from_slice(&message.payload).expect("JSON");
                if is_trial(&job) {
                    continue;
                }
                let contest = job["contest"].as_str().expect("a contest");
                let id = message.headers.expect("headers").get("Nats-Msg-Id").cloned();
                let claim = json!({ "job": id.expect("an id").as_str(), "delivery": 1 });
                let what = fixtures(&card(&client, contest).await, &job, "2R");
                let subject = format!("pitmaster.results.{contest}");
                let sealed = liar.seal(&subject, &json!({ "claim": claim, "what": what }));
                client.publish(subject, sealed.into()).await.expect("publishes");
                client.flush().await.expect("it is there");
                break;
            }
            // Let in again until the lie is found.
            for sequence in 2..600 {
                let answer = join(&client, &liar, isolation, sequence).await;
                if answer != json!("go") {
                    return answer;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            json!("it is never found")
        })
    });
    listening.recv().expect("it listens");
    thread
}

/// Introduces a worker until the coordinator answers. Returns the answer.
async fn join(
    client: &async_nats::Client,
    worker: &Forger,
    isolation: &Value,
    sequence: u64,
) -> Value {
    let about = json!({ "instance": worker.instance(), "name": "liar", "host": "pc", "kernel": "6",
                        "cores": 2, "lanes": 1, "speed": 1 });
    let mut hello = json!(pitmaster::build_info::Build::own());
    hello["version"] = json!(3);
    hello["worker"] = about.clone();
    let ask = async |subject: &'static str, question: Vec<u8>| {
        let answer = client.request(subject, question.into()).await.ok()?;
        serde_json::from_slice::<Value>(&answer.payload).ok()
    };
    for _ in 0..600 {
        let welcome = ask("pitmaster.hello", hello.to_string().into_bytes()).await;
        let Some(welcome) = welcome.as_ref().map(|answer| &answer["welcome"]) else {
            // Nobody answers before the coordinator is there.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let ready = json!({
            "contest": welcome["contest"], "coordinator": welcome["coordinator"],
            "sequence": sequence, "worker": about, "missing": [],
            "isolation": isolation,
        });
        return ask(READY, worker.seal(READY, &ready)).await.expect("an answer");
    }
    panic!("no coordinator comes");
}

#[test]
fn a_worker_that_lies_is_dismissed_and_others_play_its_games() {
    let Some(server) = Server::start() else { return };
    let scratch = field(2);
    let liar = lie(&server);
    let run = scratch.coordinate(&server, 2);
    let honest = scratch.worker(&server, "honest");
    let answer = liar.join().expect("it ends");
    let why = answer["refused"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("this worker was dismissed") && why.contains("ply 1"), "{answer}");
    let ran = run.done(&scratch);
    dismiss(honest);
    assert!(ran.stderr.contains("the worker liar is dismissed"), "{}", ran.all());
    assert!(ran.stderr.contains("pitmaster void --worker liar"), "{}", ran.all());
    scratch.assert_as_local();
}

#[test]
fn a_worker_that_was_overheard_is_not_let_in_twice_by_others() {
    let Some(server) = Server::start() else { return };
    let scratch = field(2);
    let url = server.url();
    let (tell, listening) = channel();
    let overheard = thread::spawn(move || {
        block_on(async {
            let client = connect(&url).await;
            let mut all = client.subscribe(READY).await.expect("subscribes");
            client.flush().await.expect("it is there");
            tell.send(()).expect("somebody waits");
            let ready = all.next().await.expect("a worker").payload;
            let message: Value = serde_json::from_slice(unsigned(&ready)).expect("JSON");
            let mut renamed = message.clone();
            renamed["worker"]["name"] = json!("renamed");
            let changed = [&ready[..194], renamed.to_string().as_bytes()].concat();
            let stolen = Forger::new(3).seal(READY, &message);
            let mut answers = Vec::new();
            // Twice as it was, changed, and by a key that is not the one it names.
            for again in [ready.to_vec(), ready.to_vec(), changed, stolen] {
                let answer = client.request(READY, again.into()).await.expect("an answer");
                answers.push(serde_json::from_slice::<Value>(&answer.payload).expect("JSON"));
            }
            answers
        })
    });
    listening.recv().expect("it listens");
    let worker = scratch.worker(&server, "one");
    let ran = scratch.coordinate(&server, 1).done(&scratch);
    dismiss(worker);
    let answers = overheard.join().expect("it ends");
    assert!(answers[1].get("welcome").is_some(), "said once more: {answers:?}");
    for refused in &answers[2..] {
        assert!(refused.get("refused").is_some(), "{answers:?}");
    }
    assert!(!ran.stderr.contains("renamed"), "{}", ran.all());
    scratch.assert_as_local();
}
