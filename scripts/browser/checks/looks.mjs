// Pictures to be looked at: both schemes, a phone, print.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { goto, opened, DESK, PHONE } from "../open.mjs";

async function shoot(report, name, screen) {
  const tournaments = await report.tournaments();
  await report.with(screen, async (page) => {
    await page.screenshot({ path: path.join(report.shots, `${name}-report.png`), fullPage: true });
    for (const { key, own } of tournaments) {
      await goto(page, `#bot=${key}:${own[0]}`);
      await page.waitForSelector("dialog.of-bot[open] table");
      await page.screenshot({ path: path.join(report.shots, `${name}-${key}-bot.png`) });
      const [id, ply] = await page.evaluate(async (of) => {
        const index = await pitmaster.index(pitmaster.tournament(of));
        const at = Math.max(0, index.plies.findIndex((plies) => plies > 12));
        return [index.id[at], Math.min(12, index.plies[at])];
      }, key);
      await goto(page, `#game=${key}:${id}&ply=${ply}`);
      await opened(page, ply);
      await page.screenshot({ path: path.join(report.shots, `${name}-${key}-game.png`) });
    }
  });
}

export const pictures = async (report) => {
  await shoot(report, "light", { viewport: DESK });
  await shoot(report, "dark", { viewport: DESK, colorScheme: "dark" });
  await shoot(report, "phone", { viewport: PHONE, deviceScaleFactor: 2 });
  return report.shots;
};

export const prints = (report) => report.with({ colorScheme: "dark" }, async (page) => {
  const file = path.join(report.shots, "print.pdf");
  await page.pdf({ path: file, format: "A4", printBackground: true });
  assert.ok(fs.statSync(file).size > 5000);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.locator("nav.contents:visible, .filter:visible, div.games:visible").count(), 0);
  const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(back, "rgb(255, 255, 255)", "paper is white");
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.screenshot({ path: path.join(report.shots, "print.png"), fullPage: true });
  return file;
});
