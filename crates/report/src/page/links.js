// Links into the page: `#game=t1:ID&ply=12`, `#games=t1&one=3&two=5`, `#bot=t1:3`. The view that
// a link opens follows from the address alone, so back, forward and copied links work.
"use strict";

((page) => {
  const address = (fields) => {
    const given = Object.entries(fields).filter(([, value]) => value != null && value !== "");
    return "#" + given.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%3A", ":")}`).join("&");
  };

  page.link = {
    game: (tournament, id, ply) => address({ game: `${tournament.key}:${id}`, ply: ply || null }),
    games: (tournament, filter = {}) => address({ games: tournament.key, ...filter }),
    bot: (tournament, number) => address({ bot: `${tournament.key}:${number}` }),
  };

  // What an address asks for: a view, its tournament, and the rest as text.
  const asked = (hash) => {
    if (!hash.includes("=")) return { view: "report" };
    const fields = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    const view = ["game", "games", "bot"].find((one) => Object.hasOwn(fields, one));
    if (view === undefined) return { view: "report" };
    const [key, what] = fields[view].split(":");
    delete fields[view];
    const tournament = page.tournament(key);
    return tournament === undefined ? { view: "report" } : { view, tournament, what, fields };
  };

  // How deep in the page's own history this entry stands: above 0, going back stays in the page.
  let depth = 0;
  const count = () => {
    const known = history.state?.depth;
    depth = known ?? depth + 1;
    if (known === undefined) history.replaceState({ depth }, "");
  };

  // Views register here: name → { open(asked), close() }.
  page.views = {};

  const route = () => {
    const wanted = asked(location.hash);
    for (const [name, view] of Object.entries(page.views)) {
      if (name !== wanted.view) view.close();
    }
    page.views[wanted.view]?.open(wanted);
  };

  // Changes the address of what is open, without a step in the history.
  page.readdress = (hash) => {
    if (location.hash !== hash) history.replaceState(history.state, "", hash);
  };

  // Leaves what is open for what was before it; what a link opened, for its tournament's games.
  page.leave = (tournament) => {
    if (depth > 0) return history.back();
    history.replaceState(history.state, "", `#${tournament.key}-games`);
    route();
  };

  page.begin = () => {
    depth = history.state?.depth ?? 0;
    history.replaceState({ depth }, "");
    addEventListener("hashchange", () => { count(); route(); });
    route();
  };

  // A dialog over the page. `leave` is called when its reader closes it.
  page.dialog = (name, leave) => {
    const title = page.el("h2", { id: page.fresh("title"), tabindex: -1 });
    const body = page.el("div", { class: "body" });
    const close = page.button("\u00d7", () => dialog.close(), { class: "close", "aria-label": page.t("Close") });
    const head = page.el("div", { class: "head" }, title, close);
    const dialog = page.el("dialog", { class: `view ${name}`, "aria-labelledby": title.id }, head, body);
    let isOpen = false;
    // The event comes late: by then another link may have opened the dialog again.
    dialog.addEventListener("close", () => {
      if (!isOpen || dialog.open) return;
      isOpen = false;
      leave();
    });
    document.body.append(dialog);
    return {
      element: dialog, title, body,
      open() {
        if (isOpen) return;
        isOpen = true;
        dialog.showModal();
        title.focus();
        dialog.scrollTop = 0;
      },
      close() {
        isOpen = false;
        if (dialog.open) dialog.close();
      },
    };
  };
})(pitmaster);
