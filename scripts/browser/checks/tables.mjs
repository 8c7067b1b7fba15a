// Tables sort by every heading, both ways; the filter leaves what it says.

import assert from "node:assert/strict";

// What a column's cells sort by, and how they read, row by row.
const column = (heading) => heading.evaluate((th) => {
  const at = [...th.parentElement.cells].indexOf(th);
  const rows = [...th.closest("table").tBodies[0].rows];
  return rows.map((row) => row.cells[at].dataset.value ?? row.cells[at].textContent.trim());
});

function inOrder(values, kind, lang) {
  const collator = new Intl.Collator(lang, { numeric: true, sensitivity: "base" });
  const compare = kind === "number" ? (a, b) => Number(a) - Number(b) : collator.compare;
  const full = values.filter((value) => value !== "" && !(kind === "number" && Number.isNaN(Number(value))));
  const ends = values.slice(full.length).every((value) => !full.includes(value));
  const ups = full.slice(1).map((value, at) => Math.sign(compare(full[at], value)));
  return { up: ends && ups.every((sign) => sign <= 0), down: ends && ups.every((sign) => sign >= 0) };
}

async function sortBoth(heading, lang) {
  const kind = await heading.getAttribute("data-sort");
  const before = await column(heading);
  const ways = [];
  for (let click = 0; click < 2; click += 1) {
    await heading.locator("button").click();
    const way = await heading.getAttribute("aria-sort");
    const after = await column(heading);
    const found = inOrder(after, kind, lang);
    assert.ok(way === "ascending" ? found.up : found.down, `${way}: ${after.join(" | ")}`);
    assert.deepEqual([...after].sort(), [...before].sort(), "the same cells");
    ways.push(way);
  }
  assert.deepEqual(ways.sort(), ["ascending", "descending"]);
}

async function sortAll(page, scope) {
  const lang = await page.getAttribute("html", "lang");
  const headings = await page.locator(`${scope} table.sortable th[data-sort]`).all();
  for (const heading of headings) await sortBoth(heading, lang);
  return headings.length;
}

export const sorts = (report) => report.with({}, async (page) => {
  const count = await sortAll(page, "main");
  assert.ok(count > 0, "there are columns to sort");
  return `${count} columns`;
});

export const sortsRecords = async (report) => {
  const [{ key, own }] = await report.tournaments();
  return report.with({ hash: `#bot=${key}:${own[0]}` }, async (page) => {
    await page.waitForSelector("dialog.of-bot table.sortable");
    return `${await sortAll(page, "dialog.of-bot")} columns`;
  });
};

export const filters = (report) => report.with({}, async (page) => {
  const tables = await page.locator("main table[data-filter]").all();
  for (const table of tables) {
    const all = await table.locator("tbody tr").count();
    const name = (await table.locator("tbody th").first().textContent()).trim();
    const box = page.locator(".filter").nth(tables.indexOf(table));
    const word = name.split(/\s/)[0].toUpperCase();
    await box.locator("input").fill(word);
    const left = await table.locator("tbody tr:visible").allTextContents();
    const strip = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    assert.ok(left.length >= 1 && left.every((text) => strip(text).includes(strip(word))), left.join("\n"));
    const told = await box.locator(".count").textContent();
    assert.deepEqual(told.match(/\d+/g), [String(left.length), String(all)], told);
    await box.locator("input").fill("no bot is called so");
    assert.equal(await table.locator("tbody tr:visible").count(), 0);
    await box.locator("input").fill("");
    assert.equal(await table.locator("tbody tr:visible").count(), all);
  }
  return `${tables.length} tables`;
});
