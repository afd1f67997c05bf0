import { describe, expect, it } from "vitest";
import { amountOf, formatAmount } from "../../../src/encoding/amount.js";
import type { FaultParameters } from "../../../src/fault.js";
import { plainNumbers } from "../../../src/encoding/typed.js";
import { isParsed } from "../../../src/services/base/typed-line.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import {
  netAt,
  priceOrderLine,
  priceOrderParts,
  readLimit,
  readNamedOrder,
  readSpokenOrder,
  readStopLoss,
  type PriceOrderRequest,
} from "../../../src/services/standing/standing-request.js";
import { fc, property } from "../../support/property.js";
import { kfi, klv, locked } from "../samples.js";

const dvk = { ...kfi, id: "DVK-34ZH", name: "DVK", precision: 2 };
const tokens = tokenListOf([klv, kfi, dvk, locked]);
const limit = (line: string) => readLimit(line, tokens);
/** What a request asks for, in short. */
function shown(read: ReturnType<typeof readLimit>): string {
  if (!isParsed<PriceOrderRequest>(read))
    return typeof read === "string" ? read : read.faults.map(({ code }) => code).join();
  const net = "units" in read.pay ? formatAmount(netAt(read.kind, read.pay, read.to, read.at)) : "?";
  return `${priceOrderLine(read)} = ${net}`;
}

const choicesOf = (read: ReturnType<typeof readLimit>) =>
  typeof read === "object" && "faults" in read
    ? (read.faults[0]!.parameters as FaultParameters["trade-unclear"]).choices.map(({ label, command }) => [
        label,
        command,
      ])
    : read;

describe("/limit", () => {
  it.each([
    ["500 KLV KFI for 5.2", "500 KLV KFI for 5.2 = 5.2"],
    ["500 klv to kfi for 5.2 kfi", "500 KLV KFI for 5.2 = 5.2"],
    ["500KLV/KFI for 5.2 30d", "500 KLV KFI for 5.2 30d = 5.2"],
    ["500 KLV KFI por 5.2 até 2026-12-31", "500 KLV KFI for 5.2 2026-12-31 = 5.2"],
    // 500 / 96 is 5.208333…: a limit is never undercut.
    ["500 KLV KFI at 96 KLV", "500 KLV KFI at 96 KLV = 5.208334"],
    ["500 KLV for KFI at 96 KLV 30d", "500 KLV KFI at 96 KLV 30d = 5.208334"],
    ["500 KLV por KFI a 96 KLV", "500 KLV KFI at 96 KLV = 5.208334"],
    ["500 KLV KFI @96 KLV", "500 KLV KFI at 96 KLV = 5.208334"],
    ["500 KLV KFI quando abaixo de 96 KLV", "unreadable"],
    ["500 KLV KFI abaixo de 96 KLV", "500 KLV KFI at 96 KLV = 5.208334"],
    ["500 KLV KFI at 0.01 KFI", "500 KLV KFI at 0.01 KFI = 5"],
    ["5 KFI KLV at 110 KLV 4w", "5 KFI KLV at 110 KLV 4w = 550"],
    ["1k KLV KFI for .5", "1000 KLV KFI for 0.5 = 0.5"],
    ["50% KLV KFI at 96 KLV", "50% KLV KFI at 96 KLV = ?"],
    ["metade KLV KFI a 96 KLV", "50% KLV KFI at 96 KLV = ?"],
    ["500 KLV KFI", "incomplete"],
    ["", "incomplete"],
    ["KLV KFI at 96 KLV", "incomplete"],
    ["500 KLV KFI at 96 DVK-34ZH", "unreadable"],
    ["500 KLV KFI for 5.2 KLV", "unreadable"],
    ["500 KLV KFI at 96 KLV now please", "unreadable"],
    ["500 KLV KLV for 5", "tokens-identical"],
    ["500 KLV XYZ for 5", "token-unknown"],
    ["500 KLV LKTOK-1A2B for 5", "token-not-swappable"],
    ["500 KLV KFI at 0 KLV", "standing-price-zero"],
    ["500 KLV KFI for 0", "amount-zero"],
    ["500 KLV KFI for 5,200", "amount-comma"],
    ["0.000001 KLV DVK-34ZH for 0.001", "amount-too-many-decimals"],
    ["500 KLV KFI for 5 3m", "unlock-time-months"],
    ["500 KLV KFI for 5 3 months", "unreadable"],
    ["500 KLV KFI for 5 3months", "unlock-time-months"],
    ["500 KLV KFI for 5 to klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "payout-own"],
  ])("%s: %s", (line, expected) => {
    expect(shown(limit(line))).toBe(expected);
  });

  it.each([
    ["500,5 KLV KFI por 5,25", ",", "500.5 KLV KFI for 5.25 = 5.25"],
    ["1.234,5 KLV KFI a 96,5 KLV", ",", "1234.5 KLV KFI at 96.5 KLV = 12.792747"],
    ["1,234.5 KLV KFI at 96.5 KLV", ".", "1234.5 KLV KFI at 96.5 KLV = 12.792747"],
  ] as const)("reads both number formats: %s", (line, mark, expected) => {
    expect(shown(limit(plainNumbers(line, mark)))).toBe(expected);
  });

  it("counts a price without a token in KLV, and asks which of both readings is meant without KLV", () => {
    const read = limit("500 KLV KFI at 96 30d");
    expect(shown(read)).toBe("500 KLV KFI at 96 KLV 30d = 5.208334");
    expect(read).toMatchObject({ isAssumed: true });
    expect(limit("500 KLV KFI at 96 KLV")).not.toHaveProperty("isAssumed");
    expect(choicesOf(limit("5 DVK-34ZH KFI at 96 30d"))).toEqual([
      ["1 KFI = 96 DVK-34ZH", "limit 5 DVK-34ZH KFI at 96 DVK-34ZH 30d"],
      ["1 DVK-34ZH = 96 KFI", "limit 5 DVK-34ZH KFI at 96 KFI 30d"],
    ]);
  });

  it.each([
    // The first of two numbers is the amount, the last one the price.
    ["500 KLV KFI 96", "500 KLV KFI at 96 KLV = 5.208334"],
    ["500 KLV KFI 96 KLV 30d", "500 KLV KFI at 96 KLV 30d = 5.208334"],
    ["5 KFI to KLV 110", "5 KFI KLV at 110 KLV = 550"],
    ["50% KFI KLV 110", "50% KFI KLV at 110 KLV = ?"],
    ["KLV KFI 96", "incomplete"],
    ["500 KLV KFI 96 97", "unreadable"],
  ])("as people type it, %s: %s", (line, expected) => {
    expect(shown(limit(line))).toBe(expected);
  });

  it.each([
    ["5 KFI 90", ["KLV → 5 KFI", "limit 450 KLV KFI for 5"], ["5 KFI → KLV", "limit 5 KFI KLV at 90 KLV"]],
    ["KFI at 90 7d", ["KLV → KFI", "limit KLV KFI at 90 KLV 7d"], ["KFI → KLV", "limit KFI KLV at 90 KLV 7d"]],
    ["max KFI 90", ["KLV → KFI", "limit KLV KFI at 90 KLV"], ["max KFI → KLV", "limit max KFI KLV at 90 KLV"]],
    [
      "5 KFI 0.5 DVK-34ZH",
      ["DVK-34ZH → 5 KFI", "limit 2.5 DVK-34ZH KFI for 5"],
      ["5 KFI → DVK-34ZH", "limit 5 KFI DVK-34ZH at 0.5 DVK-34ZH"],
    ],
  ])("asks whether one token is bought or sold at its price: %s", (line, bought, sold) => {
    expect(choicesOf(limit(line))).toEqual([bought, sold]);
    // What a choice says is read, or asks for no more than the amount.
    for (const [, command = ""] of [bought, sold]) {
      const read = limit(command.replace("limit ", ""));
      expect(isParsed(read) || read === "incomplete", command).toBe(true);
    }
  });

  it("is read back from its line", () => {
    for (const line of ["500 KLV KFI for 5.2", "500 KLV KFI at 96 KLV 30d", "max KFI KLV at 0.5 KFI"]) {
      expect(priceOrderLine(limit(line) as PriceOrderRequest)).toBe(line);
    }
  });

  property(
    "gives at least what its price says, and less than a unit more; a stop is no more, and less than a unit less",
    [fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 1, max: 10 ** 9 }), fc.nat({ max: 6 }), fc.boolean()],
    (units, digits, decimals, isInverse) => {
      const price = `${digits}`
        .padStart(decimals + 1, "0")
        .replace(new RegExp(`(.{${decimals}})$`), ".$1")
        .replace(/\.$/, "");
      const at = { price, in: isInverse ? klv : kfi };
      const scale = 10n ** BigInt(decimals);
      const [over, under] = isInverse ? [units * scale, BigInt(digits)] : [units * BigInt(digits), scale];
      const pay = amountOf(klv, units);
      const most = netAt("limit", pay, kfi, at).units;
      expect(most * under).toBeGreaterThanOrEqual(over);
      expect((most - 1n) * under).toBeLessThan(over);
      if (over < under) return;
      const least = netAt("stop", pay, kfi, at).units;
      expect(least * under).toBeLessThanOrEqual(over);
      expect((least + 1n) * under).toBeGreaterThan(over);
    },
  );
});

it.each([
  ["5 KFI KLV at 90 KLV", "5 KFI KLV at 90 KLV = 450"],
  ["5 KFI KLV abaixo de 90 KLV 90d", "5 KFI KLV at 90 KLV 90d = 450"],
  ["500 KLV KFI at 96 KLV", "500 KLV KFI at 96 KLV = 5.208333"],
  ["5 KFI KLV for 450", "5 KFI KLV for 450 = 450"],
  ["5 KFI KLV", "incomplete"],
  ["5 KFI 90", "5 KFI KLV at 90 KLV = 450"],
  ["5 KFI at 90 30d", "5 KFI KLV at 90 KLV 30d = 450"],
  ["5 KFI 90 KLV", "5 KFI KLV at 90 KLV = 450"],
  ["5 KFI KLV 90", "5 KFI KLV at 90 KLV = 450"],
  ["5 kfi @90", "5 KFI KLV at 90 KLV = 450"],
  ["5 KFI a 90 por 30d", "5 KFI KLV at 90 KLV 30d = 450"],
  ["max KFI 90", "max KFI KLV at 90 KLV = ?"],
  ["5 KFI 0.5 DVK-34ZH", "5 KFI DVK-34ZH at 0.5 DVK-34ZH = 2.5"],
  ["KFI 90", "incomplete"],
  ["KFI", "incomplete"],
  ["KLV 90", "incomplete"],
])("/stoploss %s: %s", (line, expected) => {
  expect(shown(readStopLoss(line, tokens))).toBe(expected);
});

it.each([
  ["KFI 90 30d", { trade: "KFI KLV", price: "at 90 30d" }],
  ["5 KFI 90", { trade: "5 KFI KLV", price: "at 90" }],
  ["KFI 90 DVK-34ZH", { trade: "KFI DVK-34ZH", price: "at 90 DVK-34ZH" }],
  ["KLV KFI", { trade: "KLV KFI", price: "" }],
])("of %s, nothing is lost: %o", (line, parts) => {
  expect(priceOrderParts(line, tokens)).toEqual(parts);
});

it.each([
  ["stop loss KFI 90", "stoploss KFI 90"],
  ["Stop-loss 5 KFI 90", "stoploss 5 KFI 90"],
  ["stop KFI 90", "stoploss KFI 90"],
  ["take profit 5 KFI at 110", "takeprofit 5 KFI at 110"],
  ["limit order 500 KLV KFI at 96", "limit 500 KLV KFI at 96"],
  ["ordem limitada 500 KLV KFI a 96", "limit 500 KLV KFI a 96"],
  ["dca 100 KLV KFI monday 09:00 x12", "dca 100 KLV KFI monday 09:00 x12"],
  ["stop it", undefined],
  ["stop", undefined],
  ["limitless KFI", undefined],
])("by its name, %s: %s", (text, expected) => {
  const read = readNamedOrder(text, tokens);
  expect(read && `${read.command} ${read.line}`).toBe(expected);
});

it.each([
  ["buy 500 KLV of KFI below 96", "limit 500 KLV KFI at 96"],
  ["buy KFI for 500 KLV below 96 KLV", "limit 500 KLV KFI at 96 KLV"],
  ["compre KFI por 500 KLV abaixo de 96 KLV 30d", "limit 500 KLV KFI at 96 KLV 30d"],
  ["buy 5 KFI below 96 KLV", "limit 480 KLV KFI for 5"],
  ["buy 5 KFI < 96", "limit 480 KLV KFI for 5"],
  ["sell 5 KFI above 110 KLV", "limit 5 KFI KLV at 110 KLV"],
  ["venda 5 KFI acima de 110", "limit 5 KFI KLV at 110"],
  ["sell 5 KFI when it falls below 90", "stoploss 5 KFI KLV at 90"],
  ["sell 5 KFI below 90 KLV", "stoploss 5 KFI KLV at 90 KLV"],
  ["sell 50% KFI above 110 KLV", "limit 50% KFI KLV at 110 KLV"],
  ["sell 5 KFI at 110", "limit 5 KFI KLV at 110"],
  ["venda 5 KFI a 110 7d", "limit 5 KFI KLV at 110 7d"],
  ["sell KFI at 110", "limit KFI KLV at 110"],
  ["sell 5 KFI @110 DVK-34ZH", "limit 5 KFI DVK-34ZH at 110 DVK-34ZH"],
  // At most 100 times 90 KLV.
  ["buy 100 KFI at 90", "limit 9000 KLV KFI for 100"],
  ["compre 3 KFI a 33.333333 KLV", "limit 99.999999 KLV KFI for 3"],
  ["buy 5 KFI at 2 DVK-34ZH", "limit 10 DVK-34ZH KFI for 5"],
  ["buy KFI below 96 KLV", "limit KLV KFI at 96 KLV"],
  ["buy KFI at 90", "limit KLV KFI at 90"],
  ["buy 100 KFI at 90 please", undefined],
  ["sell a house at 90", undefined],
  // A trade, or two of them.
  ["buy KFI 50 KLV", undefined],
  ["sell KFI 50", undefined],
  // Not what an order is for, or not enough said.
  ["buy 5 KFI above 96 KLV", undefined],
  ["buy 5 KFI", undefined],
  ["what is below 5", undefined],
])("in words, %s: %s", (text, expected) => {
  const read = readSpokenOrder(text, tokens);
  expect(read && `${read.command} ${read.line}`).toBe(expected);
});
