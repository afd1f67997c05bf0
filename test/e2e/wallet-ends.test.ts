import type { ServerResponse } from "node:http";
import { describe, expect, it, test } from "vitest";
import { messages } from "../../src/locales/messages.js";
import { addresses } from "../sandbox/chain/local-chain.js";
import { bob, keys, signedBy, swapBody } from "../sandbox/node/real-node.js";
import { nodeProxy } from "../support/node-proxy.js";
import { comparedCard, labelsOf, people, type SandboxPerson } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";
import { bigints, walletChat, walletClock } from "../support/wallet-chat.js";

const HOUR = 3_600_000;
const { faults: sentences, intent: words } = messages.en;

/** A chat whose clock can be put ahead. */
async function chatWithHours(environment: Readonly<Record<string, string>> = {}) {
  let ahead = 0;
  const swift = walletClock();
  const clock = { ...swift, now: () => swift.now() + ahead };
  const chat = await walletChat({ ADMIN_USER_IDS: String(people.carol), ...environment }, { clock });
  const pass = (hours: number) => void (ahead += hours * HOUR);
  /** Sees what comes in an hour at most. */
  const seesInTime: SandboxPerson["sees"] = async (card, pattern) => {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      // Between two quarters the bot looks at the chain at least once.
      const looks = lookUps(chat);
      await until(() => lookUps(chat) > looks || pattern.test(textNow(chat, card)));
      pass(0.25);
    }
    return chat.alice.sees(card, pattern);
  };
  return { ...chat, pass, seesInTime };
}
type Chat = Awaited<ReturnType<typeof walletChat>>;

/** A confirmed swap that waits for its signature. */
async function requested({ alice, pageOf }: Pick<Chat, "alice" | "pageOf">, line = "/swap 100 KLV KFI") {
  const card = await comparedCard(alice, line);
  const page = pageOf(await alice.confirms(card, /Waiting for your signature/));
  const { transaction } = (await (await fetch(`${page}/request`)).json()) as { transaction: unknown };
  return { card, page, transaction };
}

/** The person agrees in the wallet's own window, and the wallet gives it to the network. */
async function agreesInWallet({ desk }: Pick<Chat, "desk">, transaction: unknown): Promise<string> {
  const { wallet } = desk.sandbox.real!;
  wallet.set({ mode: "broadcasts" });
  const { Signature: [signature = ""] = [] } = await wallet.sign(bigints(transaction));
  wallet.set({ mode: "signs" });
  return signature;
}

async function pauses({ desk }: Pick<Chat, "desk">): Promise<void> {
  const carol = desk.person(people.carol);
  carol.says("/admin pause the router was exploited");
  const answer = await carol.taps(await carol.reads(/the router was exploited/), "⏸");
  expect(answer).toBe(messages.pt.admin.paused);
}

/** Every text that the card of a message ever had. */
function textsOf({ desk }: Pick<Chat, "desk">, alice: SandboxPerson): readonly string[] {
  const texts: string[] = [];
  desk.sandbox.telegram.subscribe(() => {
    for (const { from, text } of desk.sandbox.telegram.chat(alice.id)) {
      if (from === "bot" && !texts.includes(text)) texts.push(text);
    }
  });
  return texts;
}

const textNow = ({ desk }: Pick<Chat, "desk">, card: { readonly messageId: number }) =>
  desk.sandbox.telegram.chat(people.alice).find(({ messageId }) => messageId === card.messageId)?.text ?? "";
const lookUps = ({ desk }: Pick<Chat, "desk">) =>
  desk.sandbox.wireLog.entries().filter(({ path }) => /^\/transaction\/[0-9a-f]{64}/.test(path)).length;
const broadcasts = ({ desk }: Pick<Chat, "desk">) =>
  desk.sandbox.wireLog.entries().filter(({ path }) => path === "/transaction/broadcast").length;

describe("a signed swap that the network has not got", () => {
  it("is not given to it through a freeze, a pause and forty hours, once a first try had no clear answer", async () => {
    const chat = await chatWithHours();
    const { desk, alice, sign, transactions, pass, seesInTime } = chat;
    const { card, page } = await requested(chat);
    desk.sandbox.faults.set("node-broadcast", "5xx");
    expect(await sign(page)).toBe(200);
    await until(() => broadcasts(chat) > 0);
    const froze = (await alice.asks("/freeze")).text;
    expect(froze).toContain(messages.en.common.given);
    expect(froze).not.toContain(messages.en.common.tooLate);
    await pauses(chat);
    pass(40);
    await desk.restart();
    const before = broadcasts(chat);
    desk.sandbox.faults.set("node-broadcast", undefined);
    await seesInTime(card, /Outcome unknown/);
    expect(transactions()).toEqual([]);
    expect(broadcasts(chat)).toBe(before);
  });

  it("and that certainly never left is stopped by /freeze, which says so", async () => {
    const chat = await chatWithHours();
    const { desk, alice, sign, transactions } = chat;
    const { card, page } = await requested(chat);
    // The node has too much to do, and takes nothing.
    desk.sandbox.faults.set("node-broadcast", "429");
    expect(await sign(page)).toBe(200);
    await until(() => broadcasts(chat) > 1);
    // Between two tries.
    await until(async () => {
      await alice.asks("/cancel");
      return /Cancelled/.test((await alice.sees(card, /./)).text);
    });
    desk.sandbox.faults.set("node-broadcast", undefined);
    const before = broadcasts(chat);
    expect((await alice.asks("/freeze")).text).not.toMatch(/stopped|carried out/);
    const looks = lookUps(chat);
    await until(() => lookUps(chat) > looks + 1);
    expect(broadcasts(chat)).toBe(before);
    expect(transactions()).toEqual([]);
  });

  test.each([
    ["a freeze", "/freeze", "frozen"],
    ["a pause", "pause", "trading-paused"],
    ["its age", "age", "sent-too-late"],
  ] as const)("ends as not sent by %s after a kill before the first try", async (_what, how, code) => {
    const chat = await chatWithHours();
    const { desk, alice, sign, transactions, pass } = chat;
    const { card, page } = await requested(chat);
    // Each try certainly reaches nobody, and then the program ends.
    desk.sandbox.faults.set("node-broadcast", "429");
    expect(await sign(page)).toBe(200);
    await until(() => broadcasts(chat) > 0);
    if (how === "/freeze") await alice.asks(how);
    if (how === "pause") await pauses(chat);
    if (how === "age") pass(40);
    await desk.restart();
    desk.sandbox.faults.set("node-broadcast", undefined);
    const { text } = await alice.sees(card, /Not sent|Cancelled/);
    const sentence = code === "trading-paused" ? /exploited/ : new RegExp(`${sentences[code]}|${words.canceled}`);
    expect(text).toMatch(sentence);
    expect(transactions()).toEqual([]);
  });
});

/** For so long, by the bot's clock, a look-up by hash comes from a node that is behind. */
async function laggingNode(environment: Readonly<Record<string, string>> = {}) {
  const clock = walletClock();
  let until = 0;
  const proxy = await nodeProxy((path, response) => {
    if (!/^\/transaction\/[0-9a-f]{64}/.test(path) || clock.monotonic() >= until) return false;
    const body = '{"data":null,"error":"getting transaction failed: transaction not found","code":"internal_issue"}';
    response.writeHead(500, { "content-type": "application/json" }).end(body);
    return true;
  });
  const chat = await walletChat({ NODE_URL: proxy.url, ...environment }, { clock });
  proxy.passTo(chat.desk.sandbox.url);
  return { ...chat, lag: (milliseconds: number) => void (until = clock.monotonic() + milliseconds) };
}

describe("a swap that the chain carries out is never called not sent", () => {
  it("by a node that is behind another: it is unknown meanwhile, and found", async () => {
    const chat = await laggingNode();
    const { alice, sign, lag, transactions } = chat;
    const texts = textsOf(chat, alice);
    const { card, page } = await requested(chat);
    lag(HOUR);
    expect(await sign(page)).toBe(200);
    const unknown = await alice.sees(card, /Outcome unknown|Not sent/);
    expect(unknown.text).toContain(words.unknownReplaced);
    lag(0);
    await alice.sees(card, /Swap completed/);
    expect(texts.filter((text) => /Not sent|never/.test(text))).toEqual([]);
    expect(transactions()).toHaveLength(1);
  });

  it("by one that is some seconds behind when the page brings the signature", async () => {
    const chat = await laggingNode();
    const { alice, desk, post, lag, transactions } = chat;
    const texts = textsOf(chat, alice);
    const { card, page, transaction } = await requested(chat);
    lag(HOUR);
    const signature = await agreesInWallet(chat, transaction);
    // The sandbox makes its blocks when somebody asks.
    await until(async () => {
      await fetch(`${desk.sandbox.url}/transaction/pool`);
      return transactions().some(({ block }) => block !== undefined);
    });
    expect((await post(page, "signature", { signature })).status).toBe(410);
    lag(3000);
    await alice.sees(card, /Swap completed/);
    expect(texts.filter((text) => /Not sent/.test(text))).toEqual([]);
  });

  it("by the refusal of a copy that comes after the wallet's own", async () => {
    const proxy = await nodeProxy((path, response) => {
      if (path !== "/transaction/broadcast") return false;
      const body = '{"data":null,"error":"validation error: transaction is in the pool already","code":"bad_request"}';
      response.writeHead(400, { "content-type": "application/json" }).end(body);
      return true;
    });
    const chat = await walletChat({ NODE_URL: proxy.url });
    const { desk, alice, post } = chat;
    proxy.passTo(desk.sandbox.url);
    const texts = textsOf(chat, alice);
    const { card, page, transaction } = await requested(chat);
    const signature = await agreesInWallet(chat, transaction);
    expect((await post(page, "signature", { signature })).status).toBeLessThan(411);
    await alice.sees(card, /Swap completed/);
    expect(texts.filter((text) => /Refused|Not sent/.test(text))).toEqual([]);
  });

  it.each([false, true])(
    "for good by “Decline”, where the wallet's window is agreed to later (restart: %s)",
    async (restarts) => {
      const chat = await chatWithHours();
      const { desk, alice, post } = chat;
      const { card, page, transaction } = await requested(chat);
      expect((await post(page, "decline", {})).status).toBe(200);
      await alice.sees(card, /Not sent/);
      if (restarts) await desk.restart();
      await agreesInWallet(chat, transaction);
      await alice.reads(/Found on chain/);
      await alice.sees(card, /Swap completed/);
      expect((await alice.asks("/history")).text).toContain("· done");
    },
  );

  it("after twenty more cards, where its request was cancelled", async () => {
    const chat = await chatWithHours();
    const { alice } = chat;
    const { card, transaction } = await requested(chat);
    await alice.taps(card, "✖️ Cancel");
    await alice.sees(card, /Cancelled/);
    for (let count = 0; count < 22; count += 1) {
      await comparedCard(alice, "/swap 1 KLV KFI");
      await alice.asks("/cancel", /Cancelled|nothing/i);
    }
    await agreesInWallet(chat, transaction);
    // Its card is far above by now, and an edited card notifies nobody.
    await alice.reads(/Found on chain after I had stopped looking: 100 KLV → KFI/);
    await alice.sees(card, /Swap completed/);
    expect((await alice.asks("/history")).text).toContain("· done");
  });
});

it("a transaction that the network refuses after it may have taken it says why and what to do, and what waits for it names it", async () => {
  const chat = await chatWithHours();
  const { desk, alice, sign, pageOf, pass, seesInTime } = chat;
  const { node } = desk.sandbox.real!;
  const { card, page } = await requested(chat);
  desk.sandbox.faults.next("node-broadcast", "drop-before", 1);
  node.setFees({ feePerDataByte: 80_000n });
  expect(await sign(page)).toBe(200);
  const refused = await alice.sees(card, /the network now rejects it/);
  expect(refused.text).toContain(messages.en.refusals["invalid transaction fees"]);
  expect(refused.text).toContain("send any other transaction from your wallet");
  node.setFees({ feePerDataByte: 4000n, kappFee: 2_500_000n });
  const next = await comparedCard(alice, "/swap 50 KLV KFI");
  expect((await alice.confirms(next, /Not sent/)).text).toContain(sentences["wallet-busy"]({ paid: "100 KLV" }));
  // It is not tried for ever: then the address is free again.
  pass(2);
  await seesInTime(card, /Outcome unknown/);
  const third = await comparedCard(alice, "/swap 50 KLV KFI");
  await alice.taps(third, "✅ Confirm");
  expect(await sign(pageOf(await alice.sees(third, /Waiting for your signature/)))).toBe(200);
  await alice.sees(third, /Swap completed/);
});

it("a card that comes instead of one that no longer held at the signature has a second step", async () => {
  const chat = await walletChat({ DEFAULT_SLIPPAGE_BPS: "10" });
  const { alice, desk, sign } = chat;
  const { page } = await requested(chat);
  const { node } = desk.sandbox.real!;
  const contract = { scType: 0, address: addresses.referral, callValue: { KLV: 40_000_000_000 } };
  const built = node.build(bigints(swapBody({ sender: bob, contract })), false) as { result: never };
  node.broadcast(signedBy(keys.bob, built.result));
  await until(() => node.transactions().some(({ block }) => block !== undefined));
  expect(await sign(page)).toBe(410);
  const fresh = await alice.reads(/The price moved/);
  const labels = labelsOf(fresh);
  expect(labels).toContain(words.lookAgainButton);
  expect(labels.filter((label) => label.startsWith("✅"))).toEqual([]);
});

it("a call that runs out of gas is told in words of its own, not by its name", async () => {
  const chat = await walletChat();
  const { alice, desk, sign } = chat;
  const { card, page } = await requested(chat);
  desk.sandbox.real!.node.setFees({ gasMultiplier: 1n });
  expect(await sign(page)).toBe(200);
  const refused = await alice.sees(card, /Rejected/);
  expect(refused.text).toContain(messages.en.resultCodes[58]);
  expect(refused.text).toContain(words.feeKept);
  expect(refused.text).not.toMatch(/[“"]swap[”"]/);
});

it("somebody else's transaction that a node shows instead is not taken for this one", async () => {
  let others = String();
  const proxy = await nodeProxy((path, response: ServerResponse) => {
    if (others.length === 0 || !/^\/transaction\/[0-9a-f]{64}/.test(path)) return false;
    response.writeHead(200, { "content-type": "application/json" }).end(others);
    return true;
  });
  const chat = await walletChat({ NODE_URL: proxy.url });
  const { alice, desk, sign, transactions } = chat;
  proxy.passTo(desk.sandbox.url);
  const { node } = desk.sandbox.real!;
  const first = await requested(chat, "/swap 10 KLV KFI");
  expect(await sign(first.page)).toBe(200);
  await alice.sees(first.card, /Swap completed/);
  const [{ hash }] = transactions() as [ReturnType<typeof transactions>[number]];
  others = await (await fetch(`${desk.sandbox.url}/transaction/${hash}?withResults=true`)).text();
  // What the wallet is about to send is lost on the way, so that only the wrong answer could speak for it.
  node.set({ losesBroadcasts: true });
  const second = await requested(chat);
  const texts = textsOf(chat, alice);
  await sign(second.page);
  const looked = desk.sandbox.wireLog.entries().length;
  await until(() => desk.sandbox.wireLog.entries().length > looked + 5);
  expect(texts.filter((text) => /Swap completed/.test(text) && text.includes("100 KLV"))).toEqual([]);
});
