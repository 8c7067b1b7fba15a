// Visits of a practice server: whatever a page complains about, asks of others or runs is kept.

import { DESK } from "./open.mjs";

// Whether a message of the console only says that a page of an error is one, or that the server is
// away.
const isOfErrorPage = (text) => /^Failed to load resource: (the server responded with a status of 4\d\d |net::ERR_)/.test(text);

export class Site {
  complaints = [];
  requests = 0;

  constructor(browser, school, options = {}) {
    Object.assign(this, options);
    this.browser = browser;
    this.school = school;
  }

  watch(page) {
    const complain = (what) => this.complaints.push(`${what} (${page.url()})`);
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      if (this.mayFail && isOfErrorPage(message.text())) return;
      complain(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => complain(`error: ${error.message}`));
    page.on("request", (request) => {
      this.requests += 1;
      const url = request.url();
      if (!url.startsWith(`${this.school.origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:")) complain(`request: ${url}`);
    });
    page.on("dialog", (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("popup", (popup) => complain(`window: ${popup.url()}`));
  }

  // Lends a page to `use`, of somebody if a person is given, and asks afterwards whether a text of
  // the data became code.
  async with({ person, script = true, mayFail = false, ...context }, use) {
    const opened = await this.browser.newContext({ viewport: DESK, colorScheme: "light", locale: "en", javaScriptEnabled: script, baseURL: this.school.origin, ...context });
    this.mayFail = mayFail;
    if (person?.cookie) await opened.addCookies([cookieOf(person)]);
    if (script) await opened.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    const page = await opened.newPage();
    page.setDefaultTimeout(120_000);
    this.watch(page);
    try {
      const answer = await use(page, opened);
      if (script && await page.evaluate(() => "__hit" in window || "hacked" in window)) this.complaints.push("a text of the data was run");
      return answer;
    } finally {
      await opened.close();
      this.mayFail = false;
    }
  }

  at(rest) {
    return `/c/${this.school.course}${rest}`;
  }
}

// The session of a person, as the browser has it after a login.
function cookieOf({ school, cookie }) {
  const [name, value] = cookie.split("=");
  return { name, value, url: school.origin, httpOnly: true, sameSite: "Lax" };
}
