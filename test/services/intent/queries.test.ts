import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { Intent, SignedIntent } from "../../../src/services/intent/intent.js";
import * as asked from "../../../src/services/intent/queries.js";
import * as row from "../../../src/services/intent/intent-row.js";
import { resetUser, erase, isUnreadable, noteUnreadable } from "../../../src/services/operator/forget.js";
import { countEnd, earnedFees, readSums } from "../../../src/services/intent/totals.js";
import { dueFrom, readSetting, toJson, type Reader } from "../../../src/store/store.js";
import { openDatabase, queriesOver, statementsOf } from "../../../src/store/database.js";

import { amountOf } from "../../../src/encoding/amount.js";
import { intent, lockTerms, routeTerms, swapTerms, unlockTerms } from "../../cards/arrange.js";
import { terms } from "../trade/launch-samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { alice, kfi, klv } from "../samples.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { arrange, chatId, draft, holds, owner } from "./arrange.js";

const { each: _each, first: _first, intentOf: _of, intents: _all, ...rows } = row;
const {
  storedNonce: _number,
  readable: _readable,
  intentRow: _row,
  timesSchema: _times,
  PACKED_AFTER_MS: _after,
  ...written
} = rows;
const queries = { ...asked, ...written };

const ROWS = 6_000;
const OF_ONE = ROWS / 6;

const signed = { ...intent(swapTerms, "SENT"), transaction: walletTransaction(placeAt("SENT")) } satisfies SignedIntent;

/** By default 6,000 intents, a sixth of them of user 1; 1% have an unknown outcome, and 1% are on their way. */
async function fullTable(count = ROWS): Promise<DatabaseSyncInstance> {
  const data = openDatabase(join(await temporaryFolder(), "swapdesk.sqlite"));
  onTestFinished(() => data.close());
  const ended = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  const first: Intent = { ...ended, id: "id-0", owner: 1, times: { CLAIMED: 1, OK: 1 } };
  await queries.insertIntent(queriesOver(statementsOf(data)), first);
  const varied: Readonly<Record<string, string>> = {
    id: "'id-' || i",
    owner: `CASE WHEN i <= ${count / 6} THEN 1 ELSE 2 + i % 5000 END`,
    message_id: "i",
    quoted_at: "i",
    claimed_at: "i",
    ended_at: "i",
    times: `'{"CLAIMED":' || i || ',"OK":' || i || '}'`,
    tx_nonce: "i",
    sign_token: "'token-' || i",
    tx_hash: "'hash-' || i",
    state: "CASE i % 100 WHEN 1 THEN 'UNKNOWN' WHEN 2 THEN 'SENT' ELSE state END",
    unresolved: "CASE i % 100 WHEN 1 THEN 1 END",
    open: "CASE i % 100 WHEN 2 THEN 1 END",
    pack_at: "CASE i % 2 WHEN 1 THEN i END",
  };
  const columns = (data.prepare("PRAGMA table_info(intents)").all() as { name: string }[]).map(({ name }) => name);
  data.exec(`INSERT INTO intents WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT ${columns.map((name) => varied[name] ?? name).join()} FROM n, intents WHERE id = 'id-0'`);
  return data;
}

describe("on a full table", () => {
  it("no query reads all intents, or all of a user's unless it has to", async () => {
    const data = await fullTable();
    for (const before of ["", "ANALYZE"]) {
      data.exec(before);
      data.exec("BEGIN");
      const asked = new Map<string, string>();
      let name = "";
      const tx = queriesOver(
        statementsOf({
          prepare: (sql: string) => {
            asked.set(sql, name);
            return data.prepare(sql);
          },
        } as DatabaseSyncInstance),
      );
      const one = (await queries.findIntent(tx, 1, "id-5"))!;
      // Every query: one missing here doesn't compile.
      const all: { readonly [Name in keyof typeof queries | "erase" | "readSums"]: () => Promise<unknown> } = {
        findIntent: () => queries.findIntent(tx, 1, "id-5"),
        lastOnChain: () => queries.lastOnChain(tx, 1, "klv1"),
        unsentIntents: () => queries.unsentIntents(tx),
        openIntents: () => queries.openIntents(tx, 1),
        openOfOrder: () => queries.openOfOrder(tx, "order-5"),
        underWayOf: () => queries.underWayOf(tx, 1),
        lookedForBeyond: () => queries.lookedForBeyond(tx, 1, 30),
        intentInMessage: () => queries.intentInMessage(tx, 1, 5),
        intentToSign: () => queries.intentToSign(tx, "token-5"),
        hasTwin: () => queries.hasTwin(tx, "hash-5"),
        hasSigned: () => queries.hasSigned(tx, { address: alice, hash: "hash-5" }),
        hasCalledAround: () => {
          const owners = tx.selectFrom("news_watches").select("user_id").where("kind", "=", "arrivals");
          return queries.hasCalledAround(tx, owners.where("subject", "=", alice), { address: alice, from: 0, to: 1 });
        },
        rivalsOf: () => queries.rivalsOf(tx, signed),
        spentLately: () => queries.spentLately(tx, 1, OF_ONE + 49 * 3_600_000 - 20),
        isAlone: () => queries.isAlone(tx, { ...one, times: { SENT: OF_ONE } }),
        historyPage: () => queries.historyPage(tx, 1, 700, 8, ["swap"]),
        countCalls: () => queries.countCalls(tx, 1),
        newestCall: () => queries.newestCall(tx, 1),
        callsAfter: async () => [await queries.callsAfter(tx, 1, one), await queries.callsAfter(tx, 1, 9_000)],
        countUnresolved: () => queries.countUnresolved(tx, 1),
        noteMessage: () => queries.noteMessage(tx, "id-5", 6),
        hasOpenCalls: () => queries.hasOpenCalls(tx, 1),
        unfinishedIntents: () => queries.unfinishedIntents(tx),
        countUnderWay: () => queries.countUnderWay(tx),
        dueIntents: async () => [
          await queries.dueIntents(tx, "transactions underWay", 10).due({ until: 5 }, 10, ["id-3"]),
          await queries.dueIntents(tx, "transactions ended", 10).nextAt(5),
          await queries.dueIntents(tx, "expiry", 10).times(5),
        ],
        noteDue: () => queries.noteDue(tx, { id: "id-8", due_at: 5 }, null),
        toPack: async () => {
          const { due, times } = dueFrom(queries.toPack(tx), "id", { column: "pack_at", horizon: 10 });
          return [await due({ until: 5 }, 1, ["id-3"]), await due({ after: ROWS }, 1, []), await times(5)];
        },
        packDue: () => queries.packDue(tx, 5, 500, 20),
        oldRows: () => queries.oldRows(tx, "id-5", 20),
        writePhase: () => queries.writePhase(tx, signed),
        makeDue: () => queries.makeDue(tx, "id-8"),
        unresolvedIntents: () => queries.unresolvedIntents(tx, () => undefined),
        untoldUnknowns: () => queries.untoldUnknowns(tx),
        markTold: () => queries.markTold(tx, 5),
        putAway: () => queries.putAway(tx, "id-101"),
        readSums: () => readSums(tx, ROWS - 100),
        insertIntent: () => queries.insertIntent(tx, signed),
        updateIntent: () => queries.updateIntent(tx, one, { ...one, messageId: 6 }),
        deleteOwnUnspent: () => queries.deleteOwnUnspent(tx, 2, 100, 10),
        countUnspent: () => queries.countUnspent(tx),
        deleteUnspent: () => queries.deleteUnspent(tx, ROWS, 10),
        forgetOver: () => queries.forgetOver(tx, 2, 100),
        hasIntents: () => queries.hasIntents(tx, 2),
        unreadableIntents: () => queries.unreadableIntents(tx, 3),
        erase: () => erase(tx, 2, 5),
      };
      for (name of Object.keys(all)) {
        await all[name as keyof typeof all]();
      }
      const plans = [...asked].flatMap(([sql, by]) =>
        (data.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[]).map(({ detail }) => ({
          by,
          detail,
        })),
      );
      expect(plans.length).toBeGreaterThan(Object.keys(all).length - 3);
      const scans = plans.filter(({ detail }) => detail.startsWith("SCAN"));
      // One counts rows of a search, up to a limit.
      // These read a partial index of what is open, unresolved or not handled, which is short.
      const partial =
        /^SCAN unspent$|^SCAN (?:intents|updates) USING (?:COVERING )?INDEX (?:intents_(?:open|unresolved)|updates_left)$/;
      expect(scans.filter(({ detail }) => !partial.test(detail))).toEqual([]);
      expect([...new Set(scans.map(({ by }) => by))].toSorted()).toEqual(
        [
          "countUnderWay",
          "countUnspent",
          "erase",
          "markTold",
          "unfinishedIntents",
          "unresolvedIntents",
          "unsentIntents",
          "untoldUnknowns",
        ].filter((each) => scans.some(({ by }) => by === each)),
      );
      data.exec("ROLLBACK");
    }
  });
});

it("a call of somebody with a thousand others in two days is known to be alone once those are over", async () => {
  const tx = queriesOver(statementsOf(await fullTable()));
  const latest = (await queries.findIntent(tx, 1, "id-990"))!;
  expect(await queries.isAlone(tx, { ...latest, times: { SENT: 990 } })).toBe(true);
  const beside = { ...intent(swapTerms, "OK"), id: "beside", owner: 1, times: { CLAIMED: 980, SENT: 980, OK: 990 } };
  await queries.insertIntent(tx, beside);
  expect(await queries.isAlone(tx, { ...latest, times: { SENT: 990 } })).toBe(false);
});

/**
 * A plan doesn't say how much of an index a search reads, and the package has no counters. Hence by processor time:
 * the least of many runs, so that other work on the machine doesn't count.
 */
describe("with ten times as many rows", () => {
  const MANY = 10 * ROWS;
  // Those that count or list all that a user has are not here: `countCalls`, `unreadableIntents`, `erase`.
  const queries: Readonly<Record<string, (tx: Reader, latest: Intent) => Promise<unknown>>> = {
    "the newest call": (tx) => asked.newestCall(tx, 1),
    "a page of history": (tx) => asked.historyPage(tx, 1, 0, 8),
    "a page of some kinds": (tx) => asked.historyPage(tx, 1, 0, 8, ["swap"]),
    "the tenth page": (tx) => asked.historyPage(tx, 1, 10, 8),
    "the number of unknown outcomes": (tx) => asked.countUnresolved(tx, 1),
    "the first lot of all calls": (tx) => asked.callsAfter(tx, 1, 0),
    "the last lot": (tx, latest) => asked.callsAfter(tx, 1, latest),
    "what was spent lately": (tx, latest) => asked.spentLately(tx, 1, (latest.times.CLAIMED ?? 0) + 49 * 3_600_000),
    "a call": (tx, { id }) => asked.findIntent(tx, 1, id),
    "the card of a message": (tx) => asked.intentInMessage(tx, 1, 500),
    "whether calls are open": (tx) => asked.hasOpenCalls(tx, 1),
  };

  it("no query of one person's calls costs more than half as much again", async () => {
    const tables: { tx: Reader; latest: Intent }[] = [];
    for (const count of [ROWS, MANY]) {
      const tx = queriesOver(statementsOf(await fullTable(count)));
      // In both, as many calls come after it.
      tables.push({ tx, latest: (await asked.findIntent(tx, 1, `id-${count / 6 - 60}`)) as Intent });
    }
    const grown: string[] = [];
    for (const [name, query] of Object.entries(queries)) {
      const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      // And a third of a millisecond: one more page of an index, and what a busy machine can't tell apart.
      const isGrown = ([small = 0, large = 0] = least) => large > 1.5 * small + 0.3;
      // What has really grown stays so, however often it is tried.
      for (let time = 0; time < 30 || (isGrown() && time < 600); time += 1) {
        for (const [at, { tx, latest }] of tables.entries()) {
          const begun = process.cpuUsage();
          await query(tx, latest);
          const { user, system } = process.cpuUsage(begun);
          least[at] = Math.min(least[at] ?? 0, (user + system) / 1000);
        }
      }
      if (isGrown()) grown.push(`${name}: ${least.map((each) => each.toFixed(2)).join(" ms, then ")}`);
    }
    expect(grown).toEqual([]);
  });
});

describe("a row that can't be read", () => {
  const damages = [
    ["terms", '{"kind":"swap"}'],
    ["call", "{"],
    ["times", "[]"],
    ["paid", "null"],
    ["state", "DONE"],
    ["outcome", '{"kind":"fine"}'],
    ["findings", ""],
    ["card", '{"openedAt":"now"}'],
    ["tx", "{}"],
  ] as const;

  /** A user with a card and a hanging call, one of whose columns is damaged. */
  async function damaged(column: string, value: string) {
    const intents = arrange({ send: () => new Promise(() => undefined) });
    const { id: sent } = await intents.open(owner, chatId, draft);
    void intents.confirm(owner, sent, holds);
    await expect.poll(async () => (await intents.find(owner, sent))?.state).toBe("SENT");
    const { id } = await intents.open(owner, chatId, draft);
    await intents.store.write((tx) =>
      tx
        .updateTable("intents")
        .set({ [column]: value })
        .where("id", "=", sent)
        .execute(),
    );
    return { ...intents, sent, id };
  }

  it.each(damages)(
    "in %s stops trading for its owner only, and is never taken for an empty one",
    async (column, value) => {
      const { confirm, id, sent, find, open, store, ...intents } = await damaged(column, value);
      const fault = { code: "store-unreadable", parameters: { document: `intents/${owner}/${sent}` } };
      // What says nothing about spent money is read only where it is shown.
      if (column !== "state") await expect(confirm(owner, id, holds)).rejects.toMatchObject(fault);
      if (column !== "paid") {
        await expect(find(owner, sent)).rejects.toMatchObject(fault);
        await expect(intents.history(owner, 0, 8)).rejects.toMatchObject(fault);
        expect(intents.unreadable).toMatchObject([fault, fault]);
      }
      const other = await open(1002, 1002, draft);
      void confirm(1002, other.id, holds);
      await expect.poll(async () => (await find(1002, other.id))?.state).toBe("SENT");
      expect((await store.db.selectFrom("intents").select("id").execute()).length).toBe(3);
    },
  );

  it("is reported to operators once, and alone given up: its owner is frozen and keeps the rest", async () => {
    const { store, clock, sent, id, find } = await damaged("terms", "{");
    const told: string[] = [];
    const fault = new Fault("store-unreadable", { document: `intents/${owner}/${sent}` });
    for (let time = 0; time < 2; time += 1)
      await noteUnreadable(store, async (_tx, subject) => void told.push(subject), fault);
    expect(told).toEqual([`unreadable-${owner}`]);
    expect(await isUnreadable(store.db, 1002)).toBe(false);
    const begin = () => store.write((tx) => resetUser(tx, owner, clock.now()));
    expect([await begin(), await begin()]).toEqual([true, false]);
    expect(await find(owner, sent)).toBeUndefined();
    expect(await find(owner, id)).toMatchObject({ state: "QUOTED" });
    const row = await store.db.selectFrom("users").select("frozen_since").where("id", "=", owner).executeTakeFirst();
    expect(row?.frozen_since).toBe(clock.now());
  });

  it("of the user's record costs them the record alone: the history and a call in progress stay", async () => {
    const intents = arrange({ send: () => new Promise(() => undefined) });
    const { store, find, clock } = intents;
    const { id } = await intents.open(owner, chatId, draft);
    void intents.confirm(owner, id, holds);
    await expect.poll(async () => (await find(owner, id))?.state).toBe("SENT");
    const damage = { phrase: "blue", preferences: "{" };
    await store.write((tx) => tx.updateTable("users").set(damage).where("id", "=", owner).execute());
    expect(await isUnreadable(store.db, owner)).toBe(true);
    expect(await store.write((tx) => resetUser(tx, owner, clock.now()))).toBe(true);
    expect(await isUnreadable(store.db, owner)).toBe(false);
    expect(await find(owner, id)).toMatchObject({ state: "SENT" });
    const row = await store.db.selectFrom("users").selectAll().where("id", "=", owner).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ frozen_since: clock.now(), phrase: null });
  });

  it("is left out of the unresolved calls that operators see", async () => {
    const fault = new Fault("service-timeout", { service: "node" });
    const intents = arrange({ send: async () => ({ kind: "unknown", fault }) });
    for (let count = 0; count < 2; count += 1) {
      const { id } = await intents.open(owner, chatId, draft);
      await intents.confirm(owner, id, holds);
    }
    await intents.store.write((tx) =>
      tx.updateTable("intents").set({ terms: "{" }).where("id", "=", "intent-1").execute(),
    );
    const errors: unknown[] = [];
    const unresolved = await queries.unresolvedIntents(intents.store.db, (error) => void errors.push(error));
    expect(unresolved.map(({ id }) => id)).toEqual(["intent-2"]);
    expect(errors).toMatchObject([{ code: "store-unreadable" }]);
  });
});

describe("a row", () => {
  it("returns every intent as it was", async () => {
    const { store } = arrange();
    const full: Intent = {
      ...signed,
      state: "FAILED",
      messageId: 5,
      replacedBy: "another",
      estimatedFee: { amount: amountOf(klv, 5n), shareBps: 3n },
      openedAt: 7,
      origin: "recheck",
      actsFrom: 8,
      settlesAt: 9,
      balances: { before: { KLV: 5n }, after: { KLV: 4n }, finding: "arrived" },
      check: { at: 3, by: "balances", finding: "unclear", why: "other" },
      outcome: { kind: "not-sent", code: "network-fee-too-high", parameters: { fee: "1", maximum: "2" } },
      transaction: walletTransaction({ phase: "withdrawn", end: { code: "frozen" } }),
    };
    await store.write((tx) => queries.insertIntent(tx, full));
    expect(await queries.findIntent(store.db, full.owner, full.id)).toEqual(full);
  });
});

describe("terms of every kind", () => {
  const stepOfLaunch = { ...lockTerms, request: { ...lockTerms.request, launchId: "launch-1" } };
  it.each([
    ["swap", swapTerms, null],
    ["multihop", routeTerms, null],
    ["lock", lockTerms, null],
    ["lock", stepOfLaunch, "launch-1"],
    ["unlock", unlockTerms, null],
    ["launch", terms.createPair, terms.createPair.request.launchId],
  ] as const)("of a %s come back as they were, and name the launch they are a step of", async (kind, own, launch) => {
    const { store } = arrange();
    const one: Intent = { ...intent(own, "FAILED", { kind: "not-sent", code: "frozen" }), times: {} };
    await store.write((tx) => queries.insertIntent(tx, one));
    expect(await queries.findIntent(store.db, one.owner, one.id)).toEqual(one);
    const row = await store.db.selectFrom("intents").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ kind, launch_id: launch, ended_at: null, payout: own.payout });
  });
});

describe("fees", () => {
  it("are what a user's calls provably paid, each counted once, even if a later look proves it", async () => {
    const fault = new Fault("service-timeout", { service: "node" });
    let isUnknown = false;
    const { open, confirm, fees, markChecked, find } = arrange({
      send: async () => (isUnknown ? { kind: "unknown", fault } : { kind: "ok", returnData: [] }),
      feeOf: ({ state, check }) =>
        state === "OK" || check?.finding === "arrived" ? amountOf(kfi, check === undefined ? 5n : 3n) : undefined,
    });
    const trade = async (by = owner) => {
      const { id } = await open(by, by, draft);
      await confirm(by, id, holds);
      return (await find(by, id))!;
    };
    await trade();
    await trade();
    await trade(1002);
    isUnknown = true;
    const unknown = await trade();
    expect(await fees(owner)).toEqual({ KFI: amountOf(kfi, 10n) });
    await markChecked(unknown, { at: 1, by: "balances", finding: "arrived" });
    await markChecked(unknown, { at: 2, by: "balances", finding: "arrived" });
    expect(await fees(owner)).toEqual({ KFI: amountOf(kfi, 13n) });
    expect(await fees(1002)).toEqual({ KFI: amountOf(kfi, 5n) });
    expect(await fees(1003)).toEqual({});
  });
});

describe("the operator's totals", () => {
  const earning = (id: string, state: Intent["state"]): Intent => ({
    ...intent(swapTerms, state, { kind: "ok", returnData: [] }),
    id,
    times: { CLAIMED: 100, [state]: 100 },
  });

  it("take back what was counted of a call that the chain shows to be on its way after all", async () => {
    const { store } = arrange();
    const [fee, other] = [amountOf(kfi, 5n), amountOf(kfi, 7n)];
    const [unknown, sent] = [earning("one", "UNKNOWN"), earning("one", "SENT")];
    await store.write(async (tx) => {
      await countEnd(tx, sent, unknown, undefined, fee);
      await countEnd(tx, sent, unknown, undefined, other);
      await countEnd(tx, unknown, sent, fee);
      await countEnd(tx, sent, sent, amountOf(klv, 1n));
      // Of one that wasn't counted there is nothing to take back.
      await countEnd(tx, earning("two", "FAILED"), earning("two", "SENT"));
    });
    const { total } = await readSums(store.db, 100);
    expect(total).toMatchObject({ reached: { UNKNOWN: 1, FAILED: 0 }, fees: { KFI: other } });
    expect(await readSetting(store.db, earnedFees(unknown.owner))).toEqual({ KFI: other });
    await store.write((tx) => erase(tx, unknown.owner, 100));
    expect(await readSetting(store.db, earnedFees(unknown.owner))).toEqual({});
  });

  it("have at most 500 tokens, as anybody can issue one; the day's earnings are still complete", async () => {
    const { store } = arrange();
    const token = (index: number) => ({ ...kfi, id: `T${index}-AAAA` });
    for (let index = 0; index <= 500; index += 1) {
      const [before, after] = [earning(`${index}`, "SENT"), earning(`${index}`, "OK")];
      const fee = amountOf(token(index), 1n);
      await store.write(async (tx) => {
        await queries.insertIntent(tx, before);
        await queries.updateIntent(tx, before, after, fee);
        if (index % 100 === 0 || index > 498) await countEnd(tx, before, after, undefined, fee);
      });
    }
    await store.write(async (tx) => {
      const fees = Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [`T${index}-AAAA`, amountOf(token(index), 1n)]),
      );
      const value = toJson({ reached: {}, fees, people: 0, day: "", peopleToday: 0 });
      await tx.updateTable("settings").set({ value }).where("name", "=", "totals").execute();
      await countEnd(tx, earning("500", "SENT"), earning("500", "OK"), undefined, amountOf(token(500), 1n));
    });
    const { today, total } = await readSums(store.db, 200);
    expect(Object.keys(total.fees)).toHaveLength(500);
    expect(total.fees["T500-AAAA"]).toBeUndefined();
    expect(Object.keys(today.fees)).toHaveLength(501);
    expect(today.fees["T500-AAAA"]).toMatchObject({ units: 1n, token: { id: "T500-AAAA" } });
  });
});

describe("an intent", () => {
  it("is found by the message that shows it, unless another card replaced it", async () => {
    const { open, attachMessage, inMessage, replace, spentLately } = arrange();
    const [first, second] = [await open(owner, owner, draft), await open(owner, owner, draft)];
    await attachMessage(first.id, 77);
    expect(await inMessage(owner, 77)).toMatchObject({ id: first.id });
    await replace(owner, first.id, second.id, 5);
    expect(await inMessage(owner, 77)).toMatchObject({ id: second.id, settlesAt: 5 });
    expect(await inMessage(owner, 78)).toBeUndefined();
    expect(await inMessage(1002, 77)).toBeUndefined();
    expect(await spentLately(owner)).toEqual([]);
  });

  it("is found while it is open, newest first or by its order, and by when it was called for its address", async () => {
    const { store } = arrange();
    const standing = { id: "order", kind: "limit" } as const;
    const card = (id: string, quotedAt: number, request = swapTerms.request) => {
      return { ...intent({ ...swapTerms, request }), id, owner, quotedAt };
    };
    const called = { ...card("called", 3), state: "SENT", times: { CLAIMED: 5, SENT: 5 } } as const;
    await store.write(async (tx) => {
      const cards = [card("first", 1), card("ordered", 2, { ...swapTerms.request, standing }), called];
      for (const one of cards) await queries.insertIntent(tx, one);
      const watch = { kind: "arrivals", subject: alice, user_id: owner, least: "0", since: 0, told: 0 };
      await tx.insertInto("news_watches").values(watch).execute();
    });
    const open = await queries.openIntents(store.db, owner);
    expect(open.map(({ id }) => id)).toEqual(["called", "ordered", "first"]);
    expect((await queries.openOfOrder(store.db, "order")).map(({ id }) => id)).toEqual(["ordered"]);
    const watching = store.db.selectFrom("news_watches").select("user_id").where("subject", "=", alice);
    const isCalled = (from: number, to: number) =>
      queries.hasCalledAround(store.db, watching, { address: alice, from, to });
    expect(await Promise.all([isCalled(4, 6), isCalled(5, 6), isCalled(4, 5)])).toEqual([true, false, false]);
  });

  it("is found by its signing page's token, and its rivals by their nonce, whoever owns them", async () => {
    const { store, toSign, rivals } = arrange();
    const apart = (id: string, of: number) => ({
      ...signed,
      id,
      owner: of,
      transaction: { ...signed.transaction, hash: id, token: `token ${id}` },
    });
    const mine = apart("mine", owner);
    const another = { ...apart("another", owner), transaction: { ...apart("another", owner).transaction, nonce: 8n } };
    await store.write(async (tx) => {
      for (const one of [mine, apart("friend's", 1002), another]) await queries.insertIntent(tx, one);
    });
    expect(await toSign("token mine")).toEqual(mine);
    expect(await toSign("token nobody's")).toBeUndefined();
    expect((await rivals(mine)).map(({ id }) => id)).toEqual(["friend's"]);
    expect(await queries.hasTwin(store.db, "mine")).toBe(true);
    expect(await queries.hasTwin(store.db, "nobody's")).toBe(false);
  });
});

describe("what was spent recently", () => {
  it("counts what may have been paid, and nothing that certainly wasn't", async () => {
    const { store } = arrange();
    const states = [
      "CLAIMED",
      "SIGNING",
      "SENT",
      "OK",
      "UNKNOWN",
      "QUOTED",
      "FAILED",
      "EXPIRED",
      "CANCELED",
      "SUPERSEDED",
    ];
    await store.write(async (tx) => {
      for (const state of states as readonly Intent["state"][]) {
        await queries.insertIntent(tx, {
          ...intent(swapTerms, state),
          id: state,
          owner,
          times: { CLAIMED: 100, [state]: 100 },
        });
      }
      await queries.insertIntent(tx, {
        ...intent(swapTerms, "OK"),
        id: "friend's",
        owner: 1002,
        times: { CLAIMED: 100 },
      });
    });
    const spent = await queries.spentLately(store.db, owner, 100);
    expect(spent).toEqual(Array.from({ length: 5 }, () => ({ at: 100, amount: swapTerms.amountIn })));
    expect(await queries.spentLately(store.db, owner, 100 + 49 * 3_600_000)).toEqual([]);
    expect(alice).toBe(swapTerms.payout);
  });
});
