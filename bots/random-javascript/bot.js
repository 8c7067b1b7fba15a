// Random: plays any legal move.
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

function choose(moves, dice) {
  // A word with a `*` wants a layout, but where one may pass there is no need of any.
  const from = moves.includes("pass") ? moves.filter((move) => !move.includes("*")) : moves;
  const move = from[dice.below(from.length)];
  return move.includes("*") ? lay(move, dice) : move;
}

// Completes `a3=*4`: four seeds, each on any of the opponent's holes a1 to b8.
function lay(move, dice) {
  const [start, count] = move.split("*");
  const seeds = Array(16).fill(0);
  for (let left = Number(count); left > 0; left--) seeds[dice.below(16)]++;
  const holes = seeds.map((count, i) => `${"ab"[i >> 3]}${(i % 8) + 1}:${count}`);
  return start + holes.filter((_, i) => seeds[i]).join(",");
}

// START, then moves in turn, then END. Nobody lists the legal moves.
async function arena(lines, side) {
  const dice = new Dice(Number(process.env.PITMASTER_SEED ?? 1), side);
  const board = new Board();
  for await (const line of lines) {
    if (line === "END") break;
    if (line !== "START") board.play(line);
    if (board.over()) continue;
    const move = choose(board.moves(), dice);
    board.play(move);
    say(move);
  }
}

// Lines of words. The legal moves are listed, so any game can be played.
async function pitmaster(lines) {
  let side = 1, seed = 1, moves = [], dice;
  for await (const line of lines) {
    const [word, ...rest] = line.split(" ");
    if (word === "pitmaster") say("ready random-javascript");
    else if (word === "side") side = Number(rest[0]);
    else if (word === "seed") seed = Number(rest[0]);
    else if (word === "newgame") (dice = new Dice(seed, side)), say("ready");
    else if (word === "moves") moves = rest;
    else if (word === "go") say("move " + choose(moves, dice));
    else if (word === "quit") break;
  }
}

const lines = readline.createInterface({ input: process.stdin });
if (process.argv.length > 2) arena(lines, Number(process.argv[2]));
else pitmaster(lines);
