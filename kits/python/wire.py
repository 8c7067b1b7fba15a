"""The wire: hears the referee and answers. Nobody needs to change this file.

Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
the argument it speaks arena. What to answer is decided in think.py.
"""

import os
import sys

from think import Player

# A move may use one part in so many of what a clock has left.
PARTS = {"move": 2, "game": 40, "bank": 20}
NO_CLOCK_MS = 500


def say(line):
    print(line, flush=True)  # an answer that waits in a buffer is late


def time_for(clocks):
    """The milliseconds for a move, from words such as `move 1000 game 209512`."""
    pairs = zip(clocks, clocks[1:])
    times = [int(left) // PARTS[clock] for clock, left in pairs if clock in PARTS]
    return min(times, default=NO_CLOCK_MS)


def pitmaster():
    """Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn."""
    game, side, opening, clocks, listed, player = "", 1, [], [], [], None
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "pitmaster":
            say("ready")
        elif word == "game":
            game, opening, clocks = rest[0], [], []
        elif word == "side":
            side = int(rest[0])
        elif word == "opening":
            opening = rest
        elif word == "newgame":
            player = Player(game, side)
            for move in opening:
                player.played(move)
            say("ready")
        elif word == "played":
            for move in rest:
                player.played(move)
        elif word == "time":
            clocks = rest
        elif word == "moves":
            listed = rest
        elif word == "go":
            move = player.choose(listed, time_for(clocks))
            player.played(move)
            say("move " + move)
        elif word == "quit":
            return


def arena(side):
    """One game: `START` or the opponent's moves, one a line; `END` at the end."""
    player = Player(os.environ.get("PITMASTER_GAME", ""), side)
    limit = os.environ.get("PITMASTER_MOVE_MS", "0")
    clocks = [] if limit == "0" else ["move", limit]
    for line in sys.stdin:
        word = line.strip()
        if word == "END":
            return
        if word != "START":
            player.played(word)
        move = player.choose([], time_for(clocks))
        if move:
            player.played(move)
            say(move)


if len(sys.argv) > 1:
    arena(int(sys.argv[1]))
else:
    pitmaster()
