// The list of a tournament's games: filtered, ordered, fifty at a time, so that ten thousand
// games need no ten thousand rows.
"use strict";

((page) => {
  const { t, el } = page;
  const A_PAGE = 50;
  const FIELDS = ["one", "two", "ending", "winner", "least", "most", "order", "page"];
  const lists = new Map();

  const given = (value) => value !== undefined && value !== "";

  // Whether a game is asked for. `one` and `two` are bots on either side.
  const wanted = (filter, tournament, index) => {
    const one = given(filter.one) ? Number(filter.one) : null;
    const two = given(filter.two) ? Number(filter.two) : null;
    const least = given(filter.least) ? Number(filter.least) : 0;
    const most = given(filter.most) ? Number(filter.most) : Infinity;
    const has = (at, bot) => index.one[at] === bot || index.two[at] === bot;
    const meets = (at) => {
      if (one !== null && two !== null) {
        return (index.one[at] === one && index.two[at] === two) || (index.one[at] === two && index.two[at] === one);
      }
      return (one === null || has(at, one)) && (two === null || has(at, two));
    };
    const ends = (at) => {
      if (!given(filter.ending)) return true;
      const ending = tournament.endings[index.ending[at]];
      return filter.ending === "forfeits" ? ending?.forfeit === true : ending?.name === filter.ending;
    };
    const wins = (at) => {
      if (!given(filter.winner)) return true;
      const winner = index.winner[at];
      if (filter.winner !== "won" && filter.winner !== "lost") return String(winner) === filter.winner;
      const bot = one ?? two;
      const side = index.one[at] === bot ? 1 : 2;
      return filter.winner === "won" ? winner === side : winner === 3 - side || winner === 3;
    };
    return (at) => index.plies[at] >= least && index.plies[at] <= most && meets(at) && ends(at) && wins(at);
  };

  // What games are ordered by, other than the plan.
  const KEYS = {
    plies: (index) => (at) => index.plies[at],
    lead: (index) => (at) => Math.abs(index.s1[at] - index.s2[at]),
    time: (index) => (at) => index.ms?.[at] ?? 0,
  };

  const ordered = (found, index, order) => {
    const down = order?.startsWith("-") === true;
    const name = order?.replace("-", "") ?? "";
    if (!Object.hasOwn(KEYS, name)) return found;
    const key = KEYS[name](index);
    return found.sort((one, other) => (down ? key(other) - key(one) : key(one) - key(other)) || one - other);
  };

  class List {
    constructor(tournament, index, place) {
      Object.assign(this, { tournament, index, filter: {} });
      this.form = el("div", { class: "filters", role: "group", "aria-label": t("Which games") });
      this.count = el("p", { class: "count", role: "status" });
      this.box = el("div");
      place.replaceChildren(this.form, this.count, this.box);
      this.show({});
    }

    show(filter) {
      this.filter = Object.fromEntries(FIELDS.filter((name) => given(filter[name])).map((name) => [name, String(filter[name])]));
      this.fields();
      this.rows();
    }

    // A reader's change: the address follows without a step in the history.
    change(changes) {
      const next = { ...this.filter, page: "", ...changes };
      if (next.winner === "won" || next.winner === "lost") next.winner = given(next.one) || given(next.two) ? next.winner : "";
      this.filter = Object.fromEntries(Object.entries(next).filter(([, value]) => given(value)));
      page.readdress(page.link.games(this.tournament, this.filter));
      this.fields();
      this.rows();
    }

    // The fields, made anew but for the one that has the focus.
    fields() {
      const { tournament, filter } = this;
      const focused = [...this.form.children].findIndex((field) => field.contains(document.activeElement));
      const bots = [["", t("any bot")], ...tournament.bots.map((bot, number) => [number, bot.shown])];
      const endings = [["", t("any ending")], ["forfeits", t("any forfeit")], ...tournament.endings.map(({ name, label }) => [name, label])];
      const bot = tournament.bots[filter.one ?? filter.two];
      const winners = [["", t("any result")], ...(bot ? [["won", t("{} won", bot.shown)], ["lost", t("{} lost", bot.shown)]] : []),
        ["1", t("player 1 won")], ["2", t("player 2 won")], ["0", t("draw")], ["3", t("both lost")]];
      const choose = (label, name, choices) =>
        page.choice(label, choices, filter[name] ?? "", (value) => this.change({ [name]: value }));
      this.form.replaceChildren(
        choose(t("Bot"), "one", bots), choose(t("Opponent"), "two", bots),
        choose(t("Ending"), "ending", endings), choose(t("Result"), "winner", winners),
        this.plies(t("Plies from"), "least"), this.plies(t("to"), "most"),
        page.button(t("All games"), () => this.change(Object.fromEntries(FIELDS.map((name) => [name, ""])))));
      if (focused >= 0) this.form.children[focused].querySelector("select, input")?.focus();
    }

    plies(label, name) {
      const id = page.fresh("plies");
      const input = el("input", { id, type: "number", min: 0, inputmode: "numeric", value: this.filter[name] ?? "",
        onchange: () => this.change({ [name]: input.value }) });
      return el("span", { class: "field" }, el("label", { for: id }, label), input);
    }

    rows() {
      const { tournament, index, filter } = this;
      const all = [...index.id.keys()].filter(wanted(filter, tournament, index));
      this.found = ordered(all, index, filter.order);
      const pages = Math.max(Math.ceil(all.length / A_PAGE), 1);
      const at = Math.min(Math.max(Number.parseInt(filter.page, 10) || 1, 1), pages);
      const shown = this.found.slice((at - 1) * A_PAGE, at * A_PAGE).map((number) => page.summary(tournament, index, number));
      this.count.textContent = all.length === index.id.length ? t("{} games", page.number(all.length))
        : t("{} of {} games", page.number(all.length), page.number(index.id.length));
      const table = page.gameTable(tournament, shown, { heading: (name, key) => this.heading(name, key) });
      this.box.replaceChildren(page.scroll(t("Games"), table), pages > 1 ? this.pager(at, pages) : "");
    }

    heading(name, key) {
      const { order } = this.filter;
      const state = order === key ? "ascending" : order === `-${key}` ? "descending" : null;
      const next = state === "descending" ? key : state === "ascending" ? "" : `-${key}`;
      const action = () => {
        this.change({ order: next });
        this.box.querySelector(`[data-key="${key}"]`)?.focus();
      };
      return [page.button(name, action, { "data-key": key }), state];
    }

    pager(at, pages) {
      const turn = (to, label) => page.button(label, () => {
        this.change({ page: to });
        this.box.querySelector(".scroll").focus();
      }, { disabled: to < 1 || to > pages });
      return el("p", { class: "pager" }, turn(at - 1, t("Previous")), el("span", {}, t("Page {} of {}", at, pages)), turn(at + 1, t("Next")));
    }
  }

  // A table of games, each with a link to its replay. `heading` may make headings that order.
  page.gameTable = (tournament, games, { heading } = {}) => {
    const made = (name, key) => heading?.(name, key) ?? [name, null];
    const timed = games.some((game) => game.ms != null);
    const columns = [[t("Game")], [t("Player 1")], [t("Player 2")], made(t("Score"), "lead"), [t("Ending")],
      made(t("Plies"), "plies"), ...(timed ? [made(t("Time"), "time")] : [])];
    const look = (at) => (at === 3 ? "score" : at >= 5 ? "number" : null);
    const head = columns.map(([shown, state], at) => el("th", { scope: "col", class: look(at), "aria-sort": state }, shown));
    const name = (game, side) => el("td", { class: game.points[side] === 1 ? "winner" : null, dir: "auto" }, game.names[side]);
    const row = (game) => el("tr", { "data-game": game.number },
      el("td", {}, el("a", { class: "game", href: page.link.game(tournament, game.id) }, game.id.slice(0, 8))),
      name(game, 0), name(game, 1),
      el("td", { class: "score" }, page.result(game)),
      el("td", { class: game.ending?.forfeit ? "forfeit" : null }, game.ending?.label ?? "", game.again ? el("span", { class: "tag" }, t("repeated")) : null),
      el("td", { class: "number" }, page.number(game.plies)),
      timed ? el("td", { class: "number" }, game.ms > 0 ? page.time(game.ms * 1000) : "<\u202f1\u00a0ms") : null);
    return el("table", { class: "games" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, games.map(row)));
  };

  const same = (one, other) => FIELDS.every((name) => (one[name] ?? "") === (other[name] ?? ""));

  const open = async ({ tournament, fields }) => {
    const list = await lists.get(tournament.key);
    if (list === undefined || same(list.filter, fields)) return;
    list.show(fields);
    const heading = document.getElementById(`${tournament.key}-h-games`);
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  };

  const make = async (tournament, place) => {
    try {
      return new List(tournament, await page.index(tournament), place);
    } catch (error) {
      place.replaceChildren(el("p", { class: "note" }, error.message));
      return undefined;
    }
  };

  page.lists = () => {
    for (const place of document.querySelectorAll("div.games[data-tournament]")) {
      const tournament = page.tournament(place.dataset.tournament);
      if (tournament) lists.set(tournament.key, make(tournament, place));
    }
  };

  page.views.games = { open, close() {} };
})(pitmaster);
