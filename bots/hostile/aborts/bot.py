# expect: exited
# Aborts when it is asked for its first move: told as SIGABRT in every tier.
import os
import sys

sys.stdin.readline()
os.abort()
