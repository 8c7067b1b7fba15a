// Reads with a Scanner, prints through a buffered PrintWriter that is flushed once a move.
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Scanner;

public class Bot {
    static final int[][] seeds = new int[16][3];
    static final int[] score = new int[2];

    static int in(int hole) {
        return seeds[hole][0] + seeds[hole][1] + seeds[hole][2];
    }

    static int sow(int start, int last, int kind, boolean blue) {
        int count = seeds[start][kind];
        seeds[start][kind] = 0;
        for (; count > 0; count--) {
            do {
                last = (last + 1) % 16;
            } while (last == start || (blue && last % 2 == start % 2));
            seeds[last][kind]++;
        }
        return last;
    }

    static void take(int side, int hole) {
        score[side] += in(hole);
        seeds[hole] = new int[3];
    }

    static void play(String move) {
        int hole = Integer.parseInt(move.replaceAll("\\D", "")) - 1;
        if (hole < 0 || hole > 15) return;
        int side = hole % 2, last = hole;
        boolean blue = move.contains("B");
        if (move.contains("T")) last = sow(hole, last, 2, blue);
        last = sow(hole, last, blue ? 1 : 0, blue);
        for (; in(last) == 2 || in(last) == 3; last = (last + 15) % 16) take(side, last);
        for (hole = 1 - side; hole < 16; hole += 2) if (in(hole) > 0) return;
        for (hole = 0; hole < 16; hole++) take(side, hole);
    }

    static boolean over() {
        return score[0] >= 49 || score[1] >= 49 || (score[0] >= 40 && score[1] >= 40)
            || score[0] + score[1] > 86;
    }

    public static void main(String[] args) {
        int me = Integer.parseInt(args[0]) - 1;
        long think = Long.parseLong(args[1]) * 1_000_000;
        for (int hole = 0; hole < 16; hole++) seeds[hole] = new int[] {2, 2, 2};
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine().trim();
            if (line.equals("END")) break;
            if (!line.isEmpty() && Character.isDigit(line.charAt(0))) play(line);
            if (over()) continue;
            String move = "";
            for (int hole = me; hole < 16 && move.isEmpty(); hole += 2) {
                if (seeds[hole][1] > 0) move = (hole + 1) + "B";
                else if (seeds[hole][2] > 0) move = (hole + 1) + "TR";
                else if (seeds[hole][0] > 0) move = (hole + 1) + "R";
            }
            long end = System.nanoTime() + think;
            while (System.nanoTime() < end) {}
            play(move);
            out.print(move);
            out.print('\n');
            out.flush();
        }
    }
}
