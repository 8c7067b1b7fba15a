// Tests of the rules and of the thinking: `node test.js`.
"use strict";

const assert = require("node:assert");
const { HOLES, RED, Board, boardOf } = require("./rules.js");
const { Player } = require("./think.js");

// How many sequences of so many legal moves there are.
function perft(board, depth) {
  if (board.over()) return 0;
  const moves = board.moves();
  if (depth === 1) return moves.length;
  let total = 0;
  for (const move of moves) {
    const after = board.copy();
    after.play(move);
    total += perft(after, depth - 1);
  }
  return total;
}

// A board with seeds (red, blue, transparent) in the holes of these numbers.
function boardWith(mover, holes) {
  const board = new Board();
  board.mover = mover;
  board.seeds = [0, 1, 2].map(() => new Array(HOLES).fill(0));
  for (const [number, seeds] of Object.entries(holes)) {
    seeds.forEach((count, colour) => (board.seeds[colour][number - 1] = count));
  }
  return board;
}

const tests = {
  "perft"() {
    const counts = [1, 2, 3, 4].map((depth) => perft(new Board(), depth));
    assert.deepEqual(counts, [32, 1024, 30856, 929896]);
  },

  "a capture goes backwards over both sides"() {
    const reds = { 1: [2, 0, 0], 16: [2, 0, 0] };
    const blues = { 13: [2, 2, 0], 14: [2, 2, 0], 15: [0, 2, 0] };
    const board = boardWith(1, { ...reds, ...blues });
    board.play("14B");
    assert.deepEqual(board.scores, [0, 10]);
    assert.equal(board.seedsIn(13 - 1), 4);
  },

  "who starves the opponent takes the rest"() {
    const board = boardWith(0, { 1: [1, 0, 0], 2: [0, 0, 1], 5: [0, 9, 0] });
    board.play("1R"); // takes the two seeds of hole 2, the opponent's last
    assert.deepEqual(board.scores, [11, 0]);
    assert(board.over());
  },

  "the start is skipped when sowing goes round"() {
    const board = boardWith(0, { 1: [16, 0, 0] });
    board.play("1R");
    assert.deepEqual(board.seeds[RED], [0, 0, ...new Array(14).fill(1)]);
  },

  "forty each is the end unless the game says otherwise"() {
    const awale = "coloured-awale";
    for (const [game, ends] of [["", true], [awale, true], [awale + ",both_40=off", false]]) {
      const board = boardOf(game);
      board.scores = [40, 41];
      assert.equal(board.over(), ends);
    }
    assert.equal(boardOf("kalah"), null);
  },

  "it sees a capture"() {
    const player = new Player("coloured-awale", 1);
    const holes = { 1: [1, 0, 0], 2: [0, 0, 2], 9: [3, 0, 0], 12: [9, 0, 0] };
    player.board = boardWith(0, holes);
    assert.equal(player.choose([], 1000), "1R");
  },

  "it plays the first move of a game that it does not know"() {
    assert.equal(new Player("isholo-3", 1).choose(["a3=*4", "a5"], 1000), "a3=a1:4");
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok: ${name}`);
}
