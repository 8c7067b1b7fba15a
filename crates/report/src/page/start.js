// The page's one global, its words and numbers, and how its elements are made. Whatever comes
// from the data becomes text or the value of an attribute that is named here in the code.
"use strict";

globalThis.pitmaster = (() => {
  const data = JSON.parse(document.getElementById("page").textContent);
  const page = { data };

  // A text in the page's language; `{}` takes the fills in their order, `{2}` the second one.
  page.t = (english, ...fills) => {
    const text = Object.hasOwn(data.words, english) ? data.words[english] : english;
    let next = 0;
    return text.replace(/\{(\d*)\}/g, (_, place) => {
      next = place === "" ? next + 1 : Number(place);
      return String(fills[next - 1] ?? "");
    });
  };

  // A number with so many decimals.
  page.number = (value, decimals = 0) => {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return new Intl.NumberFormat(data.lang, digits).format(value);
  };

  // Microseconds as people read them.
  page.time = (micros) => {
    const form = new Intl.NumberFormat(data.lang, { maximumSignificantDigits: 3 });
    if (micros < 1e3) return `${form.format(micros)}\u00a0\u00b5s`;
    if (micros < 1e6) return `${form.format(micros / 1e3)}\u00a0ms`;
    return `${form.format(micros / 1e6)}\u00a0s`;
  };

  page.share = (part, whole, decimals = 0) => {
    const form = { style: "percent", minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return whole > 0 ? new Intl.NumberFormat(data.lang, form).format(part / whole) : "";
  };

  const collator = new Intl.Collator(data.lang, { numeric: true, sensitivity: "base" });
  page.compare = (one, other) => collator.compare(one, other);

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value != null) element.setAttribute(name, String(value));
    }
    element.append(...children.flat().filter((child) => child != null && child !== false));
    return element;
  };

  // An element with attributes and children; those that are texts stay texts.
  page.el = (tag, attributes = {}, ...children) =>
    fill(document.createElement(tag), attributes, children);

  page.svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  page.button = (text, action, attributes = {}) =>
    page.el("button", { type: "button", onclick: action, ...attributes }, text);

  // A button with a drawing of 16 by 16 instead of a text.
  page.iconButton = (path, label, action) => {
    const sign = page.svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, page.svg("path", { d: path }));
    return page.button(sign, action, { "aria-label": label, title: label });
  };

  // A box that can be scrolled by keyboard too.
  page.scroll = (label, ...children) =>
    page.el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);

  let ids = 0;
  page.fresh = (what) => `page-${what}-${(ids += 1)}`;

  // A field to choose from a list of [value, text].
  page.choice = (label, choices, value, change) => {
    const id = page.fresh("choice");
    const options = choices.map(([one, text]) =>
      page.el("option", { value: one, selected: String(one) === String(value) }, text));
    const select = page.el("select", { id, onchange: () => change(select.value) }, ...options);
    return page.el("span", { class: "field" }, page.el("label", { for: id }, label), select);
  };

  return page;
})();
