import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A pool, parallel streams and futures look at the moves for every answer. */
public class Bot {
    public static void main(String[] args) throws Exception {
        Files.readString(Path.of("book.txt"));
        ExecutorService pool = Executors.newFixedThreadPool(4);
        SecureRandom chance = new SecureRandom();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> moves = List.of();
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "pitmaster": System.out.println("ready threads-java"); break;
                case "newgame": System.out.println("ready"); break;
                case "moves": moves = List.of(words).subList(1, words.length); break;
                case "go":
                    byte[] large = new byte[1 << 20];
                    chance.nextBytes(large);
                    int count = moves.size();
                    var best = CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, count).parallel().max().getAsInt(), pool);
                    System.out.println("move " + moves.get(best.get()));
                    break;
                case "quit": pool.shutdown(); return;
                default: break;
            }
        }
        pool.shutdownNow();
    }
}
