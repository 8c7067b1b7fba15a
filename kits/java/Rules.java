import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rules of coloured Awale: a board, its legal moves, playing one, the end.
 *
 * <p>Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
 * player 2 the even ones; the hole after 16 is 1.
 */
final class Rules {
    static final int HOLES = 16;
    static final int RED = 0, BLUE = 1, CLEAR = 2;

    private Rules() {}

    /** A hole, sown as red or as blue, the transparent seeds too or not: 3R, 3B, 3TR and 3TB. */
    static final class Move {
        final int hole;
        final boolean clear, asBlue;

        Move(int hole, boolean clear, boolean asBlue) {
            this.hole = hole;
            this.clear = clear;
            this.asBlue = asBlue;
        }

        @Override
        public String toString() {
            return (hole + 1) + (clear ? "T" : "") + (asBlue ? "B" : "R");
        }
    }

    static final class Board {
        final int[][] seeds = new int[3][HOLES]; // by colour: red, blue, transparent
        final int[] scores = new int[2];
        final boolean both40; // whether 40 seeds each end the game
        int mover = 0; // 0 is player 1, whose holes are 0, 2, 4, ...

        /** The board at the start of a game. */
        Board(boolean both40) {
            this.both40 = both40;
            for (int[] colour : seeds) Arrays.fill(colour, 2);
        }

        Board(Board other) {
            for (int colour = 0; colour < 3; colour++) seeds[colour] = other.seeds[colour].clone();
            scores[0] = other.scores[0];
            scores[1] = other.scores[1];
            both40 = other.both40;
            mover = other.mover;
        }

        /**
         * A new board for a game as the referee names it; null if its rules are not these.
         *
         * <p>A referee that names no game plays this one without options.
         */
        static Board of(String game) {
            List<String> words = List.of(game.split(","));
            String name = words.get(0);
            if (!name.isEmpty() && !name.equals("coloured-awale")) return null;
            return new Board(!words.contains("both_40=off"));
        }

        /** All legal moves of the player to move. */
        List<Move> moves() {
            List<Move> moves = new ArrayList<>(32);
            for (int hole = mover; hole < HOLES; hole += 2) {
                if (seeds[RED][hole] > 0) moves.add(new Move(hole, false, false));
                if (seeds[BLUE][hole] > 0) moves.add(new Move(hole, false, true));
                if (seeds[CLEAR][hole] > 0) {
                    moves.add(new Move(hole, true, false));
                    moves.add(new Move(hole, true, true));
                }
            }
            return moves;
        }

        /** Plays a legal move. */
        void play(Move move) {
            int last = move.hole;
            // The transparent seeds go first, the coloured ones go on where they stopped.
            if (move.clear) last = sow(move, last, CLEAR);
            last = sow(move, last, move.asBlue ? BLUE : RED);
            scores[mover] += capture(last);
            if (seedsOf(1 - mover) == 0) {
                // The opponent has nothing left: the rest is taken too.
                for (int hole = 0; hole < HOLES; hole++) scores[mover] += take(hole);
            }
            mover = 1 - mover;
        }

        /** Whether the game is over; who has more seeds has won it. */
        boolean isOver() {
            int low = Math.min(scores[0], scores[1]);
            int high = Math.max(scores[0], scores[1]);
            int onBoard = seedsOf(0) + seedsOf(1);
            return high >= 49 || onBoard < 10 || (both40 && low >= 40);
        }

        int seedsIn(int hole) {
            return seeds[RED][hole] + seeds[BLUE][hole] + seeds[CLEAR][hole];
        }

        int seedsOf(int side) {
            int count = 0;
            for (int hole = side; hole < HOLES; hole += 2) count += seedsIn(hole);
            return count;
        }

        /** Sows one colour of the move on from `last` and says where the last seed fell. */
        private int sow(Move move, int last, int colour) {
            int[] row = seeds[colour];
            int count = row[move.hole];
            row[move.hole] = 0;
            while (count > 0) {
                last = (last + 1) % HOLES;
                // Never into the start; seeds played as blue only into the opponent's holes.
                if (last == move.hole || (move.asBlue && last % 2 == move.hole % 2)) continue;
                row[last]++;
                count--;
            }
            return last;
        }

        /** Takes holes of two or three seeds, from the last one sown backwards. */
        private int capture(int hole) {
            int taken = 0;
            while (seedsIn(hole) == 2 || seedsIn(hole) == 3) {
                taken += take(hole);
                hole = (hole + HOLES - 1) % HOLES;
            }
            return taken;
        }

        /** Empties a hole and says how many seeds were in it. */
        private int take(int hole) {
            int taken = seedsIn(hole);
            for (int[] colour : seeds) colour[hole] = 0;
            return taken;
        }
    }
}
