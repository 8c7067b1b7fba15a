// Tables that sort by a click on a heading, and a box that filters their rows.
"use strict";

((page) => {
  const { t, el } = page;

  const text = (cell) => cell?.dataset.value ?? cell?.textContent.trim() ?? "";

  // Rows without a value stand last in both directions.
  const order = (kind, down) => (one, other) => {
    if (one.key === "" || other.key === "") return (one.key === "") - (other.key === "");
    const found = kind === "number" ? one.key - other.key : page.compare(one.key, other.key);
    return down ? -found : found;
  };

  const keyOf = (row, column, kind) => {
    const value = text(row.cells[column]);
    if (kind !== "number" || value === "") return value;
    const number = Number(value);
    return Number.isNaN(number) ? "" : number;
  };

  const sort = (table, heading) => {
    const headings = [...heading.parentElement.cells];
    const column = headings.indexOf(heading);
    const kind = heading.dataset.sort;
    const before = heading.getAttribute("aria-sort");
    const down = before === null ? kind === "number" : before === "ascending";
    headings.forEach((one) => one.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column, kind) }));
    body.append(...rows.sort(order(kind, down)).map(({ row }) => row));
  };

  const plain = (value) => value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const filter = (table) => {
    const id = page.fresh("filter");
    const rows = [...table.tBodies[0].rows];
    const texts = rows.map((row) => plain(row.textContent));
    const count = el("span", { role: "status", class: "count" });
    const apply = () => {
      const wanted = plain(input.value).split(/\s+/);
      rows.forEach((row, at) => { row.hidden = !wanted.every((word) => texts[at].includes(word)); });
      const left = rows.filter((row) => !row.hidden).length;
      count.textContent = input.value === "" ? "" : t("{} of {}", left, rows.length);
    };
    const input = el("input", { id, type: "search", autocomplete: "off", oninput: apply });
    const field = el("div", { class: "filter" }, el("label", { for: id }, t("Filter")), input, count);
    (table.closest(".scroll") ?? table).before(field);
  };

  // Makes a table sortable, and gives it a filter if it asks for one.
  page.sortable = (table) => {
    for (const heading of table.tHead.querySelectorAll("th[data-sort]")) {
      heading.querySelector("button").addEventListener("click", () => sort(table, heading));
    }
    if (table.dataset.filter !== undefined) filter(table);
    return table;
  };

  // A table made by the page: columns are [heading, "number" | "text" | "", class], a row is a
  // list of cells, a cell an element, a text, or [shown, value to sort by].
  page.table = (columns, rows, attributes = {}) => {
    const heading = ([name, kind, look]) =>
      el("th", { scope: "col", class: look ?? (kind === "number" ? "number" : null), "data-sort": kind || null },
        kind ? page.button(name) : name);
    const cell = (given, at) => {
      const [shown, value] = Array.isArray(given) ? given : [given, null];
      const look = columns[at][2] ?? (columns[at][1] === "number" ? "number" : null);
      return el("td", { class: look, "data-value": value }, shown);
    };
    const head = el("thead", {}, el("tr", {}, columns.map(heading)));
    const body = el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))));
    return page.sortable(el("table", { class: "sortable", ...attributes }, head, body));
  };
})(pitmaster);
