// The thinking: which move to play. This is the file to change.
//
// It knows no rules yet, and plays the first of the moves that the referee lists.
"use strict";

// One player in one game; every game gets a new one.
class Player {
  constructor(game, side) {
    this.game = game; // as the referee names it, with options; "" if it does not
    this.side = side; // 1 or 2
    this.moves = []; // all that were played so far
  }

  // A move was played, by this player or by the other.
  played(move) {
    this.moves.push(move);
  }

  // The move to play; null if the game is over, or it is the other's turn.
  //
  // `listed` are the legal moves, if the referee lists them: in arena it does not.
  choose(listed, milliseconds) {
    if (listed.length === 0) {
      console.error("arena lists no legal moves: write the rules before you play it");
      process.exit(1);
    }
    return listed[0].replace("*", "a1:"); // a layout: all seeds on one hole
  }
}

module.exports = { Player };
