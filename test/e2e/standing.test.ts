import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import { systemClock } from "../../src/clock.js";
import {
  comparedCard,
  dataOf,
  labelsOf,
  people,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  takesRoute,
} from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";

const HOUR_MS = 3_600_000;

/**
 * A desk whose bot and sandbox share a fast clock: each price is asked for every 1.5 seconds. What a timer bounds, such as
 * reading the pools, has its real time, as a busy machine needs it. Bob has an address.
 */
async function ordersDesk(environment: Readonly<Record<string, string>> = {}) {
  const patient = { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", PRICE_POLL_RPS: "20" };
  const clock = { ...createSwiftClock(10), timer: systemClock.timer };
  const desk = await sandboxDesk({ clock }, { ...patient, ...environment });
  const pools = desk.sandbox.chain.pools().flatMap(({ address, firstToken, secondToken }) => {
    const others = [firstToken, secondToken].filter((token) => token !== "KFI");
    return others.length === 1 ? [{ address, other: others[0] }] : [];
  });
  const { address } = pools.find(({ other }) => other === "KLV")!;
  /** Changes the price of KFI in KLV, in percent. */
  const push = (percent: number) => desk.sandbox.chain.pushPrice(address, "KFI", percent);
  /** The same in each pool, so that it is another one whatever the way. */
  const pushAll = (percent: number) => {
    for (const pool of pools) desk.sandbox.chain.pushPrice(pool.address, "KFI", percent);
  };
  const bob = desk.person(people.bob);
  await bob.asks(`/wallet ${desk.address("Bob")}`);
  /** What 5 KFI bring now, after the fee, in hundredths of a KLV. */
  const hundredthsNow = async () => {
    const { text } = await bob.asks("/quote 5 KFI KLV", /You get about/);
    return BigInt(/You get about: ([0-9]+\.[0-9]{2})/.exec(text)![1]!.replace(".", ""));
  };
  const klvOf = (hundredths: bigint) => `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
  /** Sets a limit of so many per mille more than 5 KFI bring now. @returns that limit, in hundredths of a KLV. */
  const setsLimit = async (perMille: bigint) => {
    const limit = ((await hundredthsNow()) * (1000n + perMille)) / 1000n;
    await sets(bob, `/limit 5 KFI KLV for ${klvOf(limit)}`);
    return limit;
  };
  return { ...desk, push, pushAll, bob, hundredthsNow, klvOf, setsLimit };
}

/** Sends the line, and sets what it would set. @returns the order's card. */
async function sets(person: SandboxPerson, line: string) {
  const setUp = await person.asks(line, /I hold no key/);
  await person.taps(setUp, "👍 Set this order");
  return person.reads(/ set\n/);
}

/** The card with Confirm: where the pools can't be read in time, it asks once more first. */
async function ready(person: SandboxPerson, card: ChatMessage): Promise<ChatMessage> {
  const asksFirst = card.keyboard?.flat().some(({ text }) => text === "⚠️ Swap at this price anyway");
  if (asksFirst !== true) return card;
  await person.taps(card, "⚠️ Swap at this price anyway");
  return person.sees(card, /Valid until/);
}

const OFFERED = /^🎯 Your price is there: .+\nYour limit order: at least/;

describe("a limit order", () => {
  it("sends its swap when the price is there, with the limit as its minimum on the wire", async () => {
    const { bob, push, setsLimit, callsSent, address } = await ordersDesk();
    const limit = await setsLimit(25n);
    push(3);
    const swap = await bob.reads(OFFERED);
    expect(swap.text).toContain("or nothing is swapped (your limit)");
    // A route pays no bot fee, and is offered first.
    const others = ["✅ Confirm swap", "🔄 Refresh", "✖️ Cancel"];
    expect(labelsOf(swap)).toEqual([expect.stringMatching(/^🔀 Show route: about [0-9.]+ KLV$/), ...others]);
    expect(swap.text).toMatch(/\nWith a route: [0-9.]+ KLV\n/);
    expect(callsSent()).toEqual([]);

    await bob.confirms(swap);
    // The least of which the limit is left after the bot fee of 1%.
    const least = (limit * 10_000n * 100_000n - 100_000n) / 99_000n + 1n;
    const [call] = callsSent();
    expect(callsSent()).toHaveLength(1);
    expect(call).toMatchObject({ funcName: "swap", value: "KFI=5000000" });
    const args = call!["args"] as readonly string[];
    expect(args.slice(1)).toEqual([
      "u64:1000",
      "string:KFI",
      "string:KLV",
      `BigUint:${least}`,
      `address:${address("Bob")}`,
    ]);
    const ended = await bob.reads(/^🏁 Filled: 🎯 5 KFI → /);
    expect(ended.text).toMatch(/Its swap was accepted[^]*\/history shows the outcome/);
    expect((await bob.asks("/orders", /Your orders/)).text).toMatch(/You have no orders here/);
  });

  it("whose price has gone back before the tap sends nothing, waits on, and asks again", async () => {
    const { bob, push, setsLimit, callsSent, sandbox } = await ordersDesk();
    await setsLimit(50n);
    push(6);
    const swap = await bob.reads(OFFERED);
    push(-6);
    await bob.taps(swap, "✅ Confirm");
    expect((await bob.sees(swap, /❌ Not sent/)).text).toMatch(/gone back/);
    expect(callsSent()).toEqual([]);
    await until(async () => /to go · asked/.test((await bob.asks("/orders", /Orders here/)).text));
    // Not within minutes of the one before.
    sandbox.time.skip(11 * 60_000);
    push(8);
    const again = await bob.reads(OFFERED);
    await bob.confirms(again);
    expect(callsSent()).toHaveLength(1);
  });

  it("obeys freeze, the operator's pause and personal limits at the tap", async () => {
    const { bob, push, setsLimit, callsSent, person, sandbox } = await ordersDesk({
      ADMIN_USER_IDS: String(people.carol),
    });
    const carol = person(people.carol);
    await setsLimit(50n);
    push(10);
    const swap = await bob.reads(OFFERED);

    carol.says("/admin pause the router was exploited");
    await carol.taps(await carol.reads(/the router was exploited/), "⏸");
    expect(await bob.taps(swap, "✅ Confirm")).toMatch(/Trading is paused/);
    const overview = await carol.asks("/admin", /Trading paused/);
    await carol.taps(overview, "▶️");
    await carol.sees(overview, /Resume trading/);
    await carol.taps(overview, "▶️");
    await carol.sees(overview, /Trading is open/);

    const security = await bob.asks("/security");
    await bob.taps(security, "Set a limit");
    await bob.reads(/Send a token, a limit/);
    await bob.asks("KFI 1 / 50", /Saved/);
    await bob.taps(swap, "✅ Confirm");
    await bob.reads(/over your limit of 1 KFI per transaction/);

    await bob.asks("/freeze", /Frozen/);
    // Its card loses its buttons, which an app may not have seen yet.
    sandbox.telegram.press(bob.id, swap.messageId, dataOf(swap, "✅ Confirm"));
    await bob.sees(swap, /Cancelled/);
    expect(callsSent()).toEqual([]);
    expect((await bob.asks("/orders", /Orders here/)).text).toMatch(/your account is frozen/);
  });

  it("that is reached can be taken from the list, in place of its open card, without counting as asked", async () => {
    const { bob, setsLimit, push, callsSent } = await ordersDesk();
    await setsLimit(25n);
    push(4);
    const offered = await bob.reads(OFFERED);
    const list = await bob.asks("/orders", /Its swap is waiting above/);
    expect(labelsOf(list)).toEqual(["1 · Open", "💱 Swap now", "🗑 Delete", "🔄 Refresh"]);
    await bob.taps(list, "💱 Swap now");
    const swap = await bob.reads(OFFERED);
    expect(swap.messageId).toBeGreaterThan(list.messageId);
    // One can be confirmed.
    expect((await bob.sees(offered, /replaced/i)).keyboard).toBeUndefined();
    await bob.taps(swap, "✖️ Cancel");
    await bob.sees(swap, /Cancelled/);

    // It was asked about once, and comes again in four hours: at a tap, at once.
    await bob.taps(await bob.asks("/orders", /Sent to you lately/), "1 · Open");
    const card = await bob.reads(/^🎯 Limit order[^]*Sent to you lately/);
    await bob.taps(card, "💱 Swap now");
    await bob.confirms(await bob.reads(OFFERED));
    expect(callsSent()).toHaveLength(1);
    await bob.reads(/^🏁 Filled: 🎯 5 KFI → /);
    await bob.taps(card, "💱 Swap now");
    await bob.sees(card, /You have no orders here/);
  });

  it("is paused, changed, let through quiet hours and ended in one tap each", async () => {
    const { bob, setsLimit, push } = await ordersDesk();
    await setsLimit(50n);
    const list = await bob.asks("/orders", /Orders here/);
    expect(labelsOf(list)).toEqual(["1 · Open", "⏸ Pause", "🗑 Delete", "🔄 Refresh"]);
    await bob.taps(list, "⏸ Pause");
    await bob.sees(list, /⏸ Paused/);
    await bob.taps(list, "1 · Open");
    const card = await bob.reads(/^🎯 Limit order/);
    push(20);
    await bob.taps(card, "▶️ Resume");
    const swap = await bob.reads(OFFERED);
    expect(swap.text).toContain("You pay: 5 KFI");
    const other = await bob.asks("/swap 1 KLV KFI", /You get at least/);
    expect((await bob.asks("/cancel")).text).toMatch(
      /^Cancelled:\n1 KLV → KFI\nSwaps of your orders stay open\. [^\n]*Cancel below a swap[^\n]*\n5 KFI → KLV$/,
    );
    await bob.sees(other, /Cancelled/);
    expect(labelsOf(await bob.sees(swap, OFFERED))).toContain("✅ Confirm swap");

    expect(labelsOf(card).join()).not.toContain("🌙");
    await bob.taps(await bob.asks("/settings", /Quiet hours: none/), "🌙 Quiet hours");
    await bob.reads(/When are your quiet hours/);
    await bob.asks("00:00-23:59", /Quiet hours: 00:00–23:59/);
    await bob.taps(list, "1 · Open");
    const asleep = await bob.reads(/^🎯 Limit order/);
    await bob.taps(asleep, "🌙 Also at night");
    await bob.sees(asleep, /It comes in quiet hours too/);
    await bob.taps(card, "✏️ Edit");
    const question = await bob.reads(/^At which price/);
    await bob.taps(question, "+10%");
    const setUp = await bob.reads(/Limit order[^]*I hold no key/);
    await bob.taps(setUp, "👍 Save this change");
    const changed = await bob.reads(/^Saved/);
    expect(changed.text).toMatch(/9\.\d% to go|10(?:\.\d)?% to go|hasn't been asked/);
    expect((await bob.asks("/orders", /Orders here/)).text.match(/🎯/g)).toHaveLength(1);
    await bob.taps(changed, "🗑 Delete");
    expect(labelsOf(await bob.sees(changed, /^🗑 Deleted: 🎯/))).toEqual(["🔁 Set it again", "‹ All orders"]);
    const none = await bob.asks("/orders", /You have no orders here[^]*↩️ sets what you just deleted again/);
    await bob.taps(none, "↩️");
    await bob.sees(none, /Orders here[^]*5 KFI → [0-9.,]+ KLV/);
    await bob.taps(none, "🗑 Delete");
    await bob.sees(none, /You have no orders here/);
  });
});

describe("what can't be set", () => {
  it("has a reason and a way on", async () => {
    const { bob, klvOf, hundredthsNow, push } = await ordersDesk();
    const now = await hundredthsNow();
    const met = await bob.asks(`/limit 5 KFI KLV for ${klvOf(now / 2n)}`, /already there/);
    await bob.taps(met, "💱 Swap now");
    await bob.reads(/^Swap KFI → KLV\nYou pay: 5 KFI/);

    const soon = await bob.asks(`/limit 5 KFI KLV for ${klvOf((now * 105n) / 100n)}`, /I hold no key/);
    push(10);
    await bob.taps(soon, "👍 Set this order");
    expect(labelsOf(await bob.reads(/already there/))).toContain("💱 Swap now");

    const far = await bob.asks(`/limit 5 KFI KLV for ${klvOf(now * 20n)}`, /More than ten times away/);
    expect(labelsOf(far)).toEqual(["⚠️ The direction is right", "✏️ Amount", "⏳ Until", "✖️ Cancel"]);
    await bob.taps(far, "⚠️ The direction is right");
    await bob.reads(/Limit order set/);

    const unclear = await bob.asks("/limit 500 KLV KFI at 9000", /more than one thing/);
    expect(labelsOf(unclear)).toEqual(["1 KFI = 9000 KLV", "1 KLV = 9000 KFI"]);
    for (const [line, reason] of [
      ["/limit 5 KFI KFI for 3", /two different tokens/],
      ["/limit 5 KFI NOPE for 3", /don't know the token/],
      ["/limit 5 KFI KLV for 600 2y", /year/],
      ["/stoploss 5 KFI KLV at 0 KLV", /zero/i],
      ["/dca 100 KLV KFI daily 09:00 x0", /1 to 366|366/],
      ["/dca 100 KLV KFI daily 09:00 x367", /366/],
      ["/dca 100 KLV KFI 2020-01-01 daily 09:00 x2 UTC", /is over already/],
      ["/dca 100 KLV KFI daily 09:00 x2 Atlantis", /time zone/],
      ["/dca 100 KLV KFI monthly 09:00 x40 UTC", /year/],
    ] as const) {
      const answer = await bob.asks(line);
      expect(answer.text, line).toMatch(reason);
      expect(labelsOf(answer).join(), line).not.toContain("Set this order");
    }
  });

  it("is the 21st of a person", async () => {
    const { bob, klvOf, hundredthsNow } = await ordersDesk();
    const now = await hundredthsNow();
    for (let n = 1n; n <= 20n; n += 1n) await sets(bob, `/limit 5 KFI KLV for ${klvOf(now * 2n + n)}`);
    const setUp = await bob.asks(`/limit 5 KFI KLV for ${klvOf(now * 3n)}`, /I hold no key/);
    await bob.taps(setUp, "👍 Set this order");
    expect((await bob.reads(/20/)).text).toMatch(/20 .*maximum/);
    const list = await bob.asks("/orders", /Page 1 of 4/);
    expect(list.text.length).toBeLessThan(4096);
  });
});

describe("a stop order", () => {
  it("asks once the price has fallen, and is taken by the route, bound by the person's own slippage", async () => {
    const { bob, pushAll, callsSent, hundredthsNow, klvOf } = await ordersDesk();
    const stop = ((await hundredthsNow()) * 95n) / 100n;
    const setUp = await bob.asks(`/stoploss 5 KFI KLV for ${klvOf(stop)}`, /A stop is a question, not a guarantee/);
    await bob.taps(setUp, "👍 Set this order");
    await bob.reads(/Stop order set/);
    pushAll(-8);
    const swap = await ready(bob, await bob.reads(/^🛑 Your stop is reached: .+\nYour stop order/));
    expect(swap.text).toContain("or nothing is swapped (slippage 1%)");
    await takesRoute(bob, swap);
    expect(callsSent()).toHaveLength(1);
    expect(callsSent()[0]).toMatchObject({ funcName: "multiPairSwap", value: "KFI=5000000" });
    const args = callsSent()[0]!["args"] as readonly string[];
    // As much as the swap was quoted, without a bot fee.
    const quoted = BigInt(/Quote before bot fee: ([0-9.]+) KLV/.exec(swap.text)![1]!.replace(".", ""));
    expect(args.slice(1)).toEqual([
      "string:swapTokensFixedInput",
      "string:KLV",
      `BigUint:${(quoted * 9900n) / 10_000n}`,
    ]);
    await bob.reads(/^🏁 Filled: 🛑 5 KFI → [0-9.]+ KLV · route/);
  });
});

describe("a regular purchase", () => {
  it("comes at its hour, once each time, and tells what was missed", async () => {
    const { bob, sandbox, callsSent } = await ordersDesk();
    await bob.asks("/dca 100 KLV KFI", /How often/);
    await bob.asks("daily", /Which city is in your time zone/);
    await bob.asks("Lisbon", /At what time \(Europe\/Lisbon\)/);
    await bob.asks("09:00", /How many times/);
    const setUp = await bob.asks("2", /Regular purchase/);
    expect(setUp.text).toMatch(/You pay 100 KLV each time, 200 KLV in all\nEvery day at 09:00, 2 times\nFirst: \w+day/);
    await bob.taps(setUp, "👍 Set this order");
    await bob.reads(/Regular purchase set/);

    const nextNine = () => {
      const now = sandbox.time.clock.now();
      const nine = new Date(now).setUTCHours(9, 0, 0, 0);
      return nine > now ? nine - now : nine + 24 * HOUR_MS - now;
    };
    sandbox.time.skip(nextNine() + 1000);
    const swap = await ready(bob, await bob.reads(/^🔁 Your purchase is due: .+\nYour regular purchase: 1 of 2/));
    await takesRoute(bob, swap);
    expect(callsSent()).toHaveLength(1);
    expect(callsSent()[0]).toMatchObject({ funcName: "multiPairSwap", value: "KLV=100000000" });

    sandbox.time.skip(nextNine() + 1000);
    await bob.reads(/^🔁 Your purchase is due: .+\nYour regular purchase: 2 of 2/);
    // Nobody taps it: after a day it is over.
    await bob.asks("/orders", /waiting above/);
    sandbox.time.skip(25 * HOUR_MS);
    const ended = await bob.reads(/^🏁 Ended: 🔁 100 KLV → KFI/);
    expect(ended.text).toMatch(/1 of 2 accepted\nMissed once: you didn't confirm in time/);
    expect(callsSent()).toHaveLength(1);
  });
});

describe("orders begin", () => {
  it("from a token, a quote, an alert, a finished trade, words and /stop", async () => {
    const { bob, push } = await ordersDesk();
    const price = /^At which price/;
    const leaves = () => bob.asks("/cancel", /cancelled/i);
    await bob.taps(await bob.asks("KFI", /Pools/), "🎯 At a price");
    await bob.taps(await bob.reads(/^🎯 KFI at a price/), "✏️ Buy: other price");
    await bob.reads(/^How much KLV/);
    await leaves();
    await bob.taps(await bob.asks("KFI", /Pools/), "🔁 Regularly");
    await bob.reads(/^How much KLV .* each time/);
    await bob.taps(await bob.asks("/quote 100 KLV KFI", /^Quote/), "🎯 Limit order");
    await bob.reads(price);
    await bob.asks("/alert 10 KFI above 110 KLV", /^KFI above/);
    push(30);
    await bob.taps(await bob.reads(/^📈 KFI/), "🎯 Limit order");
    await bob.reads(price);
    const done = await bob.confirms(await comparedCard(bob, "/swap 100 KLV KFI"));
    await bob.taps(done, "🚪 Set an exit");
    await bob.reads(/^When should I ask you to sell/);
    await leaves();
    await bob.taps(await bob.asks("/stop", /What should stop/), "🛑 Stop order");
    await bob.reads(/^What do you want to protect/);
    await leaves();
    await bob.asks("buy 500 KLV of KFI below 96 KLV", /🎯 Limit order\nYou pay: 500 KLV/);
    // An offer doesn't take what is typed.
    await bob.asks("KFI", /Pools/);
    await bob.asks("sell 5 KFI above 300 KLV", /🎯 Limit order\nYou pay: 5 KFI/);
    await leaves();
    await bob.asks("sell 5 KFI below 90", /🛑 Stop order\nYou pay: 5 KFI/);
    await bob.asks("/takeprofit 5 KFI KLV", price);
  });

  it("in Portuguese", async () => {
    const { bob, push } = await ordersDesk();
    await speaksPortuguese(bob);
    await bob.asks("/dca 100 KLV KFI", /Com que frequência/);
    const often = await bob.asks("/limit 5 KFI KLV", /^A que preço/);
    await bob.taps(often, "+5%");
    const monthly = await bob.reads(/Ordem limitada[^]*Não guardo chaves/);
    await bob.taps(monthly, "⏳ Até");
    await bob.taps(await bob.reads(/Até quando/), "7d");
    const setUp = await bob.reads(/Ordem limitada[^]*Não guardo chaves/);
    await bob.taps(setUp, "👍 Criar esta ordem");
    await bob.reads(/Ordem limitada criada/);
    push(10);
    await bob.reads(/Sua ordem limitada: no mínimo/);
    expect((await bob.asks("/orders", /Suas ordens/)).text).toMatch(/Ordens aqui/);
  });
});

describe("what changes meanwhile", () => {
  it("is the address: orders pause until their owner lets them go on with the new one", async () => {
    const desk = await ordersDesk();
    const { bob, setsLimit, push } = desk;
    await setsLimit(50n);
    const asked = await bob.asks(`/wallet ${desk.address("Carol")}`, /Change your wallet address/);
    await bob.taps(asked, "Yes, change it");
    const news = await bob.reads(/^⏸ Orders paused: your wallet address has changed/);
    push(10);
    await bob.taps(news, "▶️ Go on with the new address");
    await bob.sees(news, /go on with the new address/);
    // The node refuses somebody else's account; what it was asked for counts here.
    await bob.confirms(await bob.reads(OFFERED), /❌ Rejected/);
    const [call] = desk.callsSent();
    expect((call!["args"] as readonly string[])[5]).toBe(`address:${desk.address("Carol")}`);
  });

  it("is the time zone: purchases keep their hours until they are moved", async () => {
    const { bob } = await ordersDesk();
    await bob.asks("/dca 100 KLV KFI daily 09:00 x3", /Which city/);
    await bob.taps(await bob.asks("Lisbon", /Time zone: Europe\/Lisbon/), "👍 Set this order");
    await bob.reads(/Regular purchase set/);
    await bob.taps(await bob.asks("/settings", /^Settings/), "Time zone");
    await bob.reads(/Which city/);
    const saved = await bob.asks("Berlin", /purchases keep their times in Europe\/Lisbon/);
    await bob.taps(saved, "🕘 Move them to Europe/Berlin");
    await bob.sees(saved, /^🕘 Moved/);
    await bob.taps(await bob.asks("/orders", /Orders here/), "1 · Open");
    await bob.reads(/Time zone: Europe\/Berlin/);
  });
});
