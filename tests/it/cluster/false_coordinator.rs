//! Cards of a false coordinator: a worker refuses values that no contest has, and reports them.

use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use super::faults::field;
use super::harness::Server;
use super::safety::{block_on, connect};
use crate::scratch::Scratch;

/// The text of a real card; its coordinator is gone.
fn real_card(server: &Server, scratch: &Scratch) -> String {
    let run = scratch.coordinate(server, 1);
    let fetch = async || {
        let client = connect(&server.url()).await;
        let store = async_nats::jetstream::new(client).get_object_store("pitmaster").await.ok()?;
        let mut names = store.list().await.ok()?;
        while let Some(Ok(object)) = names.next().await {
            if object.name.starts_with("contest-") {
                let mut text = String::new();
                store.get(&object.name).await.ok()?.read_to_string(&mut text).await.ok()?;
                return Some(text);
            }
        }
        None
    };
    let found = (0..600).find_map(|_| {
        thread::sleep(Duration::from_millis(100));
        block_on(fetch())
    });
    run.kill();
    found.expect("a card")
}

/// Answers the first worker and offers it a card.
fn coordinate_falsely(server: &Server, card: String) -> JoinHandle<()> {
    let url = server.url();
    let (tell, listening) = channel();
    let coordinator = thread::spawn(move || {
        block_on(async {
            let client = connect(&url).await;
            let contest = &blake3::hash(card.as_bytes()).to_hex()[..16];
            let context = async_nats::jetstream::new(client.clone());
            let store = context.get_object_store("pitmaster").await.expect("a store");
            let name = format!("contest-{contest}");
            store.put(&*name, &mut card.as_bytes()).await.expect("puts");
            let mut all = client.subscribe("pitmaster.hello").await.expect("subscribes");
            client.flush().await.expect("it is there");
            tell.send(()).expect("somebody waits");
            let hello = all.next().await.expect("a hello");
            let answer = json!({ "welcome": { "contest": contest, "coordinator": "x" } });
            let answer = answer.to_string().into();
            client.publish(hello.reply.expect("a question"), answer).await.expect("answers");
            client.flush().await.expect("it is there");
        });
    });
    listening.recv().expect("it listens");
    coordinator
}

#[test]
fn cards_that_no_contest_has_are_refused() {
    let Some(server) = Server::start() else { return };
    let scratch = field(1);
    let card = real_card(&server, &scratch);
    let (head, bots) = card.split_once("\"bots\":[").expect("bots");
    let (bot, _) = bots.split_once("},{\"id\"").expect("several bots");
    assert!(head.contains("\"patience_s\":2,") && bot.contains("\"tools\":[]"), "{card}");
    let many: Vec<String> = (0..3_000)
        .map(|number| bot.replace("\"tools\":[]", &format!("\"tools\":[\"t{number}\"]")) + "}")
        .collect();
    let never = "\"patience_s\":18446744073709551615,";
    for (name, card, why) in [
        (
            "patient",
            card.replace("\"patience_s\":2,", never),
            "no contest has a patience of 18446744073709551615 s",
        ),
        (
            "tools",
            format!("{head}\"bots\":[{}]}}", many.join(",")),
            "no contest has 3000 different sets of tools",
        ),
    ] {
        let coordinator = coordinate_falsely(&server, card);
        let (code, said) = scratch.worker(&server, name).end();
        coordinator.join().expect("it ends");
        assert_eq!(code, Some(4), "{said}");
        assert!(said.contains(why) && !said.contains("panicked"), "{said}");
    }
}
