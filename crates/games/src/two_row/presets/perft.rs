//! Perft table: the stored counts, recomputed by the engine and, where it is fast enough, by the
//! second implementation.

use super::naive::{Game, Naive};
use crate::two_row::TwoRow;
use crate::two_row::testing::params_of;
use crate::{Rules, perft};

const TABLE: &str = include_str!("../../../../../tests/golden/two_row/perft.txt");

/// Game, depth and count of every line.
fn table() -> impl Iterator<Item = (&'static str, u32, u64)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<_> = line.split(' ').collect();
        let [game, depth, count] = words[..] else { panic!("{line}") };
        (game, depth.parse().expect(line), count.parse().expect(line))
    })
}

#[test]
fn the_engine_counts_what_the_table_says() {
    for (game, depth, count) in table() {
        let rules = TwoRow::new(params_of(game));
        assert_eq!(perft(&rules, &rules.start(), depth).leaves, count, "{game} {depth}");
    }
}

#[test]
fn plain_arrays_count_the_same() {
    let mut games = 0;
    for (name, depth, count) in table() {
        let (name, seeds) = name.split_once("::6x").unwrap_or((name, "4"));
        let game = match name {
            "kalah" => Game::Kalah,
            "kalah_empty" => Game::KalahEmpty,
            "oware" => Game::Oware,
            _ => continue,
        };
        let naive = Naive::new(game, seeds.parse().expect(name));
        assert_eq!(naive.perft(depth), count, "{name} {seeds} {depth}");
        games += 1;
    }
    assert!(games > 0);
}
