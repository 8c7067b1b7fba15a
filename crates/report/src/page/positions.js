// The positions of a game: adds up the steps that the engine told. Knows no rules; what steps
// cannot say is taken as the game has it. Also what is needed to show one ply step by step.
"use strict";

((page) => {
  const LIFT = 0, SOW = 1, CAPTURE = 2, SWEEP = 3, LAP = 4;

  const marksOf = (pairs) => {
    const marks = new Map();
    for (const [hole, mark] of pairs) marks.set(hole, [...(marks.get(hole) ?? []), mark]);
    return marks;
  };

  // A board from the form of the data: [[seeds, hole by hole and kind by kind], stores, marks].
  page.board = ([seeds, stores, marks]) =>
    ({ seeds: [...seeds], stores: [...stores], away: 0, marks: marksOf(marks ?? []), hand: [] });

  page.copy = (board) => ({
    seeds: [...board.seeds], stores: [...board.stores], away: board.away,
    marks: board.marks, hand: [...board.hand],
  });

  // The form of the data again.
  page.told = (board) => [
    board.seeds, board.stores,
    [...board.marks].flatMap(([hole, marks]) => marks.map((mark) => [hole, mark])),
  ];

  const add = (board, shape, spot, kind, seeds) => {
    const holes = shape.holes.length;
    if (spot < holes) board.seeds[spot * shape.kinds.length + kind] += seeds;
    else if (spot < holes + 2) board.stores[spot - holes] += seeds;
    else board.away += seeds;
  };

  // What happens in a ply, one thing after another, each seed by itself.
  page.events = (shape, ply) => {
    const steps = ply[4] ?? [];
    const holes = shape.holes.length;
    const events = [];
    let at = 0;
    const next = () => steps[at++];
    while (at < steps.length) {
      const what = next();
      if (what === LIFT) events.push({ what: "lift", from: next(), kind: next(), seeds: next() });
      else if (what === SOW) {
        const [from, stride, seeds, kind] = [next(), next(), next(), next()];
        for (let seed = 0; seed < seeds; seed += 1) {
          const to = from < holes ? (((from + stride * seed) % holes) + holes) % holes : from;
          events.push({ what: "sow", to, kind, seeds: 1 });
        }
      } else if (what === CAPTURE || what === SWEEP) {
        const name = what === CAPTURE ? "capture" : "sweep";
        events.push({ what: name, from: next(), to: next(), kind: next(), seeds: next() });
      } else if (what === LAP) events.push({ what: "lap", from: next() });
      else throw new Error(`an unknown step: ${what}`);
    }
    return events;
  };

  // Lets one of them happen.
  page.happen = (board, shape, event) => {
    const { what, from, to, kind, seeds } = event;
    if (what === "lap") return;
    if (what !== "sow") add(board, shape, from, kind, -seeds);
    if (what !== "lift") add(board, shape, to, kind, seeds);
    if (what === "lift") board.hand[kind] = (board.hand[kind] ?? 0) + seeds;
    if (what === "sow") board.hand[kind] = Math.max(0, (board.hand[kind] ?? 0) - 1);
  };

  // The board after a ply.
  page.after = (board, shape, ply) => {
    if (ply[5] != null) return page.board(ply[5]);
    const next = page.copy(board);
    for (const event of page.events(shape, ply)) page.happen(next, shape, event);
    next.hand = [];
    return next;
  };

  // All boards of a game; the one at `n` is that after `n` plies.
  page.positions = (shape, game) => {
    const boards = [page.board(game.start)];
    for (const ply of game.plies) boards.push(page.after(boards.at(-1), shape, ply));
    return boards;
  };

  // What a ply leaves to be marked: where it began, what it captured, where laps began.
  page.traces = (shape, ply) => {
    const traces = { origin: null, captured: new Map(), laps: new Map() };
    if (ply === undefined) return traces;
    for (const event of page.events(shape, ply)) page.trace(traces, event);
    return traces;
  };

  page.trace = (traces, event) => {
    if (event.what === "lift" && traces.origin === null) traces.origin = event.from;
    if (event.what === "capture") {
      traces.captured.set(event.from, (traces.captured.get(event.from) ?? 0) + event.seeds);
    }
    if (event.what === "lap") traces.laps.set(event.from, traces.laps.size + 1);
  };

  page.seedsIn = (board, shape, hole) => {
    const kinds = shape.kinds.length;
    return board.seeds.slice(hole * kinds, (hole + 1) * kinds);
  };

  // Whose hole it is: as the shape says, unless a mark says otherwise.
  page.ownerOf = (board, shape, hole) => {
    const marks = board.marks.get(hole) ?? [];
    if (marks.includes("owner1")) return 1;
    return marks.includes("owner2") ? 2 : shape.holes[hole].owner;
  };

  // Seeds in stores; of a game without stores, those in each player's holes.
  page.score = (board, shape) => {
    if (shape.stores) return board.stores;
    const score = [0, 0];
    shape.holes.forEach((_, hole) => {
      const owner = page.ownerOf(board, shape, hole);
      const seeds = page.seedsIn(board, shape, hole).reduce((sum, one) => sum + one, 0);
      if (owner > 0) score[owner - 1] += seeds;
    });
    return score;
  };
})(pitmaster);
