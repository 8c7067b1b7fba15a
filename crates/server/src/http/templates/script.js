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

const pause = (seconds) => new Promise((done) => { setTimeout(done, 1000 * seconds); });

// Parts of the page that change have an id, and say after how many seconds to look again. One
// request is for all of them.
async function refresh() {
  let failures = 0;
  for (;;) {
    const wishes = [...document.querySelectorAll("[data-refresh]")].map((part) => Number(part.dataset.refresh));
    if (wishes.length === 0) return;
    // A server that is away is not asked all the time by all who wait for it.
    await pause(Math.min(60, Math.min(...wishes) * 2 ** failures));
    // Nobody looks: the server need not work.
    if (document.visibilityState !== "visible") continue;
    try {
      // The server does not take it for a use of the session.
      const answer = await fetch(location.href, { headers: { accept: "text/html", "x-refresh": "1" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      failures = answer.ok ? 0 : failures + 1;
      if (!answer.ok) continue;
      const parts = [...document.querySelectorAll("[data-refresh]")];
      // The address has become that of another page.
      if (parts.every((part) => !page.getElementById(part.id))) return void location.reload();
      for (const part of parts) {
        const found = page.getElementById(part.id);
        if (found && !isInUse(part)) renew(part, found);
      }
    } catch {
      failures += 1;
    }
  }
}

refresh();
