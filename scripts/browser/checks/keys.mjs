// The keyboard alone is enough.

import assert from "node:assert/strict";
import { opened } from "../open.mjs";

// Marks every control that can be seen and reached, presses Tab until all came round, and tells
// those that did not.
async function tabThrough(page, scope) {
  const total = await page.evaluate((within) => {
    const wanted = "a[href], button:not(:disabled), input, select, summary, [tabindex]";
    const found = [...document.querySelectorAll(`${within} :is(${wanted})`)].filter((one) => {
      const box = one.getBoundingClientRect();
      const style = getComputedStyle(one);
      return one.tabIndex >= 0 && box.width > 0 && style.visibility !== "hidden" && !one.matches("svg *:not(a)");
    });
    window.unreached = new Set(found);
    window.unseen = [];
    document.addEventListener("focusin", ({ target }) => {
      window.unreached.delete(target);
      const style = getComputedStyle(target);
      const stroked = target instanceof SVGElement && style.stroke !== "none";
      if (target.matches(":focus-visible") && style.outlineStyle === "none" && !stroked) window.unseen.push(target.outerHTML.slice(0, 90));
    });
    window.unreached.delete(document.activeElement);
    return found.length;
  }, scope);
  for (let press = 0; press < total + 10; press += 1) await page.keyboard.press("Tab");
  const left = await page.evaluate(() => [...window.unreached].map((one) => one.outerHTML.slice(0, 120)));
  assert.deepEqual(left, [], `not reached by Tab in ${scope}`);
  assert.deepEqual(await page.evaluate(() => window.unseen), [], "has the focus and does not show it");
  return total;
}

export const tabOrder = async (report) => {
  const [{ key, own }] = await report.tournaments();
  const page1 = await report.with({}, (page) => tabThrough(page, "body"));
  const page2 = await report.with({ hash: `#bot=${key}:${own[0]}` }, async (page) => {
    await page.waitForSelector("dialog.of-bot table");
    return tabThrough(page, "dialog.of-bot");
  });
  const page3 = await report.with({}, async (page) => {
    await page.locator(`#${key}-games a.game`).first().click();
    await opened(page);
    return tabThrough(page, "dialog.of-game");
  });
  return `${page1} controls of the page, ${page2} of a bot, ${page3} of a game`;
};

export const keyboardOnly = (report) => report.with({}, async (page) => {
  const [{ key }] = await report.tournaments();
  const sort = page.locator(`#${key}-standings th[data-sort] button`).first();
  await sort.focus();
  await page.keyboard.press("Enter");
  assert.notEqual(await page.locator(`#${key}-standings th[aria-sort]`).count(), 0);
  const rows = await page.locator(`#${key}-games tr[data-game]`).all();
  const plies = await Promise.all(rows.map((row) => row.locator("td").nth(5).textContent()));
  const long = plies.findIndex((count) => Number(count) >= 6);
  if (long < 0) return "no game is long enough";
  const link = rows[long].locator("a.game");
  await link.focus();
  await page.keyboard.press("Enter");
  await opened(page, 0);
  const slider = page.locator("dialog.of-game input[type=range]");
  const last = Number(await slider.getAttribute("max"));
  const at = async (key, ply) => {
    await page.keyboard.press(key);
    await opened(page, ply);
  };
  await at("End", last);
  await at("ArrowLeft", last - 1);
  await at("Home", 0);
  await page.locator("dialog.of-game .buttons select").selectOption("instant");
  await page.locator("dialog.of-game h2").focus();
  await at("ArrowRight", 1);
  const box = () => page.locator("dialog.of-game svg.board:not(.key) .hole").first().getAttribute("transform");
  const before = await box();
  await page.keyboard.press("f");
  assert.notEqual(await box(), before, "f flips the board");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number(document.querySelector("dialog.of-game input[type=range]").value) > 1);
  await page.keyboard.press("Space");
  await slider.focus();
  const now = Number(await slider.inputValue());
  await page.keyboard.press("ArrowRight");
  await opened(page, Math.min(now + 1, last));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
  assert.ok(await link.evaluate((one) => one === document.activeElement), "the focus comes back");
  return "";
});
