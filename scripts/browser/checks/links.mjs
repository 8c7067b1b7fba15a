// Links lead where they say: cells of the cross table, filters of the list, copied addresses,
// back and forward.

import assert from "node:assert/strict";
import { draw, goto, opened } from "../open.mjs";

// The list's games by their numbers, and what is told of how many there are.
const listed = (page, key) => page.evaluate((of) => {
  const place = document.querySelector(`div.games[data-tournament="${of}"]`);
  return {
    numbers: [...place.querySelectorAll("tr[data-game]")].map((row) => Number(row.dataset.game)),
    told: Number(place.querySelector(".count").textContent.replace(/\u202f|\u00a0|,/g, "").match(/\d+/)[0]),
  };
}, key);

// The games that pass, counted here from the index.
const counted = (page, key, test) => page.evaluate(async ([of, source]) => {
  const tournament = pitmaster.tournament(of);
  const index = await pitmaster.index(tournament);
  const passes = new Function("index", "at", "tournament", `return ${source}`);
  return index.id.map((_, at) => at).filter((at) => passes(index, at, tournament));
}, [key, test]);

async function compare(page, key, test) {
  const expected = await counted(page, key, test);
  const { numbers, told } = await listed(page, key);
  assert.equal(told, expected.length, test);
  assert.deepEqual(numbers, expected.slice(0, 50), test);
}

const pair = (one, two) =>
  `(index.one[at] === ${one} && index.two[at] === ${two}) || (index.one[at] === ${two} && index.two[at] === ${one})`;

export const crossTable = (report) => report.with({}, async (page) => {
  let clicked = 0;
  for (const { key } of await report.tournaments()) {
    const cells = await page.locator(`#${key}-crosstable a.cell`).all();
    const random = draw(5);
    for (let click = 0; click < Math.min(cells.length, 4); click += 1) {
      const cell = cells[random(cells.length)];
      const [, one, two] = /one=(\d+)&two=(\d+)/.exec(await cell.getAttribute("href"));
      await cell.click();
      await page.waitForFunction((hash) => location.hash === hash, await cell.getAttribute("href"));
      await page.waitForFunction((of) => document.activeElement?.id === `${of}-h-games`, key);
      await compare(page, key, pair(one, two));
      await goto(page, `#games=${key}`);
      clicked += 1;
    }
  }
  return `${clicked} cells`;
});

async function filterAll(page, { key, games }) {
  const place = page.locator(`div.games[data-tournament="${key}"]`);
  const select = (at) => place.locator("select").nth(at);
  await compare(page, key, "true");
  await select(0).selectOption("0");
  await compare(page, key, "index.one[at] === 0 || index.two[at] === 0");
  await select(3).selectOption("lost");
  await compare(page, key, "(index.one[at] === 0 && [2, 3].includes(index.winner[at])) || (index.two[at] === 0 && [1, 3].includes(index.winner[at]))");
  await select(3).selectOption("");
  await select(1).selectOption("1");
  await compare(page, key, pair(0, 1));
  await place.locator(".filters > button").click();
  await select(2).selectOption("forfeits");
  await compare(page, key, "tournament.endings[index.ending[at]].forfeit");
  await select(2).selectOption("");
  await select(3).selectOption("2");
  await compare(page, key, "index.winner[at] === 2");
  await select(3).selectOption("");
  const inputs = place.locator("input[type=number]");
  await inputs.first().fill("20");
  await inputs.first().press("Tab");
  await place.locator("input[type=number]").nth(1).fill("40");
  await place.locator("input[type=number]").nth(1).press("Tab");
  await compare(page, key, "index.plies[at] >= 20 && index.plies[at] <= 40");
  assert.match(await page.evaluate(() => location.hash), /least=20.*most=40/);
  await place.locator(".filters > button").click();
  await compare(page, key, "true");
  if (games > 50) {
    await place.locator(".pager button").last().click();
    const { numbers } = await listed(page, key);
    assert.equal(numbers[0], 50);
  }
  const order = place.locator('button[data-key="plies"]');
  await order.click();
  const plies = await page.evaluate((of) =>
    [...document.querySelectorAll(`div.games[data-tournament="${of}"] tbody tr`)].map((row) => row.cells[5].textContent), key);
  assert.deepEqual(plies, [...plies].sort((a, b) => b - a), "longest first");
}

export const listFilters = (report) => report.with({}, async (page) => {
  for (const tournament of await report.tournaments()) {
    await filterAll(page, tournament);
    assert.ok(await page.locator("tr[data-game]").count() <= 50 * (await report.tournaments()).length);
  }
});

const first = (page, key) => page.evaluate(async (of) => {
  const tournament = pitmaster.tournament(of);
  const index = await pitmaster.index(tournament);
  const at = Math.max(0, index.plies.findIndex((plies) => plies > 6));
  return { id: index.id[at], plies: index.plies[at] };
}, key);

export const deepLink = async (report) => {
  for (const { key } of await report.tournaments()) {
    const game = await report.with({}, (page) => first(page, key));
    const ply = Math.min(5, game.plies);
    await report.with({ hash: `#game=${key}:${game.id.slice(0, 12)}&ply=${ply}` }, async (page) => {
      await opened(page, ply);
      assert.match(await page.locator("dialog.of-game .status").textContent(), new RegExp(`\\b${ply}\\b.*\\b${game.plies}\\b`));
      await page.keyboard.press("Escape");
      await page.waitForFunction((of) => location.hash === `#${of}-games`, key);
      assert.equal(await page.locator("dialog[open]").count(), 0);
    });
  }
};

export const backAndForward = async (report) => {
  const [{ key }] = await report.tournaments();
  await report.with({}, async (page) => {
    await page.locator(`#${key}-games a.game`).first().click();
    await opened(page);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
    await page.goForward();
    await opened(page);
    const bots = page.locator("dialog.of-game .head a");
    if (await bots.count() > 0) {
      await bots.first().click();
      await page.waitForSelector("dialog.of-bot[open] table");
      await page.keyboard.press("Escape");
      await opened(page);
    }
    await page.keyboard.press("Escape");
    // The browser goes back a moment after the dialog is closed.
    await page.waitForFunction(() => location.hash === "");
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });
};

export const wrongLinks = async (report) => {
  const [{ key }] = await report.tournaments();
  const hashes = ["#game=t99:00", `#game=${key}:zzzzzz`, `#game=${key}`, `#bot=${key}:9999`, `#bot=${key}:__proto__`, `#games=${key}&one=x&page=-3&order=constructor`, "#=", "#game=%"];
  const leave = async (page) => {
    // A dialog may open late on a busy machine.
    for (const pause of [50, 300]) {
      await page.waitForTimeout(pause);
      if (await page.locator("dialog[open]").count() > 0) await page.keyboard.press("Escape");
    }
    await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
  };
  await report.with({ hash: `#game=${key}:zzzzzz` }, leave);
  await report.with({}, async (page) => {
    for (const hash of hashes) {
      await goto(page, hash);
      await leave(page);
    }
  });
};

// A dialog tells late that it was closed; by then another link may have opened it again.
export const opensAgainAtOnce = async (report) => {
  const [{ key }] = await report.tournaments();
  await report.with({}, async (page) => {
    await page.locator(`#${key}-games a.game`).first().click();
    await opened(page);
    const hash = await page.evaluate((of) => {
      const what = /:(\w+)/.exec(location.hash)[1];
      const { close, open } = pitmaster.views.game;
      close();
      open({ view: "game", tournament: pitmaster.tournament(of), what, fields: {} });
      return location.hash;
    }, key);
    await opened(page);
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(() => [location.hash, document.querySelector("dialog[open]") !== null]), [hash, true]);
  });
};
