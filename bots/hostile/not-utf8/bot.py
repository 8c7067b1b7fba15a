# expect: not-utf8
# A line that is not UTF-8.
import os
import sys

for _ in sys.stdin:
    os.write(1, b"\xff\xfe1R\n")
