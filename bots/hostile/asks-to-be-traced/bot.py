# expect: none|move-late|start-late portable=none full=none
# attack: bare=succeeded portable=refused full=refused
# promise: signal
# Makes the referee its tracer: every signal then holds it until the referee lets it go on.
from attack import call, play


def trace_me():
    call("ptrace", 0, 0, 0, 0)


play("asks-to-be-traced", trace_me)
