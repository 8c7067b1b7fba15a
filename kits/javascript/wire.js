// The wire: hears the referee and answers. Nobody needs to change this file.
//
// Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
// argument it speaks arena. What to answer is decided in think.js.
"use strict";

const readline = require("node:readline");
const { Player } = require("./think.js");

// A move may use one part in so many of what a clock has left.
const PARTS = { move: 2, game: 40, bank: 20 };
const NO_CLOCK_MS = 500;

function say(line) {
  process.stdout.write(line + "\n"); // written at once, where stdout is a pipe
}

// The milliseconds for a move, from words such as `move 1000 game 209512`.
function timeFor(clocks) {
  const times = clocks
    .map((clock, i) => Math.floor(Number(clocks[i + 1]) / PARTS[clock]))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 ? Math.min(...times) : NO_CLOCK_MS;
}

// Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn.
function pitmaster() {
  let game = "";
  let side = 1;
  let opening = [];
  let clocks = [];
  let listed = [];
  let player = null;
  const hear = {
    pitmaster: () => say("ready"),
    game: (name) => {
      game = name;
      opening = [];
      clocks = [];
    },
    side: (number) => (side = Number(number)),
    opening: (...moves) => (opening = moves),
    newgame: () => {
      player = new Player(game, side);
      for (const move of opening) player.played(move);
      say("ready");
    },
    played: (...moves) => moves.forEach((move) => player.played(move)),
    time: (...words) => (clocks = words),
    moves: (...moves) => (listed = moves),
    go: () => {
      const move = player.choose(listed, timeFor(clocks));
      player.played(move);
      say("move " + move);
    },
    quit: () => process.exit(),
  };
  return (line) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (Object.hasOwn(hear, word)) hear[word](...rest);
  };
}

// One game: `START` or the opponent's moves, one a line; `END` at the end.
function arena(side) {
  const player = new Player(process.env.PITMASTER_GAME ?? "", side);
  const limit = process.env.PITMASTER_MOVE_MS ?? "0";
  const clocks = limit === "0" ? [] : ["move", limit];
  return (line) => {
    const word = line.trim();
    if (word === "END") process.exit();
    if (word !== "START") player.played(word);
    const move = player.choose([], timeFor(clocks));
    if (move === null) return;
    player.played(move);
    say(move);
  };
}

const side = process.argv[2];
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", side === undefined ? pitmaster() : arena(Number(side)));
