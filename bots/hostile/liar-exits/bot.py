# expect: exited
# Claims in place of its third move that it has won, and goes.
import sys

number = 1 if sys.argv[1] == "JoueurA" else 2
for count, _ in enumerate(sys.stdin):
    move = f"{number + 2 * count}R"
    if count == 2:
        score = "49 0" if number == 1 else "0 49"
        print("RESULT", move, score, flush=True)
        break
    print(move, flush=True)
