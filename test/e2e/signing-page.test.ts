import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/clock.js";
import { signingRoutes } from "../../src/bot/signing/routes.js";
import type { SigningRequest } from "../../src/services/wallet-gateway/desk.js";
import { isSignedBy } from "../../sandbox/node/key.js";
import { hashOf } from "../../sandbox/node/transaction.js";
import { walletScript } from "../../sandbox/node/wallet-routes.js";
import type { WalletMode } from "../../sandbox/node/wallet.js";
import { fakeDesk, request, token, type FakeDesk } from "../bot/signing/fake-desk.js";
import { alice, bob, realNodeDesk, type RealNodeDesk } from "../sandbox/node/real-node.js";
import { sharedBrowser, newPage, screenshots } from "../support/browser.js";

/** The signing page in a real browser, with a wallet that really signs and a desk that only remembers. */
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

interface OpenPage {
  readonly page: Page;
  readonly desk: FakeDesk;
  readonly chain: RealNodeDesk;
  readonly says: (text: string | RegExp) => Promise<void>;
  /** The page asks the server again. */
  readonly looks: () => Promise<void>;
  /** What the browser complained about, besides answers that are refusals. */
  readonly faults: () => readonly string[];
}

async function openSigning(
  mode: WalletMode,
  { width = 390, ...change }: Partial<SigningRequest> & { width?: number } = {},
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
  const { page, faults } = await newPage(browser, {
    viewport: { width, height: 860 },
    // Both are looked at.
    colorScheme: width === 390 ? "dark" : "light",
    permissions: ["clipboard-write"],
  });
  onTestFinished(() => page.context().close());
  // Nobody waits for the next look at the server, nor for a wallet that never comes.
  await page.clock.install();
  await page.addInitScript(walletScript(chain.real.wallet));
  await page.goto(`${url}/sign/${token}`);
  return {
    page,
    desk,
    chain,
    says: async (text) => page.getByRole("status").getByText(text).waitFor(),
    looks: () => page.clock.fastForward(3_000),
    faults: () => faults.filter((fault) => !/Failed to load resource.*status of (?:410|422|400|503)/.test(fault)),
  };
}

async function serve(desk: FakeDesk, walletUrl: string): Promise<string> {
  let publicUrl = "http://127.0.0.1";
  const server = createAdaptorServer({
    fetch: (asked: Request) => signingRoutes({ desk, publicUrl, walletOrigins: [walletUrl] }, systemClock).fetch(asked),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return publicUrl;
}

/** What axe-core finds wrong with the page as it is. */
async function violations(page: Page): Promise<readonly string[]> {
  // By the debugger's way, as the page itself lets no script in.
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`
    axe
      .run({ resultTypes: ["violations"] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))
  `);
}

const signButton = (page: Page) => page.getByRole("button", { name: "Sign with my wallet" });

describe.each([390, 1280])("at %i px", (width) => {
  it("shows the card, lets the wallet sign and brings the signature back once", async () => {
    const { page, desk, says, looks, faults } = await openSigning("signs", { width });
    await page.getByText("You pay: 100 KLV").waitFor();
    await says("Your wallet is connected");
    expect(await page.getByRole("timer").textContent()).toMatch(/^(?:5:00|4:5\d)$/);
    await page.screenshot({ path: join(screenshots, `signing-ready-${width}.png`), fullPage: true });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    // By the keyboard alone.
    await signButton(page).focus();
    await page.keyboard.press("Enter");
    await says("Signed.");
    expect(desk.calls.filter((call) => call.startsWith("signature"))).toHaveLength(1);
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await looks();
    await says("Signed. It is on its way.");
    expect(await violations(page)).toEqual([]);
    desk.state = { kind: "closed", language: "en", sentence: "Carried out.", isOver: true };
    await looks();
    await says("Carried out.");
    expect(faults()).toEqual([]);
  });

  it("without a wallet offers the app, a QR code and the address", async () => {
    const { page, chain, says, faults } = await openSigning("absent", { width });
    await says("Looking for your wallet.");
    await page.clock.fastForward(11_000);
    await says("No wallet has turned up in this browser.");
    const link = page.getByRole("link", { name: "Open in the Klever app" });
    expect(await link.getAttribute("href")).toBe(`klever-wallet://dp/browser?link=${page.url()}`);
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await page.screenshot({ path: join(screenshots, `signing-no-wallet-${width}.png`), fullPage: true });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    // Where the browser doesn't let it, the address can be copied by hand.
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
    await page.getByRole("button", { name: "Copied" }).click();
    await page.getByText(page.url()).waitFor();
    expect(await page.evaluate("String(getSelection())")).toBe(page.url());
    // A wallet that is there at last is found.
    chain.real.wallet.set({ mode: "signs" });
    await page.evaluate(walletScript(chain.real.wallet));
    await says("Your wallet is connected");
    expect(faults()).toEqual([]);
  });
});

describe("the wallet", () => {
  it("that shows another account signs nothing until it shows the right one", async () => {
    const { page, desk, chain, says } = await openSigning("another-account");
    await says("Your wallet is on a different account");
    await page.getByText(bob).waitFor();
    expect(await page.getByText(alice).isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await signButton(page).count()).toBe(0);
    chain.real.wallet.set({ mode: "signs" });
    await page.getByRole("button", { name: "Try again" }).click();
    await says("Signed.");
    expect(desk.calls.filter((call) => call.startsWith("signature"))).toHaveLength(1);
  });

  it("that declines leaves the request open, and may be asked again", async () => {
    const { page, desk, chain, says } = await openSigning("declines");
    await signButton(page).click();
    await says("Your wallet did not sign");
    expect(desk.calls).not.toContain("decline");
    chain.real.wallet.set({ mode: "signs" });
    await page.getByRole("button", { name: "Try again" }).click();
    await says("Signed.");
  });

  it.each(["altered", "another-hash"] as const)("that signs something else (%s) is told so", async (mode) => {
    const { page, desk, says } = await openSigning(mode);
    await signButton(page).click();
    await says("This signature doesn't match the transaction");
    expect(desk.state.kind).toBe("open");
  });

  it("that comes late is found", async () => {
    const { page, says } = await openSigning("late");
    await says("Looking for your wallet.");
    await page.clock.fastForward(1_600);
    await signButton(page).click();
    await says("Signed.");
  });

  it("that never answers keeps nobody from declining; what it brings later changes nothing", async () => {
    const { page, desk, chain, says, looks } = await openSigning("waits");
    await signButton(page).click();
    await says("Your wallet is asking you now.");
    await page.getByRole("button", { name: "Don't sign" }).click();
    await says("You declined, so I won't send it.");
    const released = page.waitForResponse(/_sim\/wallet\/sign/);
    chain.real.wallet.set({ mode: "signs" });
    await released;
    await looks();
    await says("You declined this.");
    expect(desk.calls.filter((call) => call.startsWith("signature"))).toEqual([]);
  });
});

it("a request that ends while its page is open is learned of without a touch, and no signature that comes after it is taken", async () => {
  const { page, desk, chain, says, looks } = await openSigning("waits", { language: "pt" });
  await page.getByRole("button", { name: "Assinar com minha carteira" }).click();
  await says("Sua carteira está perguntando");
  desk.state = { kind: "closed", language: "pt", sentence: "Este cartão foi cancelado.", isOver: true };
  chain.real.wallet.set({ mode: "signs" });
  await looks();
  await says("Este cartão foi cancelado.");
  expect(await page.getByRole("button").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

describe("a server that cannot be reached", () => {
  it("gets a signature again", async () => {
    const { page, desk, says, looks } = await openSigning("signs");
    await page.route(/signature$/, (route) => route.abort(), { times: 1 });
    await signButton(page).click();
    await says("No answer right now");
    await looks();
    await says("Signed.");
    expect(await page.getByText("No answer right now").isVisible()).toBe(false);
    expect(desk.calls.filter((call) => call.startsWith("signature"))).toHaveLength(1);
  });

  it("hears of a refusal, and is asked for the request, until it answers; whatever else answers does not count", async () => {
    const { page, desk, says, looks } = await openSigning("signs");
    await says("Your wallet is connected");
    await page.route(/request$/, (route) => route.abort());
    await page.reload();
    await says("No answer right now");
    await page.unroute(/request$/);
    await looks();
    await says("Your wallet is connected");
    await page.route(/decline$/, (route) => route.fulfill({ status: 200, json: { kind: "proxy" } }), { times: 1 });
    await page.getByRole("button", { name: "Don't sign" }).click();
    await says("No answer right now");
    expect(await page.getByRole("button").count()).toBe(0);
    await looks();
    await says(/^You declined/);
    expect(desk.calls.filter((call) => call === "decline")).toHaveLength(1);
  });
});

it("a link that means nothing, and one that is over, are pages too", async () => {
  const { page, desk } = await openSigning("signs");
  desk.state = { kind: "closed", language: "pt", sentence: "Este cartão expirou.", isOver: true };
  await page.reload();
  await page.getByText("Este cartão expirou.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(page.url().replace(token, "B".repeat(43)));
  await page.getByText("This link is not valid").waitFor();
  expect(await violations(page)).toEqual([]);
});
