// The replay of a game: any ply at once, or seed by seed; by buttons, keys, a slider, a link.
"use strict";

((page) => {
  const { t, el } = page;
  const SPEEDS = { slow: [600, 1200], normal: [240, 700], fast: [70, 250], instant: [0, 450] };
  const LONGEST = 9000;
  const ICONS = {
    first: "M2 2h2.5v12H2zM14 2v12L5.5 8z", previous: "M12 2v12L4 8z", play: "M3.5 1.5v13L14 8z",
    pause: "M3 2h3.5v12H3zM9.5 2H13v12H9.5z", next: "M4 2v12l8-6z", last: "M11.5 2H14v12h-2.5zM2 2v12l8.5-6z",
  };
  const PHONE = matchMedia("(max-width: 640px)");
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const clear = () => ({ origin: null, captured: new Map(), laps: new Map() });

  // One opened game.
  class Replay {
    constructor(tournament, summary, game) {
      Object.assign(this, { tournament, summary, game });
      this.shape = tournament.shape;
      this.boards = page.positions(this.shape, game);
      this.said = page.said(game);
      this.last = game.plies.length;
      this.ply = 0;
      this.speed = CALM.matches ? "instant" : "normal";
      this.playing = false;
      this.drawing = new page.Drawing(this.shape);
      this.element = this.assemble();
    }

    assemble() {
      const open = (ply) => this.show(ply);
      this.moves = page.moveList(this.tournament, this.game, this.boards, open);
      this.course = el("div", { class: "course-box" });
      this.plot();
      this.players = [1, 2].map((side) => this.player(side));
      this.status = el("p", { class: "status", role: "status" });
      this.remarks = el("div", { class: "remarks" });
      this.words = el("p");
      const inWords = el("details", { class: "words", ontoggle: () => this.tell() }, el("summary", {}, t("The position in words")), this.words);
      this.inWords = inWords;
      this.table = el("div", { class: "table" });
      this.box = el("div", { class: "board-box", tabindex: 0, role: "group", "aria-label": t("Board") }, this.drawing.element);
      const left = el("div", { class: "left" }, this.table, this.controls(), this.status, this.remarks, this.course);
      const right = el("div", { class: "right" }, page.ending(this.summary, this.game), page.lost(this.game, this.summary.names, open), this.moves.element, this.tools());
      this.seat();
      return el("div", { class: "replay" }, left, right,
        el("div", { class: "under" }, page.legend(this.shape, this.boards), inWords));
    }

    plot() {
      this.curve = page.curve(this.tournament, this.game, this.boards, this.summary.names, (ply) => this.show(ply));
      this.course.replaceChildren(...[this.curve.element].filter(Boolean));
    }

    // Takes more plies of a running game. Whoever looks at the last position goes on with it.
    extend(plies) {
      const follows = this.ply === this.last && !this.playing;
      for (const ply of plies) {
        this.game.plies.push(ply);
        this.boards.push(page.after(this.boards.at(-1), this.shape, ply));
        this.moves.add(ply, this.game.plies.length);
      }
      this.last = this.game.plies.length;
      this.slider.setAttribute("max", this.last);
      this.plot();
      if (follows) return this.settle(this.last);
      this.curve.mark(this.ply);
      this.tell();
    }

    // The players above and below the board, as it is turned.
    seat() {
      const [one, two] = this.players.map((player) => player.element);
      this.table.replaceChildren(...(this.drawing.flipped ? [one, this.box, two] : [two, this.box, one]));
    }

    player(side) {
      const score = el("b", { class: "score" });
      const turn = el("span", { class: "turn" });
      const clock = el("span", { class: "clock" });
      const element = el("p", { class: `player player-${side}` }, page.badge(side),
        el("span", { class: "name", dir: "auto" }, this.summary.names[side - 1]), turn, clock, score);
      return { element, score, turn, clock };
    }

    controls() {
      this.playButton = page.iconButton(ICONS.play, t("Play"), () => this.toggle());
      this.slider = el("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": t("Ply"),
        oninput: () => this.show(Number(this.slider.value)) });
      const speeds = [["slow", t("slow")], ["normal", t("normal")], ["fast", t("fast")], ["instant", t("instant")]];
      const speed = page.choice(t("Speed"), speeds, this.speed, (chosen) => { this.speed = chosen; });
      return el("div", { class: "controls" },
        el("div", { class: "buttons" },
          page.iconButton(ICONS.first, t("First position"), () => this.show(0)),
          page.iconButton(ICONS.previous, t("Previous ply"), () => this.previous()),
          this.playButton,
          page.iconButton(ICONS.next, t("Next ply"), () => this.next()),
          page.iconButton(ICONS.last, t("Last position"), () => this.show(this.last)),
          speed),
        this.slider);
    }

    tools() {
      const link = page.button(t("Link to this ply"), () => this.copyLink());
      this.linkField = el("input", { class: "address", readonly: true, hidden: true, "aria-label": t("Link to this ply") });
      const download = this.tournament.downloads && this.game.file
        ? page.button(t("Download the game"), () => page.download(this.game)) : null;
      return el("div", { class: "tools" },
        page.button(t("Flip the board"), () => this.flip()), link, download, this.linkField,
        el("p", { class: "hint" }, this.tournament.alone
          ? t("Keys on the replay: arrows one ply, space play and pause, Home and End, f flips the board.")
          : t("Keys: arrows one ply, space play and pause, Home and End, f flips the board, Esc closes.")));
    }

    // Of a running game, the last position is no place: a link to it follows the game.
    address() {
      if (this.summary.live && this.ply === this.last) return "";
      return page.link.game(this.tournament, this.summary.id, this.ply);
    }

    async copyLink() {
      page.readdress(this.address());
      try {
        await navigator.clipboard.writeText(location.href);
        this.status.textContent = t("The link is copied.");
      } catch {
        this.linkField.value = location.href;
        this.linkField.hidden = false;
        this.linkField.select();
      }
    }

    flip() {
      this.drawing.turn(!this.drawing.flipped, this.drawing.narrow);
      this.seat();
      if (!this.run) this.draw();
    }

    fit() {
      if (this.drawing.turn(this.drawing.flipped, PHONE.matches)) this.draw();
    }

    // Stops what moves, and shows the board after so many plies.
    show(ply) {
      this.pause();
      this.settle(Math.min(Math.max(ply, 0), this.last));
    }

    draw() {
      const traces = page.traces(this.shape, this.game.plies[this.ply - 1]);
      this.drawing.hold(0, []);
      this.drawing.pulse(-1);
      this.drawing.show(this.boards[this.ply], traces, this.game.plies[this.ply]?.[0] ?? 0);
    }

    settle(ply) {
      this.run = null;
      this.ply = ply;
      this.draw();
      this.slider.value = ply;
      this.moves.mark(ply);
      this.curve.mark(ply);
      page.settled?.(ply);
      this.seatsTell();
      this.tell();
      clearTimeout(this.naming);
      // Unless a link was followed meanwhile, whose event is still to come.
      const before = location.hash;
      this.naming = setTimeout(() => {
        if (location.hash === before) page.readdress(this.address());
      }, 250);
    }

    scores() {
      return page.score(this.boards[this.ply], this.shape);
    }

    seatsTell() {
      const score = this.scores();
      const mover = this.game.plies[this.ply]?.[0] ?? 0;
      const spent = [0, 0];
      for (const [by, , wall] of this.game.plies.slice(0, this.ply)) {
        if (by > 0) spent[by - 1] += wall ?? 0;
      }
      this.players.forEach(({ element, score: field, turn, clock }, at) => {
        field.textContent = score[at];
        turn.textContent = mover === at + 1 ? t("to move") : "";
        clock.textContent = spent[at] > 0 ? page.time(spent[at]) : "";
        element.classList.toggle("mover", mover === at + 1);
      });
    }

    sentence() {
      const parts = [t("Ply {} of {}", this.ply, this.last)];
      const done = this.game.plies[this.ply - 1];
      if (done !== undefined) {
        const who = done[0] === 0 ? t("chance") : this.summary.names[done[0] - 1];
        parts.push(t("{} played {}", who, done[1]));
      }
      parts.push(this.scores().join("\u2009:\u2009"));
      const value = page.value(this.game, this.ply, this.summary.names);
      if (value !== "") parts.push(value);
      if (this.ply === this.last) parts.push(`${page.outcome(this.summary)} ${page.result(this.summary)}`);
      return parts.join(" \u00b7 ");
    }

    tell() {
      const after = this.ply === this.last ? this.said.get(this.ply + 1) ?? [] : [];
      const said = [...(this.said.get(this.ply) ?? []), ...after];
      const sentence = this.sentence();
      this.status.textContent = sentence;
      this.drawing.element.setAttribute("aria-label", `${t("Board")}: ${sentence}`);
      this.remarks.replaceChildren(...said.map(page.saying));
      if (this.inWords.open) this.words.textContent = page.inWords(this.boards[this.ply], this.shape).join("; ");
    }

    // Plays one ply seed by seed; answers whether it came to its end.
    async animate(ply) {
      const run = {};
      const plies = this.game.plies;
      const events = page.events(this.shape, plies[ply - 1]);
      Object.assign(this, { run, target: ply });
      const board = page.copy(this.boards[ply - 1]);
      const traces = clear();
      for (const event of events) {
        const tick = Math.min(SPEEDS[this.speed][0], LONGEST / events.length);
        if (tick === 0) break;
        page.happen(board, this.shape, event);
        page.trace(traces, event);
        this.drawing.element.style.setProperty("--tick", `${tick * 0.8}ms`);
        this.drawing.show(board, traces, plies[ply - 1][0]);
        this.drawing.pulse(event.to ?? event.from);
        this.drawing.hold(event.what === "sow" ? event.to : event.from, board.hand);
        await wait(tick);
        if (this.run !== run) return false;
      }
      this.settle(ply);
      return true;
    }

    next() {
      this.pause();
      if (this.run) this.settle(this.target);
      if (this.ply < this.last) this.animate(this.ply + 1);
    }

    previous() {
      this.show(this.run ? this.target - 1 : this.ply - 1);
    }

    toggle() {
      if (this.playing) {
        this.pause();
        if (this.run) this.settle(this.target);
      } else this.play();
    }

    sign(playing) {
      this.playing = playing;
      const label = playing ? t("Pause") : t("Play");
      this.playButton.querySelector("path").setAttribute("d", playing ? ICONS.pause : ICONS.play);
      this.playButton.setAttribute("aria-label", label);
      this.playButton.setAttribute("title", label);
    }

    async play() {
      if (this.run) this.settle(this.target);
      if (this.ply === this.last) this.settle(0);
      this.sign(true);
      const session = (this.session = {});
      while (this.session === session && this.ply < this.last) {
        if (!(await this.animate(this.ply + 1))) break;
        if (this.ply < this.last) await wait(SPEEDS[this.speed][1]);
      }
      if (this.session === session) this.pause();
    }

    pause() {
      this.session = null;
      this.sign(false);
    }

    stop() {
      this.pause();
      this.run = null;
      clearTimeout(this.naming);
    }
  }

  let dialog;
  let replay;
  let opening;

  const typing = (target) => target.matches("input, select, textarea");
  const pressing = (target) => target.closest("button, summary, a") !== null;

  const ACTIONS = {
    ArrowLeft: () => replay.previous(),
    ArrowRight: () => replay.next(),
    Home: () => replay.show(0),
    End: () => replay.show(replay.last),
    f: () => replay.flip(),
    " ": () => replay.toggle(),
  };

  const press = (event) => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const action = Object.hasOwn(ACTIONS, event.key) ? ACTIONS[event.key] : undefined;
    if (!plain || !replay || !action || typing(event.target)) return;
    if (event.key === " " && pressing(event.target)) return;
    event.preventDefault();
    action();
  };

  const ensure = () => {
    if (dialog) return;
    dialog = page.dialog("of-game", () => {
      const { tournament } = replay ?? opening;
      close();
      page.leave(tournament);
    });
    dialog.element.addEventListener("keydown", press);
    PHONE.addEventListener("change", () => replay?.fit());
  };

  const close = () => {
    replay?.stop();
    replay = undefined;
    opening = undefined;
    dialog?.close();
  };

  const several = (column) => column?.some((one) => one !== column[0]) === true;

  const about = (summary, index) => [
    summary.id.slice(0, 12),
    several(index.stage) ? t("stage {}", summary.stage) : null,
    several(index.round) ? t("round {}", summary.round) : null,
    summary.again ? t("repeats an earlier game, move for move") : null,
  ].filter(Boolean).join(" \u00b7 ");

  const names = (tournament, summary) => summary.bots.flatMap((bot, side) => [
    side === 1 ? " \u2013 " : null,
    tournament.bots[bot]?.own ? el("a", { href: page.link.bot(tournament, bot), dir: "auto" }, summary.names[side])
      : el("span", { dir: "auto" }, summary.names[side]),
  ]);

  const load = async (asked) => {
    const { tournament, what } = asked;
    const number = await page.find(tournament, what ?? "");
    if (number < 0) throw new Error(t("There is no game {} here.", what ?? ""));
    const index = await page.index(tournament);
    const summary = page.summary(tournament, index, number);
    return { summary, index, game: await page.game(tournament, number) };
  };

  const open = async (asked) => {
    ensure();
    const ply = Number.parseInt(asked.fields.ply, 10) || 0;
    if (replay && replay.tournament === asked.tournament && replay.summary.id.startsWith(asked.what)) {
      return replay.show(ply);
    }
    replay?.stop();
    replay = undefined;
    opening = asked;
    dialog.title.textContent = t("Opening the game");
    dialog.body.replaceChildren();
    dialog.open();
    try {
      const { summary, index, game } = await load(asked);
      if (opening !== asked) return;
      replay = new Replay(asked.tournament, summary, game);
      dialog.title.replaceChildren(...names(asked.tournament, summary).filter(Boolean));
      dialog.body.replaceChildren(el("p", { class: "about" }, about(summary, index)), replay.element);
      replay.fit();
      replay.show(ply);
    } catch (error) {
      dialog.title.textContent = t("This game does not open");
      dialog.body.replaceChildren(el("p", { class: "note" }, error.message));
    }
  };

  page.views.game = { open, close };

  // The only replay of a page, in it instead of a dialog over it.
  page.replayAlone = (tournament, summary, game) => {
    replay = new Replay(tournament, summary, game);
    replay.element.addEventListener("keydown", press);
    PHONE.addEventListener("change", () => replay.fit());
    return replay;
  };
})(pitmaster);
