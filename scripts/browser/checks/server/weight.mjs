// How heavy pages are, when they show something on a slow machine, and whom they ask for anything.

import assert from "node:assert/strict";
import { pages } from "./field.mjs";

const MOST_KB = 150;
const SLOWER = 4;
const WANTED_MS = 1000;
// Machines of tests are busy.
const MOST_MS = 5000;

export const pagesAreLight = async ({ field, visit, short }) => {
  const all = await field();
  const site = visit(all.school);
  let heaviest = [0, ""];
  let asked = 0;
  for (const [name, person, address] of pages(all).filter((_, at) => !short || at % 3 === 0)) {
    await site.with({ person, mayFail: true }, async (page) => {
      const bodies = [];
      page.on("response", (response) => bodies.push(response.body().catch(() => "")));
      await page.goto(address, { waitUntil: "load" });
      const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
      // The replay of a game is data, not a page.
      const games = await page.locator("script#page").evaluateAll((one) => one.map((script) => script.textContent.length)).then(([length]) => length ?? 0);
      const weight = (bytes - games) / 1000;
      if (weight > heaviest[0]) heaviest = [weight, name];
      assert.ok(weight < MOST_KB, `${name} has ${weight} kB with its style and script`);
    });
  }
  asked = site.requests;
  return `the heaviest is ${heaviest[1]} with ${Math.round(heaviest[0])} kB; ${asked} requests, all of the server`;
};

export const firstPaint = async ({ field, visit, short }) => {
  const all = await field();
  const site = visit(all.school);
  let slowest = [0, ""];
  const some = pages(all).filter(([name]) => !short || ["ladder", "me", "game"].includes(name));
  for (const [name, person, address] of some) {
    const took = await site.with({ person, mayFail: true }, async (page, context) => {
      const devices = await context.newCDPSession(page);
      await devices.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      await page.goto(address);
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    });
    if (took > slowest[0]) slowest = [took, name];
    assert.ok(took < MOST_MS, `${name} was painted after ${took} ms`);
  }
  return `with a processor ${SLOWER} times slower, the slowest of ${some.length} pages, ${slowest[1]}, is painted after ${Math.round(slowest[0])} ms of at most ${WANTED_MS}`;
};
