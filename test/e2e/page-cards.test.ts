import { join } from "node:path";
import { expect, it } from "vitest";
import { startSandbox } from "../../sandbox/sandbox.js";
import type { Card } from "../../src/cards/card.js";
import { en, pt } from "../cards/arrange.js";
import { gallery } from "../cards/sights.js";
import { sharedBrowser, openPage, screenshots } from "../support/browser.js";
import { people } from "../support/sandbox-desk.js";

/** `npm run gallery:pictures` takes them of all cards in both languages, which is too long for every run of the tests. */
const isAll = process.env["PICTURES"] === "all";
const views = isAll ? { en, pt } : { en };
const pages = Object.entries(views).flatMap(([language, view]) =>
  (isAll ? Object.keys(gallery) : ["swap"]).map((kind) => ({ kind, language, view })),
);

it("every card fits a page 390 pixels wide, in both colour schemes; pictures are left of them", async () => {
  const browser = await sharedBrowser();
  for (const { kind, language, view } of pages) {
    const sights = gallery[kind] ?? [];
    const sandbox = await startSandbox();
    const send = ({ text, entities, keyboard = [] }: Card) =>
      fetch(`${sandbox.url}/bot${sandbox.token}/sendMessage`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          chat_id: people.alice,
          text,
          entities,
          ...(keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }),
        }),
      });
    sandbox.telegram.sendText(people.alice, "/start");
    for (const { draw } of sights) expect((await send(draw(view))).status).toBe(200);
    for (const colorScheme of ["light", "dark"] as const) {
      const viewport = { width: 390, height: 860 };
      const { page, faults } = await openPage(browser, sandbox.url, { viewport, colorScheme });
      const cards = page.getByRole("log").getByRole("article");
      await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(sights.length);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      // As tall as the whole chat.
      const height = Number(await page.evaluate("document.querySelector('[role=log]').scrollHeight"));
      await page.setViewportSize({ width: 390, height: Math.min(height + 200, 16_000) });
      await page.screenshot({ path: join(screenshots, `cards-${kind}-${language}-${colorScheme}.png`) });
      await page.context().close();
      expect(faults).toEqual([]);
    }
    await sandbox.close();
  }
});
