import { describe, expect, it } from "vitest";
import { orderAlertCard, fillBar, fillsChart, orderCard, ordersCard } from "../../src/cards/order.js";
import type { Card, View } from "../../src/cards/card.js";
import { alertFor } from "../../src/services/alerts/watched-order.js";
import { order, orderId } from "../services/alerts/orders-world.js";
import { asRead } from "../support/as-read.js";
import { en, now } from "./arrange.js";

const link = `https://t.me/swapdesk_bot?start=order_${orderId(1)}`;
const view: View = { ...en, timeZone: "Europe/Lisbon" };

const buttonsOf = (card: Card): string[] =>
  (card.keyboard ?? []).flat().map((each) => `${each.text}=${"callback_data" in each ? each.callback_data : ""}`);

const sample = order({ status: "PARTIALLY", filled: "42.50" });

describe("the order card", () => {
  it("does not offer to watch an order that is over", () => {
    expect(buttonsOf(orderCard(order({ status: "DONE" }), undefined, now, view, { link }))).toHaveLength(2);
  });

  it("shows figures without trailing zeros", () => {
    const { text } = orderCard(sample, undefined, now, view, { link });
    expect(asRead(text)).toContain("Filled: 42.5 of 100 KLV (42.5%)\n");
  });

  it("says why it shows an earlier state, and from when", () => {
    const watch = { order: sample, isMuted: false, seenAt: now - 3_600_000 };
    const { text } = orderCard(sample, watch, watch.seenAt, view, { link, notice: "It can't be reached." });
    expect(text).toMatch(/^It can't be reached\.\n[^]*As of 2026-07-01 11:00 UTC$/);
  });

  it("shows unknown words as they are, and guesses no token", () => {
    const odd = order({ status: "ICE", side: "SHORT", type: "STOP", symbol: "A-B-C", price: undefined });
    const { text } = orderCard(odd, undefined, now, view, { link });
    expect(text).toContain("SHORT A-B-C · STOP");
    expect(text).toContain("Status: ICE");
    expect(asRead(text)).toContain("Filled: 0 of 100 (0%)");
    expect(text).not.toContain("Price");
    expect(fillsChart(odd, [], now, view).svg).toContain(">100</text>");
    expect(orderCard(order({ status: "constructor" }), undefined, now, view, { link }).text).toContain(
      "Status: constructor\n",
    );
  });

  it("shows no figure as the price of a market order", () => {
    expect(orderCard(order({ type: "MARKET", price: "0" }), undefined, now, view, { link }).text).toContain(
      "Price: market",
    );
  });

  it("shows no price of 0, neither on the card nor in an alert", () => {
    const unpriced = order({ status: "PARTIALLY", filled: "40", averagePrice: "0", price: "0.00" });
    const { text } = orderCard(unpriced, undefined, now, view, { link });
    expect(text).not.toContain("USDT\n");
    const told = { status: "OPEN", filled: "0", averagePrice: "0" };
    const alert = alertFor({ told, order: unpriced, hasEnded: false })!;
    expect(asRead(orderAlertCard(alert, view).text)).toMatch(/^🟡 40% · 40 KLV\n/);
    const next = order({ status: "PARTIALLY", filled: "50", averagePrice: "0.002" });
    const later = alertFor({ told: { ...unpriced }, order: next, hasEnded: false })!;
    expect(asRead(orderAlertCard(later, view).text)).toMatch(/^🟡 50% · 10 KLV\n/);
  });

  it("has a bar that is full only if the order is", () => {
    expect(fillBar("99.99", "100")).toBe("▰▰▰▰▰▰▰▰▰▱");
    expect(fillBar("100", "100.0")).toBe("▰▰▰▰▰▰▰▰▰▰");
    expect(fillBar("0", "0")).toBe("▱▱▱▱▱▱▱▱▱▱");
  });
});

it("an alert fits in eight lines on a phone", () => {
  const filled = { filled: "42000.5", averagePrice: "0.0067", fee: "0.00006874" };
  const nativeFee = { amount: "0.000006874", token: "KLV" };
  const [before, after] = [{ quantity: "100000" }, { quantity: "100000", status: "PARTIALLY", nativeFee, ...filled }];
  const change = alertFor({ told: order(before), order: order(after), hasEnded: false })!;
  const { text } = orderAlertCard(change, view);
  expect(asRead(text)).toMatch(/^🟡 42% · 42,000\.5 KLV at 0\.0067 USDT\n/);
  const lines = text.split("\n").reduce((sum, line) => sum + Math.ceil(line.length / 38), 0);
  expect(lines).toBeLessThanOrEqual(8);
});

describe("the list of watched orders", () => {
  const watches = Array.from({ length: 12 }, (_, index) => ({
    order: order({ id: orderId(index + 1), filled: String(index) }),
    isMuted: index === 0,
    seenAt: now,
  }));

  it("shows five at a time, with the buttons for each", () => {
    const first = ordersCard({ standing: [], watched: watches }, 0, view);
    expect(first.text).toContain("1. Buy KLV-USDT · limit · maker 🔇");
    expect(first.text).toContain("Page 1 of 3");
    expect(first.text).not.toContain(orderId(6));
    expect(buttonsOf(first)).toContain(`🔊 Unmute=v1:os:${orderId(1)}.0`);
    expect(buttonsOf(first)).toContain(`🔇 Mute=v1:om:${orderId(2)}.0`);
    expect(buttonsOf(first)).toContain(`🔕 Unwatch=v1:ox:${orderId(2)}.0`);
    expect(buttonsOf(first).at(-1)).toBe("2 ›=v1:ol:1");
    const last = ordersCard({ standing: [], watched: watches }, 99, view);
    expect(last.text).toContain("Page 3 of 3");
    expect(buttonsOf(last).filter((each) => each.includes("v1:ol:"))).toEqual(["‹ 2=v1:ol:1", "🔄 Refresh=v1:ol:2"]);
  });
});
