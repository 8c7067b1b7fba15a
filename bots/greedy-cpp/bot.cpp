// Greedy: takes as many seeds as it can at once; the dice choose between equals.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
// the argument it speaks arena. The same seed gives the same choices in every language.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "awale.hpp"

// The generator splitmix32: small, and the same on every machine.
class Dice {
public:
    Dice(std::uint64_t seed, int side)
        : state_(static_cast<std::uint32_t>(seed ^ seed >> 32 ^ std::uint64_t(side) << 30)) {}

    // A number from 0 to count - 1.
    std::size_t below(std::size_t count) {
        std::uint32_t z = state_ += 0x9E3779B9u;
        z = (z ^ z >> 16) * 0x85EBCA6Bu;
        z = (z ^ z >> 13) * 0xC2B2AE35u;
        return (z ^ z >> 16) % count;
    }

private:
    std::uint32_t state_;
};

static void say(const std::string& line) {
    std::cout << line << std::endl;  // flushes: an answer that waits in a buffer is late
}

// Plays the move that it chooses and says its text.
static std::string choose(Board& board, Dice& dice) {
    std::vector<std::string> best;
    int most = 0;
    for (const auto& move : board.moves()) {
        const int gain = Board(board).play(move);
        if (gain > most) most = gain, best.clear();
        if (gain == most) best.push_back(move);
    }
    const auto move = best[dice.below(best.size())];
    board.play(move);
    return move;
}

// START, then moves in turn, then END.
static void arena(int side) {
    const char* seed = std::getenv("PITMASTER_SEED");
    Dice dice(seed ? std::stoull(seed) : 1, side);
    Board board;
    for (std::string line; std::getline(std::cin, line) && line != "END";) {
        if (line != "START") board.play(line);
        if (!board.over()) say(choose(board, dice));
    }
}

// Lines of words. The board is kept from the moves that are told; in a game that it does
// not know the first listed move is played.
static void pitmaster() {
    Board board;
    bool known = false;
    int side = 1;
    std::uint64_t seed = 1;
    Dice dice(seed, side);
    std::string first;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word, rest;
        words >> word;
        if (word == "pitmaster") say("ready greedy-cpp");
        else if (word == "game") {
            words >> rest;  // the options after the name change no move
            known = rest.substr(0, rest.find(',')) == "coloured-awale";
            board = Board();
        }
        else if (word == "side") words >> side;
        else if (word == "seed") words >> seed;
        else if (word == "newgame") dice = Dice(seed, side), say("ready");
        else if (word == "opening" || word == "played") while (known && words >> rest) board.play(rest);
        else if (word == "moves") {
            words >> first;
            const auto star = first.find('*');  // wants a layout: all seeds on one hole
            if (star != std::string::npos) first.replace(star, 1, "a1:");
        }
        else if (word == "go") say("move " + (known ? choose(board, dice) : first));
        else if (word == "quit") return;
    }
}

int main(int count, char** words) {
    if (count > 1) arena(std::atoi(words[1]));
    else pitmaster();
}
