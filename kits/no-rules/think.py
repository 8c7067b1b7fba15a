"""The thinking: which move to play. This is the file to change.

It knows no rules yet, and plays the first of the moves that the referee lists.
"""

import sys


class Player:
    """One player in one game; every game gets a new one."""

    def __init__(self, game, side):
        self.game = game  # as the referee names it, with options; "" if it does not
        self.side = side  # 1 or 2
        self.moves = []  # all that were played so far

    def played(self, move):
        """A move was played, by this player or by the other."""
        self.moves.append(move)

    def choose(self, listed, milliseconds):
        """The move to play; None if the game is over, or it is the other's turn.

        `listed` are the legal moves, if the referee lists them: in arena it does not.
        """
        if not listed:
            sys.exit("arena lists no legal moves: write the rules before you play it")
        return listed[0].replace("*", "a1:")  # a layout: all seeds on one hole
