/* Greedy: takes as many seeds as it can at once; the dice choose between equals.
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

/* Plays the move that it chooses and says its text, which stays until the next call. */
static const char *choose(Board *board) {
    static char best[MOVES][TEXT];
    char moves[MOVES][TEXT];
    int count = list_moves(board, moves), equals = 0, most = 0;
    for (int i = 0; i < count; i++) {
        Board next = *board;
        int gain = play(&next, moves[i]);
        if (gain > most) most = gain, equals = 0;
        if (gain == most) strcpy(best[equals++], moves[i]);
    }
    const char *move = best[roll(equals)];
    play(board, move);
    return move;
}

/* START, then moves in turn, then END. */
static void arena(int side) {
    const char *seed = getenv("PITMASTER_SEED");
    seed_dice(seed ? strtoull(seed, NULL, 10) : 1, side);
    Board board = new_board();
    for (char *line; (line = next_line()) && strcmp(line, "END") != 0;) {
        if (strcmp(line, "START") != 0) play(&board, line);
        if (!is_over(&board)) say("", choose(&board));
    }
}

/* Plays moves that are told. */
static void follow(Board *board, char *moves) {
    for (char *word = strtok(moves, " "); word; word = strtok(NULL, " ")) play(board, word);
}

/* The first of the moves; one that wants a layout, `a3=*4`, gets all seeds on one hole. */
static char *complete(const char *moves) {
    size_t length = strcspn(moves, " "), before = strcspn(moves, "* ");
    const char *rest = moves + before + (before < length);
    char *move = malloc(length + 4);
    sprintf(move, "%.*s%s%.*s", (int)before, moves, before < length ? "a1:" : "",
            (int)(moves + length - rest), rest);
    return move;
}

/* Lines of words. The board is kept from the moves that are told; in a game that it does
 * not know the first listed move is played. */
static void pitmaster(void) {
    Board board = new_board();
    bool known = false;
    int side = 1;
    uint64_t seed = 1;
    char *first = NULL;
    for (char *line; (line = next_line());) {
        char *rest = strchr(line, ' ');
        if (rest) *rest++ = '\0';
        if (!strcmp(line, "pitmaster")) say("ready ", "greedy-c");
        if (!strcmp(line, "game")) {
            rest[strcspn(rest, ",")] = '\0'; /* the options change no move */
            known = !strcmp(rest, "coloured-awale");
            board = new_board();
        }
        if (!strcmp(line, "side")) side = atoi(rest);
        if (!strcmp(line, "seed")) seed = strtoull(rest, NULL, 10);
        if (!strcmp(line, "newgame")) seed_dice(seed, side), say("ready", "");
        if (known && (!strcmp(line, "opening") || !strcmp(line, "played"))) follow(&board, rest);
        if (!strcmp(line, "moves")) free(first), first = complete(rest);
        if (!strcmp(line, "go")) say("move ", known ? choose(&board) : first);
        if (!strcmp(line, "quit")) break;
    }
    free(first);
}

int main(int count, char **words) {
    if (count > 1) arena(atoi(words[1]));
    else pitmaster();
}
