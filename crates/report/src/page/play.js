// A game that the reader plays: a hole, a key or a button chooses among the moves that the page
// lists, so that no other move can be made. Knows no rules.
"use strict";

((page) => {
  const { t } = page;
  const LOOK_MS = 300;
  const PAUSE_MS = 900;
  const TYPED = /^[0-9a-z@+=:,-]$/;

  let replay;
  let typed = "";
  let looking;
  let pausing;

  const section = () => document.getElementById("play");
  const buttons = () => [...section().querySelectorAll(".choices button[name=move]")];
  const layout = () => section().querySelector("form.layout");
  const fields = () => [...layout().querySelectorAll("input[type=number]")];
  const chosen = () => layout().querySelector("select").selectedOptions[0];
  const isTurn = () => buttons().length > 0 || layout() !== null;
  const isOver = () => section().querySelector(".go-on") !== null;
  const isEvaluated = () => section().querySelector(".evaluating") !== null;
  const laid = () => fields().reduce((sum, field) => sum + Number(field.value || 0), 0);

  // Whether a hole begins a move, or takes a seed of the layout that is chosen.
  const canBegin = (hole) => buttons().some((one) => one.dataset.hole === hole)
    || [...section().querySelectorAll("form.layout option")].some((one) => one.dataset.hole === hole);
  const fieldOf = (hole) => (layout() ? fields().find((field) => field.dataset.hole === hole) : undefined);

  const markHoles = () => {
    const shown = isTurn() && replay.ply === replay.last;
    replay.drawing.holes.forEach(({ group, number }) => {
      group.classList.toggle("can", shown && (canBegin(String(number)) || fieldOf(String(number)) !== undefined));
    });
  };

  // Marks the moves that a choice so far leads to.
  const mark = (near) => buttons().forEach((one) => one.classList.toggle("near", near.includes(one)));

  const forget = () => {
    typed = "";
    clearTimeout(pausing);
    mark([]);
  };

  const say = (text) => {
    const line = section().querySelector(".turn");
    if (line) line.textContent = text;
  };

  // Sends a form, and shows what comes of it.
  const send = async (form, button) => {
    const body = new URLSearchParams([...new FormData(form)].filter(([name]) => name !== "move" || button === undefined));
    if (button) body.append(button.name, button.value);
    section().querySelectorAll("button").forEach((one) => { one.disabled = true; });
    forget();
    say(t("The bot is thinking."));
    section().focus({ preventScroll: true });
    let said = "";
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
      if (!answer.ok) said = t("This move was refused. The page shows the game as it is.");
    } catch {
      said = t("The server does not answer. This page tries again by itself.");
    }
    look(said);
  };

  // Asks for the page until it is the reader's turn, or the game is over.
  const look = async (said = "") => {
    clearTimeout(looking);
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html", "x-refresh": "1" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("play");
      if (answer.ok && fresh) renew(document.importNode(fresh, true));
      if (answer.ok && said) say(said);
    } catch {
      // The server is away; the line about the game says so.
    }
    if (section() && !isTurn() && !isOver()) looking = setTimeout(look, LOOK_MS);
  };

  const renew = (fresh) => {
    const isInUse = section().contains(document.activeElement);
    section().replaceWith(fresh);
    if (isInUse) fresh.focus({ preventScroll: true });
    prepare();
  };

  const prepare = () => {
    typed = "";
    if (layout()) count();
    markHoles();
  };

  // How many seeds of a layout are laid out; it can be played once all are.
  const count = () => {
    const seeds = Number(chosen().dataset.seeds);
    layout().querySelector("output").textContent = t("{} of {} laid out", laid(), seeds);
    layout().querySelector("button").disabled = laid() !== seeds;
  };

  // A hole is chosen on the board.
  const choose = (hole) => {
    if (replay.ply !== replay.last) return replay.show(replay.last);
    if (!isTurn()) return undefined;
    const near = buttons().filter((one) => one.dataset.hole === hole);
    const own = layout() ? [...layout().querySelectorAll("option")].filter((one) => one.dataset.hole === hole) : [];
    if (near.length === 1 && own.length === 0) return near[0].click();
    if (own.length > 0) {
      own[0].selected = true;
      fields().forEach((field) => { field.value = 0; });
      count();
      mark(near);
      return layout().querySelector("select").focus({ preventScroll: true });
    }
    if (near.length > 0) {
      mark(near);
      return near[0].focus({ preventScroll: true });
    }
    const field = fieldOf(hole);
    if (field && laid() < Number(chosen().dataset.seeds)) {
      field.value = Number(field.value || 0) + 1;
      count();
    }
    return undefined;
  };

  // A move is typed: it is played once no other one can be meant.
  const type = (key) => {
    clearTimeout(pausing);
    const begins = (text) => buttons().filter((one) => one.value.toLowerCase().startsWith(text));
    typed = begins(typed + key).length > 0 ? typed + key : key;
    const near = begins(typed);
    if (near.length === 0) return forget();
    mark(near);
    const exact = near.find((one) => one.value.toLowerCase() === typed);
    if (exact && near.length === 1) return exact.click();
    if (exact) pausing = setTimeout(() => exact.isConnected && exact.click(), PAUSE_MS);
    return undefined;
  };

  const enter = () => {
    const near = buttons().filter((one) => one.classList.contains("near"));
    const exact = near.find((one) => one.value.toLowerCase() === typed) ?? (near.length === 1 ? near[0] : undefined);
    exact?.click();
  };

  // Keys count only on the board and on the moves, so that they disturb nobody elsewhere.
  const press = (event) => {
    const isHere = section()?.contains(event.target) || replay?.box.contains(event.target);
    if (!isHere || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
    const key = event.key.toLowerCase();
    if (TYPED.test(key) && isTurn() && replay.ply === replay.last) {
      const begins = buttons().some((one) => [typed + key, key].some((text) => one.value.toLowerCase().startsWith(text)));
      if (!begins) return;
      event.preventDefault();
      event.stopPropagation();
      type(key);
    } else if (key === "enter" && typed !== "") {
      event.preventDefault();
      enter();
    } else if (key === "escape") forget();
  };

  document.addEventListener("keydown", press, { capture: true });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("#play form.choices, #play form.layout")) return;
    event.preventDefault();
    send(form, form.matches(".choices") ? event.submitter : undefined);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#play form.layout")) return;
    if (event.target.matches("select")) fields().forEach((field) => { field.value = 0; });
    count();
  });

  // Waits for an evaluation, which comes with another page.
  const evaluated = () => setTimeout(async () => {
    await look();
    if (isEvaluated()) evaluated();
    else location.reload();
  }, 5 * LOOK_MS);

  // Takes the moves to the board of a replay that has them.
  page.play = (shown) => {
    replay = shown;
    if (!section()) return;
    replay.table.after(section());
    const { drawing } = replay;
    const show = drawing.show.bind(drawing);
    drawing.show = (...all) => {
      show(...all);
      if (section()) markHoles();
    };
    drawing.element.addEventListener("click", (event) => {
      const hole = drawing.holes.find(({ group }) => group === event.target.closest(".hole"));
      if (hole) choose(String(hole.number));
    });
    if (section().dataset.side === "2" && !drawing.flipped) replay.flip();
    prepare();
    if (isEvaluated()) evaluated();
    if (isTurn()) section().focus({ preventScroll: true });
    else if (!isOver()) look();
  };
})(pitmaster);
