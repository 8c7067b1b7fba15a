# expect: none
# attack: bare=refused portable=refused full=refused
# promise: turn
# A second thread never rests, for 50 s at most. The bot counts how much of the time between its
# move and its next line that thread was given. The beginning and the end of that time may be its
# own: the referee shares the core and may read the move late, and Python gives a thread 5 ms. An
# opponent that answers at once leaves nothing to measure.
import os
import sys
import threading
import time

# Of each turn of the opponent, and of all of them, in seconds.
OWN, LEAST = 0.02, 0.1
spent = [0.0]


def spin():
    end = time.monotonic() + 50
    while time.monotonic() < end:
        spent[0] = time.thread_time()


threading.Thread(target=spin, daemon=True).start()
moves, foreign, asked, told = [], [0.0, 0.0], 0, False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready thinks-ahead", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
        asked, told = 0, False
    elif word == "moves":
        moves = rest
    elif word == "go":
        asked += 1
        if asked > 1:
            foreign[0] += max(0, time.monotonic() - sent[0] - OWN)
            foreign[1] += max(0, spent[0] - sent[1] - OWN)
        if asked > 5 and not told:
            told = True
            took = foreign[0] > LEAST and foreign[1] > foreign[0] / 10
            outcome = "succeeded: thread" if took else "refused"
            print(f"info attack: thinks-ahead {outcome}")
        print("move " + moves[-1], flush=True)
        sent = time.monotonic(), spent[0]
    elif word == "quit":
        break
os._exit(0)
