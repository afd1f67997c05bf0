import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { openPage } from "../support/pages.js";
import { withIssuers } from "../../sandbox/issuers.js";
import { defaultWorld, people, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";

/** How much of the newest card, with its buttons, is out of sight: above the chat's edge, and below it. */
const outOfSight = (page: Page): Promise<{ above: number; below: number }> =>
  page.evaluate(`(() => {
    const pane = document.querySelector('[role="log"]').closest(".scroller").getBoundingClientRect();
    const card = [...document.querySelectorAll('[role="log"] .message')].at(-1).getBoundingClientRect();
    return { above: Math.max(0, pane.top - card.top), below: Math.max(0, card.bottom - pane.bottom) };
  })()`);

/** On a phone of 390 × 844, with the tour open. */
it.each([
  ["English", false, /Confirm swap/, /It had expired/],
  ["English", true, /Confirm swap/, /It had expired/],
  ["Portuguese", false, /Confirmar troca/, /Tinha expirado/],
  ["Portuguese", true, /Confirmar troca/, /Tinha expirado/],
])(
  "a quote in %s fits on the screen with its buttons (wallet: %s), and so does what explains a new one",
  async (language, wallet, confirm, expired) => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const desk = await sandboxDesk({ wallet, clock }, { QUOTE_TTL_SECONDS: "30" });
    const { page } = await openPage(desk.sandbox.url, { viewport: { width: 390, height: 844 } }, { tour: true });
    await page.getByRole("button", { name: "Start", exact: true }).click();
    const types = async (text: string) => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.keyboard.press("Enter");
    };
    await types(`/wallet ${desk.address("Alice")}`);
    await page.getByRole("log").getByText(desk.address("Alice")).last().waitFor();
    const alice = desk.person(people.alice);
    if (language === "Portuguese") await speaksPortuguese(alice, await alice.asks("/settings", /^Settings/));
    const confirms = page.getByRole("log").getByRole("button", { name: confirm });
    // A slow machine may read the pools too late to compare: such a card asks for an extra confirmation first.
    const isOffered = async () => {
      await types("/swap 100 KLV KFI");
      return confirms
        .last()
        .waitFor({ timeout: 10_000 })
        .then(() => true)
        .catch(() => false);
    };
    await expect.poll(isOffered).toBe(true);
    await page.getByText(/Step [23] of 8/).waitFor();
    // Less than a quote lasts: an expired card is short.
    const soon = { timeout: 10_000 };
    await expect.poll(() => outOfSight(page), soon).toEqual({ above: 0, below: 0 });

    ahead = 31_000;
    await confirms.last().click();
    await page.getByRole("log").getByText(expired).last().waitFor();
    await expect.poll(() => outOfSight(page), soon).toEqual({ above: 0, below: 0 });
    expect(await page.getByRole("log").getByText(expired).last().isVisible()).toBe(true);
  },
);

it.each([
  ["English", /Set this order/, ["Limit order", "Stop order", "Regular purchase"]],
  ["Portuguese", /Criar esta ordem/, ["Ordem limitada", "Ordem stop", "Compra recorrente"]],
] as const)(
  "orders to set fit on a phone with their button, and with what a token's issuer can do (%s)",
  async (language, set, titles) => {
    const desk = await sandboxDesk({ wallet: true, world: withIssuers(defaultWorld) });
    const { page } = await openPage(desk.sandbox.url, { viewport: { width: 390, height: 844 } });
    const alice = await desk.trader();
    if (language === "Portuguese") await speaksPortuguese(alice, await alice.asks("/settings", /^Settings/));
    const newest = page.locator('[role="log"] .message').last();
    for (const [at, line] of [
      "/limit 500 KLV MOON-4R7T for 60",
      "/stoploss 1 KFI KLV for 90",
      "/dca 100 KLV MOON-4R7T weekly 09:00 x12",
    ].entries()) {
      const answer = await alice.asks(line);
      // Its zone is asked for first.
      if (at === 2) await alice.taps(answer, "UTC");
      await newest.getByText(titles[at]!).first().waitFor();
      expect(await newest.getByRole("button", { name: set }).isVisible()).toBe(true);
      await expect.poll(() => outOfSight(page)).toEqual({ above: 0, below: 0 });
      if (at !== 1) expect(await newest.getByText("🔑 MOON-4R7T").count()).toBe(1);
    }
  },
);
