#include "rules.hpp"

#include <algorithm>
#include <utility>

std::string Move::text() const {
    return std::to_string(hole + 1) + (clear ? "T" : "") + (as_blue ? "B" : "R");
}

Board::Board(bool both_40) : both_40(both_40) {
    seeds.fill({2, 2, 2});
}

std::optional<Board> Board::of(std::string_view game) {
    const auto name = game.substr(0, game.find(','));
    if (name != "" && name != "coloured-awale") return std::nullopt;
    return Board(game.find(",both_40=off") == game.npos);
}

std::vector<Move> Board::moves() const {
    std::vector<Move> moves;
    moves.reserve(32);
    for (int hole = mover; hole < Holes; hole += 2) {
        const auto [red, blue, clear] = seeds[hole];
        if (red) moves.push_back({hole, false, false});
        if (blue) moves.push_back({hole, false, true});
        if (clear) {
            moves.push_back({hole, true, false});
            moves.push_back({hole, true, true});
        }
    }
    return moves;
}

void Board::play(Move move) {
    int last = move.hole;
    // The transparent seeds go first, the coloured ones go on where they stopped.
    if (move.clear) last = sow(move, last, Clear);
    last = sow(move, last, move.as_blue ? Blue : Red);
    scores[mover] += capture(last);
    if (seeds_of(1 - mover) == 0) {
        // The opponent has nothing left: the rest is taken too.
        for (int hole = 0; hole < Holes; hole++) scores[mover] += take(hole);
    }
    mover = 1 - mover;
}

bool Board::over() const {
    const auto [low, high] = std::minmax(scores[0], scores[1]);
    const int on_board = seeds_of(0) + seeds_of(1);
    return high >= 49 || on_board < 10 || (both_40 && low >= 40);
}

int Board::seeds_in(int hole) const {
    const auto [red, blue, clear] = seeds[hole];
    return red + blue + clear;
}

int Board::seeds_of(int side) const {
    int count = 0;
    for (int hole = side; hole < Holes; hole += 2) count += seeds_in(hole);
    return count;
}

// Sows one colour of the move on from `last` and says where the last seed fell.
int Board::sow(Move move, int last, Colour colour) {
    int count = std::exchange(seeds[move.hole][colour], 0);
    while (count > 0) {
        last = (last + 1) % Holes;
        // Never into the start; seeds played as blue only into the opponent's holes.
        if (last == move.hole || (move.as_blue && last % 2 == move.hole % 2)) continue;
        seeds[last][colour]++;
        count--;
    }
    return last;
}

// Takes holes of two or three seeds, from the last one sown backwards.
int Board::capture(int hole) {
    int taken = 0;
    while (seeds_in(hole) == 2 || seeds_in(hole) == 3) {
        taken += take(hole);
        hole = (hole + Holes - 1) % Holes;
    }
    return taken;
}

// Empties a hole and says how many seeds were in it.
int Board::take(int hole) {
    const int taken = seeds_in(hole);
    seeds[hole].fill(0);
    return taken;
}
