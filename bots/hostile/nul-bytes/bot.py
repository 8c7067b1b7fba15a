# expect: malformed-line
# A legal move with a NUL behind it, where a string of C would end.
import sys

for _ in sys.stdin:
    print(f"{sys.argv[1]}R\0", flush=True)
