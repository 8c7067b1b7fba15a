# expect: none
# Writes its moves in small letters.
import sys

from awale import Board

board = Board()
for line in sys.stdin:
    word = line.strip()
    if word == "END":
        break
    if word != "START":
        board.play(word)
    if not board.over():
        move = board.moves()[-1]
        board.play(move)
        print(move.lower(), flush=True)
