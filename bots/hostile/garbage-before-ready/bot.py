# expect: none
# A hundred lines before each `ready`.
import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("loading\n" * 100 + "ready garbage-before-ready", flush=True)
    elif word == "newgame":
        print("move 1R\n" * 100 + "ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move " + moves[-1], flush=True)
    elif word == "quit":
        break
