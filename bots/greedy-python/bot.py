"""Greedy: takes as many seeds as it can at once; the dice choose between equals.

Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
the argument it speaks arena. The same seed gives the same choices in every language.
"""

import os
import sys

from awale import Board


class Dice:
    """The generator splitmix32: small, and the same on every machine."""

    def __init__(self, seed, side):
        self.state = (seed ^ seed >> 32 ^ side << 30) & 0xFFFFFFFF

    def below(self, count):
        """A number from 0 to count - 1."""
        self.state = (self.state + 0x9E3779B9) & 0xFFFFFFFF
        z = self.state
        z = (z ^ z >> 16) * 0x85EBCA6B & 0xFFFFFFFF
        z = (z ^ z >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
        return (z ^ z >> 16) % count


def say(line):
    print(line, flush=True)  # an answer that waits in a buffer is late


def choose(board, dice):
    gains = {move: board.copy().play(move) for move in board.moves()}
    most = max(gains.values())
    best = [move for move, gain in gains.items() if gain == most]
    return best[dice.below(len(best))]


def arena(side):
    """START, then moves in turn, then END."""
    dice = Dice(int(os.environ.get("PITMASTER_SEED", "1")), side)
    board = Board()
    for line in sys.stdin:
        word = line.strip()
        if word == "END":
            return
        if word != "START":
            board.play(word)
        if not board.over():
            move = choose(board, dice)
            board.play(move)
            say(move)


def pitmaster():
    """Lines of words. The board is kept from the moves that are told; in a game that
    it does not know there is none, and the first listed move is played."""
    side, seed, first, board, dice = 1, 1, None, None, None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "pitmaster":
            say("ready greedy-python")
        elif word == "game":
            board = Board() if rest[0].split(",")[0] == "coloured-awale" else None
        elif word == "side":
            side = int(rest[0])
        elif word == "seed":
            seed = int(rest[0])
        elif word == "newgame":
            dice = Dice(seed, side)
            say("ready")
        elif word in ("opening", "played"):
            for move in rest if board else []:
                board.play(move)
        elif word == "moves":
            first = rest[0].replace("*", "a1:")  # a layout: all on one hole
        elif word == "go":
            move = choose(board, dice) if board else first
            if board:
                board.play(move)
            say("move " + move)
        elif word == "quit":
            return


if len(sys.argv) > 1:
    arena(int(sys.argv[1]))
else:
    pitmaster()
