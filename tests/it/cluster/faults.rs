//! Failures in a cluster cost only time: if programs die, freeze, lose data or lie, every planned
//! game is in the results once, and the files equal those of a local run.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, prlimit};

use super::harness::{Server, Worker};
use crate::contest::patient;
use crate::scratch::Scratch;

/// Four bots, one of which gets suspended.
pub(super) fn field(pairs: u32) -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("dice", "random").fast("first", "first");
    scratch.fast("slow", "slow 1").write("cup.toml", patient(pairs));
    scratch
}

/// Ends a worker in an orderly way.
pub(super) fn dismiss(worker: Worker) {
    worker.signal(Signal::TERM);
    let (code, said) = worker.end();
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn two_workers_play_what_one_machine_plays() {
    let Some(server) = Server::start() else { return };
    let scratch = field(4);
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    scratch.coordinate(&server, 2).done(&scratch);
    workers.into_iter().for_each(dismiss);
    scratch.assert_as_local();
}

#[test]
fn a_worker_that_is_killed_in_a_game_costs_that_game_some_time() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(2);
    let first = scratch.worker(&server, "one");
    let run = scratch.coordinate(&server, 1);
    scratch.wait_for("gate.reached");
    first.kill();
    scratch.open_gate();
    let second = scratch.worker(&server, "two");
    run.done(&scratch);
    dismiss(second);
    scratch.assert_as_local();
}

#[test]
fn a_worker_that_was_frozen_and_thaws_doubles_nothing() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(2).fast("slow", "slow 5");
    let first = scratch.worker(&server, "one");
    let mut run = scratch.coordinate(&server, 1);
    scratch.wait_for("gate.reached");
    first.signal(Signal::STOP);
    scratch.open_gate();
    let second = scratch.worker(&server, "two");
    run.games(6);
    first.signal(Signal::CONT);
    run.done(&scratch);
    [first, second].into_iter().for_each(dismiss);
    scratch.assert_as_local();
}

#[test]
fn a_coordinator_that_is_killed_goes_on_where_it_was() {
    let Some(server) = Server::start() else { return };
    let scratch = field(6);
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    for count in [1, 7, 13] {
        let mut run = scratch.coordinate(&server, 1);
        run.games(count);
        run.kill();
    }
    scratch.coordinate(&server, 1).done(&scratch);
    workers.into_iter().for_each(dismiss);
    scratch.assert_as_local();
}

#[test]
fn a_server_that_is_killed_and_comes_back_is_waited_for() {
    let Some(mut server) = Server::start() else { return };
    let scratch = field(8);
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    let mut run = scratch.coordinate(&server, 2);
    for _ in 0..2 {
        run.games(5);
        server.kill();
        server.start_again();
    }
    run.done(&scratch);
    workers.into_iter().for_each(dismiss);
    scratch.assert_as_local();
}

#[test]
fn a_server_that_has_lost_its_data_gets_all_that_is_left_anew() {
    let Some(mut server) = Server::start() else { return };
    let scratch = field(8);
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    let mut run = scratch.coordinate(&server, 2);
    run.games(5);
    server.kill();
    server.lose_everything();
    server.start_again();
    run.done(&scratch);
    workers.into_iter().for_each(dismiss);
    scratch.assert_as_local();
}

#[test]
fn a_worker_whose_disk_is_full_leaves_its_work_to_others() {
    let Some(server) = Server::start() else { return };
    let scratch = field(4);
    let full = scratch.worker(&server, "full");
    full.wait_until_it_says("waiting for a tournament");
    // No file may grow beyond this: as on a full disk, its bots cannot be unpacked.
    let limit = Rlimit { current: Some(4096), maximum: None };
    prlimit(Some(full.pid()), Resource::Fsize, limit).expect("it runs");
    let run = scratch.coordinate(&server, 1);
    let (code, said) = full.end();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("is the disk full"), "{said}");
    let other = scratch.worker(&server, "other");
    run.done(&scratch);
    dismiss(other);
    scratch.assert_as_local();
}

#[test]
fn a_worker_that_is_told_to_end_plays_its_pair_out() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(2);
    let first = scratch.worker(&server, "one");
    let run = scratch.coordinate(&server, 1);
    scratch.wait_for("gate.reached");
    first.signal(Signal::TERM);
    first.wait_until_it_says("told to end");
    std::thread::sleep(Duration::from_millis(100));
    scratch.open_gate();
    let (code, said) = first.end();
    assert_eq!(code, Some(0), "{said}");
    let second = scratch.worker(&server, "two");
    run.done(&scratch);
    dismiss(second);
    scratch.assert_as_local();
}
