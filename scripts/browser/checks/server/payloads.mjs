// Texts that would do harm as every name, note and word of a bot: no script runs, the policy of the
// pages is never put to the test, the HTML is valid, the log keeps a line an entry.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { until } from "../../school.mjs";

const HIT = "window.__hit=1";
const BIDI = "\u202e\u2066\u200f\u061c";

const PAYLOADS = [
  // Elements and handlers.
  `<script>${HIT}</script>`, `</script><script>${HIT}</script>`, `<ScRiPt src="http://127.0.0.1:1/x.js"></sCrIpT>`,
  `"><img src=x onerror=${HIT}>`, `'><svg onload=${HIT}>`, `<svg/onload=${HIT}//`, `<body onload=${HIT}>`,
  `" onfocus="${HIT}" autofocus="`, `' onmouseover='${HIT}' x='`, "` onclick=`" + HIT, `<iframe srcdoc="<script>parent.__hit=1</script>">`,
  `<details open ontoggle=${HIT}>`, `<input autofocus onfocus=${HIT}>`, `<video><source onerror=${HIT}>`, `<math><mtext></mtext><script>${HIT}</script></math>`,
  `<a href="javascript:${HIT}">x</a>`, `javascript:${HIT}`, `data:text/html,<script>${HIT}</script>`, `<base href="http://127.0.0.1:1/">`,
  `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">`, `<link rel="stylesheet" href="http://127.0.0.1:1/x.css">`, `<style>@import "http://127.0.0.1:1/"</style>`,
  `<form action="http://127.0.0.1:1/"><button>`, `</textarea><script>${HIT}</script>`, `</title><script>${HIT}</script>`, `</select><img src=x onerror=${HIT}>`,
  `<!--`, `-->`, `<![CDATA[<script>${HIT}</script>]]>`, `<?xml version="1.0"?>`, `<noscript><p title="</noscript><img src=x onerror=${HIT}>">`,
  `&lt;script&gt;${HIT}&lt;/script&gt;`, `&#x3c;script&#x3e;`, `&amp;&`, `<<<>>>""''`, `<plaintext>`, `<template><script>${HIT}</script>`,
  // Templates and queries.
  `{{ 7 * 7 }}`, `{% raw %}`, `\${7*7}`, `<%= 7 * 7 %>`, `#{7*7}`, `'; DROP TABLE person; --`, `%s%n%x`, `../../../etc/passwd`, `..\\..\\windows`,
  // Formulas.
  `=HYPERLINK("http://127.0.0.1:1/","x")`, `+1+cmd|' /C calc'!A0`, `-2+3`, `@SUM(1+1)`, `\t=1+1`,
  // What acts on terminals, logs and headers.
  `\u001b]0;pwned\u0007\u001b[31mred`, `\u009b31m`, `one\r\nSet-Cookie: x=1\r\n\r\n<script>${HIT}</script>`, `line\nWARNING: forged`, `a\u0000b`, `\u2028\u2029\u0085`,
  // What deceives eyes, and what is long.
  `${BIDI}gpj.exe`, `z\u0301\u0302\u0303\u0304`.repeat(20), `\ufeff\u200b\u2060`, `\ud83d\ude00\u0007`, "x".repeat(10_000), "w w ".repeat(900),
];

// Sends a form from a page of the server, as a person who types the texts; the answer is its status
// and the page that it leads to.
async function send(page, action, fields) {
  const done = page.waitForNavigation({ waitUntil: "load" });
  await page.evaluate(([to, all]) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: to });
    for (const [name, text] of Object.entries(all)) {
      const field = document.createElement("textarea");
      Object.assign(field, { name, value: text });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  }, [action, fields]);
  const response = await done;
  const first = await (response.request().redirectedFrom()?.response() ?? response);
  return { status: first.status(), html: await response.text() };
}

// A bot that says the texts on every channel. It plays well until a time, by which it was validated and
// checked, and then none of its
// moves is one.
const talker = (payloads, until) => `import base64, json, os, sys, time
TEXTS = json.loads(base64.b64decode("${Buffer.from(JSON.stringify(payloads)).toString("base64")}"))
moves, turn = [], 0
def out(text):
    os.write(1, text.encode("utf-8", "surrogatepass").replace(b"\\n", b" ").replace(b"\\r", b" ") + b"\\n")
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word in ("pitmaster", "newgame"):
        out("ready")
    elif word == "moves":
        moves = rest
    elif word == "go":
        text = TEXTS[turn % len(TEXTS)]
        turn += 1
        os.write(2, text.encode("utf-8", "surrogatepass") + b"\\xff\\n")
        out("info " + text[:300])
        out("move " + (moves[0] if time.time() < ${until} or turn < 4 else TEXTS[int(time.time()) % len(TEXTS)][:200]))
    elif word == "quit":
        break
`;

// An archive of files with these contents.
async function packed(files) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "bot-"));
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(place, name), content);
  const { stdout } = await promisify(execFile)("tar", ["-czf", "-", "-C", place, "."], { encoding: "buffer" });
  fs.rmSync(place, { recursive: true });
  return stdout;
}

const builder = (payloads, fails) => `import base64, json, os, sys
for text in json.loads(base64.b64decode("${Buffer.from(JSON.stringify(payloads)).toString("base64")}")):
    os.write(1, text.encode("utf-8", "surrogatepass") + b"\\xff\\n")
sys.exit(${fails ? 1 : 0})
`;

const manifest = (more = "") => `run = ["python3", "bot.py"]\ndialect = "pitmaster"\nneeds = ["python3"]\n${more}`;

// Validates pages by the Nu Html Checker; the answer is what it says of each.
async function validate(pages) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "pages-"));
  const jar = createRequire(import.meta.url).resolve("vnu-jar/build/dist/vnu.jar");
  try {
    [...pages].forEach(([html], at) => fs.writeFileSync(path.join(place, `${at}.html`), html));
    const words = ["-Xss4m", "-jar", jar, "--errors-only", "--format", "json", "--stdout", "--exit-zero-always", place];
    const { stdout } = await promisify(execFile)("java", words, { maxBuffer: 2 ** 28 });
    const names = [...pages.values()];
    const told = JSON.parse(stdout).messages.map(({ url, message, extract }) => `${names[Number(/(\d+)\.html/.exec(url)?.[1])]}: ${message} ${extract ?? ""}`);
    return [...new Set(told)].slice(0, 12);
  } finally {
    fs.rmSync(place, { recursive: true });
  }
}

// A log line begins as one of the server's own, and has no character that acts on a terminal.
const OWN = /^(warning: |serving |note: |(GET|POST|HEAD) \/|building: |ladder |\w[\w ]*: )/;
const ACTS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

// Every form, with every payload in every field.
async function everyForm({ page, person, payloads, collect }) {
  const at = (rest) => person.at(rest);
  const refused = [];
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  for (const [number, text] of payloads.entries()) {
    const forms = person.login === "grace" ? [
      [at("/admin/groups"), { slug: `p${number}`, name: text }], [at("/admin/groups"), { slug: text, name: "x" }],
      [at("/admin/deadlines"), { name: text, at: "2030-01-01T00:00", grace: "0", policy: "chosen" }], [at("/admin/deadlines"), { name: "x", at: text, grace: "0", policy: text }],
      [at("/admin/people"), { people: `${9000 + number},${quoted(text)},m@example.org,${quoted(`G ${text}`)}\n` }], [at("/admin/people"), { people: text }],
      [at("/admin/state"), { state: text }], ["/account/tokens", { course: text, name: text, days: "30", read: "on" }],
    ] : person.login ? [[at("/bots"), { name: text }], [at("/bots/g1.talker/versions/1/choose"), { for_good: text }]] : [
      ["/login", { login: text, passphrase: "wrong one", next: text }], ["/join", { code: text }],
    ];
    for (const [action, fields] of forms) {
      const { status, html } = await send(page, action, fields);
      assert.ok(status < 500, `${action} ${JSON.stringify(fields).slice(0, 200)}: ${status}`);
      if (status === 429) await page.waitForTimeout(3000);
      if (status >= 400) refused.push(status);
      collect(html, `${action} ${JSON.stringify(text).slice(0, 60)}`);
    }
  }
  return refused.length;
}

async function pagesWith(person, { course, version }) {
  const found = [["/account"], ["/"], [person.at("")], [person.at("/me")], [person.at("/bots/g1.talker")], [person.at("/ladder/practice")], [person.at("/ladder/practice/games")], [person.at("/docs")], ...version.map((address) => [address])].map(([one]) => one);
  if (person.login === "grace") {
    found.push(person.at("/admin"));
    for (let address = person.at("/admin/audit"); address;) {
      found.push(address);
      const { text } = await person.get(address);
      const next = /href="(\?after=\d+)"/.exec(text);
      address = next && person.at(`/admin/audit${next[1]}`);
    }
  }
  return found;
}

export const payloads = async ({ open, visit, short }) => {
  const texts = short ? PAYLOADS.filter((_, at) => at % 12 === 0) : PAYLOADS;
  const school = await open();
  const students = await school.students(Object.fromEntries(Array.from({ length: short ? 2 : 4 }, (_, at) => [`s${at + 1}`, `g${at + 1}`])));
  const [ada, eve] = Object.values(students);
  const { teacher } = school;
  const pages = new Map();
  // Each page once, as the server sent it.
  const collect = (html, where) => pages.set(html, where);

  // Words of bots.
  await ada.done(ada.at("/bots"), { name: "talker" });
  await eve.done(eve.at("/bots"), { name: "liar" });
  const source = talker(texts, short ? 0 : Date.now() / 1000 + 100);
  const display = `display = ${JSON.stringify(texts[0])}\nauthors = [${JSON.stringify(texts.at(-3).slice(0, 90))}]\n`;
  assert.equal((await ada.handIn("g1.talker", "t.tar.gz", await packed({ "bot.toml": manifest(`build = ["python3", "build.py"]\n${display}`), "bot.py": source, "build.py": builder(texts, false) }))).status, 303);
  assert.equal((await eve.handIn("g2.liar", "t.tar.gz", await packed({ "bot.toml": manifest('build = ["python3", "build.py"]\n'), "bot.py": source, "build.py": builder(texts, true) }))).status, 303);

  // What comes next would take the place of versions that wait.
  await school.verdict(eve, "g2.liar", 1);
  const verdict = await school.verdict(ada, "g1.talker", 1);

  // File names and notes: what is refused does not count.
  let [uploads, seen] = [0, 0];
  const senders = Object.values(students);
  for (const [at, person] of senders.entries()) await person.done(person.at("/bots"), { name: `extra${at}` });
  for (const [at, text] of texts.slice(0, 20 * senders.length).entries()) {
    const sender = at % senders.length;
    const file = Buffer.concat([Buffer.from(text.replace(/["\r\n]/g, "").slice(0, 200)), Buffer.from([0xff, 0xfe]), Buffer.from(".zip")]);
    const answer = await senders[sender].handIn(`g${sender + 1}.extra${sender}`, file, `no archive ${at}`, text);
    assert.ok(answer.status < 500, `${answer.status} ${JSON.stringify(text)}`);
    if (answer.text) collect(answer.text, "an upload");
    uploads += 1;
  }
  for (const text of texts) {
    for (const address of [`/c/${encodeURIComponent(text.slice(0, 500).toWellFormed())}`, ada.at(`/ladder/practice/games?bot=${encodeURIComponent(text.slice(0, 500).toWellFormed())}`), `/login?next=${encodeURIComponent(text.slice(0, 500).toWellFormed())}`]) {
      const answer = await school.guest().get(address);
      assert.ok(answer.status < 500, address);
      collect(answer.text, address);
    }
    // The browser's name is on the page of the account.
    if (/^[\x20-\x7e]{1,2000}$/.test(text)) await school.guest().ask("POST", "/login", `login=s1&passphrase=${encodeURIComponent("correct horse battery staple")}`, { origin: school.origin, "user-agent": text, "content-type": "application/x-www-form-urlencoded" });
  }
  for (const broken of ["name=%ff%fe%c0%af&slug=q", "slug=%00&name=%00", "people=%ff"]) {
    for (const address of ["/admin/groups", "/admin/people"]) {
      const answer = await teacher.ask("POST", teacher.at(address), broken, { origin: school.origin, "content-type": "application/x-www-form-urlencoded" });
      assert.ok(answer.status < 500, `${address} ${broken}`);
      if (answer.text) collect(answer.text, broken);
    }
  }

  const site = visit(school);
  let refused = 0;
  for (const [person, some] of [[school.guest(), texts], [ada, texts], [teacher, texts]]) {
    refused += await site.with({ person, mayFail: true }, async (page) => {
      await page.goto("/login");
      return everyForm({ page, person, payloads: some, collect });
    });
  }

  const version = [];
  if (!short) {
    assert.match(verdict, /^(valid|plays|stopped|passed)$/);
    await until("a forfeit on the ladder", async () => /class="forfeit">[^<0]/.test((await ada.get(ada.at("/ladder/practice/games"))).text), 300_000);
    const { text } = await ada.get(ada.at("/ladder/practice/games"));
    const rows = [...text.matchAll(/<tr><th.*?<\/tr>/gs)].map(([row]) => row);
    const forfeits = rows.filter((row) => /class="forfeit"/.test(row));
    version.push(...[...forfeits.slice(0, 6), ...rows.slice(-2)].map((row) => /href="([^"]*\/games\/practice[^"]*)"/.exec(row)[1]));
  }
  for (const [person, more] of [[teacher, ["/c/school/bots/g2.liar/versions/1", "/c/school/bots/g1.talker/versions/1", "/c/school/bots/g1.extra0", "/c/school/bots/g1.extra0/versions/1", ...version]], [ada, ["/c/school/bots/g1.talker/versions/1", ...version]], [eve, ["/c/school/bots/g2.liar/versions/1", "/c/school/bots/g2.extra1", "/c/school/bots/g2.extra1/versions/1"]]]) {
    for (const address of await pagesWith(person, { version: more })) {
      await site.with({ person, mayFail: true }, async (page) => {
        const response = await page.goto(address);
        collect(await response.text(), address);
        // Some handlers wait for a hand.
        for (const one of await page.locator("main a[href]:not([download]), main summary").all()) await one.hover({ timeout: 1000, trial: true }).catch(() => {});
        await page.keyboard.press("Tab");
        seen += 1;
      });
    }
  }
  const invalid = await validate(pages);
  assert.deepEqual(invalid, [], "pages are valid HTML");
  const odd = school.lines.filter((line) => ACTS.test(line) || !OWN.test(line));
  assert.deepEqual(odd, [], "the log has its own lines only");
  return `${texts.length} texts: ${uploads} uploads, ${refused} forms refused, ${pages.size} pages valid, ${seen} visited, ${school.lines.length} lines of log`;
};
