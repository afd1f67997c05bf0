import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../sandbox/sandbox.js";
import { messageOptions } from "../../src/bot/send.js";
import { en, pt } from "../cards/arrange.js";
import { gallery } from "../cards/card-samples.js";
import { join } from "node:path";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { people } from "../support/sandbox-desk.js";

/** Pixels on a phone 390 wide, with the buttons: what fits on its screen is 844. */
const most: Readonly<Record<string, number>> = {
  home: 844,
  help: 844,
  "menu: trade": 844,
  "menu: alerts": 844,
  "a token that one doesn't have, and a lock contract that can't be read": 844,
  "a token that one has traded": 930,
};

it("the main cards fit a phone's screen, in both languages", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const samples = Object.keys(most).map(
    (name) =>
      Object.values(gallery)
        .flat()
        .find((sample) => sample.name === name)!,
  );
  sandbox.telegram.sendText(people.alice, "/start");
  for (const view of [en, pt]) {
    for (const { draw } of samples) {
      const card = draw(view);
      const sent = await fetch(`${sandbox.url}/bot${sandbox.token}/sendMessage`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ chat_id: people.alice, text: card.text, ...messageOptions(card) }),
      });
      expect(sent.status).toBe(200);
    }
  }
  const { page } = await openPage(sandbox.url, { viewport: { width: 390, height: 6000 } });
  const cards = page.getByRole("log").locator("article.from-others");
  await expect.poll(() => cards.count()).toBe(2 * samples.length);
  const heights = await page.evaluate<number[]>(
    "[...document.querySelectorAll('article.from-others')].map((one) => Math.round(one.getBoundingClientRect().height))",
  );
  await page.screenshot({ path: join(screenshots, "heights-390.png"), fullPage: true });
  const named = heights.map(
    (height, at) => [samples[at % samples.length]!.name, at < samples.length ? "en" : "pt", height] as const,
  );
  expect(named.filter(([name, , height]) => height > (most[name] ?? 0))).toEqual([]);
});
