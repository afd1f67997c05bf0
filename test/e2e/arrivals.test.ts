import { describe, expect, it } from "vitest";
import { bob } from "../sandbox/node/real-node.js";
import { comparedCard, people, requestsTo } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { paidByBob } from "../support/paid-by-bob.js";
import { walletChat } from "../support/wallet-chat.js";

type Chat = Awaited<ReturnType<typeof walletChat>>;

const TELL = "📥 Tell me what arrives (1 KLV or more)";
const NO_MORE = "🔕 Don't tell me what arrives";

const pay = ({ desk }: Chat, units: number, asset = "KLV", payee = "Alice") => paidByBob(desk, units, { asset, payee });

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
    const chat = await walletChat({}, { clock: createSwiftClock(20) });
    const { alice, pageOf, sign } = chat;
    await pay(chat, 2_000_000);
    await settled(chat);
    await choose(chat);
    await pay(chat, 999_999);
    await pay(chat, 1_234_567);
    const told = await alice.reads(/^📥 Arrived at your address/);
    expect(told.text).toContain("\n+1.234567 KLV\n");
    expect(told.keyboard![0]![0]!.url).toMatch(/^https:\/\/explorer\.example\/transaction\/[0-9a-f]{64}$/);
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
    await alice.sees(card, /✅|Swapped/);
    await settled(chat, 20);
    await pay(chat, 3_000_000, "KFI");
    expect((await alice.reads(/^📥/)).text).toContain("+3 KFI");
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(2);
    expect(await alice.taps(told, NO_MORE)).toMatch(/no longer/);
    await pay(chat, 5_000_000);
    await settled(chat);
    expect(arrivals(chat)).toHaveLength(2);
  });

  it("is told where calls are queries, too", async () => {
    const chat = await walletChat({ CALL_GATEWAY: "query" });
    await choose(chat);
    await pay(chat, 2_500_000);
    expect((await chat.alice.reads(/^📥 Arrived/)).text).toContain("+2.5 KLV");
  });

  it("isn't told while its block can be undone", async () => {
    // Blocks of nearly a second, so that the next one isn't there before this test sees the payment's.
    const chat = await walletChat({}, { clock: createSwiftClock(5) });
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

  it.each(["no transactions", "one missing", "lags"] as const)(
    "is told by a node whose blocks have a fault: %s",
    async (blockFault) => {
      const chat = await walletChat({}, { clock: createSwiftClock(20) });
      chat.desk.sandbox.real!.node.set({ blockFault });
      await choose(chat);
      await pay(chat, 6_000_000);
      expect((await chat.alice.reads(/^📥/)).text).toContain("+6 KLV");
      await settled(chat);
      expect(arrivals(chat)).toHaveLength(1);
    },
  );

  it("is told once by a bot that is started again meanwhile, and of what came while it was away", async () => {
    const chat = await walletChat({}, { clock: createSwiftClock(20) });
    await choose(chat);
    const total = () =>
      arrivals(chat)
        .flatMap((text) => [...text.matchAll(/\+(\d) KLV/g)])
        .reduce((sum, [, units]) => sum + Number(units), 0);
    await pay(chat, 7_000_000);
    await chat.desk.restart();
    await until(() => total() === 7);
    let paid: Promise<void> | undefined;
    await chat.desk.restart(undefined, () => void (paid = pay(chat, 2_000_000)));
    await paid;
    await until(() => total() === 9);
    await settled(chat);
    expect(total()).toBe(9);
  });

  it("is followed at another address, and no more after /forget", async () => {
    const chat = await walletChat({}, { clock: createSwiftClock(20) });
    const { alice, desk } = chat;
    await choose(chat);
    const card = await alice.asks(`/wallet ${desk.address("Carol")}`, /Change your wallet address/);
    await alice.taps(card, "Yes, change it");
    await alice.sees(card, /Carol|klv1/);
    await pay(chat, 4_000_000);
    await pay(chat, 3_000_000, "KLV", "Carol");
    expect((await alice.reads(/^📥/)).text).toContain("+3 KLV");
    const what = await alice.asks("/forget", /^What I keep about you/);
    await alice.taps(what, "🗑 Delete everything…");
    await alice.taps(what, "🗑 Yes");
    const asked = () => requestsTo(desk, /^\/block\//).length;
    await settled(chat, 12);
    const before = asked();
    await pay(chat, 5_000_000, "KLV", "Carol");
    await settled(chat, 12);
    expect(asked()).toBe(before);
    expect(arrivals(chat)).toHaveLength(1);
  });

  it("isn't offered where the node doesn't show its blocks", async () => {
    const chat = await walletChat({}, { clock: createSwiftClock(20) });
    chat.desk.sandbox.real!.node.set({ blockFault: "closed" });
    const card = await chat.alice.asks("/balance", /Reported by the node/);
    expect(labels(chat, card.messageId)).not.toContain(TELL);
  });
});
