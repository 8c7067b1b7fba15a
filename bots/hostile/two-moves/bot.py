# expect: malformed-line
# Two legal moves in one line.
import sys

side = int(sys.argv[1])
for _ in sys.stdin:
    print(f"{side}R {side + 2}R", flush=True)
