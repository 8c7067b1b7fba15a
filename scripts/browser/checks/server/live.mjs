// Games that are watched while they are played: every board as the store has it, across the end of
// the game and of the server.

import assert from "node:assert/strict";
import { bot, until } from "../../school.mjs";

// A slow bot is examined for minutes before it plays.
const PATIENCE_MS = 600_000;

// A bot that can be watched.
const SLOW = bot(0).replace('print("move"', '__import__("time").sleep(0.03); print("move"');

// A game that has only begun, as the front page lists it.
async function begun(person) {
  let found;
  await until("a running game", async () => {
    const { text } = await person.get(person.at(""));
    const [, list = ""] = /<section id="running"(.*?)<\/section>/s.exec(text) ?? [];
    const rows = [...list.matchAll(/href="([^"]*)"[^>]*>[^<]*<\/a> <span class="note">[^<]*<span data-plies="[^"]*">(\d+)</g)];
    found = rows.find(([, , plies]) => Number(plies) < 16)?.[1];
    return found;
  }, PATIENCE_MS);
  return found;
}

// In the page: keeps the board of each ply that is shown.
const keepBoards = () => {
  globalThis.boards = {};
  new MutationObserver(() => {
    const status = document.querySelector("#replay .status");
    const slider = document.querySelector("#replay input[type=range]");
    if (!status || !slider || !status.textContent.includes(` ${slider.value} `)) return;
    globalThis.boards[slider.value] ??= document.querySelector("#replay .board-box svg").textContent;
  }).observe(document, { childList: true, subtree: true, characterData: true });
};

const moves = (page) => page.locator("#replay table.moves tbody tr:not(.said)").evaluateAll((rows) =>
  rows.map((row) => [row.cells[0].textContent, row.cells[1].querySelector(".move").textContent]));

// The course of both checks, whose bot was examined once.
let slow;

const slowSchool = (open) => (slow ??= fill(open));

const fill = async (open) => {
  const school = await open();
  const { ada } = await school.students({ ada: "g1" });
  await ada.done(ada.at("/bots"), { name: "sower" });
  await ada.handIn("g1.sower", "bot.py", SLOW);
  return { school, ada };
};

export const watchesAGame = async ({ open, visit, short }) => {
  if (short) return "not in a short run: a slow bot is examined first";
  const { school, ada } = await slowSchool(open);
  return visit(school).with({ person: ada, mayFail: true }, async (page) => {
    await page.addInitScript(keepBoards);
    const address = await begun(ada);
    await page.goto(address);
    await page.waitForFunction(() => document.getElementById("live")?.textContent === "Live");
    const first = Number(await page.locator("#replay input[type=range]").getAttribute("max"));

    // Without script there are the moves so far.
    const { text } = await ada.get(address);
    assert.ok(text.includes("<noscript><p><a href="), text);

    // Whoever steps back stays there while the game goes on, and can follow it again.
    await page.getByRole("button", { name: "First position" }).click();
    await page.waitForFunction((plies) => Number(document.querySelector("#replay input[type=range]").max) > plies + 2, first);
    assert.equal(await page.locator("#replay input[type=range]").inputValue(), "0");
    await page.getByRole("button", { name: "Last position" }).click();

    // In the end, the page is that of the stored game.
    await page.waitForFunction(() => document.getElementById("live") === null);
    const live = await page.evaluate(() => globalThis.boards);
    const last = Number(await page.locator("#replay input[type=range]").getAttribute("max"));
    const stored = await visit(school).with({ person: ada }, async (replay) => {
      await replay.addInitScript(keepBoards);
      await replay.goto(address);
      await replay.waitForSelector("#replay input[type=range]");
      for (let ply = last; ply >= 0; ply -= 1) {
        await replay.locator("#replay input[type=range]").fill(String(ply));
      }
      return { boards: await replay.evaluate(() => globalThis.boards), moves: await moves(replay) };
    });
    const shown = Object.keys(live);
    assert.ok(shown.length > 5, `only ${shown.length} boards were seen`);
    for (const ply of shown) assert.equal(live[ply], stored.boards[ply], `the board after ${ply} plies`);
    assert.deepEqual(await moves(page), stored.moves);
    assert.deepEqual(stored.moves.map(([ply]) => ply), stored.moves.map((_, at) => String(at + 1)));
    return `${shown.length} boards of ${last} plies`;
  });
};

// A screen that nobody touches shows one game after another.
export const goesOnWithOtherGames = async ({ open, visit, short }) => {
  if (short) return "not in a short run: a slow bot is examined first";
  const { school, ada } = await slowSchool(open);
  return visit(school).with({ person: ada }, async (page) => {
    await page.goto(ada.at("/tv"));
    const streams = new Set();
    page.on("request", (request) => {
      const [, stream] = /games\/(.*)\/stream/.exec(request.url()) ?? [];
      if (stream) streams.add(stream);
    });
    await until("three games", () => streams.size >= 3, PATIENCE_MS);
    await page.waitForFunction(() => document.getElementById("live")?.textContent === "Live");
    return `${streams.size} games`;
  });
};

// A game of a server that was killed is not in the store: its page says so, or follows it anew.
export const outlivesTheServer = async ({ open, visit, short }) => {
  if (short) return "not in a short run: a slow bot is examined first";
  const { school, ada } = await slowSchool(open);
  return visit(school).with({ person: ada, mayFail: true }, async (page) => {
    const address = await begun(ada);
    await page.goto(address);
    await page.waitForFunction(() => document.getElementById("live")?.textContent === "Live");
    await school.crash();
    await page.waitForFunction(() => document.getElementById("live")?.textContent.startsWith("The server does not answer."));
    await school.serve(new URL(school.origin).host);
    const began = performance.now();
    await page.waitForFunction(() => {
      const said = document.getElementById("live")?.textContent;
      return said === undefined || said === "Live" || said.startsWith("This game is not played any more");
    });
    const numbers = (await moves(page)).map(([ply]) => ply);
    assert.deepEqual(numbers, numbers.map((_, at) => String(at + 1)), "no ply is missing or twice");
    return `${(await page.locator("#live").allTextContents()).join("") || "stored"}, after ${Math.round(performance.now() - began)} ms`;
  });
};
