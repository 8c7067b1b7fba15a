// What axe finds by the rules of WCAG 2.2 A and AA, in both schemes and at the width of a phone;
// nothing scrolls sideways but tables and drawings in their own boxes; a page without script.

import assert from "node:assert/strict";
import { axe, sticking } from "../axe.mjs";
import { goto, opened, DESK, PHONE } from "../open.mjs";

// What a reader may have before the eyes, one after another.
async function views(page, { key, own }, use) {
  if (key === "t1") await use("report");
  await goto(page, `#bot=${key}:${own[0]}`);
  await page.waitForSelector("dialog.of-bot[open] table");
  await use("bot");
  const forfeit = await page.evaluate(async (of) => {
    const tournament = pitmaster.tournament(of);
    const index = await pitmaster.index(tournament);
    const at = index.ending.findIndex((ending, at) => tournament.endings[ending].forfeit && index.plies[at] > 3);
    return { id: index.id[Math.max(at, 0)], plies: index.plies[Math.max(at, 0)] };
  }, key);
  await goto(page, `#game=${key}:${forfeit.id}&ply=${forfeit.plies}`);
  await opened(page, forfeit.plies);
  await use("game");
}

const SCREENS = { light: { colorScheme: "light", viewport: DESK }, dark: { colorScheme: "dark", viewport: DESK }, phone: { viewport: PHONE, colorScheme: "light" } };

export const accessible = async (report) => {
  const all = await report.tournaments();
  const tournaments = report.short ? all.slice(0, 1) : all;
  let passes = 0;
  for (const [name, screen] of Object.entries(SCREENS)) {
    for (const tournament of tournaments) {
      await report.with(screen, (page) => views(page, tournament, async (view) => {
        passes += await axe(page, `${name} ${tournament.key} ${view}`);
      }));
    }
  }
  return `${passes} rules passed`;
};

export const fitsPhone = async (report) => {
  for (const tournament of await report.tournaments()) {
    await report.with({ viewport: PHONE }, (page) => views(page, tournament, async (view) => {
      assert.deepEqual(await sticking(page), [], `${tournament.key} ${view}`);
    }));
  }
};

export const withoutScript = (report) => report.with({ script: false }, async (page) => {
  const rows = await page.locator("section[id$=-standings] tbody tr:visible").count();
  const charts = await page.locator("figure.chart svg:visible").count();
  assert.ok(rows > 0 && charts > 0, `${rows} rows and ${charts} charts`);
  assert.ok(await page.locator("noscript p").first().isVisible());
  return `${rows} rows, ${charts} charts`;
});

export const calmIsInstant = async (report) => {
  const [{ key }] = await report.tournaments();
  await report.with({ reducedMotion: "reduce" }, async (page) => {
    await page.locator(`#${key}-games a.game`).first().click();
    await opened(page, 0);
    assert.equal(await page.locator("dialog.of-game .buttons select").inputValue(), "instant");
  });
};
