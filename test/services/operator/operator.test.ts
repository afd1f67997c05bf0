import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { enterLog, logPage, createOperator, createTradingPause } from "../../../src/services/operator/operator.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { arrange, chatId, draft as brief, holds, opened, owner } from "../intent/arrange.js";
import { memoryStore } from "../intent/memory-store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { temporaryStore } from "../../support/engine.js";
import { noteReach } from "../../../src/services/telegram/reach.js";
import { noticesOf, quiet } from "../telegram/noticed.js";
import { kfi, testClock } from "../samples.js";

const noon = Date.parse("2026-07-01T12:00:00Z");
/** Expires after all tests. */
const draft = { ...brief, expiresAt: Date.parse("2027-01-01T00:00:00Z") };

/** Intents, with an operator who earns 5 base units of KFI per call. */
function desk(options: Parameters<typeof arrange>[0] = {}) {
  const store = options.store ?? memoryStore();
  const clock = options.clock ?? testClock(noon);
  const operator = createOperator({ ...quiet, operators: [1], allowed: undefined, store, clock });
  const feeOf = ({ state }: Intent) => (state === "OK" ? amountOf(kfi, 5n) : undefined);
  const intents = arrange({ ...options, store, clock, feeOf });
  const trade = async (by = owner) => {
    const { id } = await intents.open(by, chatId, draft);
    return intents.confirm(by, id, holds);
  };
  return { ...intents, operator, store, clock, trade, noticed: () => noticesOf(store.db, 1) };
}

/** Runs the operator's work until the gathered outcomes are reported. */
async function told(operator: ReturnType<typeof desk>["operator"], clock: ReturnType<typeof testClock>): Promise<void> {
  const over = new AbortController();
  clock.advance(6_000);
  const running = operator.run(over.signal).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  over.abort();
  await running;
}

it("the overview names the operators whom nothing reaches", async () => {
  const { operator, store } = desk();
  expect((await operator.overview()).away).toEqual([]);
  await store.write((tx) => noteReach(tx, 1, false, [], noon));
  await store.write((tx) => noteReach(tx, 2, false, [], noon));
  expect((await operator.overview()).away).toEqual([1]);
});

describe("the operator's sums", () => {
  it("count every ended call, what it earned, and every user once a day", async () => {
    const { trade, operator, open } = desk();
    await trade();
    await trade();
    await trade(1002);
    await open(1003, 1003, draft);
    const { today, total } = await operator.sums();
    expect(today).toEqual({ reached: { OK: 3 }, fees: { KFI: amountOf(kfi, 15n) }, people: 3 });
    expect(total).toMatchObject(today);
  });

  it("restart each day, while the totals go on", async () => {
    const { trade, operator, clock } = desk();
    await trade();
    clock.step(86_400_000);
    expect((await operator.sums()).today).toEqual({ reached: {}, fees: {}, people: 0 });
    await trade();
    const { today, total } = await operator.sums();
    expect([today.reached.OK, total.reached.OK]).toEqual([1, 2]);
    // The same user counts again today, and once in total.
    expect([today.people, total.people]).toEqual([1, 1]);
  });

  it("don't block a trade if they can't be read, and are never taken for zero", async () => {
    const { trade, operator, store, fees } = desk();
    await trade();
    await store.write((tx) => tx.updateTable("settings").set({ value: "{" }).execute());
    expect(await trade()).toMatchObject({ kind: "ended", intent: { state: "OK" } });
    await expect(operator.sums()).rejects.toMatchObject({ code: "store-unreadable" });
    await expect(fees(owner)).rejects.toMatchObject({ code: "store-unreadable" });
  });
});

describe("calls with an unknown outcome", () => {
  const unknown = new Fault("service-timeout", { service: "node" });

  it("are reported once, even after a crash between their end and the report", async () => {
    const { trade, store, clock } = desk({ send: async () => ({ kind: "unknown", fault: unknown }) });
    await trade();
    const { operator, noticed } = desk({ store, clock });
    await told(operator, clock);
    await told(operator, clock);
    expect((await noticed()).map(({ id }) => id)).toEqual(["unknown-intent-1"]);
  });

  it("are listed, newest first, until they are put away", async () => {
    const { trade, operator, clock, noticed } = desk({ send: async () => ({ kind: "unknown", fault: unknown }) });
    await trade();
    clock.advance(1_000);
    await trade(1002);
    expect((await operator.unknown()).map((intent) => intent.owner)).toEqual([1002, owner]);
    await operator.putAway((await operator.unknown())[0]!.id);
    expect((await operator.unknown()).map((intent) => intent.owner)).toEqual([owner]);
    await told(operator, clock);
    expect((await noticed()).map(({ what }) => what)).toEqual([
      { kind: "operator", event: { about: "unknown", calls: 1, owners: [owner] } },
    ]);
  });

  it("are counted in one message, and then in no other for ten minutes", async () => {
    const { trade, operator, clock, noticed } = desk({ send: async () => ({ kind: "unknown", fault: unknown }) });
    for (let count = 0; count < 6; count += 1) await trade();
    await told(operator, clock);
    const counts = async () => (await noticed()).map(({ what }) => (what.kind === "operator" ? what.event : undefined));
    expect(await counts()).toEqual([{ about: "unknown", calls: 6, owners: [owner] }]);
    await trade();
    clock.advance(1);
    await trade(1002);
    await told(operator, clock);
    expect(await counts()).toHaveLength(1);
    clock.advance(600_000);
    await told(operator, clock);
    expect((await counts())[1]).toEqual({ about: "unknown", calls: 2, owners: [1002, owner] });
  });
});

describe("a pause", () => {
  it("keeps every call from being sent, even one confirmed before it, and gives the reason", async () => {
    const { id, confirm, sent, store, clock } = await opened();
    const tradingPause = createTradingPause({ store, clock });
    const pausing = async () => {
      await tradingPause.pause("the node is being updated");
      return undefined;
    };
    const confirmation = await confirm(owner, id, pausing);
    expect(confirmation).toMatchObject({
      kind: "ended",
      intent: {
        state: "FAILED",
        outcome: { kind: "not-sent", code: "trading-paused", parameters: { reason: "the node is being updated" } },
      },
    });
    expect(sent).toEqual([]);
  });

  it("survives a restart, keeps its start when its reason changes, and ends", async () => {
    const store = createMemoryDisk().open();
    const clock = testClock(noon);
    await createTradingPause({ store, clock }).pause("one");
    clock.advance(5_000);
    const later = createTradingPause({ store, clock });
    await later.pause("another");
    expect(await later.pauseNow()).toEqual({ since: noon, reason: "another" });
    await later.resume();
    expect(await later.pauseNow()).toBeUndefined();
    await later.assertOpen();
  });
});

describe("the operator log", () => {
  const entry = { at: noon, operator: 1, action: "pause" } as const;

  it("keeps every entry, newest first on its pages", async () => {
    const store = await temporaryStore();
    expect(await logPage(store.db, 0, 8)).toEqual({ items: [], page: 0, pages: 1 });
    for (let number = 1; number <= 205; number += 1)
      await store.write((tx) => enterLog(tx, { ...entry, about: `${number}` }));
    const abouts = async (page: number) => (await logPage(store.db, page, 8)).items.map(({ about }) => about);
    expect(await abouts(0)).toEqual(["205", "204", "203", "202", "201", "200", "199", "198"]);
    expect(await abouts(25)).toEqual(["5", "4", "3", "2", "1"]);
    expect(await abouts(99)).toEqual(await abouts(25));
  });

  it("loses no entry when several operators act at once", async () => {
    const store = await temporaryStore();
    const enter = (operator: number) => store.write((tx) => enterLog(tx, { ...entry, operator, about: "" }));
    await Promise.all(Array.from({ length: 150 }, (_, operator) => enter(operator)));
    const pages = await Promise.all([0, 1].map((page) => logPage(store.db, page, 100)));
    expect(new Set(pages.flatMap(({ items }) => items.map(({ operator }) => operator))).size).toBe(150);
  });
});
