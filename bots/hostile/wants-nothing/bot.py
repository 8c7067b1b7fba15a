# expect: none
# Wants nothing but the moves, keeps the board itself, and ends with code 4 if it is told more.
import sys

from awale import Board

board = Board()
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("want nothing\nready wants-nothing", flush=True)
    elif word == "game":
        board = Board()
    elif word == "newgame":
        print("ready", flush=True)
    elif word in ("opening", "played"):
        for move in rest:
            board.play(move)
    elif word in ("moves", "position", "time"):
        sys.exit(4)
    elif word == "go":
        move = board.moves()[-1]
        board.play(move)
        print("move", move, flush=True)
    elif word == "quit":
        break
