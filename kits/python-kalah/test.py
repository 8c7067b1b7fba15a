"""Tests of the rules and of the thinking: `python3 test.py`."""

import unittest

from rules import HOLES, Board, board_of
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
    """A board with seeds in the holes of these numbers."""
    board = Board()
    board.mover = mover
    board.seeds = [holes.get(hole + 1, 0) for hole in range(HOLES)]
    return board


class Rules(unittest.TestCase):
    def test_perft(self):
        counts = [perft(Board(), depth) for depth in (1, 2, 3, 4, 5, 6)]
        self.assertEqual(counts, [6, 35, 185, 942, 4690, 23233])

    def test_a_last_seed_in_the_own_store_moves_again(self):
        board = Board()
        board.play("3")
        self.assertEqual((board.scores, board.mover), ([1, 0], 0))

    def test_a_last_seed_in_an_empty_own_hole_captures_across(self):
        board = board_with(1, {2: 5, 7: 1, 11: 5, 12: 1})
        board.play("7")  # hole 8 was empty, across from 5: nothing to take there
        self.assertEqual((board.scores, board.mover), ([0, 0], 0))
        board = board_with(1, {2: 5, 3: 1, 10: 1, 12: 1})
        board.play("10")  # hole 11 was empty, across from 2
        self.assertEqual(board.scores, [0, 6])

    def test_the_store_of_the_opponent_is_skipped(self):
        board = board_with(0, {2: 1, 6: 9, 12: 1})
        board.play("6")
        self.assertEqual(board.seeds, [1, 2, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2])
        self.assertEqual(board.scores, [1, 0])

    def test_an_empty_row_ends_the_game(self):
        board = board_with(0, {6: 1, 9: 40})
        board.scores = [4, 3]
        board.play("6")
        self.assertEqual(board.scores, [5, 43])
        self.assertTrue(board.over())

    def test_it_knows_its_game_only(self):
        self.assertIsNotNone(board_of("kalah"))
        self.assertIsNone(board_of("kalah::6x5"))


class Thinking(unittest.TestCase):
    def test_it_sees_a_capture(self):
        player = Player("kalah", 1)
        player.board = board_with(0, {1: 1, 3: 1, 11: 9, 12: 3})
        self.assertEqual(player.best_move(1), "1")

    def test_it_plays_the_first_move_of_a_game_that_it_does_not_know(self):
        self.assertEqual(Player("isholo-3", 1).choose(["a3=*4", "a5"], 1000), "a3=a1:4")


unittest.main()
