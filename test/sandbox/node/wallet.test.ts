import { createServer, type IncomingHttpHeaders } from "node:http";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { isSignedBy } from "../../../sandbox/node/key.js";
import { hashOf, type RawData } from "../../../sandbox/node/transaction.js";
import { alice, bob, realNodeDesk, type RealNodeDesk } from "./real-node.js";

interface KleverWeb {
  provider?: { readonly node: string; readonly api: string };
  initialize: () => Promise<void>;
  readonly getWalletAddress: () => string;
  readonly signTransaction: (transaction: object) => Promise<{ RawData: RawData; Signature: [string] }>;
}

/** Runs the script as a page would. */
async function kleverWeb({ sandbox }: RealNodeDesk): Promise<KleverWeb | undefined> {
  const window: { kleverWeb?: KleverWeb; kleverHub?: Pick<KleverWeb, "initialize"> } = {};
  const script = await (await fetch(`${sandbox.url}/_sim/wallet.js`)).text();
  runInNewContext(script, { window, fetch, JSON, setTimeout: (run: () => void) => run(), setInterval: () => 0 });
  if (window.kleverWeb) window.kleverWeb.provider = { node: sandbox.url, api: sandbox.url };
  if (window.kleverWeb && window.kleverHub) window.kleverWeb.initialize = window.kleverHub.initialize;
  return window.kleverWeb;
}

async function signing(desk: RealNodeDesk) {
  const { RawData } = await desk.buildSwap();
  // Pages work with JSON numbers.
  const transaction = JSON.parse(
    JSON.stringify({ RawData }, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  ) as object;
  const wallet = (await kleverWeb(desk))!;
  await wallet.initialize();
  const sign = async () => Buffer.from((await wallet.signTransaction(transaction)).Signature[0], "base64");
  return { wallet, sign, hash: hashOf(RawData) };
}

describe("the wallet", () => {
  it("shows its account and really signs", async () => {
    const { wallet, sign, hash } = await signing(await realNodeDesk());
    expect(wallet.getWalletAddress()).toBe(alice);
    expect(isSignedBy(alice, hash, await sign())).toBe(true);
  });

  it("needs its provider first", async () => {
    const wallet = (await kleverWeb(await realNodeDesk()))!;
    delete wallet.provider;
    await expect(wallet.initialize()).rejects.toThrow("no provider was set");
  });

  it("can be another account, sign something else, decline, or broadcast on its own", async () => {
    const desk = await realNodeDesk();
    const { sign, hash } = await signing(desk);
    const { wallet: switches, node } = desk.real;
    for (const mode of ["altered", "another-hash"] as const) {
      switches.set({ mode });
      expect([mode, isSignedBy(alice, hash, await sign())]).toEqual([mode, false]);
    }
    switches.set({ mode: "another-account" });
    expect((await signing(desk)).wallet.getWalletAddress()).toBe(bob);
    switches.set({ mode: "declines" });
    await expect(sign()).rejects.toThrow("User rejected the request");
    expect(node.transactions()).toEqual([]);
    switches.set({ mode: "broadcasts" });
    expect(isSignedBy(alice, hash, await sign())).toBe(true);
    expect(node.transactions().map((each) => each.hash)).toEqual([hash.toString("hex")]);
  });

  it("can be late or absent, or wait for its owner", async () => {
    const desk = await realNodeDesk();
    const { wallet: switches } = desk.real;
    switches.set({ mode: "late" });
    expect(await kleverWeb(desk)).toBeDefined();
    switches.set({ mode: "absent" });
    expect(await kleverWeb(desk)).toBeUndefined();
    switches.set({ mode: "signs" });
    const { sign, hash } = await signing(desk);
    switches.set({ mode: "waits" });
    const signature = sign();
    const meanwhile = fetch(`${desk.sandbox.url}/node/status`).then(() => "meanwhile");
    expect(await Promise.race([signature, meanwhile])).toBe("meanwhile");
    switches.set({ mode: "signs" });
    expect(isSignedBy(alice, hash, await signature)).toBe(true);
  });
});

it("the proxy passes on the bot's signing page with the wallet's script added, and its posts unchanged", async () => {
  const { sandbox } = await realNodeDesk();
  const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const bot = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      seen.push({ url: request.url, headers: request.headers, body });
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "x-frame-options": "DENY" });
      response.end("<html><head><title>Sign</title></head></html>");
    });
  }).listen(sandbox.botPort, "127.0.0.1");
  onTestFinished(() => void bot.close());
  const page = await fetch(`${sandbox.url}/sign/token`);
  expect(await page.text()).toBe(
    '<html><head><script src="/_sim/wallet.js"></script><title>Sign</title></head></html>',
  );
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  await fetch(`${sandbox.url}/sign/token/signature`, { method: "POST", headers: { origin: sandbox.url }, body: "{}" });
  expect(seen[1]).toMatchObject({ url: "/sign/token/signature", headers: { origin: sandbox.url }, body: "{}" });
});
