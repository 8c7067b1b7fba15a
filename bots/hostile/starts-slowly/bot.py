# expect: none
# Takes 1.5 s before it reads its first line, as large libraries do.
import time

from attack import play

time.sleep(1.5)
play("starts-slowly")
