// Opens the pages of `pitmaster serve` in a real browser and uses them as students, staff and
// strangers do.
//
//   node server.mjs [--short] [--program PITMASTER] [--shots FOLDER] [--only CHECK,CHECK]
//
// `--short` visits a part of the pages in one language and scheme each, and takes a part of the
// payloads. The program is target/debug/pitmaster unless named; the browser is Debian's, or what
// CHROMIUM names.

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "./open.mjs";
import { School } from "./school.mjs";
import { Site } from "./visit.mjs";
import { fill } from "./checks/server/field.mjs";
import * as access from "./checks/server/access.mjs";
import * as games from "./checks/server/games.mjs";
import * as live from "./checks/server/live.mjs";
import * as origins from "./checks/server/origins.mjs";
import * as payloads from "./checks/server/payloads.mjs";
import * as play from "./checks/server/play.mjs";
import * as staff from "./checks/server/staff.mjs";
import * as students from "./checks/server/students.mjs";
import * as weight from "./checks/server/weight.mjs";

const CHECKS = { ...students, ...staff, ...games, ...live, ...play, ...weight, ...origins, ...access, ...payloads };

const { values } = parseArgs({
  options: { short: { type: "boolean", default: false }, program: { type: "string" }, shots: { type: "string" }, only: { type: "string" } },
});
const program = values.program ?? fileURLToPath(new URL("../../target/debug/pitmaster", import.meta.url));
const shots = values.shots ?? fs.mkdtempSync(path.join(os.tmpdir(), "pitmaster-shots-"));
fs.mkdirSync(shots, { recursive: true });
const wanted = values.only?.split(",") ?? Object.keys(CHECKS);

// A check that fails leaves promises behind.
process.on("unhandledRejection", () => {});
const browser = await launch();
const schools = [];
// A course of its own for a check.
const open = async (settings) => {
  const school = await School.open(program, settings);
  schools.push(school);
  return school;
};
let field = null;
const tools = {
  short: values.short, shots, open,
  visit: (school) => new Site(browser, school),
  // The course that most checks share.
  field: async () => (field ??= await fill(await open())),
};

async function examine(name) {
  const sites = [];
  const visit = (school) => {
    const site = tools.visit(school);
    sites.push(site);
    return site;
  };
  const begun = performance.now();
  try {
    const told = await CHECKS[name]({ ...tools, visit });
    assert.deepEqual(sites.flatMap((site) => site.complaints), [], "the pages complained, or asked for something");
    console.log(`ok    ${name}${told ? ` (${told})` : ""} ${Math.round(performance.now() - begun)} ms`);
    return true;
  } catch (error) {
    const complaints = sites.flatMap((site) => site.complaints).join("\n");
    console.log(`FAIL  ${name}\n${error.stack}\n${complaints}`);
    return false;
  }
}

let failed = 0;
try {
  for (const name of wanted) failed += !await examine(name);
} finally {
  await browser.close();
  await Promise.all(schools.map((school) => school.close()));
  if (!values.shots) fs.rmSync(shots, { recursive: true, force: true });
}
console.log(failed === 0 ? "all checks passed" : `${failed} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
