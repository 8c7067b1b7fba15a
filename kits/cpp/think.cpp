// The thinking: which move to play. This is the file to change.
//
// It looks one move ahead, then two, and so on, up to Depth moves or until the time is over,
// and plays what leads to the best board that it can be sure of (negamax with alpha-beta).
#include "think.hpp"

#include <algorithm>
#include <iostream>

static constexpr int Depth = 4;
static constexpr int Infinity = 1000;

struct OutOfTime {};

// A guess at what a board is worth to the player to move.
static int evaluate(const Board& board) {
    return board.scores[board.mover] - board.scores[1 - board.mover];
}

// The first of the listed moves; where it wants a layout, all seeds on one hole.
static std::string first_of(const std::vector<std::string>& listed) {
    std::string first = listed.at(0);
    if (const auto star = first.find('*'); star != first.npos) first.replace(star, 1, "a1:");
    return first;
}

Player::Player(const std::string& game, int side) : board_(Board::of(game)), side_(side - 1) {}

void Player::played(const std::string& move) {
    if (!board_) return;
    for (const Move legal : board_->moves()) {
        if (legal.text() == move) return board_->play(legal);
    }
    std::cerr << move << " is not legal by rules.cpp\n";
}

std::string Player::choose(const std::vector<std::string>& listed, std::chrono::milliseconds time) {
    if (!board_) return first_of(listed);
    if (board_->over() || board_->mover != side_) return "";
    deadline_ = Clock::now() + time;
    Move best = board_->moves().front();
    try {
        for (int depth = 1; depth <= Depth; depth++) best = best_move(depth);
    } catch (OutOfTime) {
        // The best of the depth before stands.
    }
    return best.text();
}

Move Player::best_move(int depth) const {
    Move best{};
    int most = -Infinity;
    for (const Move move : board_->moves()) {
        const int value = value_of(*board_, move, depth, most, Infinity);
        if (value > most) most = value, best = move;
    }
    return best;
}

// What a move is worth to the player who makes it.
int Player::value_of(const Board& board, Move move, int depth, int alpha, int beta) const {
    Board after = board;
    after.play(move);
    return -search(after, depth - 1, -beta, -alpha);
}

// What a board is worth to the player to move, if that is between the two.
int Player::search(const Board& board, int depth, int alpha, int beta) const {
    if (depth == 0 || board.over()) return evaluate(board);
    if (Clock::now() > deadline_) throw OutOfTime();
    for (const Move move : board.moves()) {
        alpha = std::max(alpha, value_of(board, move, depth, alpha, beta));
        if (alpha >= beta) break;  // the opponent will not let it come to this
    }
    return alpha;
}
