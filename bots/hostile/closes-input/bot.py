# expect: move-late
# Closes its input, plays a move and lives on: what is sent to it goes nowhere.
import os
import sys
import time

os.read(0, 100)
os.close(0)
print(f"{sys.argv[1]}R", flush=True)
time.sleep(60)
