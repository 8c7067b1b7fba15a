# expect: none
# Writes 8 MiB to its standard error in each game, and plays on.
import os
import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        print("ready stderr-8-mib", flush=True)
    elif word == "newgame":
        print("ready", flush=True)
        quiet = False
    elif word == "moves":
        moves = rest
    elif word == "go":
        if not quiet:
            quiet = True
            for _ in range(128):
                os.write(2, b"x" * 65535 + b"\n")
        print("move " + moves[-1], flush=True)
    elif word == "quit":
        break
