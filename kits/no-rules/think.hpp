// The thinking: what the wire needs of it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

// One player in one game; every game gets a new one.
class Player {
public:
    // `game` is as the referee names it, with options, and empty in arena; `side` is 1 or 2.
    Player(const std::string& game, int side);

    // A move was played, by this player or by the other.
    void played(const std::string& move);

    // The move to play; empty if the game is over, or it is the other's turn.
    //
    // `listed` are the legal moves, if the referee lists them: in arena it does not.
    std::string choose(const std::vector<std::string>& listed, std::chrono::milliseconds time);

private:
    std::string game_;
    int side_;
    std::vector<std::string> moves_;  // all that were played so far
};
