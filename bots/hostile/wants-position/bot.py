# expect: none
# Wants the position, and ends with code 4 if it is not the one that the moves lead to.
import sys

from awale import Board


def text(board):
    holes = ",".join(".".join(map(str, hole)) for hole in board.holes)
    return f"{holes}/{board.scores[0]}-{board.scores[1]}/{board.mover + 1}"


board, position, moves = Board(), "", []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("want position\nready wants-position", flush=True)
    elif word == "game":
        board = Board()
    elif word == "newgame":
        print("ready", flush=True)
    elif word in ("opening", "played"):
        for move in rest:
            board.play(move)
    elif word == "position":
        position = rest[0]
    elif word == "moves":
        moves = rest
    elif word == "go":
        if position != text(board) or moves != board.moves():
            sys.exit(4)
        board.play(moves[-1])
        print("move", moves[-1], flush=True)
    elif word == "quit":
        break
