/*
 * What the wire needs of the thinking.
 */
#ifndef THINK_H
#define THINK_H

enum { LONGEST_MOVE = 4096 };

/* A new game begins; `game` is empty where the referee does not name it. */
void think_new_game(const char *game, int side);

/* A move was played, by this player or by the other. */
void think_played(const char *move);

/*
 * Writes the move to play; leaves it empty if the game is over, or it is the other's turn.
 *
 * `listed` are the legal moves with blanks between, if the referee lists them: in arena it
 * does not.
 */
void think_choose(const char *listed, long milliseconds, char chosen[LONGEST_MOVE]);

#endif
