import { describe, expect, it, test } from "vitest";
import { orderCommand, pairOf, standingTitle } from "../../src/cards/asked-lines.js";
import { ordersCard } from "../../src/cards/order.js";
import { setUpCard, standingCard, standingNewsCard } from "../../src/cards/standing.js";
import { amountOf } from "../../src/encoding/amount.js";
import { quotedCost, type TradeCost } from "../../src/services/trade/trade-cost.js";
import type { StandingPreview } from "../../src/services/standing/standing-preview.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { StandingView } from "../../src/services/standing/standing-news.js";
import { readDca } from "../../src/services/standing/dca-request.js";
import { readLimit, readStopLoss } from "../../src/services/standing/standing-request.js";
import { order as watchedOrder } from "../services/alerts/orders-world.js";
import { kfi, klv } from "../services/samples.js";
import { asRead } from "../support/as-read.js";
import { assertSendable, en, now, pt } from "./arrange.js";
import { exitView } from "./exit-samples.js";
import { bought } from "./rights-samples.js";
import { dcaOrder, limitOfRoyalty, limitOrder, stopOrder } from "./standing-samples.js";

const tokens = tokenListOf([klv, kfi]);
const last = (units: bigint) => ({ last: { units, at: now - 60_000 }, missingSince: undefined, asked: undefined });
const textOf = (card: { readonly text: string }) => asRead(card.text);

describe("how far an order is", () => {
  it.each([
    // After the bot fee of 1%, 5.3 KFI are 5.247.
    ["a limit that is reached", { ...limitOrder, watch: last(5_300_000n) }, "5.247 KFI · reached"],
    ["a limit with some way to go", { ...limitOrder, watch: last(5_000_000n) }, "4.95 KFI · 4.8% to go"],
    ["a stop that is reached", { ...stopOrder, watch: last(450_000_000n) }, "445.5 KLV · reached"],
    ["a stop with some way to go", { ...stopOrder, watch: last(500_000_000n) }, "495 KLV · 9.1% to go"],
  ] as const)("is told from what its owner would get, after the fee: %s", (_, shown, text) => {
    expect(textOf(standingCard(shown, en))).toContain(`You would get now: ${text}`);
  });
});

it("says what waits above, rather than only that the price is reached, and when it is asked for again", () => {
  const reached = { ...limitOrder, watch: last(5_300_000n) };
  expect(textOf(standingCard({ ...reached, hold: "not-tapped" }, en))).toContain("Its swap is waiting above");
  const order = { ...reached.order, offeredAt: now - 7_200_000 };
  const again = { ...reached, order, hold: "lately" as const, askedAgainAt: now + 7_200_000 };
  const lines =
    /Sent to you lately\.\nIf the price is there then, I ask you again: .+\nYou would get now: .+ · reached/;
  expect(textOf(standingCard(again, en))).toMatch(lines);
  expect(textOf(ordersCard({ standing: [again], watched: [] }, 0, en))).toMatch(lines);
});

it("offers its swap while it is reached, unless another may happen or its card is on its way", () => {
  const swapNow = "💱 Swap now";
  const offers = (shown: StandingView) =>
    [standingCard(shown, en), ordersCard({ standing: [shown], watched: [] }, 0, en)].map(
      ({ keyboard = [] }) => keyboard.flat().filter((key) => asRead(key.text) === swapNow).length,
    );
  const reached = { ...limitOrder, watch: last(5_300_000n) };
  for (const hold of [undefined, "lately", "today", "not-tapped", "frozen"] as const)
    expect(offers({ ...reached, hold }), hold).toEqual([1, 1]);
  for (const hold of ["paused", "address", "telegram", "under-way"] as const)
    expect(offers({ ...reached, hold }), hold).toEqual([0, 0]);
  expect(offers({ ...reached, isUnderWay: true })).toEqual([0, 0]);
  expect(offers({ ...limitOrder, watch: last(5_000_000n) })).toEqual([0, 0]);
  expect(offers({ ...stopOrder, watch: last(450_000_000n) })).toEqual([1, 1]);
  expect(offers({ ...stopOrder, watch: last(500_000_000n) })).toEqual([0, 0]);
  // A purchase whose time has come, until it is taken or missed.
  expect(offers({ ...dcaOrder, order: { ...dcaOrder.order, card: "a card" } })).toEqual([1, 1]);
  expect(offers({ ...dcaOrder, order: { ...dcaOrder.order, card: null } })).toEqual([0, 0]);
});

test("a typed price is shown as it was typed, though its limit is rounded up to a unit", () => {
  const order = { ...limitOrder.order, rule: { net: amountOf(kfi, 5_208_334n) } };
  const { text } = setUpCard({ order, net: amountOf(kfi, 5_000_000n), isMet: false, isFar: false }, false, en);
  expect(asRead(text)).toContain(
    "You get at least: 5.208334 KFI (after the bot fee)\n1 KFI = 96 KLV\nYou would get now",
  );
});

it("folds a network fee that the total has, which warns with it, and warns by itself of any other", () => {
  const amount = amountOf(klv, 6_210_000n);
  const told = (change: Partial<StandingPreview>) => {
    const { text, entities } = setUpCard({ ...limitOfRoyalty, fee: { amount, shareBps: 621n }, ...change }, false, en);
    const fold = entities.find(({ type }) => type === "expandable_blockquote")!.offset;
    return [text.slice(0, fold), text.slice(fold)].map(asRead) as [string, string];
  };
  const [face, folded] = told({ cost: quotedCost(bought, amount) });
  expect(face).toMatch(/^⚠️ Total cost: 7\.8% /m);
  expect(face).not.toContain("Network fee");
  expect(folded).toMatch(/^Network fee about 6\.21 KLV \(6\.21% of what you pay\)$/m);
  expect(folded).toContain("6.21 network fee");
  // A total in another token that the fee has no price in, and none at all.
  const unpriced: TradeCost = { ...quotedCost(bought, undefined)!, unknown: ["network"] };
  for (const cost of [undefined, unpriced]) {
    const [open, hidden] = told({ cost });
    expect(open).toMatch(/^⚠️ Network fee about 6\.21 KLV \(6\.21% of what you pay\)$/m);
    expect(hidden).not.toContain("Network fee about");
  }
});

describe("what was missed", () => {
  const missed = (counts: object) => textOf(standingNewsCard({ kind: "order", view: dcaOrder, missed: counts }, en));
  it("has its reason once, and counts only if there are several", () => {
    expect(missed({ down: 1 })).toContain("Missed once: I was offline.");
    expect(missed({ down: 3 })).toContain("Missed 3 times: I was offline.");
    expect(missed({ frozen: 2, "not-tapped": 1 })).toContain(
      "Missed 3 times: your account was frozen (2), you didn't confirm in time (1).",
    );
  });
  it("is nothing on the card of an order that missed nothing", () => {
    expect(textOf(standingCard(dcaOrder, en))).not.toContain("Missed");
  });
});

describe("the button that sets an order again", () => {
  it("carries a line that is read as the same order", () => {
    const again = (line: string) => line.replace(/^\w+ /, "");
    expect(readLimit(again(orderCommand(limitOrder.order)), tokens)).toMatchObject({
      pay: limitOrder.order.request.pay,
      at: { get: amountOf(kfi, 5_200_000n) },
    });
    expect(readStopLoss(again(orderCommand(stopOrder.order)), tokens)).toMatchObject({
      pay: stopOrder.order.request.pay,
      at: { get: amountOf(klv, 450_000_000n) },
    });
    expect(readDca(again(orderCommand(dcaOrder.order)), tokens)).toMatchObject({
      every: { count: 1, unit: "w" },
      on: { weekday: 1 },
      time: "09:00",
      times: 12,
    });
  });
});

it("an exit of which a part is sold is changed for the rest, and ends with all that it has sold", () => {
  const { order } = exitView;
  const titles = [order, { ...order, ended: "done" as const }].map((each) => asRead(standingTitle(each, en)));
  expect([...titles, pairOf(order)]).toEqual(["🚪 3.75 KFI → KLV", "🚪 5 KFI → KLV", "3.75 KFI KLV"]);
  expect(pairOf(limitOrder.order)).toBe("500 KLV KFI");
});

test.each([en, pt])("every page of the most orders that a person can have fits in a message", (view) => {
  const standing = Array.from({ length: 20 }, (_, at) => ({
    ...[limitOrder, stopOrder, dcaOrder][at % 3]!,
    hold: "lately" as const,
    askedAgainAt: now + 7_200_000,
  }));
  const watched = Array.from({ length: 50 }, () => ({ order: watchedOrder(), isMuted: true, seenAt: now }));
  for (let page = 0; page < 14; page += 1) assertSendable(ordersCard({ standing, watched }, page, view));
  expect(textOf(ordersCard({ standing, watched }, 3, view))).toMatch(/16\. /);
  expect(textOf(ordersCard({ standing, watched }, 4, view))).toMatch(/21\. /);
});
