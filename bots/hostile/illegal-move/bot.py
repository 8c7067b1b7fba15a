# expect: illegal-move
# Plays from a hole of its opponent.
import sys

for _ in sys.stdin:
    print(f"{3 - int(sys.argv[1])}R", flush=True)
