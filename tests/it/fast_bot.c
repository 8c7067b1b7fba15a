/* A bot for tests that play many games: starts at once, has one way of playing per argument.
 *
 *   random      any listed move, by the seed of the game
 *   first       the first listed move
 *   last        the last listed move
 *   illegal     from a hole of its opponent
 *   slow MS     the first listed move, after so many milliseconds
 *   hang COUNT  the first listed move so many times, then nothing
 *   gate PATH   the first listed move; from its second one on it waits until there is a file,
 *               and writes another, PATH.reached, to tell that it does */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t dice;

static unsigned roll(unsigned count) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(dice >> 33) % count;
}

static void pause_for(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void wait_at(const char *gate) {
    char reached[4096];
    snprintf(reached, sizeof reached, "%s.reached", gate);
    while (access(gate, F_OK) != 0) {
        fclose(fopen(reached, "w"));
        pause_for(5);
    }
}

static void take_time(const char *style, const char *fact) {
    static long asked;
    if (!strcmp(style, "slow")) pause_for(atol(fact));
    if (!strcmp(style, "hang") && asked++ == atol(fact)) pause_for(3600 * 1000);
    if (!strcmp(style, "gate") && asked++ > 0) wait_at(fact);
}

static const char *choose(const char *style, char *moves, int side) {
    static char *words[4096];
    unsigned count = 0;
    for (char *word = strtok(moves, " "); word && count < 4096; word = strtok(NULL, " "))
        if (!strchr(word, '*') || count == 0) words[count++] = word; /* a `*` wants a layout */
    if (!strcmp(style, "illegal")) return side == 1 ? "2R" : "1R";
    if (!strcmp(style, "random")) return words[roll(count)];
    if (!strcmp(style, "last")) return words[count - 1];
    return words[0];
}

int main(int count, char **words) {
    const char *style = count > 1 ? words[1] : "first";
    const char *fact = count > 2 ? words[2] : "";
    char *line = NULL, *moves = NULL;
    size_t room = 0;
    int side = 1;
    while (getline(&line, &room, stdin) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        char *rest = strchr(line, ' ');
        if (rest) *rest++ = '\0';
        if (!strcmp(line, "pitmaster")) puts("ready fast");
        if (!strcmp(line, "side")) side = atoi(rest);
        if (!strcmp(line, "seed")) dice = strtoull(rest, NULL, 10);
        if (!strcmp(line, "newgame")) dice += (uint64_t)side, puts("ready");
        if (!strcmp(line, "moves")) free(moves), moves = strdup(rest);
        if (!strcmp(line, "go")) take_time(style, fact), printf("move %s\n", choose(style, moves, side));
        if (!strcmp(line, "quit")) break;
        fflush(stdout);
    }
    return 0;
}
