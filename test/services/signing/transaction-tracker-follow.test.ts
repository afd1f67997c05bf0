import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import { NotConnected } from "../../../src/services/base/requests.js";
import { insertIntent, makeDue } from "../../../src/services/intent/intent-row.js";
import { writeEach } from "../../support/engine.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import type { IntentState, SignedIntent } from "../../../src/services/intent/intent.js";
import { createTransactionTracker } from "../../../src/services/signing/transaction-tracker.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { silent } from "../samples.js";

type Parts = Parameters<typeof createTransactionTracker>[0];

/** Runs a tracker on these intents, with only the methods of node and intents that a test needs. */
async function track(clock: VirtualClock, followed: readonly SignedIntent[], node: object, intents: object) {
  await store.write((tx) => tx.deleteFrom("intents").execute());
  await writeEach(store, followed, (tx, each) =>
    insertIntent(tx, { ...each, transaction: { ...each.transaction, hash: each.id, token: each.id } }),
  );
  const unsaid = { present: async () => undefined, store, clock, log: silent };
  const tracker = createTransactionTracker({
    ...unsaid,
    blocks: toldBlocks({ isCurrent: false }).blocks,
    node: node as Parts["node"],
    intents: intents as Parts["intents"],
  });
  const stopping = new AbortController();
  const running = tracker.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
  };
  onTestFinished(() => stopping.abort());
  return { stop, lookUp: tracker.lookUp };
}
const follow = (...parts: Parameters<typeof track>) => track(...parts).then(({ stop }) => stop);
const store = createMemoryDisk().open();

const transaction = walletTransaction({ phase: "broadcast", signature: "00", broadcastAt: 0 });

it("looks up a thousand transactions with at most ten requests a second", async () => {
  const clock = createVirtualClock();
  const sent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() } };
  const followed = Array.from({ length: 1000 }, (_, index): SignedIntent => {
    return { ...sent, id: String(index), transaction: { ...transaction, hash: String(index) } };
  });
  const asked: number[] = [];
  const lookedUp = new Set<string>();
  const answer = async <Value>(value: Value): Promise<Value> => {
    asked.push(clock.monotonic());
    return value;
  };
  await follow(
    clock,
    followed,
    {
      nonce: () => answer({ nonce: 7n, txPending: 1n }),
      transaction: (hash: string) => {
        lookedUp.add(hash);
        return answer({ block: 0n, isOk: true, returnData: [], text: "" });
      },
    },
    { find: async (_owner: number, id: string) => followed[Number(id)] },
  );
  await clock.advance(240_000);
  // Two requests for each of a thousand at ten a second: each had its turn.
  expect(lookedUp.size).toBe(1000);
  expect(asked.length).toBeGreaterThan(2300);
  for (const [index, at] of asked.entries()) {
    expect((asked[index + 10] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1000);
  }
});

it("makes longer pauses only until an absent node answers again", async () => {
  const clock = createVirtualClock();
  const sent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() }, transaction };
  const looks: { at: number; isAway: boolean }[] = [];
  const answer = async <Value>(value: Value): Promise<Value> => {
    // Away for a minute, and later for one request.
    const isAway = clock.monotonic() < 60_000 || looks.at(-1)?.isAway === false;
    looks.push({ at: clock.monotonic(), isAway });
    if (isAway) throw new Error("unreachable");
    return value;
  };
  const stop = await follow(
    clock,
    [sent],
    {
      nonce: async () => ({ nonce: 7n, txPending: 1n }),
      transaction: () => answer({ block: 0n, isOk: true, returnData: [], text: "" }),
    },
    { find: async () => sent },
  );
  await clock.advance(180_000);
  await stop();
  const first = looks.findIndex(({ isAway }) => !isAway);
  const pauseAt = (index: number) => (looks[index + 1]?.at ?? Number.POSITIVE_INFINITY) - (looks[index]?.at ?? 0);
  expect(looks[first + 1]?.isAway).toBe(true);
  expect(pauseAt(first - 1)).toBeGreaterThan(10_000);
  expect(pauseAt(first + 1)).toBeLessThan(5000);
});

describe("a broadcast", () => {
  const signed = walletTransaction({ phase: "signed", signature: "00" });
  /** What a tracker does about one that a node answers in this way. `known`: whether it then has the transaction. */
  async function broadcast(of: SignedIntent["transaction"], answer: () => Promise<string | undefined>, known = false) {
    const clock = createVirtualClock();
    const sent: SignedIntent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() - 60_000 }, transaction: of };
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    let isAsked = false;
    const stop = await follow(
      clock,
      [sent],
      {
        nonce: async () => ({ nonce: 7n, txPending: 0n }),
        height: async () => 9n,
        transaction: async () => (known && isAsked ? { block: 0n, isOk: true, returnData: [] } : undefined),
        broadcast: () => {
          isAsked = true;
          return answer();
        },
      },
      {
        find: async () => sent,
        settle: note("ended"),
        requests: {
          mayLeave: async () => undefined,
          clearBroadcast: note("unsent"),
          markRefused: note("refused"),
        },
      },
    );
    await clock.advance(20_000);
    await stop();
    return new Set(done);
  }
  const cut = (cause?: Error) => () => Promise.reject(new Fault("service-unreachable", { service: "node" }, { cause }));

  it("counts as never made only if it certainly wasn't, and no other was made before", async () => {
    const notConnected = new NotConnected("ECONNREFUSED");
    expect(await broadcast(signed, cut(notConnected))).toEqual(new Set(["unsent"]));
    expect(await broadcast(signed, cut())).toEqual(new Set());
    expect(await broadcast(transaction, cut(notConnected))).toEqual(new Set());
  });

  it("that is refused ends the call, unless the wallet was first or another was made before", async () => {
    expect(await broadcast(signed, async () => "no")).toEqual(new Set(["ended"]));
    expect(await broadcast(signed, async () => "no", true)).toEqual(new Set());
    expect(await broadcast(transaction, async () => "no")).toEqual(new Set(["refused"]));
  });

  it("that is refused again in the same words is no news", async () => {
    expect(await broadcast({ ...transaction, refusal: "no" }, async () => "no")).toEqual(new Set());
    expect(await broadcast({ ...transaction, refusal: "no" }, async () => "never")).toEqual(new Set(["refused"]));
  });
});

it.each([
  ["is in a block", 9n, { kind: "not-sent", code: "transaction-replaced" }],
  ["is only known", 0n, { kind: "unknown", code: "nonce-used" }],
])("is replaced by one with the same nonce only once that %s", async (_, block, outcome) => {
  const clock = createVirtualClock();
  const sent: SignedIntent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() - 60_000 }, transaction };
  const rival: SignedIntent = { ...sent, id: "rival" };
  const ends: unknown[] = [];
  const stop = await follow(
    clock,
    [sent],
    {
      nonce: async () => ({ nonce: 8n, txPending: 0n }),
      height: async () => 9n,
      transaction: async ({ id }: SignedIntent) =>
        id === rival.id ? { block, isOk: true, returnData: [] } : undefined,
    },
    {
      find: async () => (ends.length === 0 ? sent : undefined),
      rivals: async () => [rival],
      settle: async (_owner: number, _id: string, end: unknown) => void ends.push(end),
    },
  );
  await clock.advance(60_000);
  await stop();
  expect(ends).toEqual([outcome]);
});

it.each([true, false])(
  "asks a node again before a request ends whose nonce is used, as that may be by itself: %s",
  async (isKnown) => {
    const clock = createVirtualClock();
    const closed: SignedIntent = {
      ...intent(swapTerms, "SIGNING"),
      times: { SIGNING: clock.now() },
      transaction: walletTransaction({ phase: "withdrawn", end: { code: "nonce-used" } }),
    };
    let known: SignedIntent | undefined = closed;
    const ends: string[] = [];
    const end = (how: string) => async () => {
      ends.push(how);
      known = undefined;
      return closed;
    };
    const stop = await follow(
      clock,
      [closed],
      { transaction: async () => (isKnown && clock.monotonic() >= 5_000 ? { block: 9n, isOk: true } : undefined) },
      { find: async () => known, settle: end("not sent"), requests: { sentByWallet: end("sent") } },
    );
    await clock.advance(9_000);
    expect(ends).toEqual([]);
    await clock.advance(3_000);
    expect(ends).toEqual([isKnown ? "sent" : "not sent"]);
    await stop();
  },
);

it("follows at once what a check has found, although its next look was hours away", async () => {
  const clock = createVirtualClock();
  const withdrawn = walletTransaction({ phase: "withdrawn", end: "CANCELED" });
  const canceled: SignedIntent = {
    ...intent(swapTerms, "CANCELED"),
    times: { CANCELED: clock.now() },
    transaction: withdrawn,
  };
  let [known, found]: [SignedIntent | undefined, object | undefined] = [canceled, undefined];
  const { lookUp, stop } = await track(
    clock,
    [canceled],
    { transaction: async () => found },
    {
      find: async () => known,
      rivals: async () => [],
      requests: { sentByWallet: async () => (known = undefined) },
    },
  );
  await clock.advance(10 * 3_600_000);
  found = { block: 0n, isOk: true };
  expect(await lookUp(canceled)).toBeUndefined();
  found = { block: 9n, isOk: true };
  await clock.advance(60_000);
  expect(known).toBe(canceled);
  expect(await lookUp(canceled)).toBe(true);
  await clock.advance(1_000);
  expect(known).toBeUndefined();
  await stop();
});

it("looks again at an intent that changed during its last look", async () => {
  const clock = createVirtualClock();
  const sent = { ...intent(swapTerms, "SENT"), transaction };
  let looks = 0;
  const stop = await follow(
    clock,
    [sent],
    {},
    {
      find: async () => {
        if ((looks += 1) === 1) await store.write((tx) => makeDue(tx, sent.id));
        return { ...sent, state: "OK", transaction: walletTransaction(placeAt("OK")) };
      },
    },
  );
  await clock.advance(60_000);
  await stop();
  expect(looks).toBe(2);
});

it("believes no block that was rolled back while the height was read", async () => {
  const clock = createVirtualClock();
  let sent: SignedIntent = { ...intent(swapTerms, "SENT"), times: { SENT: clock.now() }, transaction };
  let found: unknown = { block: 9n, isOk: true, returnData: [], text: "" };
  const ends: unknown[] = [];
  const stop = await follow(
    clock,
    [sent],
    {
      nonce: async () => ({ nonce: 8n, txPending: 0n }),
      transaction: async () => found,
      height: async () => {
        // The second look.
        if (clock.monotonic() > 1000) found = undefined;
        return 12n;
      },
    },
    {
      find: async () => sent,
      rivals: async () => [],
      settle: async (_owner: number, _id: string, outcome: unknown) => {
        ends.push(outcome);
        sent = { ...sent, state: "OK", transaction: walletTransaction(placeAt("OK")) };
      },
    },
  );
  await clock.advance(60_000);
  await stop();
  expect(ends).toEqual([{ kind: "unknown", code: "nonce-used" }]);
});

describe.each(["CANCELED", "FAILED"] as const)("a transaction that ended %s", (state) => {
  async function ended() {
    const clock = createVirtualClock();
    const ended = {
      ...intent(swapTerms, state),
      times: { [state]: clock.now() },
      transaction: walletTransaction(placeAt(state)),
    };
    const [asked, over]: [number[], string[]] = [[], []];
    const stop = await follow(
      clock,
      [ended],
      { transaction: async () => void asked.push(clock.now()) },
      {
        find: async () => (over.length === 0 ? ended : undefined),
        rivals: async () => [],
        requests: { giveUp: async (_owner: number, id: string) => void over.push(id) },
      },
    );
    return { clock, id: ended.id, asked, over, stop };
  }

  it("is looked for at first within minutes", async () => {
    const { clock, asked, over, stop } = await ended();
    await clock.advance(1_800_000);
    await stop();
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked.length).toBeLessThan(10);
    expect(over).toEqual([]);
  });

  // Each hour is as long for the machine, whichever the state: one of them is seen to the end, or both.
  it.runIf(state === "FAILED" || process.env["FULL"])(
    "is looked for a dozen times in two days, then no more",
    async () => {
      const { clock, id, asked, over, stop } = await ended();
      await clock.advance(47 * 3_600_000);
      expect(over).toEqual([]);
      await clock.advance(2 * 3_600_000);
      expect(over).toEqual([id]);
      expect(asked.length).toBeGreaterThan(10);
      expect(asked.length).toBeLessThan(20);
      await clock.advance(2 * 3_600_000);
      expect(asked.length).toBeLessThan(20);
      await stop();
    },
  );
});

it("stops looking for a transaction whose nonce another has used", async () => {
  const at = (state: IntentState) => walletTransaction(placeAt(state));
  const clock = createVirtualClock();
  const ended = { ...intent(swapTerms, "CANCELED"), times: { CANCELED: clock.now() }, transaction: at("CANCELED") };
  const rival = { ...intent(swapTerms, "OK"), id: "rival", transaction: at("OK") };
  const over: string[] = [];
  await follow(
    clock,
    [ended],
    { transaction: async () => undefined },
    {
      find: async () => (over.length === 0 ? ended : undefined),
      rivals: async () => [rival],
      requests: { giveUp: async (_owner: number, id: string) => void over.push(id) },
    },
  );
  await clock.advance(20_000);
  expect(over).toEqual([ended.id]);
});
