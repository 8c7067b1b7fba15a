/*
 * The thinking: which move to play. This is the file to change.
 *
 * It knows no rules yet, and plays the first of the moves that the referee lists.
 */
#include "think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void think_new_game(const char *game, int side) {
    (void)game; /* as the referee names it, with options */
    (void)side; /* 1 or 2 */
}

void think_played(const char *move) {
    (void)move; /* here a board would be kept up to date */
}

void think_choose(const char *listed, long milliseconds, char chosen[LONGEST_MOVE]) {
    (void)milliseconds;
    int length = (int)strcspn(listed, " ");
    if (length == 0) {
        fputs("arena lists no legal moves: write the rules before you play it\n", stderr);
        exit(EXIT_FAILURE);
    }
    int star = (int)strcspn(listed, " *");
    const char *rest = listed + star + 1;
    if (star < length) /* a layout: all seeds on one hole */
        snprintf(chosen, LONGEST_MOVE, "%.*sa1:%.*s", star, listed, length - star - 1, rest);
    else
        snprintf(chosen, LONGEST_MOVE, "%.*s", length, listed);
}
