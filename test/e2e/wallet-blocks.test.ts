import { describe, expect, it } from "vitest";
import { blockFaults } from "../../sandbox/node/node.js";
import { comparedCard, people, requestsTo } from "../support/sandbox-desk.js";
import { stopwatch } from "../support/stopwatch.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

type Chat = Awaited<ReturnType<typeof walletChat>>;

const outcome = /✅|Swapped/;

/** Confirms a swap and signs it. @returns its card. */
async function signed({ alice, pageOf, sign }: Chat) {
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  return card;
}

const looks = ({ desk }: Chat) => requestsTo(desk, /^\/transaction\/[0-9a-f]{64}$/).length;
const blocksRead = ({ desk }: Chat) => requestsTo(desk, /^\/block\/by-nonce\/\d+$/).length;

describe("a swap", () => {
  it("is told of by the chain's own word, with few requests, and no block is read afterwards", async () => {
    const chat = await walletChat();
    const card = await signed(chat);
    await chat.alice.sees(card, outcome);
    expect(looks(chat)).toBeLessThan(10);
    expect(blocksRead(chat)).toBeGreaterThan(0);
    await until(async () => {
      const before = blocksRead(chat);
      // Ten slots.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return blocksRead(chat) === before;
    });
  });

  it.each(blockFaults)("is told of all the same if the node's blocks have a fault: %s", async (blockFault) => {
    const chat = await walletChat();
    chat.desk.sandbox.real!.node.set({ blockFault });
    await chat.alice.sees(await signed(chat), outcome);
  });

  it("has no final word that the chain takes back", async () => {
    const chat = await walletChat();
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
});

const IDLE_MS = 2000;
/** On an idle machine an answer takes less than a test can tell from a pause of the garbage collector. */
const LEAST_MS = 100;

it("a block that is too long keeps nobody waiting", async () => {
  const chat = await walletChat({}, { clock: createSwiftClock(4) });
  const { alice, desk } = chat;
  expect((await desk.person(people.bob).asks("/bigtrades KFI/KLV 1")).text).toContain("🔔");
  const helpTimes = async (isOver: () => boolean): Promise<number> => {
    const times: number[] = [];
    do {
      const took = stopwatch();
      await alice.asks("/help", /\/swap/);
      times.push(took());
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (!isOver());
    return times.toSorted((one, other) => one - other)[Math.floor(0.95 * times.length)]!;
  };
  const idleTimes = () => {
    const passed = stopwatch();
    return helpTimes(() => passed() > IDLE_MS);
  };
  const earlier = await idleTimes();
  desk.sandbox.real!.node.set({ blockFault: "too long" });
  const before = blocksRead(chat);
  // However long it takes: on a busy machine there are fewer in a while.
  const beside = await helpTimes(() => blocksRead(chat) - before > 4);
  desk.sandbox.real!.node.set({ blockFault: undefined });
  // What else the machine does may begin meanwhile.
  const idle = Math.max(earlier, await idleTimes());
  expect(beside).toBeLessThan(5 * Math.max(LEAST_MS, idle));
});
