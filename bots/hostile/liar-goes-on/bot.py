# expect: none
# Claims with every move that it has won, in place of the move and behind it in turns, and
# plays on.
import sys

from awale import Board

score = "49 0" if sys.argv[1] == "JoueurA" else "0 49"
board, count = Board(), 0
for line in sys.stdin:
    word = line.strip()
    if word != "START":
        board.play(word)
    if not board.over():
        move = board.moves()[-1]
        board.play(move)
        count += 1
        behind = f"{move}\nRESULT {move} {score}"
        print(f"RESULT {move} {score}" if count % 2 else behind, flush=True)
