// Games replay to the position that the engine ended with; any ply reached at once is the same
// as the one reached step by step; the game comes back out as a file.

import assert from "node:assert/strict";
import fs from "node:fs";
import { draw, goto, opened } from "../open.mjs";

const FEW = 20;

// Replays games in the page, ply by ply and event by event, and tells those that went wrong.
const replay = (page, key, many) => page.evaluate(async ([of, count]) => {
  const { data, positions, copy, events, happen, told, game: load } = pitmaster;
  const tournament = data.tournaments.find((one) => one.key === of);
  const { shape } = tournament;
  const wrong = [];
  let plies = 0;
  const form = ([seeds, stores, marks]) => JSON.stringify([seeds, stores, marks.map(String).sort()]);
  for (let number = 0; number < Math.min(count, tournament.games); number += 1) {
    const game = await load(tournament, number);
    const boards = positions(shape, game);
    const negative = boards.some(({ seeds, stores }) => [...seeds, ...stores].some((n) => n < 0));
    for (const [at, ply] of game.plies.entries()) {
      plies += 1;
      if (ply[5] != null) continue;
      const board = copy(boards[at]);
      for (const event of events(shape, ply)) happen(board, shape, event);
      if (form(told(board)) !== form(told(boards[at + 1]))) wrong.push(`${game.id} ply ${at + 1}`);
    }
    if (negative) wrong.push(`${game.id} has less than no seeds`);
    if (form(told(boards.at(-1))) !== form(game.final)) wrong.push(`${game.id} ends otherwise`);
  }
  return { wrong, plies };
}, [key, many]);

export const replays = async (report) => {
  const told = [];
  for (const { key, games } of await report.tournaments()) {
    const many = report.short ? FEW : games;
    const { wrong, plies } = await report.with({}, (page) => replay(page, key, many));
    assert.deepEqual(wrong, []);
    told.push(`${key}: ${Math.min(many, games)} games, ${plies} plies`);
  }
  return told.join("; ");
};

// The board as it is drawn, with all that is marked.
const drawn = (page) => page.evaluate(() => {
  const dialog = document.querySelector("dialog.of-game");
  const texts = (name) => [...dialog.querySelectorAll(name)].map((one) => one.textContent);
  return {
    board: new XMLSerializer().serializeToString(dialog.querySelector("svg.board:not(.key)")).replace(/ style="[^"]*"/g, ""),
    status: dialog.querySelector(".status").textContent,
    counts: texts("svg.board:not(.key) .hole .count"),
    stores: texts("svg.board:not(.key) .stored"),
    scores: texts(".player .score"),
    result: texts(".ending .result").join(),
  };
});

// Some games, none of them short where there are longer ones.
const choose = (page, key) => page.evaluate(async (of) => {
  const index = await pitmaster.index(pitmaster.tournament(of));
  const enough = Math.min(6, Math.max(...index.plies));
  const long = index.plies.map((plies, at) => at).filter((at) => index.plies[at] >= enough).slice(0, 40);
  return long.map((at) => ({ at, id: index.id[at], plies: index.plies[at] }));
}, key);

async function sameEitherWay(page, key, { id, plies }, random) {
  const direct = new Map();
  if (plies === 0) return;
  for (let number = 0; number < 4; number += 1) {
    const ply = 1 + random(Math.min(plies, 40));
    await goto(page, `#game=${key}:${id}&ply=${ply}`);
    await opened(page, ply);
    direct.set(ply, await drawn(page));
  }
  await page.keyboard.press("Home");
  await page.locator("dialog.of-game .buttons select").selectOption("instant");
  await page.locator("dialog.of-game h2").focus();
  for (let ply = 1; ply <= Math.max(...direct.keys()); ply += 1) {
    await page.keyboard.press("ArrowRight");
    await opened(page, ply);
    if (direct.has(ply)) assert.deepEqual(await drawn(page), direct.get(ply), `ply ${ply} of ${id}`);
  }
}

export const anyPly = async (report) => {
  for (const { key } of await report.tournaments()) {
    await report.with({}, async (page) => {
      const random = draw(9);
      const games = await choose(page, key);
      for (const game of games.slice(0, report.short ? 2 : 6)) await sameEitherWay(page, key, game, random);
    });
  }
};

export const endsAsStored = async (report) => {
  for (const { key } of await report.tournaments()) {
    await report.with({}, async (page) => {
      for (const { at, id, plies } of (await choose(page, key)).slice(0, report.short ? 3 : 20)) {
        await goto(page, `#game=${key}:${id}&ply=1`);
        await opened(page, Math.min(1, plies));
        await page.locator("dialog.of-game h2").focus();
        await page.keyboard.press("End");
        await opened(page, plies);
        const { counts, stores, result } = await drawn(page);
        const expected = await page.evaluate(async ([of, number]) => {
          const tournament = pitmaster.tournament(of);
          const { final: [seeds, kept], score } = await pitmaster.game(tournament, number);
          const kinds = tournament.shape.kinds.length;
          const counts = tournament.shape.holes.map((_, hole) =>
            String(seeds.slice(hole * kinds, (hole + 1) * kinds).reduce((a, b) => a + b, 0)));
          return { counts, stores: tournament.shape.stores ? kept.map(String) : [], score: score.map(String) };
        }, [key, at]);
        assert.deepEqual({ counts, stores }, { counts: expected.counts, stores: expected.stores }, id);
        assert.deepEqual(result.match(/-?\d+/g), expected.score, id);
      }
    });
  }
};

// In an analyzed game the list of moves that lost most opens the board before each of them.
const worstMoves = async (page, key, { at, id }) => {
  const lost = await page.evaluate(async ([of, number]) => {
    const game = await pitmaster.game(pitmaster.tournament(of), number);
    return game.analysis?.lost;
  }, [key, at]);
  if (lost === undefined) return 0;
  await goto(page, `#game=${key}:${id}&ply=1`);
  await opened(page, 1);
  assert.equal(await page.locator("dialog.of-game svg.curve path.analysis").count(), 2, `${id}: curve and key`);
  const buttons = page.locator("dialog.of-game .lost button");
  assert.equal(await buttons.count(), lost.length, id);
  for (const [number, [ply]] of lost.entries()) {
    await buttons.nth(number).focus();
    await page.keyboard.press("Enter");
    await opened(page, ply - 1);
  }
  return 1;
};

export const analyses = async (report) => {
  let analyzed = 0;
  for (const { key } of await report.tournaments()) {
    await report.with({}, async (page) => {
      for (const game of (await choose(page, key)).slice(0, report.short ? 2 : 6)) {
        analyzed += await worstMoves(page, key, game);
      }
    });
  }
  return `${analyzed} games are analyzed`;
};

export const animates = async (report) => {
  for (const { key } of await report.tournaments()) {
    await report.with({}, async (page) => {
      const [{ id, plies }] = await choose(page, key);
      if (plies < 3) return;
      await goto(page, `#game=${key}:${id}`);
      await opened(page, 0);
      await page.locator("dialog.of-game .buttons select").selectOption("fast");
      await page.locator("dialog.of-game h2").focus();
      await page.keyboard.press("Space");
      await page.waitForSelector("dialog.of-game .hand circle");
      await page.waitForFunction(() => Number(document.querySelector("dialog.of-game input[type=range]").value) >= 2);
      await page.keyboard.press("Space");
      const ply = await page.locator("dialog.of-game input[type=range]").inputValue();
      const stopped = await drawn(page);
      await page.waitForTimeout(600);
      assert.deepEqual(await drawn(page), stopped, "paused, it stands still");
      await page.keyboard.press("Home");
      await page.waitForFunction(() => !location.hash.includes("ply="));
      await goto(page, `#game=${key}:${id}&ply=${ply}`);
      await opened(page, ply);
      assert.deepEqual(await drawn(page), stopped, "played and opened directly");
    });
  }
};

export const downloads = (report) => report.with({ acceptDownloads: true }, async (page) => {
  const [{ key }] = await report.tournaments();
  const may = await page.evaluate((of) => pitmaster.tournament(of).downloads, key);
  const [{ at, id, plies }] = await choose(page, key);
  await goto(page, `#game=${key}:${id}`);
  await opened(page, 0);
  const button = page.locator("dialog.of-game .tools button").nth(2);
  if (!may) return assert.equal(await button.count(), 0);
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  assert.equal(download.suggestedFilename(), `${id}.json`);
  const file = JSON.parse(fs.readFileSync(await download.path(), "utf8"));
  assert.deepEqual([file.format, file.id, file.record.plies.length], ["pitmaster-game", id, plies]);
  const said = await page.evaluate(async ([of, number]) => (await pitmaster.game(pitmaster.tournament(of), number)).say?.length ?? 0, [key, at]);
  assert.equal(file.record.remarks.length, said);
  return `${id.slice(0, 8)}.json`;
});
