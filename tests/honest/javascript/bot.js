// A worker thread looks at the moves for every answer; files are read as promises.
"use strict";
const crypto = require("crypto");
const fs = require("fs");
const readline = require("readline");
const { Worker, isMainThread, parentPort } = require("worker_threads");

if (!isMainThread) {
  parentPort.on("message", (moves) => parentPort.postMessage(moves[moves.length - 1]));
} else {
  const worker = new Worker(__filename);
  worker.on("message", (move) => console.log("move " + move));
  const book = fs.promises.readFile("book.txt");
  let moves = [];
  readline.createInterface({ input: process.stdin }).on("line", async (line) => {
    const [word, ...rest] = line.split(" ");
    if (word === "pitmaster") {
      await book;
      console.log("ready threads-javascript");
    } else if (word === "newgame") {
      console.log("ready");
    } else if (word === "moves") {
      moves = rest;
    } else if (word === "go") {
      crypto.randomBytes(1 << 20);
      worker.postMessage(moves);
    } else if (word === "quit") {
      process.exit(0);
    }
  }).on("close", () => process.exit(0));
}
