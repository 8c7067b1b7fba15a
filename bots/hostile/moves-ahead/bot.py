# expect: spoke-out-of-turn
# Eight moves at once that would all be legal in their turns.
import sys
import time

side = int(sys.argv[1])
print("\n".join(f"{side + 2 * count}R" for count in range(8)), flush=True)
time.sleep(60)
