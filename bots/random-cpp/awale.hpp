// Coloured Awale: the board, its legal moves, and playing one.
//
// Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
// numbers, player 2 the even ones; the hole after 16 is 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

class Board {
public:
    Board() { holes_.fill({2, 2, 2}); }

    // The texts of all legal moves: 3R, 3B, 3TR, 3TB.
    std::vector<std::string> moves() const {
        static const std::pair<const char*, Colour> kinds[] = {
            {"R", Red}, {"B", Blue}, {"TR", Clear}, {"TB", Clear}};
        std::vector<std::string> texts;
        for (int hole = mover_; hole < Holes; hole += 2)
            for (auto [text, colour] : kinds)
                if (holes_[hole][colour] > 0) texts.push_back(std::to_string(hole + 1) + text);
        return texts;
    }

    // Plays a legal move and says how many seeds it took.
    int play(const std::string& text) {
        const int start = std::stoi(text) - 1;
        const bool blue = text.back() == 'B';
        int last = start;
        // The transparent seeds go first, the coloured ones go on where they stopped.
        if (text.find('T') != std::string::npos) last = sow(start, last, Clear, blue);
        last = sow(start, last, blue ? Blue : Red, blue);
        int taken = capture(last);
        if (seeds_of(1 - mover_) == 0)  // the opponent has nothing left: the rest is taken too
            for (int hole = 0; hole < Holes; hole++) taken += take(hole);
        scores_[mover_] += taken;
        mover_ = 1 - mover_;
        return taken;
    }

    // Whether the game is over.
    bool over() const {
        const auto [low, high] = std::minmax(scores_[0], scores_[1]);
        const int on_board = seeds_of(0) + seeds_of(1);
        return high >= 49 || (low >= 40 && ends_at_40()) || on_board < 10;
    }

private:
    enum Colour { Red, Blue, Clear };
    static constexpr int Holes = 16;

    std::array<std::array<int, 3>, Holes> holes_;  // red, blue, transparent
    std::array<int, 2> scores_{};
    int mover_ = 0;  // 0 is player 1, whose holes are 0, 2, 4, ...

    // Whether 40 seeds each end the game: they do, unless its options say otherwise.
    static bool ends_at_40() {
        const char* game = std::getenv("PITMASTER_GAME");
        return !game || std::string(game).find("both_40=off") == std::string::npos;
    }

    int seeds_in(int hole) const {
        return holes_[hole][Red] + holes_[hole][Blue] + holes_[hole][Clear];
    }

    int seeds_of(int side) const {
        int seeds = 0;
        for (int hole = side; hole < Holes; hole += 2) seeds += seeds_in(hole);
        return seeds;
    }

    // Sows the seeds of one colour on from `last` and says where the last one fell.
    int sow(int start, int last, Colour colour, bool blue) {
        int seeds = std::exchange(holes_[start][colour], 0);
        while (seeds > 0) {
            last = (last + 1) % Holes;
            // Never into the start; seeds played as blue only into the opponent's holes.
            if (last == start || (blue && last % 2 == start % 2)) continue;
            holes_[last][colour]++;
            seeds--;
        }
        return last;
    }

    // Takes holes of two or three seeds, from the last one sown backwards.
    int capture(int hole) {
        int taken = 0;
        for (; seeds_in(hole) == 2 || seeds_in(hole) == 3; hole = (hole + Holes - 1) % Holes)
            taken += take(hole);
        return taken;
    }

    // Empties a hole and says how many seeds were in it.
    int take(int hole) {
        const int seeds = seeds_in(hole);
        holes_[hole].fill(0);
        return seeds;
    }
};
