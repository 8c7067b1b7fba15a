// Beside the board: the list of moves with clocks and comments, the ending with its evidence,
// and the game as a file.
"use strict";

((page) => {
  const { t, el } = page;
  const SAID_IN_LIST = 3;
  // In microseconds: less is what every process has, and no column of its own.
  const MUCH_WAITING = 1000;

  page.badge = (by) => el("span", { class: `badge player-${by}`, title: by === 0 ? t("chance") : t("player {}", by) },
    by === 0 ? "\u2684" : String(by));

  // What was said, by the number of its ply: [by, text, whether it is a wrong claim].
  page.said = (game) => {
    const said = new Map();
    const put = (ply, what) => said.set(ply, [...(said.get(ply) ?? []), what]);
    for (const [ply, by, text] of game.say ?? []) put(ply, { by, text, claim: false });
    for (const [ply, by, text] of game.claims ?? []) put(ply, { by, text, claim: true });
    return said;
  };

  page.saying = ({ by, text, claim }) => el("p", { class: "saying" },
    page.badge(by), claim ? el("b", {}, t("wrong claim:")) : null, el("q", { dir: "auto" }, text));

  const share = (wall, limit) => {
    const part = Math.min(wall / 1000 / limit, 1);
    const bar = page.svg("svg", { class: "share", viewBox: "0 0 26 8", "aria-hidden": "true" },
      page.svg("rect", { class: "whole", width: 26, height: 8 }),
      page.svg("rect", { class: part > 0.9 ? "part much" : "part", width: 26 * part, height: 8 }));
    return [bar, " ", page.share(wall / 1000, limit)];
  };

  // The list of moves. `open` is called with a ply; the answer marks the one that is shown.
  page.moveList = (tournament, game, boards, open) => {
    const said = page.said(game);
    const limit = tournament.move_limit_ms;
    const waits = game.waits ?? {};
    const waited = Object.values(waits).some((micros) => micros >= MUCH_WAITING);
    const heads = [t("Ply"), t("Move"), tournament.shape.stores ? t("Score") : t("Seeds"), t("Time"),
      ...(limit ? [t("Of limit")] : []), "CPU", ...(waited ? [t("Waited for a core")] : [])];
    const buttons = [];
    const clock = (micros) => (micros > 0 ? page.time(micros) : "");
    const row = (ply, number) => {
      const [by, text, wall, cpu] = ply;
      const opening = number <= (game.opening ?? 0);
      const button = page.button(text, () => open(number), { tabindex: -1, class: "move", title: text });
      buttons.push(button);
      const score = page.score(boards[number], tournament.shape).join("\u2009:\u2009");
      const cells = [
        el("td", { class: "number" }, String(number)),
        el("td", { class: "moved" }, page.badge(by), button, opening ? el("span", { class: "tag" }, t("opening")) : null),
        el("td", { class: "number" }, score),
        el("td", { class: "number" }, clock(wall)),
        limit ? el("td", { class: "number" }, wall > 0 ? share(wall, limit) : "") : null,
        el("td", { class: "number" }, clock(cpu)),
        waited ? el("td", { class: "number" }, clock(waits[number - 1] ?? 0)) : null,
      ];
      return el("tr", { class: opening ? "opening" : null }, cells);
    };
    const remarks = (number) => {
      const all = said.get(number) ?? [];
      if (all.length === 0) return [];
      const more = all.length - SAID_IN_LIST;
      const shown = all.slice(-SAID_IN_LIST).map(page.saying);
      if (more > 0) shown.unshift(el("p", { class: "more" }, t("and {} before", more)));
      return [el("tr", { class: "said" }, el("td"), el("td", { colspan: heads.length - 1 }, shown))];
    };
    const numbers = [...Array(game.plies.length + 2).keys()];
    const rows = numbers.flatMap((number) => [
      ...(number > 0 && number <= game.plies.length ? [row(game.plies[number - 1], number)] : []),
      ...remarks(number),
    ]);
    const look = (at) => (at === 1 ? null : "number");
    const head = el("thead", {}, el("tr", {}, heads.map((name, at) => el("th", { scope: "col", class: look(at) }, name))));
    const body = el("tbody", {}, rows);
    const box = page.scroll(t("Moves"), el("table", { class: "moves" }, head, body));
    let current;
    const mark = (number) => {
      current?.closest("tr").classList.remove("current");
      current?.removeAttribute("aria-current");
      current?.setAttribute("tabindex", -1);
      current = buttons[number - 1];
      current?.closest("tr").classList.add("current");
      current?.setAttribute("aria-current", "step");
      current?.setAttribute("tabindex", 0);
      const line = current?.closest("tr");
      box.scrollTop = line ? line.offsetTop - box.clientHeight / 2 : 0;
    };
    const add = (ply, number) => body.append(row(ply, number));
    return { element: box, mark, add };
  };

  const evidence = (names, side, found) => {
    const term = (name, value) => (value == null || value === "" ? [] : [el("dt", {}, name), el("dd", {}, value)]);
    const lines = (text) => (text == null || text === "" ? null : el("pre", { tabindex: 0, dir: "auto" }, text));
    return el("div", { class: "evidence" },
      el("h3", {}, t("Evidence against {}", names[side - 1])),
      el("dl", {},
        term(t("judged line"), lines(found.line)),
        term(t("illegal because"), found.why),
        term(t("after"), found.at_ms == null ? null : page.time(found.at_ms * 1000)),
        term(t("its process"), found.exit),
        term(t("standard error"), lines(found.stderr))));
  };

  // How a game ended, and what is kept of a forfeit.
  page.ending = (summary, game) => {
    const sides = [1, 2].filter((side) => game.evidence?.[side] != null);
    return el("div", { class: summary.ending?.forfeit ? "ending forfeit" : "ending" },
      el("p", {}, el("b", {}, page.outcome(summary)), " ", el("span", { class: "result" }, page.result(summary))),
      game.broken != null && el("p", {}, t("From here on, the record does not match the rules of this program: {}", game.broken)),
      sides.map((side) => evidence(summary.names, side, game.evidence[side])));
  };

  // What an analysis says of the position after so many plies: who wins by how much, if that is
  // certain, or else who is ahead.
  page.value = (game, ply, names) => {
    const proven = game.analysis?.proven?.[ply];
    const value = game.analysis?.values[ply];
    if (proven) {
      const [winner, margin] = proven;
      if (winner === 0) return t("a draw, if both play their best");
      const name = names[winner - 1];
      return margin > 0 ? t("{} wins by {}", name, margin) : t("{} wins", name);
    }
    if (value == null) return "";
    const seeds = page.number(Math.abs(value), 1);
    return Math.abs(value) < 0.05 ? t("even by the analysis") : t("{} ahead by {}", names[value > 0 ? 0 : 1], seeds);
  };

  const CHANGES = {
    "win-to-draw": t("turned a win into a draw"),
    "win-to-loss": t("turned a win into a loss"),
    "draw-to-loss": t("turned a draw into a loss"),
  };

  // The moves that lost most, if the game was analyzed. `open` is called with the ply before one.
  page.lost = (game, names, open) => {
    if (!game.analysis) return null;
    const { lost, by } = game.analysis;
    const item = ([ply, seeds, better, change]) => {
      const [by, text] = game.plies[ply - 1];
      const what = change ? CHANGES[change] : t("lost {} seeds", page.number(seeds, 1));
      return el("li", {}, page.badge(by),
        page.button(t("ply {}: {}", ply, text), () => open(ply - 1), { class: "move" }),
        el("span", {}, ` ${what}; `, t("{} was better", better)));
    };
    const list = lost.length === 0 ? el("p", {}, t("No move lost half a seed or more.")) : el("ul", {}, lost.map(item));
    return el("div", { class: "lost" }, el("h3", {}, t("Moves that lost most")), list, el("p", { class: "hint" }, t("analyzed by {}", by)));
  };

  const nanos = (micros) => Math.round((micros ?? 0) * 1000);

  // The game as `pitmaster export` writes it: its head with plies and remarks put back.
  page.gameFile = (game) => {
    const plies = game.plies.map(([by, text, wall, cpu], at) =>
      ({ by: by || null, text, wall_ns: nanos(wall), cpu_ns: nanos(cpu), waiting_ns: nanos(game.waits?.[at]) }));
    const remarks = (game.say ?? []).map(([ply, by, text]) => ({ ply, by, text }));
    return { ...game.file, record: { ...game.file.record, plies, remarks } };
  };

  page.download = (game) => {
    const text = JSON.stringify(page.gameFile(game), null, 2) + "\n";
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    el("a", { href: url, download: `${game.id.replace(/[^\w-]/g, "")}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
})(pitmaster);
