# expect: none portable=exited full=exited
# Plays well, but leaves a process of a session of its own that holds its pipes for 60 s.
import os
import sys
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready daemon", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move " + moves[-1], flush=True)
    elif word == "quit":
        break
