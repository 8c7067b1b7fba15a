// Pages of other origins that post to the server in the browser of somebody who is logged in: each
// route that changes something refuses them, and nothing is changed.

import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";

const TABLE = new URL("../../../../crates/server/src/http/routes/mod.rs", import.meta.url);

// Every route that changes something, with names in place of what varies.
function unsafeRoutes({ course }) {
  const names = { course, bot: "g1.sower", number: "1", ladder: "practice" };
  const routes = [...fs.readFileSync(TABLE, "utf8").matchAll(/\("(POST|PUT|PATCH|DELETE)", "([^"]+)"/g)];
  return routes.map(([, , address]) => address.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "aaaaaaaaaaaaaaaaaaaa"));
}

// A page with one form that sends itself.
const page = (action, type) => `<!doctype html><title>x</title><form method="post" enctype="${type}" action="${action}">
<input name="name" value="from elsewhere"><input name="state" value="closed"><input name="sure" value="on"><input name="group" value="">
<input name="people" value="1,Mallory,,g1"><input name="role" value="teacher"><input name="slug" value="evil"></form><script>document.forms[0].submit()</script>`;

async function serve(content) {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(content(request.url));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

// What the staff did so far: the steps of the server itself go on meanwhile.
async function deeds(teacher) {
  let [all, after] = [[], 0];
  for (;;) {
    const { text } = await teacher.get(teacher.at(`/admin/audit?after=${after}`));
    all = all.concat([...text.matchAll(/<tr><td class="number">.*?<\/tr>/gs)].map(([row]) => row).filter((row) => !/<td>server<\/td>/.test(row)));
    const next = /\?after=(\d+)/.exec(text);
    if (!next) return all;
    [, after] = next;
  }
}

export const otherOriginsAreRefused = async ({ field, visit, short }) => {
  const { school, people: { grace } } = await field();
  const site = visit(school);
  const routes = unsafeRoutes(school);
  const types = new Map(routes.map((route) => [route, route.endsWith("/versions") ? "multipart/form-data" : "application/x-www-form-urlencoded"]));
  const server = await serve((url) => page(school.origin + decodeURIComponent(url.slice(2)), types.get(decodeURIComponent(url.slice(2)))));
  const { port } = server.address();
  const form = (route) => page(school.origin + route, types.get(route));
  const origins = {
    // The same site for cookies: the browser sends the session, and the server refuses the origin.
    port: (route) => `http://127.0.0.1:${port}/?${encodeURIComponent(route)}`,
    // Another site: the browser keeps the session back.
    site: (route) => `http://localhost:${port}/?${encodeURIComponent(route)}`,
    data: (route) => `data:text/html,${encodeURIComponent(form(route))}`,
    frame: (route) => `data:text/html,${encodeURIComponent(`<iframe sandbox="allow-scripts allow-forms allow-top-navigation" srcdoc="${form(route).replaceAll('"', "&quot;").replace("<form ", "<form target=_top ")}"></iframe>`)}`,
  };
  const before = await deeds(grace);
  let withSession = 0;
  let refused = 0;
  try {
    for (const [name, address] of Object.entries(origins)) {
      const context = await site.browser.newContext();
      const [key, value] = grace.cookie.split("=");
      await context.addCookies([{ name: key, value, url: school.origin, httpOnly: true, sameSite: "Lax" }]);
      for (const route of short ? routes.filter((_, at) => at % 5 === 0) : routes) {
        const opened = await context.newPage();
        const answer = opened.waitForResponse((response) => response.url() === school.origin + route && response.request().method() === "POST");
        await opened.goto(address(route), { waitUntil: "commit" });
        const response = await answer;
        const sent = await response.request().allHeaders();
        await opened.close();
        assert.equal(response.status(), 403, `${name}: ${route}`);
        refused += 1;
        withSession += "cookie" in sent;
        assert.ok(name === "port" || !("cookie" in sent), `${name}: ${route} has no session`);
      }
      await context.close();
    }
  } finally {
    server.close();
  }
  assert.deepEqual(await deeds(grace), before, "nothing was done");
  assert.equal((await grace.get("/account")).status, 200, "the session goes on");
  assert.ok(withSession > 0, "the session was with those of the same site");
  return `${routes.length} routes, ${Object.keys(origins).length} origins, ${refused} refused, ${withSession} of them with the session`;
};
