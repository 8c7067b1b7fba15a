// The packed games: base64 of deflate of JSON, inside the page or in files beside it that a
// script tag loads, since browsers let a page that was opened as a file read nothing else.
"use strict";

((page) => {
  const { data, t } = page;
  const KEPT = 6;
  const SAFE_FOLDER = /^[\w-][\w.-]*\/$/;
  const chunks = new Map();
  const indexes = new Map();
  const waiting = new Map();

  page.unpack = async (base64) => {
    const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };

  // What a file beside the page calls.
  page.chunk = (id, base64) => {
    waiting.get(id)?.(base64);
    waiting.delete(id);
  };

  const beside = (folder, id) => new Promise((resolve, reject) => {
    const missing = () => {
      waiting.delete(id);
      reject(new Error(t("The file {} is missing: keep the folder of games next to this page.", folder + id + ".js")));
    };
    if (!SAFE_FOLDER.test(folder)) return missing();
    waiting.set(id, resolve);
    const script = page.el("script", { src: `${folder}${id}.js`, onerror: missing });
    script.addEventListener("load", () => {
      script.remove();
      if (waiting.has(id)) missing();
    });
    document.head.append(script);
  });

  const packed = async (tournament, id) => {
    const inside = document.getElementById(id);
    if (inside !== null) return page.unpack(inside.textContent);
    return page.unpack(await beside(tournament.beside ?? "", id));
  };

  const chunkOf = (tournament, number) => {
    const id = `${tournament.key}-games-${number}`;
    const found = chunks.get(id) ?? packed(tournament, id);
    chunks.delete(id);
    chunks.set(id, found);
    found.catch(() => chunks.delete(id));
    if (chunks.size > KEPT) chunks.delete(chunks.keys().next().value);
    return found;
  };

  page.tournament = (key) => data.tournaments.find((one) => one.key === key);

  // The columns of all games, one entry a game.
  page.index = (tournament) => {
    if (!indexes.has(tournament.key)) {
      indexes.set(tournament.key, packed(tournament, `${tournament.key}-index`));
    }
    return indexes.get(tournament.key);
  };

  // A game by its number in the plan's order.
  page.game = async (tournament, number) => {
    const games = await chunkOf(tournament, Math.floor(number / tournament.chunk));
    return games[number % tournament.chunk];
  };

  // The number of the game with that id, which may be shortened; -1 where there is none.
  page.find = async (tournament, id) => {
    if (!/^[\w-]{4,}$/.test(id)) return -1;
    return (await page.index(tournament)).id.findIndex((whole) => whole.startsWith(id));
  };

  const shown = (tournament, number) => tournament.bots[number]?.shown ?? "?";

  // What the index says of a game, with the words for it.
  page.summary = (tournament, index, number) => {
    const ending = tournament.endings[index.ending[number]];
    const winner = index.winner[number];
    return {
      number, ending, winner,
      id: index.id[number],
      bots: [index.one[number], index.two[number]],
      names: [shown(tournament, index.one[number]), shown(tournament, index.two[number])],
      score: [index.s1[number], index.s2[number]],
      plies: index.plies[number],
      ms: index.ms?.[number],
      stage: index.stage?.[number],
      round: index.round?.[number],
      pair: index.pair?.[number],
      again: index.again?.[number] === 1,
      points: winner === 0 ? [0.5, 0.5] : [Number(winner === 1), Number(winner === 2)],
    };
  };

  // How a game ended, in words.
  page.outcome = (game) => {
    if (game.live) return t("the game is being played");
    const why = game.ending?.label ?? "";
    if (game.winner === 0) return t("draw: {}", why);
    if (game.winner === 3) return t("both lost: {}", why);
    return t("{} won: {}", game.names[game.winner - 1], why);
  };

  page.result = (game) => (game.live ? "" : `${game.score[0]}\u2009:\u2009${game.score[1]}`);
})(pitmaster);
