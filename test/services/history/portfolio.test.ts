import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import type { Intent, OutcomeCheck } from "../../../src/services/intent/intent.js";
import { inLots, READ_AT_ONCE } from "../../../src/store/store.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import type { HeldLocks } from "../../../src/services/trade/lock-contract.js";
import {
  createPortfolio,
  MAX_CALLS,
  MAX_PRICED,
  totalOf,
  type WatchedAccount,
} from "../../../src/services/history/portfolio.js";
import { intent, now, swapTerms } from "../../cards/arrange.js";
import { poolOf } from "../market/pool-samples.js";
import { alice, kfi, klv, operator, person, testClock } from "../samples.js";
import { temporaryPlace } from "../../support/engine.js";

/** 100 KLV became 0.982076 KFI, and 0.009919 KFI went to the operator. */
const bought = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
const pool = poolOf(0, ["KLV", 25_317_442_118_203n], ["KFI", 251_904_663_712n], { lpTokenId: "LP", totalSupply: 100n });

/** A portfolio over these calls; `world` replaces what its services answer. */
async function arrange(
  calls: readonly Intent[],
  world: {
    readonly holdings?: Readonly<Record<string, bigint>>;
    readonly quote?: () => Promise<bigint>;
    readonly pools?: false;
    readonly ids?: readonly string[];
    readonly others?: HeldLocks;
    readonly watched?: readonly WatchedAccount[];
  } = {},
) {
  const place = await temporaryPlace();
  const store = await place.open();
  const quoted: string[] = [];
  let read = 0;
  const ids = world.ids ?? ["KLV", "KFI", "LP"];
  const portfolio = createPortfolio({
    balances: { known: async () => world.holdings },
    holdings: {
      askable: ({ recentTokens }, last) => [...new Set([...recentTokens, ...ids, ...last])],
      watched: async () => world.watched ?? [],
    },
    intents: {
      count: async () => calls.length,
      everything: (_owner, from, most) => {
        let at = from;
        return inLots<Intent>(most, async () => {
          const lot = calls.slice(at, (at += READ_AT_ONCE));
          read += lot.length;
          return lot;
        });
      },
    },
    lock: {
      heldElsewhere: async () => world.others,
      open: async () => [],
      statusIfTold: async () => undefined,
    },
    pools: { known: async () => (world.pools === false ? undefined : createPoolGraph([pool])) },
    rights: { known: () => Promise.resolve("untold") },
    swaps: {
      quote: async (_person, { pay, from, to }) => {
        quoted.push(from.id);
        const units = (await world.quote?.()) ?? 1_000_000n;
        return { ...swapTerms, amountIn: pay, quotedOut: amountOf(to, units) };
      },
    },
    tokens: { named: (id) => ({ ...kfi, id, name: id }) },
    store,
    clock: testClock(now),
    settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
  });
  const result = await portfolio({ userId: 1, person: person() }, alice, klv);
  await store.close();
  const assetOf = (id: string) => result.assets.find(({ token }) => token.id === id);
  return { result, assetOf, quoted, read: () => read };
}

describe("a portfolio", () => {
  it("has the locked tokens that were not locked here, up to twenty, and none if they can't be read", async () => {
    const token = { id: "LKTOK-1A2B/2", name: "Locked", precision: 6, kind: "semi-fungible" } as const;
    const held = { locked: { tokenId: "LKTOK-1A2B", nonce: 2n }, amount: amountOf(token, 75_000_000n) };
    const others = { locks: Array.from({ length: 30 }, () => held), lockedToken: "LKTOK-1A2B", upTo: 32 };
    expect((await arrange([], { others })).result.otherLocks).toEqual(others.locks.slice(0, 20));
    expect((await arrange([])).result.otherLocks).toEqual([]);
  });

  it("counts what certainly happened: no failed or unknown trade, but one that a later check found", async () => {
    const failed = intent(swapTerms, "FAILED", { kind: "failed", text: "Slippage exceeded" });
    const unread = intent(swapTerms, "OK", { kind: "ok", returnData: ["00"] });
    const check: OutcomeCheck = { at: now, by: "balances", finding: "arrived" };
    const seen = { before: { KFI: 0n }, after: { KFI: 982_076n }, finding: "arrived" } as const;
    const found: Intent = { ...unknown, check, balances: seen };
    const filed: Intent = { ...unknown, check: { at: now, by: "owner", finding: "not-arrived" } };
    const calls = [bought, failed, unknown, unread, found, filed, intent(swapTerms, "SENT")];
    const { result, assetOf } = await arrange(calls, { holdings: { KLV: 5n, KFI: 1_964_152n } });
    expect(assetOf("KFI")).toMatchObject({ bought: 1_964_152n, cost: 200_000_000n, realised: 0n });
    expect(result).toMatchObject({ uncounted: 2, tooOld: 0 });
  });

  it("values a holding at what selling it all brings after the fee, and its known part against its cost", async () => {
    const { result, assetOf } = await arrange([bought], {
      holdings: { KLV: 5_000_000n, KFI: 1_964_152n, LP: 10n },
      // What a quote claims is no price.
      quote: async () => 18_000_000_000n,
    });
    // Computed independently: the pool gives 196.811510 KLV, of which the operator gets one percent, for what 197.405256 is.
    expect(assetOf("KFI")).toMatchObject({
      sale: { value: amountOf(klv, 194_843_395n), costBps: 130n, isThin: false },
      paid: { known: amountOf(kfi, 982_076n), cost: amountOf(klv, 100_000_000n) },
      unrealised: 97_421_697n - 100_000_000n,
    });
    expect(assetOf("KLV")).toMatchObject({ sale: { value: amountOf(klv, 5_000_000n) }, unrealised: undefined });
    expect(assetOf("LP")).toBeUndefined();
    expect(result.shares).toMatchObject([
      { amount: { units: 10n }, first: { units: 2_531_744_211_820n }, second: { units: 25_190_466_371n } },
    ]);
  });

  it("values watch-only addresses by the pools alone, and counts nothing of them in its total, positions or gains", async () => {
    const dvk = { ...kfi, id: "DVK" };
    const { result, assetOf, quoted } = await arrange([bought], {
      holdings: { KFI: 982_076n },
      quote: async () => 7_000_000n,
      watched: [
        { name: "Savings", address: operator, held: [amountOf(klv, 5n), amountOf(kfi, 1_964_152n), amountOf(dvk, 9n)] },
        { name: "Till", address: alice, held: undefined },
      ],
    });
    const [savings, till] = result.watchOnly;
    // As for the user's own.
    expect(savings).toMatchObject({ name: "Savings", address: operator });
    expect(savings?.assets?.map(({ sale }) => sale?.value.units)).toEqual([5n, 194_843_395n, undefined]);
    expect(totalOf({ assets: savings?.assets ?? [] })).toMatchObject({ total: { units: 194_843_400n }, open: 1 });
    expect(till).toEqual({ name: "Till", address: alice, assets: undefined });
    expect(quoted).toEqual([]);
    expect(assetOf("KFI")).toMatchObject({ held: { units: 982_076n }, bought: 982_076n });
    expect(assetOf("DVK")).toBeUndefined();
    expect(totalOf(result).total?.units).toBe(assetOf("KFI")?.sale?.value.units);
  });

  it("shows unknown, never zero, if no service answers", async () => {
    const away = () => Promise.reject(new Fault("service-timeout", { service: "quotation" }));
    const unpriced = await arrange([bought], { holdings: { KFI: 982_076n, LP: 10n }, quote: away, pools: false });
    expect(unpriced.assetOf("KFI")).toMatchObject({ sale: undefined, unrealised: undefined, bought: 982_076n });
    expect(unpriced.result).toMatchObject({ shares: undefined, isSeen: true });
    expect(unpriced.assetOf("LP")?.held).toEqual(expect.objectContaining({ units: 10n }));
    const unseen = await arrange([bought]);
    expect(unseen.result.isSeen).toBe(false);
    expect(unseen.assetOf("KFI")).toMatchObject({
      held: undefined,
      sale: undefined,
      paid: { known: { units: 982_076n } },
    });
    expect(unseen.quoted).toEqual([]);
  });

  it("asks for a quote only for a token without pools, which has nothing to compare it with", async () => {
    const { assetOf, quoted } = await arrange([], { holdings: { OTHER: 3n, KFI: 7n }, ids: ["OTHER", "KFI"] });
    expect(quoted).toEqual(["OTHER"]);
    expect(assetOf("OTHER")?.sale).toEqual({ value: amountOf(klv, 990_000n) });
  });

  it(`asks for ${MAX_PRICED} prices at most, and those it did not ask for are unknown`, async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `T${index}`);
    const holdings = Object.fromEntries(ids.map((id) => [id, 7n]));
    const { result, quoted } = await arrange([], { holdings, ids });
    expect(quoted).toEqual(ids.slice(0, MAX_PRICED));
    expect(result.assets).toHaveLength(40);
    expect(result.assets.filter(({ sale }) => sale !== undefined)).toHaveLength(MAX_PRICED);
  });

  it("reads 10,000 trades once, and lets others run after every few, and while they are counted up", async () => {
    const calls = Array.from({ length: 10_000 }, (_, at): Intent => ({ ...bought, times: { CLAIMED: at, OK: at } }));
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();
    const { assetOf, read } = await arrange(calls, { holdings: { KFI: 9_820_760_000n } });
    isOver = true;
    expect(read()).toBe(10_000);
    expect(turns).toBeGreaterThanOrEqual(10_000 / 25 + 10);
    expect(assetOf("KFI")).toMatchObject({ bought: 9_820_760_000n, cost: 1_000_000_000_000n });
  });

  it("counts only the newest calls of a history beyond its limit, and says how many it leaves out", async () => {
    const calls = Array<Intent>(MAX_CALLS + 7).fill(bought);
    const { result, read, assetOf } = await arrange(calls, { holdings: {} });
    expect(result.tooOld).toBe(7);
    expect(read()).toBe(MAX_CALLS);
    expect(assetOf("KFI")?.bought).toBe(982_076n * BigInt(MAX_CALLS));
  });
});
