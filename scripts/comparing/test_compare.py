"""Tests of scripts/compare with stand-ins that are built the same way: python3 -m unittest.

The stand-ins are named like c-chess-cli and fastchess, have their build commands and flags, and play
over bare pipes. The programs themselves are compared by whoever has them.
"""

import importlib.machinery
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
compare = importlib.machinery.SourceFileLoader("compare", str(SCRIPTS / "compare")).load_module()

MAKE_PY = """\
import os
with open("c-chess-cli", "w") as file:
    file.write('''#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in cmd=*) set -- "$@" "one=${1#cmd=}" ;; -games) games=$2 ;; one=*) engine=${1#one=} ;; esac
    shift
done
set -- $engine
exec "$1" pipes "$2" "$3" "$games"
''')
os.chmod("c-chess-cli", 0o755)
"""
MAKEFILE = """\
fastchess:
\tprintf '%s\\n' '#!/bin/sh' 'for word do case $$word in cmd=*) program=$${word#cmd=} ;; args=*) args=$${word#args=} ;; esac; done' 'while [ $$# -gt 0 ]; do [ "$$1" = -rounds ] && rounds=$$2; shift; done' 'exec "$$program" pipes $$args $$((2 * rounds))' > fastchess
\tchmod 755 fastchess
"""


class Compare(unittest.TestCase):
    def test_the_game_has_no_position_three_times_and_no_capture(self):
        moves = compare.knight_game()
        self.assertEqual(len(moves), compare.PLIES)
        knights, seen = ["b1", "b8"], {}
        for ply, move in enumerate(moves):
            side = ply % 2
            self.assertEqual(move[:2], knights[side])
            steps = sorted(abs(ord(one) - ord(two)) for one, two in zip(move[:2], move[2:]))
            self.assertEqual(steps, [1, 2])
            knights[side] = move[2:]
            self.assertNotEqual(*knights)
            position = (*knights, side)
            seen[position] = seen.get(position, 0) + 1
            self.assertLess(seen[position], 3)

    def test_a_table_of_stand_ins(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for program, file, text in [("c-chess-cli", "make.py", MAKE_PY), ("fastchess", "Makefile", MAKEFILE)]:
                (folder / program).mkdir()
                (folder / program / file).write_text(text, encoding="utf-8")
            players = folder / "players"
            subprocess.run(["cc", "-O2", "-o", players, SCRIPTS / "comparing" / "players.c"], check=True)
            scratch = folder / "scratch"
            scratch.mkdir()
            rows = list(compare.chess_rows(folder, 20, players, scratch))
            self.assertEqual([row[0] for row in rows], ["bare pipes, chess", "c-chess-cli", "fastchess"])
            self.assertTrue(all(wall > 0 for _, (wall, _cpu) in rows), rows)
            lines = compare.table(rows).splitlines()
            self.assertEqual(len(lines), 4)

    def test_what_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as name:
            self.assertIsNone(compare.build(Path(name) / "fastchess", ["make"], "fastchess"))

    @unittest.skipUnless(os.environ.get("PITMASTER_PROGRAM"), "PITMASTER_PROGRAM names no program")
    def test_pitmaster_is_measured(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            players = folder / "players"
            subprocess.run(["cc", "-O2", "-o", players, SCRIPTS / "comparing" / "players.c"], check=True)
            rows = list(compare.pitmaster_rows(os.environ["PITMASTER_PROGRAM"], 4, players, folder))
            self.assertEqual([row[0] for row in rows], ["bare pipes, Awale", "pitmaster"])


if __name__ == "__main__":
    unittest.main()
