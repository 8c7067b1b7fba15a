// Plays games against bots on the pages of a practice server, as people do: by mouse, by keys, by
// touch. What is legal is asked of the page.

import assert from "node:assert/strict";

// Begins a game by the form of the page.
export async function begin(page, { course, game, bot = "house:random", side = 1 }) {
  await page.goto(`/c/${course}/play`);
  await page.getByLabel("Game", { exact: true }).selectOption(game);
  await page.getByLabel("Bot", { exact: true }).selectOption(bot);
  await page.getByLabel("Your side").selectOption(String(side));
  await page.getByRole("main").getByRole("button", { name: "Begin the game", exact: true }).click();
  await page.waitForSelector("#replay svg.board");
}

// Waits for the person's turn; answers whether the game goes on.
export async function turn(page) {
  await page.waitForFunction(() => {
    const play = document.querySelector("#replay #play");
    if (!play) return false;
    const isOver = play.querySelector(".go-on") !== null;
    const isTurn = play.querySelector(".choices button:enabled, form.layout select") !== null;
    // The board is that of the moves.
    const slider = document.querySelector("#replay input[type=range]");
    return isOver || (isTurn && Number(slider.max) + 1 === Number(play.dataset.ply));
  });
  return (await page.locator("#play .go-on").count()) === 0;
}

// What can be played: moves with their holes, and layouts.
const listed = (page) => page.evaluate(() => ({
  ply: Number(document.getElementById("play").dataset.ply),
  moves: [...document.querySelectorAll("#play .choices button")].map((one) => ({ text: one.value, hole: one.dataset.hole })),
  layouts: [...document.querySelectorAll("#play form.layout option")].map((one) => ({ text: one.value, hole: one.dataset.hole, seeds: Number(one.dataset.seeds) })),
  fields: [...document.querySelectorAll("#play form.layout input[type=number]")].map((one) => one.dataset.hole),
}));

const hole = (page, number) => page.locator("#replay svg.board .hole").nth(Number(number));

// Ways to use a page.
const press = {
  mouse: (target) => target.click({ force: true }),
  touch: (target) => target.tap({ force: true }),
};

async function playByPointer(page, way, place) {
  const { moves, layouts, fields } = await listed(page);
  if (moves.length > 0) {
    const move = moves[place % moves.length];
    if (move.hole === "") return press[way](page.locator(`#play .choices button[value="${move.text}"]`));
    const alone = [...moves, ...layouts].filter((one) => one.hole === move.hole).length === 1;
    await press[way](hole(page, move.hole));
    if (!alone) await press[way](page.locator(`#play .choices button[value="${move.text}"]`));
    return undefined;
  }
  const layout = layouts[place % layouts.length];
  if (layout.hole !== "") await press[way](hole(page, layout.hole));
  for (let seed = 0; seed < layout.seeds; seed += 1) await press[way](hole(page, fields[(place + seed) % fields.length]));
  return press[way](page.locator("#play form.layout button"));
}

async function playByKeys(page, place) {
  const { moves, layouts } = await listed(page);
  if (moves.length > 0) {
    const { text } = moves[place % moves.length];
    await page.locator("#play").focus();
    for (const key of text) await page.keyboard.press(key);
    // A longer move may begin so.
    if (moves.filter((one) => one.text.toLowerCase().startsWith(text.toLowerCase())).length > 1) await page.keyboard.press("Enter");
    return;
  }
  await page.locator("#play form.layout input[type=number]").first().focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(String(layouts[0].seeds));
  await page.locator("#play form.layout button").focus();
  await page.keyboard.press("Enter");
}

// Plays a turn, and waits until it is played.
export async function move(page, way, place) {
  const { ply } = await listed(page);
  if (way === "keys") await playByKeys(page, place);
  else await playByPointer(page, way, place);
  await page.waitForFunction((before) => {
    const play = document.querySelector("#replay #play");
    return play?.querySelector(".go-on") || Number(play?.dataset.ply) > before;
  }, ply);
}

// Tries what is not legal: holes and keys that begin no move.
export async function tryIllegal(page) {
  const { ply, moves, layouts, fields } = await listed(page);
  const holes = await page.locator("#replay svg.board .hole").count();
  const legal = new Set([...moves, ...layouts].map((one) => one.hole).concat(fields));
  const other = Array.from({ length: holes }, (_, number) => String(number)).find((number) => !legal.has(number));
  if (other !== undefined) await hole(page, other).click({ force: true });
  await page.locator("#play").focus();
  await page.keyboard.press("z");
  await page.keyboard.press("0");
  const now = await listed(page);
  assert.deepEqual([now.ply, now.moves], [ply, moves], "nothing was played");
}

// Takes the last move back.
export async function takeBack(page) {
  // The answer is another page.
  await page.evaluate(() => { globalThis.isBefore = true; });
  await page.getByRole("button", { name: "Take back" }).click();
  await page.waitForFunction(() => globalThis.isBefore === undefined && document.querySelector("#replay #play .choices, #replay #play form.layout") !== null);
}

// Plays a whole game. Answers with the number of turns.
export async function playOut(page, way) {
  let turns = 0;
  while (await turn(page)) {
    if (turns === 0) await tryIllegal(page);
    const { ply } = await listed(page);
    await move(page, way, turns);
    turns += 1;
    if (turns === 1 && await turn(page)) {
      await takeBack(page);
      await turn(page);
      assert.equal((await listed(page)).ply, ply, "the move is taken back");
      await move(page, way, turns);
    }
    assert.ok(turns < 500, "the game ends");
  }
  return turns;
}
