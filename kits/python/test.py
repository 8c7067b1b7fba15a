"""Tests of the rules and of the thinking: `python3 test.py`."""

import unittest

from rules import HOLES, RED, Board, board_of
from think import Player


def perft(board, depth):
    """How many sequences of so many legal moves there are."""
    if board.over():
        return 0
    moves = board.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = board.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total


def board_with(mover, holes):
    """A board with seeds (red, blue, transparent) in the holes of these numbers."""
    board = Board()
    board.mover = mover
    board.seeds = [[0] * HOLES for _ in range(3)]
    for number, seeds in holes.items():
        for colour, count in enumerate(seeds):
            board.seeds[colour][number - 1] = count
    return board


class Rules(unittest.TestCase):
    def test_perft(self):
        counts = [perft(Board(), depth) for depth in (1, 2, 3, 4)]
        self.assertEqual(counts, [32, 1024, 30856, 929896])

    def test_capture_goes_backwards_over_both_sides(self):
        reds = {1: (2, 0, 0), 16: (2, 0, 0)}
        blues = {13: (2, 2, 0), 14: (2, 2, 0), 15: (0, 2, 0)}
        board = board_with(1, {**reds, **blues})
        board.play("14B")
        self.assertEqual(board.scores, [0, 10])
        self.assertEqual(board.seeds_in(13 - 1), 4)

    def test_who_starves_the_opponent_takes_the_rest(self):
        board = board_with(0, {1: (1, 0, 0), 2: (0, 0, 1), 5: (0, 9, 0)})
        board.play("1R")  # takes the two seeds of hole 2, the opponent's last
        self.assertEqual(board.scores, [11, 0])
        self.assertTrue(board.over())

    def test_the_start_is_skipped_when_sowing_goes_round(self):
        board = board_with(0, {1: (16, 0, 0)})
        board.play("1R")
        self.assertEqual(board.seeds[RED], [0, 0] + [1] * 14)

    def test_forty_each_is_the_end_unless_the_game_says_otherwise(self):
        awale = "coloured-awale"
        for game, ends in [("", True), (awale, True), (awale + ",both_40=off", False)]:
            board = board_of(game)
            board.scores = [40, 41]
            self.assertEqual(board.over(), ends)
        self.assertIsNone(board_of("kalah"))


class Thinking(unittest.TestCase):
    def test_it_sees_a_capture(self):
        player = Player("coloured-awale", 1)
        holes = {1: (1, 0, 0), 2: (0, 0, 2), 9: (3, 0, 0), 12: (9, 0, 0)}
        player.board = board_with(0, holes)
        self.assertEqual(player.choose([], 1000), "1R")

    def test_it_plays_the_first_move_of_a_game_that_it_does_not_know(self):
        self.assertEqual(Player("isholo-3", 1).choose(["a3=*4", "a5"], 1000), "a3=a1:4")


unittest.main()
