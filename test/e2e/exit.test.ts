import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import {
  comparedCard,
  defaultWorld,
  labelsOf,
  people,
  type SandboxDesk,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
} from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

/** Changes the price of KFI in each of its pools, in percent. */
function push({ sandbox }: SandboxDesk, percent: number): void {
  for (const { address, firstToken, secondToken } of sandbox.chain.pools())
    if ([firstToken, secondToken].includes("KFI")) sandbox.chain.pushPrice(address, "KFI", percent);
}

/** A desk whose node tells balances, and which asks for each price every 1.5 seconds. Alice has an address. */
async function exitDesk() {
  const patient = { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", PRICE_POLL_RPS: "20" };
  const desk = await sandboxDesk({ clock: createSwiftClock(10), world: defaultWorld }, patient);
  const alice = desk.person(people.alice);
  await alice.asks(`/wallet ${desk.address("Alice")}`);
  return { ...desk, alice, push: (percent: number) => push(desk, percent) };
}

/** Sends the line, and sets what it would set. */
async function sets(person: SandboxPerson, line: string): Promise<ChatMessage> {
  await person.taps(await person.asks(line, /^🚪 (?:Exit|Saída)\n/), "👍");
  return person.reads(/^✅ (?:Exit set|Saída criada)/);
}

const PART = /^🚪 Your exit is reached: /;
/** Balances may not prove it yet. */
const DONE = /^(?:✅ Swap completed|☑️ Accepted)/;
const payments = (calls: readonly Record<string, unknown>[]) => calls.map((call) => call["value"]);

/** A part's card with Confirm: where the pools can't be read in time, it asks once more first. */
async function ready(person: SandboxPerson, card: ChatMessage): Promise<ChatMessage> {
  const first = labelsOf(card).find((label) => label.startsWith("⚠️"));
  if (first === undefined) return card;
  await person.taps(card, first);
  return person.sees(card, /Valid until|Válid[ao] até/);
}

describe("an exit", () => {
  it("of what was just bought takes three taps; a second purchase leaves it, and sets it again for all", async () => {
    const { alice, callsSent } = await exitDesk();
    await alice.confirms(await comparedCard(alice, "/swap max KFI KLV"), DONE);
    const bought = await alice.confirms(await comparedCard(alice, "/swap 100 KLV KFI"), DONE);
    await alice.taps(bought, "🚪 Set an exit");
    const asked = await alice.reads(/^When should I ask you to sell\?[^]*what you paid: 100 KLV/);
    expect(labelsOf(asked).slice(0, 4)).toEqual([
      "🎯 Target +50%, stop −20%",
      "🎯 Target +100%, stop −30%",
      "📉 15% below its highest",
      "🪜 Quarters +25%, +50%, +100%, trail 25%",
    ]);
    await alice.taps(asked, "🎯 Target +50%, stop −20%");
    const setUp = await alice.reads(/^🚪 Exit\nSells 0\.\d+ KFI in all\n🎯 .* at least 150 KLV\n🛑 .* 80 KLV or less/);
    expect(setUp.text).toMatch(/a series of questions, not a guarantee/);
    await alice.taps(setUp, "👍");
    await alice.reads(/^✅ Exit set/);
    // The token's card, the list and the portfolio have it; how far it is, once its price was looked at.
    await until(async () => /🎯 150 KLV · [0-9.]+% to go/.test((await alice.asks("/orders", /Your orders/)).text));
    const token = await alice.asks("KFI", /🎯 150 KLV · [0-9.]+% to go/);
    expect(labelsOf(token)).toContain("🚪 Exit");
    await alice.asks("/orders", /1\. 🚪 0\.\d+ KFI → KLV\n🎯 150 KLV · /);
    await alice.asks("/portfolio", /🚪 0\.\d+ KFI → KLV\n🎯 150 KLV · /);
    const again = await alice.confirms(await comparedCard(alice, "/swap 100 KLV KFI"), DONE);
    await alice.taps(again, "🚪 Set an exit");
    const plan = await alice.reads(/^🚪 Exit\nSells 0\.\d+ KFI in all/);
    await alice.taps(plan, "🚪 Set a new one for all you have");
    await alice.taps(await alice.reads(/^When should I ask/), "📉 15% below its highest");
    await alice.taps(await alice.reads(/^🚪 Exit\nSells 1\.\d+ KFI in all\n📉/), "👍");
    await alice.reads(/Highest|No highest/);
    expect(callsSent()).toHaveLength(3);
  });

  it("sells one part of a whipsaw: another part's swap takes the open one's place at once", async () => {
    const { alice, push, callsSent } = await exitDesk();
    await sets(alice, "/exit 5 KFI +5% -15%");
    push(8);
    const target = await alice.reads(PART);
    expect(target.text).toMatch(/Your exit, 1 of 2: at least [0-9.]+ KLV, after the bot fee, or nothing/);
    push(-25);
    const floor = await alice.reads(/^🚪 Your exit is reached: [^]*2 of 2: the price fell to it/);
    await alice.sees(target, /Replaced by a newer quote/);
    await alice.confirms(await ready(alice, floor), DONE);
    await alice.reads(/^🏁 Ended: 🚪 5 KFI → KLV\nAll of it is sold/);
    expect(payments(callsSent())).toEqual(["KFI=5000000"]);
  });

  it("goes on with what is left after a sale by hand, ends once nothing is, and touches no later purchase", async () => {
    const { alice, push, callsSent } = await exitDesk();
    await sets(alice, "/exit max KFI 50%@+5% 50%@+60% -30%");
    await alice.confirms(await comparedCard(alice, "/swap 80% KFI KLV"), DONE);
    push(40);
    const part = await alice.reads(PART);
    expect(part.text).toMatch(/You had less than planned: it goes on with 100 KFI of 500 KFI\.\nYou pay: 100 KFI/);
    await alice.confirms(await comparedCard(alice, "/swap max KFI KLV"), DONE);
    push(-70);
    expect((await alice.reads(/^⌛ Ended: 🚪/)).text).toMatch(/You have nothing of it any more/);
    await alice.confirms(await comparedCard(alice, "/swap 100 KLV KFI"), DONE);
    push(-50);
    expect((await alice.asks("/orders", /Your orders/)).text).toMatch(/You have no orders here/);
    expect(callsSent()).toHaveLength(3);
  });
});

it("a ladder with a trail, in Portuguese, is signed part by part and adds up to the unit", async () => {
  const chat = await walletChat({ PRICE_POLL_RPS: "20" });
  const { alice, desk, transactions } = chat;
  await speaksPortuguese(alice);
  const set = await sets(alice, "/exit 5,000001 KFI 33,33%@+5% móvel 20%");
  expect(set.text).toMatch(/^✅ Saída criada\nVende 5,000001 KFI no total\n🎯 1,6665 KFI quando render ao menos/);
  push(desk, 10);
  const takes = async (card: ChatMessage) => {
    const waiting = await alice.confirms(await ready(alice, card), /assinatura/);
    expect(await chat.sign(chat.pageOf(waiting))).toBe(200);
    await alice.sees(card, /✅ Troca concluída/);
  };
  await takes(await alice.reads(/^🚪 Sua saída foi atingida: 1,66/));
  await until(async () => /Mais alto até agora/.test((await alice.asks("/orders", /Suas ordens/)).text));
  push(desk, -30);
  await takes(await alice.reads(/^🚪 Sua saída foi atingida: 3,33/));
  await alice.reads(/^🏁 Encerrada: 🚪 5,000001 KFI → KLV/u);
  expect(transactions()).toHaveLength(2);
});
