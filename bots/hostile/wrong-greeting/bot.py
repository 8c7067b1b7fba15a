# expect: start-late
# Answers the greeting with one of its own.
import sys

for line in sys.stdin:
    if line.startswith("pitmaster"):
        print("hello\npitmaster 2", flush=True)
