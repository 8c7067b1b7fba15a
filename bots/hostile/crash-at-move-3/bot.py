# expect: exited
# Plays two moves and ends with code 3 in place of the third. In a hole that was never
# played from nothing is ever captured, so the red seeds of one hole after another are legal.
import sys

side = int(sys.argv[1])
for count, _ in enumerate(sys.stdin):
    if count == 2:
        sys.exit(3)
    print(f"{side + 2 * count}R", flush=True)
