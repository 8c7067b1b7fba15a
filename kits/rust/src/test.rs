//! Tests of the rules and of the thinking: `cargo test --release`.

use crate::rules::{Board, Move, HOLES, RED};
use crate::think::Player;
use std::time::Duration;

/// How many sequences of so many legal moves there are.
fn perft(board: &Board, depth: u32) -> usize {
    if board.is_over() {
        return 0;
    }
    let moves = board.moves();
    if depth == 1 {
        return moves.len();
    }
    let after = |legal: Move| {
        let mut after = board.clone();
        after.play(legal);
        perft(&after, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

/// A board with seeds (red, blue, transparent) in the holes of these numbers.
fn board_with(mover: usize, holes: &[(usize, [u8; 3])]) -> Board {
    let mut board = Board::new(true);
    board.mover = mover;
    board.seeds = [[0; 3]; HOLES];
    for &(number, seeds) in holes {
        board.seeds[number - 1] = seeds;
    }
    board
}

fn play(board: &mut Board, text: &str) {
    let moves = board.moves();
    let legal = moves.iter().find(|legal| legal.to_string() == text);
    board.play(*legal.expect("a legal move"));
}

#[test]
fn all_sequences_are_counted() {
    let counts = [1, 2, 3, 4].map(|depth| perft(&Board::new(true), depth));
    assert_eq!(counts, [32, 1024, 30856, 929896]);
}

#[test]
fn a_capture_goes_backwards_over_both_sides() {
    let [reds, both, blues] = [[2, 0, 0], [2, 2, 0], [0, 2, 0]];
    let holes = [(1, reds), (13, both), (14, both), (15, blues), (16, reds)];
    let mut board = board_with(1, &holes);
    play(&mut board, "14B");
    assert_eq!(board.scores, [0, 10]);
    assert_eq!(board.seeds_in(13 - 1), 4);
}

#[test]
fn who_starves_the_opponent_takes_the_rest() {
    let mut board = board_with(0, &[(1, [1, 0, 0]), (2, [0, 0, 1]), (5, [0, 9, 0])]);
    play(&mut board, "1R"); // takes the two seeds of hole 2, the opponent's last
    assert_eq!(board.scores, [11, 0]);
    assert!(board.is_over());
}

#[test]
fn the_start_is_skipped_when_sowing_goes_round() {
    let mut board = board_with(0, &[(1, [16, 0, 0])]);
    play(&mut board, "1R");
    let reds = board.seeds.map(|hole| hole[RED]);
    assert_eq!(reds, [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn forty_each_is_the_end_unless_the_game_says_otherwise() {
    let games = [
        ("", true),
        ("coloured-awale", true),
        ("coloured-awale,both_40=off", false),
    ];
    for (game, ends) in games {
        let mut board = Board::of(game).unwrap();
        board.scores = [40, 41];
        assert_eq!(board.is_over(), ends);
    }
    assert!(Board::of("kalah").is_none());
}

#[test]
fn it_answers_in_its_turn_only() {
    let second = Duration::from_secs(1);
    let mut player = Player::new("coloured-awale", 1);
    player.played("1R");
    assert_eq!(player.choose(&[], second), None);
    player.played("16R");
    assert!(player.choose(&[], second).is_some());
}

#[test]
fn it_plays_the_first_move_of_a_game_that_it_does_not_know() {
    let listed = ["a3=*4".to_owned(), "a5".to_owned()];
    let chosen = Player::new("isholo-3", 1).choose(&listed, Duration::from_secs(1));
    assert_eq!(chosen.as_deref(), Some("a3=a1:4"));
}
