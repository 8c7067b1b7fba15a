# expect: too-much-output
# Up to 32 MiB of `info` in place of its move.
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready info-flood", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
    elif word == "go":
        print(("info " + "x" * 1000 + "\n") * 32768, flush=True)
    elif word == "quit":
        break
