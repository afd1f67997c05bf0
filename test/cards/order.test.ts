import { describe, expect, it } from "vitest";
import { alertSettingsCard } from "../../src/cards/settings.js";
import { noticeCard, orderAlertCard } from "../../src/cards/alert.js";
import type { Card } from "../../src/cards/card.js";
import { fillBar, orderCard, ordersCard } from "../../src/cards/order.js";
import { languages, messages } from "../../src/locales/messages.js";
import type { Notice } from "../../src/services/outbox/outbox.js";
import { changeSince } from "../../src/services/order/change.js";
import type { Order } from "../../src/services/clients/exchange.js";
import { order, orderId } from "../services/order/desk.js";
import { asRead } from "../support/as-read.js";

const link = `https://t.me/swapdesk_bot?start=order_${orderId(1)}`;
const now = Date.parse("2026-07-01T12:00:00Z");
const view = { words: messages.en, now, timeZone: "Europe/Lisbon" };

const buttonsOf = (card: Card): string[] =>
  (card.keyboard ?? []).flat().map((each) => `${each.text}=${"callback_data" in each ? each.callback_data : ""}`);

const sample = order({
  status: "PARTIALLY",
  price: "0.006780",
  averagePrice: "0.006736",
  filled: "42.50",
  fee: "0.00006874",
  nativeFee: { amount: "0.000006874", token: "KLV" },
  createdAt: now / 1000 - 3600,
  updatedAt: now / 1000 - 60,
});

function changed(from: Partial<Order>, to: Partial<Order>): Card {
  const before = order(from);
  const change = changeSince({ ...before }, order(to))!;
  return orderAlertCard({ about: "change", change }, view);
}

describe("the order card", () => {
  it("shows everything with exact figures", () => {
    const card = orderCard(sample, undefined, now, view, { link });
    const [seen, ...above] = asRead(card.text).split("\n").reverse();
    expect(seen).toBe("As of 12:00:00 UTC");
    expect(above.reverse().join("\n")).toBe(
      [
        "Buy KLV-USDT · limit · maker",
        orderId(1),
        "",
        "Status: partially filled",
        "▰▰▰▰▱▱▱▱▱▱",
        "Filled: 42.5 of 100 KLV (42.5%)",
        "Price: 0.006780 USDT",
        "Average price: 0.006736 USDT",
        "Fee: 0.00006874 KLV + 0.000006874 KLV",
        "Placed 2026-07-01 11:00 UTC",
        "Updated 2026-07-01 11:59 UTC",
        "",
      ].join("\n"),
    );
    expect(buttonsOf(card)).toEqual([
      `🔄 Refresh=v1:or:${orderId(1)}`,
      `🔔 Watch=v1:ow:${orderId(1)}`,
      `📈 Fills=v1:of:${orderId(1)}`,
      "🔗 Copy link=",
    ]);
  });

  it("offers what can be done: unwatch what is watched, and not watch what is over", () => {
    const watched = orderCard(sample, { order: sample, isMuted: false, seenAt: now }, now, view, { link });
    expect(buttonsOf(watched)).toContain(`🔕 Unwatch=v1:ou:${orderId(1)}`);
    expect(watched.text).toContain("You're watching this order");
    expect(buttonsOf(orderCard(order({ status: "DONE" }), undefined, now, view, { link }))).toHaveLength(2);
    expect(
      orderCard(sample, { order: sample, isMuted: true, seenAt: now, missingSince: now }, now, view, { link }).text,
    ).toMatch(/hasn't found this order since 2026-07-01[^]*muted/);
  });

  it("says why it is shown as it was, and when that was", () => {
    const watch = { order: sample, isMuted: false, seenAt: now - 3_600_000 };
    const { text } = orderCard(sample, watch, watch.seenAt, view, { link, notice: "It can't be reached." });
    expect(text).toMatch(/^It can't be reached\.\n[^]*As of 2026-07-01 11:00 UTC$/);
  });

  it("shows words that it does not know as they are, and guesses no token", () => {
    const odd = order({ status: "ICE", side: "SHORT", type: "STOP", symbol: "A-B-C", price: undefined });
    const { text } = orderCard(odd, undefined, now, view, { link });
    expect(text).toContain("SHORT A-B-C · STOP");
    expect(text).toContain("Status: ICE");
    expect(asRead(text)).toContain("Filled: 0 of 100 (0%)");
    expect(text).not.toContain("Price");
    expect(orderCard(order({ status: "constructor" }), undefined, now, view, { link }).text).toContain(
      "Status: constructor\n",
    );
  });

  it("shows no price that a market order does not have", () => {
    expect(orderCard(order({ type: "MARKET", price: "0" }), undefined, now, view, { link }).text).toContain(
      "Price: market",
    );
  });

  it("has a bar that is full only when the order is", () => {
    expect(fillBar("99.99", "100")).toBe("▰▰▰▰▰▰▰▰▰▱");
    expect(fillBar("100", "100.0")).toBe("▰▰▰▰▰▰▰▰▰▰");
    expect(fillBar("0", "0")).toBe("▱▱▱▱▱▱▱▱▱▱");
  });
});

describe("an alert", () => {
  it("says what changed, what was filled since, and about at what price", () => {
    const { text } = changed(
      { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" },
      { status: "DONE", filled: "100", averagePrice: "0.00676", fee: "0.1" },
    );
    expect(asRead(text)).toBe(
      [
        "✅ Filled · 60 KLV at about 0.0068 USDT",
        "Buy KLV-USDT · partially filled → filled",
        "Filled: 100 of 100 KLV (100%)",
        "Price: 0.0068 USDT",
        "Average price: 0.00676 USDT",
        "Fee: 0.1 KLV",
        orderId(1),
      ].join("\n"),
    );
  });

  it("fits into eight lines of a phone", () => {
    const fees = { fee: "0.00006874", nativeFee: { amount: "0.000006874", token: "KLV" } };
    const { text } = changed(
      { quantity: "100000", filled: "0" },
      { quantity: "100000", filled: "42000.5", status: "PARTIALLY", averagePrice: "0.0067", ...fees },
    );
    expect(asRead(text)).toMatch(/^🟡 42% · 42,000\.5 KLV at 0\.0067 USDT\n/);
    const lines = text.split("\n").reduce((sum, line) => sum + Math.ceil(line.length / 38), 0);
    expect(lines).toBeLessThanOrEqual(8);
  });

  it("tells a cancellation with fills from one without", () => {
    expect(asRead(changed({ filled: "80", status: "PARTIALLY" }, { filled: "80", status: "CANCELED" }).text)).toMatch(
      /^✖️ Cancelled, 80% filled\n/,
    );
    expect(changed({}, { status: "CANCELED" }).text).toMatch(/^✖️ Cancelled, nothing was filled\n/);
  });

  it("offers to unwatch only what is still watched", () => {
    expect(buttonsOf(changed({}, { status: "PARTIALLY", filled: "1" }))).toHaveLength(2);
    expect(buttonsOf(changed({}, { status: "DONE", filled: "100" }))).toHaveLength(1);
  });

  it("tells the end of a watch, outages and tests", () => {
    expect(orderAlertCard({ about: "gone", order: sample }, view).text).toContain("42.5 of 100 KLV");
    const notice = (what: Notice["what"]): string => noticeCard(what, view).text;
    const outage = { service: "exchange", since: now } as const;
    expect(notice({ kind: "outage", ...outage })).toContain("reach the exchange (since 2026-07-01 12:00 UTC");
    expect(notice({ kind: "return", ...outage })).toContain("The exchange is back");
    expect(notice({ kind: "test" })).toContain("Test alert");
  });
});

describe("the list of watched orders", () => {
  const watches = Array.from({ length: 12 }, (_, index) => ({
    order: order({ id: orderId(index + 1), filled: String(index) }),
    isMuted: index === 0,
    seenAt: now,
  }));

  it("shows five at a time, with what can be done to each", () => {
    const first = ordersCard(watches, 0, view);
    expect(first.text).toContain("1. Buy KLV-USDT · limit · maker 🔇");
    expect(first.text).toContain("Page 1 of 3");
    expect(first.text).not.toContain(orderId(6));
    expect(buttonsOf(first)).toContain(`🔊 Unmute=v1:os:${orderId(1)}.0`);
    expect(buttonsOf(first)).toContain(`🔇 Mute=v1:om:${orderId(2)}.0`);
    expect(buttonsOf(first)).toContain(`🔕 Unwatch=v1:ox:${orderId(2)}.0`);
    expect(buttonsOf(first).at(-1)).toBe("2 ›=v1:ol:1");
    const last = ordersCard(watches, 99, view);
    expect(last.text).toContain("Page 3 of 3");
    expect(buttonsOf(last).filter((each) => each.includes("v1:ol:"))).toEqual(["‹ 2=v1:ol:1", "🔄 Refresh=v1:ol:2"]);
  });

  it("says what to do when there is none", () => {
    expect(ordersCard([], 0, view).text).toContain("/order");
  });
});

describe("the alert settings", () => {
  it("name the mode that a tap sets", () => {
    const card = alertSettingsCard({ modes: { done: "silent" }, quiet: { from: "22:00", to: "07:00" } }, view);
    expect(buttonsOf(card)).toContain("Filled: 🔕 silent=v1:am:done.off");
    expect(buttonsOf(card)).toContain("Partially filled: 🔔 on=v1:am:fill.silent");
    expect(card.text).toContain("Quiet hours: 22:00–07:00 (Europe/Lisbon)");
    expect(buttonsOf(alertSettingsCard({ modes: {} }, view))).not.toContain("Turn off quiet hours=v1:aq:none");
  });
});

describe("all these cards", () => {
  it.each([...languages])("have buttons that Telegram takes, in %s", (_, words) => {
    const own = { words, now, timeZone: "UTC" };
    const watches = Array.from({ length: 60 }, (_, index) => ({
      order: order({ id: orderId(index) }),
      isMuted: false,
      seenAt: now,
    }));
    const cards = [
      orderCard(sample, undefined, now, own, { link }),
      ordersCard(watches, 11, own),
      ordersCard(watches, 0, own),
      alertSettingsCard({ modes: {}, quiet: { from: "22:00", to: "07:00" } }, own),
    ];
    // All but those that copy a text.
    for (const text of cards.flatMap(buttonsOf).filter((each) => !each.endsWith("="))) {
      const data = text.slice(text.indexOf("=") + 1);
      expect(data).toMatch(/^v1:[a-z-]{1,12}:[A-Za-z0-9_./-]{1,48}$/);
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    }
  });
});
