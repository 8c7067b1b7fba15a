// What a student does: joins, logs in, hands in a bot that fails and then one that plays.

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { bot, BROKEN, PASSPHRASE } from "../../school.mjs";

const WANTED_S = 90;
// Busy machines only take longer.
const MOST_S = 5 * WANTED_S;

// Drops a file on the form of a bot, as a hand does with the mouse.
async function drop(page, name, content) {
  const data = await page.evaluateHandle(([file, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], file, { type: "text/x-python" }));
    return transfer;
  }, [name, content]);
  const zone = page.locator("form.drop").first();
  for (const event of ["dragenter", "dragover"]) await zone.dispatchEvent(event, { dataTransfer: data });
  assert.ok(await zone.evaluate((form) => form.classList.contains("over")), "the zone shows that it takes the file");
  await zone.dispatchEvent("drop", { dataTransfer: data });
  assert.equal(await zone.locator("input[type=file]").evaluate((input) => input.files[0].name), name);
}

// Waits until the page of a version shows one of these states by itself.
async function becomes(page, states) {
  await page.evaluate(() => { globalThis.notReloaded = true; });
  await page.waitForFunction((wanted) => wanted.includes(document.querySelector("#state strong")?.textContent), states);
  assert.ok(await page.evaluate(() => globalThis.notReloaded), "without a reload");
}

const say = (page, label, text) => page.getByLabel(label, { exact: true }).fill(text);

export const fromCodeToLadder = async ({ open, visit }) => {
  const school = await open();
  const { eve } = await school.codes({ eve: "g5" });
  const site = visit(school);
  const seconds = await site.with({}, async (page) => {
    const begun = performance.now();
    await page.goto("/join");
    await say(page, "Code of the invitation", eve.toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await say(page, "Login", "eve");
    await say(page, "Passphrase", PASSPHRASE);
    await page.getByRole("button", { name: "Join", exact: true }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Log in" }).first().click();
    await say(page, "Login", "eve");
    await say(page, "Passphrase", PASSPHRASE);
    await page.getByRole("main").getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "school" }).last().click();
    await page.getByRole("link", { name: "Hand in a bot" }).click();
    await say(page, "Name: small letters, digits, - and _", "sower");
    await page.getByRole("button", { name: "Add a bot" }).click();
    await page.waitForSelector("form.drop");

    await drop(page, "bot.py", BROKEN);
    await page.getByRole("button", { name: "Hand in a version" }).click();
    await page.waitForURL(/\/versions\/1$/);
    await becomes(page, ["validation failed"]);
    const finding = await page.locator("#state pre").first().textContent();
    assert.match(finding, /99X/, "the line that was no move");
    assert.match(finding, /I count beyond the board/, "what the bot wrote to standard error");

    await page.getByRole("link", { name: "My group" }).click();
    await page.locator("form.drop input[type=file]").setInputFiles({ name: "bot.py", mimeType: "text/x-python", buffer: Buffer.from(bot(0, "better")) });
    await say(page, "Note for your group (optional)", "counts right");
    await page.getByRole("button", { name: "Hand in a version" }).click();
    await page.waitForURL(/\/versions\/2$/);
    await becomes(page, ["valid", "plays"]);
    return (performance.now() - begun) / 1000;
  });
  assert.ok(seconds < MOST_S, `${seconds} s`);
  return `${seconds.toFixed(1)} s of at most ${WANTED_S} on an idle machine`;
};

// A group asks for games of its own, watches them come, and replays one.
export const asksForGames = async ({ field, visit }) => {
  const { school, people: { ada, bob } } = await field();
  const site = visit(school);
  const games = await site.with({ person: ada }, async (page) => {
    await page.goto(school.guest().at("/me"));
    await page.getByLabel("Opponent", { exact: true }).selectOption("house-random");
    await say(page, "Pairs", "2");
    await page.getByRole("button", { name: "Ask for games" }).click();
    await page.waitForURL(/\/asks\/[^/]*$/);
    await page.evaluate(() => { globalThis.notReloaded = true; });
    await page.waitForFunction(() => document.querySelector("#asked [role=status]")?.textContent === "all games were played");
    assert.ok(await page.evaluate(() => globalThis.notReloaded), "without a reload");
    const links = await page.locator("#asked tbody a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    await page.locator("#asked tbody a").first().click();
    await page.waitForSelector("#replay svg, #replay table");
    await page.getByRole("link", { name: "My group" }).first().click();
    assert.match(await page.locator("#notes").textContent(), /The games of .* against house-random were played/);
    return links;
  });
  assert.equal(games.length, 4);
  for (const game of games) assert.equal((await bob.get(game)).status, 404, "another group sees them");
  return `${games.length} games`;
};

// The versions on the page of a group change while somebody writes a note.
export const groupSeesItsVersions = async ({ field, visit }) => {
  const { school, people: { ada } } = await field();
  await visit(school).with({ person: ada }, async (page) => {
    await page.goto(ada.at("/me"));
    await page.getByLabel("Note for your group (optional)").first().fill("not lost");
    await ada.handIn("g1.sower", "bot.py", bot(1));
    await page.waitForFunction(() => document.querySelector("[id^=versions] tbody tr")?.textContent.includes("2"), null, { timeout: 60_000 });
    assert.equal(await page.getByLabel("Note for your group (optional)").first().inputValue(), "not lost");
    assert.ok(await page.evaluate(() => document.activeElement.matches("input[name=note]")), "the focus stays");
  });
};

// While a page follows its stream, it asks for nothing, and shows what is new as soon as it is told.
export const pageIsTold = async ({ field, visit }) => {
  const { school, people: { ada } } = await field();
  return visit(school).with({ person: ada }, async (page) => {
    const asked = [];
    page.on("request", (request) => {
      if (request.headers()["x-refresh"]) asked.push(performance.now());
    });
    const opened = page.waitForResponse((response) => response.url().includes("/stream?watch=queue,mine"));
    await page.goto(ada.at("/me"));
    assert.equal((await opened).status(), 200);
    const before = await page.locator("#notes li").count();
    await ada.handIn("g1.sower", "bot.py", bot(3, "told at once"));
    const sent = performance.now();
    await page.waitForFunction((count) => document.querySelectorAll("#notes li").length > count, before);
    const took = performance.now() - sent;
    const number = await page.locator("[id^=versions] tbody th a").first().textContent();
    await page.waitForFunction(() => /plays/.test(document.querySelector("[id^=versions] tbody tr")?.textContent), null, { timeout: 120_000 });
    assert.ok(asked.length > 0, "it asked when it was told");
    return `version ${number} after ${Math.round(took)} ms, asked ${asked.length} times`;
  });
};

// A fifth page of a session has no stream, and shows what is new all the same.
export const fifthPageAsks = async ({ field, visit }) => {
  const { school, people: { bob } } = await field();
  const streams = [];
  for (let at = 0; at < 4; at += 1) {
    const request = http.request(school.origin + bob.at("/stream?watch=queue"), { headers: { cookie: bob.cookie }, agent: false });
    request.end();
    const [response] = await once(request, "response");
    assert.equal(response.statusCode, 200);
    response.resume();
    streams.push(request);
  }
  const site = visit(school);
  await site.with({ person: bob }, async (page) => {
    const refused = page.waitForResponse((response) => response.url().includes("/stream"));
    await page.goto(bob.at("/me"));
    assert.equal((await refused).status(), 429);
    const asked = page.waitForRequest((request) => request.headers()["x-refresh"], { timeout: 60_000 });
    await bob.handIn("g2.reaper", "bot.py", bot(4));
    await asked;
    await page.waitForFunction(() => document.querySelector("[id^=versions] tbody tr")?.textContent.includes("2"), null, { timeout: 60_000 });
  });
  for (const request of streams) request.destroy();
  // The browser says itself that the stream was refused.
  site.complaints = site.complaints.filter((what) => !what.includes("429"));
};

// A server that is away is asked again later, and the page goes on by itself.
export const pageOutlivesTheServer = async ({ field, visit, short }) => {
  if (short) return "not in a short run";
  const { school, people: { ada } } = await field();
  const site = visit(school);
  await site.with({ person: ada }, async (page, context) => {
    await page.goto(ada.at("/me"));
    const before = site.requests;
    await context.route("**/*", (route) => route.abort());
    await page.waitForFunction(() => true);
    await page.waitForTimeout(20_000);
    assert.ok(site.requests - before <= 3, `${site.requests - before} requests in 20 s`);
    await context.unroute("**/*");
    const answered = page.waitForResponse((response) => response.ok(), { timeout: 60_000 });
    await answered;
  });
  site.complaints = site.complaints.filter((what) => !what.includes("ERR_FAILED"));
};
