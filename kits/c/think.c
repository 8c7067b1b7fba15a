/*
 * The thinking: which move to play. This is the file to change.
 *
 * It looks one move ahead, then two, and so on, up to DEPTH moves or until the time is over,
 * and plays what leads to the best board that it can be sure of (negamax with alpha-beta).
 */
#define _POSIX_C_SOURCE 200809L
#include "think.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rules.h"

enum { DEPTH = 4, INFINITE = 1000 };

static board now;    /* the board of this game */
static bool known;   /* whether its rules are known */
static int own_side; /* 0 for player 1 */
static double deadline;
static bool out_of_time;

static double clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* A guess at what a board is worth to the player to move. */
static int evaluate(const board *b) {
    return b->scores[b->mover] - b->scores[1 - b->mover];
}

static int search(const board *b, int depth, int alpha, int beta);

/* What a move is worth to the player who makes it. */
static int value_of(const board *b, move m, int depth, int alpha, int beta) {
    board after = *b;
    board_play(&after, m);
    return -search(&after, depth - 1, -beta, -alpha);
}

/* What a board is worth to the player to move, if that is between the two. */
static int search(const board *b, int depth, int alpha, int beta) {
    if (depth == 0 || board_over(b)) return evaluate(b);
    if (clock_ms() > deadline) out_of_time = true;
    if (out_of_time) return 0; /* of no use to anybody */
    move moves[MOST_MOVES];
    int count = board_moves(b, moves);
    for (int i = 0; i < count; i++) {
        int value = value_of(b, moves[i], depth, alpha, beta);
        if (value > alpha) alpha = value;
        if (alpha >= beta) break; /* the opponent will not let it come to this */
    }
    return alpha;
}

static move best_move(int depth) {
    move moves[MOST_MOVES];
    int count = board_moves(&now, moves);
    int best = 0, most = -INFINITE;
    for (int i = 0; i < count; i++) {
        int value = value_of(&now, moves[i], depth, most, INFINITE);
        if (value > most) most = value, best = i;
    }
    return moves[best];
}

/* The first of the listed moves; where it wants a layout, all seeds on one hole. */
static void choose_first(const char *listed, char chosen[LONGEST_MOVE]) {
    int length = (int)strcspn(listed, " ");
    int star = (int)strcspn(listed, " *");
    const char *rest = listed + star + 1;
    if (star < length)
        snprintf(chosen, LONGEST_MOVE, "%.*sa1:%.*s", star, listed, length - star - 1, rest);
    else
        snprintf(chosen, LONGEST_MOVE, "%.*s", length, listed);
}

void think_new_game(const char *game, int side) {
    known = board_of(&now, game);
    own_side = side - 1;
}

void think_played(const char *text) {
    if (!known) return;
    move moves[MOST_MOVES];
    int count = board_moves(&now, moves);
    for (int i = 0; i < count; i++) {
        char legal[MOVE_TEXT];
        move_text(moves[i], legal);
        if (strcmp(text, legal) == 0) {
            board_play(&now, moves[i]);
            return;
        }
    }
    fprintf(stderr, "%s is not legal by rules.c\n", text);
}

void think_choose(const char *listed, long milliseconds, char chosen[LONGEST_MOVE]) {
    chosen[0] = '\0';
    if (!known) {
        choose_first(listed, chosen);
        return;
    }
    if (board_over(&now) || now.mover != own_side) return;
    deadline = clock_ms() + milliseconds;
    out_of_time = false;
    move moves[MOST_MOVES];
    board_moves(&now, moves);
    move best = moves[0];
    for (int depth = 1; depth <= DEPTH; depth++) {
        move found = best_move(depth);
        if (out_of_time) break; /* the best of the depth before stands */
        best = found;
    }
    move_text(best, chosen);
}
