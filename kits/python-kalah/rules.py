"""The rules of Kalah: a board, its legal moves, playing one, the end.

Holes are 0 to 11 in here and 1 to 12 in the text of a move, counter-clockwise. Player 1
owns 1 to 6, player 2 owns 7 to 12. A move is the number of a hole as text.
"""

HOLES = 12
SEEDS = 4  # in each hole at the start


class Board:
    def __init__(self):
        self.seeds = [SEEDS] * HOLES
        self.scores = [0, 0]  # the seeds in the stores
        self.mover = 0  # 0 is player 1

    def copy(self):
        twin = Board()
        twin.seeds = list(self.seeds)
        twin.scores = list(self.scores)
        twin.mover = self.mover
        return twin

    def moves(self):
        """All legal moves of the player to move."""
        return [str(hole + 1) for hole in holes_of(self.mover) if self.seeds[hole]]

    def play(self, move):
        """Plays a legal move."""
        mover = self.mover
        last = self.sow(int(move) - 1)
        if last is not None:  # in the own store it grants another turn
            if side_of(last) == mover and self.seeds[last] == 1:
                self.capture(last)
            self.mover = 1 - mover
        if self.row(mover) == 0 or (self.row(self.mover) == 0 and not self.over()):
            self.end()  # no seeds are left to who has moved, or to who is to move

    def over(self):
        """Whether the game is over; who has more seeds has won it."""
        all_seeds = SEEDS * HOLES
        return max(self.scores) > all_seeds // 2 or sum(self.scores) == all_seeds

    def sow(self, hole):
        """Sows a hole and says where the last seed fell; None for the own store."""
        count, self.seeds[hole] = self.seeds[hole], 0
        while True:
            # The own store lies behind the own last hole; the other store is skipped.
            if hole == holes_of(self.mover)[-1]:
                self.scores[self.mover] += 1
                count -= 1
                if count == 0:
                    return None
            hole = (hole + 1) % HOLES
            self.seeds[hole] += 1
            count -= 1
            if count == 0:
                return hole

    def capture(self, last):
        """Takes the hole across, if it is not empty, and the seed that captured."""
        across = HOLES - 1 - last
        if self.seeds[across]:
            self.scores[self.mover] += self.seeds[across] + 1
            self.seeds[across] = self.seeds[last] = 0

    def end(self):
        """Gives all seeds to the owners of their holes."""
        for side in (0, 1):
            self.scores[side] += self.row(side)
        self.seeds = [0] * HOLES

    def row(self, side):
        """The seeds on the board of a side."""
        return sum(self.seeds[hole] for hole in holes_of(side))


def holes_of(side):
    half = HOLES // 2
    return range(side * half, side * half + half)


def side_of(hole):
    return hole // (HOLES // 2)


def board_of(game):
    """A new board for a game as the referee names it; None if its rules are not these.

    A referee that names no game plays this one without options.
    """
    return Board() if game in ("", "kalah") else None
