# expect: move-late
# Waits for its first line without reading a byte of it, plays a move that is always legal,
# and then none.
import select
import sys
import time

select.select([0], [], [])
print(f"{sys.argv[1]}R", flush=True)
time.sleep(60)
