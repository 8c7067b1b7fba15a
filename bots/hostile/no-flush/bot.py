# expect: move-late
# Answers at once, but its answers leave their buffer when it ends.
import sys

buffer = open(1, "w", buffering=1 << 16, closefd=False)
for _ in sys.stdin:
    print(f"{sys.argv[1]}R", file=buffer)
