/* Tests of the rules and of the thinking: `make test`. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "rules.h"
#include "think.h"

/* How many sequences of so many legal moves there are. */
static long perft(const board *b, int depth) {
    if (board_over(b)) return 0;
    move moves[MOST_MOVES];
    int count = board_moves(b, moves);
    if (depth == 1) return count;
    long total = 0;
    for (int i = 0; i < count; i++) {
        board after = *b;
        board_play(&after, moves[i]);
        total += perft(&after, depth - 1);
    }
    return total;
}

static board empty_board(int mover) {
    board b = board_new(true);
    memset(b.seeds, 0, sizeof b.seeds);
    b.mover = mover;
    return b;
}

/* Seeds in the hole of this number. */
static void put(board *b, int number, int red, int blue, int clear) {
    unsigned char *seeds = b->seeds[number - 1];
    seeds[RED] = red, seeds[BLUE] = blue, seeds[CLEAR] = clear;
}

static void counts_all_sequences(void) {
    static const long counts[] = {32, 1024, 30856, 929896};
    board start = board_new(true);
    for (int depth = 1; depth <= 4; depth++) assert(perft(&start, depth) == counts[depth - 1]);
}

static void a_capture_goes_backwards_over_both_sides(void) {
    board b = empty_board(1);
    put(&b, 1, 2, 0, 0), put(&b, 16, 2, 0, 0);
    put(&b, 13, 2, 2, 0), put(&b, 14, 2, 2, 0), put(&b, 15, 0, 2, 0);
    board_play(&b, (move){14 - 1, .as_blue = true});
    assert(b.scores[0] == 0 && b.scores[1] == 10);
    assert(board_seeds_in(&b, 13 - 1) == 4);
}

static void who_starves_the_opponent_takes_the_rest(void) {
    board b = empty_board(0);
    put(&b, 1, 1, 0, 0), put(&b, 2, 0, 0, 1), put(&b, 5, 0, 9, 0);
    board_play(&b, (move){.hole = 1 - 1}); /* takes the two seeds of hole 2, the opponent's last */
    assert(b.scores[0] == 11 && b.scores[1] == 0);
    assert(board_over(&b));
}

static void the_start_is_skipped_when_sowing_goes_round(void) {
    board b = empty_board(0);
    put(&b, 1, 16, 0, 0);
    board_play(&b, (move){.hole = 1 - 1});
    for (int hole = 0; hole < HOLES; hole++) assert(b.seeds[hole][RED] == (hole > 1));
}

static void forty_each_is_the_end_unless_the_game_says_otherwise(void) {
    static const char *games[] = {"", "coloured-awale", "coloured-awale,both_40=off"};
    board b;
    for (int game = 0; game < 3; game++) {
        assert(board_of(&b, games[game]));
        b.scores[0] = 40, b.scores[1] = 41;
        assert(board_over(&b) == (game < 2));
    }
    assert(!board_of(&b, "kalah"));
}

static void it_answers_in_its_turn_only(void) {
    char chosen[LONGEST_MOVE];
    think_new_game("coloured-awale", 1);
    think_played("1R");
    think_choose("", 1000, chosen);
    assert(strcmp(chosen, "") == 0);
    think_played("16R");
    think_choose("", 1000, chosen);
    assert(strchr("13579", chosen[0]) != NULL);
}

static void it_plays_the_first_move_of_a_game_that_it_does_not_know(void) {
    char chosen[LONGEST_MOVE];
    think_new_game("isholo-3", 1);
    think_choose("a3=*4 a5", 1000, chosen);
    assert(strcmp(chosen, "a3=a1:4") == 0);
}

int main(void) {
    counts_all_sequences();
    a_capture_goes_backwards_over_both_sides();
    who_starves_the_opponent_takes_the_rest();
    the_start_is_skipped_when_sowing_goes_round();
    forty_each_is_the_end_unless_the_game_says_otherwise();
    it_answers_in_its_turn_only();
    it_plays_the_first_move_of_a_game_that_it_does_not_know();
    puts("all tests passed");
    return 0;
}
