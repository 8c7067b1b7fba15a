// The thinking: which move to play. This is the file to change.
//
// It looks one move ahead, then two, and so on, up to DEPTH moves or until the time is over,
// and plays what leads to the best board that it can be sure of (negamax with alpha-beta).
"use strict";

const { boardOf } = require("./rules.js");

const DEPTH = 4;

class OutOfTime extends Error {}

// One player in one game; every game gets a new one.
class Player {
  constructor(game, side) {
    this.board = boardOf(game); // null: a game whose rules are not known
    this.side = side - 1;
    this.deadline = 0;
  }

  // A move was played, by this player or by the other.
  played(move) {
    if (this.board === null) return;
    if (this.board.moves().includes(move)) this.board.play(move);
    else console.error(`${move} is not legal by rules.js`);
  }

  // The move to play; null if the game is over, or it is the other's turn.
  //
  // `listed` are the legal moves, if the referee lists them: in arena it does not.
  choose(listed, milliseconds) {
    if (this.board === null) return listed[0].replace("*", "a1:"); // a layout: all on one hole
    if (this.board.over() || this.board.mover !== this.side) return null;
    this.deadline = performance.now() + milliseconds;
    let best = this.board.moves()[0];
    try {
      for (let depth = 1; depth <= DEPTH; depth++) best = this.bestMove(depth);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error; // otherwise the best of the depth before
    }
    return best;
  }

  bestMove(depth) {
    let best = null;
    let most = -Infinity;
    for (const move of this.board.moves()) {
      const value = this.valueOf(this.board, move, depth, most, Infinity);
      if (value > most) [best, most] = [move, value];
    }
    return best;
  }

  // What a move is worth to the player who makes it.
  valueOf(board, move, depth, alpha, beta) {
    const after = board.copy();
    after.play(move);
    return -this.search(after, depth - 1, -beta, -alpha);
  }

  // What a board is worth to the player to move, if that is between the two.
  search(board, depth, alpha, beta) {
    if (depth === 0 || board.over()) return evaluate(board);
    if (performance.now() > this.deadline) throw new OutOfTime();
    for (const move of board.moves()) {
      alpha = Math.max(alpha, this.valueOf(board, move, depth, alpha, beta));
      if (alpha >= beta) break; // the opponent will not let it come to this
    }
    return alpha;
  }
}

// A guess at what a board is worth to the player to move.
function evaluate(board) {
  return board.scores[board.mover] - board.scores[1 - board.mover];
}

module.exports = { Player };
