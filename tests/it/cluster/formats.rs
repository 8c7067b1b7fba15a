//! Workers play every format, with every kind of bot, as a local run does.

use std::fs;

use super::faults::dismiss;
use super::harness::Server;
use crate::rounds;

/// Plays several tournaments in turn with the same workers, including formats whose pairings depend
/// on results.
#[test]
fn every_format_gives_the_files_of_a_local_run() {
    let Some(server) = Server::start() else { return };
    let scratch = rounds::field();
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    for (_, format) in rounds::ALL {
        let house = "include = ['own/*', 'house:greedy']";
        scratch.write("cup.toml", rounds::cup(format).replace("include = ['own/*']", house));
        scratch.coordinate(&server, 2).done(&scratch);
        scratch.assert_as_local();
        for out in ["near", "far"] {
            fs::remove_dir_all(scratch.path(out)).expect("it is there");
        }
    }
    workers.into_iter().for_each(dismiss);
}
