//! Progress as reported to other programs; and replayed games of a bad machine.

use super::faults::{dismiss, field};
use super::harness::{Server, until};
use crate::scratch::Scratch;

#[test]
fn it_is_told_who_plays_and_how_much_is_done() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(2);
    let status = format!("cluster status {}", server.url());
    let idle = "no tournament is running on this server; 0 jobs are queued\n";
    assert_eq!(scratch.run(&status).done().stdout, idle);
    let worker = scratch.worker(&server, "pc-7");
    let run = scratch.coordinate(&server, 1);
    scratch.wait_for("gate.reached");
    // The worker says what it holds every now and then.
    let told = || {
        let told = scratch.run(&format!("{status} --json")).done().stdout;
        serde_json::from_str::<serde_json::Value>(&told).expect("JSON")
    };
    until("the job that is held", || told()["held"] == 1);
    let told = told();
    assert_eq!(told["workers"][0]["name"], "pc-7");
    assert_eq!(
        (&told["workers"][0]["lanes"], &told["workers"][0]["draining"]),
        (&1.into(), &false.into())
    );
    assert!(told["done"].as_u64() < told["games"].as_u64(), "{told}");
    let text = scratch.run(&status).done().stdout;
    assert!(text.contains("workers: 1, lanes: 1") && text.contains("pc-7"), "{text}");
    scratch.open_gate();
    run.done(&scratch);
    dismiss(worker);
    assert_eq!(scratch.run(&status).done().stdout, idle);
}

#[test]
fn what_a_bad_machine_played_is_played_again_over_the_same_server() {
    let Some(server) = Server::start() else { return };
    let scratch = field(3);
    let bad = scratch.worker(&server, "bad");
    scratch.coordinate(&server, 1).done(&scratch);
    dismiss(bad);
    let all = scratch.attempts("far/cup", "valid");
    scratch.run("void far/cup --worker bad --reason swapping").done();
    let good = scratch.worker(&server, "good");
    scratch.coordinate(&server, 1).done(&scratch);
    dismiss(good);
    assert_eq!(scratch.attempts("far/cup", "valid"), all);
    assert!(scratch.attempts("far/cup", "void") > 0);
    scratch.assert_as_local();
}
