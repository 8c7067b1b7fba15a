// The wire: hears the referee and answers. Nobody needs to change this file.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
// argument it speaks arena. What to answer is decided in think.cpp.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "think.hpp"

using Words = std::vector<std::string>;

static void say(const std::string& line) {
    std::cout << line << std::endl;  // flushes: an answer that waits in a buffer is late
}

// The words of the next line; false at the end of input.
static bool hear(Words& words) {
    std::string line, word;
    if (!std::getline(std::cin, line)) return false;
    words.clear();
    for (std::istringstream rest(line); rest >> word;) words.push_back(word);
    return true;
}

// The time for a move, from words such as `move 1000 game 209512`.
static std::chrono::milliseconds time_for(const Words& clocks) {
    // A move may use one part in so many of what a clock has left.
    static const std::map<std::string, int> parts = {{"move", 2}, {"game", 40}, {"bank", 20}};
    std::optional<long long> least;
    for (std::size_t i = 0; i + 1 < clocks.size(); i++) {
        const auto part = parts.find(clocks[i]);
        if (part == parts.end()) continue;
        const auto time = std::stoll(clocks[i + 1]) / part->second;
        least = std::min(least.value_or(time), time);
    }
    return std::chrono::milliseconds(least.value_or(500));
}

// Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn.
static void pitmaster() {
    std::string game;
    int side = 1;
    Words opening, clocks, listed;
    std::optional<Player> player;
    for (Words words; hear(words);) {
        if (words.empty()) continue;
        const std::string word = words[0];
        const Words rest(words.begin() + 1, words.end());
        if (word == "pitmaster") {
            say("ready");
        } else if (word == "game") {
            game = rest.at(0);
            opening.clear();
            clocks.clear();
        } else if (word == "side") {
            side = std::stoi(rest.at(0));
        } else if (word == "opening") {
            opening = rest;
        } else if (word == "newgame") {
            player.emplace(game, side);
            for (const auto& move : opening) player->played(move);
            say("ready");
        } else if (word == "played") {
            for (const auto& move : rest) player->played(move);
        } else if (word == "time") {
            clocks = rest;
        } else if (word == "moves") {
            listed = rest;
        } else if (word == "go") {
            const auto move = player->choose(listed, time_for(clocks));
            player->played(move);
            say("move " + move);
        } else if (word == "quit") {
            return;
        }
    }
}

// One game: `START` or the opponent's moves, one a line; `END` at the end.
static void arena(int side) {
    const char* told = std::getenv("PITMASTER_MOVE_MS");
    const std::string limit = told ? told : "0";
    const Words clocks = limit == "0" ? Words() : Words{"move", limit};
    const char* game = std::getenv("PITMASTER_GAME");
    Player player(game ? game : "", side);
    for (Words words; hear(words);) {
        if (words.empty()) continue;
        if (words[0] == "END") return;
        if (words[0] != "START") player.played(words[0]);
        const auto move = player.choose({}, time_for(clocks));
        if (move.empty()) continue;
        player.played(move);
        say(move);
    }
}

int main(int count, char** words) {
    if (count > 1) {
        arena(std::stoi(words[1]));
    } else {
        pitmaster();
    }
}
