import { describe, expect, it, onTestFinished } from "vitest";
import { bytesOf } from "../../sandbox/chain/address.js";
import { readJson, writeJson, type RawData } from "../../sandbox/node/transaction.js";
import { bob, keys, signedBy } from "../sandbox/node/real-node.js";
import { comparedCard, people } from "../support/sandbox-desk.js";
import { stopwatch } from "../support/stopwatch.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

type Chat = Awaited<ReturnType<typeof walletChat>>;

const TELL = "📥 Tell me when something arrives";
const NO_MORE = "🔕 Don't tell me what arrives";

/** Has Bob pay Alice from his own wallet: a lock whose epoch has begun passes on what it is paid. */
async function pay({ desk }: Chat, units: number, asset = "KLV"): Promise<void> {
  const { url, world, real } = desk.sandbox;
  const to = Buffer.from(bytesOf(desk.address("Alice") as never)).toString("hex");
  const data = [Buffer.from(`lockTokens@01@${to}`).toString("base64")];
  const contract = { scType: 0, address: world.simpleLock.address, callValue: { [asset]: units } };
  const nonce = Number(real!.node.accounts.nonce(bob)) + real!.node.pool(bob).length;
  const body = { type: 63, sender: bob, nonce, data, contract };
  const built = await fetch(`${url}/transaction/send`, { method: "POST", body: writeJson(body) });
  const { result } = (readJson(await built.text()) as { data: { result: { RawData: RawData } } }).data;
  const sent = await fetch(`${url}/transaction/broadcast`, {
    method: "POST",
    body: writeJson(signedBy(keys.bob, result)),
  });
  expect(sent.status, await sent.clone().text()).toBe(200);
}

const arrivals = ({ desk }: Chat) =>
  desk.sandbox.telegram
    .chat(people.alice)
    .filter(({ from, text }) => from === "bot" && /^📥/.test(text))
    .map(({ text }) => text);

/** Alice chooses to be told. */
async function choose(chat: Chat): Promise<void> {
  const card = await chat.alice.asks("/balance", /Reported by the node/);
  expect(await chat.alice.taps(card, TELL)).toMatch(/From now on/);
  await until(() => labels(chat, card.messageId).includes(NO_MORE));
  await settled(chat);
}

const labels = ({ desk }: Chat, messageId: number) =>
  (desk.sandbox.telegram.chat(people.alice).find((each) => each.messageId === messageId)?.keyboard ?? [])
    .flat()
    .map(({ text }) => text);

/** Waits until some blocks have passed. */
async function settled({ desk }: Chat, blocks = 6): Promise<void> {
  const { node } = desk.sandbox.real!;
  const height = () => {
    node.catchUp();
    return node.recent().at(-1)?.nonce ?? 0;
  };
  const from = height();
  await until(() => height() >= from + blocks);
}

describe("what arrives at somebody's address", () => {
  it("is told once, when they chose it, but not what their own trade brings", async () => {
    const chat = await walletChat({}, { feed: true });
    const { alice, desk, pageOf, sign } = chat;
    await pay(chat, 2_000_000);
    await settled(chat);
    await choose(chat);
    await until(() => desk.sandbox.real!.feed.watched()[0]?.[0] === desk.address("Alice"));
    await pay(chat, 1_234_567);
    const told = await alice.reads(/^📥 Arrived at your address/);
    expect(told.text).toContain("+1.234567 KLV");
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
    await alice.sees(card, /✅|Swapped/);
    await settled(chat, 20);
    await pay(chat, 3_000_000, "KFI");
    expect((await alice.reads(/^📥/)).text).toContain("+3 KFI");
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(2);
    expect(await alice.taps(told, NO_MORE)).toMatch(/no longer/);
    await until(() => desk.sandbox.real!.feed.watched()[0]?.length === 0);
    await pay(chat, 5_000_000);
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(2);
  });

  it("isn't told while its block can be undone", async () => {
    // Blocks of nearly a second, so that the next one isn't there before this test sees the payment's.
    const chat = await walletChat({}, { feed: true, clock: createSwiftClock(5) });
    const { node } = chat.desk.sandbox.real!;
    await choose(chat);
    await pay(chat, 4_000_000);
    const blockOf = () => chat.transactions().find(({ sender, block }) => sender === bob && block !== undefined)?.block;
    for (let undone = 0; undone < 3; undone += 1) {
      await until(() => blockOf() !== undefined);
      expect(node.recent().at(-1)?.nonce).toBe(blockOf());
      node.rollBack(1);
      expect(arrivals(chat)).toEqual([]);
    }
    expect((await chat.alice.reads(/^📥/)).text).toContain("+4 KLV");
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(1);
  });

  it.each(["refuse", "mute", "lose"] as const)("is told all the same if the feed fails: %s", async (fault) => {
    const chat = await walletChat({}, { feed: true, clock: createSwiftClock(60) });
    chat.desk.sandbox.real!.feed.set({ faults: [fault] });
    chat.desk.sandbox.real!.feed.cut();
    await choose(chat);
    await pay(chat, 6_000_000);
    await until(() => {
      // Without a feed, nothing makes the sandbox's blocks.
      chat.desk.sandbox.real!.node.catchUp();
      return arrivals(chat).length > 0;
    });
    expect(arrivals(chat)).toMatchObject([expect.stringContaining("+6 KLV")]);
  });

  it("is told once by a bot that is started again meanwhile", async () => {
    const chat = await walletChat({}, { feed: true });
    await choose(chat);
    await pay(chat, 7_000_000);
    await chat.desk.restart();
    expect((await chat.alice.reads(/^📥/)).text).toContain("+7 KLV");
    await chat.desk.restart();
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(1);
  });

  it("is followed at another address, and no more after /forget", async () => {
    const chat = await walletChat({}, { feed: true });
    const { alice, desk } = chat;
    const watched = () => desk.sandbox.real!.feed.watched()[0];
    await choose(chat);
    const card = await alice.asks(`/wallet ${desk.address("Carol")}`, /Change your wallet address/);
    await alice.taps(card, "Yes, change it");
    await until(() => watched()?.[0] === desk.address("Carol"));
    const what = await alice.asks("/forget", /^What I keep about you/);
    await alice.taps(what, "🗑 Delete everything…");
    await alice.taps(what, "🗑 Yes");
    await until(() => watched()?.length === 0);
  });

  it("is offered only where the node has a feed", async () => {
    const chat = await walletChat({ NODE_FEED_URL: "" });
    const card = await chat.alice.asks("/balance", /Reported by the node/);
    expect(labels(chat, card.messageId)).not.toContain(TELL);
  });

  it("is told while the feed floods the bot with events about their address, and /help is answered", async () => {
    const chat = await walletChat({}, { feed: true });
    const { feed } = chat.desk.sandbox.real!;
    await choose(chat);
    const help = async (until: number) => {
      const times: number[] = [];
      while (performance.now() < until) {
        const took = stopwatch();
        await chat.alice.asks("/help", /\/swap/);
        times.push(took());
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return times.toSorted((one, other) => one - other)[Math.floor(0.95 * times.length)]!;
    };
    const idle = await help(performance.now() + 3000);
    const before = process.memoryUsage().heapUsed;
    const requests = () =>
      chat.desk.sandbox.wireLog.entries().filter(({ path }) => /^\/(address|node)\//.test(path)).length;
    const asked = requests();
    const address = chat.desk.address("Alice") as never;
    const events = Array.from(
      { length: 100 },
      (_, block) => ({ type: "user_transactions", address, data: { blockNum: block } }) as const,
    );
    const flood = setInterval(() => feed.send(events), 10);
    onTestFinished(() => clearInterval(flood));
    await pay(chat, 8_000_000);
    const flooded = await help(performance.now() + 10_000);
    clearInterval(flood);
    expect(flooded).toBeLessThan(5 * Math.max(100, idle));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    await until(() => arrivals(chat).length > 0);
    expect(arrivals(chat)).toMatchObject([expect.stringContaining("+8 KLV")]);
    expect(requests() - asked).toBeLessThan(1000);
  });
});
