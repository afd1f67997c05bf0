import { describe, expect, it, onTestFinished } from "vitest";
import { comparedCard, people, requestsTo } from "../support/sandbox-desk.js";
import { stopwatch } from "../support/stopwatch.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

// The whole wallet suite runs with a feed under FEED=1.

type Chat = Awaited<ReturnType<typeof walletChat>>;

const listening = (chat: Chat) => chat.desk.sandbox.real!.feed.watched();
const outcome = /✅|Swapped/;

/** Confirms a swap and signs it. @returns its card. */
async function signed({ alice, pageOf, sign }: Chat) {
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  return card;
}

const EVENTS_PER_SECOND = 10_000;
const [IDLE_MS, FLOOD_MS] = [3000, 10_000];
/** On an idle machine an answer takes less than a test can tell from a pause of the garbage collector. */
const LEAST_MS = 100;

/** How long `/help` takes, one after the other until a time. */
async function helpTimes({ alice }: Chat, end: number): Promise<readonly number[]> {
  const times: number[] = [];
  while (performance.now() < end) {
    const took = stopwatch();
    await alice.asks("/help", /\/swap/);
    times.push(took());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times;
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(0.95 * times.length)]!;

const looks = ({ desk }: Chat) => requestsTo(desk, /^\/transaction\/[0-9a-f]{64}$/).length;

describe("a swap with the node's feed", () => {
  it("is told of by the chain's own word, with fewer requests, and its sender isn't watched afterwards", async () => {
    const chat = await walletChat({ ADMIN_USER_IDS: String(people.carol) }, { feed: true });
    const carol = chat.desk.person(people.carol);
    await until(() => listening(chat).length === 1);
    const card = await signed(chat);
    expect(listening(chat)[0]).toEqual([chat.desk.address("Alice")]);
    await chat.alice.sees(card, outcome);
    await until(() => listening(chat)[0]!.length === 0);
    expect(looks(chat)).toBeLessThan(8);
    expect((await carol.asks("/admin", /Services/)).text).toMatch(/✅ Node's feed · 0 addresses/);
  });

  it.each(["mute", "lose", "drop", "refuse"] as const)(
    "is told of all the same if the feed fails: %s",
    async (fault) => {
      const chat = await walletChat({}, { feed: true });
      chat.desk.sandbox.real!.feed.set({ faults: [fault, "double", "shuffle"] });
      chat.desk.sandbox.real!.feed.cut();
      await chat.alice.sees(await signed(chat), outcome);
    },
  );

  it("has no final word that the chain takes back", async () => {
    const chat = await walletChat({}, { feed: true });
    const { node } = chat.desk.sandbox.real!;
    const card = await signed(chat);
    let undone = 0;
    // As soon as it is in a block, that is undone: the bot may not have said yet that it is done.
    while (undone < 3) {
      await until(() => chat.transactions().some(({ block }) => block !== undefined));
      node.rollBack(1);
      undone += 1;
      const shown = chat.desk.sandbox.telegram.chat(people.alice).find(({ messageId }) => messageId === card.messageId);
      expect(shown?.text).not.toMatch(outcome);
    }
    await chat.alice.sees(card, outcome);
  });

  it("doesn't keep the bot from answering while the feed floods it, and is told of all the same", async () => {
    const chat = await walletChat({}, { feed: true });
    const { feed } = chat.desk.sandbox.real!;
    await until(() => listening(chat).length === 1);
    const bob = chat.desk.person(people.bob);
    await bob.asks("/bigtrades KFI/KLV 1");
    const idle = await helpTimes(chat, performance.now() + IDLE_MS);
    const card = await signed(chat);
    const before = process.memoryUsage().heapUsed;
    // The sender of the swap, and pairs, with transactions that don't exist: each has another hash.
    const addresses = listening(chat)[0] as never[];
    expect(addresses).toHaveLength(2);
    let made = 0;
    const events = () =>
      Array.from({ length: EVENTS_PER_SECOND / 100 }, (_, block) => {
        made += 1;
        const data = { hash: made.toString(16).padStart(64, "0"), blockNum: block };
        return { type: "user_transactions", address: addresses[made % 2]!, data } as const;
      });
    const flood = setInterval(() => feed.send(events()), 10);
    onTestFinished(() => clearInterval(flood));
    const flooded = await helpTimes(chat, performance.now() + FLOOD_MS);
    clearInterval(flood);
    expect(p95(flooded)).toBeLessThan(5 * Math.max(LEAST_MS, p95(idle)));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
    await chat.alice.sees(card, outcome);
    // Of what was made up, nothing is told; the swap may be, if the feed told of it before it was cut off.
    const told = chat.desk.sandbox.telegram.chat(people.bob).filter(({ text }) => text.startsWith("📣"));
    expect(told.filter(({ text }) => !text.includes("for 100 KLV"))).toEqual([]);
    expect(told.length).toBeLessThanOrEqual(1);
  });
});
