import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { startScriptedBot, type ScriptedBot } from "../support/scripted-bot.js";

/** How the page fits screens from phone to desktop, in both colour schemes. Saves pictures for people to look at. */
let sandbox: Sandbox;
let bot: ScriptedBot;

beforeAll(async () => {
  // With a wallet there is an additional tab.
  sandbox = await startSandbox({ wallet: true });
  bot = await startScriptedBot(sandbox);
  sandbox.telegram.sendText(1001, "/start");
});
afterAll(async () => {
  bot.stop();
  await sandbox.close();
});

const sizes = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];
const schemes = ["light", "dark"] as const;

describe.each(schemes)("by %s", (colorScheme) => {
  it.each(sizes)("fits $width px", async (viewport) => {
    const { page } = await openPage(sandbox.url, { viewport, colorScheme });
    const picture = (name: string) =>
      page.screenshot({ path: join(screenshots, `${name}-${viewport.width}-${colorScheme}.png`) });
    await page.getByRole("log").getByText("Hello").waitFor();
    expect(await tooWide(page)).toEqual([]);
    // Medium screens arrange the same content differently, and their tabs scroll.
    const isAudited = viewport.width !== 768;
    await page.evaluate(axe.source);
    if (isAudited) expect(await violations(page)).toEqual([]);
    // At least one whole line to write in.
    expect((await page.getByRole("textbox", { name: "Message" }).boundingBox())?.height).toBeGreaterThanOrEqual(38);
    await picture("chat");

    const isNarrow = viewport.width === 390;
    const inspector = page.getByRole("region", { name: "Inspector" });
    expect(await inspector.isVisible()).toBe(!isNarrow);
    if (isNarrow) await page.getByRole("button", { name: "Inspector", exact: true }).click();
    const tabs = page.getByRole("tablist");
    if (isAudited) expect(await tabs.evaluate((node: Scrolled) => node.scrollWidth - node.clientWidth)).toBe(0);
    for (const tab of ["Wire", "Balances", "Pools", "Chain", "Transactions", "Orders", "Faults"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await tooWide(page), tab).toEqual([]);
      if (isAudited) expect(await violations(page), tab).toEqual([]);
      await picture(tab.toLowerCase());
    }
    expect(await page.getByRole("log").isVisible()).toBe(!isNarrow);
    if (isNarrow) {
      await page.getByRole("button", { name: "Chat", exact: true }).click();
      await page.getByRole("log").waitFor();
    }
  });
});

describe("a medium screen", () => {
  it("can hide the inspector to give the chat its space", async () => {
    const { page } = await openPage(sandbox.url, { viewport: { width: 768, height: 1024 } });
    await page.getByRole("button", { name: "Inspector beside the chat", pressed: true }).click();
    await page.getByRole("region", { name: "Inspector" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Inspector beside the chat", pressed: false }).click();
    await page.getByRole("region", { name: "Inspector" }).waitFor();
  });
});

/** What the test reads of an element in the browser; DOM types aren't loaded here. */
interface Scrolled {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

/** Finds panes and cards whose content overflows sideways, and the page itself if it scrolls sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(`
    [document.documentElement, ...document.querySelectorAll(".panel, .card, .scroller, .people-pane, .composer-area")]
      .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
      .map((node) => node.id || node.className || node.tagName)
  `);
}

/** Audits the whole page with axe-core: names, roles, headings, landmarks, and the contrast of texts. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ["violations"] })`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 100)).join(" ")}`);
}
