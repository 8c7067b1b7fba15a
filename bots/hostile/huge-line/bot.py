# expect: line-too-long
# One line of 32 MiB, complete.
import sys

sys.stdin.readline()
sys.stdout.write("x" * (32 << 20) + "\n")
