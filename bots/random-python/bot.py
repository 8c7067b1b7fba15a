"""Random: plays any legal move.

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


def choose(moves, dice):
    # A word with a `*` wants a layout, but where one may pass there is no need of any.
    if "pass" in moves:
        moves = [move for move in moves if "*" not in move]
    move = moves[dice.below(len(moves))]
    return lay(move, dice) if "*" in move else move


def lay(move, dice):
    """Completes `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8."""
    start, count = move.split("*")
    seeds = [0] * 16
    for _ in range(int(count)):
        seeds[dice.below(16)] += 1
    holes = [f"{'ab'[i // 8]}{i % 8 + 1}:{seeds[i]}" for i in range(16) if seeds[i]]
    return start + ",".join(holes)


def arena(side):
    """START, then moves in turn, then END. Nobody lists the legal moves."""
    dice = Dice(int(os.environ.get("PITMASTER_SEED", "1")), side)
    board = Board()
    for line in sys.stdin:
        word = line.strip()
        if word == "END":
            return
        if word != "START":
            board.play(word)
        if not board.over():
            move = choose(board.moves(), dice)
            board.play(move)
            say(move)


def pitmaster():
    """Lines of words. The legal moves are listed, so any game can be played."""
    side, seed, moves, dice = 1, 1, [], None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "pitmaster":
            say("ready random-python")
        elif word == "side":
            side = int(rest[0])
        elif word == "seed":
            seed = int(rest[0])
        elif word == "newgame":
            dice = Dice(seed, side)
            say("ready")
        elif word == "moves":
            moves = rest
        elif word == "go":
            say("move " + choose(moves, dice))
        elif word == "quit":
            return


if len(sys.argv) > 1:
    arena(int(sys.argv[1]))
else:
    pitmaster()
