// Starts the page: what Rust wrote becomes alive, then the view that the address asks for opens.
"use strict";

((page) => {
  const { el, t } = page;
  document.documentElement.classList.add("scripted");
  document.querySelectorAll("table.sortable").forEach(page.sortable);
  if (typeof DecompressionStream === "undefined") {
    const note = el("p", { class: "note" }, t("This browser is too old to unpack the games; the tables and charts are complete."));
    document.querySelectorAll("div.games").forEach((place) => place.replaceChildren(note.cloneNode(true)));
    return;
  }
  page.lists();
  page.begin();

  // The contents mark the section that is read.
  const links = new Map([...document.querySelectorAll("nav.contents a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      links.get(target.id)?.classList.toggle("seen", isIntersecting);
    }
  }, { rootMargin: "-15% 0px -60% 0px" });
  document.querySelectorAll("main section[id]").forEach((section) => links.has(section.id) && seen.observe(section));
})(pitmaster);
