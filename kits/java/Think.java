import java.util.List;

/**
 * The thinking: which move to play. This is the file to change.
 *
 * <p>It looks one move ahead, then two, and so on, up to DEPTH moves or until the time is over,
 * and plays what leads to the best board that it can be sure of (negamax with alpha-beta).
 */
final class Think {
    private static final int DEPTH = 4;
    private static final int INFINITY = 1000;

    /** The time for this move is over. */
    private static final class OutOfTime extends Exception {}

    private final Rules.Board board; // null: a game whose rules are not known
    private final int side;
    private long deadline;

    /** One player in one game; every game gets a new one. */
    Think(String game, int side) {
        this.board = Rules.Board.of(game);
        this.side = side - 1;
    }

    /** A move was played, by this player or by the other. */
    void played(String text) {
        if (board == null) return;
        for (Rules.Move move : board.moves()) {
            if (move.toString().equals(text)) {
                board.play(move);
                return;
            }
        }
        System.err.println(text + " is not legal by Rules.java");
    }

    /**
     * The move to play; null if the game is over, or it is the other's turn.
     *
     * <p>`listed` are the legal moves, if the referee lists them: in arena it does not.
     */
    String choose(List<String> listed, long milliseconds) {
        if (board == null) return listed.get(0).replace("*", "a1:"); // a layout: all on one hole
        if (board.isOver() || board.mover != side) return null;
        deadline = System.nanoTime() + milliseconds * 1_000_000;
        Rules.Move best = board.moves().get(0);
        try {
            for (int depth = 1; depth <= DEPTH; depth++) best = bestMove(depth);
        } catch (OutOfTime over) {
            // The best of the depth before stands.
        }
        return best.toString();
    }

    private Rules.Move bestMove(int depth) throws OutOfTime {
        Rules.Move best = null;
        int most = -INFINITY;
        for (Rules.Move move : board.moves()) {
            int value = valueOf(board, move, depth, most, INFINITY);
            if (value > most) {
                most = value;
                best = move;
            }
        }
        return best;
    }

    /** What a move is worth to the player who makes it. */
    private int valueOf(Rules.Board board, Rules.Move move, int depth, int alpha, int beta)
            throws OutOfTime {
        Rules.Board after = new Rules.Board(board);
        after.play(move);
        return -search(after, depth - 1, -beta, -alpha);
    }

    /** What a board is worth to the player to move, if that is between the two. */
    private int search(Rules.Board board, int depth, int alpha, int beta) throws OutOfTime {
        if (depth == 0 || board.isOver()) return evaluate(board);
        if (System.nanoTime() - deadline > 0) throw new OutOfTime();
        for (Rules.Move move : board.moves()) {
            alpha = Math.max(alpha, valueOf(board, move, depth, alpha, beta));
            if (alpha >= beta) break; // the opponent will not let it come to this
        }
        return alpha;
    }

    /** A guess at what a board is worth to the player to move. */
    private static int evaluate(Rules.Board board) {
        return board.scores[board.mover] - board.scores[1 - board.mover];
    }
}
