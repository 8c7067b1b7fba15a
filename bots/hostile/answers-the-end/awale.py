"""Coloured Awale: the board, its legal moves, and playing one.

Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
numbers, player 2 the even ones; the hole after 16 is 1.
"""

import os

RED, BLUE, CLEAR = 0, 1, 2


class Board:
    def __init__(self):
        self.holes = [[2, 2, 2] for _ in range(16)]  # red, blue, transparent
        self.scores = [0, 0]
        self.mover = 0  # 0 is player 1, whose holes are 0, 2, 4, ...

    def copy(self):
        twin = Board()
        twin.holes = [list(hole) for hole in self.holes]
        twin.scores = list(self.scores)
        twin.mover = self.mover
        return twin

    def moves(self):
        """The texts of all legal moves: `3R`, `3B`, `3TR`, `3TB`."""
        texts = []
        for hole in range(self.mover, 16, 2):
            red, blue, clear = self.holes[hole]
            kinds = ["R"] * (red > 0) + ["B"] * (blue > 0) + ["TR", "TB"] * (clear > 0)
            texts += [f"{hole + 1}{kind}" for kind in kinds]
        return texts

    def play(self, text):
        """Plays a legal move and says how many seeds it took."""
        start = int(text.rstrip("TRB")) - 1
        blue = text.endswith("B")
        last = start
        # The transparent seeds go first, the coloured ones go on where they stopped.
        for colour in [CLEAR] * ("T" in text) + [BLUE if blue else RED]:
            last = self.sow(start, last, colour, blue)
        taken = self.capture(last)
        if not any(sum(hole) for hole in self.holes[1 - self.mover :: 2]):
            taken += self.sweep()  # the opponent has nothing left: the rest is taken too
        self.scores[self.mover] += taken
        self.mover = 1 - self.mover
        return taken

    def sow(self, start, last, colour, blue):
        """Sows the seeds of one colour on from `last` and says where the last one fell."""
        seeds, self.holes[start][colour] = self.holes[start][colour], 0
        while seeds > 0:
            last = (last + 1) % 16
            # Never into the start; seeds played as blue only into the opponent's holes.
            if last != start and not (blue and last % 2 == start % 2):
                self.holes[last][colour] += 1
                seeds -= 1
        return last

    def capture(self, hole):
        """Takes holes of two or three seeds, from the last one sown backwards."""
        taken = 0
        while sum(self.holes[hole]) in (2, 3):
            taken += sum(self.holes[hole])
            self.holes[hole] = [0, 0, 0]
            hole = (hole - 1) % 16
        return taken

    def sweep(self):
        """Takes every seed on the board."""
        taken = sum(map(sum, self.holes))
        self.holes = [[0, 0, 0] for _ in range(16)]
        return taken

    def over(self):
        """Whether the game is over."""
        low, high = sorted(self.scores)
        on_board = sum(map(sum, self.holes))
        return high >= 49 or (low >= 40 and ends_at_40()) or on_board < 10


def ends_at_40():
    """Whether 40 seeds each end the game: they do, unless its options say otherwise."""
    return "both_40=off" not in os.environ.get("PITMASTER_GAME", "")
