// Tests of the rules and of the thinking: `make test`.
#undef NDEBUG
#include <cassert>
#include <iostream>

#include "rules.hpp"
#include "think.hpp"

using namespace std::chrono_literals;

// How many sequences of so many legal moves there are.
static long perft(const Board& board, int depth) {
    if (board.over()) return 0;
    const auto moves = board.moves();
    if (depth == 1) return static_cast<long>(moves.size());
    long total = 0;
    for (const Move move : moves) {
        Board after = board;
        after.play(move);
        total += perft(after, depth - 1);
    }
    return total;
}

static Board empty_board(int mover) {
    Board board;
    board.seeds = {};
    board.mover = mover;
    return board;
}

static void counts_all_sequences() {
    const long counts[] = {32, 1024, 30856, 929896};
    for (int depth = 1; depth <= 4; depth++) assert(perft(Board(), depth) == counts[depth - 1]);
}

static void a_capture_goes_backwards_over_both_sides() {
    Board board = empty_board(1);
    board.seeds[1 - 1] = board.seeds[16 - 1] = {2, 0, 0};
    board.seeds[13 - 1] = board.seeds[14 - 1] = {2, 2, 0};
    board.seeds[15 - 1] = {0, 2, 0};
    board.play({.hole = 14 - 1, .clear = false, .as_blue = true});
    assert((board.scores == std::array{0, 10}));
    assert(board.seeds_in(13 - 1) == 4);
}

static void who_starves_the_opponent_takes_the_rest() {
    Board board = empty_board(0);
    board.seeds[1 - 1] = {1, 0, 0};
    board.seeds[2 - 1] = {0, 0, 1};
    board.seeds[5 - 1] = {0, 9, 0};
    board.play({.hole = 1 - 1, .clear = false, .as_blue = false});  // takes 2 of hole 2, the last
    assert((board.scores == std::array{11, 0}));
    assert(board.over());
}

static void the_start_is_skipped_when_sowing_goes_round() {
    Board board = empty_board(0);
    board.seeds[1 - 1] = {16, 0, 0};
    board.play({.hole = 1 - 1, .clear = false, .as_blue = false});
    for (int hole = 0; hole < Holes; hole++) assert(board.seeds[hole][Red] == (hole > 1));
}

static void forty_each_is_the_end_unless_the_game_says_otherwise() {
    for (const auto& [game, ends] : {std::pair{"", true}, std::pair{"coloured-awale", true},
                                     std::pair{"coloured-awale,both_40=off", false}}) {
        Board board = Board::of(game).value();
        board.scores = {40, 41};
        assert(board.over() == ends);
    }
    assert(!Board::of("kalah"));
}

static void it_answers_in_its_turn_only() {
    Player player("coloured-awale", 1);
    player.played("1R");
    assert(player.choose({}, 1s).empty());
    player.played("16R");
    assert(!player.choose({}, 1s).empty());
}

static void it_plays_the_first_move_of_a_game_that_it_does_not_know() {
    assert(Player("isholo-3", 1).choose({"a3=*4", "a5"}, 1s) == "a3=a1:4");
}

int main() {
    counts_all_sequences();
    a_capture_goes_backwards_over_both_sides();
    who_starves_the_opponent_takes_the_rest();
    the_start_is_skipped_when_sowing_goes_round();
    forty_each_is_the_end_unless_the_game_says_otherwise();
    it_answers_in_its_turn_only();
    it_plays_the_first_move_of_a_game_that_it_does_not_know();
    std::cout << "all tests passed\n";
}
