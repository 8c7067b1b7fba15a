# expect: none
# Plays well, and takes END for a move that is to be answered.
import sys

from awale import Board

board = Board()
for line in sys.stdin:
    word = line.strip()
    if word not in ("START", "END"):
        board.play(word)
    if not board.over():
        move = board.moves()[-1]
        board.play(move)
        print(move, flush=True)
