import { describe, expect, it } from "vitest";
import { amountOf, type Amount, type Holdings } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { MAX_CALLS } from "../../../src/services/history/portfolio.js";
import { createTokenPosition } from "../../../src/services/history/token-position.js";
import type { IntentChange } from "../../../src/services/intent/change.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { inLots } from "../../../src/store/store.js";
import { intent, routeTerms, swapTerms } from "../../cards/arrange.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { testLog } from "../../bot/receive/updates.js";
import { swap } from "./past-swap.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv, person } from "../samples.js";

/** KFI: 100 for 1,000; 150 for 1,700; then 40 of them, which cost 453.3, up 454, for 600. Left: 110 for 1,246. */
const trades = [
  swap(1, [1_000n, klv], [101n, kfi]),
  swap(2, [700n, klv], [50n, kfi]),
  swap(3, [40n, kfi], [606n, klv]),
];
const pool = poolOf(0, ["KLV", 2_000_000n], ["KFI", 100_000n]);

function arrange(calls: readonly Intent[] = trades, world: { readonly pools?: false } = {}) {
  const clock = createVirtualClock();
  let history = calls;
  let reads = 0;
  let fault: Fault | undefined;
  let release: Promise<void> | undefined;
  let listener: (change: IntentChange) => void = () => undefined;
  const count = async () => history.length;
  const position = createTokenPosition({
    intents: {
      count,
      newestCall: async () => history.at(-1)?.id,
      everything: (_owner, from, most) => {
        reads += 1;
        if (fault !== undefined) throw fault;
        let at = from;
        return inLots<Intent>(most, async () => {
          await release;
          return history.slice(at, (at += 100));
        });
      },
    },
    events: { on: (_name, given) => (listener = given) },
    pools: { known: async () => (world.pools === false ? undefined : createPoolGraph([pool])) },
    rights: { known: () => Promise.resolve("untold") },
    swaps: { quote: () => Promise.reject(new Fault("service-timeout", { service: "quotation" })) },
    settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
    clock,
    log: testLog().log,
  });
  return {
    of: (held: Amount | undefined, token = kfi, userId = 1) => position({ userId, person: person() }, token, klv, held),
    changes: (after: Intent) => listener({ before: undefined, after }),
    becomes: (next: readonly Intent[]) => (history = next),
    fails: (next: Fault | undefined) => (fault = next),
    /** Lets counts wait until the promise resolves. */
    waitsFor: (next: Promise<void>) => void (release = next),
    clock,
    reads: () => reads,
  };
}

describe("a position", () => {
  // Worked out by hand, in base units: what is held; what it cost; what selling it brings after fees; the gain.
  it.each([
    ["all that was bought here", 110n, [110n, 1_246n], 2_169n, 2_169n - 1_246n],
    ["with 50 more from elsewhere", 160n, [110n, 1_246n], 3_154n, 2_168n - 1_246n],
    ["with 50 of it sent away", 60n, [60n, 680n], 1_184n, 1_184n - 680n],
    ["nothing any more", 0n, undefined, undefined, undefined],
    ["what can't be read", undefined, [110n, 1_246n], undefined, undefined],
  ] as const)("of %s matches the table to the unit", async (_name, units, paid, sale, gain) => {
    const found = await arrange().of(units === undefined ? undefined : amountOf(kfi, units));
    expect(found.paid).toEqual(paid && { known: amountOf(kfi, paid[0]), cost: amountOf(klv, paid[1]) });
    expect(found.sale?.value).toEqual(sale === undefined ? undefined : amountOf(klv, sale));
    expect(found).toMatchObject({ unrealised: gain, realised: 600n - 454n, soldUnknown: 0n, uncounted: 0 });
  });

  it("from elsewhere has an unknown cost and gain, never zero, and without pools or a quote no value", async () => {
    const foreign = await arrange([]).of(amountOf(kfi, 5n));
    expect(foreign).toMatchObject({ sale: { value: amountOf(klv, 99n) }, paid: undefined, unrealised: undefined });
    const unpriced = await arrange(trades, { pools: false }).of(amountOf(kfi, 110n));
    expect(unpriced).toMatchObject({ sale: undefined, unrealised: undefined, paid: { cost: amountOf(klv, 1_246n) } });
  });

  it("in the token that it is counted in is its own value, and has no cost", async () => {
    const native = await arrange().of(amountOf(klv, 7n), klv);
    expect(native).toMatchObject({ sale: { value: amountOf(klv, 7n) }, paid: undefined, unrealised: undefined });
  });

  it("names trades of unknown outcome, and doesn't count them", async () => {
    const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
    const found = await arrange([...trades, unknown]).of(amountOf(kfi, 110n));
    expect(found).toMatchObject({ uncounted: 1, paid: { cost: amountOf(klv, 1_246n) } });
  });

  it("never builds a cost on what an exact output can have cost at most, but on what left the account", async () => {
    const hop = { ...routeTerms.hops[0]!, amountIn: amountOf(klv, 900n), amountOut: amountOf(kfi, 50n) };
    const spends = { expected: amountOf(klv, 800n), atMost: amountOf(klv, 900n) };
    const [amountIn, minimumOut] = [hop.amountIn, hop.amountOut];
    const terms = { ...routeTerms, hops: [{ ...hop, wanted: minimumOut, spends }], amountIn, minimumOut };
    const exact = (before: Holdings, after: Holdings): Intent => ({
      ...intent(terms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }),
      times: { CLAIMED: 3, UNKNOWN: 3 },
      balances: { before: { KFI: 0n, ...before }, after: { KFI: 50n, ...after }, finding: "arrived" },
      check: { at: 3, by: "balances", finding: "arrived" },
    });
    const [first] = trades as [Intent];
    const held = amountOf(kfi, 150n);
    // 100 for 1,000 are known. Whether the other 50 cost 900 or less isn't.
    const unproven = await arrange([first, exact({}, {})]).of(held);
    expect(unproven).toMatchObject({ uncounted: 1, bought: 100n, cost: 1_000n });
    expect(unproven.paid).toEqual({ known: amountOf(kfi, 100n), cost: amountOf(klv, 1_000n) });
    // 850 of the 900 are gone.
    const proven = await arrange([first, exact({ KLV: 2_000n }, { KLV: 1_150n })]).of(held);
    expect(proven).toMatchObject({ uncounted: 0, bought: 150n, cost: 1_850n });
    const alone = await arrange([exact({}, {})]).of(amountOf(kfi, 50n));
    expect(alone).toMatchObject({ paid: undefined, unrealised: undefined, uncounted: 1 });
  });

  it("names calls that are too old to count", async () => {
    const unsent = intent(swapTerms, "EXPIRED");
    const found = await arrange([trades[0]!, ...Array<Intent>(MAX_CALLS).fill(unsent)]).of(amountOf(kfi, 100n));
    expect(found).toMatchObject({ tooOld: 1, paid: undefined });
  });
});

describe("a history", () => {
  const held = amountOf(kfi, 110n);

  it("is counted once for any number of tokens, until one of its calls changes", async () => {
    const desk = arrange();
    await Promise.all([desk.of(held), desk.of(held), desk.of(amountOf(klv, 1n), klv)]);
    await desk.of(held);
    expect(desk.reads()).toBe(1);
    // A card that is shown and not confirmed changes nothing.
    desk.changes({ ...intent(swapTerms), owner: 1 });
    desk.changes({ ...trades[0]!, owner: 2 });
    await desk.of(held);
    expect(desk.reads()).toBe(1);
    desk.becomes([...trades, swap(4, [60n, kfi], [1_212n, klv])]);
    desk.changes({ ...trades[0]!, owner: 1 });
    // 60 of 110 cost 679.6, up 680.
    expect(await desk.of(amountOf(kfi, 50n))).toMatchObject({
      bought: 50n,
      cost: 566n,
      realised: 146n + 1_200n - 680n,
    });
    expect(desk.reads()).toBe(2);
  });

  it("that an older call's end changes is counted again", async () => {
    const sending = { ...trades[2]!, state: "SENT", outcome: undefined } as unknown as Intent;
    const desk = arrange([trades[0]!, trades[1]!, sending]);
    expect(await desk.of(held)).toMatchObject({ bought: 150n, realised: 0n });
    desk.becomes(trades);
    desk.changes({ ...trades[2]!, owner: 1 });
    expect(await desk.of(held)).toMatchObject({ bought: 110n, realised: 146n });
  });

  it("that was deleted is forgotten, although nothing announces that", async () => {
    const desk = arrange();
    await desk.of(held);
    desk.becomes([]);
    expect(await desk.of(held)).toMatchObject({ paid: undefined, realised: 0n });
    desk.becomes(trades.slice(0, 1));
    expect(await desk.of(held)).toMatchObject({ bought: 100n, cost: 1_000n });
  });

  it("that can't be read makes the cost unknown, and is read again for the next card", async () => {
    const desk = arrange();
    desk.fails(new Fault("store-unreadable", { document: "intents/1" }));
    expect(await desk.of(held)).toMatchObject({ held, paid: undefined, sale: { value: amountOf(klv, 2_169n) } });
    desk.fails(undefined);
    expect(await desk.of(held)).toMatchObject({ paid: { cost: amountOf(klv, 1_246n) } });
  });

  it("that takes long doesn't hold up the card, and is there for the next one", async () => {
    const desk = arrange();
    let go = () => {};
    desk.waitsFor(new Promise((resolve) => (go = resolve)));
    const first = desk.of(held);
    await desk.clock.advance(3_000);
    expect(await first).toMatchObject({ held, paid: undefined, sale: { value: amountOf(klv, 2_169n) } });
    go();
    expect(await desk.of(held)).toMatchObject({ paid: { cost: amountOf(klv, 1_246n) } });
    expect(desk.reads()).toBe(1);
  });

  it("of more than a thousand people is counted again for whoever asked least lately", async () => {
    const desk = arrange();
    for (let userId = 1; userId <= 1_000; userId += 1) await desk.of(held, kfi, userId);
    await desk.of(held, kfi, 1);
    expect(desk.reads()).toBe(1_000);
    await desk.of(held, kfi, 1_001);
    await desk.of(held, kfi, 1);
    expect(desk.reads()).toBe(1_001);
    await desk.of(held, kfi, 2);
    expect(desk.reads()).toBe(1_002);
  });
});
