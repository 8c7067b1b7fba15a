// The rules of coloured Awale: a board, its legal moves, playing one, the end.
//
// Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
// player 2 the even ones; the hole after 16 is 1.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

constexpr int Holes = 16;

enum Colour { Red, Blue, Clear };

// 3R, 3B, 3TR and 3TB: a hole, sown as red or as blue, the transparent seeds too or not.
struct Move {
    int hole;
    bool clear, as_blue;

    std::string text() const;
};

struct Board {
    std::array<std::array<int, 3>, Holes> seeds;  // red, blue, transparent
    std::array<int, 2> scores{};
    int mover = 0;  // 0 is player 1, whose holes are 0, 2, 4, ...
    bool both_40;   // whether 40 seeds each end the game

    explicit Board(bool both_40 = true);

    // A new board for a game as the referee names it; none if its rules are not these.
    //
    // A referee that names no game plays this one without options.
    static std::optional<Board> of(std::string_view game);

    // All legal moves of the player to move.
    std::vector<Move> moves() const;

    // Plays a legal move.
    void play(Move move);

    // Whether the game is over; who has more seeds has won it.
    bool over() const;

    int seeds_in(int hole) const;
    int seeds_of(int side) const;

private:
    int sow(Move move, int last, Colour colour);
    int capture(int hole);
    int take(int hole);
};
