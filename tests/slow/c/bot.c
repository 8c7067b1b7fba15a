// Reads with fgets, prints with printf and fflush.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int seeds[16][3], score[2], me;

static int in(int hole) { return seeds[hole][0] + seeds[hole][1] + seeds[hole][2]; }

static int sow(int start, int last, int kind, int blue) {
    int count = seeds[start][kind];
    seeds[start][kind] = 0;
    while (count-- > 0) {
        do last = (last + 1) % 16;
        while (last == start || (blue && last % 2 == start % 2));
        seeds[last][kind]++;
    }
    return last;
}

static int empty(int side) {
    for (int hole = side; hole < 16; hole += 2)
        if (in(hole)) return 0;
    return 1;
}

static void play(const char *move) {
    int hole = atoi(move) - 1;
    if (hole < 0 || hole > 15) return;
    int blue = strchr(move, 'B') != NULL, last = hole, side = hole % 2;
    if (strchr(move, 'T')) last = sow(hole, last, 2, blue);
    last = sow(hole, last, blue, blue);
    for (; in(last) == 2 || in(last) == 3; last = (last + 15) % 16) {
        score[side] += in(last);
        memset(seeds[last], 0, sizeof seeds[last]);
    }
    if (!empty(1 - side)) return;
    for (hole = 0; hole < 16; hole++) {
        score[side] += in(hole);
        memset(seeds[hole], 0, sizeof seeds[hole]);
    }
}

static int over(void) {
    return score[0] >= 49 || score[1] >= 49 || (score[0] >= 40 && score[1] >= 40) ||
           score[0] + score[1] > 86;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void answer(double think) {
    char move[16] = "";
    for (int hole = me; hole < 16 && !*move; hole += 2) {
        if (seeds[hole][0]) sprintf(move, "%dR", hole + 1);
        else if (seeds[hole][1]) sprintf(move, "%dB", hole + 1);
        else if (seeds[hole][2]) sprintf(move, "%dTR", hole + 1);
    }
    for (double end = now() + think; now() < end;) {}
    play(move);
    printf("%s\n", move);
    fflush(stdout);
}

int main(int argc, char **argv) {
    (void)argc;
    me = atoi(argv[1]) - 1;
    for (int hole = 0; hole < 16; hole++)
        for (int kind = 0; kind < 3; kind++) seeds[hole][kind] = 2;
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "END", 3)) break;
        if (isdigit((unsigned char)line[0])) play(line);
        if (!over()) answer(atof(argv[2]));
    }
    return 0;
}
