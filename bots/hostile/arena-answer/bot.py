# expect: malformed-line
# A legal move without the word `move` before it.
import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready arena-answer", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print(moves[0], flush=True)
    elif word == "quit":
        break
