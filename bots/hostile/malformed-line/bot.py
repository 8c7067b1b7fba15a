# expect: malformed-line
# Says something that is no move.
import sys

for _ in sys.stdin:
    print("hello", flush=True)
