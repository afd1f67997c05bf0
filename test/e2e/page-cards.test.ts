import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import axe, { type AxeResults } from "axe-core";
import sharp, { type OverlayOptions } from "sharp";
import { startSandbox } from "../../sandbox/sandbox.js";
import type { Card } from "../../src/cards/card.js";
import { messageOptions } from "../../src/bot/send.js";
import { en, pt } from "../cards/arrange.js";
import type { CardSample } from "../cards/card-sample.js";
import { gallery } from "../cards/card-samples.js";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { people } from "../support/sandbox-desk.js";

/** `npm run gallery:pictures` takes pictures of all cards in both languages, which is too slow for every test run. */
const isAll = process.env["PICTURES"] === "all";
const views = isAll ? { en, pt } : { en };
const kinds: Readonly<Record<string, readonly CardSample[]>> = isAll ? gallery : { swap: gallery["swap"] ?? [] };
/** A current app, and one that is a year old. */
const ages = isAll ? (["new", "old"] as const) : (["new"] as const);
const pages = Object.entries(views).flatMap(([language, view]) =>
  Object.entries(kinds).map(([kind, samples]) => ({ kind, samples, language, view })),
);

async function beOld(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Inspector", exact: true }).click();
  await page.getByRole("tab", { name: "Faults" }).click();
  await page.getByLabel("it is a year old").check();
  await page.getByRole("button", { name: "Chat", exact: true }).click();
}

const viewport = { width: 390, height: 1600 };

/** Saves pictures of the whole chat, in sheets of four columns. */
async function leavePictures(page: Page, name: string): Promise<void> {
  const [all, shown] = await page.evaluate<[number, number]>("[scroller.scrollHeight, scroller.clientHeight]");
  await mkdir(screenshots, { recursive: true });
  for (let top = 0, sheet = 1; top < all; sheet++) {
    const columns: OverlayOptions[] = [];
    for (; top < all && columns.length < 4; top += shown) {
      await page.evaluate(`scroller.scrollTo(0, ${top})`);
      columns.push({ input: await page.screenshot(), left: columns.length * viewport.width, top: 0 });
    }
    const sheetSize = { width: 4 * viewport.width, height: viewport.height };
    await sharp({ create: { ...sheetSize, channels: 3, background: "white" } })
      .composite(columns)
      .toFile(join(screenshots, `${name}-${sheet}.png`));
  }
}

it.each(pages)(
  "every card of $kind fits a page 390 pixels wide ($language) in both colour schemes, as saved pictures show",
  async ({ kind, samples, language, view }) => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const send = (card: Card) =>
      fetch(`${sandbox.url}/bot${sandbox.token}/sendMessage`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ chat_id: people.alice, text: card.text, ...messageOptions(card) }),
      });
    sandbox.telegram.sendText(people.alice, "/start");
    for (const { draw } of samples) expect((await send(draw(view))).status).toBe(200);
    for (const age of ages) {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page } = await openPage(sandbox.url, { viewport, colorScheme });
        if (age === "old") await beOld(page);
        const cards = page.getByRole("log").getByRole("article");
        await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(samples.length);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<AxeResults>("axe.run(document.querySelector('main'))");
        expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
        await leavePictures(page, `cards-${kind}-${language}-${age}-${colorScheme}`);
      }
    }
  },
  isAll ? 600_000 : undefined,
);
