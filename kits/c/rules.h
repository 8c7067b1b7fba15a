/*
 * The rules of coloured Awale: a board, its legal moves, playing one, the end.
 *
 * Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
 * player 2 the even ones; the hole after 16 is 1.
 */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>

enum { HOLES = 16, MOST_MOVES = 32, MOVE_TEXT = 16 };
enum { RED, BLUE, CLEAR, COLOURS };

typedef struct {
    unsigned char seeds[HOLES][COLOURS];
    int scores[2];
    int mover;    /* 0 is player 1, whose holes are 0, 2, 4, ... */
    bool both_40; /* whether 40 seeds each end the game */
} board;

/* 3R, 3B, 3TR and 3TB: a hole, sown as red or as blue, the transparent seeds too or not. */
typedef struct {
    int hole;
    bool clear, as_blue;
} move;

/* The board at the start of a game. */
board board_new(bool both_40);

/*
 * Sets up the board for a game as the referee names it; false if its rules are not these.
 *
 * A referee that names no game plays this one without options.
 */
bool board_of(board *b, const char *game);

/* All legal moves of the player to move; says how many there are. */
int board_moves(const board *b, move moves[MOST_MOVES]);

/* Plays a legal move. */
void board_play(board *b, move m);

/* Whether the game is over; who has more seeds has won it. */
bool board_over(const board *b);

int board_seeds_in(const board *b, int hole);
int board_seeds_of(const board *b, int side);

/* Writes a move as text. */
void move_text(move m, char text[MOVE_TEXT]);

#endif
