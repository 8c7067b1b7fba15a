// The thinking: what the wire needs of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "rules.hpp"

// One player in one game; every game gets a new one.
class Player {
public:
    Player(const std::string& game, int side);

    // A move was played, by this player or by the other.
    void played(const std::string& move);

    // The move to play; empty if the game is over, or it is the other's turn.
    //
    // `listed` are the legal moves, if the referee lists them: in arena it does not.
    std::string choose(const std::vector<std::string>& listed, std::chrono::milliseconds time);

private:
    using Clock = std::chrono::steady_clock;

    std::optional<Board> board_;  // none: a game whose rules are not known
    int side_;
    Clock::time_point deadline_;

    Move best_move(int depth) const;
    int value_of(const Board& board, Move move, int depth, int alpha, int beta) const;
    int search(const Board& board, int depth, int alpha, int beta) const;
};
