# expect: closed-output
# Closes its output and lives on.
import os
import time

os.close(1)
time.sleep(60)
