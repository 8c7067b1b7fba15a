// Follows a running game: its plies come as events, and in the end its page as it is stored.
"use strict";

((page) => {
  const { t } = page;
  const RETRY_MS = 2000;
  // Time in which the last board of a game is seen before another game is shown.
  const LAST_BOARD_MS = 5000;
  const TRIES = 8;

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));

  // A ply of the stream, as replays have it.
  const rowOf = (ply) => [ply.by ?? 0, ply.text, ply.wall_us, ply.cpu_us, ply.steps, ...(ply.board ? [ply.board] : [])];

  // What is said beside the board; one line at a time.
  const note = (text) => {
    const place = document.getElementById("live");
    if (place && place.textContent !== text) place.textContent = text;
  };

  // Puts the page as it is now in place of the page as it was.
  const renew = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const data = fresh.getElementById("page");
    if (data === null) return location.reload();
    const isInUse = document.getElementById("replay").contains(document.activeElement);
    document.querySelector("main").replaceWith(document.importNode(fresh.querySelector("main"), true));
    document.title = fresh.title;
    page.beginGame(JSON.parse(data.textContent).game, isInUse);
  };

  // Asks for the page until the server has it. The server may be away for a while, and a game that
  // was void may begin anew.
  const look = async () => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await wait(tries === 0 ? 0 : RETRY_MS * 2 ** Math.min(tries - 1, 4));
      try {
        const answer = await fetch(location.href, { headers: { accept: "text/html", "x-refresh": "1" } });
        if (answer.ok) return renew(await answer.text());
        if (answer.status === 404 && tries >= 2) return note(t("This game is not played any more, and it was not stored."));
      } catch {
        note(t("The server does not answer. This page tries again by itself."));
      }
    }
    note(t("The server does not answer. Reload this page later."));
  };

  // Follows the game of a replay from where its page was made.
  page.follow = (replay, { stream, after, goes_on: goesOn }) => {
    const feed = new EventSource(`${stream}?after=${encodeURIComponent(after)}`);
    const on = (name, action) => feed.addEventListener(name, (event) => action(event.data ? JSON.parse(event.data) : {}));
    const leave = () => {
      feed.close();
      look();
    };
    const next = async () => {
      feed.close();
      note(t("The game has ended. Another one follows."));
      await wait(LAST_BOARD_MS);
      look();
    };
    feed.addEventListener("open", () => note(t("Live")));
    // The server begins anew with a game that it cannot go on with.
    on("game", leave);
    on("plies", ({ plies }) => {
      if (plies[0].n !== replay.last + 1) return leave();
      replay.extend(plies.map(rowOf));
    });
    on("ended", () => (goesOn ? next() : note(t("The game has ended. Its result counts once both games of the pair are stored."))));
    on("over", goesOn ? next : leave);
    on("bye", () => note(t("The server stops. This page goes on when it is back.")));
    // By itself it tries again after a connection that was lost, and not after an error.
    feed.addEventListener("error", () => {
      note(t("The server does not answer. This page tries again by itself."));
      if (feed.readyState !== EventSource.CLOSED) return;
      setTimeout(look, RETRY_MS);
    });
  };
})(pitmaster);
