# expect: move-late
# Plays three moves and falls silent.
import sys
import time

side = int(sys.argv[1])
for count in range(3):
    sys.stdin.readline()
    print(f"{side + 2 * count}R", flush=True)
time.sleep(60)
