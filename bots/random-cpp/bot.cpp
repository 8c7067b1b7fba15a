// Random: plays any legal move.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
// the argument it speaks arena. The same seed gives the same choices in every language.
#include <algorithm>
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

static bool wants_layout(const std::string& move) { return move.find('*') != std::string::npos; }

// Completes `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8.
static std::string lay(const std::string& move, Dice& dice) {
    const auto star = move.find('*');
    int seeds[16] = {};
    for (int left = std::stoi(move.substr(star + 1)); left > 0; left--) seeds[dice.below(16)]++;
    std::string text = move.substr(0, star);
    for (int i = 0; i < 16; i++) {
        if (!seeds[i]) continue;
        if (text.back() != '=') text += ',';
        text += "ab"[i / 8] + std::to_string(i % 8 + 1) + ":" + std::to_string(seeds[i]);
    }
    return text;
}

static std::string choose(std::vector<std::string> moves, Dice& dice) {
    // A word with a `*` wants a layout, but where one may pass there is no need of any.
    if (std::find(moves.begin(), moves.end(), "pass") != moves.end())
        moves.erase(std::remove_if(moves.begin(), moves.end(), wants_layout), moves.end());
    const auto move = moves[dice.below(moves.size())];
    return wants_layout(move) ? lay(move, dice) : move;
}

// START, then moves in turn, then END. Nobody lists the legal moves.
static void arena(int side) {
    const char* seed = std::getenv("PITMASTER_SEED");
    Dice dice(seed ? std::stoull(seed) : 1, side);
    Board board;
    for (std::string line; std::getline(std::cin, line) && line != "END";) {
        if (line != "START") board.play(line);
        if (board.over()) continue;
        const auto move = choose(board.moves(), dice);
        board.play(move);
        say(move);
    }
}

// Lines of words. The legal moves are listed, so any game can be played.
static void pitmaster() {
    int side = 1;
    std::uint64_t seed = 1;
    Dice dice(seed, side);
    std::vector<std::string> moves;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "pitmaster") say("ready random-cpp");
        else if (word == "side") words >> side;
        else if (word == "seed") words >> seed;
        else if (word == "newgame") dice = Dice(seed, side), say("ready");
        else if (word == "moves") for (moves.clear(); words >> word;) moves.push_back(word);
        else if (word == "go") say("move " + choose(moves, dice));
        else if (word == "quit") return;
    }
}

int main(int count, char** words) {
    if (count > 1) arena(std::atoi(words[1]));
    else pitmaster();
}
