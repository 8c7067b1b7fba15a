# expect: exited
# Ends before it says anything.
raise SystemExit(1)
