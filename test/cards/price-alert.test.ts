import { expect, test, describe } from "vitest";
import { alertsCard, toldAlertCard, toldAlertsCard } from "../../src/cards/price-alert.js";
import type { View } from "../../src/cards/card.js";
import type { PriceAlert } from "../../src/services/alerts/price-alert-queries.js";
import { amountOf, type Token } from "../../src/encoding/amount.js";
import { priceAlert } from "../services/alerts/price-alerts-world.js";
import { kfi, klv } from "../services/samples.js";
import { asRead } from "../support/as-read.js";
import { en, now, pt } from "./arrange.js";

const crossing = (n: number, from: bigint, units: bigint) => ({ n, at: now - 60_000, from, units });
const alert = (change: Partial<PriceAlert>): PriceAlert => {
  const { untold = [] } = change;
  return { ...priceAlert(), endsAt: now + 86_400_000, crossings: untold.length, ...change };
};
const move = { rule: { way: "move", bps: 500n } } as const;
const told = (change: Partial<PriceAlert>, view: View = en) => asRead(toldAlertCard(alert(change), view).text);
const first = (change: Partial<PriceAlert>, view?: View) => told(change, view).split("\n")[0];
const commands = (change: Partial<PriceAlert>) =>
  (toldAlertCard(alert(change), en).keyboard ?? [])
    .flat()
    .map((each) => [asRead(each.text), "callback_data" in each ? each.callback_data : ""]);

describe("the first line of an alert", () => {
  test("says which way the price moved, how far, from where and to where, and the second what it was set to", () => {
    const risen = { ...move, untold: [crossing(1, 1_002_103_300n, 1_102_314_500n)] };
    expect(told(risen).split("\n").slice(0, 2)).toEqual([
      "📈 KFI +10.0%: 100.21 → 110.23 KLV",
      "🔔 KFI ±5% in KLV · 2026-07-01 11:59 UTC",
    ]);
    expect(first({ ...move, untold: [crossing(1, 1_102_314_500n, 992_000_000n)] })).toBe(
      "📉 KFI −10.0%: 110.23 → 99.2 KLV",
    );
    expect(first(risen, pt)).toBe("📈 KFI +10,0%: 100,21 → 110,23 KLV");
    const above = {
      rule: { way: "above", price: "120" },
      untold: [crossing(1, 1_002_103_300n, 1_205_000_000n)],
    } as const;
    expect(told(above).split("\n").slice(0, 2)).toEqual([
      "📈 KFI +20.2%: 100.21 → 120.5 KLV",
      "🔔 KFI above 120 KLV · 2026-07-01 11:59 UTC",
    ]);
    const below = { rule: { way: "below", price: "90" }, untold: [crossing(1, 1_002_103_300n, 899_000_000n)] } as const;
    expect(first(below)).toBe("📉 KFI −10.3%: 100.21 → 89.9 KLV");
  });

  test("shows more digits of prices that look the same, and no percentage that rounds to zero", () => {
    expect(first({ untold: [crossing(1, 1_199_999_900n, 1_200_000_000n)] })).toBe("📈 KFI: 119.99999 → 120 KLV");
    expect(first({ untold: [crossing(1, 1_200_001_000n, 1_200_009_000n)] })).toBe("📈 KFI: 120.0001 → 120.0009 KLV");
    expect(first({ untold: [crossing(1, 0n, 1n)] })).toBe("📈 KFI: 0 → 0.0000001 KLV");
    expect(first({ untold: [crossing(1, 1n, 10n ** 21n)] })).toBe(
      "📈 KFI +99,999,999,999,999,999,999,900.0%: 0.0000001 → 100,000,000,000,000 KLV",
    );
  });

  test("is the newest of several, and says that an alert has ended", () => {
    const untold = [crossing(3, 1_000_000_000n, 1_050_000_000n), crossing(4, 1_050_000_000n, 997_500_000n)];
    expect(told({ ...move, crossings: 4, untold })).toBe(
      [
        "📉 KFI −5.0%: 105 → 99.75 KLV",
        "🔔 KFI ±5% in KLV · 2026-07-01 11:59 UTC",
        "📈 KFI +5.0%: 100 → 105 KLV · 2026-07-01 11:59 UTC",
        "and 2 earlier",
        "Quoted price for selling 10 KFI, before the bot fee",
      ].join("\n"),
    );
    expect(first({ ...move, ended: "time" })).toBe("⌛ Alert ended: KFI ±5% in KLV");
    expect(first({ ...move, ended: "time", untold })).toBe("📉 KFI −5.0%: 105 → 99.75 KLV");
  });
});

describe("the button of an alert", () => {
  const untold = [crossing(1, 1_000_000_000n, 1_050_000_000n)];

  test("trades the amount that the alert is about", () => {
    expect(commands({ untold })).toContainEqual(["💱 10 KFI → KLV", "v1:do:swap 10 KFI KLV"]);
    expect(commands({ ended: "time" })).toEqual([
      ["💱 10 KFI → KLV", "v1:do:swap 10 KFI KLV"],
      ["🎯 Limit order", "v1:do:limit 10 KFI KLV"],
    ]);
    expect(commands({ ended: "unlisted", untold })).toEqual([]);
  });

  test("gives way to the typed command if that doesn't fit", () => {
    const fine: Token = { ...kfi, id: "LONGTICKER-AAAA", precision: 18 };
    const long = { amount: amountOf(fine, 10n ** 27n + 1n), out: { ...klv, id: "OTHERTICKER-BBBB" }, untold };
    expect(commands(long).map(([label]) => label)).toEqual(["🔔 Open alert"]);
    expect(told(long)).toContain("/swap 1000000000.000000000000000001 LONGTICKER-AAAA OTHERTICKER-BBBB");
  });
});

test("alerts that are told together have a line each, 20 at most, and buttons for the first four", () => {
  const untold = [crossing(1, 1_000_000_000n, 1_200_000_000n)];
  const all = Array.from({ length: 50 }, (_, n) =>
    alert({ id: `alert${n}`, rule: { way: "above", price: `${101 + n}` }, untold }),
  );
  const { text, keyboard = [] } = toldAlertsCard(all, en);
  const lines = asRead(text).split("\n");
  expect(lines).toHaveLength(21);
  expect(new Set(lines.slice(0, 20))).toEqual(new Set(["📈 KFI +20.0%: 100 → 120 KLV"]));
  expect(lines[20]).toBe("and 30 more in /alerts");
  expect(keyboard.flat().map((each) => asRead(each.text))).toEqual([
    ...[101, 102, 103, 104].map((price) => `🔔 KFI above ${price} KLV`),
    "‹ All alerts",
  ]);
  const four = toldAlertsCard([...all.slice(0, 3), alert({ ...move, ended: "time" })], pt);
  expect(asRead(four.text).split("\n")[3]).toBe("⌛ Alerta encerrado: KFI ±5% em KLV");
  expect(four.keyboard).toHaveLength(4);
});

describe("the list of alerts", () => {
  const seen = (secondsAgo: number, units: bigint) => ({ last: { units, at: now - secondsAgo * 1000 } });
  const shown = (...alerts: readonly Partial<PriceAlert>[]) => {
    const { text, keyboard = [] } = alertsCard(alerts.map(alert), 0, en);
    return { lines: asRead(text).split("\n").slice(1), labels: keyboard.map((row) => asRead(row[0]!.text)) };
  };

  test("has each alert on its button, and the last price once for each pair", () => {
    const other = { amount: amountOf({ ...kfi, id: "DVK-34ZH" }, 10_000_000n), ...seen(60, 20_000_000n) };
    const { lines, labels } = shown(
      seen(30, 1_000_000_000n),
      { ...move, isPaused: true, ...seen(10, 1_100_000_000n) },
      { amount: amountOf(kfi, 100_000_000n), rule: { way: "below", price: "90" }, ...seen(20, 10_500_000_000n) },
      other,
    );
    expect(lines).toEqual([
      "1 DVK-34ZH = 2 KLV · as of 2026-07-01 11:59 UTC",
      "1 KFI = 110 KLV · as of 2026-07-01 11:59 UTC",
    ]);
    expect(labels).toEqual(["KFI above 120 KLV", "KFI ±5% in KLV ⏸", "KFI below 90 KLV", "DVK-34ZH above 120 KLV"]);
  });

  test("says first of a pair what has no price", () => {
    const missing = { ...seen(200_000, 900_000_000n), missingSince: now - 100_000_000 };
    const { lines, labels } = shown(seen(10, 1_000_000_000n), missing, seen(20, 1_000_000_000n));
    expect(lines).toEqual(["1 KFI = 90 KLV · ⚠️ none since 2026-06-29 04:26 UTC"]);
    expect(labels).toEqual(["KFI above 120 KLV", "KFI above 120 KLV ⚠️", "KFI above 120 KLV"]);
    expect(shown({ last: undefined }).lines).toEqual([]);
  });
});
