import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { signingRoutes } from "../../src/bot/signing/routes.js";
import type { SigningRequest } from "../../src/services/signing/signing-requests.js";
import { isSignedBy } from "../../sandbox/node/key.js";
import { hashOf } from "../../sandbox/node/transaction.js";
import { walletScript } from "../../sandbox/node/wallet-routes.js";
import type { WalletMode } from "../../sandbox/node/wallet.js";
import { closed, fakeDesk, request, token, type FakeDesk } from "../bot/signing/fake-desk.js";
import { alice, bob, realNodeDesk, type RealNodeDesk } from "../sandbox/node/real-node.js";
import { screenshots } from "../support/browser.js";
import { testPage } from "../support/pages.js";
import { temporaryServer } from "../support/temporary-server.js";

/** What the page says after signing; on a slow machine, it has already asked what became of it. */
const SIGNED = /Signed\. You can close this page|It is on its way/;

/** The signing page in a real browser, with a wallet that really signs and a desk that only records. */

interface OpenPage {
  readonly page: Page;
  readonly desk: FakeDesk;
  readonly chain: RealNodeDesk;
  readonly says: (text: string | RegExp) => Promise<void>;
  /** Lets the page poll the server. */
  readonly looks: () => Promise<void>;
  /** The browser's complaints, other than about refusals of the server; at the end there must be none. */
  readonly faults: string[];
}

async function openSigning(
  mode: WalletMode,
  { width = 390, script, ...change }: Partial<SigningRequest> & { width?: number; script?: string } = {},
): Promise<OpenPage> {
  const chain = await realNodeDesk();
  chain.real.wallet.set({ mode });
  const { RawData } = await chain.buildSwap();
  const hash = hashOf(RawData);
  const desk = fakeDesk({
    ...request,
    hash: hash.toString("hex"),
    provider: { node: chain.sandbox.url, api: chain.sandbox.url },
    transaction: JSON.parse(
      JSON.stringify({ RawData }, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
    ) as Record<string, unknown>,
    ...change,
  });
  desk.fits = (signature) => isSignedBy(alice, hash, Buffer.from(signature, "hex"));
  const url = await serve(desk, chain.sandbox.url);
  const options = {
    viewport: { width, height: width === 390 ? 844 : 900 },
    // Covers both colour schemes.
    colorScheme: width === 390 ? ("dark" as const) : ("light" as const),
    permissions: ["clipboard-write"],
  };
  const { page, faults } = await testPage(options, {
    excused: /Failed to load resource.*status of (?:410|422|400|503)/,
  });
  // The test needn't wait for the next poll, or for a wallet that never appears.
  await page.clock.install();
  await page.addInitScript({ content: script ?? walletScript(chain.real.wallet) });
  // As behind the sandbox's proxy, which serves the page itself and answers no other origin.
  await page.route("**/_sim/wallet/*", async (route) => {
    const headers = { ...route.request().headers(), origin: chain.sandbox.url };
    const response = await route.fetch({ headers, timeout: 0 }).catch(() => undefined);
    if (response === undefined) return route.abort().catch(() => undefined);
    await route
      .fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } })
      .catch(() => undefined);
  });
  await page.goto(`${url}/sign/${token}`);
  return {
    page,
    desk,
    chain,
    says: async (text) => page.getByRole("status").getByText(text).waitFor(),
    looks: () => page.clock.fastForward(3_000),
    faults,
  };
}

async function serve(desk: FakeDesk, walletUrl: string): Promise<string> {
  let publicUrl = "http://127.0.0.1";
  const server = createAdaptorServer({
    fetch: (asked: Request) =>
      signingRoutes({ requests: desk, publicUrl, walletOrigins: [walletUrl] }, systemClock).fetch(asked),
  });
  publicUrl = await temporaryServer(server);
  return publicUrl;
}

/** Audits the current page with axe-core. */
async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, as the page allows no other scripts.
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`
    axe
      .run({ resultTypes: ["violations"] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))
  `);
}

/** On the narrowest phones, and with text twice as large, which the text itself follows. */
async function staysNarrow(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  const fonts = await page.context().newCDPSession(page);
  const set = (standard: number) => fonts.send("Page.setFontSizes", { fontSizes: { standard } });
  const seen = async () => {
    const [shown, size, atBottom] = await page.evaluate<[number, string, string]>(`[
      document.documentElement.scrollWidth,
      getComputedStyle(document.body).fontSize,
      getComputedStyle(document.getElementById("actions")).position,
    ]`);
    return { fits: shown <= page.viewportSize()!.width, size, atBottom };
  };
  await page.setViewportSize({ width: 320, height: 568 });
  expect(await seen()).toEqual({ fits: true, size: "16px", atBottom: "sticky" });
  await page.setViewportSize(before);
  await set(32);
  // Buttons that stayed in view would leave no room for what is signed.
  await expect.poll(seen).toEqual({ fits: true, size: "32px", atBottom: "static" });
  await set(16);
  await expect.poll(async () => (await seen()).size).toBe("16px");
}

const signButton = (page: Page) => page.getByRole("button", { name: "Sign with my wallet" });

describe.each([390, 1280])("at %i px", (width) => {
  it("shows the card, lets the wallet sign, and posts the signature once", async () => {
    const { page, desk, says, looks } = await openSigning("signs", { width });
    await page.getByText("100 KLV").waitFor();
    await says("The button opens your wallet");
    await expect.poll(() => page.getByRole("timer").textContent()).toMatch(/^(?:5:00|4:5\d)$/);
    await page.screenshot({ path: join(screenshots, `signing-ready-${width}.png`) });
    expect(await violations(page)).toEqual([]);
    // What matters for the decision is visible without scrolling, and so is the button.
    for (const shown of [
      "Testnet",
      "@swapdesk_sandbox_bot",
      "blue elephant",
      "0.98 KFI",
      "4.51 KLV",
      "klv1usdny…ujlazy",
    ]) {
      expect([shown, await page.getByText(shown).first().isVisible()]).toEqual([shown, true]);
    }
    expect(await page.getByText("Price impact").isVisible()).toBe(false);
    const { y, height } = (await signButton(page).boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(844);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await page.getByText("This browser is too old").isVisible()).toBe(false);
    if (width === 390) await staysNarrow(page);
    // With the keyboard alone.
    await signButton(page).focus();
    await page.keyboard.press("Enter");
    await says(SIGNED);
    const heading = () => page.getByRole("heading", { level: 1 }).innerText();
    expect(await heading()).toMatch(/^Signed\s+Swap KLV → KFI$/i);
    expect(posts(desk)).toHaveLength(1);
    expect(await page.getByRole("button").count()).toBe(0);
    // There is no time limit any more.
    expect(await page.getByText("Time left").isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "Back to the chat" }).getAttribute("href")).toBe(
      "https://t.me/swapdesk_sandbox_bot",
    );
    // It may be reloading.
    await expect.poll(() => violations(page).catch(String)).toEqual([]);
    await looks();
    await says("It is on its way.");
    expect(await heading()).toMatch(/^Signed\s+Swap KLV → KFI$/i);
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(screenshots, `signing-signed-${width}.png`) });
    desk.state = closed("Carried out.", "en", "Done", ["You received: 0.98 KFI"]);
    await looks();
    await says("Carried out.");
    expect(await heading()).toMatch(/^Done\s+Swap KLV → KFI$/i);
    await page.getByText("You received: 0.98 KFI").waitFor();
    await page.screenshot({ path: join(screenshots, `signing-done-${width}.png`) });
  });

  it("without a wallet offers the app, a QR code and the address", async () => {
    const { page, chain, says } = await openSigning("absent", { width });
    await says("The button opens your wallet");
    await page.clock.fastForward(6_000);
    await says("No wallet found in this browser.");
    const link = page.getByRole("link", { name: "Open in the Klever app" });
    expect(await link.getAttribute("href")).toBe(`klever-wallet://dp/browser?link=${page.url()}`);
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await page.screenshot({ path: join(screenshots, `signing-no-wallet-${width}.png`), fullPage: true });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    // If the browser doesn't allow it, the address can be copied by hand.
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
    await page.getByRole("button", { name: "Copied" }).click();
    await page.getByText(page.url()).waitFor();
    expect(await page.evaluate("String(getSelection())")).toBe(page.url());
    // A wallet that appears later is found.
    chain.real.wallet.set({ mode: "signs" });
    await page.evaluate(walletScript(chain.real.wallet));
    await page.clock.fastForward(1_000);
    await says("The button opens your wallet");
  });
});

describe("the wallet", () => {
  it("with another account signs nothing until it has the right one", async () => {
    const { page, desk, chain, says } = await openSigning("another-account");
    await signButton(page).click();
    await says("Your wallet is using a different account");
    await page.getByText(bob).waitFor();
    expect(await page.getByRole("status").getByText(alice).isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await signButton(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Try again" }).isVisible()).toBe(true);
    // The page notices without a tap.
    chain.real.wallet.set({ mode: "signs" });
    await signButton(page).click();
    await says(SIGNED);
    expect(posts(desk)).toHaveLength(1);
  });

  it("that declines leaves the request open, and can be asked again", async () => {
    const { page, desk, chain, says } = await openSigning("declines");
    await signButton(page).click();
    await says("Your wallet didn't sign");
    expect(desk.calls).not.toContain("decline");
    chain.real.wallet.set({ mode: "signs" });
    await page.getByRole("button", { name: "Try again" }).click();
    await says(SIGNED);
  });

  it.each(["altered", "another-hash"] as const)(
    "that signs something else (%s) leads to an explanation, and the request stays open",
    async (mode) => {
      const { page, desk, says } = await openSigning(mode);
      await signButton(page).click();
      await says("This signature doesn't match the transaction");
      expect(desk.state.kind).toBe("open");
    },
  );

  it("that appears late is found", async () => {
    const { page, says } = await openSigning("late");
    await signButton(page).click();
    await says("Looking for your wallet…");
    await page.clock.fastForward(1_600);
    await says(SIGNED);
  });

  it("that never answers doesn't prevent declining, and its late signature changes nothing", async () => {
    const { page, desk, chain, says, looks } = await openSigning("waits");
    await signButton(page).click();
    await says("Confirm in your wallet.");
    await page.getByRole("button", { name: "Decline" }).click();
    await says("You declined, so I won't send it.");
    const released = page.waitForResponse(/_sim\/wallet\/sign/);
    chain.real.wallet.set({ mode: "signs" });
    await released;
    await looks();
    await says("You declined this.");
    expect(posts(desk)).toEqual([]);
  });
});

/**
 * The script of a wallet. It records each opening in `window.opened`, and whether it happened without a user gesture.
 * @param put the statements that add the wallet to `window`, made of `signer` and of `open()`, which sets its address.
 * @param answer the expression that `signTransaction` returns.
 */
const walletOf = (put: string, { address = alice, answer = "signed()" } = {}): string => `
  window.opened = [];
  window.account = "";
  const open = (name, shown = "${address}") => async () => {
    window.opened.push(name + (navigator.userActivation.isActive ? "" : " without a gesture"));
    window.account = shown;
  };
  const signed = (Signature = ["${signature}"]) => ({ RawData: {}, Signature });
  const bytes = () => Uint8Array.from(atob("${signature}"), (one) => one.charCodeAt(0));
  const signer = { getWalletAddress: () => window.account, signTransaction: async () => ${answer} };
  ${put}`;
const signature = Buffer.alloc(64, 7).toString("base64");
const opened = (page: Page) => page.evaluate<readonly string[]>("window.opened");
const posts = (desk: FakeDesk) => desk.calls.filter((call) => call.startsWith("signature"));
const HUB_AND_WEB = "window.kleverWeb = signer; window.kleverHub = { initialize: open('hub') };";

async function openWith(script: string): Promise<OpenPage> {
  const made = await openSigning("absent", { script });
  made.desk.fits = () => true;
  return made;
}

describe("a wallet is opened the way official clients do it, and only by a click:", () => {
  it.each([
    ["hub and web", HUB_AND_WEB, ["hub"]],
    ["hub only", "window.kleverHub = { ...signer, initialize: open('hub') };", ["hub"]],
    [
      "a hub that brings the web",
      "window.kleverHub = { initialize: async () => { await open('hub')(); window.kleverWeb = signer; } };",
      ["hub"],
    ],
    ["web with initialize", "window.kleverWeb = { ...signer, initialize: open('web') };", ["web"]],
    ["web without", "window.kleverWeb = { ...signer, getWalletAddress: () => ADDRESS };", []],
    [
      "neither, but an address",
      "window.kleverWeb = { address: ADDRESS, signTransaction: signer.signTransaction };",
      [],
    ],
    [
      "a hub that shows no address",
      "window.kleverWeb = { ...signer, initialize: open('web') }; window.kleverHub = { initialize: open('hub', '') };",
      ["hub", "web"],
    ],
    [
      "a hub after which nobody answers",
      `window.kleverWeb = {
         ...signer,
         getWalletAddress: () => { if (window.account === "") throw new Error("locked"); return window.account; },
         initialize: open("web"),
       };
       window.kleverHub = { initialize: open("hub", "") };`,
      ["hub", "web"],
    ],
    ["klever, which is tried last", "window.klever = { ...signer, initialize: open('klever') };", ["klever"]],
    [
      "klever beside web",
      "window.klever = { initialize: open('klever') }; window.kleverWeb = { ...signer, initialize: open('web') };",
      ["web"],
    ],
  ])("%s", async (_, put, ways) => {
    const { page, desk, says, looks } = await openWith(walletOf(put.replace("ADDRESS", JSON.stringify(alice))));
    await says("The button opens your wallet");
    await looks();
    await looks();
    expect(await opened(page)).toEqual([]);
    // A double click opens one window.
    await signButton(page).dblclick();
    await says(SIGNED);
    expect(await opened(page)).toEqual(ways);
    expect(posts(desk)).toHaveLength(1);
  });
});

describe("the wallet's answer is explained, and nothing is posted without a signature:", () => {
  const nothing = /[Nn]othing was sent/;
  it.each([
    ["a list of base64", "signed()", SIGNED, 1],
    ["a list of bytes", "signed([bytes()])", SIGNED, 1],
    ["bytes", "signed(bytes())", SIGNED, 1],
    [
      "a refusal as Error",
      "Promise.reject(new Error('User rejected the request'))",
      "Your wallet didn't sign. Nothing was sent. It says: User rejected the request",
      0,
    ],
    ["a refusal as text", "Promise.reject('denied')", "Your wallet didn't sign. Nothing was sent. It says: denied", 0],
    [
      "a text in place of a transaction",
      "'cancelled'",
      "Your wallet didn't sign. Nothing was sent. It says: cancelled",
      0,
    ],
    ["a refusal without a reason", "Promise.reject()", "Your wallet closed without signing", 0],
    ["nothing", "undefined", "Your wallet closed without signing", 0],
    ["the transaction, unsigned", "({ RawData: {} })", "returned the transaction unsigned", 0],
    ["an empty list", "signed([])", "returned the transaction unsigned", 0],
    [
      "an error",
      "({ error: 'no key' })",
      "reports an error instead of a signature. Nothing was sent. It says: no key",
      0,
    ],
    ["an error as object", "({ error: { message: 'no key' } })", "It says: no key", 0],
    ["something else", "({ ok: true })", "Your wallet didn't return a signature", 0],
    ["a signature that is none", "signed(['AAAA'])", "Your wallet didn't return a signature", 0],
  ])("%s", async (_, answer, sentence, count) => {
    const { page, desk } = await openWith(walletOf(HUB_AND_WEB, { answer }));
    await signButton(page).click();
    const status = page.getByRole("status");
    await expect
      .poll(async () => (await status.innerText()).replaceAll(/\s+/g, " ").replaceAll(/["“”]/g, ""))
      .toMatch(sentence);
    expect(posts(desk)).toHaveLength(count);
    if (count === 0) {
      expect(await status.innerText()).toMatch(nothing);
      expect(await page.getByRole("button", { name: "Try again" }).isVisible()).toBe(true);
      expect(await violations(page)).toEqual([]);
    }
  });

  it("a wallet that refuses the page, and one without an account", async () => {
    const refuses =
      "window.kleverWeb = signer; window.kleverHub = { initialize: () => Promise.reject(new Error('no')) };";
    const { page, desk, says } = await openWith(walletOf(refuses));
    await signButton(page).click();
    await says("Your wallet didn't open");
    expect(await page.locator("#said").innerText()).toBe("It says: no");
    await page.evaluate("kleverHub.initialize = () => undefined");
    await page.getByRole("button", { name: "Try again" }).click();
    await says("Your wallet shows no account.");
    expect(posts(desk)).toEqual([]);
  });
});

describe("a change of the wallet's account is noticed in both directions,", () => {
  const told = "kleverHub.tell({ chain: 'KLV', address: ADDRESS })";
  it.each([
    ["by its word", `${HUB_AND_WEB} kleverHub.onAccountChanged = (listener) => { kleverHub.tell = listener; };`, told],
    ["where it says no word", HUB_AND_WEB, "window.account = ADDRESS"],
  ])("%s", async (_, put, change) => {
    const { page, desk, says } = await openWith(walletOf(put, { address: bob }));
    const changeTo = async (address: string) => {
      await page.evaluate(change.replace("ADDRESS", JSON.stringify(address)));
      await page.clock.fastForward(1_000);
    };
    await signButton(page).click();
    await says("Your wallet is using a different account");
    await changeTo(alice);
    await says("The button opens your wallet");
    await changeTo(bob);
    await says("Your wallet is using a different account");
    expect(await signButton(page).count()).toBe(0);
    expect(posts(desk)).toEqual([]);
    await page.evaluate(`kleverHub.initialize = async () => { window.account = ${JSON.stringify(alice)}; }`);
    await changeTo(alice);
    await signButton(page).click();
    await says(SIGNED);
    expect(posts(desk)).toHaveLength(1);
  });

  it("before it was opened, if it shows its account without that", async () => {
    const put = `window.kleverWeb = { ...signer, address: ${JSON.stringify(bob)}, initialize: open('web') };`;
    const { page, says } = await openWith(walletOf(put));
    await says("Your wallet is using a different account");
    await page.evaluate(`kleverWeb.address = ${JSON.stringify(alice)}`);
    await page.clock.fastForward(1_000);
    await says("The button opens your wallet");
    expect(await opened(page)).toEqual([]);
  });
});

it("the sandbox's wallet asks in its own dialog, in both its shapes", async () => {
  for (const shape of ["hub", "web"] as const) {
    const { page, desk, chain, says } = await openSigning("absent");
    chain.real.wallet.set({ mode: "asks", shape });
    await page.evaluate(walletScript(chain.real.wallet));
    const window = page.getByRole("dialog", { name: "Sandbox wallet" });
    await signButton(page).click();
    await window.getByText(alice).waitFor();
    await window.getByRole("button", { name: "Reject" }).click();
    await says("Your wallet didn't open");
    await page.getByRole("button", { name: "Try again" }).click();
    await window.getByRole("button", { name: "Connect" }).click();
    await window.getByText((desk.state as SigningRequest).hash).waitFor();
    await window.getByRole("button", { name: "Reject" }).click();
    await says("Your wallet didn't sign");
    await page.getByRole("button", { name: "Try again" }).click();
    await window.getByRole("button", { name: "Sign" }).click();
    await says(SIGNED);
    expect(posts(desk)).toHaveLength(1);
  }
});

it("an open page shows without a tap that its request has ended, even while the wallet is asking", async () => {
  const { page, desk, chain, says, looks } = await openSigning("waits", { language: "pt" });
  await page.getByRole("button", { name: "Assinar com minha carteira" }).click();
  await says("Confirme na sua carteira");
  desk.state = closed("Este cartão foi cancelado.");
  await looks();
  await says("Este cartão foi cancelado.");
  chain.real.wallet.set({ mode: "signs" });
  expect(await page.getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(posts(desk)).toEqual([]);
});

describe("a server that can't be reached", () => {
  const away = "console: Failed to load resource: net::ERR_FAILED";

  it("gets a signature with the next try", async () => {
    const { page, desk, says, looks, faults } = await openSigning("signs");
    await page.route(/signature$/, (route) => route.abort(), { times: 1 });
    await signButton(page).click();
    await says("Can't reach the bot");
    await looks();
    // In the page's own words, or in the bot's after the next poll.
    await says(SIGNED);
    expect(await page.getByText("Can't reach the bot").isVisible()).toBe(false);
    expect(posts(desk)).toHaveLength(1);
    expect(faults.splice(0)).toContain(away);
  });

  it("is asked for the request, and sent a decline, until it answers; a proxy's answer doesn't count", async () => {
    const { page, desk, says, looks, faults } = await openSigning("signs");
    await says("The button opens your wallet");
    await page.route(/request$/, (route) => route.abort());
    await page.reload();
    await says("Can't reach the bot");
    await page.unroute(/request$/);
    await looks();
    await says("The button opens your wallet");
    await page.route(/decline$/, (route) => route.fulfill({ status: 200, json: { kind: "proxy" } }), { times: 1 });
    await page.getByRole("button", { name: "Decline" }).click();
    await says("Can't reach the bot");
    expect(await page.getByRole("button").count()).toBe(0);
    await looks();
    await says(/^You declined/);
    expect(desk.calls.filter((call) => call === "decline")).toHaveLength(1);
    expect(faults.splice(0)).toContain(away);
  });
});

it("invalid and expired links show a page, too", async () => {
  const { page, desk, faults } = await openSigning("signs");
  desk.state = closed("Este cartão expirou.");
  // The page notices and reloads.
  await page.getByText("Este cartão expirou.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(page.url().replace(token, "B".repeat(43)));
  await page.getByText("This link is invalid").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(faults.splice(0).join()).toContain("status of 404");
});
