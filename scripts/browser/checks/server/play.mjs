// Whole games against bots by mouse, by keys and by touch; a game without a script; playing on from
// a position of a game.

import assert from "node:assert/strict";
import { axe } from "../../axe.mjs";
import { begin, move, playOut, turn } from "../../player.mjs";

const GAMES = ["kalah", "coloured-awale", "isholo-3"];
const WAYS = ["keys", "mouse", "touch"];

let shared;

const room = (open) => (shared ??= fill(open));

const fill = async (open) => {
  const school = await open();
  return { school, ...(await school.students({ ada: "g1", bob: "g2" })) };
};

export const playsWholeGames = async ({ open, visit, short }) => {
  const { school, ada } = await room(open);
  const told = [];
  for (const [at, game] of GAMES.entries()) {
    for (const way of short ? [WAYS[at]] : WAYS) {
      await visit(school).with({ person: ada, hasTouch: way === "touch" }, async (page) => {
        await begin(page, { course: school.course, game, side: 1 + (at % 2) });
        const turns = await playOut(page, way);
        // The page becomes that of the finished game.
        await page.waitForFunction(() => document.getElementById("live") === null);
        assert.match(await page.locator("main").textContent(), /won|draw/);
        told.push(`${game} by ${way}: ${turns} turns`);
      });
    }
  }
  return told.join(", ");
};

export const playsOnFromAPosition = async ({ open, visit }) => {
  const { school, ada } = await room(open);
  await visit(school).with({ person: ada }, async (page) => {
    await begin(page, { course: school.course, game: "kalah" });
    await turn(page);
    await move(page, "mouse", 0);
    await turn(page);
    await axe(page, "game against a bot");
    await page.getByRole("button", { name: "Give up" }).click();
    await page.waitForSelector("#play .go-on");
    await page.getByRole("button", { name: "Evaluate by house:expert" }).click();
    await page.waitForFunction(() => document.querySelector("#play .go-on") && !document.querySelector("#play .evaluating, #play form[action$='/evaluate']"));
    assert.ok(JSON.parse(await page.locator("#page").textContent()).game.game.analysis, "the replay has the evaluation");
    await page.getByRole("button", { name: "First position" }).click();
    assert.equal(await page.locator(".go-on input[name=ply]").inputValue(), "0", "the form follows the board");
    await page.getByRole("button", { name: "Next ply" }).click();
    await page.waitForFunction(() => document.querySelector(".go-on input[name=ply]").value === "1");
    await page.getByRole("button", { name: "Play on from here" }).click();
    await axe(page, "form of a game");
    await page.getByLabel("Your side").selectOption("2");
    await page.getByRole("main").getByRole("button", { name: "Begin the game", exact: true }).click();
    await turn(page);
    assert.ok(Number(await page.locator("#play").getAttribute("data-ply")) >= 2);
    await page.getByRole("button", { name: "Give up" }).click();
    await page.waitForSelector("#play .go-on");
  });
};

export const playsWithoutScript = async ({ open, visit }) => {
  const { school, bob } = await room(open);
  return visit(school).with({ person: bob, script: false }, async (page) => {
    await page.goto(bob.at("/play"));
    await page.getByLabel("Game", { exact: true }).selectOption("kalah");
    await page.getByRole("main").getByRole("button", { name: "Begin the game", exact: true }).click();
    let turns = 0;
    while (await page.locator("#play .go-on").count() === 0) {
      const moves = page.locator("#play .choices button");
      if (await moves.count() > 0) {
        await moves.first().click();
        turns += 1;
      } else await page.getByRole("link", { name: "Show the moves that came meanwhile" }).click();
      assert.ok(turns < 200, "the game ends");
    }
    return `${turns} turns`;
  });
};
