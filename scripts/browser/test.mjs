// Opens reports in a real browser and uses them as people do.
//
//   node test.mjs [--short] [--shots FOLDER] [--only CHECK,CHECK] REPORT...
//
// A report is the folder of a tournament that holds report.html, or that file. `--short` replays
// 20 games a tournament instead of all, and asks axe about the first tournament only. The browser is Debian's, or what CHROMIUM names.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { launch, Report } from "./open.mjs";
import * as access from "./checks/access.mjs";
import * as games from "./checks/games.mjs";
import * as keys from "./checks/keys.mjs";
import * as links from "./checks/links.mjs";
import * as looks from "./checks/looks.mjs";
import * as tables from "./checks/tables.mjs";

const SLOWEST_MS = 10_000;

async function opens(report) {
  const first = await report.with({}, (page) => page.evaluate(() => performance.now()));
  const size = (fs.statSync(report.file).size / 1e6).toFixed(2);
  assert.ok(first < SLOWEST_MS, `it took ${first} ms to open`);
  return `${size} MB, lists its games after ${Math.round(first)} ms`;
}

const CHECKS = { opens, ...tables, ...links, ...games, ...keys, ...access, ...looks };

async function examine(report) {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    report.complaints.length = 0;
    const begun = performance.now();
    try {
      const told = await check(report);
      assert.deepEqual(report.complaints, [], "the page complained, or asked for something");
      console.log(`ok    ${report.name}: ${name}${told ? ` (${told})` : ""} ${Math.round(performance.now() - begun)} ms`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${report.name}: ${name}\n${error.stack}\n${report.complaints.join("\n")}`);
    }
  }
  return failed;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, shots: { type: "string" }, only: { type: "string" } },
});
if (positionals.length === 0) {
  console.error("usage: node test.mjs [--short] [--shots FOLDER] REPORT...");
  process.exit(2);
}
if (values.only) for (const name of Object.keys(CHECKS)) if (!values.only.split(",").includes(name)) delete CHECKS[name];

const browser = await launch();
let failed = 0;

// Examines the reports that are left, one after another.
async function work(left) {
  for (let named = left.shift(); named !== undefined; named = left.shift()) {
    const report = new Report(browser, named, { short: values.short });
    report.shots = path.join(values.shots ?? path.join(path.dirname(report.file), "shots"), values.shots ? report.name : "");
    fs.mkdirSync(report.shots, { recursive: true });
    const faults = await examine(report);
    failed += faults;
  }
}

try {
  // Two at a time: the checks wait for what moves on the page most of the time.
  await Promise.all([work(positionals), work(positionals)]);
} finally {
  await browser.close();
}
console.log(failed === 0 ? "all checks passed" : `${failed} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
