// Comfort for pages that work without it: files can be dropped on a form, tables can be sorted and
// filtered, and what is in work is shown anew by itself.
"use strict";

document.documentElement.classList.add("scripted");

for (const form of document.querySelectorAll("form.drop")) {
  const input = form.querySelector("input[type=file]");
  const over = (event) => {
    event.preventDefault();
    form.classList.toggle("over", event.type === "dragover");
  };
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", over);
  form.addEventListener("drop", (event) => {
    over(event);
    if (event.dataTransfer.files.length > 0) {
      input.files = event.dataTransfer.files;
    }
  });
  form.addEventListener("submit", () => {
    // A second click would send it twice.
    setTimeout(() => { form.querySelector("button").disabled = true; });
  });
}

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" });

// The value of a cell, by which its row is sorted.
const valueOf = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Rows without a value stand last in both directions.
function sortRows(body, column, kind, down) {
  const key = (row) => {
    const value = valueOf(row, column);
    return kind !== "number" || value === "" ? value : Number.isNaN(Number(value)) ? "" : Number(value);
  };
  const order = (one, other) => {
    if (one.key === "" || other.key === "") return (one.key === "") - (other.key === "");
    const found = kind === "number" ? one.key - other.key : collator.compare(one.key, other.key);
    return down ? -found : found;
  };
  const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
  body.append(...rows.sort(order).map(({ row }) => row));
}

// Tables that have to be arranged again when their rows are new ones.
const arrange = new WeakMap();

// Fewest rows of a table that has a filter.
const MANY = 12;

// Gives a table buttons in its headings, and a filter if it has many rows.
function equip(table, number) {
  let chosen = null;
  let filter = () => {};
  const headings = [...table.tHead.rows[0].cells];
  const sort = () => {
    const heading = headings[chosen];
    sortRows(table.tBodies[0], chosen, heading.dataset.sort, heading.getAttribute("aria-sort") === "descending");
  };
  headings.forEach((heading, column) => {
    if (!heading.dataset.sort) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const down = before === null ? heading.dataset.sort === "number" : before === "ascending";
      headings.forEach((one) => one.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      chosen = column;
      sort();
    });
  });
  if (table.dataset.filter !== undefined && table.tBodies[0].rows.length >= MANY) filter = addFilter(table, number);
  arrange.set(table, () => {
    if (chosen !== null) sort();
    filter();
  });
}

// Adds a field that leaves only the rows with its words.
function addFilter(table, number) {
  const field = document.createElement("p");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("span");
  field.className = "filter";
  label.htmlFor = input.id = `filter-${number}`;
  label.textContent = table.dataset.filter;
  Object.assign(input, { type: "search", autocomplete: "off" });
  count.className = "count";
  count.setAttribute("role", "status");
  field.append(label, input, count);
  (table.closest(".scroll") ?? table).before(field);
  // Of a form around the table, Enter would send it.
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  const apply = () => {
    const words = plain(input.value).split(/\s+/);
    const rows = [...table.tBodies[0].rows];
    let left = 0;
    for (const row of rows) {
      const text = plain([...row.cells].map((cell) => cell.textContent).join(" "));
      row.hidden = !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    const fills = [left, rows.length];
    count.textContent = input.value === "" ? "" : table.dataset.count.replace(/\{\}/g, () => fills.shift());
  };
  input.addEventListener("input", apply);
  return apply;
}

document.querySelectorAll("table.sortable").forEach(equip);

// Shows a part of the page as it is now. A table keeps its order and its filter.
function renew(part, found) {
  const [table, fresh] = [part, found].map((one) => one.querySelector("table.sortable"));
  if (!table || !fresh) {
    const next = document.importNode(found, true);
    part.replaceWith(next);
    next.querySelectorAll("table.sortable").forEach((one, number) => equip(one, `${next.id}-${number}`));
    return;
  }
  table.tBodies[0].replaceWith(document.importNode(fresh.tBodies[0], true));
  arrange.get(table)();
  const notes = [part, found].map((one) => [...one.querySelectorAll(":scope > .note")]);
  notes[0].forEach((note, at) => { note.textContent = notes[1][at]?.textContent ?? ""; });
}

// Whether somebody is at work there: the focus would be lost.
const isInUse = (part) => {
  const focused = document.activeElement;
  return part.contains(focused) && !focused.closest("thead, .filter");
};

// The feed of the page: it says that something of the page has changed, and of what kind. While it is
// closed, the page is asked for every few seconds.
const feed = {
  source: null,
  // Kinds of what has changed since the page was asked for.
  news: new Set(),
  // Ends the wait of the page.
  ring() {},
  // The last event, after which the server goes on.
  last: "",
  // When it may be opened again.
  next: 0,

  open() {
    const address = document.querySelector("main").dataset.stream;
    if (this.source || address === undefined || performance.now() < this.next) return;
    const source = new EventSource(this.last ? address.replace(/after=.*$/, `after=${this.last}`) : address);
    this.source = source;
    // One that is refused, because others are open, is not asked for again and again.
    this.next = performance.now() + REFUSED_MS;
    source.addEventListener("open", () => {
      this.next = 0;
      this.ring();
    });
    for (const kind of ["ladder", "running", "queue", "mine"]) {
      source.addEventListener(kind, (event) => {
        this.last = event.lastEventId;
        if (kind === "running" && count(JSON.parse(event.data))) return;
        this.news.add(kind);
        this.ring();
      });
    }
    // The server is asked by the page whether it is back, and not by both.
    for (const end of ["bye", "error"]) source.addEventListener(end, () => this.close());
  },

  close() {
    this.source?.close();
    this.source = null;
    this.ring();
  },
};

// Time before a feed that was refused is asked for again.
const REFUSED_MS = 60_000;

// Time after which the page is asked for although no event came: something may keep them back.
const UNTOLD_S = 120;

// Shows how far the running games of a ladder are. Returns false if they are not those of the page.
function count({ ladder, games }) {
  const shown = [...document.querySelectorAll(`[data-plies^="${CSS.escape(ladder)}."]`)];
  const places = games.map(({ id }) => shown.find((place) => place.dataset.plies === id));
  if (shown.length !== games.length || places.includes(undefined)) return false;
  places.forEach((place, at) => { place.textContent = games[at].plies; });
  return true;
}

// Waits for some seconds, or until something else ends it.
const pause = (seconds, end) => new Promise((done) => {
  const timer = setTimeout(done, 1000 * seconds);
  end?.(() => {
    clearTimeout(timer);
    done();
  });
});

// Waits until somebody looks at the page: until then the server need not work.
const isSeen = () => new Promise((done) => {
  if (document.visibilityState === "visible") return done();
  document.addEventListener("visibilitychange", () => done(isSeen()), { once: true });
});

document.addEventListener("visibilitychange", () => {
  // Whoever has many pages open needs no feed for those that nobody sees.
  if (document.visibilityState !== "visible") feed.close();
});

// Waits until the page has to be asked for again, or nobody sees it. `shown`: when it was asked for
// last.
async function untilDue(parts, failures, shown) {
  const wish = Math.min(...parts.map((part) => Number(part.dataset.refresh)));
  // A server that is away is not asked all the time by all who wait for it.
  const seconds = Math.min(60, wish * 2 ** failures);
  // What all are told at once, not all ask for at once.
  const spread = Math.random();
  const due = () => {
    const isTold = feed.source?.readyState === EventSource.OPEN;
    if (isTold && feed.news.size === 0) return UNTOLD_S;
    // What concerns the own group alone is shown at once.
    if (feed.news.has("mine")) return 0;
    return isTold || failures > 0 ? seconds + spread : seconds;
  };
  for (;;) {
    const rest = due() - (performance.now() - shown) / 1000;
    if (rest <= 0 || document.visibilityState !== "visible") return;
    await pause(rest, (end) => { feed.ring = end; });
  }
}

// Parts of the page that change have an id, and say after how many seconds to look again if nothing
// says that they have changed. One request is for all of them.
async function refresh() {
  let failures = 0;
  let shown = performance.now();
  // Of the page that is shown: the same one is not sent again.
  let tag = "";
  for (;;) {
    const wishes = [...document.querySelectorAll("[data-refresh]")];
    if (wishes.length === 0) return feed.close();
    await isSeen();
    if (failures === 0) feed.open();
    await untilDue(wishes, failures, shown);
    if (document.visibilityState !== "visible") continue;
    shown = performance.now();
    feed.news.clear();
    try {
      // The server does not take it for a use of the session.
      const answer = await fetch(location.href, { headers: { accept: "text/html", "x-refresh": "1", "if-none-match": tag } });
      const isSame = answer.status === 304;
      failures = answer.ok || isSame ? 0 : failures + 1;
      if (!answer.ok) continue;
      tag = answer.headers.get("etag") ?? "";
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const parts = [...document.querySelectorAll("[data-refresh]")];
      // The address has become that of another page.
      if (parts.every((part) => !page.getElementById(part.id))) return void location.reload();
      for (const part of parts) {
        const found = page.getElementById(part.id);
        if (found && isInUse(part)) {
          feed.news.add("left");
          tag = "";
        } else if (found) renew(part, found);
      }
    } catch {
      failures += 1;
    }
  }
}

refresh();
