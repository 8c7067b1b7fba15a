// Greedy: takes as many seeds as it can at once; the dice choose between equals.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as
// the argument it speaks arena. The same seed gives the same choices in every language.
"use strict";

const readline = require("node:readline");
const { Board } = require("./awale.js");

// The generator splitmix32: small, and the same on every machine.
class Dice {
  constructor(seed, side) {
    // A seed may have 53 bits; the operators for bits keep the lower 32.
    this.state = seed ^ Math.floor(seed / 2 ** 32) ^ (side << 30);
  }

  // A number from 0 to count - 1.
  below(count) {
    this.state = (this.state + 0x9e3779b9) | 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) % count;
  }
}

function say(line) {
  process.stdout.write(line + "\n"); // written at once, where stdout is a pipe
}

// Plays the move that it chooses and says its text.
function choose(board, dice) {
  const moves = board.moves();
  const gains = moves.map((move) => board.copy().play(move));
  const best = moves.filter((_, i) => gains[i] === Math.max(...gains));
  const move = best[dice.below(best.length)];
  board.play(move);
  return move;
}

// START, then moves in turn, then END.
async function arena(lines, side) {
  const dice = new Dice(Number(process.env.PITMASTER_SEED ?? 1), side);
  const board = new Board();
  for await (const line of lines) {
    if (line === "END") break;
    if (line !== "START") board.play(line);
    if (!board.over()) say(choose(board, dice));
  }
}

// Lines of words. The board is kept from the moves that are told; in a game that it does
// not know there is none, and the first listed move is played.
async function pitmaster(lines) {
  let side = 1, seed = 1, first, board, dice;
  for await (const line of lines) {
    const [word, ...rest] = line.split(" ");
    if (word === "pitmaster") say("ready greedy-javascript");
    else if (word === "game") board = rest[0].split(",")[0] === "coloured-awale" ? new Board() : null;
    else if (word === "side") side = Number(rest[0]);
    else if (word === "seed") seed = Number(rest[0]);
    else if (word === "newgame") (dice = new Dice(seed, side)), say("ready");
    else if (word === "opening" || word === "played") rest.forEach((move) => board?.play(move));
    else if (word === "moves") first = rest[0].replace("*", "a1:"); // a layout: all on one hole
    else if (word === "go") say("move " + (board ? choose(board, dice) : first));
    else if (word === "quit") break;
  }
}

const lines = readline.createInterface({ input: process.stdin });
if (process.argv.length > 2) arena(lines, Number(process.argv[2]));
else pitmaster(lines);
