# expect: none
# As many `info` lines as are allowed before each move.
import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready talkative", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("info depth 3\n" * 1000 + "move " + moves[-1], flush=True)
    elif word == "quit":
        break
