import { describe, expect, it } from "vitest";
import { taxForms, type TaxForm } from "../../src/cards/buttons.js";
import { taxFileHeads, taxLines } from "../../src/cards/tax-file.js";
import { amountOf, unlistedToken, type Amount, type Token } from "../../src/encoding/amount.js";
import type { Intent, IntentOutcome } from "../../src/services/intent/intent.js";
import { referralSplit } from "../../src/services/market/referral.js";
import type { HopTerms, SwapTerms } from "../../src/services/terms/swap-terms.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { nested } from "../encoding/nested.js";
import { kfi, klv } from "../services/samples.js";
import { readCsv } from "../support/read-csv.js";
import { seededRandom } from "../support/seed.js";
import { placeAt, walletTransaction } from "../support/wallet-transaction.js";
import { dvk, en, intent, lockTerms, now, pt, routeTerms, swapTerms, unlockTerms } from "./arrange.js";

const HASH = "ab".repeat(32);
const NETWORK_FEE = 4_500_000n;

/** The header lines as their programs publish them; the addresses are in docs/interfaces.md. */
const published = {
  koinly:
    "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash",
  cointracking:
    "Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,Trade-Group,Comment,Date,Tx-ID",
};

function signed(call: Intent, hash = HASH): Intent {
  const place = placeAt(call.state, call.outcome);
  return { ...call, transaction: walletTransaction(place, { hash, networkFee: amountOf(klv, NETWORK_FEE) }) };
}

/** A swap that the contract has answered: `total` before its fee of 1 %. */
function swapOf(paid: Amount, total: Amount): Intent {
  const { referral, rest } = referralSplit(total, 1000);
  const terms: SwapTerms = {
    ...swapTerms,
    amountIn: paid,
    quotedOut: total,
    minimumOut: amountOf(total.token, 1n),
    request: { kind: "swap", pay: paid, from: paid.token, to: total.token },
  };
  const returnData = [referral, rest].map(({ units }) => {
    const hex = units.toString(16);
    return hex.padStart(hex.length + (hex.length % 2), "0");
  });
  return intent(terms, "OK", { kind: "ok", returnData });
}

const file = (form: TaxForm, intents: readonly Intent[], view = en) =>
  taxFileHeads[form] + taxLines(form, intents, view).text;
/** Each row without its empty fields. */
const rowsIn = (form: TaxForm, intents: readonly Intent[]) =>
  readCsv(file(form, intents)).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")),
  );

const answer: IntentOutcome = { kind: "ok", returnData: ["26bf", "0efc3c"] };
const answered = intent(swapTerms, "OK", answer);
const [hundredKlv, oneKfi] = [amountOf(klv, 100_000_000n), amountOf(kfi, 1_000_000n)];

describe("what tax programs import", () => {
  it.each(taxForms)("has the columns that %s publishes, in ASCII, without a byte order mark", (form) => {
    expect(taxFileHeads[form]).toBe(`${published[form]}\r\n`);
    const hostile = { ...dvk, name: "=1+1 \u202e" };
    const text = file(form, [signed(swapOf(amountOf(hostile, 5n), oneKfi)), signed(answered)], pt);
    expect(text).toMatch(/^[\x20-\x7e\r\n]*$/);
  });

  it("has a swap as one row: what arrived is without the contract's fee, which is not counted again", () => {
    expect(rowsIn("koinly", [signed(answered)])).toEqual([
      {
        Date: "2026-07-01 12:00:00",
        "Sent Amount": "100.0",
        "Sent Currency": "KLV",
        "Received Amount": "0.982076",
        "Received Currency": "KFI",
        "Fee Amount": "4.5",
        "Fee Currency": "KLV",
        Description: "swap; received after a fee of 0.009919 KFI",
        TxHash: HASH,
      },
    ]);
    // A fee in one of a trade's tokens is part of the amounts.
    expect(rowsIn("cointracking", [signed(answered)])).toEqual([
      {
        Type: "Trade",
        "Buy Amount": "0.982076",
        "Buy Currency": "KFI",
        "Sell Amount": "104.5",
        "Sell Currency": "KLV",
        Fee: "4.5",
        "Fee Currency": "KLV",
        Exchange: "Klever",
        Comment: "swap; received after a fee of 0.009919 KFI",
        Date: "2026-07-01 12:00:00",
        "Tx-ID": HASH,
      },
    ]);
  });

  it("has a network fee in the token that was bought, or in neither, as CoinTracking asks for it", () => {
    const sale = signed(swapOf(oneKfi, hundredKlv));
    expect(rowsIn("cointracking", [sale])).toMatchObject([
      { "Buy Amount": "94.5", "Buy Currency": "KLV", "Sell Amount": "1.0", Fee: "4.5", "Fee Currency": "KLV" },
    ]);
    expect(rowsIn("koinly", [sale])).toMatchObject([{ "Received Amount": "99.0", "Fee Amount": "4.5" }]);
    const other = signed(swapOf(oneKfi, amountOf(dvk, 7_000_000n)));
    const { Fee, ...rows } = rowsIn("cointracking", [other])[0]!;
    expect(Fee).toBeUndefined();
    expect(rows).toMatchObject({ Type: "Trade", "Buy Amount": "6.93", "Buy Currency": "DVK-34ZH" });
    expect(rowsIn("cointracking", [other])[1]).toEqual({
      Type: "Other Fee",
      "Sell Amount": "4.5",
      "Sell Currency": "KLV",
      Exchange: "Klever",
      Comment: "swap; received after a fee of 0.07 DVK-34ZH",
      Date: "2026-07-01 12:00:00",
      "Tx-ID": HASH,
    });
    // A fee above what was bought would make that negative.
    const tiny = signed(swapOf(oneKfi, amountOf(klv, 1_000_000n)));
    expect(rowsIn("cointracking", [tiny]).map((row) => [row["Type"], row["Buy Amount"], row["Sell Amount"]])).toEqual([
      ["Trade", "0.99", "1.0"],
      ["Other Fee", undefined, "4.5"],
    ]);
  });

  it("has of locks, launches and what the chain refused only what the network charged", () => {
    const refused = { kind: "failed", text: "Slippage exceeded", costsFee: true } as const;
    const free = { kind: "failed", text: "Slippage exceeded" } as const;
    const calls = [
      signed(intent(lockTerms, "OK", { kind: "ok", returnData: [] })),
      signed(intent(unlockTerms, "OK", { kind: "ok", returnData: [] })),
      signed(intent(swapTerms, "FAILED", refused)),
      signed(intent(swapTerms, "FAILED", free)),
      intent(lockTerms, "OK", { kind: "ok", returnData: [] }),
      intent(swapTerms, "FAILED", { kind: "not-sent", code: "quote-none" }),
      signed(intent(swapTerms, "SENT")),
    ];
    const about = ["lock", "unlock", "swap"].map((kind) => `network fee of: ${kind}`);
    expect(rowsIn("koinly", calls)).toEqual(
      about.map((Description) => ({
        Date: "2026-07-01 12:00:00",
        "Sent Amount": "4.5",
        "Sent Currency": "KLV",
        Label: "cost",
        Description,
        TxHash: HASH,
      })),
    );
    expect(rowsIn("cointracking", calls)).toMatchObject(
      about.map((Comment) => ({ Type: "Other Fee", "Sell Amount": "4.5", Comment })),
    );
    expect(taxLines("koinly", calls, en).leftOut).toBe(0);
  });

  it("leaves out, and counts, what isn't proven or not known in whole tokens", () => {
    const unlisted = unlistedToken("XYZ-1A2B");
    const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
    const arrived = {
      ...unknown,
      balances: {
        before: { KLV: 200_000_000n, KFI: 0n },
        after: { KLV: 100_000_000n, KFI: 982_000n },
        finding: "arrived" as const,
      },
      check: { at: now, by: "balances" as const, finding: "arrived" as const },
    };
    const seen = { ...answered, balances: arrived.balances };
    const outOfRange = signed(intent(swapTerms, "OK", { kind: "ok", returnData: ["01", "02"] }));
    const coarse = signed(swapOf(amountOf(unlisted, 5n), oneKfi));
    const calls = [answered, unknown, outOfRange, coarse, seen, arrived];
    for (const form of taxForms) expect(taxLines(form, calls, en).leftOut).toBe(4);
    const sums = rowsIn("koinly", calls).map((row) => [row["Sent Amount"], row["Received Amount"], row["Label"]]);
    expect(sums).toEqual([
      ["4.5", undefined, "cost"],
      ["4.5", undefined, "cost"],
      ["100.0", "0.982076", undefined],
      ["100.0", "0.982", undefined],
    ]);
    // Once the list names the token, its amounts are known.
    const tokens = tokenListOf([klv, kfi, { ...unlisted, precision: 2 }]);
    expect(taxLines("koinly", [coarse], { ...en, tokenOf: tokens.named })).toMatchObject({ leftOut: 0 });
  });

  it("writes no formula, and a token by its ID, which no look-alike shares", () => {
    const named = (id: string): Token => ({ id, name: "BTC", precision: 6, kind: "fungible" });
    const [row] = rowsIn("koinly", [
      signed(swapOf(amountOf(named('=SUM(A1),"x"'), 5n), amountOf(named("BTC-1A2B"), 500n))),
    ]);
    expect(row).toMatchObject({ "Sent Currency": `'=SUM(A1),"x"`, "Received Currency": "BTC-1A2B" });
    for (const id of ["+1", "-X", "@A", "\tA", "=A"]) {
      const [first] = rowsIn("cointracking", [signed(swapOf(amountOf(named(id), 5n), oneKfi))]);
      expect(first!["Sell Currency"]).toBe(`'${id}`);
    }
  });

  it("has a route's payment without what came back, and nothing as its fee", () => {
    const route = signed(
      intent(routeTerms, "OK", {
        kind: "ok",
        returnData: [
          nested.payment({ tokenId: "KLV", units: 902_711n }) + nested.payment({ tokenId: "KFI", units: 890_000n }),
        ],
      }),
    );
    expect(rowsIn("koinly", [route])).toMatchObject([
      { "Sent Amount": "90.271", "Received Amount": "0.89", Description: "multihop" },
    ]);
  });

  it("leaves out a route whose payment nothing proves, since an exact output may have given some of it back", () => {
    const seen: Pick<Intent, "balances" | "check"> = {
      balances: { before: { KFI: 0n }, after: { KFI: 890_000n }, finding: "arrived" },
      check: { at: now, by: "balances", finding: "arrived" },
    };
    const unanswered = (terms: typeof routeTerms) => ({
      ...intent(terms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }),
      ...seen,
    });
    expect(taxLines("koinly", [unanswered(routeTerms)], en)).toEqual({ text: "", leftOut: 1, keeping: 0 });
    const known = {
      ...unanswered(routeTerms),
      balances: {
        before: { KFI: 0n, KLV: 200_000_000n },
        after: { KFI: 890_000n, KLV: 109_500_000n },
        finding: "arrived",
      },
    } as const;
    expect(rowsIn("koinly", [known])).toMatchObject([{ "Sent Amount": "90.5", "Received Amount": "0.89" }]);
    const [{ spends: _spends, ...first }, ...others] = [...routeTerms.hops] as [HopTerms, ...HopTerms[]];
    const plain = { ...routeTerms, hops: [first, ...others] };
    expect(rowsIn("koinly", [unanswered(plain)])).toMatchObject([{ "Received Amount": "0.89" }]);
  });
});

describe("over a random history", () => {
  const random = seededRandom("tax files");
  const some = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const units = (most: number) => BigInt(1 + Math.floor(random() ** 4 * most));
  const tokens = [klv, kfi, dvk];

  const history = Array.from({ length: 2_000 }, (_, index): Intent => {
    const [from, to] = [some(tokens), some(tokens)];
    const trade = swapOf(
      amountOf(from, units(1e12)),
      amountOf(from === to ? some(tokens.filter((one) => one !== from)) : to, 100n + units(1e12)),
    );
    const call = some([trade, trade, trade, intent(lockTerms, "OK", answer), answered]);
    return call === answered ? call : signed(call, `hash-${index}`);
  });

  /** What moved in all, by the calls' terms alone. */
  const expected = new Map<string, bigint>();
  for (const { terms, outcome, transaction } of history) {
    const add = (token: Token, by: bigint) => expected.set(token.id, (expected.get(token.id) ?? 0n) + by);
    if (transaction === undefined) continue;
    add(klv, -NETWORK_FEE);
    if (terms.kind !== "swap" || outcome?.kind !== "ok") continue;
    add(terms.amountIn.token, -terms.amountIn.units);
    add(terms.quotedOut.token, BigInt(`0x${outcome.returnData[1]}`));
  }

  const inUnits = (text: string | undefined) => {
    const [whole = "0", decimals = ""] = (text ?? "0").split(".");
    return BigInt(whole + decimals.padEnd(6, "0"));
  };
  const added = (moves: readonly (readonly [id: string | undefined, amount: string | undefined, sign: bigint])[]) => {
    const sums = new Map<string, bigint>();
    for (const [id, amount, sign] of moves) if (id) sums.set(id, (sums.get(id) ?? 0n) + sign * inUnits(amount));
    return sums;
  };

  it("adds up to what the account paid and got, in both files, and each amount is a plain decimal", () => {
    const koinly = rowsIn("koinly", history);
    const cointracking = rowsIn("cointracking", history);
    expect(
      added(
        koinly.flatMap((row) => [
          [row["Sent Currency"], row["Sent Amount"], -1n],
          [row["Received Currency"], row["Received Amount"], 1n],
          [row["Fee Currency"], row["Fee Amount"], -1n],
        ]),
      ),
    ).toEqual(expected);
    // Its fee column is told besides, and moves nothing.
    expect(
      added(
        cointracking.flatMap((row) => [
          [row["Sell Currency"], row["Sell Amount"], -1n],
          [row["Buy Currency"], row["Buy Amount"], 1n],
        ]),
      ),
    ).toEqual(expected);
    const amounts = [...koinly, ...cointracking].flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) => (/Amount|^Fee$/.test(name) ? [value] : [])),
    );
    expect(amounts.filter((amount) => !/^[0-9]+\.[0-9]+$/.test(amount))).toEqual([]);
    expect(amounts.length).toBeGreaterThan(history.length);
    expect(new Set(koinly.map((row) => row["TxHash"])).size).toBe(koinly.length);
  });

  it("lists nothing of an account that did nothing", () => {
    for (const form of taxForms) expect(readCsv(file(form, []))).toEqual([]);
  });
});
