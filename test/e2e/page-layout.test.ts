import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { launchBrowser, openPage, screenshots } from "../support/browser.js";
import { startScriptedBot, type ScriptedBot } from "../support/scripted-bot.js";

/** How the page fits screens from a phone to a desk, by day and by night. The pictures are left for people to look at. */
let browser: Browser;
let sandbox: Sandbox;
let bot: ScriptedBot;

beforeAll(async () => {
  [browser, sandbox] = await Promise.all([launchBrowser(), startSandbox()]);
  bot = await startScriptedBot(sandbox);
  sandbox.telegram.sendText(1001, "/start");
});
afterAll(async () => {
  await browser.close();
  bot.stop();
  await sandbox.close();
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];
const schemes = ["light", "dark"] as const;

describe.each(schemes)("by %s", (colorScheme) => {
  it.each(sizes)("fits $width px", async (viewport) => {
    const { page, faults } = await openPage(browser, sandbox.url, { viewport, colorScheme });
    const picture = (name: string) =>
      page.screenshot({ path: join(screenshots, `${name}-${viewport.width}-${colorScheme}.png`) });
    await page.getByRole("log").getByText("Hello").waitFor();
    expect(await tooWide(page)).toEqual([]);
    expect(await tooPale(page)).toEqual([]);
    // One whole line to write in.
    expect((await page.getByRole("combobox", { name: "Message" }).boundingBox())?.height).toBeGreaterThanOrEqual(38);
    await picture("chat");

    const isNarrow = viewport.width === 390;
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    expect(await inspector.isVisible()).toBe(!isNarrow);
    if (isNarrow) await page.getByRole("button", { name: "Inspector", exact: true }).click();
    for (const tab of ["Wire", "Balances", "Pools", "Chain", "Orders", "Faults"]) {
      await page.getByRole("tab", { name: tab }).click();
      expect(await tooWide(page), tab).toEqual([]);
      expect(await tooPale(page), tab).toEqual([]);
      await picture(tab.toLowerCase());
    }
    expect(await page.getByRole("log").isVisible()).toBe(!isNarrow);
    if (isNarrow) {
      await page.getByRole("button", { name: "Chat", exact: true }).click();
      await page.getByRole("log").waitFor();
    }
    await page.context().close();
    expect(faults).toEqual([]);
  });
});

describe("a medium screen", () => {
  it("gives the chat the inspector's room when asked to", async () => {
    const { page } = await openPage(browser, sandbox.url, { viewport: { width: 768, height: 1024 } });
    await page.getByRole("button", { name: "Inspector beside the chat", pressed: true }).click();
    await page.getByRole("complementary", { name: "Inspector" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Inspector beside the chat", pressed: false }).click();
    await page.getByRole("complementary", { name: "Inspector" }).waitFor();
    await page.context().close();
  });
});

/** The panes and cards whose content reaches over their side, and the page itself when it scrolls sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(`
    [document.documentElement, ...document.querySelectorAll(".panel, .card, .scroller, .people-pane, .composer-area")]
      .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
      .map((node) => node.id || node.className || node.tagName)
  `);
}

/**
 * The visible texts whose contrast to their plain background is below 4.5 (WCAG 2.2, level AA). Texts on pictures, on
 * translucent colours and in the middle of an animation are left out.
 */
function tooPale(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([red, green, blue]) => {
      const linear = [red, green, blue].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const background = (node) => {
      for (let at = node; at; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.backgroundImage !== "none" || at.getAnimations().length > 0) return undefined;
        const color = rgba(style.backgroundColor);
        if (color[3] === 255) return color;
        if (color[3] > 0) return undefined;
      }
      return [255, 255, 255, 255];
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const pale = [];
    while (texts.nextNode()) {
      const node = texts.currentNode.parentElement;
      const text = texts.currentNode.textContent.trim();
      if (text === "" || !node.checkVisibility() || node.closest(":disabled")) continue;
      const behind = background(node);
      const color = rgba(getComputedStyle(node).color);
      if (!behind || color[3] < 255) continue;
      const [light, dark] = [luminance(color), luminance(behind)].sort((a, b) => b - a);
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < 4.5) pale.push(text.slice(0, 30) + " " + contrast.toFixed(2));
    }
    return pale;
  })()`);
}
