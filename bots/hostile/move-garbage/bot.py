# expect: malformed-line
# A `move` that is none.
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready move-garbage", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "go":
        print("move hello", flush=True)
    elif word == "quit":
        break
