// A practice server for tests: a course in a folder of its own, and people who joined by their
// codes. The server listens on a free port of this machine and is stopped by its process.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";

export const CODE = /\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}-[0-9A-Z]\b/g;
export const PASSPHRASE = "correct horse battery staple";
const PATIENCE_MS = 120_000;

const run = promisify(execFile);
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

// Waits until `test` answers with something.
export async function until(what, test, patience = PATIENCE_MS) {
  const end = performance.now() + patience;
  for (;;) {
    const found = await test();
    if (found) return found;
    assert.ok(performance.now() < end, `still waiting for ${what}`);
    await wait(200);
  }
}

// Somebody who sends requests: a guest without a cookie, or a person with a session.
export class Person {
  constructor(school, login = "", cookie = "") {
    Object.assign(this, { school, login, cookie });
  }

  async ask(method, address, body, headers = {}) {
    const sent = { ...(this.cookie && { cookie: this.cookie }), ...headers };
    if (body !== undefined) sent["content-length"] = Buffer.byteLength(body);
    const request = http.request(this.school.origin + address, { method, headers: sent, agent: false });
    request.end(body);
    const [response] = await once(request, "response");
    const chunks = await collect(response);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks), get text() { return this.body.toString(); } };
  }

  get(address) {
    return this.ask("GET", address);
  }

  // Sends a form as a browser does on a page of the same site.
  form(address, fields) {
    const body = new URLSearchParams(fields).toString();
    return this.ask("POST", address, body, { origin: this.school.origin, "content-type": "application/x-www-form-urlencoded" });
  }

  // As `form`, for a form that has to be accepted.
  async done(address, fields) {
    const answer = await this.form(address, fields);
    assert.ok([200, 303].includes(answer.status), `${address}: ${answer.status} ${main(answer.text)}`);
    return answer;
  }

  // Sends a file by the form of a bot. The file's name may have any bytes.
  handIn(bot, name, data, note = "") {
    const edge = "an-edge-that-no-file-of-a-test-has";
    const body = Buffer.concat([
      Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="note"\r\n\r\n${note}\r\n--${edge}\r\nContent-Disposition: form-data; name="file"; filename="`),
      Buffer.from(name), Buffer.from('"\r\nContent-Type: application/octet-stream\r\n\r\n'), Buffer.from(data), Buffer.from(`\r\n--${edge}--\r\n`),
    ]);
    return this.ask("POST", this.at(`/bots/${bot}/versions`), body, { origin: this.school.origin, "content-type": `multipart/form-data; boundary=${edge}` });
  }

  at(rest) {
    return `/c/${this.school.course}${rest}`;
  }
}

async function collect(response) {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return chunks;
}

// What a page says, for messages.
const main = (html) => html.replace(/^.*<main/s, "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").slice(0, 400);

export class School {
  course = "school";
  lines = [];

  // Makes a course and serves it.
  static async open(program, settings = "") {
    const school = new School();
    school.program = path.resolve(program);
    school.place = fs.mkdtempSync(path.join(os.tmpdir(), "school-"));
    school.folder = path.join(school.place, school.course);
    [school.firstCode] = (await school.run("new", "course", school.folder)).match(CODE);
    if (settings) fs.appendFileSync(path.join(school.folder, "server.toml"), settings);
    await school.serve();
    school.teacher = await school.join("grace", school.firstCode);
    return school;
  }

  // What a command prints.
  async run(...words) {
    const { stdout, stderr } = await run(this.program, words, { cwd: this.place, timeout: PATIENCE_MS });
    return stdout + stderr;
  }

  async serve(listen = "127.0.0.1:0") {
    const words = ["serve", this.folder, "--listen", listen, "--lanes", "1", "--share-cores"];
    this.server = spawn(this.program, words, { cwd: this.place, stdio: ["ignore", "ignore", "pipe"] });
    this.ended = once(this.server, "exit");
    const lines = readline.createInterface({ input: this.server.stderr });
    const serves = new Promise((done) => {
      lines.on("line", (line) => {
        this.lines.push(line);
        const found = /^serving .*?(http:\/\/[^/\s]+)/.exec(line);
        if (found) done(found[1]);
      });
    });
    this.origin = await Promise.race([serves, this.ended]);
    assert.equal(typeof this.origin, "string", `the server ended: ${this.lines.join("\n")}`);
  }

  // Kills the server.
  async crash() {
    this.server.kill("SIGKILL");
    await this.ended;
  }

  // Stops the server as a service manager does.
  async close() {
    if (this.server?.exitCode === null) this.server.kill("SIGTERM");
    await this.ended;
    fs.rmSync(this.place, { recursive: true, force: true });
  }

  guest() {
    return new Person(this);
  }

  // Codes for students, by their login, each of a group that is made if it is missing.
  async codes(groups) {
    const all = Object.entries(groups);
    const rows = all.map(([login, group], at) => `${1000 + at},${login},${login}@example.org,${group}\n`);
    const page = await this.teacher.done(this.teacher.at("/admin/people"), { people: `number,name,mail,group\n${rows.join("")}` });
    const codes = page.text.match(CODE);
    return Object.fromEntries(all.map(([login], at) => [login, codes[at]]));
  }

  // Students who have joined, by their login.
  async students(groups) {
    const people = {};
    for (const [login, code] of Object.entries(await this.codes(groups))) people[login] = await this.join(login, code);
    return people;
  }

  async join(login, code, name = login) {
    const answer = await this.guest().done("/join", { code, login, name, passphrase: PASSPHRASE });
    return new Person(this, login, answer.headers["set-cookie"][0].split(";")[0]);
  }

  // What a page of a version says of its state, once nothing is in work any more.
  verdict(person, bot, number) {
    return until(`the verdict on ${bot} ${number}`, async () => {
      const { text } = await person.get(person.at(`/bots/${bot}/versions/${number}`));
      const state = /<p role="status"><strong>([^<]*)/.exec(text);
      return state && !/<section id="state" data-refresh/.test(text) && state[1];
    });
  }
}

// A folder of the repository as an archive.
export async function archive(folder) {
  const { stdout } = await run("tar", ["-czf", "-", "-C", folder, "."], { encoding: "buffer", maxBuffer: 2 ** 26 });
  return stdout;
}

// A bot in one file that plays one of its legal moves: the one at this place, of any.
export const bot = (place = 0, remark = "") => `import sys
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word in ("pitmaster", "newgame"):
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        ${remark && `print("info", ${JSON.stringify(remark)}, flush=True); `}print("move", moves[${place} % len(moves)], flush=True)
    elif word == "quit":
        break
`;

// A bot that loses every game by its third move, which is none, and says so. Its first ones are
// legal, so that its dialect is found at once.
export const BROKEN = bot().replace("moves = []", "turn, moves = 0, []").replace('print("move", moves[0 % len(moves)], flush=True)', `turn += 1
        if turn == 3:
            print("I count beyond the board", file=sys.stderr, flush=True)
        print("move", moves[0] if turn < 3 else "99X", flush=True)`);
