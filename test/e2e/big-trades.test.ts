import { describe, expect, it } from "vitest";
import { dataOf, labelsOf, people, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";
import { comparedCard, type SandboxPerson } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

type Chat = Awaited<ReturnType<typeof walletChat>>;

const toldTo = ({ desk }: Chat, id: number) =>
  desk.sandbox.telegram.chat(id).filter(({ text }) => text.startsWith("📣"));

/** Signs a swap of Alice's. @returns its card. */
async function swaps({ alice, pageOf, sign }: Chat, line: string) {
  const card = await comparedCard(alice, line);
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  return card;
}

const isCurrent = async (bob: SandboxPerson) =>
  until(async () => /each block as it comes since/.test((await bob.asks("/bigtrades", /big trades/)).text));

/** Bob watches KFI/KLV, and blocks are read. */
async function watching(least: string) {
  const chat = await walletChat();
  const bob = chat.desk.person(people.bob);
  expect((await bob.asks(`/bigtrades KFI/KLV ${least}`)).text).toContain(`🔔 KFI / KLV: from ${least} KLV`);
  await isCurrent(bob);
  return { chat, bob };
}

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
    await bob.reads(/^KFI\n/);
    const offer = await bob.asks("/bigtrades KFI KLV", /KFI \/ KLV: from how much on\?/);
    expect(labelsOf(offer)).toEqual(["1,000 KLV", "10,000 KLV", "100,000 KLV", "🔕 KFI / KLV"]);
    await bob.taps(offer, "1,000 KLV");
    await bob.reads(/🔔 KFI \/ KLV: from 1,000 KLV/);
    expect(dataOf(await bob.asks("/bigtrades"), "🔕 KFI / KLV")).toBe("v1:do:bigtrades off KFI KLV");
    expect((await bob.asks("/bigtrades off")).text).toMatch(/\nOff\. /);
    expect((await bob.asks("/help", /\/swap/)).text).toMatch(/ \/bigtrades\b/);
  });

  it("refuses what can't be watched, in words", async () => {
    const chat = await walletChat();
    const bob = chat.desk.person(people.bob);
    expect((await bob.asks("/bigtrades KFI/KFI 10")).text).toMatch(/KFI/);
    expect((await bob.asks("/bigtrades KFI/USDT-2AB1 10")).text).toContain("There is no open KFI/USDT-2AB1 pool");
    expect((await bob.asks("/bigtrades NOPE/KLV 10")).text).toContain("NOPE");
    expect((await bob.asks("/bigtrades KFI/KLV much")).text).toContain("much");
    expect((await bob.asks("/bigtrades")).text).toMatch(/\nOff\. /);
  });

  it.each(["no transactions", "one missing", "lags"] as const)(
    "tells once if the node's blocks have a fault: %s",
    async (blockFault) => {
      const { chat, bob } = await watching("50");
      chat.desk.sandbox.real!.node.set({ blockFault });
      const card = await swaps(chat, "/swap 100 KLV KFI");
      await bob.reads(/^📣 Big trade: KFI \/ KLV\n/);
      await chat.alice.sees(card, /✅|Swapped/);
      expect(toldTo(chat, people.bob)).toHaveLength(1);
    },
  );

  it("tells of what came while the bot was away", async () => {
    const { chat, bob } = await watching("50");
    await swaps(chat, "/swap 100 KLV KFI");
    await chat.desk.restart();
    await bob.reads(/^📣 Big trade: KFI \/ KLV\n/);
    expect(toldTo(chat, people.bob)).toHaveLength(1);
  });

  it("never tells what the chain takes back, and tells it once it stands", async () => {
    const { chat, bob } = await watching("50");
    const { node } = chat.desk.sandbox.real!;
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

it("with a node that serves no blocks nothing can be watched, and it is said why, in both languages", async () => {
  const desk = await sandboxDesk();
  const bob = desk.person(people.bob);
  const why = "This bot's node doesn't show its blocks";
  expect((await bob.asks("/bigtrades")).text).toContain(why);
  const asked = await bob.asks("/bigtrades KFI");
  expect(asked.text).toContain(why);
  expect(labelsOf(asked)).toEqual([]);
  expect((await bob.asks("/bigtrades KFI/KLV 5")).text).toContain(why);
  await speaksPortuguese(bob);
  expect((await bob.asks("/bigtrades")).text).toContain("O nó deste bot não mostra seus blocos");
});
