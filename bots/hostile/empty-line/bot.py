# expect: malformed-line
# A line feed in place of a move.
import sys

for _ in sys.stdin:
    print(flush=True)
