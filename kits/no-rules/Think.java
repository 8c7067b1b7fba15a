import java.util.ArrayList;
import java.util.List;

/**
 * The thinking: which move to play. This is the file to change.
 *
 * <p>It knows no rules yet, and plays the first of the moves that the referee lists.
 */
final class Think {
    private final String game; // as the referee names it, with options; "" if it does not
    private final int side; // 1 or 2
    private final List<String> moves = new ArrayList<>(); // all that were played so far

    /** One player in one game; every game gets a new one. */
    Think(String game, int side) {
        this.game = game;
        this.side = side;
    }

    /** A move was played, by this player or by the other. */
    void played(String text) {
        moves.add(text);
    }

    /**
     * The move to play; null if the game is over, or it is the other's turn.
     *
     * <p>`listed` are the legal moves, if the referee lists them: in arena it does not.
     */
    String choose(List<String> listed, long milliseconds) {
        if (listed.isEmpty()) {
            System.err.println("arena lists no legal moves: write the rules before you play it");
            System.exit(1);
        }
        return listed.get(0).replace("*", "a1:"); // a layout: all seeds on one hole
    }
}
