# expect: move-late
# A byte every 40 ms and never a line feed: every read brings something.
import sys
import time

sys.stdin.readline()
for _ in range(1500):
    print("1", end="", flush=True)
    time.sleep(0.04)
