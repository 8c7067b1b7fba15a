// Starts the page of one game: its replay takes the place of the table of moves.
"use strict";

((page) => {
  page.link.game = (_tournament, _id, ply) => `#ply=${ply ?? 0}`;
  const asked = () => Number.parseInt(new URLSearchParams(location.hash.slice(1)).get("ply"), 10);
  let replay;

  // Shows a game. One that is running begins at its last position and goes on.
  page.beginGame = ({ tournament, summary, game, live }, isInUse = false) => {
    const before = replay;
    replay = page.replayAlone(tournament, summary, game);
    document.getElementById("replay").replaceChildren(replay.element);
    if (before?.drawing.flipped) replay.flip();
    replay.fit();
    const wasLast = before?.ply === before?.last;
    const ply = before && !wasLast ? before.ply : asked();
    replay.show(Number.isNaN(ply) ? (live || before ? replay.last : 0) : ply);
    if (isInUse) replay.box.focus({ preventScroll: true });
    page.play(replay);
    if (live) page.follow(replay, live);
  };

  // Whoever plays on from a game does so from the position that is shown.
  page.settled = (ply) => {
    const field = document.querySelector(".go-on input[name=ply]");
    if (field) field.value = ply;
  };

  page.beginGame(page.data.game);
  addEventListener("hashchange", () => replay.show(asked() || 0));
})(pitmaster);
