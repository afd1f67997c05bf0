import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import { defaultWorld, labelsOf, type SandboxPerson, tradingDesk } from "../support/sandbox-desk.js";

/** A person whose taps are counted, from a pasted token on. */
async function counting() {
  const { alice } = await tradingDesk({ world: defaultWorld });
  await alice.asks("/settings");
  let taps = 0;
  const tap = async (message: ChatMessage, label: string) => {
    taps += 1;
    await alice.taps(message, label);
  };
  return { alice, tap, taps: () => taps };
}

const orders = async (alice: SandboxPerson) => (await alice.asks("/orders", /Your orders/)).text;

describe("from a pasted token to a set order", () => {
  it("it takes three taps for a limit to buy or to sell, and two for a stop, at the percent of the last one", async () => {
    const { alice, tap, taps } = await counting();
    const token = await alice.asks("KFI");
    await tap(token, "🎯 At a price");
    const prices = await alice.reads(/^🎯 KFI at a price\nNow, after the bot fee: 1 KFI = /);
    expect(labelsOf(prices).map((label) => label.replace(/ · .*/, ""))).toEqual([
      ...["Buy −5%", "Buy −10%", "Sell +10%", "Sell +25%"],
      ...["✏️ Buy: other price", "✏️ Sell: other price"],
    ]);
    await tap(prices, "Buy −5%");
    const limit = await alice.reads(/^🎯 Limit order\nYou pay: 100 KLV[^]*Until /);
    await tap(limit, "👍");
    await alice.sees(limit, /./);
    await alice.reads(/✅ Limit order set/);
    expect(taps()).toBe(3);
    await alice.taps(prices, "Sell +25%");
    const sale = await alice.reads(/^🎯 Limit order\nYou pay: 500 KFI/);
    expect(labelsOf(sale)).toEqual(["👍 Set this order", "✏️ Amount", "⏳ Until", "✖️ Cancel"]);
    await alice.taps(sale, "✏️ Amount");
    await alice.taps(await alice.reads(/How much KFI/), "50%");
    const half = await alice.reads(/^🎯 Limit order\nYou pay: 250 KFI/);
    await alice.taps(half, "⏳ Until");
    await alice.taps(await alice.reads(/^Until when/), "7d");
    await alice.taps(await alice.reads(/^🎯 Limit order\nYou pay: 250 KFI/), "👍");
    await alice.reads(/✅ Limit order set/);
    const { text } = await alice.asks("/stoploss 500 KFI KLV at 80 KLV", /Stop order/);
    await alice.taps(await alice.asks("/stoploss 500 KFI KLV at 80 KLV", /Stop order/), "👍");
    expect(text).toContain("1 KFI = 80 KLV");
    await alice.reads(/✅ Stop order set/);
    expect(labelsOf(await alice.asks("KFI")).join()).toMatch(/🛑 Stop −1[89]%/);
    const before = taps();
    await tap(token, "🛑 Stop −10%");
    await tap(await alice.reads(/^🚪 Exit\nSells 500 KFI in all\n🛑 500 KFI once it brings/), "👍");
    await alice.reads(/✅ Exit set/);
    expect(taps() - before).toBe(2);
    expect(await orders(alice)).toMatch(/🎯 100 KLV → [^]*🎯 250 KFI → [^]*🛑 500 KFI → [^]*🚪 500 KFI → /);
  });

  it("it takes four for a regular purchase, once the time zone is known, and three to protect what was bought", async () => {
    const { alice, tap, taps } = await counting();
    await alice.asks("/settings");
    const token = await alice.asks("KFI");
    await tap(token, "🔁 Regularly");
    await tap(await alice.reads(/How much KLV/), "100");
    const often = await alice.reads(/^How often/);
    await tap(often, "Every Monday at 09:00 · 12×");
    await alice.reads(/time zone|city/i);
    const plan = await alice.asks("Lisbon", /🔁 Regular purchase/);
    await tap(plan, "👍");
    await alice.reads(/✅ Regular purchase set/);
    expect(taps()).toBe(4);

    const bought = await alice.confirms(await alice.asks("/swap 100 KLV KFI"), /✅ Swap completed/);
    await tap(bought, "🚪 Set an exit");
    await tap(await alice.reads(/^When should I ask you to sell/), "🎯 Target +50%, stop −20%");
    const exit = /^🚪 Exit\nSells 0\.9\d+ KFI in all\n🎯 .* at least 150 KLV\n🛑 .* 80 KLV or less/;
    await tap(await alice.reads(exit), "👍");
    await alice.reads(/✅ Exit set/);
    expect(taps()).toBe(7);
  });

  it("🔄 shows the token's price and position as they are now, in place", async () => {
    const { alice } = await counting();
    const token = await alice.asks("KFI");
    await alice.confirms(await alice.asks("/swap 1000 KLV KFI"), /✅ Swap completed/);
    await alice.taps(token, "🔄 Refresh");
    await alice.sees(token, /Your position\n509[.0-9]* KFI · ≈/);
  });
});
