import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Greedy: takes as many seeds as it can at once; the dice choose between equals.
 *
 * Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
 * the argument it speaks arena. The same seed gives the same choices in every language.
 */
final class Bot {
    private static final BufferedReader INPUT =
        new BufferedReader(new InputStreamReader(System.in));

    public static void main(String[] words) throws IOException {
        if (words.length > 0) arena(Integer.parseInt(words[0]));
        else pitmaster();
    }

    /** START, then moves in turn, then END. */
    private static void arena(int side) throws IOException {
        String seed = System.getenv().getOrDefault("PITMASTER_SEED", "1");
        Dice dice = new Dice(Long.parseLong(seed), side);
        Awale board = new Awale();
        String line;
        while ((line = INPUT.readLine()) != null && !line.equals("END")) {
            if (!line.equals("START")) board.play(line);
            if (!board.isOver()) say(choose(board, dice));
        }
    }

    /**
     * Lines of words. The board is kept from the moves that are told; in a game that it does
     * not know there is none, and the first listed move is played.
     */
    private static void pitmaster() throws IOException {
        int side = 1;
        long seed = 1;
        Dice dice = null;
        Awale board = null;
        String first = "";
        String line;
        while ((line = INPUT.readLine()) != null) {
            List<String> words = List.of(line.split(" "));
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "pitmaster": say("ready greedy-java"); break;
                case "game": board = boardOf(rest.get(0)); break;
                case "side": side = Integer.parseInt(rest.get(0)); break;
                case "seed": seed = Long.parseLong(rest.get(0)); break;
                case "newgame": dice = new Dice(seed, side); say("ready"); break;
                case "opening": case "played": if (board != null) rest.forEach(board::play); break;
                case "moves": first = rest.get(0).replace("*", "a1:"); break; // a layout: all on one hole
                case "go": say("move " + (board == null ? first : choose(board, dice))); break;
                case "quit": return;
                default: // a word that it does not know
            }
        }
    }

    /** The board of a game, or null. The options after the name change no move. */
    private static Awale boardOf(String game) {
        return game.split(",")[0].equals("coloured-awale") ? new Awale() : null;
    }

    /** Plays the move that it chooses and says its text. */
    private static String choose(Awale board, Dice dice) {
        List<String> best = new ArrayList<>();
        int most = 0;
        for (String move : board.moves()) {
            int gain = new Awale(board).play(move);
            if (gain > most) best.clear();
            most = Math.max(most, gain);
            if (gain == most) best.add(move);
        }
        String move = best.get(dice.below(best.size()));
        board.play(move);
        return move;
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush(); // an answer that waits in a buffer is late
    }
}
