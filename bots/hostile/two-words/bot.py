# expect: malformed-line
# A legal move with another word behind it that is no comment.
import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready two-words", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print(f"move {moves[0]} {moves[1]}", flush=True)
    elif word == "quit":
        break
