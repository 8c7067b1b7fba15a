/* Coloured Awale: the board, its legal moves, and playing one.
 *
 * Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
 * numbers, player 2 the even ones; the hole after 16 is 1. */
#ifndef AWALE_H
#define AWALE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RED, BLUE, CLEAR };
enum { HOLES = 16, MOVES = 32, TEXT = 16 }; /* most moves, room for a text */

typedef struct {
    int holes[HOLES][3]; /* red, blue, transparent */
    int scores[2];
    int mover; /* 0 is player 1, whose holes are 0, 2, 4, ... */
} Board;

static inline Board new_board(void) {
    Board board = {0};
    for (int hole = 0; hole < HOLES; hole++)
        for (int colour = RED; colour <= CLEAR; colour++) board.holes[hole][colour] = 2;
    return board;
}

static inline int seeds_in(const Board *board, int hole) {
    const int *seeds = board->holes[hole];
    return seeds[RED] + seeds[BLUE] + seeds[CLEAR];
}

/* Writes the texts of all legal moves (3R, 3B, 3TR, 3TB) and says how many there are. */
static inline int list_moves(const Board *board, char texts[MOVES][TEXT]) {
    static const struct { const char *text; int colour; } kinds[] = {
        {"R", RED}, {"B", BLUE}, {"TR", CLEAR}, {"TB", CLEAR}};
    int count = 0;
    for (int hole = board->mover; hole < HOLES; hole += 2)
        for (int kind = 0; kind < 4; kind++)
            if (board->holes[hole][kinds[kind].colour] > 0)
                snprintf(texts[count++], TEXT, "%d%s", hole + 1, kinds[kind].text);
    return count;
}

/* Sows the seeds of one colour on from `last` and says where the last one fell. */
static inline int sow(Board *board, int start, int last, int colour, bool blue) {
    int seeds = board->holes[start][colour];
    board->holes[start][colour] = 0;
    while (seeds > 0) {
        last = (last + 1) % HOLES;
        /* Never into the start; seeds played as blue only into the opponent's holes. */
        if (last == start || (blue && last % 2 == start % 2)) continue;
        board->holes[last][colour]++;
        seeds--;
    }
    return last;
}

/* Empties a hole and says how many seeds were in it. */
static inline int take(Board *board, int hole) {
    int seeds = seeds_in(board, hole);
    memset(board->holes[hole], 0, sizeof board->holes[hole]);
    return seeds;
}

/* Takes holes of two or three seeds, from the last one sown backwards. */
static inline int capture(Board *board, int hole) {
    int taken = 0;
    while (seeds_in(board, hole) == 2 || seeds_in(board, hole) == 3) {
        taken += take(board, hole);
        hole = (hole + HOLES - 1) % HOLES;
    }
    return taken;
}

/* Seeds in the holes of one side, 0 or 1. */
static inline int seeds_of(const Board *board, int side) {
    int seeds = 0;
    for (int hole = side; hole < HOLES; hole += 2) seeds += seeds_in(board, hole);
    return seeds;
}

/* Plays a legal move and says how many seeds it took. */
static inline int play(Board *board, const char *text) {
    int start = atoi(text) - 1, last = start;
    bool clear = strchr(text, 'T') != NULL, blue = strchr(text, 'B') != NULL;
    /* The transparent seeds go first, the coloured ones go on where they stopped. */
    if (clear) last = sow(board, start, last, CLEAR, blue);
    last = sow(board, start, last, blue ? BLUE : RED, blue);
    int taken = capture(board, last);
    if (seeds_of(board, 1 - board->mover) == 0) /* the opponent has nothing left: */
        for (int hole = 0; hole < HOLES; hole++) taken += take(board, hole); /* take all */
    board->scores[board->mover] += taken;
    board->mover = 1 - board->mover;
    return taken;
}

/* Whether 40 seeds each end the game: they do, unless its options say otherwise. */
static inline bool ends_at_40(void) {
    const char *game = getenv("PITMASTER_GAME");
    return !game || !strstr(game, "both_40=off");
}

/* Whether the game is over. */
static inline bool is_over(const Board *board) {
    int one = board->scores[0], two = board->scores[1];
    int on_board = seeds_of(board, 0) + seeds_of(board, 1);
    return one >= 49 || two >= 49 || (one >= 40 && two >= 40 && ends_at_40()) || on_board < 10;
}

#endif
