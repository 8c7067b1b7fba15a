# expect: none
# A second thread never rests, for 50 s at most.
import os
import sys
import threading
import time


def spin(end):
    while time.monotonic() < end:
        pass


sys.setswitchinterval(0.0005)  # its own answers are not to wait for the thread
threading.Thread(target=spin, args=[time.monotonic() + 50], daemon=True).start()
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready thinks-on-opponents-time", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move " + moves[-1], flush=True)
    elif word == "quit":
        break
os._exit(0)
