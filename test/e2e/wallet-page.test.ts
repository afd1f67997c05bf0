import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { screenshots } from "../support/browser.js";
import {
  changes,
  deposit,
  depositCardOf,
  enterAmounts,
  lockAll,
  lpUnits,
  type Message,
} from "../support/launch-chat.js";
import { openPage, testPage } from "../support/pages.js";
import { comparedCard } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

/** The real bot, the real signing page in a real browser, and a wallet that really signs. */

const signButton = (page: Page) => page.getByRole("button", { name: "Sign with my wallet" });
const says = (page: Page, text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();
/** On a slow machine, the page notices the outcome and reloads before anybody has read this. */
const saysSigned = (page: Page) => says(page, /^(?:Signed\. You can close this page|⏳ Signed|✅)/);

/** A chat whose cards Alice signs in a browser. */
async function signingChat() {
  const chat = await walletChat();
  const { alice, pageOf, transactions } = chat;
  const { page } = await testPage({ viewport: { width: 390, height: 844 } }, { excused: /status of 4(?:00|10|22)/ });
  /** Confirms a card and opens its page. */
  const open = async (card: Message, tab = page): Promise<void> => {
    await alice.confirms(card, /Waiting for your signature/);
    await tab.goto(pageOf(card));
  };
  return {
    ...chat,
    page,
    open,
    /** Confirms a card, signs it, and waits for the chain. */
    done: async (card: Message): Promise<Message> => {
      // In a new tab, as users do: one in which a card was signed reloads once that has an outcome.
      const tab = await page.context().newPage();
      await open(card, tab);
      // The button is visible without scrolling on every card.
      const { y, height } = (await signButton(tab).boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(844);
      await signButton(tab).click();
      await saysSigned(tab);
      await tab.close();
      return alice.sees(card, /^✅ /);
    },
    /** The network fees of all transactions, in base units of KLV. */
    fees: () => transactions().reduce((sum, { fee }) => sum + BigInt(fee), 0n),
  };
}

describe.each([
  [390, 844],
  [1280, 900],
])("at %i px", (width, height) => {
  it("a swap is confirmed in the chat, signed on the page and executed once", async () => {
    const { desk, alice, transactions } = await walletChat();
    await alice.taps(await alice.asks("/security"), "Set a phrase");
    await alice.reads(/Choose|Send/);
    await alice.asks("blue elephant");
    const before = alice.holds();
    const { page } = await openPage(desk.sandbox.url, { viewport: { width, height } }, { excused: /status of 410/ });
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("/swap 100 KLV KFI");
    await field.press("Enter");
    const confirm = page.getByRole("button", { name: "✅ Confirm" });
    const accept = page.getByRole("button", { name: /^⚠️/ });
    // A slow machine may read the pools too late to compare the price.
    await confirm.or(accept).waitFor();
    if (await accept.isVisible()) await accept.click();
    await confirm.click();
    const link = page.getByRole("link", { name: "Sign in your wallet" });
    const [signing] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await signing.setViewportSize({ width, height });
    const isShown = (text: string | RegExp) => signing.getByText(text).filter({ visible: true }).first().waitFor();
    await isShown("blue elephant");
    await isShown("Testnet");
    await isShown("@swapdesk_sandbox_bot");
    const figures = await signing.locator("main > dl").innerText();
    expect(figures).toMatch(/You pay\s+100 KLV\s+You get at least\s+0\.97\d* KFI\s+Maximum network fee\s+[\d.]+ KLV\s/);
    expect(figures).toContain("klv1usdny…ujlazy");
    const button = (await signButton(signing).boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(height);
    expect(await signing.getByRole("link", { name: "Back to the chat" }).getAttribute("href")).toBe("/");
    await signing.screenshot({ path: join(screenshots, `wallet-sign-${width}.png`) });
    await signButton(signing).click();
    await saysSigned(signing);
    expect(await signing.getByRole("heading", { level: 1 }).innerText()).toMatch(/^(?:Signed|Done)\s/i);
    await isShown(/^✅ Confirmed on chain/);
    await isShown(/You received: .* KFI/);
    expect(await signing.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Done\s+Swap 100 KLV → KFI$/i);
    await signing.screenshot({ path: join(screenshots, `wallet-signed-${width}.png`) });
    await signing.close();
    await page.getByRole("log").getByText("Swap completed").waitFor();
    await page.screenshot({ path: join(screenshots, `wallet-done-${width}.png`) });

    const card = (await page.getByRole("article").last().textContent()) ?? "";
    const [transaction, ...others] = transactions();
    expect(others).toEqual([]);
    const moved = changes(before, alice.holds());
    expect(moved["KLV"]).toBe(-100_000_000n - BigInt(transaction!.fee));
    const [whole = "", rest = ""] = (/You received: ([0-9.]+) KFI/.exec(card)?.[1] ?? "").split(".");
    expect(moved["KFI"]).toBe(BigInt(whole + rest.padEnd(6, "0")));
    const broadcasts = desk.sandbox.wireLog.entries().filter(({ path }) => path === "/transaction/broadcast");
    expect(broadcasts).toHaveLength(1);
  });
});

it("a route, a lock, an unlock and every step of a launch are signed and executed", async () => {
  const { alice, done, fees, transactions } = await signingChat();
  const before = alice.holds();
  await done(await alice.asks("/multihop 10 KLV DVK-34ZH"));
  await done(await alice.asks("/lock 5 KLV 5500"));
  await done(await alice.asks("/unlock LKTOK-1A2B/1 25"));
  const traded = changes(before, alice.holds());
  expect(traded).toMatchObject({
    KLV: -15_000_000n - fees(),
    "LKTOK-1A2B/1": -25_000_000n,
    "LKTOK-1A2B/3": 5_000_000n,
    "LPKLVKFI-3I0N": 25_000_000n,
  });

  const between = { holds: alice.holds(), fees: fees() };
  let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1", /^Launch /);
  const checked = async (card: Message): Promise<Message> => {
    await alice.taps(await done(card), "📋 Checklist");
    return alice.reads(/^Launch /);
  };
  const step = async (name: string): Promise<void> => {
    await alice.taps(checklist, `▶️ ${name}`);
    checklist = await checked(await alice.reads(new RegExp(`^${name} ·`)));
  };
  await step("Create the pair");
  await step("Issue the LP token");
  await step("Set the token roles");
  await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
  checklist = await checked(await depositCardOf(alice));
  checklist = await checked(await lockAll(alice, checklist));
  await step("Enable swapping");
  expect(checklist.text).toContain("🎉 Done: the pair is open.");
  expect(changes(between.holds, alice.holds())).toEqual({
    KLV: between.fees - fees(),
    "DVK-34ZH": -deposit.first,
    "USDT-2AB1": -deposit.second,
    "LKTOK-1A2B/4": lpUnits,
  });
  expect(
    transactions()
      .map(({ call }) => call)
      .reverse(),
  ).toEqual([
    "multiPairSwap",
    "lockTokens",
    "unlockTokens",
    "createPair",
    "issueLpToken",
    "setLocalRoles",
    "addInitialLiquidity",
    "lockTokens",
    "setSwapEnabledByUser",
  ]);
  expect(transactions().filter(({ failure }) => failure !== undefined)).toEqual([]);
});

describe("a wallet that", () => {
  it("signs something else moves nothing; the right signature is executed once", async () => {
    const { desk, alice, open, page, transactions } = await signingChat();
    const { wallet } = desk.sandbox.real!;
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await open(card);
    wallet.set({ mode: "altered" });
    await signButton(page).click();
    for (const mode of ["another-hash", "another-account", "declines", "signs"] as const) {
      await page.getByRole("button", { name: "Try again" }).waitFor();
      wallet.set({ mode });
      // Once the account is right again, the page may notice first and offer to sign.
      await page.getByRole("button", { name: /Try again|Sign with my wallet/ }).click();
    }
    // The transaction may complete before the page says so.
    await alice.sees(card, /Swap completed/);
    expect(transactions()).toHaveLength(1);
  });

  it("broadcasts on its own leads to one transaction", async () => {
    const { desk, alice, open, page, transactions } = await signingChat();
    desk.sandbox.real!.wallet.set({ mode: "broadcasts" });
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await open(card);
    await signButton(page).click();
    // The transaction may complete before the page posts the signature; then the page shows the outcome.
    await alice.sees(card, /Swap completed/);
    expect(transactions()).toHaveLength(1);
  });

  it("signs only after the card was cancelled moves nothing", async () => {
    const { desk, alice, open, page, transactions } = await signingChat();
    const { wallet } = desk.sandbox.real!;
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    wallet.set({ mode: "waits" });
    await open(card);
    await signButton(page).click();
    await says(page, "Confirm in your wallet.");
    await alice.asks("/cancel");
    wallet.set({ mode: "signs" });
    await says(page, "Cancelled.");
    await alice.sees(card, /Cancelled/);
    expect(transactions()).toEqual([]);
  });
});
