# expect: did-not-build
# attack: silent
# Its build leaves links to foreign files where the referee might write, and fails.
