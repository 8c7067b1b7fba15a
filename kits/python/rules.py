"""The rules of coloured Awale: a board, its legal moves, playing one, the end.

Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
numbers, player 2 the even ones; the hole after 16 is 1. A move is its text: 3R, 3B,
3TR or 3TB.
"""

HOLES = 16
RED, BLUE, CLEAR = 0, 1, 2


class Board:
    def __init__(self, both_40=True):
        self.seeds = [[2] * HOLES, [2] * HOLES, [2] * HOLES]  # red, blue, transparent
        self.scores = [0, 0]
        self.mover = 0  # 0 is player 1, whose holes are 0, 2, 4, ...
        self.both_40 = both_40  # whether 40 seeds each end the game

    def copy(self):
        twin = Board(self.both_40)
        twin.seeds = [list(colour) for colour in self.seeds]
        twin.scores = list(self.scores)
        twin.mover = self.mover
        return twin

    def moves(self):
        """All legal moves of the player to move."""
        red, blue, clear = self.seeds
        texts = []
        for hole in range(self.mover, HOLES, 2):
            if red[hole]:
                texts.append(f"{hole + 1}R")
            if blue[hole]:
                texts.append(f"{hole + 1}B")
            if clear[hole]:
                texts += [f"{hole + 1}TR", f"{hole + 1}TB"]
        return texts

    def play(self, move):
        """Plays a legal move."""
        start = int(move.rstrip("TRB")) - 1
        as_blue = move.endswith("B")
        last = start
        # The transparent seeds go first, the coloured ones go on where they stopped.
        if "T" in move:
            last = self.sow(start, last, CLEAR, as_blue)
        last = self.sow(start, last, BLUE if as_blue else RED, as_blue)
        self.scores[self.mover] += self.capture(last)
        if self.seeds_of(1 - self.mover) == 0:
            # The opponent has nothing left: the rest is taken too.
            self.scores[self.mover] += sum(map(self.take, range(HOLES)))
        self.mover = 1 - self.mover

    def over(self):
        """Whether the game is over; who has more seeds has won it."""
        low, high = sorted(self.scores)
        on_board = self.seeds_of(0) + self.seeds_of(1)
        return high >= 49 or on_board < 10 or (self.both_40 and low >= 40)

    def sow(self, start, last, colour, as_blue):
        """Sows one colour on from `last` and says where the last seed fell."""
        row = self.seeds[colour]
        count, row[start] = row[start], 0
        while count > 0:
            last = (last + 1) % HOLES
            # Never into the start; seeds played as blue only into the opponent's holes.
            if last != start and not (as_blue and last % 2 == start % 2):
                row[last] += 1
                count -= 1
        return last

    def capture(self, hole):
        """Takes holes of two or three seeds, from the last one sown backwards."""
        taken = 0
        while self.seeds_in(hole) in (2, 3):
            taken += self.take(hole)
            hole = (hole - 1) % HOLES
        return taken

    def take(self, hole):
        """Empties a hole and says how many seeds were in it."""
        taken = self.seeds_in(hole)
        for colour in self.seeds:
            colour[hole] = 0
        return taken

    def seeds_in(self, hole):
        red, blue, clear = self.seeds
        return red[hole] + blue[hole] + clear[hole]

    def seeds_of(self, side):
        return sum(sum(colour[side::2]) for colour in self.seeds)


def board_of(game):
    """A new board for a game as the referee names it; None if its rules are not these.

    A referee that names no game plays this one without options.
    """
    name, *options = game.split(",")
    if name not in ("", "coloured-awale"):
        return None
    return Board(both_40="both_40=off" not in options)
