/* Random: plays any legal move.
 *
 * Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
 * the argument it speaks arena. The same seed gives the same choices in every language. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>

#include "awale.h"

/* The generator splitmix32: small, and the same on every machine. */
static uint32_t dice;

static void seed_dice(uint64_t seed, int side) {
    dice = (uint32_t)(seed ^ seed >> 32 ^ (uint64_t)side << 30);
}

static int roll(int count) { /* a number from 0 to count - 1 */
    uint32_t z = dice += 0x9E3779B9u;
    z = (z ^ z >> 16) * 0x85EBCA6Bu;
    z = (z ^ z >> 13) * 0xC2B2AE35u;
    return (int)((z ^ z >> 16) % (uint32_t)count);
}

static void say(const char *word, const char *text) {
    printf("%s%s\n", word, text);
    fflush(stdout); /* an answer that waits in a buffer is late */
}

/* Reads a line without its line feed; NULL at the end of the input. */
static char *next_line(void) {
    static char *line;
    static size_t room;
    if (getline(&line, &room, stdin) < 0) return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* START, then moves in turn, then END. Nobody lists the legal moves. */
static void arena(int side) {
    const char *seed = getenv("PITMASTER_SEED");
    seed_dice(seed ? strtoull(seed, NULL, 10) : 1, side);
    Board board = new_board();
    for (char *line; (line = next_line()) && strcmp(line, "END") != 0;) {
        if (strcmp(line, "START") != 0) play(&board, line);
        if (is_over(&board)) continue;
        char moves[MOVES][TEXT];
        const char *move = moves[roll(list_moves(&board, moves))];
        play(&board, move);
        say("", move);
    }
}

/* Completes `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8. The text stays
 * until the next call. */
static const char *lay(const char *move) {
    static char text[256];
    int seeds[16] = {0};
    const char *star = strchr(move, '*');
    for (int left = atoi(star + 1); left > 0; left--) seeds[roll(16)]++;
    int end = snprintf(text, sizeof text, "%.*s", (int)(star - move), move);
    const char *comma = "";
    for (int i = 0; i < 16; i++) {
        if (!seeds[i]) continue;
        const char *hole = "%s%c%d:%d";
        end += snprintf(text + end, sizeof text - end, hole, comma, "ab"[i / 8], i % 8 + 1, seeds[i]);
        comma = ",";
    }
    return text;
}

/* Picks one of the words in `moves`, which it cuts up. A word with a `*` wants a layout, but
 * where one may pass there is no need of any. */
static const char *choose(char *moves) {
    static char *words[256];
    int count = 0, may_pass = 0, kept = 0;
    for (char *word = strtok(moves, " "); word && count < 256; word = strtok(NULL, " ")) {
        may_pass |= !strcmp(word, "pass");
        words[count++] = word;
    }
    for (int i = 0; i < count; i++)
        if (!may_pass || !strchr(words[i], '*')) words[kept++] = words[i];
    const char *move = words[roll(kept)];
    return strchr(move, '*') ? lay(move) : move;
}

/* Lines of words. The legal moves are listed, so any game can be played. */
static void pitmaster(void) {
    int side = 1;
    uint64_t seed = 1;
    char *moves = NULL;
    for (char *line; (line = next_line());) {
        char *rest = strchr(line, ' ');
        if (rest) *rest++ = '\0';
        if (!strcmp(line, "pitmaster")) say("ready ", "random-c");
        if (!strcmp(line, "side")) side = atoi(rest);
        if (!strcmp(line, "seed")) seed = strtoull(rest, NULL, 10);
        if (!strcmp(line, "newgame")) seed_dice(seed, side), say("ready", "");
        if (!strcmp(line, "moves")) free(moves), moves = strdup(rest);
        if (!strcmp(line, "go")) say("move ", choose(moves));
        if (!strcmp(line, "quit")) break;
    }
    free(moves);
}

int main(int count, char **words) {
    if (count > 1) arena(atoi(words[1]));
    else pitmaster();
}
