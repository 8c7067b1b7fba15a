// Replays of games on the server, links to a ply, games as files; a ladder of many rows that is
// sorted and filtered in the page.

import assert from "node:assert/strict";
import fs from "node:fs";

const ROWS = 300;
const MOST_MS = 200;

// The replay stands at a ply.
const stands = (page, ply) => page.waitForFunction((wanted) => document.querySelector("#replay input[type=range]")?.value === String(wanted), ply);

export const replaysAGame = async ({ field, visit }) => {
  const { school, game, people: { ada, guest } } = await field();
  const address = ada.at(`/games/${game}`);
  return visit(school).with({ person: ada, acceptDownloads: true }, async (page, context) => {
    await page.goto(address);
    await stands(page, 0);
    const slider = page.locator("#replay input[type=range]");
    const last = Number(await slider.getAttribute("max"));
    await page.getByRole("button", { name: "Last position" }).click();
    await stands(page, last);
    assert.match(await page.locator("#replay .status").textContent(), new RegExp(`\\b${last}\\b.*\\b${last}\\b`));
    await page.getByRole("button", { name: "Previous ply" }).click();
    await stands(page, last - 1);
    await slider.focus();
    await page.keyboard.press("Home");
    await stands(page, 0);

    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the game" }).click()]);
    assert.equal(download.suggestedFilename(), "lost.json");
    const file = JSON.parse(fs.readFileSync(await download.path(), "utf8"));
    const told = await school.run("replay", await download.path()).catch((error) => `${error.stdout}${error.stderr}`);
    assert.ok(told.includes("g1.sower"), told);
    const answer = await guest.get(`${address}/lost.json`);
    assert.ok([401, 404].includes(answer.status), "not for guests");

    const ply = Math.min(7, last);
    const linked = await context.newPage();
    await linked.goto(`${address}#ply=${ply}`);
    await stands(linked, ply);
    assert.equal((await linked.locator("#replay tr.current td").first().textContent()).trim(), String(ply), "the move is marked");
    await linked.evaluate(() => { location.hash = "#ply=3"; });
    await stands(linked, 3);
    return `${last} plies, ${Object.keys(file).length} keys in lost.json`;
  });
};

// The same moves without script as in the replay.
export const movesWithoutScript = async ({ field, visit }) => {
  const { school, game, people: { ada } } = await field();
  const moves = (page, column) => page.locator("#replay table.moves tbody tr:not(.said)").evaluateAll((rows, at) => rows.map((row) => (row.cells[at].querySelector(".move") ?? row.cells[at].firstChild).textContent), column);
  const site = visit(school);
  const scripted = await site.with({ person: ada }, async (page) => {
    await page.goto(ada.at(`/games/${game}`));
    await stands(page, 0);
    return moves(page, 1);
  });
  const bare = await site.with({ person: ada, script: false }, async (page) => {
    await page.goto(ada.at(`/games/${game}`));
    return moves(page, 2);
  });
  assert.ok(bare.length > 5 && bare.every(Boolean));
  assert.deepEqual(scripted, bare);
  return `${bare.length} moves`;
};

// The ladder's page with many rows, made of a row of its own.
async function grow(page, address) {
  await page.route((url) => url.pathname === address, async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    const row = /<tr[^>]*>(?:(?!<\/tr>).)*\/bots\/g1\.sower.*?<\/tr>/s.exec(html)[0];
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const cells = [at + 1, 1 + at % 7, 2000 - at * 4, (at * 13) % 90 + 10, (at * 37) % 500];
      const [rank, version, elo, within, games] = cells;
      return row.replaceAll("g1.sower", `g${at}.sower-${at % 10}`)
        .replace(/(<td class="number">)[^<]*/, `$1${rank}`)
        .replace(/(<\/th><td class="number">)[^<]*(<\/td>\s*<td class="number">)[^<]*(<\/td><td class="number" data-value=")[^"]*(">)[^<]*/, `$1${version}$2${elo}$3${within}$4± ${within}`)
        .replace(/(games\?bot=[^>]*>)[^<]*/, `$1${games}`);
    });
    await route.fulfill({ response: answer, body: html.replace(/<tbody>.*<\/tbody>/s, `<tbody>${rows.join("\n")}</tbody>`) });
  });
}

const column = (page, at) => page.locator("#table tbody tr:visible").evaluateAll((rows, cell) => rows.map((row) => row.cells[cell].dataset.value ?? row.cells[cell].textContent.trim()), at);

// How long it takes until the browser has shown what a change leads to.
const timed = (page, change, value) => page.evaluate(async ([what, given]) => {
  const changes = {
    sort: (at) => document.querySelectorAll("#table th[data-sort] button")[at].click(),
    filter: (text) => {
      const field = document.querySelector(".filter input");
      field.value = text;
      field.dispatchEvent(new Event("input"));
    },
  };
  const frame = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
  await frame();
  const begun = performance.now();
  changes[what](given);
  // The next frame has the new layout.
  document.body.getBoundingClientRect();
  await frame();
  return performance.now() - begun;
}, [change, value]);

export const ladderOfManyRows = async ({ field, visit }) => {
  const { school, people: { ada } } = await field();
  const address = ada.at("/ladder/practice");
  return visit(school).with({ person: ada }, async (page) => {
    await grow(page, address);
    await page.goto(address);
    assert.equal(await page.locator("#table tbody tr").count(), ROWS);
    const headings = page.locator("#table th[data-sort]");
    let slowest = 0;
    for (let at = 0; at < await headings.count(); at += 1) {
      const isNumber = await headings.nth(at).getAttribute("data-sort") === "number";
      for (let click = 0; click < 2; click += 1) {
        slowest = Math.max(slowest, await timed(page, "sort", at));
        const way = await headings.nth(at).getAttribute("aria-sort");
        const values = (await column(page, at)).map((value) => (isNumber ? Number(value) : value));
        const compare = isNumber ? (one, other) => one - other : new Intl.Collator("en", { numeric: true }).compare;
        const sorted = [...values].sort(way === "ascending" ? compare : (one, other) => compare(other, one));
        assert.deepEqual(values, sorted, `column ${at}, ${way}`);
      }
    }
    const filter = page.getByLabel("Filter");
    slowest = Math.max(slowest, await timed(page, "filter", "sower-7"));
    assert.equal((await column(page, 1)).length, ROWS / 10);
    assert.equal(await page.locator(".filter .count").textContent(), `${ROWS / 10} of ${ROWS}`);

    // The order and the filter stay when the page looks again.
    const shown = await column(page, 1);
    await filter.press("Tab");
    await page.waitForResponse((response) => response.request().headers()["x-refresh"] === "1", { timeout: 60_000 });
    await page.waitForTimeout(300);
    assert.deepEqual(await column(page, 1), shown);
    await filter.fill("");
    assert.equal((await column(page, 1)).length, ROWS);
    assert.ok(slowest < 5 * MOST_MS, `${slowest} ms`);
    return `the slowest of 21 changes of ${ROWS} rows took ${Math.round(slowest)} ms of at most ${MOST_MS}`;
  });
};
