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

/** A chat whose clock can be moved ahead by hours. */
async function chatWithHours(environment: Readonly<Record<string, string>> = {}) {
  let ahead = 0;
  const swift = walletClock();
  const clock = { ...swift, now: () => swift.now() + ahead };
  const chat = await walletChat({ ADMIN_USER_IDS: String(people.carol), ...environment }, { clock });
  const pass = (hours: number) => void (ahead += hours * HOUR);
  /** Waits until the card matches, for an hour at most by the bot's clock. */
  const seesInTime: SandboxPerson["sees"] = async (card, pattern) => {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      // In each quarter of an hour the bot looks the transaction up at least once.
      const looks = lookUps(chat);
      await until(() => lookUps(chat) > looks || pattern.test(textNow(chat, card)));
      pass(0.25);
    }
    return chat.alice.sees(card, pattern);
  };
  return { ...chat, pass, seesInTime };
}
type Chat = Awaited<ReturnType<typeof walletChat>>;

/** Confirms a swap, which then waits for its signature. */
async function requested({ alice, pageOf }: Pick<Chat, "alice" | "pageOf">, line = "/swap 100 KLV KFI") {
  const card = await comparedCard(alice, line);
  const page = pageOf(await alice.confirms(card, /Waiting for your signature/));
  const { transaction } = (await (await fetch(`${page}/request`)).json()) as { transaction: unknown };
  return { card, page, transaction };
}

/** The user signs in the wallet's own window, and the wallet broadcasts. @returns the signature in base64. */
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
  expect(answer).toBe(messages.en.admin.paused);
}

/** Collects every text that a bot message in the chat ever had. */
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

describe("a signed swap that the network doesn't have", () => {
  it("isn't broadcast again after a freeze, a pause and forty hours, if the first try had no clear answer", async () => {
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

  it("is cancelled by /cancel if no try can have reached the network", async () => {
    const chat = await chatWithHours();
    const { desk, alice, sign, transactions } = chat;
    const { card, page } = await requested(chat);
    // The node is overloaded, and accepts nothing.
    desk.sandbox.faults.set("node-broadcast", "429");
    expect(await sign(page)).toBe(200);
    await until(() => broadcasts(chat) > 1);
    // The cancel has to come between two tries.
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
  ] as const)(
    "isn't sent after a restart because of %s, if no try can have reached the network",
    async (_what, how, code) => {
      const chat = await chatWithHours();
      const { desk, alice, sign, transactions, pass } = chat;
      const { card, page } = await requested(chat);
      // No try can have reached the network before the restart.
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
    },
  );
});

/** A chat with a node that can lag: for `lag` milliseconds of the bot's clock, it doesn't know any transaction. */
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

describe("a swap that is executed is never called not sent", () => {
  it("because of a lagging node: it is of unknown outcome until it is found", async () => {
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

  it("because of a node that lags some seconds behind when the page posts the signature", async () => {
    const chat = await laggingNode();
    const { alice, desk, post, lag, transactions } = chat;
    const texts = textsOf(chat, alice);
    const { card, page, transaction } = await requested(chat);
    lag(HOUR);
    const signature = await agreesInWallet(chat, transaction);
    // The sandbox makes blocks only when it is asked something.
    await until(async () => {
      await fetch(`${desk.sandbox.url}/transaction/pool`);
      return transactions().some(({ block }) => block !== undefined);
    });
    expect((await post(page, "signature", { signature })).status).toBe(410);
    lag(3000);
    await alice.sees(card, /Swap completed/);
    expect(texts.filter((text) => /Not sent/.test(text))).toEqual([]);
  });

  it("because the node refuses a copy after the wallet's own broadcast", async () => {
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
    "for good after “Decline”, if the user later signs in the wallet's window (restart: %s)",
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

  it("for good after its request was cancelled, even after twenty more cards", async () => {
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
    // Its card is far up in the chat by now, and an edit doesn't notify the user.
    // What arrived is in it if the chain has said so by the time it leaves.
    await alice.reads(/Found on chain after I had stopped looking: 100 KLV → (?:[0-9.]+ )?KFI/);
    await alice.sees(card, /Swap completed/);
    expect((await alice.asks("/history")).text).toContain("· done");
  });
});

it("a transaction that the network rejects after an unclear try shows why and what to do, and a card that has to wait names it", async () => {
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
  // It isn't retried for ever; after that, the address is free again.
  pass(2);
  await seesInTime(card, /Outcome unknown/);
  const third = await comparedCard(alice, "/swap 50 KLV KFI");
  await alice.taps(third, "✅ Confirm");
  expect(await sign(pageOf(await alice.sees(third, /Waiting for your signature/)))).toBe(200);
  await alice.sees(third, /Swap completed/);
});

it("a card that replaces one that no longer held at the signature needs an extra confirmation", async () => {
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
  expect(labels).toContain(words.renewal.quoted.lookAgainButton);
  expect(labels.filter((label) => label.startsWith("✅"))).toEqual([]);
});

it("a call that runs out of gas is explained in the bot's own words, without the function's name", async () => {
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

it("another transaction that the node returns instead isn't mistaken for this one", async () => {
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
  // The broadcast is lost, so only the wrong answer could complete the swap.
  node.set({ losesBroadcasts: true });
  const second = await requested(chat);
  const texts = textsOf(chat, alice);
  await sign(second.page);
  const looked = desk.sandbox.wireLog.entries().length;
  await until(() => desk.sandbox.wireLog.entries().length > looked + 5);
  expect(texts.filter((text) => /Swap completed/.test(text) && text.includes("100 KLV"))).toEqual([]);
});
