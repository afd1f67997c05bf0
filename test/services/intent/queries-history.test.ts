import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { type PreparedTransaction } from "../../../src/services/intent/intent.js";
import { arrange, chatId, draft, holds, owner, type Arranged } from "./arrange.js";
import { preparedTransaction } from "../../support/wallet-transaction.js";
import { mayStillExecute } from "../../../src/services/intent/machine.js";
import { countUnspent } from "../../../src/services/intent/intent-row.js";
import { alice } from "../samples.js";

/** Opens and confirms `count` cards. @returns their ids, newest first. */
async function confirmMany(intents: Arranged, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done += 1) {
    intents.clock.advance(1);
    const { id } = await intents.open(owner, chatId, draft);
    await intents.confirm(owner, id, holds);
    ids.unshift(id);
  }
  return ids;
}

async function everyIdOf({ everything }: Arranged, from = 0): Promise<string[]> {
  const ids: string[] = [];
  for await (const intents of everything(owner, from, Number.MAX_SAFE_INTEGER))
    ids.push(...intents.map(({ id }) => id));
  return ids;
}

/** Ids on all pages of the history, in order. */
async function everyPageOf({ history }: Arranged, size = 8): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page += 1) {
    const { items, hasOlder } = await history(owner, page, size);
    ids.push(...items.map(({ id }) => id));
    if (!hasOlder) return ids;
  }
}

const DAY = 86_400_000;

describe("the stored intents", () => {
  it("include 30 requests still looked for on the chain; older ones are kept as a trace, and none is a call", async () => {
    let count = 0;
    const transaction = async (): Promise<PreparedTransaction> => {
      count += 1;
      const at = intents.clock.now();
      const apart = { hash: `hash-${count}`, token: `token-${count}`, nonce: BigInt(count) };
      return preparedTransaction({ ...apart, signUntil: at + 1e6, sendUntil: at + 1e6 });
    };
    const intents: Arranged = arrange({ prepare: transaction });
    await intents.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
    const ids: string[] = [];
    for (let done = 0; done < 80; done += 1) {
      intents.clock.advance(1);
      const { id } = await intents.open(owner, chatId, draft);
      await intents.confirm(owner, id, holds);
      await intents.cancel(owner, id);
      await intents.settle(owner, id);
      ids.unshift(id);
    }
    const kept = (await intents.list(owner)).filter(mayStillExecute).map(({ id }) => id);
    // The newest 30, and the one that was open when the last one was made.
    expect(kept).toEqual(ids.slice(0, 31));
    expect((await intents.find(owner, ids.at(-1)!))?.transaction?.hash).toBe("hash-1");
    expect(await everyPageOf(intents)).toEqual([]);
    expect(await everyIdOf(intents)).toEqual([]);
    // If the chain shows one that is looked for, it counts, however many cards came after it.
    expect((await intents.requests.sentByWallet(owner, kept.at(-1)!, "aa"))?.state).toBe("SENT");
    for (const id of kept.slice(0, -1)) await intents.requests.giveUp(owner, id);
    expect((await intents.list(owner)).filter(mayStillExecute)).toEqual([]);
    // A request may have been sent by its wallet, so none is ever removed.
    intents.clock.advance(31 * DAY);
    for (let count = 0; count < 3; count += 1) await intents.open(1002, 1002, draft);
    expect((await intents.list(owner)).map(({ id }) => id)).toEqual(ids);
  });

  it("keep every call for ever, and a card that spent nothing for 30 days", async () => {
    const intents = arrange();
    const { open, confirm, clock, list } = intents;
    const [done = ""] = await confirmMany(intents, 1);
    const unspent: string[] = [];
    for (let count = 0; count < 25; count += 1) unspent.push((await open(owner, chatId, draft)).id);
    const worse = await open(owner, chatId, { ...draft, expiresAt: 1e15 });
    const replaced = await confirm(owner, worse.id, async () => draft);
    expect(replaced.kind).toBe("worse");
    clock.advance(30 * DAY);
    await open(1002, 1002, draft);
    expect(await list(owner)).toHaveLength(28);
    clock.advance(1);
    // Each new card, whoever opens it, removes some.
    for (const left of [18, 8, 1, 1]) {
      await open(1002, 1002, draft);
      expect(await list(owner)).toHaveLength(left);
    }
    expect((await list(owner)).map(({ id }) => id)).toEqual([done]);
  });

  it("keep a hundred cards of a person that ended and spent nothing, and none of them is open, an order's or still to be shown", async () => {
    const intents = arrange();
    const { open, expire, clock, list, store, find } = intents;
    const size = async () => JSON.stringify(await store.db.selectFrom("intents").selectAll().execute()).length;
    const [done = ""] = await confirmMany(intents, 1);
    const ordered = (await open(owner, chatId, draft)).id;
    const waiting = (await open(owner, chatId, draft)).id;
    const other = (await open(1002, 1002, draft)).id;
    clock.advance(60_000);
    for (const [id, who] of [
      [ordered, owner],
      [waiting, owner],
      [other, 1002],
    ] as const)
      await expire(who, id);
    const forget = (id: string) => store.write((tx) => tx.deleteFrom("outbox").where("subject", "=", id).execute());
    await forget(ordered);
    await store.write((tx) => tx.updateTable("intents").set({ standing: "order" }).where("id", "=", ordered).execute());
    const before = await size();
    const quotes: string[] = [];
    for (let count = 0; count < 600; count += 1) {
      const { id } = await open(owner, chatId, draft);
      quotes.push(id);
      clock.advance(60_000);
      await expire(owner, id);
      await forget(id);
    }
    const still = (await open(owner, chatId, draft)).id;
    const kept = new Set((await list(owner)).map(({ id }) => id));
    for (const id of [done, ordered, waiting, still]) expect(kept).toContain(id);
    expect(quotes.filter((id) => kept.has(id))).toEqual(quotes.slice(-100));
    expect(await find(1002, other)).toBeDefined();
    expect((await size()) - before).toBeLessThanOrEqual(300_000);
    expect(await countUnspent(store.db)).toBe(104);
  });

  it("never keep a cut answer that could be taken for a whole one", async () => {
    const intents = arrange({ send: async () => ({ kind: "ok", returnData: ["ab".repeat(9_000), "01"] }) });
    const [id = ""] = await confirmMany(intents, 1);
    const { outcome } = (await intents.find(owner, id))!;
    expect(outcome).toMatchObject({ kind: "ok", returnData: [expect.stringMatching(/^(?:ab){256}…$/), "01"] });
  });
});

describe("the history", () => {
  it("has every ended call once, newest first in pages, and oldest first as a whole", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 235);
    expect(await everyPageOf(intents)).toEqual(ids);
    expect(await everyPageOf(intents, 100)).toEqual(ids);
    expect((await everyIdOf(intents)).reverse()).toEqual(ids);
    expect(await everyIdOf(intents, 230)).toEqual(ids.slice(0, 5).reverse());
    expect(await intents.count(owner)).toBe(235);
    expect(await intents.history(owner, 99_999, 8)).toEqual({ items: [], page: 99_999, hasOlder: false });
  });

  it("neither loses nor repeats calls claimed at the same moment", async () => {
    const intents = arrange();
    const ids: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      const { id } = await intents.open(owner, chatId, draft);
      await intents.confirm(owner, id, holds);
      ids.push(id);
    }
    expect((await everyIdOf(intents)).toSorted()).toEqual(ids.toSorted());
    expect((await everyPageOf(intents)).toSorted()).toEqual(ids.toSorted());
  });

  it("begins with unknown outcomes, and can be limited to some kinds", async () => {
    let isUnknown = true;
    const fault = new Fault("service-timeout", { service: "node" });
    const intents = arrange({
      send: async () => (isUnknown ? { kind: "unknown", fault } : { kind: "ok", returnData: [] }),
    });
    const unknown = await confirmMany(intents, 3);
    isUnknown = false;
    const known = await confirmMany(intents, 12);
    for (const size of [2, 3, 5, 8]) expect(await everyPageOf(intents, size)).toEqual([...unknown, ...known]);
    expect(await intents.countUnresolved(owner)).toBe(3);
    expect((await intents.history(owner, 0, 8, ["lock", "unlock"])).items).toEqual([]);
    expect((await intents.history(owner, 0, 20, ["swap"])).items).toHaveLength(15);
    // Calls that their owner has resolved are in their place by time.
    const check = { at: 1, by: "owner", finding: "not-arrived" } as const;
    for (const id of unknown) await intents.markChecked((await intents.find(owner, id))!, check);
    expect(await everyPageOf(intents)).toEqual([...known, ...unknown]);
    expect(await intents.countUnresolved(owner)).toBe(0);
  });

  it("is empty for a user without calls", async () => {
    expect(await arrange().history(owner, 3, 8)).toEqual({ items: [], page: 3, hasOlder: false });
  });

  it("has the intents for taps on old cards", async () => {
    const intents = arrange();
    const ids = await confirmMany(intents, 100);
    const { find, cancel, confirm } = intents;
    const id = ids.at(-1)!;
    expect(await find(owner, id)).toMatchObject({ id, state: "OK" });
    expect(await cancel(owner, id)).toMatchObject({ id, state: "OK" });
    expect(await confirm(owner, id, holds)).toMatchObject({ kind: "not-open", intent: { id } });
    expect(intents.sent).toHaveLength(100);
    expect(await find(1002, id)).toBeUndefined();
    expect(await find(owner, "never-there")).toBeUndefined();
  });
});
