#include "rules.h"

#include <stdio.h>
#include <string.h>

board board_new(bool both_40) {
    board b = {.both_40 = both_40};
    memset(b.seeds, 2, sizeof b.seeds);
    return b;
}

bool board_of(board *b, const char *game) {
    static const char name[] = "coloured-awale";
    size_t length = strcspn(game, ",");
    bool named = length == strlen(name) && strncmp(game, name, length) == 0;
    *b = board_new(strstr(game, ",both_40=off") == NULL);
    return named || game[0] == '\0';
}

int board_seeds_in(const board *b, int hole) {
    const unsigned char *seeds = b->seeds[hole];
    return seeds[RED] + seeds[BLUE] + seeds[CLEAR];
}

int board_seeds_of(const board *b, int side) {
    int seeds = 0;
    for (int hole = side; hole < HOLES; hole += 2) seeds += board_seeds_in(b, hole);
    return seeds;
}

int board_moves(const board *b, move moves[MOST_MOVES]) {
    int count = 0;
    for (int hole = b->mover; hole < HOLES; hole += 2) {
        const unsigned char *seeds = b->seeds[hole];
        if (seeds[RED]) moves[count++] = (move){hole, false, false};
        if (seeds[BLUE]) moves[count++] = (move){hole, false, true};
        if (seeds[CLEAR]) {
            moves[count++] = (move){hole, true, false};
            moves[count++] = (move){hole, true, true};
        }
    }
    return count;
}

/* Sows one colour of the move on from `last` and says where the last seed fell. */
static int sow(board *b, move m, int last, int colour) {
    int count = b->seeds[m.hole][colour];
    b->seeds[m.hole][colour] = 0;
    while (count > 0) {
        last = (last + 1) % HOLES;
        /* Never into the start; seeds played as blue only into the opponent's holes. */
        if (last == m.hole || (m.as_blue && last % 2 == m.hole % 2)) continue;
        b->seeds[last][colour]++;
        count--;
    }
    return last;
}

/* Empties a hole and says how many seeds were in it. */
static int take(board *b, int hole) {
    int taken = board_seeds_in(b, hole);
    memset(b->seeds[hole], 0, COLOURS);
    return taken;
}

/* Takes holes of two or three seeds, from the last one sown backwards. */
static int capture(board *b, int hole) {
    int taken = 0;
    while (board_seeds_in(b, hole) == 2 || board_seeds_in(b, hole) == 3) {
        taken += take(b, hole);
        hole = (hole + HOLES - 1) % HOLES;
    }
    return taken;
}

void board_play(board *b, move m) {
    int last = m.hole;
    /* The transparent seeds go first, the coloured ones go on where they stopped. */
    if (m.clear) last = sow(b, m, last, CLEAR);
    last = sow(b, m, last, m.as_blue ? BLUE : RED);
    b->scores[b->mover] += capture(b, last);
    if (board_seeds_of(b, 1 - b->mover) == 0) {
        /* The opponent has nothing left: the rest is taken too. */
        for (int hole = 0; hole < HOLES; hole++) b->scores[b->mover] += take(b, hole);
    }
    b->mover = 1 - b->mover;
}

bool board_over(const board *b) {
    int one = b->scores[0], two = b->scores[1];
    int on_board = board_seeds_of(b, 0) + board_seeds_of(b, 1);
    return one >= 49 || two >= 49 || on_board < 10 || (b->both_40 && one >= 40 && two >= 40);
}

void move_text(move m, char text[MOVE_TEXT]) {
    const char *clear = m.clear ? "T" : "";
    snprintf(text, MOVE_TEXT, "%d%s%s", m.hole + 1, clear, m.as_blue ? "B" : "R");
}
