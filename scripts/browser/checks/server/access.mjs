// What axe finds by the rules of WCAG 2.2 A and AA on every page and state, in both languages and
// schemes, on a phone and a desk; paper; and a course that is used without script.

import assert from "node:assert/strict";
import path from "node:path";
import { axe, sticking } from "../../axe.mjs";
import { bot, BROKEN, CODE, PASSPHRASE, until } from "../../school.mjs";
import { minute, pages, states } from "./field.mjs";

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const PAPER = { width: 794, height: 1123 };

const LOOKS = ["en", "fr"].flatMap((locale) => ["light", "dark"].flatMap((colorScheme) =>
  [DESK, PHONE].map((viewport) => ({ locale, colorScheme, viewport }))));

const nameOf = ({ locale, colorScheme, viewport }) => `${locale}-${colorScheme}-${viewport.width}`;

// Pages and states alike: name, person, what to do.
const everything = (field) => [...pages(field).map(([name, person, address]) => [name, person, (page) => page.goto(address)]), ...states(field)];

// Each page in every look; in a short run every second page in one of them.
const looksOf = (at, short) => (short ? [LOOKS[(3 * at / 2) % LOOKS.length]] : LOOKS);

export const accessible = async ({ field, visit, short, shots }) => {
  const all = await field();
  const site = visit(all.school);
  let [seen, passes] = [0, 0];
  const wrong = [];
  const note = (error) => wrong.push(error.message);
  for (const [at, [name, person, act]] of everything(all).entries()) {
    if (short && at % 2 === 1) continue;
    for (const look of looksOf(at, short)) {
      await site.with({ person, mayFail: true, ...look }, async (page) => {
        await act(page);
        const where = `${name} ${nameOf(look)}`;
        assert.equal(await page.getAttribute("html", "lang"), look.locale, where);
        passes += await axe(page, where).catch((error) => { note(error); return 0; });
        const wide = await sticking(page);
        if (wide.length > 0) wrong.push(`${where} is wider than its window: ${wide.join("\n")}`);
        seen += 1;
        await page.screenshot({ path: path.join(shots, `${name}-${nameOf(look)}.png`), fullPage: name !== "docs" });
      });
    }
  }
  assert.equal(wrong.join("\n"), "");
  return `${seen} views, ${passes} rules passed`;
};

// What is cut off on paper: boxes that scroll, and words beyond the edge.
const cut = (page) => page.evaluate(() => {
  const isHidden = (style) => ["auto", "scroll", "hidden", "clip"].some((way) => [style.overflowX, style.overflowY].includes(way));
  const cuts = [...document.body.querySelectorAll("*")].filter((one) => {
    if (one.closest("svg") || one.getClientRects().length === 0) return false;
    const over = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    return (over && isHidden(getComputedStyle(one))) || one.getBoundingClientRect().right > innerWidth + 1;
  });
  const isShown = (one) => one.getClientRects().length > 0;
  const nav = [...document.querySelectorAll("nav, header, main form:not(:has(table)), td button, .skip")].filter(isShown);
  const lost = [...document.querySelectorAll("thead th button")].filter((one) => !isShown(one));
  return [...cuts, ...nav, ...lost].slice(0, 6).map((one) => one.outerHTML.slice(0, 140));
});

export const prints = async ({ field, visit, short, shots }) => {
  const all = await field();
  const site = visit(all.school);
  const some = everything(all).filter((_, at) => !short || at % 6 === 0);
  for (const [name, person, act] of some) {
    await site.with({ person, mayFail: true, colorScheme: "dark", viewport: PAPER }, async (page) => {
      await act(page);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assert.deepEqual(await cut(page), [], name);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "paper is white");
      await page.screenshot({ path: path.join(shots, `${name}-print.png`), fullPage: name !== "docs" });
    });
  }
  return `${some.length} pages`;
};

const say = (page, id, text) => page.locator(`#${id}`).fill(text);
const press = (page, name) => page.getByRole("button", { name, exact: true }).first().click();

// A student without script: reloads instead of waiting.
async function studies(page, code) {
  await page.goto("/join");
  await say(page, "code", code);
  await press(page, "Continue");
  await say(page, "login", "noscript");
  await say(page, "passphrase", PASSPHRASE);
  await press(page, "Join");
  await page.goto("/c/school/me");
  await say(page, "name", "plain");
  await press(page, "Add a bot");
  const verdict = async (source, wanted) => {
    await page.goto("/c/school/me");
    await page.locator("input[type=file]").setInputFiles({ name: "bot.py", mimeType: "text/x-python", buffer: Buffer.from(source) });
    await press(page, "Hand in a version");
    // A page that is being replaced cannot be loaded again.
    await page.waitForURL(/\/versions\/\d+$/);
    await until(`${wanted} without script`, async () => {
      await page.reload();
      return wanted.includes(await page.locator("#state strong").textContent());
    });
  };
  await verdict(BROKEN, ["validation failed"]);
  assert.match(await page.locator("#state pre").first().textContent(), /99X/);
  await verdict(bot(), ["valid", "plays"]);
  await page.goto("/c/school/ladder/practice");
  assert.equal(await page.locator("th button").count(), 0, "no buttons that do nothing");
  assert.ok(await page.locator("#table tbody tr").count() >= 3);
  await page.goto("/c/school/ladder/practice/games");
  await page.locator("tbody th a").first().click();
  assert.ok(await page.locator("#replay table.moves tbody tr").count() > 5, "moves as a table");
}

// The staff without script.
async function administers(page) {
  await page.goto("/c/school/admin");
  await say(page, "people", "7001,No Script,,g7\n");
  await press(page, "Import them and show their codes");
  const [code] = (await page.locator("main tbody code").first().textContent()).match(CODE);
  await page.goto("/c/school/admin");
  await say(page, "deadline-name", "Plain");
  await say(page, "at", minute(Date.now() + 3_600_000));
  await press(page, "Set a deadline");
  assert.equal(await page.getByRole("heading", { name: "Plain" }).count(), 1);
  await page.locator("#into").selectOption({ label: "g7" });
  await page.locator("tr", { hasText: "dora" }).getByRole("button", { name: "Assign" }).click();
  assert.match(await page.locator("tr", { hasText: "dora" }).textContent(), /g7/);
  await page.locator("#into").selectOption("");
  await page.locator("tr", { hasText: "dora" }).getByRole("button", { name: "Assign" }).click();
  assert.doesNotMatch(await page.locator("tr", { hasText: "dora" }).textContent(), /g7/);
  await page.getByRole("link", { name: "What was done (audit log)" }).click();
  assert.ok(await page.locator("tbody tr").count() > 5);
  return code;
}

export const withoutScript = async ({ field, visit }) => {
  const { school, people: { grace } } = await field();
  const site = visit(school);
  const code = await site.with({ person: grace, script: false }, administers);
  await site.with({ script: false }, (page) => studies(page, code));
};
