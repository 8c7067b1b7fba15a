// The rules of coloured Awale: a board, its legal moves, playing one, the end.
//
// Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
// player 2 the even ones; the hole after 16 is 1. A move is its text: 3R, 3B, 3TR or 3TB.
"use strict";

const HOLES = 16;
const [RED, BLUE, CLEAR] = [0, 1, 2];

class Board {
  constructor(both40 = true) {
    this.seeds = [RED, BLUE, CLEAR].map(() => new Array(HOLES).fill(2)); // by colour
    this.scores = [0, 0];
    this.mover = 0; // 0 is player 1, whose holes are 0, 2, 4, ...
    this.both40 = both40; // whether 40 seeds each end the game
  }

  copy() {
    const twin = Object.create(Board.prototype);
    twin.seeds = this.seeds.map((colour) => colour.slice());
    twin.scores = this.scores.slice();
    twin.mover = this.mover;
    twin.both40 = this.both40;
    return twin;
  }

  // All legal moves of the player to move.
  moves() {
    const [red, blue, clear] = this.seeds;
    const texts = [];
    for (let hole = this.mover; hole < HOLES; hole += 2) {
      if (red[hole]) texts.push(`${hole + 1}R`);
      if (blue[hole]) texts.push(`${hole + 1}B`);
      if (clear[hole]) texts.push(`${hole + 1}TR`, `${hole + 1}TB`);
    }
    return texts;
  }

  // Plays a legal move.
  play(move) {
    const start = parseInt(move, 10) - 1;
    const asBlue = move.endsWith("B");
    let last = start;
    // The transparent seeds go first, the coloured ones go on where they stopped.
    if (move.includes("T")) last = this.sow(start, last, CLEAR, asBlue);
    last = this.sow(start, last, asBlue ? BLUE : RED, asBlue);
    this.scores[this.mover] += this.capture(last);
    if (this.seedsOf(1 - this.mover) === 0) {
      // The opponent has nothing left: the rest is taken too.
      for (let hole = 0; hole < HOLES; hole++) {
        this.scores[this.mover] += this.take(hole);
      }
    }
    this.mover = 1 - this.mover;
  }

  // Whether the game is over; who has more seeds has won it.
  over() {
    const [low, high] = [Math.min(...this.scores), Math.max(...this.scores)];
    const onBoard = this.seedsOf(0) + this.seedsOf(1);
    return high >= 49 || onBoard < 10 || (this.both40 && low >= 40);
  }

  // Sows one colour on from `last` and says where the last seed fell.
  sow(start, last, colour, asBlue) {
    const row = this.seeds[colour];
    let count = row[start];
    row[start] = 0;
    while (count > 0) {
      last = (last + 1) % HOLES;
      // Never into the start; seeds played as blue only into the opponent's holes.
      if (last === start || (asBlue && last % 2 === start % 2)) continue;
      row[last]++;
      count--;
    }
    return last;
  }

  // Takes holes of two or three seeds, from the last one sown backwards.
  capture(hole) {
    let taken = 0;
    while (this.seedsIn(hole) === 2 || this.seedsIn(hole) === 3) {
      taken += this.take(hole);
      hole = (hole + HOLES - 1) % HOLES;
    }
    return taken;
  }

  // Empties a hole and says how many seeds were in it.
  take(hole) {
    const taken = this.seedsIn(hole);
    for (const colour of this.seeds) colour[hole] = 0;
    return taken;
  }

  seedsIn(hole) {
    const [red, blue, clear] = this.seeds;
    return red[hole] + blue[hole] + clear[hole];
  }

  seedsOf(side) {
    let count = 0;
    for (let hole = side; hole < HOLES; hole += 2) count += this.seedsIn(hole);
    return count;
  }
}

// A new board for a game as the referee names it; null if its rules are not these.
//
// A referee that names no game plays this one without options.
function boardOf(game) {
  const [name, ...options] = game.split(",");
  if (name !== "" && name !== "coloured-awale") return null;
  return new Board(!options.includes("both_40=off"));
}

module.exports = { HOLES, RED, Board, boardOf };
