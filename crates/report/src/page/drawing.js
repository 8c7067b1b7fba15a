// The board as a drawing: holes as wooden cups, seeds as dots, stores at the ends (on narrow
// screens above and below). Everything that colour says, a shape, a letter or a number says too.
"use strict";

((page) => {
  const { t, svg } = page;
  const CELL = 72, CUP = 30, HEAD = 20, FOOT = 22, STORE = 86, STRIP = 58, DOTS = 12, GAP = 12;
  const KNOWN_KINDS = ["red", "blue", "transparent"];
  const GLYPHS = { closed: "\u00d7", child1: "\u25c61", child2: "\u25c62", ram: "\u25b2", locked: "\u25a0" };

  // How a kind of seed looks: 1 red disc, 2 blue square, 3 ring, 0 plain; others by their number.
  page.look = (shape, kind) => {
    if (shape.kinds.length === 1) return 0;
    const known = KNOWN_KINDS.indexOf(shape.kinds[kind]);
    return known >= 0 ? known + 1 : (kind % 3) + 1;
  };

  page.letter = (shape, kind) => (shape.kinds[kind] ?? "").charAt(0).toUpperCase();

  page.seed = (look, x, y, size) => {
    if (look === 2) {
      return svg("rect", { class: "seed look-2", x: x - size * 0.86, y: y - size * 0.86, width: size * 1.72, height: size * 1.72, rx: 1 });
    }
    const r = look === 3 ? size * 0.82 : size;
    return svg("circle", { class: `seed look-${look}`, cx: x, cy: y, r });
  };

  // Where a dot lies among `count` in a cup around 0, 0: as seeds in a sunflower.
  const place = (at, count) => {
    if (count === 1) return [0, 0];
    const far = Math.min(7.1 * Math.sqrt(at + 0.5), CUP - 7);
    const angle = at * 2.39996 + count;
    return [far * Math.cos(angle), far * Math.sin(angle)];
  };

  class Drawing {
    constructor(shape) {
      this.shape = shape;
      this.flipped = false;
      this.narrow = false;
      this.element = svg("svg", { class: "board", role: "img", "aria-label": t("Board") });
      this.build();
    }

    // Lays the board out anew, for a change of side or of width.
    build() {
      const { shape } = this;
      const coloured = shape.kinds.length > 1;
      this.cell = HEAD + 2 * CUP + 6 + (coloured ? FOOT : 0);
      this.split = shape.rows % 2 === 0 ? GAP : 0;
      const ends = shape.stores && !this.narrow;
      this.left = ends ? STORE : 4;
      this.top = shape.stores && this.narrow ? STRIP : 4;
      this.width = shape.columns * CELL + 2 * this.left;
      this.height = shape.rows * this.cell + this.split + 2 * this.top;
      const { element } = this;
      element.replaceChildren();
      element.classList.toggle("narrow", this.narrow);
      element.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      element.style.minWidth = `${shape.columns * 42 - 6}px`;
      element.append(svg("rect", { class: "wood", x: 1, y: 1, width: this.width - 2, height: this.height - 2, rx: 16 }));
      this.middle();
      this.holes = shape.holes.map((hole, number) => this.hole(hole, number));
      this.stores = shape.stores ? [1, 2].map((side) => this.store(side)) : [];
      this.hand = svg("g", { class: "hand" });
      element.append(this.hand);
    }

    middle() {
      const { shape } = this;
      if (this.split === 0) return;
      const y = this.top + (shape.rows / 2) * this.cell + this.split / 2;
      const inset = this.left + 6;
      this.element.append(svg("line", { class: "middle", x1: inset, y1: y, x2: this.width - inset, y2: y }));
    }

    // The middle of a hole's cup.
    at(hole) {
      const { rows, columns } = this.shape;
      const row = this.flipped ? rows - 1 - hole.row : hole.row;
      const column = this.flipped ? columns - 1 - hole.column : hole.column;
      const split = row >= rows / 2 ? this.split : 0;
      return [this.left + (column + 0.5) * CELL, this.top + row * this.cell + split + HEAD + CUP + 2];
    }

    hole(hole, number) {
      const [x, y] = this.at(hole);
      const part = (tag, attributes) => svg(tag, attributes);
      const parts = {
        x, y, number,
        back: part("rect", { class: "back", x: -CELL / 2 + 2, y: -CUP - HEAD, width: CELL - 4, height: this.cell - 4, rx: 8 }),
        cup: part("circle", { class: "cup", r: CUP }),
        dots: part("g", { class: "dots" }),
        label: part("text", { class: "label", x: -CUP, y: -CUP - 5 }),
        count: part("text", { class: "count", x: CUP, y: -CUP - 4 }),
        foot: part("g", { class: "foot" }),
        marks: part("text", { class: "marks", y: CUP - 2 }),
        traces: part("g", { class: "traces" }),
      };
      parts.label.textContent = hole.label;
      const { back, cup, dots, label, count, foot, traces, marks } = parts;
      parts.group = svg("g", { class: "hole", transform: `translate(${x} ${y})` }, back, cup, dots, label, count, foot, traces, marks);
      this.element.append(parts.group);
      return parts;
    }

    // Player 1's store is on the right or below, player 2's on the left or above.
    store(side) {
      const after = (side === 1) !== this.flipped;
      const box = this.narrow
        ? { x: 10, y: after ? this.height - STRIP + 6 : 8, width: this.width - 20, height: STRIP - 14 }
        : { x: after ? this.width - STORE + 6 : 8, y: 14, width: STORE - 14, height: this.height - 28 };
      const x = box.x + box.width / 2;
      const y = box.y + box.height / 2;
      const count = svg("text", { class: "stored", x, y: y + (this.narrow ? 10 : 4) });
      const name = this.narrow
        ? svg("text", { class: "whose", x: box.x + 14, y: y + 6, "text-anchor": "start" }, t("player {}", side))
        : svg("text", { class: "whose", x, y: y + 28 }, t("player {}", side));
      const group = svg("g", { class: `store owner-${side}` }, svg("rect", { ...box, rx: 22 }), count, name);
      this.element.append(group);
      return { group, count, x, y };
    }

    // Shows a board, what the last ply left to be marked, and whose turn it is.
    show(board, traces, mover) {
      this.holes.forEach((parts) => this.fill(parts, board, traces, mover));
      this.stores.forEach(({ group, count }, at) => {
        count.textContent = board.stores[at];
        group.classList.toggle("mover", mover === at + 1);
      });
    }

    fill(parts, board, traces, mover) {
      const { shape } = this;
      const seeds = page.seedsIn(board, shape, parts.number);
      const total = seeds.reduce((sum, one) => sum + one, 0);
      const owner = page.ownerOf(board, shape, parts.number);
      const marks = board.marks.get(parts.number) ?? [];
      const origin = traces.origin === parts.number;
      const names = ["hole", `owner-${owner}`];
      if (owner !== 0 && owner === mover) names.push("mover");
      if (origin) names.push("origin");
      if (marks.includes("closed")) names.push("closed");
      parts.group.setAttribute("class", names.join(" "));
      parts.count.textContent = total;
      parts.group.classList.toggle("empty", total === 0);
      this.dots(parts, seeds, total);
      parts.marks.textContent = marks.map((mark) => GLYPHS[mark] ?? "").join(" ");
      if (shape.kinds.length > 1) this.foot(parts, seeds);
      this.traces(parts, traces, origin);
    }

    // How many of each kind, side by side.
    foot(parts, seeds) {
      const wide = (CELL - 2) / seeds.length;
      const told = seeds.map((count, kind) => {
        const text = count === 0 ? "" : page.letter(this.shape, kind) + count;
        const look = `letter look-${page.look(this.shape, kind)}${text.length > 2 ? " tight" : ""}`;
        return svg("text", { class: look, x: (kind - (seeds.length - 1) / 2) * wide, y: CUP + 20 }, text);
      });
      parts.foot.replaceChildren(...told);
    }

    dots(parts, seeds, total) {
      const key = seeds.join();
      if (parts.shown === key) return;
      parts.shown = key;
      if (total > DOTS) {
        const number = svg("text", { class: "many", y: 8 }, String(total));
        parts.dots.replaceChildren(number);
        return;
      }
      const kinds = seeds.flatMap((count, kind) => Array(count).fill(page.look(this.shape, kind)));
      parts.dots.replaceChildren(...kinds.map((look, at) => {
        const [x, y] = place(at, total);
        return page.seed(look, x, y, 5.6);
      }));
    }

    traces(parts, traces, origin) {
      const found = [];
      if (origin) found.push(svg("circle", { class: "began", r: CUP + 3 }));
      const captured = traces.captured.get(parts.number);
      if (captured !== undefined) {
        found.push(svg("circle", { class: "taken", r: CUP - 1 }));
        found.push(svg("text", { class: "taken-count", x: -CUP - 4, y: CUP + 3 }, `\u2212${captured}`));
      }
      const lap = traces.laps.get(parts.number);
      if (lap !== undefined) found.push(svg("text", { class: "lap", x: CUP + 4, y: CUP + 3 }, `\u21bb${lap}`));
      parts.traces.replaceChildren(...found);
    }

    // The hand over a spot with what it holds; nothing where it is empty.
    hold(spot, seeds) {
      const total = seeds.reduce((sum, one) => sum + (one ?? 0), 0);
      if (total === 0) return this.hand.replaceChildren();
      const holes = this.shape.holes.length;
      const { x, y } = this.holes[spot] ?? this.stores[spot - holes] ?? { x: this.width / 2, y: 0 };
      if (this.hand.childElementCount === 0) {
        this.hand.append(svg("circle", { r: 15 }), svg("text", { y: 6 }));
      }
      this.hand.lastChild.textContent = total;
      this.hand.style.transform = `translate(${x}px, ${y - CUP - 6}px)`;
    }

    // Lets a spot stand out while something happens there.
    pulse(spot) {
      this.pulsing?.classList.remove("pulse");
      const found = this.holes[spot] ?? this.stores[spot - this.shape.holes.length];
      this.pulsing = found?.group;
      this.pulsing?.classList.add("pulse");
    }

    turn(flipped, narrow) {
      if (flipped === this.flipped && narrow === this.narrow) return false;
      Object.assign(this, { flipped, narrow, pulsing: undefined });
      this.build();
      return true;
    }
  }

  page.Drawing = Drawing;

  const icon = (...parts) => svg("svg", { class: "board key", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, ...parts);

  const ring = (name, r = 11) => svg("circle", { class: name, r });

  const meaning = {
    closed: () => t("closed hole"),
    child1: () => t("child of player 1"),
    child2: () => t("child of player 2"),
    ram: () => t("ram"),
    locked: () => t("locked hole"),
  };

  // What the drawing's signs mean, of those that this game shows.
  page.legend = (shape, boards) => {
    const used = new Set(boards.flatMap((board) => [...board.marks.values()].flat()));
    const kinds = shape.kinds.length === 1 ? [] : shape.kinds.map((kind, at) =>
      [icon(page.seed(page.look(shape, at), 0, 0, 9)), `${page.letter(shape, at)}: ${page.kind(kind)}`]);
    const owners = [1, 2].map((side) =>
      [icon(svg("g", { class: `hole owner-${side}` }, ring("cup"))), t("hole of player {}", side)]);
    const marks = Object.keys(meaning).filter((mark) => used.has(mark)).map((mark) =>
      [icon(svg("text", { class: "marks", y: 6 }, GLYPHS[mark])), meaning[mark]()]);
    const traces = [
      [icon(ring("began")), t("the move began here")],
      [icon(ring("taken"), svg("text", { class: "taken-count", y: 4, "text-anchor": "middle" }, "\u22122")), t("seeds captured from here")],
    ];
    const laps = [icon(svg("text", { class: "lap", y: 5, "text-anchor": "middle" }, "\u21bb1")), t("a new lap began here")];
    const rows = [...kinds, ...owners, ...marks, ...traces, laps];
    return page.el("ul", { class: "legend" }, rows.map(([sign, words]) => page.el("li", {}, sign, words)));
  };

  page.kind = (kind) => {
    const words = { red: t("red"), blue: t("blue"), transparent: t("transparent") };
    return Object.hasOwn(words, kind) ? words[kind] : kind;
  };

  // The position in words.
  page.inWords = (board, shape) => shape.holes.map((hole, number) => {
    const seeds = page.seedsIn(board, shape, number);
    const total = seeds.reduce((sum, one) => sum + one, 0);
    const kinds = seeds.map((count, kind) => (count === 0 ? null : `${count} ${page.kind(shape.kinds[kind])}`));
    const detail = seeds.length > 1 && total > 0 ? ` (${kinds.filter(Boolean).join(", ")})` : "";
    return `${hole.label}: ${total}${detail}`;
  });
})(pitmaster);
