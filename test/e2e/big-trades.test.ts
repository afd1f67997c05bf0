import { describe, expect, it } from "vitest";
import { dataOf, labelsOf, people, requestsTo, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";
import { comparedCard, type SandboxPerson } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

type Chat = Awaited<ReturnType<typeof walletChat>>;

const listening = ({ desk }: Chat) => desk.sandbox.real!.feed.watched();
const toldTo = ({ desk }: Chat, id: number) =>
  desk.sandbox.telegram.chat(id).filter(({ text }) => text.startsWith("📣"));

/** Signs a swap of Alice's. @returns its card. */
async function swaps({ alice, pageOf, sign }: Chat, line: string) {
  const card = await comparedCard(alice, line);
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  return card;
}

/** Has the feed tell of something that doesn't exist, and waits until the node was asked: what was told before was read. */
async function lies(chat: Chat): Promise<void> {
  const { send, watched } = chat.desk.sandbox.real!.feed;
  const [[pair] = []] = watched();
  const hash = "ab".repeat(32);
  send([{ type: "user_transactions", address: pair as never, data: { hash, blockNum: 1, status: "success" } }]);
  await until(() => requestsTo(chat.desk, new RegExp(`^/transaction/${hash}$`)).length > 0);
}

/** Bob watches KFI/KLV, and the node knows it. */
async function watching(least: string, environment: Readonly<Record<string, string>> = {}) {
  const chat = await walletChat(environment, { feed: true });
  const bob = chat.desk.person(people.bob);
  expect((await bob.asks(`/bigtrades KFI/KLV ${least}`)).text).toContain(`🔔 KFI / KLV: from ${least} KLV`);
  await until(() => listening(chat)[0]?.length === 1);
  return { chat, bob };
}

const isLive = async (bob: SandboxPerson) =>
  until(async () => /as they happen since/.test((await bob.asks("/bigtrades", /big trades/)).text));

describe("/bigtrades", () => {
  it("tells of a swap by what the chain says of it, in each user's language, with its transaction", async () => {
    const { chat, bob } = await watching("50");
    const { desk } = chat;
    const carol = desk.person(people.carol);
    await speaksPortuguese(carol);
    expect((await carol.asks("/bigtrades kfi 100,5")).text).toContain("🔔 KFI / KLV: a partir de 100,5 KLV");
    const card = await swaps(chat, "/swap 100 KLV KFI");
    const news = await bob.reads(/^📣 Big trade: KFI \/ KLV\n/);
    expect(news.text).toMatch(/\n🟢 Bought 0\.99[0-9]* KFI for 100 KLV · [^\n]+$/);
    const [{ hash } = { hash: "none" }] = chat.transactions();
    expect(news.keyboard![0]![0]!.url).toBe(`https://explorer.example/transaction/${hash}`);
    await chat.alice.sees(card, /✅|Swapped/);
    await swaps(chat, "/swap 200 KLV KFI");
    expect((await carol.reads(/^📣 Troca grande: KFI \/ KLV\n/)).text).toMatch(
      /\n🟢 Compra de [0-9,]+ KFI por 200 KLV · /,
    );
    await bob.taps(news, "KFI");
    const token = await bob.reads(/^KFI\n/);
    await bob.taps(token, "📣 Big trades");
    const offer = await bob.reads(/KFI \/ KLV: from how much on\?/);
    expect(labelsOf(offer)).toEqual(["1,000 KLV", "10,000 KLV", "100,000 KLV", "🔕 KFI / KLV"]);
    await bob.taps(offer, "1,000 KLV");
    await bob.reads(/🔔 KFI \/ KLV: from 1,000 KLV/);
    expect(dataOf(await bob.asks("/bigtrades"), "🔕 KFI / KLV")).toBe("v1:do:bigtrades off KFI KLV");
    expect((await bob.asks("/bigtrades off")).text).toMatch(/\nOff\. /);
    expect((await bob.asks("/help", /\/swap/)).text).toMatch(/\n\/bigtrades — Be told of big trades\n/);
  });

  it("refuses what can't be watched, in words", async () => {
    const chat = await walletChat({}, { feed: true });
    const bob = chat.desk.person(people.bob);
    expect((await bob.asks("/bigtrades KFI/KFI 10")).text).toMatch(/KFI/);
    expect((await bob.asks("/bigtrades KFI/USDT-2AB1 10")).text).toContain("There is no open KFI/USDT-2AB1 pool");
    expect((await bob.asks("/bigtrades NOPE/KLV 10")).text).toContain("NOPE");
    expect((await bob.asks("/bigtrades KFI/KLV much")).text).toContain("much");
    expect((await bob.asks("/bigtrades")).text).toMatch(/\nOff\. /);
  });

  it.each([
    ["twice, shuffled and a block late", { faults: ["double", "shuffle", "delay"] }],
    ["in the oldest words", { dialect: "A", faults: ["double"] }],
  ] as const)("tells once if the feed tells %s", async (_, switches) => {
    const { chat, bob } = await watching("50");
    chat.desk.sandbox.real!.feed.set(switches as never);
    chat.desk.sandbox.real!.feed.cut();
    await isLive(bob);
    await until(() => listening(chat)[0]?.length === 1);
    await swaps(chat, "/swap 100 KLV KFI");
    await bob.reads(/^📣 Big trade: KFI \/ KLV\n/);
    chat.desk.sandbox.real!.feed.replay();
    await lies(chat);
    expect(toldTo(chat, people.bob)).toHaveLength(1);
  });

  it("tells nothing of what the feed makes up, and nothing while it tells nothing, and says so", async () => {
    const { chat, bob } = await watching("50");
    const { feed } = chat.desk.sandbox.real!;
    await isLive(bob);
    await lies(chat);
    feed.set({ faults: ["mute"] });
    await until(async () => /told me of no trades since/.test((await bob.asks("/bigtrades", /big trades/)).text));
    await swaps(chat, "/swap 100 KLV KFI");
    await until(() => chat.transactions().some(({ block }) => block !== undefined));
    feed.set({ faults: [] });
    await isLive(bob);
    expect(toldTo(chat, people.bob)).toEqual([]);
  });

  it("never tells what the chain takes back, and tells it once it stands", async () => {
    const { chat, bob } = await watching("50");
    const { node } = chat.desk.sandbox.real!;
    await isLive(bob);
    await swaps(chat, "/swap 100 KLV KFI");
    for (let undone = 0; undone < 2; undone += 1) {
      await until(() => chat.transactions().some(({ block }) => block !== undefined));
      node.rollBack(1);
      expect(toldTo(chat, people.bob)).toEqual([]);
    }
    await bob.reads(/^📣 Big trade: KFI \/ KLV\n/);
    expect(toldTo(chat, people.bob)).toHaveLength(1);
  });
});

it("without a feed there is no /bigtrades: neither in the help nor on a token's card, nor if it is typed", async () => {
  const desk = await sandboxDesk();
  const alice = desk.person(people.alice);
  await alice.asks(`/wallet ${desk.address("Alice")}`);
  expect((await alice.asks("/help", /\/swap/)).text).not.toContain("bigtrades");
  expect(labelsOf(await alice.asks("KFI", /^KFI\n/)).join()).not.toContain("Big trades");
  expect((await alice.asks("/bigtrades KFI/KLV 5")).text).not.toContain("🔔");
});
