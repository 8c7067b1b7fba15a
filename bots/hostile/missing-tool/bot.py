# expect: did-not-build
# Needs a tool that no machine has.
raise SystemExit(1)
