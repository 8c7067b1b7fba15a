# expect: did-not-build
# attack: silent
# Its build leaves folders that are too deep to be named. Only this bot is left out for that.
