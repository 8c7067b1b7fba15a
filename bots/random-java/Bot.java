import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
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

    /** A word with a `*` wants a layout, but where one may pass there is no need of any. */
    private static String choose(List<String> moves, Dice dice) {
        List<String> from = moves;
        if (moves.contains("pass")) from = moves.stream().filter(move -> !move.contains("*")).toList();
        String move = from.get(dice.below(from.size()));
        return move.contains("*") ? lay(move, dice) : move;
    }

    /** Completes `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8. */
    private static String lay(String move, Dice dice) {
        String[] parts = move.split("\\*");
        int[] seeds = new int[16];
        for (int left = Integer.parseInt(parts[1]); left > 0; left--) seeds[dice.below(16)]++;
        List<String> holes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            if (seeds[i] > 0) holes.add("ab".charAt(i / 8) + "" + (i % 8 + 1) + ":" + seeds[i]);
        }
        return parts[0] + String.join(",", holes);
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush(); // an answer that waits in a buffer is late
    }
}
