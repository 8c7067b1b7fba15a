// What a page is asked by the checks of reports and of a practice server: axe's rules of WCAG 2.2 A and AA,
// and whether anything sticks out.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// A link to a view has no element of its name: to axe it looks like one that skips to nothing.
const OPTIONS = { runOnly: { type: "tag", values: RULES }, rules: { "skip-link": { enabled: false }, "target-size": { enabled: true } }, preload: false };

export async function axe(page, where) {
  await page.evaluate(AXE);
  const found = await page.evaluate((options) => axe.run(document, options), OPTIONS);
  const told = found.violations.map(({ id, help, nodes }) =>
    `${where}: ${id}: ${help}\n${nodes.slice(0, 4).map((node) => `    ${node.html.slice(0, 160)}\n    ${node.failureSummary.replaceAll("\n", " ")}`).join("\n")}`);
  assert.equal(told.join("\n"), "");
  return found.passes.length;
}

// Elements that stick out of the page, for the message.
export const sticking = (page) => page.evaluate(() => {
  const root = document.querySelector("dialog[open]") ?? document.documentElement;
  if (root.scrollWidth <= root.clientWidth && document.documentElement.scrollWidth <= innerWidth) return [];
  const inBox = (one) => one.parentElement?.closest(".scroll, .drawing, .board-box, .contents, pre") !== null;
  return [...root.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !inBox(one))
    .slice(0, 5).map((one) => one.outerHTML.slice(0, 120)).concat(`${root.scrollWidth} of ${root.clientWidth}`);
});
