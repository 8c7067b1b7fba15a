import java.util.ArrayList;
import java.util.List;

/**
 * Coloured Awale: the board, its legal moves, and playing one.
 *
 * Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
 * numbers, player 2 the even ones; the hole after 16 is 1.
 */
final class Awale {
    private static final int HOLES = 16, RED = 0, BLUE = 1, CLEAR = 2;

    private final int[][] holes = new int[HOLES][3]; // red, blue, transparent
    private final int[] scores = new int[2];
    private int mover = 0; // 0 is player 1, whose holes are 0, 2, 4, ...

    Awale() {
        for (int[] hole : holes) hole[RED] = hole[BLUE] = hole[CLEAR] = 2;
    }

    Awale(Awale other) {
        for (int hole = 0; hole < HOLES; hole++) holes[hole] = other.holes[hole].clone();
        scores[0] = other.scores[0];
        scores[1] = other.scores[1];
        mover = other.mover;
    }

    /** The texts of all legal moves: 3R, 3B, 3TR, 3TB. */
    List<String> moves() {
        List<String> texts = new ArrayList<>();
        for (int hole = mover; hole < HOLES; hole += 2) {
            String number = Integer.toString(hole + 1);
            if (holes[hole][RED] > 0) texts.add(number + "R");
            if (holes[hole][BLUE] > 0) texts.add(number + "B");
            if (holes[hole][CLEAR] > 0) texts.addAll(List.of(number + "TR", number + "TB"));
        }
        return texts;
    }

    /** Plays a legal move and says how many seeds it took. */
    int play(String text) {
        int start = Integer.parseInt(text.replaceAll("[TRB]", "")) - 1;
        boolean blue = text.endsWith("B");
        int last = start;
        // The transparent seeds go first, the coloured ones go on where they stopped.
        if (text.contains("T")) last = sow(start, last, CLEAR, blue);
        last = sow(start, last, blue ? BLUE : RED, blue);
        int taken = capture(last);
        if (seedsOf(1 - mover) == 0) { // the opponent has nothing left: the rest is taken too
            for (int hole = 0; hole < HOLES; hole++) taken += take(hole);
        }
        scores[mover] += taken;
        mover = 1 - mover;
        return taken;
    }

    /** Whether the game is over. */
    boolean isOver() {
        int low = Math.min(scores[0], scores[1]), high = Math.max(scores[0], scores[1]);
        int onBoard = seedsOf(0) + seedsOf(1);
        return high >= 49 || (low >= 40 && endsAt40()) || onBoard < 10;
    }

    /** Whether 40 seeds each end the game: they do, unless its options say otherwise. */
    private static boolean endsAt40() {
        return !System.getenv().getOrDefault("PITMASTER_GAME", "").contains("both_40=off");
    }

    /** Sows the seeds of one colour on from `last` and says where the last one fell. */
    private int sow(int start, int last, int colour, boolean blue) {
        int seeds = holes[start][colour];
        holes[start][colour] = 0;
        while (seeds > 0) {
            last = (last + 1) % HOLES;
            // Never into the start; seeds played as blue only into the opponent's holes.
            if (last == start || (blue && last % 2 == start % 2)) continue;
            holes[last][colour]++;
            seeds--;
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
        int seeds = seedsIn(hole);
        holes[hole][RED] = holes[hole][BLUE] = holes[hole][CLEAR] = 0;
        return seeds;
    }

    private int seedsIn(int hole) {
        return holes[hole][RED] + holes[hole][BLUE] + holes[hole][CLEAR];
    }

    private int seedsOf(int side) {
        int seeds = 0;
        for (int hole = side; hole < HOLES; hole += 2) seeds += seedsIn(hole);
        return seeds;
    }
}
