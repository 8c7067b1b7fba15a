# expect: none
# Plays well; every text that it controls would hurt a page, a table or a terminal.
import os
import sys

TEXTS = [
    "</script><img src=x onerror=alert(1)>",
    '=HYPERLINK("http://x","y")',
    "\x1b]0;pwned\x07\x1b[31m",
    "../../../etc/passwd",
    "\u202egnp.exe\u2066",
    "move 1R",
    "\0 \t \v",
]


def say(line):
    os.write(1, line.encode() + b"\n")


moves, turn = [], 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "pitmaster":
        say("ready " + " ".join(TEXTS))
    elif word == "newgame":
        say("\n".join(TEXTS + ["ready " + TEXTS[0]]))
    elif word == "moves":
        moves = rest
    elif word == "go":
        text = TEXTS[turn % len(TEXTS)]
        turn += 1
        os.write(2, text.encode() + b"\xff\n")
        say("info " + text)
        say("move " + moves[-1] + " # " + text)
    elif word == "quit":
        break
