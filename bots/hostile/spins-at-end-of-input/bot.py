# expect: none
# Plays well, and reads again and again, for 50 s at most, when there is nothing more to read.
import sys
import time

from awale import Board

board, end = Board(), time.monotonic() + 50
while time.monotonic() < end:
    word = sys.stdin.readline().strip()
    if word == "":
        continue
    if word == "END":
        break
    if word != "START":
        board.play(word)
    if not board.over():
        move = board.moves()[-1]
        board.play(move)
        print(move, flush=True)
