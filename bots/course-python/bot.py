"""Course: takes as many seeds as it can at once, the first such move, in the dialect course.

Its argument is JoueurA or JoueurB. It announces the end of the game as it sees it: after
a move of its own that ends it, in place of that move; after one of the opponent, as an
answer to it.
"""

import os
import sys

from awale import Board

# The course's own referee names no game, and forty seeds each are no end there.
os.environ.setdefault("PITMASTER_GAME", "coloured-awale,both_40=off")

MOST_PLIES = 400


def say(*words):
    print(*words, flush=True)  # an answer that waits in a buffer is late


def choose(board):
    return max(board.moves(), key=lambda move: board.copy().play(move))


def main():
    board, plies = Board(), 0
    for line in sys.stdin:
        word = line.strip()
        if word != "START":
            board.play(word)
            plies += 1
            if board.over():
                say("RESULT", word, *board.scores)
                continue
        move = choose(board)
        board.play(move)
        plies += 1
        if board.over():
            say("RESULT", move, *board.scores)
        else:
            say(move)
            if plies == MOST_PLIES:
                say("RESULT", "LIMIT", *board.scores)


if sys.argv[1:] not in (["JoueurA"], ["JoueurB"]):
    sys.exit("usage: bot.py JoueurA|JoueurB")
main()
