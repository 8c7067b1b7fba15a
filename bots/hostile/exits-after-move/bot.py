# expect: exited
# Answers its first turn and ends: that move counts, the next turn does not.
import sys

sys.stdin.readline()
print(f"{sys.argv[1]}R", flush=True)
