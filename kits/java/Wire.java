import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;

/**
 * The wire: hears the referee and answers. Nobody needs to change this file.
 *
 * <p>Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
 * argument it speaks arena. What to answer is decided in Think.java.
 */
final class Wire {
    /** A move may use one part in so many of what a clock has left. */
    private static final Map<String, Integer> PARTS = Map.of("move", 2, "game", 40, "bank", 20);

    private static final long NO_CLOCK_MS = 500;

    private static final BufferedReader INPUT =
            new BufferedReader(new InputStreamReader(System.in));

    private Wire() {}

    public static void main(String[] words) throws IOException {
        if (words.length > 0) arena(Integer.parseInt(words[0]));
        else pitmaster();
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush(); // an answer that waits in a buffer is late
    }

    /** The milliseconds for a move, from words such as `move 1000 game 209512`. */
    private static long timeFor(List<String> clocks) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i + 1 < clocks.size(); i++) {
            Integer parts = PARTS.get(clocks.get(i));
            if (parts != null) least = Math.min(least, Long.parseLong(clocks.get(i + 1)) / parts);
        }
        return least == Long.MAX_VALUE ? NO_CLOCK_MS : least;
    }

    /** Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn. */
    private static void pitmaster() throws IOException {
        String game = "";
        int side = 1;
        List<String> opening = List.of(), clocks = List.of(), listed = List.of();
        Think player = null;
        for (String line; (line = INPUT.readLine()) != null; ) {
            List<String> words = List.of(line.trim().split("\\s+"));
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "pitmaster":
                    // A first answer loads all classes: now, where no clock runs.
                    new Think("coloured-awale", 1).choose(List.of("1R"), 200);
                    say("ready");
                    break;
                case "game":
                    game = rest.get(0);
                    opening = clocks = List.of();
                    break;
                case "side":
                    side = Integer.parseInt(rest.get(0));
                    break;
                case "opening":
                    opening = rest;
                    break;
                case "newgame":
                    player = new Think(game, side);
                    opening.forEach(player::played);
                    say("ready");
                    break;
                case "played":
                    rest.forEach(player::played);
                    break;
                case "time":
                    clocks = rest;
                    break;
                case "moves":
                    listed = rest;
                    break;
                case "go":
                    String move = player.choose(listed, timeFor(clocks));
                    player.played(move);
                    say("move " + move);
                    break;
                case "quit":
                    return;
                default: // a word that is not known
            }
        }
    }

    /** One game: `START` or the opponent's moves, one a line; `END` at the end. */
    private static void arena(int side) throws IOException {
        String limit = System.getenv().getOrDefault("PITMASTER_MOVE_MS", "0");
        List<String> clocks = limit.equals("0") ? List.of() : List.of("move", limit);
        Think player = new Think(System.getenv().getOrDefault("PITMASTER_GAME", ""), side);
        for (String line; (line = INPUT.readLine()) != null; ) {
            String word = line.trim();
            if (word.equals("END")) return;
            if (!word.equals("START")) player.played(word);
            String move = player.choose(List.of(), timeFor(clocks));
            if (move == null) continue;
            player.played(move);
            say(move);
        }
    }
}
