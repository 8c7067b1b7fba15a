# expect: none
# Plays well, but stays for 60 s whatever it is told.
import signal
import sys
import time

from awale import Board

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
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
        print(move, flush=True)
time.sleep(60)
