// Starts the page of one game: its replay takes the place of the table of moves.
"use strict";

((page) => {
  const { tournament, summary, game } = page.data.game;
  page.link.game = (_tournament, _id, ply) => `#ply=${ply ?? 0}`;
  const asked = () => Number.parseInt(new URLSearchParams(location.hash.slice(1)).get("ply"), 10) || 0;
  const replay = page.replayAlone(tournament, summary, game);
  document.getElementById("replay").replaceChildren(replay.element);
  replay.fit();
  replay.show(asked());
  addEventListener("hashchange", () => replay.show(asked()));
})(pitmaster);
