# expect: start-late
# Answers the greeting after 30 s.
import sys
import time

sys.stdin.readline()
time.sleep(30)
print("ready ready-late", flush=True)
time.sleep(30)
