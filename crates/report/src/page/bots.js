// A bot by itself: its record against everyone, its best and worst games, its forfeits with
// what is kept of them.
"use strict";

((page) => {
  const { t, el } = page;
  const FEW = 5;
  const FORFEITS = 10;
  let dialog;
  let opened;

  const games = (tournament, index, bot) => [...index.id.keys()]
    .filter((at) => index.one[at] === bot || index.two[at] === bot)
    .map((at) => page.summary(tournament, index, at));

  const sideOf = (game, bot) => (game.bots[0] === bot ? 0 : 1);
  const pointsOf = (game, bot) => game.points[sideOf(game, bot)];
  const forfeits = (game, bot) => game.ending?.forfeit === true && pointsOf(game, bot) === 0;

  const against = (all, bot) => {
    const met = new Map();
    for (const game of all) {
      const side = sideOf(game, bot);
      const opponent = game.bots[1 - side];
      const found = met.get(opponent) ?? { opponent, games: 0, won: 0, drawn: 0, lost: 0, points: [0, 0], played: [0, 0], forfeits: 0 };
      const points = game.points[side];
      found.games += 1;
      found.played[side] += 1;
      found.points[side] += points;
      if (points === 1) found.won += 1;
      else if (points === 0.5) found.drawn += 1;
      else found.lost += 1;
      if (forfeits(game, bot)) found.forfeits += 1;
      met.set(opponent, found);
    }
    return [...met.values()];
  };

  const share = (part, whole) => [page.share(part, whole, 1), whole > 0 ? part / whole : ""];
  const whole = (value) => [page.number(value), value];

  // An Elo that has a bound on one side only is itself no more than a bound.
  const elos = (bot) => {
    const [low, high] = [bot.low != null, bot.high != null];
    const sign = low === high ? "" : low ? ">" : "<";
    const interval = low && high ? ` (${page.number(bot.low)}\u2009\u2013\u2009${page.number(bot.high)})` : "";
    return { elo: sign + page.number(bot.elo), interval };
  };

  const rating = (bot) => (bot?.elo == null ? "" : [elos(bot).elo, bot.elo]);

  const records = (tournament, all, bot) => {
    const columns = [[t("Opponent"), "text"], [t("Elo"), "number"], [t("Games"), "number"], [t("Won"), "number"], [t("Drawn"), "number"],
      [t("Lost"), "number"], [t("Points"), "number"], [t("As player 1"), "number"], [t("As player 2"), "number"], [t("Forfeits"), "number"]];
    const elo = (number) => tournament.bots[number]?.elo ?? -Infinity;
    const rows = against(all, bot).sort((one, other) => elo(other.opponent) - elo(one.opponent)).map((met) => [
      el("a", { href: page.link.games(tournament, { one: bot, two: met.opponent }), dir: "auto" }, tournament.bots[met.opponent]?.shown ?? "?"),
      rating(tournament.bots[met.opponent]),
      whole(met.games), whole(met.won), whole(met.drawn), whole(met.lost),
      share(met.points[0] + met.points[1], met.games),
      share(met.points[0], met.played[0]), share(met.points[1], met.played[1]), whole(met.forfeits),
    ]);
    return page.scroll(t("Against everyone"), page.table(columns, rows));
  };

  // The games with these points, by the opponent's Elo: those that were played out, each once.
  const telling = (tournament, all, bot, points, sign) => {
    const elo = (game) => tournament.bots[game.bots[1 - sideOf(game, bot)]]?.elo ?? 0;
    return all.filter((game) => pointsOf(game, bot) === points && !game.again && !game.ending?.forfeit)
      .sort((one, other) => sign * (elo(other) - elo(one)) || one.number - other.number).slice(0, FEW);
  };

  const part = (title, ...children) => el("section", {}, el("h3", {}, title), ...children);

  const tableOf = (tournament, title, found) => part(title,
    found.length > 0 ? page.scroll(title, page.gameTable(tournament, found)) : el("p", {}, t("None.")));

  const forfeit = async (tournament, summary, bot) => {
    const game = await page.game(tournament, summary.number);
    const side = sideOf(summary, bot);
    const opponent = summary.names[1 - side];
    return el("div", { class: "forfeited" },
      el("h4", {}, el("a", { href: page.link.game(tournament, summary.id, summary.plies) }, summary.id.slice(0, 8)), " ",
        t("against {}", opponent)),
      page.ending(summary, game));
  };

  const forfeitsOf = (tournament, all, bot) => {
    const found = all.filter((game) => forfeits(game, bot));
    const box = el("div");
    let shown = 0;
    const more = page.button(t("Show more"), () => next());
    const next = async () => {
      const some = found.slice(shown, shown + FORFEITS);
      shown += some.length;
      more.hidden = shown >= found.length;
      const made = some.map((game) => forfeit(tournament, game, bot).catch((error) => el("p", { class: "note" }, error.message)));
      box.append(...(await Promise.all(made)));
    };
    next();
    const title = found.length === 0 ? t("Forfeits") : t("Forfeits ({})", page.number(found.length));
    return part(title, found.length === 0 ? el("p", {}, t("None.")) : box, more);
  };

  const facts = (bot) => {
    const told = (name, value) => (value == null ? null : el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    const { elo, interval } = bot.elo == null ? {} : elos(bot);
    return el("dl", { class: "facts" }, told(t("Rank"), bot.rank), told(t("Elo"), elo && elo + interval), told(t("Forfeits"), bot.forfeits));
  };

  const contents = async (tournament, number) => {
    const all = games(tournament, await page.index(tournament), number);
    return [
      facts(tournament.bots[number]),
      el("p", {}, el("a", { href: page.link.games(tournament, { one: number }) }, t("All of its games ({})", page.number(all.length)))),
      part(t("Against everyone"), records(tournament, all, number)),
      tableOf(tournament, t("Best wins, by Elo of the opponents"), telling(tournament, all, number, 1, 1)),
      tableOf(tournament, t("Worst losses, by Elo of the opponents"), telling(tournament, all, number, 0, -1)),
      forfeitsOf(tournament, all, number),
    ];
  };

  const close = () => {
    opened = undefined;
    dialog?.close();
  };

  const open = async (asked) => {
    dialog ??= page.dialog("of-bot", () => {
      const { tournament } = opened;
      close();
      page.leave(tournament);
    });
    opened = asked;
    const { tournament, what } = asked;
    const number = /^\d+$/.test(what ?? "") ? Number(what) : -1;
    const bot = tournament.bots[number];
    const found = bot !== undefined && bot.own;
    dialog.title.textContent = found ? bot.shown : t("There is no such bot here.");
    dialog.body.replaceChildren();
    dialog.open();
    if (!found) return;
    try {
      const made = await contents(tournament, number);
      if (opened === asked) dialog.body.replaceChildren(...made);
    } catch (error) {
      dialog.body.replaceChildren(el("p", { class: "note" }, error.message));
    }
  };

  page.views.bot = { open, close };
})(pitmaster);
