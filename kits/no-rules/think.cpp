// The thinking: which move to play. This is the file to change.
//
// It knows no rules yet, and plays the first of the moves that the referee lists.
#include "think.hpp"

#include <cstdlib>
#include <iostream>

Player::Player(const std::string& game, int side) : game_(game), side_(side) {}

void Player::played(const std::string& move) {
    moves_.push_back(move);
}

std::string Player::choose(const std::vector<std::string>& listed, std::chrono::milliseconds) {
    if (listed.empty()) {
        std::cerr << "arena lists no legal moves: write the rules before you play it\n";
        std::exit(EXIT_FAILURE);
    }
    std::string first = listed[0];
    if (const auto star = first.find('*'); star != first.npos) {
        first.replace(star, 1, "a1:");  // a layout: all seeds on one hole
    }
    return first;
}
