import java.util.Arrays;
import java.util.List;

/** Tests of the rules and of the thinking; README.md says how to run them. */
final class Test {
    private Test() {}

    public static void main(String[] words) {
        countsAllSequences();
        aCaptureGoesBackwardsOverBothSides();
        whoStarvesTheOpponentTakesTheRest();
        theStartIsSkippedWhenSowingGoesRound();
        fortyEachIsTheEndUnlessTheGameSaysOtherwise();
        itAnswersInItsTurnOnly();
        itPlaysTheFirstMoveOfAGameThatItDoesNotKnow();
        System.out.println("all tests passed");
    }

    private static void same(Object found, Object expected) {
        if (!expected.equals(found)) throw new AssertionError(found + ", not " + expected);
    }

    /** How many sequences of so many legal moves there are. */
    private static int perft(Rules.Board board, int depth) {
        if (board.isOver()) return 0;
        List<Rules.Move> moves = board.moves();
        if (depth == 1) return moves.size();
        int total = 0;
        for (Rules.Move move : moves) {
            Rules.Board after = new Rules.Board(board);
            after.play(move);
            total += perft(after, depth - 1);
        }
        return total;
    }

    private static Rules.Board emptyBoard(int mover) {
        Rules.Board board = new Rules.Board(true);
        for (int[] colour : board.seeds) Arrays.fill(colour, 0);
        board.mover = mover;
        return board;
    }

    /** Seeds in the hole of this number. */
    private static void put(Rules.Board board, int number, int red, int blue, int clear) {
        board.seeds[Rules.RED][number - 1] = red;
        board.seeds[Rules.BLUE][number - 1] = blue;
        board.seeds[Rules.CLEAR][number - 1] = clear;
    }

    private static void countsAllSequences() {
        int[] counts = {32, 1024, 30856, 929896};
        for (int depth = 1; depth <= 4; depth++) {
            same(perft(new Rules.Board(true), depth), counts[depth - 1]);
        }
    }

    private static void aCaptureGoesBackwardsOverBothSides() {
        Rules.Board board = emptyBoard(1);
        put(board, 1, 2, 0, 0);
        put(board, 13, 2, 2, 0);
        put(board, 14, 2, 2, 0);
        put(board, 15, 0, 2, 0);
        put(board, 16, 2, 0, 0);
        board.play(new Rules.Move(14 - 1, false, true));
        same(Arrays.toString(board.scores), "[0, 10]");
        same(board.seedsIn(13 - 1), 4);
    }

    private static void whoStarvesTheOpponentTakesTheRest() {
        Rules.Board board = emptyBoard(0);
        put(board, 1, 1, 0, 0);
        put(board, 2, 0, 0, 1);
        put(board, 5, 0, 9, 0);
        board.play(new Rules.Move(1 - 1, false, false)); // takes the last seeds of the opponent
        same(Arrays.toString(board.scores), "[11, 0]");
        same(board.isOver(), true);
    }

    private static void theStartIsSkippedWhenSowingGoesRound() {
        Rules.Board board = emptyBoard(0);
        put(board, 1, 16, 0, 0);
        board.play(new Rules.Move(1 - 1, false, false));
        int[] reds = {0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        same(Arrays.toString(board.seeds[Rules.RED]), Arrays.toString(reds));
    }

    private static void fortyEachIsTheEndUnlessTheGameSaysOtherwise() {
        for (String game : List.of("", "coloured-awale", "coloured-awale,both_40=off")) {
            Rules.Board board = Rules.Board.of(game);
            board.scores[0] = 40;
            board.scores[1] = 41;
            same(board.isOver(), !game.endsWith("off"));
        }
        same(Rules.Board.of("kalah") == null, true);
    }

    private static void itAnswersInItsTurnOnly() {
        Think player = new Think("coloured-awale", 1);
        player.played("1R");
        same(player.choose(List.of(), 1000) == null, true);
        player.played("16R");
        same(player.choose(List.of(), 1000) == null, false);
    }

    private static void itPlaysTheFirstMoveOfAGameThatItDoesNotKnow() {
        same(new Think("isholo-3", 1).choose(List.of("a3=*4", "a5"), 1000), "a3=a1:4");
    }
}
