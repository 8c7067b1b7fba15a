# expect: spoke-out-of-turn
# A second move right behind its move.
import sys

side = int(sys.argv[1])
for _ in sys.stdin:
    print(f"{side}R\n{side + 2}R", flush=True)
