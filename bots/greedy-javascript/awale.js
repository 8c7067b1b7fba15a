// Coloured Awale: the board, its legal moves, and playing one.
//
// Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
// numbers, player 2 the even ones; the hole after 16 is 1.
"use strict";

const RED = 0, BLUE = 1, CLEAR = 2;
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

class Board {
  constructor() {
    this.holes = Array.from({ length: 16 }, () => [2, 2, 2]); // red, blue, transparent
    this.scores = [0, 0];
    this.mover = 0; // 0 is player 1, whose holes are 0, 2, 4, ...
  }

  copy() {
    const twin = new Board();
    twin.holes = this.holes.map((hole) => [...hole]);
    twin.scores = [...this.scores];
    twin.mover = this.mover;
    return twin;
  }

  // The texts of all legal moves: 3R, 3B, 3TR, 3TB.
  moves() {
    const texts = [];
    for (let hole = this.mover; hole < 16; hole += 2) {
      const [red, blue, clear] = this.holes[hole];
      if (red) texts.push(`${hole + 1}R`);
      if (blue) texts.push(`${hole + 1}B`);
      if (clear) texts.push(`${hole + 1}TR`, `${hole + 1}TB`);
    }
    return texts;
  }

  // Plays a legal move and says how many seeds it took.
  play(text) {
    const start = parseInt(text, 10) - 1;
    const blue = text.endsWith("B");
    let last = start;
    // The transparent seeds go first, the coloured ones go on where they stopped.
    if (text.includes("T")) last = this.sow(start, last, CLEAR, blue);
    last = this.sow(start, last, blue ? BLUE : RED, blue);
    let taken = this.capture(last);
    // The opponent has nothing left: the rest is taken too.
    if (this.seedsOf(1 - this.mover) === 0) taken += sum(this.holes.map((hole) => take(hole)));
    this.scores[this.mover] += taken;
    this.mover = 1 - this.mover;
    return taken;
  }

  // Sows the seeds of one colour on from `last` and says where the last one fell.
  sow(start, last, colour, blue) {
    let seeds = this.holes[start][colour];
    this.holes[start][colour] = 0;
    while (seeds > 0) {
      last = (last + 1) % 16;
      // Never into the start; seeds played as blue only into the opponent's holes.
      if (last === start || (blue && last % 2 === start % 2)) continue;
      this.holes[last][colour]++;
      seeds--;
    }
    return last;
  }

  // Takes holes of two or three seeds, from the last one sown backwards.
  capture(hole) {
    let taken = 0;
    while ([2, 3].includes(sum(this.holes[hole]))) {
      taken += take(this.holes[hole]);
      hole = (hole + 15) % 16;
    }
    return taken;
  }

  seedsOf(side) {
    return sum(this.holes.filter((_, hole) => hole % 2 === side).map(sum));
  }

  // Whether the game is over.
  over() {
    const [low, high] = [Math.min(...this.scores), Math.max(...this.scores)];
    const onBoard = this.seedsOf(0) + this.seedsOf(1);
    return high >= 49 || (low >= 40 && endsAt40()) || onBoard < 10;
  }
}

// Whether 40 seeds each end the game: they do, unless its options say otherwise.
function endsAt40() {
  return !(process.env.PITMASTER_GAME ?? "").includes("both_40=off");
}

// Empties a hole and says how many seeds were in it.
function take(hole) {
  const seeds = sum(hole);
  hole.fill(0);
  return seeds;
}

module.exports = { Board };
