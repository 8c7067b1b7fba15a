// What the staff does: imports a whole year, prints its codes, sets a deadline, freezes it, writes
// the final, plays and grades it.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { axe, sticking } from "../../axe.mjs";
import { PHONE } from "../../open.mjs";
import { bot, CODE, until } from "../../school.mjs";
import { minute } from "./field.mjs";

const PEOPLE = 300;

const list = () => Array.from({ length: PEOPLE }, (_, at) => `${2_000_000 + at};Prénom-${at} Nom;p${at}@example.org;Groupe ${1 + Math.floor(at / 3)}`).join("\n");

async function importAll(page, school, shots) {
  await page.goto(school.teacher.at("/admin"));
  // As a spreadsheet gives it to the clipboard: pasted, not typed.
  await page.locator("#people").focus();
  await page.evaluate((text) => {
    const field = document.activeElement;
    field.setRangeText(text, 0, field.value.length, "end");
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
  }, `Numéro;Nom;Mail;Groupe\n${list()}\n`);
  const begun = performance.now();
  await page.getByRole("button", { name: "Import them and show their codes" }).click();
  await page.waitForSelector(".made");
  const took = Math.round(performance.now() - begun);
  const rows = page.locator("main tbody tr");
  assert.equal(await rows.count(), PEOPLE);
  const codes = (await page.locator("main tbody code").allTextContents()).filter((text) => text.match(CODE));
  assert.equal(new Set(codes).size, PEOPLE, "a code for each");
  const file = path.join(shots, "codes.pdf");
  await page.pdf({ path: file, format: "A4" });
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("nav:visible, header:visible").count(), 0, "paper has no navigation");
  assert.ok(await rows.last().locator("code").isVisible());
  await page.emulateMedia({ media: "screen" });
  const pages = (fs.readFileSync(file).toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
  assert.ok(pages >= 4, `${pages} pages of paper`);
  return `${PEOPLE} people in ${took} ms, codes on ${pages} pages`;
}

async function assign(page, school) {
  await page.goto(school.teacher.at("/admin"));
  await page.getByLabel("Filter").fill("prenom-299 ");
  const rows = page.locator("section[aria-labelledby=people-title] tbody tr:visible");
  assert.equal(await rows.count(), 1);
  await page.getByLabel("Group for “Assign”").selectOption({ label: "groupe-1" });
  await rows.first().getByRole("button", { name: "Assign" }).click();
  await page.waitForURL(/\/admin$/);
  await page.getByLabel("Filter").fill("prenom-299 ");
  assert.match(await rows.first().textContent(), /groupe-1(?!\d)/);
}


export const aYearOfPeople = async ({ open, visit, shots }) => {
  const school = await open();
  return visit(school).with({ person: school.teacher }, async (page) => {
    const told = await importAll(page, school, shots);
    await assign(page, school);
    const { length } = await page.content();
    return `${told}; administration ${Math.round(length / 1000)} kB`;
  });
};
// Grades the final by the example of the page, and shows students their grades.
async function grade(page, school) {
  const address = school.teacher.at("/admin/grades");
  await page.goto(address);
  const example = await page.locator("pre.text").textContent();
  await axe(page, "grades without rules");
  const folder = path.join(school.folder, "grades", school.course);
  fs.mkdirSync(folder, { recursive: true });
  // Parts that the teacher grades by hand have a file of their own.
  fs.writeFileSync(path.join(folder, "grading.toml"), example.split("[[part]]")[0]);
  await page.goto(address);
  const rows = page.locator("section[aria-labelledby=grades-title] tbody tr");
  const count = await rows.count();
  assert.ok(count >= 2, "each student has a grade");
  await axe(page, "grades");
  assert.deepEqual(await sticking(page), []);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "moodle.csv" }).click()]);
  const lines = fs.readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.equal(lines.length, count + 1, "Moodle's file has a line for each of them");
  await page.getByRole("button", { name: "Show students their grades" }).click();
  await page.getByText("Students see their grades by this final:").waitFor();
  return count;
}

// The page of the own group has the own grade with its reasons.
async function seesTheGrade(page, student) {
  await page.goto(student.at("/me"));
  const grade = page.locator("section[aria-labelledby=grade-title]");
  assert.match(await grade.textContent(), /beats random/);
  await axe(page, "own grade");
  assert.deepEqual(await sticking(page), []);
}

// Replaces a frozen version by itself, with a reason that the audit log has.
async function replaces(page, school) {
  await page.getByRole("link", { name: "Frozen versions: 2 / 2" }).click();
  await axe(page, "frozen versions");
  await page.locator("tr", { hasText: "g2" }).getByRole("link", { name: "Replace it" }).click();
  await axe(page, "another frozen version");
  assert.deepEqual(await sticking(page), []);
  await page.locator("#why").fill("looked at again");
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.waitForURL(/\/deadlines\/[^/?]*$/);
  await page.goto(school.teacher.at("/admin/audit"));
  await page.getByText("looked at again").waitFor();
  await page.goto(school.teacher.at("/admin"));
}

// The deadline lies a minute ahead, because only what was handed in before it counts.
export const deadlineFreezeFinal = async ({ open, visit, short }) => {
  if (short) return "not in a short run: it waits for a minute to pass";
  const school = await open();
  const { ada, bob } = await school.students({ ada: "g1", bob: "g2" });
  for (const [person, name, place] of [[ada, "g1.sower", 0], [bob, "g2.reaper", 2]]) {
    await person.done(person.at("/bots"), { name: name.slice(3) });
    await person.handIn(name, "bot.py", bot(place));
  }
  await Promise.all([school.verdict(ada, "g1.sower", 1), school.verdict(bob, "g2.reaper", 1)]);
  return visit(school).with({ person: school.teacher }, async (page) => {
    const at = minute(Date.now() + 60_000);
    await page.goto(school.teacher.at("/admin"));
    await page.locator("#deadline-name").fill("Project 1");
    await page.locator("#at").fill(at);
    await page.locator("#grace").fill("0");
    await page.getByRole("button", { name: "Set a deadline" }).click();
    await page.getByRole("heading", { name: "Project 1" }).waitFor();
    await until("the deadline", () => Date.now() > Date.parse(`${at}Z`) + 1000);
    await page.getByRole("button", { name: "Freeze what counts" }).click();
    await page.getByText("Frozen versions: 2 / 2").waitFor();
    await replaces(page, school);
    await page.getByRole("button", { name: "Write a final" }).click();
    const command = await page.locator("article code").first().textContent();
    assert.match(command, /^pitmaster run .*project-1\.toml/);
    assert.ok(fs.existsSync(path.join(school.folder, "finals", school.course, "project-1.toml")));
    await page.getByRole("button", { name: "Play it here" }).click();
    await page.getByText("All games are played.").waitFor({ timeout: 300_000 });
    await page.getByRole("button", { name: "Publish its results" }).click();
    await page.getByRole("link", { name: "Published results" }).waitFor();
    const rows = await grade(page, school);
    await visit(school).with({ person: ada, viewport: PHONE }, (phone) => seesTheGrade(phone, ada));
    await page.goto(school.teacher.at("/admin"));
    await page.locator("#visibility").selectOption("world");
    await page.getByRole("button", { name: "Save the settings" }).click();
    await visit(school).with({ person: school.guest() }, async (guest) => {
      await guest.goto(school.teacher.at("/ladder/practice"));
      await guest.getByRole("link", { name: "g1.sower" }).first().waitFor();
    });
    return `${command.replace(/\S*\/finals/g, "…/finals")}; ${rows} graded`;
  });
};
