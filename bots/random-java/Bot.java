import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/**
 * Random: plays any legal move.
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

    /** START, then moves in turn, then END. Nobody lists the legal moves. */
    private static void arena(int side) throws IOException {
        String seed = System.getenv().getOrDefault("PITMASTER_SEED", "1");
        Dice dice = new Dice(Long.parseLong(seed), side);
        Awale board = new Awale();
        String line;
        while ((line = INPUT.readLine()) != null && !line.equals("END")) {
            if (!line.equals("START")) board.play(line);
            if (board.isOver()) continue;
            String move = choose(board.moves(), dice);
            board.play(move);
            say(move);
        }
    }

    /** Lines of words. The legal moves are listed, so any game can be played. */
    private static void pitmaster() throws IOException {
        int side = 1;
        long seed = 1;
        Dice dice = null;
        List<String> moves = List.of();
        String line;
        while ((line = INPUT.readLine()) != null) {
            List<String> words = List.of(line.split(" "));
            switch (words.get(0)) {
                case "pitmaster": say("ready random-java"); break;
                case "side": side = Integer.parseInt(words.get(1)); break;
                case "seed": seed = Long.parseLong(words.get(1)); break;
                case "newgame": dice = new Dice(seed, side); say("ready"); break;
                case "moves": moves = words.subList(1, words.size()); break;
                case "go": say("move " + choose(moves, dice)); break;
                case "quit": return;
                default: // a word that it does not know
            }
        }
    }

    /** A word with a `*` wants a layout; it is taken only where there is nothing else. */
    private static String choose(List<String> moves, Dice dice) {
        List<String> complete = moves.stream().filter(move -> !move.contains("*")).toList();
        List<String> from = complete.isEmpty() ? moves : complete;
        return from.get(dice.below(from.size()));
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush(); // an answer that waits in a buffer is late
    }
}
