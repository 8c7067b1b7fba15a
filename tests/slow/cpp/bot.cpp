// Reads with getline, prints through cout with endl.
#include <array>
#include <chrono>
#include <iostream>
#include <string>

struct Board {
    std::array<std::array<int, 3>, 16> seeds{};
    std::array<int, 2> score{};

    int in(int hole) const { return seeds[hole][0] + seeds[hole][1] + seeds[hole][2]; }

    int sow(int start, int last, int kind, bool blue) {
        int count = seeds[start][kind];
        seeds[start][kind] = 0;
        for (; count > 0; count--) {
            do last = (last + 1) % 16;
            while (last == start || (blue && last % 2 == start % 2));
            seeds[last][kind]++;
        }
        return last;
    }

    void take(int side, int hole) {
        score[side] += in(hole);
        seeds[hole] = {};
    }

    void play(const std::string &move) {
        int hole = std::stoi(move) - 1, side = hole % 2, last = hole;
        if (hole < 0 || hole > 15) return;
        bool blue = move.find('B') != std::string::npos;
        if (move.find('T') != std::string::npos) last = sow(hole, last, 2, blue);
        last = sow(hole, last, blue, blue);
        for (; in(last) == 2 || in(last) == 3; last = (last + 15) % 16) take(side, last);
        for (hole = 1 - side; hole < 16; hole += 2)
            if (in(hole)) return;
        for (hole = 0; hole < 16; hole++) take(side, hole);
    }

    bool over() const {
        return score[0] >= 49 || score[1] >= 49 || (score[0] >= 40 && score[1] >= 40) ||
               score[0] + score[1] > 86;
    }
};

int main(int, char **argv) {
    const int me = std::stoi(argv[1]) - 1;
    const std::chrono::milliseconds think(std::stoi(argv[2]));
    Board board;
    for (auto &hole : board.seeds) hole = {2, 2, 2};
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.rfind("END", 0) == 0) break;  // a CR may stand behind it
        if (!line.empty() && std::isdigit(line[0])) board.play(line);
        if (board.over()) continue;
        const auto end = std::chrono::steady_clock::now() + think;
        std::string move;
        while (std::chrono::steady_clock::now() < end) {}
        for (int hole = me; hole < 16 && move.empty(); hole += 2)
            for (int kind = 2; kind >= 0 && move.empty(); kind--)
                if (board.seeds[hole][kind])
                    move = std::to_string(hole + 1) + (kind == 0 ? "R" : kind == 1 ? "B" : "TB");
        board.play(move);
        std::cout << move << std::endl;
    }
}
