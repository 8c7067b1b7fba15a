//! The same seed gives the same tournament, on any number of lanes.

use crate::contest::patient;
use crate::scratch::Scratch;

#[test]
fn one_and_two_lanes_give_the_same_files() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    scratch.fast("cheat", "illegal").write("cup.toml", patient(5));
    scratch.run("run cup.toml --lanes 1 --out one -q").done();
    scratch.run("run cup.toml --lanes 2 --out two -q").done();
    scratch.assert_same("one/cup", "two/cup");
}

#[test]
fn a_suspension_comes_at_the_same_game_whatever_the_lanes() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("cheat", "illegal");
    scratch.write("cup.toml", patient(8));
    let one = scratch.run("run cup.toml --lanes 1 --out one").done();
    scratch.run("run cup.toml --lanes 2 --out two -q").done();
    scratch.run("run cup.toml --lanes 5 --out five -q").done();
    scratch.assert_same("one/cup", "two/cup");
    scratch.assert_same("one/cup", "five/cup");
    let suspended = scratch.column("one/cup/games.csv", "ending");
    assert_eq!(suspended.iter().filter(|ending| *ending == "suspended").count(), 22);
    assert_eq!(suspended.iter().filter(|ending| *ending == "illegal-move").count(), 10);
    assert!(one.stderr.contains("cheat is suspended"), "{}", one.stderr);
}
