// Opens a report and watches it: whatever it complains about, asks for or pops up is kept.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

export const DESK = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

// A report in a folder, or named itself.
export class Report {
  constructor(browser, named, options) {
    Object.assign(this, options);
    this.browser = browser;
    this.file = fs.statSync(named).isDirectory() ? path.join(named, "report.html") : named;
    this.url = pathToFileURL(path.resolve(this.file)).href;
    this.name = path.basename(path.dirname(path.resolve(this.file)));
    this.complaints = [];
  }

  // Whether the page may ask for that: itself, and its own chunks beside it.
  isOwn(url) {
    if (url.startsWith("data:") || url.startsWith("blob:")) return true;
    const folder = this.url.slice(0, this.url.lastIndexOf("/") + 1);
    if (url.split("#")[0] === this.url) return true;
    return url.startsWith(folder) && /^[\w.-]+\/t\d+-games-\d+\.js$/.test(url.slice(folder.length));
  }

  watch(page) {
    const complain = (what) => this.complaints.push(what);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complain(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => complain(`error: ${error.message}`));
    page.on("request", (request) => this.isOwn(request.url()) || complain(`request: ${request.url()}`));
    page.on("dialog", (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("popup", (popup) => complain(`window: ${popup.url()}`));
  }

  // Lends a page of its own to `use`, and asks afterwards whether a text of the data became code.
  async with({ hash = "", script = true, ...context }, use) {
    const opened = await this.browser.newContext({ viewport: DESK, colorScheme: "light", javaScriptEnabled: script, ...context });
    const page = await opened.newPage();
    // Not a promise of speed: a busy machine only takes longer.
    page.setDefaultTimeout(120_000);
    this.watch(page);
    try {
      await page.goto(this.url + hash);
      if (script) await ready(page);
      const answer = await use(page);
      if (script && await page.evaluate(() => "hacked" in window)) this.complaints.push("a text of the data was run");
      return answer;
    } finally {
      await opened.close();
    }
  }

  tournaments() {
    return this.with({}, (page) => page.evaluate(() => pitmaster.data.tournaments.map(({ key, games, bots }) =>
      ({ key, games, bots: bots.length, own: bots.flatMap((bot, at) => (bot.own ? [at] : [])) }))));
  }
}

// Waits until every list of games stands.
export const ready = (page) => page.waitForFunction(() =>
  [...document.querySelectorAll("div.games[data-tournament]")].every((place) => place.querySelector("table, .note")));

export const goto = (page, hash) => page.evaluate((to) => { location.hash = to; }, hash);

// Waits until a game stands in its dialog, at that ply if one is given.
export const opened = async (page, ply) => {
  await page.waitForSelector("dialog.of-game[open] svg.board .hole");
  if (ply === undefined) return;
  await page.waitForFunction((wanted) => document.querySelector("dialog.of-game input[type=range]")?.value === String(wanted), ply);
};

// Numbers that look random and are the same every time.
export const draw = (seed) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
