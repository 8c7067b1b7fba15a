// A course in mid-semester, which the other checks visit: groups with bots that play, one whose
// version failed, a deadline, games.

import { until, bot, BROKEN } from "../../school.mjs";

const DAY = 24 * 3600 * 1000;

// A time as the field of a form holds it.
export const minute = (at) => new Date(at).toISOString().slice(0, 16);

export async function fill(school) {
  const people = await school.students({ ada: "g1", bob: "g2", cleo: "g3", dora: "" });
  const { teacher } = school;
  people.grace = teacher;
  people.guest = school.guest();
  const { ada, bob, cleo } = people;
  await cleo.done(cleo.at("/bots"), { name: "broken" });
  await cleo.handIn("g3.broken", "bot.py", BROKEN, "counts wrong");
  await ada.done(ada.at("/bots"), { name: "sower" });
  await ada.handIn("g1.sower", "bot.py", bot(0, "I take the first one"), "first try");
  await bob.done(bob.at("/bots"), { name: "reaper" });
  await bob.handIn("g2.reaper", "bot.py", bot(2));
  await teacher.done(teacher.at("/admin/deadlines"), { name: "Project 1", at: minute(Date.now() + 3 * DAY), grace: "10", policy: "chosen" });
  await school.verdict(cleo, "g3.broken", 1);
  const games = () => teacher.get(teacher.at("/ladder/practice/games?bot=g1.sower"));
  await until("games of a bot", async () => /\/games\/practice\.[^"]*"/.test((await games()).text));
  await until("a table with two bots", async () => {
    const { text } = await teacher.get(teacher.at("/ladder/practice"));
    return text.includes("/bots/g1.sower") && text.includes("/bots/g2.reaper");
  });
  const [, game] = /\/games\/(practice\.[^"]*)"/.exec((await games()).text);
  return { school, people, game };
}

// Pages of every kind, as somebody sees them: name, person, address.
export function pages({ people, game }) {
  const { ada, cleo, dora, grace, guest } = people;
  const of = (rest) => grace.at(rest);
  return [
    ["courses", guest, "/"],
    ["courses-member", ada, "/"],
    ["login", guest, "/login"],
    ["join", guest, "/join"],
    ["account", ada, "/account"],
    ["front", ada, of("")],
    ["front-guest", guest, of("")],
    ["ladder", ada, of("/ladder/practice")],
    ["games", ada, of("/ladder/practice/games")],
    ["games-of-bot", ada, of("/ladder/practice/games?bot=g1.sower")],
    ["versus", ada, of("/ladder/practice/versus/g1.sower/g2.reaper")],
    ["game", ada, of(`/games/${game}`)],
    ["bot", ada, of("/bots/g1.sower")],
    ["version", ada, of("/bots/g1.sower/versions/1")],
    ["version-failed", cleo, of("/bots/g3.broken/versions/1")],
    ["me", ada, of("/me")],
    ["me-without-group", dora, of("/me")],
    ["docs", ada, of("/docs")],
    ["admin", grace, of("/admin")],
    ["audit", grace, of("/admin/audit")],
    ["absent", ada, of("/bots/g9.nobody")],
    ["absent-guest", guest, "/nowhere"],
  ];
}

// States of a page that a form leads to: name, person, what to do on the page.
export function states({ people }) {
  const { ada, grace, guest } = people;
  const of = (rest) => grace.at(rest);
  return [
    ["login-refused", guest, async (page) => {
      await page.goto("/login");
      await page.locator("#login").fill("ada");
      await page.locator("#passphrase").fill("not this one");
      await page.locator("main button").click();
      await page.waitForSelector(".error");
    }],
    ["join-refused", guest, async (page) => {
      await page.goto("/join");
      await page.locator("#code").fill("AAAAA-AAAAA-AAAAA-AAAAA-AAAAA-A");
      await page.locator("main button").click();
      await page.waitForSelector(".error");
    }],
    ["retire", ada, async (page) => {
      await page.goto(of("/me"));
      await page.locator("form[action$='/retire'] button").first().click();
      await page.waitForURL(/\/retire$/);
    }],
    ["forbidden", ada, async (page) => {
      await page.goto(of("/admin"));
    }],
    ["codes", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.locator("#people").fill("2001,Émile Zola,e@example.org,Les Sept\n2002,Ana,,\n");
      await page.locator("form[action$='/people'] button").click();
      await page.waitForSelector(".made");
    }],
    ["invited", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.locator("form[action$='/invite'] button").click();
      await page.waitForSelector(".made");
    }],
    ["welcome", guest, async (page) => {
      const made = await grace.done(of("/admin/invite"), { role: "student", group: "" });
      await page.goto("/join");
      await page.locator("#code").fill(made.text.match(/\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}-[0-9A-Z]\b/)[0]);
      await page.locator("main button").click();
      await page.waitForSelector("#passphrase");
    }],
    ["token", ada, async (page) => {
      await page.goto("/account");
      await page.locator("#token-name").fill("CI");
      await page.locator("form[action='/account/tokens'] button").click();
      await page.waitForSelector(".made");
    }],
    ["asked", ada, async (page) => {
      // Once for all looks: a group has a few requests a day.
      await page.goto(of("/me"));
      if (await page.locator("#asks a").count() === 0) await page.locator("form[action$='/asks'] button").click();
      else await page.locator("#asks a").first().click();
      await page.waitForURL(/\/asks\/[^/]*$/);
    }],
    ["member", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.getByRole("link", { name: "bob", exact: true }).click();
      await page.waitForURL(/\/members\/[^/]*$/);
    }],
    ["member-ends", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.getByRole("link", { name: "bob", exact: true }).click();
      await page.locator("form[action$='/end'] button").click();
      await page.waitForURL(/\/end$/);
    }],
    ["deadline-refused", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.locator("form[action$='/freeze'] button").first().click();
      await page.waitForURL(/\/freeze$/);
    }],
    ["import-refused", grace, async (page) => {
      await page.goto(of("/admin"));
      await page.locator("#people").fill("nothing");
      await page.locator("form[action$='/people'] button").click();
      await page.waitForURL(/\/people$/);
    }],
  ];
}
