# expect: malformed-line
# Asks for input as if a person sat there.
import sys

for _ in sys.stdin:
    print(f"Your move: {sys.argv[1]}R", flush=True)
