// Under the board: how the score went, what each bot thought of it, and the time of each move.
"use strict";

((page) => {
  const { t, el, svg } = page;
  const WIDTH = 640, HEIGHT = 130, TIMES = 60, PAD = 6;

  const across = (plies) => (ply) => PAD + (ply / Math.max(plies, 1)) * (WIDTH - 2 * PAD);
  const biggest = (values) => Math.max(...values.map(Math.abs), 0) || 1;

  // Up is good for player 1; each line in its own scale, with zero in the middle.
  const upward = (most) => (value) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - PAD);

  const path = (points, x, y) =>
    points.map(([ply, value], at) => `${at === 0 ? "M" : "L"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");

  // The last value that a bot told at each ply, seen from player 1.
  const thoughts = (game, side) => {
    const told = new Map();
    for (const [ply, by, , value] of game.say ?? []) {
      if (by === side && Number.isFinite(value)) told.set(ply, side === 1 ? value : -value);
    }
    return [...told].sort(([one], [other]) => one - other);
  };

  // The values of an analysis, as far as there are any.
  const analyzed = (game) => (game.analysis?.values ?? [])
    .map((value, ply) => [ply, value]).filter(([, value]) => value !== null);

  const differences = (boards, shape) => boards.map((board, ply) => {
    const [one, two] = page.score(board, shape);
    return [ply, one - two];
  });

  const area = (points, x) => {
    const y = upward(biggest(points.map(([, value]) => value)));
    const closed = [[0, 0], ...points, [points.at(-1)[0], 0]];
    return svg("path", { class: "lead", d: `${path(closed, x, y)}Z` });
  };

  const timeBars = (tournament, game, x) => {
    const walls = game.plies.map((ply) => ply[2] ?? 0);
    const most = Math.max(...walls, 0);
    if (most === 0) return [];
    const limit = (tournament.move_limit_ms ?? Infinity) * 1000;
    const top = limit < 3 * most ? Math.max(limit, most) : most;
    const wide = Math.max(0.75 * (WIDTH - 2 * PAD) / game.plies.length, 0.8);
    const bars = game.plies.map(([by], at) => {
      const height = (walls[at] / top) * (TIMES - 4);
      return svg("rect", { class: `took player-${by}`, x: (x(at + 1) - wide).toFixed(1), y: (HEIGHT + TIMES - height).toFixed(1), width: wide.toFixed(1), height: height.toFixed(1) });
    });
    const y = (HEIGHT + TIMES - (limit / top) * (TIMES - 4)).toFixed(1);
    const line = top < limit ? [] : [svg("line", { class: "limit", x1: PAD, x2: WIDTH - PAD, y1: y, y2: y })];
    return [...bars, ...line];
  };

  const key = (name, words) =>
    el("li", {}, svg("svg", { class: "key curve", viewBox: "0 0 24 10", "aria-hidden": "true" }, svg("path", { class: name, d: "M0 5H24" })), words);

  // The drawing of a game. `open` is called with a ply; the answer moves the line of the present.
  page.curve = (tournament, game, boards, names, open) => {
    const last = game.plies.length;
    if (last < 2) return { element: null, mark() {} };
    const x = across(last);
    const lines = [1, 2].map((side) => {
      const points = thoughts(game, side);
      if (points.length < 2) return null;
      const y = upward(biggest(points.map(([, value]) => value)));
      return svg("path", { class: `thought player-${side}`, d: path(points, x, y) });
    });
    const values = analyzed(game);
    const analysis = values.length < 2 ? null
      : svg("path", { class: "analysis", d: path(values, x, upward(biggest(values.map(([, value]) => value)))) });
    const times = timeBars(tournament, game, x);
    const now = svg("line", { class: "now", y1: 0, y2: HEIGHT + (times.length ? TIMES : 0) });
    const opened = game.opening > 0
      ? svg("rect", { class: "opened", x: PAD, y: 0, width: x(game.opening) - PAD, height: HEIGHT }) : null;
    const drawing = svg("svg", { class: "curve", role: "img", preserveAspectRatio: "none", viewBox: `0 0 ${WIDTH} ${HEIGHT + (times.length ? TIMES : 0)}`, "aria-label": t("Score and time by ply") },
      opened, area(differences(boards, tournament.shape), x), svg("line", { class: "zero", x1: PAD, x2: WIDTH - PAD, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      lines, analysis, times, now);
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      const part = ((event.clientX - box.left) / box.width * WIDTH - PAD) / (WIDTH - 2 * PAD);
      open(Math.round(Math.min(Math.max(part, 0), 1) * last));
    });
    const keys = el("ul", { class: "keys" },
      key("lead", t("lead of player 1 (above the middle) or 2 (below)")),
      lines[0] && key("thought player-1", t("evaluation by {}, in its own scale", names[0])),
      lines[1] && key("thought player-2", t("evaluation by {}, in its own scale", names[1])),
      analysis && key("analysis", t("analysis, in its own scale")),
      times.length ? el("li", {}, t("columns: time of each move")) : null);
    const mark = (ply) => {
      now.setAttribute("x1", x(ply));
      now.setAttribute("x2", x(ply));
    };
    return { element: el("figure", { class: "course" }, drawing, keys), mark };
  };
})(pitmaster);
