# expect: none
# Plays well and answers END with an abort.
import os
import sys

from awale import Board

board = Board()
for line in sys.stdin:
    word = line.strip()
    if word == "END":
        os.abort()
    if word != "START":
        board.play(word)
    if not board.over():
        move = board.moves()[-1]
        board.play(move)
        print(move, flush=True)
