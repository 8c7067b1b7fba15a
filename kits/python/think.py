"""The thinking: which move to play. This is the file to change.

It looks one move ahead, then two, and so on, up to DEPTH moves or until the time is
over, and plays what leads to the best board that it can be sure of (negamax with
alpha-beta).
"""

import sys
import time

from rules import board_of

DEPTH = 4
INFINITY = 1000


class OutOfTime(Exception):
    """The time for this move is over."""


class Player:
    """One player in one game; every game gets a new one."""

    def __init__(self, game, side):
        self.board = board_of(game)  # None: a game whose rules are not known
        self.side = side - 1
        self.deadline = 0.0

    def played(self, move):
        """A move was played, by this player or by the other."""
        if self.board is None:
            return
        if move in self.board.moves():
            self.board.play(move)
        else:
            print(f"{move} is not legal by rules.py", file=sys.stderr)

    def choose(self, listed, milliseconds):
        """The move to play; None if the game is over, or it is the other's turn.

        `listed` are the legal moves, if the referee lists them: in arena it does not.
        """
        if self.board is None:
            return listed[0].replace("*", "a1:")  # a layout: all seeds on one hole
        if self.board.over() or self.board.mover != self.side:
            return None
        self.deadline = time.monotonic() + milliseconds / 1000
        best = self.board.moves()[0]
        try:
            for depth in range(1, DEPTH + 1):
                best = self.best_move(depth)
        except OutOfTime:
            pass  # the best move of the depth before
        return best

    def best_move(self, depth):
        best, most = None, -INFINITY
        for move in self.board.moves():
            value = self.value_of(self.board, move, depth, most, INFINITY)
            if value > most:
                best, most = move, value
        return best

    def value_of(self, board, move, depth, alpha, beta):
        """What a move is worth to the player who makes it."""
        after = board.copy()
        after.play(move)
        if after.mover == board.mover:  # some games grant another turn
            return self.search(after, depth - 1, alpha, beta)
        return -self.search(after, depth - 1, -beta, -alpha)

    def search(self, board, depth, alpha, beta):
        """What a board is worth to the player to move, if that is between the two."""
        if depth == 0 or board.over():
            return evaluate(board)
        if time.monotonic() > self.deadline:
            raise OutOfTime
        for move in board.moves():
            alpha = max(alpha, self.value_of(board, move, depth, alpha, beta))
            if alpha >= beta:
                break  # the opponent will not let it come to this
        return alpha


def evaluate(board):
    """A guess at what a board is worth to the player to move."""
    return board.scores[board.mover] - board.scores[1 - board.mover]
